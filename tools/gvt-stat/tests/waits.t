#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Why engines were idle, and who made whom wait, by hand.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=where.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/where.sh"

waits_of_every_kind
is "why idle: every reason" \
	"busy 25 i915 7 completion 6 dispatch 5 switching 4 throttled 23 empty 2 = 72" "$(gaps main rcs0)"
is "why idle: a window" "busy 8 completion 1 throttled 11 = 20" "$(gaps main rcs0 --time 0.028,0.048)"
is "why idle: the longest, and whose work waited" '[23000000,37000000,1]' "$("$GVT_STAT" why idle --json -i "$tmp/main.dat" |
	jq -c '.gaps[] | select(.reason == "throttled") | [.longest_ns, .longest_at_ns, .longest_vgpu_id]')"
is "why waits: who, how long, how often, when" "1 rcs0: other 2 17, 1 times, worst 17 at 21
1 rcs0: throttled 22, 1 times, worst 22 at 38
1 rcs0: switching 1, 1 times, worst 1 at 60
1 rcs0: preempted 3, 1 times, worst 3 at 65
1 rcs0: own 16, 4 times, worst 9 at 5
2 rcs0: other 1 18, 1 times, worst 18 at 6
2 rcs0: own 1, 1 times, worst 1 at 24" "$(blame main)"
is "why waits: the worst moments" '[["throttled",null,38,22],["other",1,6,18],["other",2,21,17],["preempted",null,65,3],["switching",null,60,1]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/main.dat" |
	jq -c '[.worst[] | [.reason, .culprit_vgpu_id, .at_ns / 1000000, .wait_ns / 1000000]]')"
matches "why waits: the matrix" "*VGPU ENGINE WAITED% WAITED-ms vGPU 1 vGPU 2 preempted a slice a switch itself*" \
	"$("$GVT_STAT" why waits -i "$tmp/main.dat" | tr -s ' ')"

# vGPU 1 keeps rcs0 busy in its turn; work of vGPU 2 for vcs0 could run, that of vGPU 3
# for bcs0 has no slice. From the decision at 10 on, all wait for the switch at 20.
mktrace stranded <<'END'
0ms  0 balance  v=2 left_ns=1
0ms  0 balance  v=3 left_ns=-1
0ms  0 switch   prev=0 next=1
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
1ms  0 queue    v=2 w=2 c=2
2ms  0 queue    v=3 w=3 c=1
20ms 0 stop     v=1 w=1 done=1
20ms 0 complete v=1 w=1
20ms 0 switch   prev=1 next=2 drain_ns=10000000
21ms 0 submit   v=2 w=2 c=2
21ms 0 start    v=2 w=2 c=2
22ms 0 stop     v=2 w=2 c=2 done=1
END
is "why idle: busy" "busy 20 empty 2 = 22" "$(gaps stranded rcs0)"
is "why idle: stranded, then draining" "busy 1 dispatch 1 switching 10 stranded 9 empty 1 = 22" \
	"$(gaps stranded vcs0)"
is "why idle: throttled beside a busy engine" "throttled 20 empty 2 = 22" "$(gaps stranded bcs0)"
is "why idle: whose work was stranded, and then switched to; nobody's where there is none" \
	"switching 2,stranded 2,empty ," "$("$GVT_STAT" why idle --csv --engine vcs0 -i "$tmp/stranded.dat" |
	tr -d '\r' | awk -F, '/switching|stranded|empty/ { printf "%s %s,", $3, $8 }')"
is "why idle --engine" "vcs0" "$("$GVT_STAT" why idle --csv --engine vcs0 -i "$tmp/stranded.dat" |
	awk -F, 'NR > 1 { print $2 }' | sort -u)"

# The same without slices: under another policy, work without slice could run, too.
mktrace fair <<'END'
0ms  0 gvt_sched_info policy=fair
0ms  0 balance  v=3 left_ns=-1
0ms  0 switch   prev=0 next=1
2ms  0 queue    v=3 w=3 c=1
5ms  0 gvt_sched_hold v=2 held_vgpu_id=3 held_ns=2000000
6ms  0 switch   prev=1 next=3 next_left_ns=-1
7ms  0 submit   v=3 w=3 c=1
7ms  0 start    v=3 w=3 c=1
9ms  0 stop     v=3 w=3 c=1 done=1
9ms  0 complete v=3 w=3 c=1
END
is "why idle: another policy, and held" "busy 2 dispatch 1 held 2 stranded 2 empty 2 = 9" "$(gaps fair bcs0)"

# No slice, but picked at 12: the scheduler had yet to switch.
mktrace boost <<'END'
0ms  0 balance  v=1 left_ns=-5000000
1ms  0 switch   prev=2 next=0
10ms 0 queue    v=1 w=1
12ms 0 switch   prev=0 next=1 next_left_ns=-5000000
13ms 0 submit   v=1 w=1
13ms 0 start    v=1 w=1
20ms 0 stop     v=1 w=1 done=1
20ms 0 complete v=1 w=1
END
is "why idle: picked without a slice" "busy 7 dispatch 1 switching 2 empty 10 = 20" "$(gaps boost rcs0)"

# Work from before the trace has been there all the time.
mktrace running <<'END'
0ms  0 switch   prev=0 next=1
5ms  0 queue    v=1 w=9
10ms 0 stop     v=1 w=1 done=1
12ms 0 complete v=1 w=1
END
is "why idle: it has been running since before the trace" "busy 10 completion 2 = 12" "$(gaps running rcs0)"
mktrace waiting <<'END'
0ms  0 switch   prev=0 next=1
5ms  0 queue    v=1 w=9
6ms  0 submit   v=1 w=8
7ms  0 start    v=1 w=8
9ms  0 stop     v=1 w=8 done=1
END
is "why idle: it has been waiting since before the trace" "busy 2 i915 1 dispatch 6 = 9" \
	"$(gaps waiting rcs0)"

# 3..6: events of CPU 1 were lost, the next start is at 8
mktrace lost <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
2ms  0 start    v=1 w=1
3ms  1 queue    v=1 w=2
lost 1 1
6ms  1 balance  v=1
8ms  0 start    v=1 w=2
9ms  0 stop     v=1 w=2 done=1
10ms 0 complete v=1 w=2
END
is "why idle: lost events leave it unknown until work starts" \
	"busy 2 completion 1 dispatch 1 empty 1 unknown 5 = 10" "$(gaps lost rcs0)"

# What is first seen of rcs0 is of after the gap, or of inside it: what it did there is not known.
for since in 7 12; do
	mktrace "first$since" <<END
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1 c=2
5ms  1 balance  v=1
${since}ms  0 queue    v=1 w=3
lost 1 4
13ms 1 balance  v=1
14ms 0 submit   v=1 w=3
15ms 0 start    v=1 w=3
16ms 0 stop     v=1 w=3 done=1
20ms 0 complete v=1 w=3
END
	is "why idle: an engine that is not seen until $since ms, after events may have been lost" \
		"busy 1 i915 1 completion 4 empty 5 unknown 9 = 20" "$(gaps "first$since" rcs0)"
done

# w 1 was queued before the trace, and may have executed since: until 8 that is not certain.
mktrace since <<'END'
0ms  0 balance  v=1
8ms  0 balance  v=1
lost 0 1
10ms 0 balance  v=1
14ms 0 stop     v=1 w=1 done=1
15ms 0 complete v=1 w=1
16ms 0 queue    v=1 w=2
20ms 0 balance  v=1
END
is "report: who executed when a gap ended may have since before the trace" "20 70" \
	"$("$GVT_STAT" report --json -i "$tmp/since.dat" 2>"$tmp/err" |
		jq -r '.vgpus[0].engines[0] | "\(.utilization_percent_min | round) \(.utilization_percent_max | round)"')"

# What comes while a workload that was preempted only waits to be told a failure has not
# waited before it came.
mktrace failing <<'END'
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=0
7ms  0 queue    v=1 w=2
9ms  0 complete v=1 w=1 status=-5
12ms 0 submit   v=1 w=2
13ms 0 start    v=1 w=2
14ms 0 stop     v=1 w=2 done=1
15ms 0 complete v=1 w=2
END
is "why waits: behind a workload that failed" "1 rcs0: own 6, 2 times, worst 5 at 7" "$(blame failing)"

# w 4 was queued among what was lost, or before the trace.
mktrace unseen <<'END'
0ms  0 switch   prev=0 next=2
10ms 0 balance  v=1
lost 0 3
20ms 0 queue    v=1 w=5
22ms 0 switch   prev=2 next=1
23ms 0 submit   v=1 w=4
24ms 0 start    v=1 w=4
25ms 0 stop     v=1 w=4 done=1
26ms 0 complete v=1 w=4
30ms 0 balance  v=1
END
is "why waits: nobody for the time before a gap in which it may have been queued" \
	"1 rcs0: other 2 2, 1 times, worst 2 at 20
1 rcs0: own 8, 2 times, worst 7 at 23" "$(blame unseen)"

# w 2 was cancelled in the first gap: from 6 to 10 nobody waited, which the second one must not
# make certain.
mktrace twice <<'END'
0ms  0 gvt_sched_info policy=fair
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=3 w=2
4ms  0 balance  v=1
lost 0 1
6ms  0 balance  v=1
7ms  0 switch   prev=1 next=4
8ms  0 switch   prev=4 next=1
10ms 0 balance  v=1
lost 0 1
11ms 0 balance  v=1
12ms 0 queue    v=3 w=3
13ms 0 switch   prev=1 next=3
14ms 0 submit   v=3 w=3
15ms 0 start    v=3 w=3
16ms 0 stop     v=3 w=3 done=1
17ms 0 complete v=3 w=3
END
is "why waits: what may have left its queue in a gap, when the next one comes" \
	"3 rcs0: unknown 7, 5 times, worst 2 at 4
3 rcs0: other 1 4, 2 times, worst 3 at 1
3 rcs0: own 1, 1 times, worst 1 at 13" "$(blame twice)"

# w 1 is preempted while events are lost, and back at 6, which is not seen.
mktrace inside <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  1 balance  v=1
5ms  0 stop     v=1 w=1 done=0
lost 1 1
8ms  1 balance  v=1
10ms 0 stop     v=1 w=1 done=1
11ms 0 complete v=1 w=1
END
is "why waits: what is preempted in a gap may be back in it" "1 rcs0: unknown 3, 1 times, worst 3 at 5
1 rcs0: own 1, 1 times, worst 1 at 1" "$(blame inside)"

# Queued and started among what was lost, or before the trace: only then it was busy from 0 on.
mktrace began <<'END'
0ms  0 switch   prev=0 next=1
2ms  0 balance  v=1
lost 0 3
8ms  0 queue    v=1 w=2
10ms 0 stop     v=1 w=1 done=1
12ms 0 complete v=1 w=1
END
is "why idle: what may have begun in a gap has not been there all the time" \
	"unknown 12 = 12" "$(gaps began rcs0)"

# 6..8 ms: events were lost. Was something queued then, before w $2, that is not seen?
after_gap()
{
	mktrace "$1" <<END
0ms  0 gvt_sched_info policy=fair
0ms  0 gvt_vgpu_info v=1
0ms  0 gvt_vgpu_info v=2
0ms  0 switch   prev=0 next=2
1ms  0 queue    v=2 w=1
2ms  0 submit   v=2 w=1
3ms  0 start    v=2 w=1
4ms  0 stop     v=2 w=1 done=1
5ms  0 complete v=2 w=1
6ms  0 balance  v=1
lost 0 1
8ms  0 balance  v=1
9ms  0 switch   prev=2 next=1
20ms 0 queue    v=2 w=$2
21ms 0 switch   prev=1 next=2
22ms 0 submit   v=2 w=$2
23ms 0 start    v=2 w=$2
24ms 0 stop     v=2 w=$2 done=1
25ms 0 complete v=2 w=$2
${3:-39ms 0 balance v=1}
40ms 0 balance  v=1
END
}

after_gap all 2
is "why idle: no number is left out, so nothing was queued in the gap" \
	"busy 2 i915 2 completion 2 dispatch 2 stranded 1 empty 28 unknown 3 = 40" "$(gaps all rcs0)"
after_gap hidden 3 "26ms 0 switch prev=2 next=1
26ms 0 submit v=1 w=2
26ms 0 start  v=1 w=2
27ms 0 stop   v=1 w=2 done=1
27ms 0 complete v=1 w=2"
is "why idle: what was queued in the gap was there until it is seen" \
	"busy 3 i915 2 completion 2 dispatch 1 empty 15 unknown 17 = 40" "$(gaps hidden rcs0)"
after_gap gone 3
is "why idle: what was queued in the gap and is never seen may be there to the end" \
	"busy 2 i915 2 completion 2 dispatch 1 empty 2 unknown 31 = 40" \
	"$(gaps gone rcs0)"
after_gap told 3 "30ms 0 gvt_workload_state v=2 w=3 state=0 age_ns=1
30ms 0 gvt_sched_info policy=fair
35ms 0 gvt_vgpu_info v=1
35ms 0 gvt_sched_info policy=fair"
is "why idle: or until the kernel has told what is there" \
	"busy 2 i915 2 completion 2 dispatch 1 empty 17 unknown 16 = 40" "$(gaps told rcs0)"
after_gap evident 3 "26ms 0 queue  v=1 w=4
26ms 0 switch prev=2 next=1
26ms 0 submit v=1 w=4
26ms 0 start  v=1 w=4
27ms 0 stop   v=1 w=4 done=1
27ms 0 complete v=1 w=4"
is "why idle: or until later work of each queue was submitted" \
	"busy 3 i915 2 completion 2 dispatch 1 empty 15 unknown 17 = 40" "$(gaps evident rcs0)"

# Whether w 1 was still with i915 at 13 ms is not known, nor so what w 2 of the same vGPU waited for.
mktrace astray <<'END'
0ms  0 gvt_sched_info policy=fair dispatch=per-engine
0ms  0 switch   prev=0 next=2 class=0 instance=0
1ms  0 queue    v=2 w=1
2ms  0 submit   v=2 w=1
3ms  0 start    v=2 w=1
4ms  0 queue    v=2 w=2
lost 0 2
6ms  0 balance  v=1
7ms  0 switch   prev=2 next=1 class=0 instance=0
8ms  0 queue    v=1 w=3
8ms  0 submit   v=1 w=3
9ms  0 start    v=1 w=3
10ms 0 stop     v=1 w=3 done=1
10ms 0 complete v=1 w=3
12ms 0 switch   prev=1 next=2 class=0 instance=0
13ms 0 queue    v=3 w=4
14ms 0 submit   v=2 w=2
20ms 0 balance  v=1
END
is "why idle: what was in flight in a gap, and does work of the same vGPU wait for it?" \
	"busy 2 i915 7 dispatch 1 empty 1 unknown 9 = 20" "$(gaps astray rcs0)"

# w 1 was queued in the gap or before it, and waited until 6 ms.
mktrace refused <<'END'
0ms  0 switch   prev=0 next=1
1ms  0 balance  v=1
lost 0 1
2ms  0 balance  v=1
4ms  0 queue    v=1 w=2
6ms  0 complete v=1 w=1 status=-22
7ms  0 submit   v=1 w=2
7ms  0 start    v=1 w=2
8ms  0 stop     v=1 w=2 done=1
8ms  0 complete v=1 w=2
10ms 0 balance  v=1
END
is "report: what is refused, and was queued in a gap, may have waited" true \
	"$("$GVT_STAT" report --json -i "$tmp/refused.dat" |
	jq '.vgpus[0].engines[0] | .queue_len_mean_min <= 0.3 and .queue_len_mean_max >= 0.8')"

# 1 is reset, not to come back; 2 and 3 are dropped meanwhile.
mktrace reset <<'END'
0ms  0 gvt_sched_info policy=fair
0ms  0 switch   prev=0 next=1
0ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
2ms  0 start    v=1 w=1
3ms  0 queue    v=1 w=2
4ms  0 stop     v=1 w=1 done=0
6ms  0 cancel   v=1 w=2
8ms  0 queue    v=1 w=3
9ms  0 cancel   v=1 w=3
12ms 0 complete v=1 w=1 status=-5
20ms 0 balance  v=1
END
is "reset: gaps: the engine waited for the CPU to notice" "busy 2 i915 1 completion 8 dispatch 1 empty 8 = 20" \
	"$(gaps reset rcs0)"
is "reset: blame: what was behind it waited for its own" "1 rcs0: own 5, 4 times, worst 2 at 4" "$(blame reset)"
is "reset: workloads: the same" "1,8000000" "$(workloads reset workload_id,completion_ns | sort | head -n 1)"
is "reset: report: it has not waited since" '0.3' "$("$GVT_STAT" report --json -i "$tmp/reset.dat" |
	jq '.vgpus[0].engines[0].queue_len_mean')"
is "reset: report --interval: the same" '[0.8,0.4,0,0]' \
	"$("$GVT_STAT" report --interval 5ms --json -i "$tmp/reset.dat" |
	values '[.intervals[] | select(.vgpu_id == 1) | .queue_len_mean]')"

# w 1 is preempted at 4. What became of it shows after the other vGPU has the turn, and has had
# work on the engine.
preempted()
{
	mktrace "$1" <<END
0ms  0 gvt_sched_info policy=fair dispatch=preemptive
0ms  0 switch   prev=0 next=1 class=0 instance=0
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=0
6ms  0 switch   prev=1 next=2 class=0 instance=0 drain_ns=4000000
7ms  0 queue    v=2 w=2
8ms  0 submit   v=2 w=2
10ms 0 start    v=2 w=2
13ms 0 stop     v=2 w=2 done=1
14ms 0 complete v=2 w=2
15ms 0 $2
20ms 0 balance  v=1
END
}

preempted never "complete v=1 w=1 status=-5"
is "why idle: what was preempted and never came back" \
	"busy 4 i915 1 completion 6 dispatch 1 switching 2 empty 6 = 20" "$(gaps never rcs0)"
preempted back "start v=1 w=1"
is "why idle: the same, but it came back" \
	"busy 9 i915 7 dispatch 1 switching 2 empty 1 = 20" "$(gaps back rcs0)"

# The same after 30 workloads of the other vGPU, 4 ms each.
{
	cat <<'END'
0ms  0 gvt_sched_info policy=fair dispatch=preemptive
0ms  0 switch   prev=0 next=1 class=0 instance=0
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=0
6ms  0 switch   prev=1 next=2 class=0 instance=0
END
	awk 'BEGIN { for (w = 2; w < 32; w++) {
		print 4 * w "ms 0 queue v=2 w=" w
		print 4 * w "ms 0 submit v=2 w=" w
		print 4 * w + 1 "ms 0 start v=2 w=" w
		print 4 * w + 3 "ms 0 stop v=2 w=" w " done=1"
		print 4 * w + 4 "ms 0 complete v=2 w=" w
	} }'
	echo "129ms 0 complete v=1 w=1 status=-5"
} | mktrace long
is "why idle: what was preempted, never to come back, with many workloads of others meanwhile" \
	"busy 61 i915 1 completion 35 dispatch 1 switching 30 empty 1 = 129" "$(gaps long rcs0)"

# w 1 is off the engine from 6 on, to end at 10; w 2, queued among what was lost, shows up at 8.
mktrace older <<'END'
0ms  0 switch   prev=0 next=1
1ms  0 balance  v=1
lost 0 2
3ms  0 queue    v=1 w=3
4ms  0 submit   v=1 w=1
5ms  0 start    v=1 w=1
6ms  0 stop     v=1 w=1 done=0
8ms  0 cancel   v=1 w=2
10ms 0 complete v=1 w=1 status=-5
20ms 0 balance  v=1
END
is "why idle: what never came back, when older work shows up meanwhile" \
	"busy 1 i915 1 unknown 18 = 20" "$(gaps older rcs0)"

# Between lost events what is preempted may come back unseen, so how long it executed is not known.
mktrace pieces <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  1 balance  v=1
3ms  0 submit   v=1 w=1
4ms  0 start    v=1 w=1
6ms  0 stop     v=1 w=1 done=1
7ms  0 complete v=1 w=1
lost 1 2
9ms  1 balance  v=1
END
is "workloads: what executed in a gap may have been off and on again" "1," \
	"$(workloads pieces workload_id,exec_ns)"

# w 1 was off the engine when events were lost, and w 2 is preempted after that.
mktrace stops <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
1ms  0 queue    v=1 w=2 c=2
2ms  0 submit   v=1 w=1
2ms  0 submit   v=1 w=2 c=2
3ms  0 start    v=1 w=1
3ms  0 start    v=1 w=2 c=2
4ms  0 stop     v=1 w=1 done=0
5ms  1 balance  v=1
lost 1 4
7ms  1 balance  v=1
8ms  0 stop     v=1 w=2 c=2 done=0
9ms  0 balance  v=1
END
is "workloads: what may have been back in a gap has no last stop" "1,
2,8000000" "$(workloads stops workload_id,stop_ns | sort)"

# w 2 is queued by a clock that is 1 us ahead, after it has ended.
mktrace ahead <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 balance  v=1
lost 0 1
3ms  0 balance  v=1
5000000 1 complete v=1 w=2 status=-22
5001000 0 queue    v=1 w=2
20ms 0 cancel   v=1 w=1
END
is "workloads: one that has ended is not queued again" "1,cancelled
2,partial" "$(workloads ahead workload_id,state | sort)"

# CPU 1 is 10 us ahead: w 1 stops in the gap, in which its completion is lost. That w 2 is submitted
# tells that it is over.
mktrace follower <<'END'
cpus 2
0ms    0 switch   prev=0 next=1
1ms    0 queue    v=1 w=1
1ms    0 queue    v=1 w=2
2ms    0 submit   v=1 w=1
2005us 1 start    v=1 w=1
3ms    0 balance  v=1
lost 0 1
4ms    0 submit   v=1 w=2
4008us 1 stop     v=1 w=1 done=1
4012us 1 start    v=1 w=2
6ms    1 stop     v=1 w=2 done=1
6001us 0 complete v=1 w=2
20ms   0 balance  v=1
END
is "workloads: one whose follower was submitted is over" "1,partial
2,complete" "$(workloads follower workload_id,state | sort)"
is "why idle: and the engine does not wait for its completion" '[["completion",1000]]' \
	"$("$GVT_STAT" why idle --json -i "$tmp/follower.dat" |
	values '[.gaps[] | select(.reason == "completion") | [.reason, .time_ns]]')"

# The engine was kept idle from 4 ms on; whether anything waited for it then is not known.
mktrace heldgap <<'END'
0ms  0 gvt_sched_info policy=fair
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 cancel   v=1 w=1
3ms  0 balance  v=1
lost 0 1
5ms  0 balance  v=1
9ms  0 gvt_sched_hold v=2 held_vgpu_id=1 held_ns=5000000 window_ns=5000000 result=1
10ms 0 balance  v=1
END
is "why idle: held, where events are missing" "dispatch 1 empty 2 unknown 7 = 10" "$(gaps heldgap rcs0)"

# w 1 may have been cancelled before the GPU was kept idle.
mktrace heldin <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  1 queue    v=3 w=1
2ms  1 balance  v=1
7ms  0 gvt_sched_hold v=2 held_vgpu_id=1 held_ns=3000000 window_ns=5000000 result=1
lost 1 1
8ms  1 balance  v=1
10ms 0 balance  v=1
END
is "why waits: nobody for what may have waited while the GPU was held, where events are missing" \
	"3 rcs0: unknown 8, 2 times, worst 6 at 2
3 rcs0: other 1 1, 1 times, worst 1 at 1" "$(blame heldin)"

# w 1, preempted while events are lost, is with i915 until 12 ms: w 2 did not wait for the engine
# to be drained.
mktrace drained <<'END'
cpus 2
0ms  0 gvt_sched_info policy=fair dispatch=per-engine
0ms  0 switch   prev=0 next=1 class=0 instance=0
1ms  0 queue    v=1 w=1
1ms  0 queue    v=1 w=2
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
5ms  1 balance  v=1
6ms  0 stop     v=1 w=1 done=0
lost 1 1
8ms  1 balance  v=1
12ms 0 complete v=1 w=1 status=-5
13ms 0 switch   prev=1 next=2 class=0 instance=0 drain_ns=6000000
20ms 0 switch   prev=2 next=1 class=0 instance=0
21ms 0 submit   v=1 w=2
END
is "why waits: own work in flight since lost events is not a drained engine" \
	"1 rcs0: unknown 7, 3 times, worst 4 at 8
1 rcs0: other 2 8, 1 times, worst 8 at 12
1 rcs0: own 5, 4 times, worst 2 at 3" "$(blame drained)"

printf '0ms 0 queue v=1 w=1\n5ms 0 cancel v=1 w=1\n' | mktrace noswitch
is "no gvt_sched_switch: busy and empty are known, what needs turns is not" \
	'[["busy",0],["dispatch",null],["throttled",null],["empty",0],["unknown",5000000]]' \
	"$("$GVT_STAT" why idle --json -i "$tmp/noswitch.dat" | jq -c '[.gaps[] | [.reason, .time_ns] |
	select(.[0] | IN("busy", "empty", "dispatch", "throttled", "unknown"))]')"
is "no gvt_sched_switch: for how long it waited, not why" '[["unknown",5000000]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/noswitch.dat" | jq -c '[.blame[] | [.reason, .wait_ns]]')"
matches "no gvt_sched_switch: told" "*gvt:gvt_sched_switch: none recorded; unknown: who made whom wait*" \
	"$("$GVT_STAT" why waits -i "$tmp/noswitch.dat")"

# Nor does the scheduler being traced help, once work of another vGPU is submitted without one.
unswitched()
{
	mktrace unswitched <<END
0ms  0 gvt_sched_info policy=fair dispatch=$1
1ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
1ms  0 start    v=1 w=1
2ms  0 stop     v=1 w=1 done=1
2ms  0 complete v=1 w=1
2ms  0 queue    v=2 w=2
3ms  0 submit   v=2 w=2
3ms  0 start    v=2 w=2
4ms  0 queue    v=3 w=3
8ms  0 stop     v=2 w=2 done=1
8ms  0 complete v=2 w=2
9ms  0 submit   v=3 w=3
9ms  0 start    v=3 w=3
10ms 0 stop     v=3 w=3 done=1
10ms 0 complete v=3 w=3
END
	blame unswitched
}
for dispatch in exclusive per-engine preemptive; do
	is "no gvt_sched_switch, $dispatch: nobody is blamed" \
		"2 rcs0: unknown 1, 1 times, worst 1 at 2
3 rcs0: unknown 5, 1 times, worst 5 at 4" "$(unswitched "$dispatch")"
done

# Slices of the strict policy were handed out unseen: who made whom wait is known all the same.
mktrace nobalance <<'END'
0s     0 gvt_sched_info policy=strict
0s     0 gvt_vgpu_info v=1 cap=0
1ms    0 switch   prev=0 next=2 next_left_ns=1
2ms    0 queue    v=1 w=1
8ms    0 switch   prev=2 next=1 prev_left_ns=1 next_left_ns=1
9ms    0 submit   v=1 w=1
3s     0 switch   prev=1 next=0
END
is "no gvt_sched_balance: blame goes on" '[["other",6000000],["own",1000000]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/nobalance.dat" | jq -c '[.blame[] | [.reason, .wait_ns]]')"

printf '0ms 0 submit v=1 w=1\n0ms 0 switch prev=1\n' | mktrace noqueue
is "no gvt_workload_queue: nothing, not null" '[[],[]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/noqueue.dat" | jq -c '[.blame, .worst]')"

# Work from before that is told 10 ms after the beginning, and neither starts nor ends.
mktrace told <<'END'
0ms  0 switch   prev=1 next=2
10ms 0 gvt_workload_state v=1 w=3 state=0 age_ns=30000000
10ms 0 gvt_workload_state v=2 w=4 state=2 age_ns=20000000 exec_ns=11000000
10ms 0 gvt_sched_info policy=fair
20ms 0 queue    v=1 w=5
50ms 0 queue    v=1 w=6
END
is "why waits: work that was queued before, told by the kernel" "1 rcs0: other 2 50, 1 times, worst 50 at 0" \
	"$(blame told)"
is "why idle: the engine has been busy all the time" "busy 50 = 50" "$(gaps told rcs0)"
is "workloads: since when it has been queued" "3,-20000000
4,-10000000" "$(workloads told workload_id,queue_ns | head -n 2 | sort)"

# The first GPU is told at 3 ms, and a little later the other one, of which nothing was seen.
mktrace others <<'END'
0ms  0 switch   dev=0 prev=1 next=2
0ms  0 queue    dev=0 v=1 w=2
3ms  0 gvt_workload_state dev=0 v=1 w=2 state=0 age_ns=3000000
3ms  0 gvt_sched_info dev=0 policy=fair
3100us 0 gvt_workload_state dev=1 v=3 w=7 state=0 age_ns=9000000
3100us 0 gvt_sched_info dev=1 policy=fair
8ms  0 queue    dev=1 v=3 w=8
10ms 0 cancel   dev=1 v=3 w=8
END
is "why waits: what waits for a GPU that is told after another one, from the beginning" 10000000 \
	"$("$GVT_STAT" why waits --json -i "$tmp/others.dat" |
	jq '[.blame[] | select(.dev == 1) | .wait_ns] | add')"

# By its age, w 1 was queued 2 ms after the beginning, among what was lost.
mktrace aged <<'END'
0ms  0 switch   prev=0 next=2
1ms  0 balance  v=1
lost 0 1
4ms  0 queue    v=1 w=2
5ms  0 gvt_workload_state v=1 w=1 state=0 age_ns=3000000
5ms  0 gvt_workload_state v=1 w=2 state=0 age_ns=1000000
5ms  0 gvt_sched_info policy=fair
8ms  0 cancel   v=1 w=1
8ms  0 cancel   v=1 w=2
END
is "workloads: what was queued among what was lost was not there before" "1,
2,4000000" "$(workloads aged workload_id,queue_ns | sort)"

# The clock is not at 0 when the recording begins.
mktrace late <<'END'
1000ms 0 switch   prev=1 next=2
1000ms 0 gvt_workload_state v=2 w=4 state=2 age_ns=20000000 exec_ns=11000000
1010ms 0 stop     v=2 w=4 done=1
1010ms 0 complete v=2 w=4
1020ms 0 queue    v=1 w=5
END
is "why idle: the longest time that began before the trace begins with it" '[["busy",10000000,1000000000]]' \
	"$("$GVT_STAT" why idle --json -i "$tmp/late.dat" |
	jq -c '[.gaps[] | select(.reason == "busy") | [.reason, .longest_ns, .longest_at_ns]]')"

# w 1 was submitted before the recording began, when is not known, and fails at 2 ms.
mktrace submitted <<'END'
0ms 0 gvt_workload_state v=1 w=1 state=1 age_ns=5000000 exec_ns=0
1ms 0 queue    v=1 w=2
2ms 0 complete v=1 w=1 status=-5
3ms 0 submit   v=1 w=2
4ms 0 start    v=1 w=2
5ms 0 stop     v=1 w=2 done=1
END
is "workloads: what was submitted before the recording and failed cannot be split" "1,7000000,,
[]" "$(workloads submitted workload_id,total_ns,i915_ns,unknown_ns | grep ^1
	"$GVT_STAT" report --json -i "$tmp/submitted.dat" | jq -c .contradictions)"

mktrace early <<'END'
0ms 0 gvt_workload_state v=1 w=3 state=0 age_ns=900000
1ms 0 submit   v=1 w=3
1ms 0 start    v=1 w=3
3ms 0 stop     v=1 w=3 done=1
3ms 0 complete v=1 w=3
END
has "report: when that was, before the clock's zero" " -0.000900 " "$("$GVT_STAT" report -v -i "$tmp/early.dat")"

finish
