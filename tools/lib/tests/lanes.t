#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lanes of traces: by hand, and that they agree with all else in what the rig recorded. From
# the Makefile: LANES, which prints and compares; MKTRACE.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
tests=$top/tools/gvt-stat/tests
FORMATS="-F $top/tools/traceevent/formats -F $tests/formats"
# its short names of events and fields; mktrace NAME
# shellcheck source=tools/gvt-stat/tests/lib.sh
. "$tests/lib.sh"

# shows NAME TRACE PATTERN EXPECTED [WINDOW]: lines of the trace's lanes
shows() {
	is "$1" "$4" "$("$LANES" ${5:+-p "$5"} "$tmp/$2.dat" | grep -E "$3")"
}

# Two at once, one of them preempted; one is never seen to begin, one never ends, one is
# cancelled.
mktrace hand <<'END'
1ms  0 switch   next=1
1ms  0 queue    v=1 w=2
2ms  0 complete v=1 w=1
2ms  0 submit   v=1 w=2
3ms  0 start    v=1 w=2
4ms  0 queue    v=1 w=3
5ms  0 queue    v=2 w=4
6ms  0 stop     v=1 w=2
6ms  0 switch   prev=1 next=2
7ms  0 cancel   v=2 w=4
8ms  0 switch   prev=2 next=1 prev_left_ns=-7
8ms  0 start    v=1 w=2
9ms  0 stop     v=1 w=2 done=1
10ms 0 complete v=1 w=2
10ms 0 submit   v=1 w=3
10ms 0 start    v=1 w=3
12ms 0 gvt_sched_info
END
shows "lives: none overlaps, each has its way, and tells what was not seen" hand "^workloads|^[0-9]" \
"workloads rcs0 vGPU 1/0 1000000~-2000000| completes w1
workloads rcs0 vGPU 1/1 1000000|-3000000| waits w2 step
workloads rcs0 vGPU 1/1 3000000|-6000000| executes w2
workloads rcs0 vGPU 2/0 5000000|-7000000| waits w4 step
workloads rcs0 vGPU 1/1 6000000|-8000000| preempted w2
workloads rcs0 vGPU 1/1 8000000|-9000000| executes w2
workloads rcs0 vGPU 1/1 9000000|-10000000| completes w2 end
workloads rcs0 vGPU 1/0 4000000|-10000000| waits w3 step
workloads rcs0 vGPU 1/0 10000000|-12000000~ executes w3
21 intervals, 7 lanes, 0 faults"
shows "engine" hand "^engine" \
"engine rcs0/0 3000000|-6000000| runs w2 vGPU 1 step
engine rcs0/0 8000000|-9000000| runs w2 vGPU 1
engine rcs0/0 10000000|-12000000~ runs w3 vGPU 1 step"
shows "turns" hand "^turns" \
"turns /0 1000000|-6000000| turn vGPU 1
turns /0 6000000|-8000000| turn vGPU 2
turns /0 8000000|-12000000~ turn vGPU 1"
shows "waits have reasons" hand "^waits.*(other|preempted)" \
"waits rcs0 vGPU 2/0 5000000|-6000000| waits other vGPU 1
waits rcs0 vGPU 1/0 6000000|-8000000| waits preempted"
shows "counters" hand "^(queue length|slice left) vGPU 1" \
"slice left vGPU 1 1000000 0
queue length vGPU 1 1000000 0
queue length vGPU 1 1000000 1
queue length vGPU 1 3000000 0
queue length vGPU 1 4000000 1
queue length vGPU 1 6000000 2
slice left vGPU 1 6000000 0
slice left vGPU 1 8000000 0
queue length vGPU 1 8000000 1
queue length vGPU 1 10000000 0"
shows "a window cuts" hand "^engine|^turns" \
"engine rcs0/0 5000000~-6000000| runs w2 vGPU 1 step
turns /0 5000000~-6000000| turn vGPU 1
turns /0 6000000|-7000000~ turn vGPU 2" 0.005,0.007

# what happened in the gap is not told, and that it is not is
mktrace lost <<'END'
1ms 0 switch   next=1
1ms 0 queue    v=1 w=1
1ms 0 submit   v=1 w=1
2ms 0 start    v=1 w=1
page 0
lost 0 10
6ms 0 stop     v=1 w=5 done=1
7ms 0 complete v=1 w=5
8ms 0 queue    v=1 w=6
9ms 0 gvt_sched_info
END
shows "losses are told" lost "^lost /|^engine|^workloads|\?" \
"turns /0 1000000|-2000000? turn vGPU 1
workloads rcs0 vGPU 1/1 2000000?-6000000? unseen w5
workloads rcs0 vGPU 1/1 6000000|-7000000? completes w5
workloads rcs0 vGPU 1/0 1000000|-2000000? waits w1 step
workloads rcs0 vGPU 1/0 2000000|-9000000? executes w1
workloads rcs0 vGPU 1/1 8000000|-9000000~ waits w6
lost /0 2000000|-6000000| events lost"

for trace in "$tests"/corpus/rig/*.trace; do
	mktrace rig <"$trace"
	"$LANES" -q "$tmp/rig.dat" >"$tmp/output"
	result $? "lanes agree with report, blame and pieces: $(basename "$trace" .trace)"
done

finish
