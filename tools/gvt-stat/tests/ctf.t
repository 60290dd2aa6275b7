#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# export --format ctf: all events of the trace, what the other commands tell, under the names
# that Trace Compass expects; its analysis over them. What is bad ends in one line.
#
# TRACECOMPASS_XSD: xmlDefinition.xsd of Trace Compass' sources, with the files beside it.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
xml=$here/../../tracecompass/gvt.xml
export GVT_STAT
/usr/bin/python3 -c 'import bt2' 2>/dev/null || skip_all "no reader of CTF; install python3-bt2"

# agree NAME [OPTION...]: the trace of CTF of $tmp/NAME.dat and the commands
agree() {
	name=$1
	shift
	rm -rf "$tmp/$name.ctf"
	"$GVT_STAT" export --format ctf -i "$tmp/$name.dat" -o "$tmp/$name.ctf" "$@" 2>"$tmp/output" &&
		"$here/views/agree-ctf" "$tmp/$name.ctf" "$tmp/$name.dat" "$@" 2>"$tmp/size" >"$tmp/output" &&
		[ ! -s "$tmp/output" ]
	result $? "all events, and sums as report and workloads, to the ns: $name${*:+ $*}, $(cat "$tmp/size")"
}

xz -dc "$here/rig/small-vs-large.trace.xz" | sed "/^clock/d" | xz -0 >"$tmp/demo.trace.xz"
for file in "$here"/corpus/rig/{small-vs-pieces-fair-preemptive,seven-sizes-fair,engines-strict}.trace.xz \
	"$here"/rig/{three-guests,guests-full,record-full}.trace.xz "$tmp/demo.trace.xz"; do
	trace=$(basename "$file" .trace.xz)
	xz -dc "$file" | mktrace "$trace"
	agree "$trace"
	for form in ctf ftrace; do
		"$here/views/agree-analysis" "$xml" "$form" "$tmp/$trace.ctf" "$tmp/$trace.dat" >"$tmp/output" 2>"$tmp/size" &&
			[ ! -s "$tmp/output" ]
		result $? "Trace Compass' analysis ($form) is gvt-stat's at 200 times: $trace, $(tail -n 1 "$tmp/size")"
	done
done
agree engines-strict --time +0.1,+0.3
agree engines-strict --vgpu 1 --engine rcs0

for name in small-vs-pieces-fair-preemptive guests-full record-full; do
	"$here/views/side-by-side" "$tmp/$name.dat" "ctf=$tmp/$name.ctf" >"$tmp/output" 2>&1
	result $? "side by side: report and CTF: $name"
	sed 's/^/# /' "$tmp/output"
done

# events were lost, counted and not, before the first one of a CPU, too
mktrace lost <<'END'
cpus 2
page 1
lost 1 3
1ms 1 queue v=2 w=1
1ms 0 switch prev=0 next=1
1ms 0 queue v=1 w=5
1ms 0 submit v=1 w=5
2ms 0 start v=1 w=5
4ms 0 stop v=1 w=5 done=1
4ms 0 complete v=1 w=5
page 0
lost 0 12
7ms 0 stop v=1 w=6 done=1
7ms 0 complete v=1 w=6
12ms 0 gvt_sched_info
END
agree lost
is "where and how many events were lost" \
	"[('channel0_0', 4000000, 7000000, 12), ('channel0_1', 1000000, 1000000, 3)]" \
	"$(cd "$here/views" && /usr/bin/python3 -c 'import ctf, sys; print(sorted(ctf.Trace(sys.argv[1]).lost))' "$tmp/lost.ctf")"

# more at once than have a place of their own: what is told of each is in its own events
for ((nr = 1; nr <= 700; nr++)); do
	echo "$((1000 + nr)) 0 queue v=1 w=$nr"
done >"$tmp/crowd"
for ((nr = 1; nr <= 700; nr++)); do
	at=$((100000 + 1000 * nr))
	printf '%s\n' "$at 0 submit v=1 w=$nr" "$((at + 10)) 0 start v=1 w=$nr" "$((at + 900)) 0 stop v=1 w=$nr done=1" \
		"$((at + 950)) 0 complete v=1 w=$nr"
done >>"$tmp/crowd"
mktrace crowd <"$tmp/crowd"
agree crowd
babeltrace2 "$tmp/crowd.ctf" >"$tmp/text"
is "each of 700 workloads at once has a lane, its time on the engine and its wait" "3500 0 0 700" \
	"$(wc -l <"$tmp/text") $(grep -c 'lane = -1' "$tmp/text") $(grep -c gvt_stat_told "$tmp/text") $(grep -c 'exec_ns = 890' "$tmp/text")"

# the CPUs' events, as LTTng names them
mktrace vcpus <<'END'
cpus 2
0ms 0 gvt_sched_info
1ms 0 kvm_entry common_pid=7 vcpu_id=0
2ms 0 queue v=1 w=1 common_pid=7
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 kvm_exit common_pid=7
3ms 0 irq_handler_entry irq=5
3ms 0 irq_handler_exit irq=5
3ms 0 softirq_entry vec=1
3ms 0 softirq_exit vec=1
3ms 0 hrtimer_expire_entry
3ms 0 hrtimer_expire_exit
4ms 1 sched_switch prev_pid=7 prev_state=1 next_pid=0 prev_comm=CPU~0/KVM
5ms 0 stop v=1 w=1 done=1
6ms 0 sched_waking pid=7 common_pid=30
6ms 0 sched_wakeup pid=7
6ms 0 complete v=1 w=1 common_pid=30
END
agree vcpus
is "each CPU has its stream" "channel0_0 channel0_1 metadata " "$(cd "$tmp/vcpus.ctf" && printf '%s ' *)"
metadata=$(cat "$tmp/vcpus.ctf/metadata")
for name in sched_switch sched_waking sched_wakeup kvm_x86_entry kvm_x86_exit irq_handler_entry irq_handler_exit \
	irq_softirq_entry irq_softirq_exit timer_hrtimer_expire_entry timer_hrtimer_expire_exit; do
	has "the name of LTTng: $name" "name = \"$name\"" "$metadata"
done
is "and those of its fields" "_next_tid _prev_tid" \
	"$(sed -n '/"sched_switch"/,/^}/s/.* \(_[a-z]*_tid\);/\1/p' "$tmp/vcpus.ctf/metadata" | sort | tr '\n' ' ' | sed 's/ $//')"
has "Trace Compass takes it for a trace of the kernel" 'domain = "kernel"' "$metadata"

# names of a trace are no part of the metadata, and bytes that are no UTF-8 do not break it
mktrace named <<END
0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm=";}env{x=\\"
0 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
1ms 0 sched_switch prev_pid=1 next_pid=2 prev_comm=$(printf 'a\377b') next_comm=";}
1ms 0 queue v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
END
agree named
is "the name of a VM" 'vGPU 1 (";}env{x=\")' "$(cd "$here/views" && /usr/bin/python3 -c 'import ctf, sys
print(*[event.fields["vgpu"] for event in ctf.Trace(sys.argv[1]).events if "uuid" in event.fields])' "$tmp/named.ctf")"

# a number that is given to another VM: each event says whose it is, as the lines of csv do
mktrace reused <<'END'
0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm=alpha
0 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
1ms 0 switch prev=0 next=1
1ms 0 queue v=1 w=1
1ms 0 submit v=1 w=1
1ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
1000ms 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
1001ms 0 switch prev=1 next=0
1500ms 0 switch prev=0 next=1
1500ms 0 queue v=1 w=2
1501ms 0 submit v=1 w=2
1501ms 0 start v=1 w=2
1504ms 0 stop v=1 w=2 done=1
1504ms 0 complete v=1 w=2
1504ms 0 gvt_sched_balance vgpu_id=1 class=-1 instance=-1
2000ms 0 gvt_vgpu_health vgpu_id=1
2000ms 0 gvt_vgpu_info v=1 uuid=bb-2 owner_pid=200
END
agree reused
is "whose the events of a number are that two VMs have had" "10 vGPU 1 (alpha) 7 11 vGPU 1 (bb-2) 8" \
	"$(babeltrace2 "$tmp/reused.ctf" | sed -n 's/.*[ {]vgpu_id = \([^,]*\),.* serial = \([^,]*\), vgpu = "\([^"]*\)".*/\1\2 \3/p' |
	sort | uniq -c | awk '{ n = $1; $1 = ""; print $0, n }' | xargs)"
is "and the lines of csv say the same" "vGPU 1 (alpha) vGPU 1 (bb-2)" \
	"$("$GVT_STAT" export -f csv -i "$tmp/reused.dat" -o - | sed '1d; s/.*,//; /^$/d' | sort -u | xargs)"
is "and whose turns begin and end" "0, vGPU 1 (alpha), , vGPU 1 (bb-2)" \
	"0$(babeltrace2 "$tmp/reused.ctf" | sed -n 's/.* prev_vgpu = "[^"]*", next_vgpu = "\([^"]*\)".*/, \1/p' | tr -d '\n')"
is "each has rows of its own in Trace Compass" "[('0', 2000000), ('1', 3000000)]" \
	"$(cd "$here/views" && /usr/bin/python3 -c 'import sys
import ctf
from analysis import Analysis
run = Analysis(sys.argv[1], "gvt.ctf")
for event in ctf.Trace(sys.argv[2]).events:
    run.take(event.name, event.ns, event.fields)
print(sorted((where[4], values[-1]) for where, (_, values) in run.history.items() if where[-1] == "Executed"))' \
		"$xml" "$tmp/reused.ctf")"

# what does not fit into half of its bits, once or always, and times further apart than 32 bits of ns
mktrace wide <<'END'
1ms 0 queue v=1 w=1
1ms 0 submit v=1 w=1 ctx=7 seqno=65535
2ms 0 start v=1 w=1 ctx=7 seqno=65535
3ms 0 stop v=1 w=1 ctx=7 seqno=65535 done=1
3ms 0 complete v=1 w=1
4ms 0 queue v=65536 w=4294967296
4ms 0 submit v=65536 w=4294967296 ctx=4294967296 seqno=65536
4ms 0 start v=65536 w=4294967296 ctx=4294967296 seqno=4294967295
4299967295 0 stop v=65536 w=4294967296 ctx=4294967296 seqno=4294967295 done=1
8594934591 0 complete v=65536 w=4294967296 status=-2147483648
20000ms 0 queue v=1 w=9223372036854775807
20001ms 0 submit v=1 w=9223372036854775807 ctx=9223372036854775807 seqno=1
20002ms 0 start v=1 w=9223372036854775807 ctx=9223372036854775807 seqno=1
20003ms 0 stop v=1 w=9223372036854775807 ctx=9223372036854775807 seqno=1 done=1
20003ms 0 complete v=1 w=9223372036854775807 status=-5
END
agree wide
# a wait that would fit if it could not be below 0
mktrace half <<'END'
1ms 0 queue v=1 w=1
3001ms 0 submit v=1 w=1
3001ms 0 start v=1 w=1
3002ms 0 stop v=1 w=1 done=1
3002ms 0 complete v=1 w=1
END
agree half
mktrace empty <<'END'
0 0 sched_switch prev_pid=1
1ms 0 sched_switch prev_pid=2
END
agree empty

# the analysis
if command -v xmllint >/dev/null; then
	check "the analysis is XML" xmllint --noout "$xml"
else
	skip "the analysis is XML" "no xmllint; install libxml2-utils"
fi
if [ -n "${TRACECOMPASS_XSD-}" ]; then
	check "and as Trace Compass' schema says" xmllint --noout --schema "$TRACECOMPASS_XSD" "$xml"
else
	skip "and as Trace Compass' schema says" "TRACECOMPASS_XSD does not say where that is"
fi

# how large
"$here/views/busy" 50000 | mktrace busy
agree busy
size=$(du -sb "$tmp/busy.ctf" | cut -f 1)
check "bytes for each of 50000 events: $((size / 50000)) (at most 45)" test $((size / 50000)) -le 45

# where the output goes
export_to() {
	(cd "$tmp" && "$GVT_STAT" export --format ctf -i "$1.dat" "${@:2}" 2>&1)
}
left() {
	find "$tmp" -maxdepth 1 -name "$1.??????" | wc -l
}
rm -rf "$tmp/vcpus.ctf"
check "the name is the trace's, here" test -z "$(export_to vcpus)" -a -s "$tmp/vcpus.ctf/metadata"
export_to lost -o vcpus.ctf/
is "an older one is replaced, and nothing else is left" "10 0" \
	"$(babeltrace2 "$tmp/vcpus.ctf" 2>/dev/null | wc -l) $(left vcpus.ctf)"
mkdir "$tmp/kept" "$tmp/void"
echo old >"$tmp/kept/file"
matches "a directory of something else stays: one line" "gvt-stat: kept: cannot write: Directory not empty" \
	"$(export_to vcpus -o kept)"
matches "and so does a file" "gvt-stat: kept/file: cannot write: Not a directory" "$(export_to vcpus -o kept/file)"
is "as they were" "old 0" "$(cat "$tmp/kept/file") $(left kept)"
check "an empty one is used" test -z "$(export_to vcpus -o void)" -a -s "$tmp/void/metadata"
matches "no such directory: one line" "gvt-stat: no/such: cannot write: No such file or directory" "$(export_to vcpus -o no/such)"
matches "no standard output" "*--format ctf makes a directory*" "$(export_to vcpus -o -)"
matches "a file that must not become so large: one line" "gvt-stat: big: cannot write: File too large" \
	"$(ulimit -f 2; export_to vcpus -o big)"
seq 2000 | awk '{ print $1 "ms 0 queue v=1 w=" $1; print $1 "ms 0 submit v=1 w=" $1; print $1 "ms 0 start v=1 w=" $1
	print $1 "ms 0 stop v=1 w=" $1 " done=1"; print $1 "ms 0 complete v=1 w=" $1 }' | mktrace long
matches "a stream that must not: one line" "gvt-stat: big: cannot write: File too large" \
	"$(ulimit -f 300; export_to long -o big)"
is "nothing is left of either" 0 "$(left big)"
{ echo "cpus 100"; seq 0 99 | awk '{ print $1 "ms " $1 " queue v=1 w=" $1 + 1 }'; } | mktrace cpus
check "many CPUs: more files than may be open" test -z "$(ulimit -n 50; export_to cpus -o many)" -a -s "$tmp/many/channel0_99"
# of the sanitized build; what libtraceevent keeps is not ours
if [ -n "${GVT_STAT_SANITIZED-}" ]; then
	ASAN_OPTIONS=detect_leaks=0 "$GVT_STAT_SANITIZED" export --in-process -f ctf -i "$tmp/lost.dat" -o "$tmp/sanitized.ctf" \
		>"$tmp/output" 2>&1
	is "the sanitized build" "0 0" "$? $(wc -c <"$tmp/output")"
fi

finish
