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

# A counter that is another for once, and one that began anew; i915's counters in some
mktrace energy <<'END'
1ms  0 gvt_host_state
10ms 0 print buf=gvt_energy:~counter=0~unit_nj=1000000~source=msr~rc6_ns=0~awake_ns=0~mhz_s=0
20ms 0 print buf=gvt_energy:~counter=30~unit_nj=1000000~source=msr
30ms 0 print buf=gvt_energy:~counter=40~unit_nj=1000000~source=msr~age_ns=1000000
40ms 0 print buf=gvt_energy:~counter=60~unit_nj=1000000~source=msr~rc6_ns=15000000~awake_ns=10000000~mhz_s=5
50ms 0 print buf=gvt_energy:~counter=61~unit_nj=1000000~source=other
60ms 0 print buf=gvt_energy:~counter=70~unit_nj=1000000~source=msr
70ms 0 print buf=gvt_energy:~counter=80~unit_nj=1000000~source=msr
80ms 0 print buf=gvt_energy:~counter=1~unit_nj=1000000~source=msr
END
shows "power, frequency and RC6" energy "^(power|frequency|RC6)" \
"power 10000000 3
power 20000000 1.11111
power 29000000 1.81818
RC6 10000000 50
frequency 10000000 500
power 60000000 1"
# What was not read is not 0 MHz, nor all of the time in RC6; asleep is 0 MHz
mktrace part <<'END'
1ms  0 gvt_host_state
10ms 0 print buf=gvt_energy:~counter=0~unit_nj=1000000~source=msr~rc6_ns=0
20ms 0 print buf=gvt_energy:~counter=1~unit_nj=1000000~source=msr~rc6_ns=4000000
30ms 0 print buf=gvt_energy:~counter=2~unit_nj=1000000~source=msr~awake_ns=5000000~mhz_s=7
40ms 0 print buf=gvt_energy:~counter=3~unit_nj=1000000~source=msr~awake_ns=5000000~mhz_s=7
END
shows "unknown frequency and RC6" part "^(frequency|RC6)" \
"RC6 10000000 40
frequency 30000000 0"
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
slice left vGPU 1 6000000 0
slice left vGPU 1 8000000 0
queue length vGPU 1 6000000 2
queue length vGPU 1 8000000 1
queue length vGPU 1 10000000 0"
# w 1 is preempted, never to come back: it does not wait from then on
mktrace off <<'END'
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=0
5ms  0 queue    v=1 w=2
6ms  0 queue    v=1 w=3
7ms  0 complete v=1 w=1 status=-5
8ms  0 submit   v=1 w=2
8ms  0 start    v=1 w=2
9ms  0 stop     v=1 w=2 done=0
10ms 0 queue    v=1 w=4
END
shows "counters: what ends off the engine has not waited there" off "^queue length" \
"queue length vGPU 1 1000000 0
queue length vGPU 1 1000000 1
queue length vGPU 1 3000000 0
queue length vGPU 1 5000000 1
queue length vGPU 1 6000000 2
queue length vGPU 1 8000000 1
queue length vGPU 1 9000000 2
queue length vGPU 1 10000000 3"
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

# A vCPU that sleeps is woken up by the thread that completes its work (30), first w1 and then
# w3; of w2 another thread is, w4 wakes it up in an interrupt, w5 of another vGPU does, w6 wakes
# it up too late.
mktrace woken <<'END'
0ms 0 gvt_sched_info
1ms 0 kvm_entry common_pid=7 vcpu_id=0
1ms 0 queue v=2 w=5 common_pid=8
1ms 0 kvm_entry common_pid=8 vcpu_id=0
2ms 0 queue v=1 w=1 common_pid=7
2ms 0 submit v=1 w=1 common_pid=30
2ms 0 start v=1 w=1
3ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0
4ms 0 stop v=1 w=1 done=1
5ms 0 sched_waking pid=7 common_pid=30
6ms 0 complete v=1 w=1 common_pid=30
6ms 0 sched_switch prev_pid=0 next_pid=7
7ms 0 queue v=1 w=2 common_pid=7
7ms 0 submit v=1 w=2 common_pid=30
7ms 0 start v=1 w=2
8ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0
9ms 0 stop v=1 w=2 done=1
9ms 0 sched_waking pid=7 common_pid=31
10ms 0 complete v=1 w=2 common_pid=30
10ms 0 sched_switch prev_pid=0 next_pid=7
11ms 0 queue v=1 w=3 common_pid=7
11ms 0 submit v=1 w=3 common_pid=30
11ms 0 start v=1 w=3
12ms 0 stop v=1 w=3 done=1
12ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0
13ms 0 sched_waking pid=7 common_pid=30
13ms 0 complete v=1 w=3 common_pid=30
13ms 0 sched_switch prev_pid=0 next_pid=7
14ms 0 queue v=1 w=4 common_pid=7
14ms 0 submit v=1 w=4 common_pid=30
14ms 0 start v=1 w=4
15ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0
16ms 0 stop v=1 w=4 done=1
17ms 0 sched_waking pid=7 common_pid=30 common_flags=9
18ms 0 complete v=1 w=4 common_pid=30
19ms 0 submit v=2 w=5 common_pid=30
19ms 0 start v=2 w=5
20ms 0 stop v=2 w=5 done=1
20ms 0 sched_waking pid=7 common_pid=30
21ms 0 complete v=2 w=5 common_pid=30
22ms 0 queue v=1 w=6 common_pid=7
22ms 0 submit v=1 w=6 common_pid=30
23ms 0 start v=1 w=6
24ms 0 stop v=1 w=6 done=1
25ms 0 complete v=1 w=6 common_pid=30
25ms 0 sched_waking pid=7 common_pid=30
26ms 0 gvt_sched_info
END
shows "a workload's way ends where the vCPU that it wakes up does" woken "^woken|completes" \
"workloads rcs0 vGPU 1/0 4000000|-6000000| completes w1 step
woken is 7 5000000 w1 vcpu
workloads rcs0 vGPU 1/0 9000000|-10000000| completes w2 end
workloads rcs0 vGPU 1/0 12000000|-13000000| completes w3 step
woken is 7 13000000 w3 vcpu
workloads rcs0 vGPU 1/0 16000000|-18000000| completes w4 end
workloads rcs0 vGPU 2/0 20000000|-21000000| completes w5 end
workloads rcs0 vGPU 1/0 24000000|-25000000| completes w6 end"

for trace in "$tests"/corpus/rig/*.trace.xz; do
	xz -dc "$trace" | mktrace rig
	"$LANES" -q "$tmp/rig.dat" >"$tmp/output"
	result $? "lanes agree with report, blame and pieces: $(basename "$trace" .trace.xz)"
done

finish
