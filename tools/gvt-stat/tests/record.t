#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat record: what is recorded, and that tracing is as it was afterwards,
# however the recording ends. Records sched events of this machine, as any has
# them; without root or tracefs only the errors are tested.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

tracing=/sys/kernel/tracing
out=$tmp/out.dat

# fails NAME PATTERN [ARGUMENT...]: status 1, one line, no file
fails()
{
	name=$1 pattern=$2
	shift 2
	rm -f "$out"
	text=$("$GVT_STAT" record -o "$out" "$@" 2>&1)
	is "$name: exit status" 1 $?
	matches "$name" "gvt-stat: $pattern" "$text"
	is "$name: one line" 1 "$(echo "$text" | wc -l)"
	is "$name: no output" "" "$(find "$tmp" -name "out.dat*")"
}

# a directory that looks like tracefs as far as the events
fake=$root/sys/kernel/tracing
host
fails "no tracefs" "$fake: No such file or directory: is tracefs mounted there?" --sysroot "$root"
mkdir -p "$fake/events/sched/sched_switch" "$fake/instances"
touch "$fake/events/sched/sched_switch/format"
fails "no kvmgt" "there are no gvt events*'modprobe kvmgt'" --sysroot "$root"
for event in queue submit start stop; do
	mkdir -p "$fake/events/gvt/gvt_workload_$event"
	touch "$fake/events/gvt/gvt_workload_$event/format"
done
fails "event missing" "the loaded kvmgt has no event gvt:gvt_workload_complete: *" \
	--sysroot "$root" gpu
mkdir -p "$fake/events/gvt/gvt_workload_complete"
touch "$fake/events/gvt/gvt_workload_complete/format"
is "preset gvt has shadow page tables, simulate has not" "1 0" "$(for preset in gvt simulate; do
	"$GVT_STAT" record --sysroot "$root" $preset -o "$tmp/out.dat" 2>&1 | grep -c 'lacks events.*gvt:spt_alloc'; done | xargs)"
rm -r "$fake/events/gvt/gvt_workload_complete"
fails "energy is no preset" "'energy' is no preset, but an option: --energy" --sysroot "$root" energy
fails "unknown preset" "'all' is no preset: give gvt, gpu, simulate, full or none" --sysroot "$root" all
fails "unknown system" "-e nosuch: this kernel has no events of that system*" \
	--sysroot "$root" none -e nosuch
fails "path for a system" "-e ../gvt: this kernel has no events of that system*" \
	--sysroot "$root" none -e ../gvt
fails "unknown event" "-e sched:nosuch: this kernel has no such event*" \
	--sysroot "$root" none -e sched:nosuch
fails "nothing to record" "nothing to record: *" --sysroot "$root" none
fails "clock that counts" "-C counter: *" --sysroot "$root" none -e sched -C counter
fails "no real tracefs" "*cannot write*" --sysroot "$root" none -e sched
is "an instance that was made is removed" "" "$(ls "$fake/instances")"
is "usage: time" 129 "$("$GVT_STAT" record -d 0 2>/dev/null; echo $?)"
is "usage: command without --" 129 "$("$GVT_STAT" record gvt sleep 1 2>/dev/null; echo $?)"

if ! [ -w $tracing/instances ] || ! [ -e $tracing/events/sched/sched_switch ]; then
	skip "recording" "tracefs with sched events, and root, are needed"
	finish
fi

# everything in tracefs that a recorder might change
state()
{
	for file in tracing_on set_event trace_clock current_tracer buffer_size_kb tracing_cpumask \
		events/enable options/overwrite options/record-cmd; do
		echo "$file: $(cat $tracing/$file)"
	done
	# other recorders may run at the same time: theirs are in use
	for instance in "$tracing"/instances/gvt-stat.*; do
		[ ! -e "$instance" ] || kill -0 "${instance##*.}" 2>/dev/null || echo "$instance"
	done
	cat /proc/sys/kernel/ftrace_enabled 2>/dev/null
}

# record [ARGUMENT...]
record()
{
	"$GVT_STAT" record -o "$out" none -e sched:sched_switch "$@"
}

# background [ARGUMENT...]: record behind our back; $pid is the recorder's
background()
{
	# not as a function: the process would be a shell
	"$GVT_STAT" record -o "$out" none -e sched:sched_switch "$@" 2>"$tmp/err" &
	pid=$!
	started $pid
}

# gone PID: wait for 5 s at most until its instance is gone
gone()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		[ -e "$tracing/instances/gvt-stat.$1" ] || return 0
		sleep 0.2
	done
	return 1
}

# started PID: wait until it records
started()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		[ "$(cat "$tracing/instances/gvt-stat.$1/tracing_on" 2>/dev/null)" = 1 ] && return 0
		sleep 0.2
	done
	return 1
}

# unchanged NAME
unchanged()
{
	is "$1: tracing is as before" "$before" "$(state)"
}

report()
{
	trace-cmd report -i "$out" 2>/dev/null
}

before=$(state)
text=$(record -- sleep 0.2 2>&1)
is "recording succeeds" 0 $?
told=$(echo "$text" | sed -n 's/.*: \([0-9]*\) events in .*/\1/p')
is "every event is in the file" "$told" "$(report | grep -c ': ')"
is "the command's events are in it" 1 "$(report | grep -c ' sched_switch: *sleep:.* [SI] ==>' | sed 's/^[1-9].*/1/')"
is "only chosen events are" 0 "$(report | grep ': ' | grep -cv ' sched_switch: \| print: \|^cpus')"
matches "gvt-stat can read the file" "*has no gvt events*" "$("$GVT_STAT" report -v -i "$out" 2>&1)"
is "the clock is known" "[mono]" "$(strings -n 6 "$out" | grep -x '\[mono\]' | head -n 1)"
is "what the kernel counted of each CPU is in the file" "$told" \
	"$(strings -n 6 "$out" | awk '/^read events: / { sum += $3 } END { print sum }')"
unchanged "after success"

record -C boot -- true 2>/dev/null
is "another clock" "[boot]" "$(strings -n 6 "$out" | grep -x '\[boot\]' | head -n 1)"
if grep -q x86-tsc $tracing/trace_clock; then
	record -C x86-tsc -- sleep 0.3 2>/dev/null
	# cycles between the first and the last event, over the rate that was noted
	is "the rate of x86-tsc is noted" yes "$(trace-cmd report -t -i "$out" 2>/dev/null | awk '
		/ tsc_khz / { khz = $NF }
		match($0, /[0-9]+: [a-z_]+: /) { ts = substr($0, RSTART) + 0; if (!first) first = ts }
		END { ms = khz ? (ts - first) / khz : 0; print (ms > 290 && ms < 5000 ? "yes" : khz " kHz, " ms " ms") }')"
	matches "and the trace can be read without telling it" "*critical path unavailable*" \
		"$("$GVT_STAT" why path --thread 1 -i "$out" 2>&1)"
else
	skip "the rate of x86-tsc is noted" "this machine has no such trace clock"
fi
fails "unknown clock" "-C nosuch: this kernel has no such trace clock; it has: *local*" \
	none -e sched:sched_switch -C nosuch
fails "no such command" "cannot run '/nosuch': No such file or directory" \
	none -e sched:sched_switch -- /nosuch
unchanged "after errors"
record -d 0.3 2>/dev/null
is "a duration ends it" 0 $?
record -- sh -c 'exit 3' 2>/dev/null
is "the command's status is ours" 3 $?
# shellcheck disable=SC2016 # for the inner shell
record -- sh -c 'kill -SEGV $$' 2>/dev/null
is "a crash of the command is told in the status" 139 $?
is "and its trace is kept" 1 "$(report | grep -c 'print:.*meta command sh -c kill')"
unchanged "after a crash of the command"

# the rest of --open is in unit.c, as there are no vGPUs here
text=$(record --open html -- true 2>&1)
is "--open html: a trace without vGPUs has no page" 1 $?
matches "--open html: and that is told" "*out.dat: has no gvt events*" "$text"
is "--open: another format" 129 "$("$GVT_STAT" record --open pdf 2>/dev/null; echo $?)"

for signal in INT TERM HUP; do
	rm -f "$out"
	background
	kill -$signal $pid
	wait $pid
	is "SIG$signal ends it well" 0 $?
	is "SIG$signal: the trace is there" 1 "$(report | grep -c 'meta preset')"
	unchanged "after SIG$signal"
done

rm -f "$out"
background -- sleep 3
kill -KILL $pid
wait $pid 2>/dev/null
gone $pid
is "SIGKILL: the instance is removed all the same" 0 $?
unchanged "after SIGKILL"
is "SIGKILL: no files are left" "" "$(find "$tmp" -name "out.dat*")"

# with the counter of a host of files
mkdir -p "$tmp/counted/sys/kernel" "$tmp/counted/sys/class/powercap/intel-rapl:0:1"
ln -s $tracing "$tmp/counted/sys/kernel/tracing"
(cd "$tmp/counted/sys/class/powercap/intel-rapl:0:1" && echo uncore >name && echo 262143328850 >max_energy_range_uj && echo 5 >energy_uj)
text=$(record --sysroot "$tmp/counted" --energy=50 -- sleep 0.5 2>&1)
is "--energy: exit status" 0 $?
matches "--energy: what it took is told" "*energy: * samples of powercap, 0 of them at an update of the counter; sampling took * % of a CPU*" "$text"
matches "--energy: what is missing of i915 is told" "*these counters of i915 are not in the trace: rc6-residency, software-gt-awake-time, actual-frequency: *has no such event *" "$text"
is "--energy: samples are in the trace" "yes" "$(report |
	grep -c 'gvt_energy: source=powercap unit_nj=1000 range=262143328851 counter=5 age_ns=[0-9]* edge_ns=0$' |
	awk '{ print ($1 > 3 ? "yes" : $1) }')"
unchanged "after --energy"

# two at a time do not disturb each other
background -d 1
"$GVT_STAT" record -o "$tmp/second.dat" none -e sched:sched_wakeup -d 0.2 2>/dev/null
is "a second recording beside it" 0 $?
wait $pid
is "the first one is whole" "0 1" "$(report | grep -c sched_wakeup:) $(report | grep -c 'meta preset')"
unchanged "after two"

mkdir "$tracing/instances/gvt-stat.999999999" 2>/dev/null
record -d 0.1 2>/dev/null
unchanged "what a dead one left behind is removed"

background -b 8
kill -STOP $pid
for _ in $(seq 300); do /bin/true; done
kill -CONT $pid
kill -INT $pid
wait $pid
matches "lost events are told" "*warning: [1-9]* events were lost: larger buffers may help, -b 16 or more" \
	"$(cat "$tmp/err")"
is "lost events are marked in the trace" 1 \
	"$(report | grep -c 'EVENTS DROPPED' | sed 's/^[1-9].*/1/')"

# a disk of 256 KiB, in a name space of its own
rm -f "$out"
mkdir "$tmp/disk"
# shellcheck disable=SC2016 # for the inner shell
if unshare -m true 2>/dev/null; then
	text=$(unshare -m sh -c 'mount -t tmpfs -o size=256k none "$2/disk" && shift &&
		"$0" record -o "$1/disk/out.dat" none -e sched -- sh -c "
			i=0; while [ \$i -lt 3000 ]; do /bin/true; i=\$((i + 1)); done"; echo $? $(ls $1/disk)' \
		"$GVT_STAT" x "$tmp" 2>&1)
	matches "a full disk is told" \
		"gvt-stat: */disk/out.dat: cannot write: No space left on device; *tracing is as it was*" "$text"
	is "a full disk: status, and nothing left" 1 "$(echo "$text" | tail -n 1)"
	unchanged "after a full disk"
else
	skip "a full disk" "unshare -m is not allowed here"
fi

# what it tells of the host
rm -rf "$fake"
ln -s $tracing "$fake"
vgpu 1
process 4711 qemu-system-x86 qemu-system-x86_64 -name "guest=my vm" \
	-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
record --sysroot "$root" -- true 2>/dev/null
is "settings are in the trace" 1 "$(report | grep -c 'meta setting 0000:00:02.0 policy strict$')"
is "vGPUs and VMs are in the trace" 1 "$(report | grep -c \
	"meta vgpu $(uuid 1) id=1 gpu=0000:00:02.0 type=GVTg_V5_8 weight=2 nice=0 cap=0 preempt=[01] arbitration=[01] pid=4711 vm=my vm\$")"
is "the kernel's run is in the trace, then the wall clock" "boot $(cat /proc/sys/kernel/random/boot_id) unix_ns" \
	"$(report | sed -n -E 's/.*meta (boot .*|unix_ns) ?[0-9]*$/\1/p' | xargs)"
is "the kernel is in the trace" 1 "$(report | grep -c "meta kernel Linux .*$(uname -r)")"
unchanged "after all"

finish
