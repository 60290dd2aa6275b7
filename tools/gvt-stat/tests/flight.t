#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat record --keep: what starts a file, what is in it, and what users of the recorder cannot
# make it do. Records sched events of this machine; without root or tracefs only the errors are tested.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

here=$(dirname "$0")
tracing=/sys/kernel/tracing

# wrong NAME PATTERN OPTION...: wrong usage
wrong()
{
	name=$1 pattern=$2
	shift 2
	text=$("$GVT_STAT" record "$@" 2>&1)
	is "$name: exit status" 129 $?
	matches "$name" "*$pattern*" "$text"
}

wrong "--on without --keep" "--on is for flight recordings: give --keep, such as --keep 30s" --on reset
wrong "--max-files without --keep" "--max-files is for flight recordings*" --max-files 3
wrong "a command" "--keep records until a signal comes or -d is over: start the command beside it" --keep 3s -- true
wrong "energy" "energy is not sampled in flight recordings" --keep 3s --energy
wrong "a page" "--keep and --open: *" --keep 3s --open html
wrong "less than two seconds" "--keep 1s: give a time from 2 to 86400 s*" --keep 1s
wrong "no such condition" "--on p98:1>1s: there is no such condition; give p99:VM>50ms, idle-waiting>20% or reset" \
	--keep 3s --on "p98:1>1s"
wrong "no limit" "--on p99:1: the limit is missing; give p99\[:VM\]>50ms" --keep 3s --on p99:1
wrong "no memory" "--keep-mb 0: give a whole number from 1 to *" --keep 3s --keep-mb 0

# what a recorder knows of the host is at the end of its file
mktrace end <<'MARKS'
0ms  0 gvt_sched_info vgpus=2 policy=fair
0ms  0 gvt_vgpu_info v=1 weight=1 uuid=aa-1 owner_pid=4711
2ms  0 switch   prev=0 next=1
2ms  0 queue    v=1 w=2
3ms  0 submit   v=1 w=2
4ms  0 start    v=1 w=2 lrca=0x1000
8ms  0 stop     v=1 w=2 lrca=0x1000 done=1
9ms  0 complete v=1 w=2
9ms  0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~gpu=0000:00:02.0~preempt=0~pid=4711~vm=a~name
MARKS
is "a VM is known by the name at the end" '1 a name' "$("$GVT_STAT" report -i "$tmp/end.dat" --vgpu "a name" | sed -n 's/^\(1 a name\) .*/\1/p')"
is "and the settings that no event tells" "a name 0" \
	"$("$GVT_STAT" report --json -i "$tmp/end.dat" | jq -r '.vgpus[] | "\(.vm) \(.preempt)"')"

if ! [ -w $tracing/instances ] || ! [ -e $tracing/events/sched/sched_switch ]; then
	skip "flight recordings" "tracefs with sched events, and root, are needed"
	finish
fi

# a host whose counters are files, with the tracefs of this machine
new_host()
{
	host
	mkdir -p "$root/sys/kernel"
	ln -s $tracing "$root/sys/kernel/tracing"
	for id in 1 2; do
		vgpu $id
		echo "hangs 0" >"$(vgpu_file $id health)"
	done
}

# CPUs of an idle machine may switch less than once a second
for cpu in $(seq 0 $(($(nproc --all) - 1))); do
	taskset -c "$cpu" sh -c 'while :; do sleep 0.02; done' &
	switching+=" $!"
done
trap 'kill $switching; rm -rf "$tmp"' EXIT

# begin NAME OPTION...: a recorder; $pid is its process, $out its directory
begin()
{
	out=$tmp/$1
	shift
	mkdir -p "$out"
	"$GVT_STAT" record --sysroot "$root" --keep 2s --after 100ms -o "$out/t.dat" none -e sched:sched_switch "$@" \
		2>"$out/err" &
	pid=$!
	until grep -qs "^gvt-stat: keeping" "$out/err"; do
		kill -0 $pid || bail "the recorder has ended: $(cat "$out/err")"
		sleep 0.1
	done
}

# files: how many traces there are
files()
{
	find "$out" -name "t*" | wc -l
}

# await NUMBER: until as many files are there, at most 20 s
await()
{
	for _ in {1..200}; do
		[ "$(files)" -ge "$1" ] && [ -z "$(find "$out" -name "t*.dat.*")" ] && return
		sleep 0.1
	done
}

# end [SIGNAL]: of the recorder; $? is its exit status
end()
{
	kill -"${1:-INT}" $pid
	wait $pid
}

report()
{
	trace-cmd report -i "$1" 2>/dev/null
}

# times FILE PATTERN: of each line with it, in s
times()
{
	report "$1" | grep -E "$2" | sed -E 's/.* ([0-9]+\.[0-9]+): [a-z_]+: .*/\1/'
}

new_host
begin user
sleep 2.5
is "nothing is written before a trigger" 0 "$(files)"
kill -USR1 $pid
await 1
is "SIGUSR1 writes a file" 1 "$(files)"
sleep 1
is "a second one soon after it" 1 "$(kill -USR1 $pid; sleep 0.3; files)"
await 2
is "gets a file of its own, when as much time has passed as is kept" 2 "$(files)"
end
is "the end is a success" 0 $?
is "and writes no more" 2 "$(files)"
set -- "$out"/t-*-SIGUSR1.dat
is "names have time and cause" 2 $#
is "the cause is in the trace" 1 "$(report "$1" | grep -c 'gvt-stat-meta trigger SIGUSR1$')"
is "and the kernel's run, by which traces of a host are told apart" 1 \
	"$(report "$1" | grep -c "gvt-stat-meta boot $(cat /proc/sys/kernel/random/boot_id)$")"
is "what is known of the host is, too" 2 "$(report "$1" | grep -c 'gvt-stat-meta vgpu .* id=')"
at=$(times "$1" "meta trigger")
for cpu in $(report "$1" | sed -nE 's/^ *[^ ]+ +\[([0-9]+)\].*/\1/p' | sort -u); do
	first=$(times "$1" " \[$cpu\] " | head -n 1)
	check "CPU $cpu: what happened 2 s before is in the file (from $first, trigger at $at)" \
		awk -v first="$first" -v at="$at" 'BEGIN { exit !(at - first >= 2) }'
	check "CPU $cpu: the next file goes on where the first one ends" awk \
		-v last="$(times "$1" " \[$cpu\] " | tail -n 1)" -v first="$(times "$2" " \[$cpu\] " | head -n 1)" \
		'BEGIN { exit !(first >= last && first - last < 1) }'
done
check "what happened after it is, too" awk -v last="$(times "$1" : | sort -n | tail -n 1)" -v at="$at" \
	'BEGIN { exit !(last - at >= 0.1 && last - at < 2) }'
is "the kernel's counts are those of the file" "$(report "$1" | grep -c ' \(sched_switch\|print\): ')" \
	"$(strings -n 6 "$1" | awk '/^read events: / { sum += $3 } END { print sum }')"
is "the instance is removed" "" "$(ls -d $tracing/instances/gvt-stat.$pid 2>/dev/null)"

begin pending
kill -USR1 $pid
end TERM
is "a trigger right before the end" 0 $?
is "is not lost" 1 "$(files)"

begin storm
for _ in {1..3000}; do kill -USR1 $pid; done
await 1
end
is "a storm of signals" 0 $?
check "is few files ($(files))" [ "$(files)" -le 3 ]
# 3000 signals may take seconds
check "and few lines ($(wc -l <"$out/err"))" [ "$(wc -l <"$out/err")" -le 30 ]

begin oldest --max-files 1
for nr in 1 2 3; do
	kill -USR1 $pid
	until [ "$(grep -c "recording paused" "$out/err")" -ge $nr ]; do sleep 0.1; done
done
end
is "--max-files: later files replace earlier ones" 1 "$(files)"
is "and that is told" 2 "$(grep -c "was removed, as there are 1 later files" "$out/err")"

# conditions on the host's files
begin reset --on reset:2 --on reset
echo "hangs 3" >"$(vgpu_file 1 health)"
await 1
is "a reset" "$out/t-*-reset.dat" "$(echo "$out"/t-* | sed -E 's/t-[0-9]+-[0-9]+/t-*/')"
matches "names the vGPU" "*gvt-stat: reset: 3, vGPU 1*" "$(cat "$out/err")"
echo "hangs 1" >"$(vgpu_file 2 health)"
await 2
end
check "a condition on another vGPU" [ -e "$out"/t-*-reset-2.dat ]

begin idle --on 'idle-waiting>20%'
echo 2 >"$(vgpu_file 1 queued)"
await 1
end
matches "work that waits while no engine works" "*gvt-stat: idle-waiting>20%: * %*" "$(cat "$out/err")"
check "has its file" [ -e "$out"/t-*-idle-waiting-20.dat ]
echo 0 >"$(vgpu_file 1 queued)"

text=$("$GVT_STAT" record --sysroot "$root" --keep 2s --on 'p99:1>9ms' none -e sched:sched_switch 2>&1)
is "p99 without debugfs: exit status" 1 $?
matches "p99 without debugfs" "*gvt-stat: --on p99: $root/sys/kernel/debug/dri is not there, *mount -t debugfs*" "$text"
waits=$root/sys/kernel/debug/dri/0/gvt/vgpu1
mkdir -p "$waits"
echo "rcs0 wait from_us 16384 count 5" >"$waits/scheduler"
begin p99 --on 'p99:1>9ms'
echo "rcs0 wait from_us 16384 count 15" >"$waits/scheduler"
await 1
end
matches "long waits" "*gvt-stat: p99:1>9ms: fires from 16.384 ms*gvt-stat: p99:1>9ms: 16.384 ms or more, vGPU 1*" \
	"$(cat "$out/err")"

# a vGPU that goes away meanwhile
begin gone --on reset --on 'idle-waiting>20%' --on 'p99>1s'
rm -r "${mdev:?}/$(uuid 2)" "$(dirname "$(vgpu_file 2 health)")"
sleep 1.5
end
is "a vGPU goes away" "0 0" "$? $(files)"

# more events than memory is allowed for
begin memory --keep 60s --keep-mb 1 -e sched
for _ in {1..3000}; do /bin/true; done
kill -USR1 $pid
await 1
end
matches "too little memory is told, with a remedy" "*were kept, as 1 MB hold no more: give --keep-mb *" "$(cat "$out/err")"
check "the file is as small" [ "$(stat -c %s "$out"/t-*.dat)" -le 3000000 ]

# POST
if [ -x /usr/bin/python3 ] && command -v curl >/dev/null; then
	out=$tmp/post
	mkdir "$out"
	"$here/../../gvt-exporter/tests/activate" "$tmp/port" "$GVT_STAT" record --sysroot "$root" --keep 2s --after 100ms \
		--keep-mb 1 -b 64 -o "$out/t.dat" none -e sched:sched_switch 2>"$out/err" &
	pid=$!
	until [ -s "$tmp/port" ]; do sleep 0.1; done
	port=$(cat "$tmp/port")
	is "POST" "the recording will be kept" "$(curl -sS --max-time 60 -d '{"status":"firing"}' "http://127.0.0.1:$port/keep")"
	await 1
	check "has its file" [ -e "$out"/t-*-POST.dat ]
	before=$(awk '/^RssAnon/ { print $2 }' /proc/$pid/status)
	check "clients that mean harm" "$here/posts" "$port" $pid
	check "they cost no memory" [ $(($(awk '/^RssAnon/ { print $2 }' /proc/$pid/status) - before)) -le 16384 ]
	end
	is "and the recorder ends as ever" 0 $?
	begin listen --listen 127.0.0.1:0
	end
	is "--listen" 0 $?
	wrong "--listen nowhere" "--listen nowhere: give ADDRESS:PORT*" --sysroot "$root" --keep 2s --listen nowhere none \
		-e sched:sched_switch
else
	skip "POST" "python3 and curl are needed"
fi

# what would be found out only when it is too late
text=$("$GVT_STAT" record --sysroot "$root" --keep 2s -d 1s -o "$tmp/none/t.dat" none -e sched:sched_switch 2>&1)
is "a directory that is not there: exit status" 1 $?
is "a directory that is not there" "gvt-stat: $tmp/none/t.dat: cannot write there: No such file or directory" "$text"
new_host
begin typo --on "reset:dsktop" --on "reset:1" --on "reset:$(uuid 2)" -d 1s
wait $pid
is "a VM that is not there, or not yet" "gvt-stat: reset:dsktop: there is no such VM or vGPU now, it fires if it comes" \
	"$(grep "no such" "$out/err")"

# a disk of 64 KiB, in a name space of its own
if unshare -m true 2>/dev/null; then
	mkdir "$tmp/disk"
	# shellcheck disable=SC2016 # for the inner shell
	text=$(unshare -m sh -c 'mount -t tmpfs -o size=64k none "$2" && "$0" record --sysroot "$1" --keep 2s --after 100ms \
			-o "$2/t.dat" none -e sched:sched_switch -e sched:sched_waking 2>"$3" & pid=$!
		until grep -q "^gvt-stat: keeping" "$3" 2>/dev/null; do sleep 0.1; done
		i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i + 1)); done
		kill -USR1 $pid
		until grep -q "is lost" "$3"; do sleep 0.1; done
		kill -INT $pid; wait $pid; echo $?' "$GVT_STAT" "$root" "$tmp/disk" "$tmp/disk.err")
	is "a full disk does not end the recorder" 0 "$text"
	matches "but is told" "*/disk/t-*.dat: cannot write: No space left on device; this recording is lost, the next one goes on*" \
		"$(cat "$tmp/disk.err")"
else
	skip "a full disk" "unshare -m is not allowed here"
fi

is "no instance is left" "" "$(for instance in "$tracing"/instances/gvt-stat.*; do
	[ ! -e "$instance" ] || kill -0 "${instance##*.}" 2>/dev/null || echo "$instance"
done)"
finish
