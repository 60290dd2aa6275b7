#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What gvt-exporter says of a host made of files, read by prometheus_client and promtool
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

one="uuid='$(uuid 1)',vgpu='1'"
on_rcs0="{engine='rcs0',pdev='0000:00:02.0',$one}"
waits="pdev='0000:00:02.0',$one,waiter='vgpu1'}"

host
full_vgpu 1
full_vgpu 2
host_counters
echo 5123456789 >"$(vgpu_file 1 exec_ns)"
echo -3000000 >"$(vgpu_file 1 left_ns)"
echo 2 >"$(vgpu_file 1 queued)"
echo 40 >"$(vgpu_file 1 cap)"
echo -5 >"$(vgpu_file 1 nice)"
echo 3000000001 >"$(vgpu_file 1 engine/rcs0/exec_ns)"
echo 77 >"$(vgpu_file 1 engine/rcs0/wait_ns)"
printf '%s\n' "host 7" "vgpu1 0" "vgpu2 60" "nobody 10" >"$(vgpu_file 1 engine/rcs0/waited_for_ns)"
echo 1000 >"$(vgpu_file 1 engine/rcs0/workloads)"
echo 3 >"$(vgpu_file 1 engine/rcs0/failed)"
echo 4 >"$(vgpu_file 1 engine/rcs0/cancelled)"
echo 5 >"$(vgpu_file 1 engine/rcs0/preempted)"
echo 6000000000 >"$(vgpu_file 1 engine/rcs0/preempted_ns)"
echo 700000000 >"$pci/gvt_host/rcs0_exec_ns"
echo 'strict work-conserving [fair]' >"$pci/gvt_sched/policy"

start "$GVT_EXPORTER"
scrape -D "$tmp/header" >"$tmp/open"
matches "OpenMetrics for who asks for it" "*Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8*" \
	"$(cat "$tmp/header")"
check "prometheus_client reads it" "$here/samples" "$tmp/open"
"$here/samples" "$tmp/open" >"$tmp/samples"
while read -r sample; do
	has "$sample" "$sample" "$(grep -F "$(sed 's/ [^ ]*$//' <<<"$sample")" "$tmp/samples")"
done <<-END
	counter seconds gvt_vgpu_busy_seconds_total{pdev='0000:00:02.0',$one} 5.123456789
	gauge ratio gvt_vgpu_busy_ratio{pdev='0000:00:02.0',$one} 0.33
	gauge seconds gvt_vgpu_slice_left_seconds{pdev='0000:00:02.0',$one} -0.003
	gauge - gvt_vgpu_queued_workloads{pdev='0000:00:02.0',$one} 2.0
	gauge - gvt_vgpu_weight{pdev='0000:00:02.0',$one} 2.0
	gauge - gvt_vgpu_nice{pdev='0000:00:02.0',$one} -5.0
	gauge ratio gvt_vgpu_cap_ratio{pdev='0000:00:02.0',$one} 0.4
	counter seconds gvt_vgpu_engine_busy_seconds_total$on_rcs0 3.000000001
	counter seconds gvt_vgpu_engine_wait_seconds_total$on_rcs0 7.7e-08
	counter seconds gvt_wait_seconds_total{engine='rcs0',holder='host',$waits 7e-09
	counter seconds gvt_wait_seconds_total{engine='rcs0',holder='vgpu1',$waits 0.0
	counter seconds gvt_wait_seconds_total{engine='rcs0',holder='vgpu2',$waits 6e-08
	counter seconds gvt_wait_seconds_total{engine='rcs0',holder='nobody',$waits 1e-08
	counter - gvt_vgpu_engine_workloads_total$on_rcs0 1000.0
	counter - gvt_vgpu_engine_failed_workloads_total$on_rcs0 3.0
	counter - gvt_vgpu_engine_cancelled_workloads_total$on_rcs0 4.0
	counter - gvt_vgpu_engine_preemptions_total$on_rcs0 5.0
	counter seconds gvt_vgpu_engine_preempted_seconds_total$on_rcs0 6.0
	counter - gvt_vgpu_health_events_total{event='hangs',pdev='0000:00:02.0',$one} 1.0
	gauge - gvt_vgpu_failsafe{pdev='0000:00:02.0',reason='no',$one} 0.0
	counter seconds gvt_host_engine_busy_seconds_total{engine='rcs0',pdev='0000:00:02.0'} 0.7
	gauge hertz gvt_gpu_frequency_hertz{pdev='0000:00:02.0'} 450000000.0
	gauge hertz gvt_gpu_frequency_max_hertz{pdev='0000:00:02.0'} 1150000000.0
	info - gvt_vgpu_info{pdev='0000:00:02.0',type='GVTg_V5_8',$one,vm='vm1'} 1.0
	info - gvt_vgpu_settings_info{arbitration='1',cap='40',nice='-5',pdev='0000:00:02.0',preempt='1',$one} 1.0
END
has "settings of the GPU" "policy='fair'" "$(grep gvt_gpu_settings_info "$tmp/samples")"
is "no cap is no sample" 1 "$(grep -c gvt_vgpu_cap_ratio "$tmp/samples")"
is "nobody's counters are unreadable" 0.0 "$(value "$tmp/open" gvt_exporter_unreadable_vgpus)"

# --- the old format, and a file for node_exporter -----------------------------------------
curl -sS -D "$tmp/header" "$url/metrics" >"$tmp/plain"
matches "the old format for others" "*Content-Type: text/plain; version=0.0.4; charset=utf-8*" "$(cat "$tmp/header")"
bare() {
	"$here/samples" "$1" | sed 's/^[a-z]* [^ ]* //' | grep -v gvt_vgpu_busy_ratio
}
is "has the same values" "$(bare "$tmp/open")" "$(bare "$tmp/plain")"
check "--textfile" "$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/gvt.prom"
is "has them, too" "$(bare "$tmp/open")" "$(bare "$tmp/gvt.prom")"
is "everyone may read it" 644 "$(stat -c %a "$tmp/gvt.prom")"
is "nothing else is left" gvt.prom "$(cd "$tmp" && ls -d gvt.prom*)"
if command -v promtool >/dev/null; then
	check "promtool finds nothing" promtool check metrics <"$tmp/gvt.prom"
else
	skip "promtool finds nothing" "no promtool; install prometheus"
fi
"$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/none/gvt.prom" 2>"$tmp/stderr"
is "a directory that is not there: status" 1 $?
matches "a directory that is not there" "gvt-exporter: --textfile: *$tmp/none/gvt.prom*No such file*" "$(cat "$tmp/stderr")"

# --- what is answered --------------------------------------------------------------------
code() {
	curl -sS -o /dev/null -w '%{http_code}' "$@"
}
is "the start page" 200 "$(code "$url/")"
is "other paths" "404 404 404" "$(code "$url/metrics/") $(code --path-as-is "$url/../etc/passwd") $(code "$url/x")"
is "other methods" "405 405 405 405" "$(code -d x "$url/metrics") $(code -X PUT "$url/") $(code -I "$url/metrics") $(code -X DELETE "$url/x")"
stop

# --- changes -----------------------------------------------------------------------------
# what is not a number, or missing, is left out, and nothing is 0 for that
start "$GVT_EXPORTER"
echo 5999999999 >"$(vgpu_file 1 exec_ns)"
echo -7 >"$(vgpu_file 1 engine/rcs0/workloads)"
echo 99999999999999999999 >"$(vgpu_file 1 engine/rcs0/wait_ns)"
: >"$(vgpu_file 1 engine/rcs0/failed)"
rm "$(vgpu_file 1 engine/rcs0/preempted)" "$(vgpu_file 1 engine/bcs0/waited_for_ns)"
printf '%s\n' "host -7" vgpu2 "nobody x" "vgpu3 5" "" >"$(vgpu_file 1 engine/rcs0/waited_for_ns)"
echo 9 >"$tmp/value"
mv "$tmp/value" "$(vgpu_file 1 queued)"
scrape >"$tmp/open"
is "a file in another's place" 9.0 "$(value "$tmp/open" "gvt_vgpu_queued_workloads{pdev='0000:00:02.0',$one}")"
is "a counter goes on" 5.999999999 "$(value "$tmp/open" "gvt_vgpu_busy_seconds_total{pdev='0000:00:02.0',$one}")"
is "what is no number is left out" "" "$("$here/samples" "$tmp/open" |
	grep -E 'engine_(workloads|wait_seconds|failed_workloads|preemptions)_total' | grep -F "$on_rcs0")"
is "whom it waited for, as far as it is known" "holder='vgpu3',$waits 5e-09" "$("$here/samples" "$tmp/open" |
	grep -E "gvt_wait_seconds_total\\{engine='(rcs0|bcs0)'" | grep -F "$one" | sed "s/.*holder/holder/")"

# an unreadable counter, as for who is not in the group
rm "$(vgpu_file 1 exec_ns)"
scrape >"$tmp/open"
is "a vGPU whose counter is unreadable" 1.0 "$(value "$tmp/open" gvt_exporter_unreadable_vgpus)"
echo 0 >"$(vgpu_file 1 exec_ns)"

# a VM's name is what its user chose
kept=$'a"b\\c,,d \xc3\xa9'
process 4711 qemu qemu -name "$kept" -device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
scrape >"$tmp/open"
is "a name is kept while its process uses the vGPU" "vm='vm1'" "$("$here/samples" "$tmp/open" | grep -F gvt_vgpu_info | grep -F "$one" | grep -o "vm='[^']*'")"
rm -r "$root/proc/4711"
scrape >"$tmp/open"
is "and not after that" "" "$("$here/samples" "$tmp/open" | grep -F gvt_vgpu_info | grep -F "$one" | grep -o "vm='[^']*'")"
stop
process 4711 qemu qemu -name "$kept" -device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
start "$GVT_EXPORTER"
scrape >"$tmp/open"
has "a strange name is escaped" 'vm="a\"b\\c,d é"' "$(grep -F gvt_vgpu_info "$tmp/open")"
has "and read as it is" "vm='a\"b\\\\c,d é'" "$("$here/samples" "$tmp/open")"
stop

# what other programs that run VMs call them, and what only looks like one
vm_of() {
	process 4711 "$@"
	"$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/gvt.prom"
	"$here/samples" "$tmp/gvt.prom" | grep -F gvt_vgpu_info | grep -F "$one" | sed -n "s/.*vm='\([^']*\)'.*/\1/p"
}
device=/sys/bus/mdev/devices/$(uuid 1) qemu_device="vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
is "QEMU: guest= where it is not first" 'b,c' "$(vm_of qemu qemu -name "debug-threads=on,process=x,guest=b,,c" -device "$qemu_device")"
is "QEMU: no name among -name's words" qemu "$(vm_of qemu qemu -name debug-threads=on, -device "$qemu_device")"
is "crosvm" kiosk "$(vm_of crosvm crosvm run --name kiosk --vfio "$device,iommu=viommu")"
is "crosvm with =" a=b "$(vm_of crosvm crosvm run --name=a=b "--vfio=$device")"
is "Cloud Hypervisor, whose VMs have no names" cloud-hyperviso \
	"$(vm_of cloud-hyperviso cloud-hypervisor --device path=/x/ "path=$device/" --cpus boot=1)"
is "who looks at a counter" "" "$(vm_of cat cat "$device/intel_vgpu/exec_ns")"
is "a shell that starts a VM" "" "$(vm_of sh sh -c "qemu -name x -device $qemu_device")"
process 4711 qemu qemu -name "$kept" -device "$qemu_device"
start "$GVT_EXPORTER"
scrape >"$tmp/open"
full_vgpu 3
scrape >"$tmp/open"
has "a new vGPU has its VM's name at once" "vm='vm3'" "$("$here/samples" "$tmp/open")"

# one that comes and goes while others are read
(while :; do
	rm -rf "${pci:?}/$(uuid 3)" "${mdev:?}/$(uuid 3)"
	full_vgpu 3
done) 2>/dev/null &
churn=$!
for nr in $(seq 40); do
	scrape >"$tmp/open" 2>"$tmp/curl" && "$here/samples" "$tmp/open" >"$tmp/samples" 2>>"$tmp/curl" &&
		grep -qF "gvt_vgpu_busy_seconds_total{pdev='0000:00:02.0',uuid='$(uuid 2)'" "$tmp/samples" || {
		echo "scrape $nr: $(cat "$tmp/curl")"
		break
	}
done >"$tmp/bad"
kill "$churn"
wait "$churn" 2>/dev/null
is "a vGPU that comes and goes during 40 scrapes" "" "$(cat "$tmp/bad")"
stop

host
start "$GVT_EXPORTER"
scrape >"$tmp/open"
check "a host without vGPUs" "$here/samples" "$tmp/open"
rm -rf "$root/sys/bus"
scrape >"$tmp/open"
check "a host without GPUs" "$here/samples" "$tmp/open"
stop

# --- other names -------------------------------------------------------------------------
host
full_vgpu 1
host_counters
start "$GVT_EXPORTER" --names dcgm,drm
scrape >"$tmp/open"
"$here/samples" "$tmp/open" >"$tmp/samples"
is "dcgm: the kernel's per cent at first" 33.0 "$(value "$tmp/open" DCGM_FI_DEV_GPU_UTIL)"
has "dcgm: labels" "UUID='$(uuid 1)',gpu='1',modelName='GVTg_V5_8',pci_bus_id='0000:00:02.0'}" \
	"$(grep DCGM "$tmp/samples")"
is "no rate without time" "" "$(grep -E 'utilization|GR_ENGINE|DEC_UTIL' "$tmp/samples")"
has "drm: frequency" "drm_frequency_hertz{device='0000:00:02.0',domain='gt0',kind='max'} 1150000000.0" "$(cat "$tmp/samples")"
is "only these" "" "$(grep gvt_ "$tmp/samples")"
sleep 1.1
echo 400000000 >"$(vgpu_file 1 engine/rcs0/exec_ns)"
echo 200000000 >"$(vgpu_file 1 engine/vcs1/exec_ns)"
echo 500000000 >"$(vgpu_file 1 exec_ns)"
echo 100000000 >"$pci/gvt_host/rcs0_exec_ns"
scrape >"$tmp/open"
"$here/samples" "$tmp/open" >"$tmp/samples"
# their quotients do not depend on how long it took
is "rates of both" "50 40 20 40 10" "$(awk '
	/DCGM_FI_DEV_GPU_UTIL/ { util = $NF } /GR_ENGINE_ACTIVE/ { graphics = 100 * $NF } /DEC_UTIL/ { decoder = $NF }
	/drm_engine_util.*rcs0.*vgpu/ { drm = 100 * $NF } /drm_engine_util.*rcs0.*host/ { host = 100 * $NF }
	END { s = util / 50; printf "%.0f %.0f %.0f %.0f %.0f", util / s, graphics / s, decoder / s, drm / s, host / s }' "$tmp/samples")"
stop

# who asks often has no rates at first, but then those of the last second or two, as anyone else who asks meanwhile
start "$GVT_EXPORTER" --names drm
ask_often() {
	local at
	for at in $(seq 8); do
		echo $((at * 300000000 * $1)) >"$(vgpu_file 1 engine/rcs0/exec_ns)"
		scrape >"$tmp/open"
		sleep 0.3
	done
	"$here/samples" "$tmp/open" | sed -n "s/.*utilization_ratio.*rcs0.*vgpu.* //p"
}
matches "rates of who asks often" "0.[0-9]*[1-9]*" "$(ask_often 1)"
is "and not since whenever that began" 0.0 "$(ask_often 0)"
stop
check "all names in one file" "$GVT_EXPORTER" --sysroot "$root" --names gvt,dcgm,drm --textfile "$tmp/gvt.prom"
has "with rates" DCGM_FI_DEV_DEC_UTIL "$("$here/samples" "$tmp/gvt.prom")"

# --- joules, as gvt-stat energy --powercap keeps them --------------------------------------
tree=$tmp/powercap
zone() {
	mkdir -p "$tree/$1/intel-rapl:0:1"
	echo "$2" >"$tree/$1/intel-rapl:0:1/name"
	echo "$3" >"$tree/$1/intel-rapl:0:1/energy_uj"
}
zone web uncore 12500000
zone 'a"\b' uncore 9223372036854775807
zone core core 5
zone pipe uncore 5
rm "$tree/pipe/intel-rapl:0:1/energy_uj"
mkfifo "$tree/pipe/intel-rapl:0:1/energy_uj"
zone none uncore unknown
mkdir "$tree/empty"
start "$GVT_EXPORTER" --names gvt,kepler --powercap "$tree"
joules() {
	scrape >"$tmp/open"
	"$here/samples" "$tmp/open" | grep joules | LC_ALL=C sort
}
is "joules of VMs that have them" "counter joules gvt_vm_energy_joules_total{vm='a\"\\\\b',zone='uncore'} 9223372036854.78
counter joules gvt_vm_energy_joules_total{vm='web',zone='uncore'} 12.5
counter joules kepler_vm_gpu_joules_total{hypervisor='kvm',vm_name='a\"\\\\b',zone='uncore'} 9223372036854.78
counter joules kepler_vm_gpu_joules_total{hypervisor='kvm',vm_name='web',zone='uncore'} 12.5" "$(joules)"
zone new uncore 13000000
mv "$tree/new/intel-rapl:0:1/energy_uj" "$tree/web/intel-rapl:0:1/energy_uj"
has "a file that was replaced" "gvt_vm_energy_joules_total{vm='web',zone='uncore'} 13.0" "$(joules)"
rm -r "$tree"
is "a directory that is gone" "" "$(joules)"
stop

# --- how it is called --------------------------------------------------------------------
# refuses NAME PATTERN ARGUMENT...
refuses() {
	local name=$1 pattern=$2
	shift 2
	timeout 10 "$GVT_EXPORTER" "$@" >"$tmp/out" 2>&1
	is "$name: status" 129 $?
	matches "$name" "gvt-exporter: $pattern" "$(head -n 1 "$tmp/out")"
}
refuses "a name that is not there" "--names gvt,x: there are gvt, dcgm, drm and kepler" --names gvt,x
refuses "no name" "--names: the list is empty*" --names ''
refuses "an argument" "x: there are no arguments*" x
refuses "no port" "--listen localhost: give ADDRESS:PORT*" --listen localhost
refuses "an IPv6 address without brackets" "--listen ::1:80: give ADDRESS:PORT*" --listen ::1:80
refuses "a name of a host" "--listen localhost:80: *numeric*" --listen localhost:80
for port in 65536 70000 4294967377 -1 8x; do
	refuses "port $port" "--listen 127.0.0.1:$port: give a port *" --listen "127.0.0.1:$port"
done
# what is called otherwise is not read, and may be a device, which a new file would replace
ln -s null "$tmp/stdout"
refuses "a file of another kind" "--textfile $tmp/stdout: its name has to end with .prom*" --sysroot "$root" --textfile "$tmp/stdout"
check "which stays as it is" test -L "$tmp/stdout"
refuses "a root that is not there" "--sysroot $tmp/none: there is no directory $tmp/none/sys*" --sysroot "$tmp/none"
refuses "both" "--listen and --textfile: give one of them" --listen 127.0.0.1:1 --textfile x.prom
for fault in "LISTEN_FDS=2" "LISTEN_FDS=1"; do
	(env "$fault" sh -c 'LISTEN_PID=$$ exec "$@"' sh "$GVT_EXPORTER" 3</dev/null) >"$tmp/out" 2>&1
	is "$fault of something else: status" 1 $?
	matches "$fault of something else" "gvt-exporter: *the socket unit*ListenStream=*" "$(cat "$tmp/out")"
done
# a free port, by the kernel's choice; another may have taken it since
for _ in 1 2 3 4 5; do
	port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
	"$GVT_EXPORTER" --sysroot "$root" --listen "127.0.0.1:$port" 2>"$tmp/stderr" &
	pid=$!
	until answer=$(code "http://127.0.0.1:$port/metrics" 2>/dev/null); [ "$answer" = 200 ] || ! kill -0 $pid 2>/dev/null; do
		sleep 0.05
	done
	[ "$answer" != 200 ] || break
done
is "--listen" 200 "$answer"
"$GVT_EXPORTER" --listen "127.0.0.1:$port" 2>"$tmp/stderr"
matches "a port that is in use" "gvt-exporter: --listen *Address already in use" "$(cat "$tmp/stderr")"
kill $pid
for option in $("$GVT_EXPORTER" --help | grep -o -- '--[a-z-]*' | sort -u); do
	check "$option is in the man page" grep -q -e "Fl -${option#--}" "$here/../gvt-exporter.8"
done
"$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/gvt.prom"
full_vgpu 1
echo 40 >"$(vgpu_file 1 cap)"
zone web uncore 12500000
"$GVT_EXPORTER" --sysroot "$root" --names gvt,dcgm,drm,kepler --powercap "$tree" --textfile "$tmp/gvt.prom"
for metric in $(sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$tmp/gvt.prom"); do
	check "$metric is in the man page" grep -q -e "$metric" "$here/../gvt-exporter.8"
done

finish
