#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat top, on a host made of files whose counters this script moves
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

top()
{
	"$GVT_STAT" top --sysroot "$root" "$@" 2>&1
}

# fails NAME PATTERN [ARGUMENT...]
fails()
{
	name=$1 pattern=$2
	shift 2
	text=$(top -n 1 --interval 0.01 "$@")
	is "$name: exit status" 1 $?
	matches "$name" "gvt-stat: $pattern" "$text"
}

# set ID NAME VALUE: in one step, as a counter in the kernel moves
set_counter()
{
	echo "$3" >"$tmp/value"
	mv "$tmp/value" "$(vgpu_file "$1" "$2")"
}

# seen COMMAND...: wait until it succeeds, a minute at most
seen()
{
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	echo "# never seen: $*" >&2
	return 1
}

# between STEP...: a sample before and one after these steps, in this $form. The frequency
# is read after all counters.
form=--json
between()
{
	# shellcheck disable=SC2086 # several words
	hold_at "$frequency" "$tmp/out.json" "$GVT_STAT" top --sysroot "$root" $form -n 1 --interval 1
	"$@"
	let_go
}

host
vgpu 1
vgpu 2
process 4711 qemu-system-x86 qemu-system-x86_64 -name guest=win10 \
	-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
mkdir -p "$pci/drm/card1" "$pci/drm/renderD128"
frequency=$pci/drm/card1/gt_act_freq_mhz
echo 450 >"$frequency"
echo 1150 >"$pci/drm/card1/gt_max_freq_mhz"
set_counter 1 exec_ns 5000000000
set_counter 1 engine/rcs0/exec_ns 3000000000
set_counter 1 engine/rcs0/workloads 1000
set_counter 1 engine/rcs0/wait_ns 77

# shellcheck disable=SC2317 # called by between
steps()
{
	set_counter 1 exec_ns 5500000000
	set_counter 1 left_ns -3000000
	set_counter 1 queued 2
	set_counter 1 engine/rcs0/exec_ns 3400000000
	set_counter 1 engine/rcs0/workloads 1020
	set_counter 1 engine/rcs0/wait_ns 40000077
	set_counter 1 engine/rcs0/failed 3
	set_counter 1 engine/vcs0/exec_ns 200000000
	set_counter 1 engine/vcs0/workloads 5
	set_counter 1 engine/vcs0/cancelled 1
}

between steps
# what follows from the counters by hand, scaled by the interval that was measured
# shellcheck disable=SC2016 # jq's variables
query='.vgpus[0] as $v | ($v.interval_ns / 1e9) as $s | def r(f): f * $s | round;'
is "the interval is the one asked for" true \
	"$(jq '.vgpus[0].interval_ns | . > 0.99e9 and . < 10e9' "$tmp/out.json")"
is "execution of a vGPU" "[50]" "$(values "$query [r(\$v.exec_percent)]" "$tmp/out.json")"
is "gauges of a vGPU" "[-3000000,2,2]" "$(values '.vgpus[0] | [.left_ns, .queued, .weight]' "$tmp/out.json")"
is "workloads of all engines, and their mean wait" "[25,1600000,3,1]" \
	"$(values "$query [r(\$v.workloads_per_second), \$v.wait_mean_ns, \$v.failed, \$v.cancelled]" "$tmp/out.json")"
is "engines" '[["rcs0",40,20,2000000,3,0],["vcs0",20,5,0,0,1]]' "$(values "$query [\$v.engines[] |
	[.engine, r(.exec_percent), r(.workloads_per_second), .wait_mean_ns, .failed, .cancelled]]" "$tmp/out.json")"
is "an idle vGPU did nothing, and has no mean wait" '[0,0,null,0]' \
	"$(values '.vgpus[1] | [.exec_percent, .workloads_per_second, .wait_mean_ns, .failed]' "$tmp/out.json")"
is "GPUs: engines of all vGPUs, and their frequency" \
	'[["0000:00:02.0",450,1150,[["rcs0",40,20],["vcs0",20,5]]]]' \
	"$(values "$query [.gpus[] | [.pci, .frequency_mhz, .frequency_max_mhz,
		[.engines[] | [.engine, r(.exec_percent), r(.workloads_per_second)]]]]" "$tmp/out.json")"
is "names of VMs" '["win10",null]' "$(values '[.vgpus[].vm]' "$tmp/out.json")"
is "schema and command" '["gvt-stat/1","top","number"]' \
	"$(values '[.schema, .command, (.time_ns | type)]' "$tmp/out.json")"

is "a host whose own work is not counted is unknown" '[null,null]' \
	"$(values '[.gpus[0].engines[].host_percent]' "$tmp/out.json")"
# its own work, as the driver counts it beside the settings
mkdir "$pci/gvt_host"
for engine in rcs0 bcs0; do
	echo 700000000 >"$pci/gvt_host/${engine}_exec_ns"
	echo 5 >"$pci/gvt_host/${engine}_wait_ns"
done
# shellcheck disable=SC2317 # called by between
host_steps()
{
	echo 950000000 >"$pci/gvt_host/rcs0_exec_ns"
}
between host_steps
is "the host is a row" '[0,"host",null,[["bcs0",0,null],["rcs0",25,null]]]' "$(values "$query [\$v.vgpu_id, \$v.vm, \$v.weight,
	[\$v.engines[] | [.engine, r(.exec_percent), .workloads_per_second]]]" "$tmp/out.json")"
is "and stands beside what vGPUs execute" '[["bcs0",0],["rcs0",25],["vcs0",null]]' \
	"$(values "$query [.gpus[0].engines[] | [.engine, (.host_percent | if . then r(.) else . end)]]" "$tmp/out.json")"
"$GVT_STAT" top --sysroot "$root" -n 1 --interval 0.1 --plain >"$tmp/out"
matches "the host is not counted as a vGPU" "*vGPUs: 2 *rcs0*host   0.0 %*" "$(cat "$tmp/out")"
rm -r "$pci/gvt_host"

between vgpu 3
is "a vGPU that appears has no rates yet" '[3,null,null,0]' \
	"$(values '.vgpus[2] | [.vgpu_id, .exec_percent, .interval_ns, .queued]' "$tmp/out.json")"
between rm -r "$mdev/$(uuid 3)" "$pci/$(uuid 3)"
is "one that vanishes is gone" '[1,2]' "$(values '[.vgpus[].vgpu_id]' "$tmp/out.json")"
between set_counter 1 exec_ns 1
is "a counter that went back is of a new vGPU: unknown" '[null,2]' \
	"$(values '.vgpus[0] | [.exec_percent, .queued]' "$tmp/out.json")"
between set_counter 1 vgpu_id 7
is "and so is one with another number" '[7,null,null]' "$(values \
	'.vgpus[] | select(.vgpu_id == 7) | [.vgpu_id, .exec_percent, .engines[0].exec_percent]' "$tmp/out.json")"
set_counter 1 vgpu_id 1
between set_counter 1 exec_ns nonsense
is "a counter that is no number is unknown" 'null' "$(values '.vgpus[0].exec_percent' "$tmp/out.json")"
between rm "$(vgpu_file 2 engine/vcs0/failed)"
is "a counter that is missing is unknown, the others are not" '[null,0,null]' \
	"$(values '.vgpus[1] | [.failed, .exec_percent, .engines[1].failed]' "$tmp/out.json")"
set_counter 1 exec_ns 1

echo 0 >"$pci/drm/card1/gt_max_freq_mhz"
echo 0 >"$frequency"
is "0 of 0 MHz is unknown" '[[null,null]]' "$(top -n 1 --interval 0.01 --json |
	values '[.gpus[] | [.frequency_mhz, .frequency_max_mhz]]')"
is "in the table, too" 0 "$(top -n 1 --interval 0.01 | grep -c MHz)"
echo 1150 >"$pci/drm/card1/gt_max_freq_mhz"
is "0 of what may be is a GPU that sleeps" '[[0,1150]]' "$(top -n 1 --interval 0.01 --json |
	values '[.gpus[] | [.frequency_mhz, .frequency_max_mhz]]')"

is "-n counts the samples, one object per line" 3 \
	"$(top -n 3 --interval 0.01 --json | jq -c .command | wc -l)"
set_counter 2 exec_ns 0
form="--csv --columns vgpu_id,engine"
between set_counter 2 exec_ns 900000
is "vGPUs come by number" "1 2" "$(awk -F, '$2 == "all" { print $1 }' "$tmp/out.json" | xargs)"
form="$form -s exec_percent"
between set_counter 2 exec_ns 1800000
is "-s: or the largest first" "2 1" "$(awk -F, '$2 == "all" { print $1 }' "$tmp/out.json" | xargs)"
is "--vgpu" '[2]' "$(top -n 1 --interval 0.01 --json --vgpu 2 | values '[.vgpus[].vgpu_id]')"
is "plain output: a line per vGPU and engine" 6 \
	"$(top -n 1 --interval 0.01 | grep -c ' all \| rcs0 \| vcs0 ')"
matches "plain output: columns" "*VGPU VM *ENGINE UTIL% *DONE/s WAIT-ms *1 win10 all * 0.00 *" \
	"$(top -n 1 --interval 0.01)"
is "a kernel that does not count what guests do wrong" '[null,null]' \
	"$(top -n 1 --interval 0.01 --json | values '.vgpus[0] | [.errors, .failsafe]')"
printf '%s\n' "bad_entries 3" "reused_roots 1" "engine_resets 9" "hangs 2" "new_line x" "failsafe no" \
	>"$(vgpu_file 1 health)"
printf '%s\n' "bad_entries 0" "failsafe guest_error" >"$(vgpu_file 2 health)"
is "what guests have done wrong since, without resets, and failsafe mode" '[[6,"no"],[0,"guest_error"]]' \
	"$(top -n 1 --interval 0.01 --json | values '[.vgpus[] | [.errors, .failsafe]]')"
matches "the table has columns for that" "*WEIGHT ERRORS FAILSAFE*1 win10 all *2 *6 no*guest_error*" \
	"$(top -n 1 --interval 0.01)"
printf '%s\n' "bad_entries 0" "failsafe no" | tee "$(vgpu_file 1 health)" >"$(vgpu_file 2 health)"
is "but not while all are well" 0 "$(top -n 1 --interval 0.01 | grep -c 'ERRORS\|FAILSAFE')"
# as who may not read it: to root, every file that is there is readable
rm "$(vgpu_file 2 exec_ns)" "$(vgpu_file 2 left_ns)"
echo 37 >"$(vgpu_file 2 exec_percent)"
is "who may only know that sees per cent" '[37,null]' \
	"$("$GVT_STAT" top --sysroot "$root" -n 1 --interval 0.01 --json --vgpu 2 2>"$tmp/coarse" |
		values '.vgpus[0] | [.exec_percent, .left_ns]')"
matches "and is told why" "*the counters of vGPUs are for root and the group gvt-stat;*" "$(cat "$tmp/coarse")"
is "who sees counters does not need it" 0 "$(echo 5 >"$(vgpu_file 1 exec_percent)"
	"$GVT_STAT" top --sysroot "$root" -n 1 --interval 0.01 --json --vgpu 1 2>/dev/null | values '.vgpus[0].exec_percent')"
rm "$(vgpu_file 1 exec_percent)" "$(vgpu_file 2 exec_percent)"
echo 0 | tee "$(vgpu_file 2 exec_ns)" >"$(vgpu_file 2 left_ns)"
# not by the function: the process to end would be a shell
"$GVT_STAT" top --sysroot "$root" --interval 0.05 --json >"$tmp/live" &
pid=$!
# shellcheck disable=SC2317 # called by seen
has_lines()
{
	[ "$(wc -l <"$tmp/live")" -gt 2 ]
}
seen has_lines
kill $pid
wait $pid 2>/dev/null
is "a signal ends it" 143 $?
has_lines
result $? "live output is not held back"

# eight_vgpus: each with a VM
eight_vgpus()
{
	for id in 1 2 3 4 5 6 7 8; do
		[ -e "$(vgpu_file $id exec_ns)" ] || vgpu $id
		process 500$id qemu-system-x86 qemu-system-x86_64 -name guest=vm$id \
			-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid $id)"
	done
	rm -r "$root/proc/4711"
}

# is_seen PATTERN: 1 if some line on the screen was like that; moves of the cursor end lines
is_seen()
{
	tr -d '\017' <"$tmp/screen" | tr '\r' '\n' | sed 's/\x1b\[[0-9;]*[HdBD]/\n/g' | sed 's/\x1b[^a-zA-Z]*[a-zA-Z]//g' | grep -c -m 1 -- "$1"
}

# on_screen PATTERN: the same, as a command that succeeds
on_screen()
{
	[ -e "$tmp/screen" ] && [ "$(is_seen "$1")" = 1 ]
}

# on_terminal COLUMNS INTERVAL: what comes on stdin is typed; the terminal is a $term
on_terminal()
{
	TERM=${term:-vt100} script -qefc "stty cols $1 rows 24; $GVT_STAT top --sysroot $root --interval $2" \
		"$tmp/screen" >"$tmp/typescript"
}

# last_screen: as it is now
last_screen()
{
	/usr/bin/python3 "$(dirname "$0")/screen" "$tmp/screen" 24 80
}

# scrolled: the last line, where the table's second row is, and which
scrolled()
{
	last_screen | awk '/sorted by/ { last = NR } /^VGPU VM/ { getline; row = NR; text = $2 " " $3 } END { print last, row - 2, text }'
}

# shows PATTERN: as a command that succeeds
shows()
{
	[ -e "$tmp/screen" ] && last_screen 2>/dev/null | grep -q -- "$1"
}

# rows: the titles of the table on the last screen, and its rows
rows()
{
	last_screen | sed -n '/^VGPU VM/,/^$/p' | grep .
}

# move_vgpu ID: it executes, until $tmp/move is gone
move_vgpu()
{
	while [ -e "$tmp/move" ]; do
		exec_ns=$((exec_ns + 10000000))
		set_counter "$1" exec_ns $exec_ns
		sleep 0.05
	done
}

# shellcheck disable=SC2317 # called by seen
is_scrolled()
{
	[ "$(scrolled)" = "24 4 vm2 all" ]
}

if command -v script >/dev/null; then
	# keys on a terminal: by wait, no engines, a filter, then quit
	keys()
	{
		seen on_screen "sorted by UTIL%"
		printf 'wt/win'
		seen on_screen "VM name: "
		printf '\n'
		seen on_screen "sorted by WAIT"
		printf 'q'
	}
	rm -f "$tmp/screen"
	keys | on_terminal 150 0.2
	is "q ends it well" 0 $?
	matches "the terminal shows what rows are sorted by" "*sorted by UTIL%*" "$(cat "$tmp/screen")"
	matches "w sorts by wait" "*WAIT-ms  < >: sort*" "$(cat "$tmp/screen")"
	matches "/ filters by VM" "*VM name: _*w_*i_*n_*sorted by WAIT*" "$(cat "$tmp/screen")"
	# dumb: neither colours nor moves of the cursor
	TERM=dumb script -qec "$GVT_STAT top --sysroot $root -n 1 --interval 0.05" "$tmp/screen" </dev/null >/dev/null
	is "a dumb terminal gets plain lines" "0 1" "$(grep -c "$(printf '\033')" "$tmp/screen") $(grep -c '^VGPU VM' "$tmp/screen")"
	eight_vgpus
	rm "$tmp/screen"
	{ seen on_screen "sorted by"; printf 'q'; } | on_terminal 80 5
	is "24 lines hold 8 vGPUs, without their engines" "1 8 0" "$(is_seen '^vcs0') $(for id in 1 2 3 4 5 6 7 8; do
		is_seen "^ *$id vm$id all"; done | grep -c 1) $(is_seen 'vm1 rcs0')"
	# with engines there are 24 rows for 18 lines: scrolled down by 6 and not by 9, the last
	# one is at the bottom, and 3 up again the first ones are not on top
	keys()
	{
		seen on_screen "sorted by"
		printf 't'
		seen on_screen "vm1 rcs0"
		printf 'jjjjjjjjj'
		seen on_screen "vm8 vcs0"
		printf 'kkk'
		seen is_scrolled
		printf 'q'
	}
	rm "$tmp/screen"
	keys | on_terminal 80 5
	is "with engines, one scrolls" "24 4 vm2 all" "$(scrolled)"
	keys()
	{
		seen shows "sorted by UTIL%"
		printf 's'
		seen shows "sorted by WAIT-ms"
		printf '<<'
		seen shows "sorted by VGPU"
		printf '<'
		seen shows "sorted by DONE/s"
		printf 'h'
		seen shows "any key: back"
		printf 'q'
		seen shows "vm8 all"
		printf 'q'
	}
	rm "$tmp/screen"
	keys | on_terminal 80 5
	is "s, < and > choose the column, h shows the keys, and any key ends that" "0 1 1" \
		"$? $(is_seen 'q  *quit') $(is_seen 'v  e  w  d')"
	touch "$tmp/move"
	exec_ns=0
	move_vgpu 4 &
	rm "$tmp/screen"
	# shellcheck disable=SC2317 # called by seen
	is_first()
	{
		[ -e "$tmp/screen" ] && rows 2>/dev/null | sed -n 2p | grep -q '^ *4 vm4 all'
	}
	{ seen is_first; printf 'q'; } | on_terminal 80 0.2
	is_first
	result $? "who uses most is first"
	rm "$tmp/move"
	# seven VMs with long names and large numbers, one of them ill, and the host
	rm "$mdev/$(uuid 8)"
	mkdir -p "$pci/gvt_host"
	echo 0 >"$pci/gvt_host/rcs0_exec_ns"
	for id in 1 2 3 4 5 6 7; do
		process 500$id qemu-system-x86 qemu-system-x86_64 -name guest=production-web-frontend-$id \
			-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid $id)"
		set_counter $id queued 12345
		set_counter $id left_ns -987654321
		printf '%s\n' "bad_entries 0" "failsafe no" >"$(vgpu_file $id health)"
	done
	printf '%s\n' "bad_entries 1" "failsafe guest_error" >"$(vgpu_file 5 health)"
	printf '%s\n' "hangs 7" "failsafe no" >"$(vgpu_file 6 health)"
	rm "$tmp/screen"
	{ seen shows "7 production.* 12345"; printf 'q'; } | on_terminal 80 1
	rows >"$tmp/rows"
	is "a host and seven VMs are on the screen" "9 7" "$(grep -c . "$tmp/rows") $(grep -c 'production-web-frontend-[1-7] all' "$tmp/rows")"
	is "no column is cut, and none has no title" "VGPU VM ENGINE UTIL% DONE/s WAIT-ms WAIT% FAILED QUEUED 9" \
		"$(head -n 1 "$tmp/rows" | xargs) $(awk '{ print NF }' "$tmp/rows" | sort -u | xargs)"
	matches "who is ill is named above, with what to do" \
		"*Failsafe: production-web-frontend-5 (guest_error): restart the VM; *Errors: production-web-frontend-6 (7): dmesg *VGPU VM*" \
		"$(last_screen)"
	for no_color in "" 1; do
		rm "$tmp/screen"
		{ seen on_screen "sorted by"; printf 'q'; } | term=xterm NO_COLOR=$no_color on_terminal 80 1
		is "red where colours are wanted, NO_COLOR=$no_color" "$([ "$no_color" ] && echo 0 || echo 1)" \
			"$(grep -c -m 1 "$(printf '\033\[[0-9;]*31m')" "$tmp/screen")"
	done
	rm -r "$pci/gvt_host" "$root/proc/5001"
	for id in 1 2; do
		rm "$(vgpu_file $id health)"
	done
	for id in 3 4 5 6 7; do
		rm "$mdev/$(uuid $id)"
		rm -r "$root/proc/500$id"
	done
else
	skip "keys on a terminal" "script(1) is missing"
fi

# the energy counter: what the GPU draws is known at once, whose it is, is not
zone=$root/sys/class/powercap/intel-rapl:0:1
mkdir -p "$zone"
echo uncore >"$zone/name"
echo 262143328850 >"$zone/max_energy_range_uj"
echo 262140000000 >"$zone/energy_uj"
# shellcheck disable=SC2317 # called by between
energy_steps()
{
	echo 2000000 >"$zone/energy_uj"
}
form=--json between energy_steps
is "watts of the GPU, over the counter's end" true "$(jq '.watts * .vgpus[0].interval_ns / 1e9 | . > 4.7 and . < 6' "$tmp/out.json")"
is "watts of VMs are unknown" '[null,null]' "$(values '[.vgpus[].watts]' "$tmp/out.json")"
form=--plain
echo 0 >"$zone/energy_uj"
between energy_steps
matches "a table has both" "*interval: 1.00 s  GPU: *.* W*VGPU VM *UTIL%*WATTS*DONE/s*" "$(cat "$tmp/out.json")"
rm -r "$root/sys/class/powercap"
between energy_steps 2>/dev/null
case $(cat "$tmp/out.json") in
*WATTS* | *" W
"*) false ;;
esac
result $? "without a counter, there is nothing of it"
form=--json

is "wrong usage" "129 129 129 129" "$(for arg in "-n 0" "--interval 0" "-s vm" "more"; do
	# shellcheck disable=SC2086 # two words
	top $arg >/dev/null
	echo $?
done | xargs)"
fails "unknown vGPU" "--vgpu 9: no such vGPU on this host; there are 1 *" --vgpu 9
for id in 1 2; do
	rm -r "$(vgpu_file $id exec_ns)" "$(vgpu_file $id engine/rcs0)" "$(vgpu_file $id engine/vcs0)"
done
fails "kernel without counters" "the vGPUs have no counters: *$root/sys/bus/mdev*"
rm -r "$pci" "$root/sys/module/kvmgt"
fails "no kvmgt" "kvmgt is not loaded*$root/sys/module/kvmgt*"
rm -r "$root/sys"
fails "no sysfs below --sysroot" "--sysroot $root: it has no directory sys*"

finish
