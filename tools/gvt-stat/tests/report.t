#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat's numbers against values computed by hand.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

row='.vgpus[0].engines[0]'

# --- one vGPU, one engine ------------------------------------------------------
# Window 1000..1100 ms. Two workloads: waits 4 and 6 ms, execution 10 and 20 ms.
mktrace one <<'END'
cpus 2
1000ms 0 queue    v=1 w=1 guest_lrca=0x1000
1001ms 1 submit   v=1 w=1 ctx=7 seqno=3
1004ms 1 start    v=1 w=1 ctx=7 seqno=3 lrca=0xfe7000
1010ms 0 queue    v=1 w=2 guest_lrca=0x2000
1014ms 1 stop     v=1 w=1 ctx=7 seqno=3 lrca=0xfe7000 done=1
1015ms 1 complete v=1 w=1
1016ms 1 start    v=1 w=2 ctx=7 seqno=4 lrca=0xfe7000
1036ms 1 stop     v=1 w=2 ctx=7 seqno=4 lrca=0xfe7000 done=1
1040ms 1 complete v=1 w=2
1100ms 0 switch   prev=1 next=0
END
is "one vGPU: utilisation is execution over window" 30 "$(json one "$row.utilization_percent")"
is "one vGPU: mean wait" 5000000 "$(json one "$row.wait_mean_ns")"
# standard deviation of 4 and 6 is sqrt(2), its error 1, of 5: 20 %
is "one vGPU: standard error of the mean" 20 "$(json one "$row.wait_stderr_percent | round")"
is "one vGPU: latency is wait and execution" 20000000 "$(json one "$row.latency_mean_ns")"
is "one vGPU: time to completion is separate" 22500000 "$(json one "$row.turnaround_mean_ns")"
is "one vGPU: time-weighted queue: 4 and 6 ms of 100" 0.1 "$(json one "$row.queue_len_mean")"
is "one vGPU: longest queue" 1 "$(json one "$row.queue_len_max")"
is "one vGPU: counts" '[2,2,0,0,0,0,0]' "$(json one \
	"$row | [.queued, .completed, .failed, .cancelled, .open, .partial, .tainted]")"
is "one vGPU: the worst wait is named" '[6000000,1010000000,2]' "$(json one \
	"$row | [.wait_max_ns, .wait_max_at_ns, .wait_max_workload_id]")"
is "one vGPU: quantiles interpolate" '[5000000,5900000,5980000]' "$(json one \
	"$row | [.wait_p50_ns, .wait_p95_ns, .wait_p99_ns]")"
is "one vGPU: the GPU's row is the same" true "$(json one \
	".gpus[0].engines[0] == $row")"
is "one vGPU: workloads" "1,7,3,16674816,1000000000,1001000000,1004000000,1014000000,1015000000,10000000,4000000,14000000,1,0,complete
2,7,4,16674816,1010000000,,1016000000,1036000000,1040000000,20000000,6000000,26000000,1,0,complete" \
	"$(workloads one workload_id,ctx,seqno,lrca,queue_ns,submit_ns,start_ns,stop_ns,complete_ns,exec_ns,wait_ns,latency_ns,pieces,status,state)"
is "one vGPU: the header of the list" \
	"workload_id,vgpu_id,engine,ctx,seqno,lrca,queue_ns,submit_ns,start_ns,stop_ns,complete_ns,exec_ns,wait_ns,latency_ns,pieces,status,state,tainted,other_ns,throttled_ns,capped_ns,held_ns,switching_ns,own_ns,dispatch_ns,i915_ns,preempted_ns,completion_ns,unknown_ns,total_ns,vm,dev,host_ns" \
	"$("$GVT_STAT" list workloads --csv -i "$tmp/one.dat" | tr -d '\r' | head -n 1)"

# --- two vGPUs, slices and shares ----------------------------------------------
# vGPU 1 (weight 1): 10 ms on rcs0; vGPU 2 (weight 3): 30 ms on rcs0, 40 on vcs0.
mktrace two <<'END'
0ms   0 gvt_vgpu_info v=1 weight=1 aperture_bytes=1048576 hidden_bytes=2097152 owner_pid=11 type=V5_8 uuid=aa-1
0ms   0 gvt_vgpu_info v=2 weight=3 aperture_bytes=4194304 hidden_bytes=8388608 owner_pid=0 type=V5_4 uuid=aa-2
0ms   0 gvt_sched_info vgpus=2 tick_ns=1000000 period_ns=100000000 stages=10 boost_ns=2000000000 policy=strict
1ms   0 queue    v=1 w=1
2ms   0 queue    v=2 w=2
3ms   0 queue    v=2 w=3 c=2
10ms  0 switch   prev=0 next=1 reason=0
10ms  0 start    v=1 w=1
20ms  0 stop     v=1 w=1 done=1
20ms  0 complete v=1 w=1
20ms  0 switch   prev=1 next=2 reason=2 drain_ns=500000 prev_left_ns=-250000
20ms  0 start    v=2 w=2
20ms  0 start    v=2 w=3 c=2
50ms  0 stop     v=2 w=2 done=1
50ms  0 complete v=2 w=2
60ms  0 stop     v=2 w=3 c=2 done=1
60ms  0 complete v=2 w=3 c=2
60ms  0 switch   prev=2 next=0 reason=0 drain_ns=1500000
70ms  0 switch   prev=0 next=1 reason=3
100ms 0 balance  v=1 stage=1 weight=1
END
is "two vGPUs: utilisation by vGPU and engine" '[[1,"rcs0",10],[2,"rcs0",30],[2,"vcs0",40]]' \
	"$(json two '[.vgpus[] | .vgpu_id as $v | .engines[] | [$v, .engine, .utilization_percent]]')"
is "two vGPUs: utilisation of the GPU's engines" '[["rcs0",40],["vcs0",40]]' \
	"$(json two '[.gpus[0].engines[] | [.engine, .utilization_percent]]')"
is "two vGPUs: queues of one engine add up" '[[0.09,1],[0.18,1],[0.27,2]]' "$(json two \
	'[(.vgpus[0,1], .gpus[0]).engines[0] | [.queue_len_mean, .queue_len_max]]')"
is "two vGPUs: shares of execution and weight" '[[12.5,25],[87.5,75]]' "$(json two \
	'[.vgpus[] | [.exec_share_percent, .weight_share_percent]]')"
is "two vGPUs: slices, mean run, time scheduled" '[[2,10000000,40000000,40],[1,40000000,40000000,40]]' \
	"$(json two '[.vgpus[] | [.slices, .slice_mean_ns, .scheduled_ns, .scheduled_percent]]')"
is "two vGPUs: drain, debt and reasons" '[[500000,-250000,1,0],[1500000,0,0,1]]' "$(json two \
	'[.vgpus[] | [.drain_mean_ns, .left_min_ns, .slices_ended_slice, .slices_ended_idle]]')"
is "two vGPUs: idle time of the GPU" 20000000 "$(json two '.gpus[0].idle_ns')"
is "two vGPUs: what info events tell" '[["V5_8","aa-1",1048576,11],["V5_4","aa-2",4194304,0]]' \
	"$(json two '[.vgpus[] | [.type, .uuid, .aperture_bytes, .owner_pid]]')"
is "two vGPUs: settings" '["strict",1000000,100000000,10]' "$(json two \
	'.gpus[0] | [.policy, .tick_ns, .period_ns, .stages]')"
mktrace fair <<'END'
0ms 0 gvt_sched_info policy=fair period_ns=100000000 carry_over=1 leftover_max_ns=1000000000 max_wait_ns=500000000 anticipation_ns=20000000 dispatch=exclusive
1ms 0 queue v=1 w=1
END
is "further settings" '[1,1000000000,500000000,20000000,"exclusive"]' "$(json fair \
	'.gpus[0] | [.carry_over, .leftover_max_ns, .max_wait_ns, .anticipation_ns, .dispatch]')"
matches "further settings in the table" "*policy fair*longest wait 500 ms, anticipation 20 ms, dispatch exclusive*" \
	"$("$GVT_STAT" report -v -i "$tmp/fair.dat")"
is "--vgpu by id" '[2]' "$(json two '[.vgpus[].vgpu_id]' --vgpu 2)"
is "--vgpu by UUID" '[1]' "$(json two '[.vgpus[].vgpu_id]' --vgpu AA-1)"
is "--vgpu several" '[1,2]' "$(json two '[.vgpus[].vgpu_id]' --vgpu aa-2,1)"
is "--engine" '[[],["vcs0"]]' "$(json two '[.vgpus[] | [.engines[].engine]]' --engine vcs0)"
is "workloads --vgpu by UUID" "2
3" "$(workloads two workload_id --vgpu aa-2)"

# --- a trace that begins and ends in the middle --------------------------------
# Trace 0..100 ms. w 5 has been running, 6 and 7 waiting since before: 6 starts at
# 20 and stops at 40, 7 starts at 40 and is cut off. 8 is queued at 60 and stays.
# Waiting: 2 in 0..20, 1 in 20..40, none in 40..60, 1 in 60..100: mean 1.0.
mktrace middle <<'END'
0ms   0 balance  v=1 stage=1 weight=4
20ms  0 stop     v=1 w=5 done=1
20ms  0 complete v=1 w=5
20ms  0 start    v=1 w=6
40ms  0 stop     v=1 w=6 done=1
40ms  0 complete v=1 w=6
40ms  0 submit   v=1 w=7
40ms  0 start    v=1 w=7
60ms  0 queue    v=1 w=8
100ms 0 balance  v=1 stage=2 weight=4
END
is "middle: execution is clipped to the trace" 100 "$(json middle "$row.utilization_percent")"
is "middle: the queue is reconstructed backwards" '[1,2]' "$(json middle \
	"$row | [.queue_len_mean, .queue_len_max]")"
is "middle: unknown waits are not counted" '[0,null,null]' "$(json middle \
	"$row | [.wait_count, .wait_mean_ns, .wait_max_ns]")"
is "middle: counts" '[1,2,2,2]' "$(json middle "$row | [.queued, .completed, .partial, .open]")"
is "middle: workloads" "5,,,20000000,,partial
6,,,40000000,,partial
7,,40000000,,,open
8,60000000,,,,open" "$(workloads middle workload_id,queue_ns,start_ns,stop_ns,exec_ns,state)"
is "middle: pieces" "5,,20000000,1
6,20000000,40000000,1
7,40000000,," "$(workloads middle workload_id,start_ns,stop_ns,completed --pieces)"

# --- preempted work --------------------------------------------------------------
# Queued at 0, runs 10..30, out 30..50, runs 50..60: execution 30, wait 30, latency 60.
# B starts on the engine before A's stop is seen, as with i915's preemption.
mktrace preempt <<'END'
0ms   0 queue    v=1 w=1
10ms  0 start    v=1 w=1
20ms  0 queue    v=2 w=2
30ms  0 start    v=2 w=2
30ms  0 stop     v=1 w=1 done=0
50ms  0 stop     v=2 w=2 done=1
50ms  0 start    v=1 w=1
51ms  0 complete v=2 w=2
60ms  0 stop     v=1 w=1 done=1
61ms  0 complete v=1 w=1
100ms 0 balance  v=1 stage=1 weight=1
END
is "preempted: execution, wait and latency" '[30000000,30000000,60000000]' "$(json preempt \
	"$row | [.exec_mean_ns, .wait_mean_ns, .latency_mean_ns]")"
is "preempted: utilisation" '[30,20]' "$(json preempt '[.vgpus[].engines[0].utilization_percent]')"
is "preempted: waits again while switched out" '[0.3,0.1]' "$(json preempt \
	'[.vgpus[].engines[0].queue_len_mean]')"
is "preempted: pieces" "1,10000000,30000000,0
2,30000000,50000000,1
1,50000000,60000000,1" "$(workloads preempt workload_id,start_ns,stop_ns,completed --pieces)"
is "preempted: piece count and state" "2,1,complete
1,2,complete" "$(workloads preempt workload_id,pieces,state)"

# --- cancelled and failed work -----------------------------------------------------
# 1 hangs (10..40, -EIO); 2 waits 5..50 and is cancelled; 3 fails to be dispatched at 70.
mktrace bad <<'END'
0ms   0 queue    v=1 w=1
5ms   0 queue    v=1 w=2
10ms  0 start    v=1 w=1
40ms  0 stop     v=1 w=1 done=0
45ms  0 complete v=1 w=1 status=-5
50ms  0 cancel   v=1 w=2 reason=1
60ms  0 queue    v=1 w=3
70ms  0 complete v=1 w=3 status=-22
100ms 0 balance  v=1 stage=1 weight=1
END
is "failed and cancelled: counts" '[3,0,2,1,0]' "$(json bad \
	"$row | [.queued, .completed, .failed, .cancelled, .open]")"
is "failed and cancelled: they used the engine" 30 "$(json bad "$row.utilization_percent")"
# 0..10: 1 (w 1, which from 40 on is only to be completed); 5..50: 1 (w 2); 60..70: 1 (w 3) = 65 of 100
is "failed and cancelled: they leave the queue" '[0.65,2]' "$(json bad \
	"$row | [.queue_len_mean, .queue_len_max]")"
is "failed and cancelled: no part of wait and latency" '[0,0]' "$(json bad \
	"$row | [.wait_count, .latency_count]")"
is "failed and cancelled: workloads" "1,30000000,-5,complete
2,0,,cancelled
3,0,-22,complete" "$(workloads bad workload_id,exec_ns,status,state)"

# --- a stop that is traced after the completion ------------------------------------
mktrace late <<'END'
cpus 2
0ms  0 queue    v=1 w=1
10ms 0 start    v=1 w=1
20ms 0 complete v=1 w=1
21ms 1 stop     v=1 w=1 done=1
30ms 0 queue    v=1 w=2
31ms 0 start    v=1 w=2
40ms 0 complete v=1 w=2
50ms 0 queue    v=1 w=3
51ms 0 start    v=1 w=3
59ms 0 stop     v=1 w=3 done=1
60ms 0 complete v=1 w=3
END
is "late stop: it belongs to its workload; a stop that never comes is unknown" \
"1,11000000,complete
2,,partial
3,8000000,complete" "$(workloads late workload_id,exec_ns,state)"

mktrace nostop <<'END'
0ms   0 queue    v=1 w=1
10ms  0 start    v=1 w=1
20ms  0 stop     v=1 w=1 done=1
20ms  0 complete v=1 w=1
30ms  0 queue    v=1 w=2
40ms  0 start    v=1 w=2
50ms  0 complete v=1 w=2
100ms 0 balance  v=1 stage=1 weight=1
END
is "no stop after a completion: not taken to run to the end" '[null,10,20,1,0]' "$(json nostop \
	"$row | [.utilization_percent, .utilization_percent_min, .utilization_percent_max, .partial, .open]")"
matches "no stop after a completion: bounds in the table" "*1    rcs0   10.00..20.00 *" \
	"$("$GVT_STAT" report -v -i "$tmp/nostop.dat")"

# --- --time --------------------------------------------------------------------------
# of "one": 1010..1030 ms holds 4 ms of w 1 and 14 ms of w 2; w 2 waits 1010..1016.
is "--time absolute: clipped utilisation" 90 "$(json one "$row.utilization_percent" --time 1.01,1.03)"
is "--time relative: the same" 90 "$(json one "$row.utilization_percent" --time +0.01,+0.03)"
is "--time: queue inside the window" 0.3 "$(json one "$row.queue_len_mean" --time +0.01,+0.03)"
is "--time: workloads count where they end" '[1,1,1]' "$(json one \
	"$row | [.queued, .completed, .open]" --time +0.01,+0.03)"
is "--time: slices are clipped, too" '[[0,5000000],[1,10000000]]' "$(json two \
	'[.vgpus[] | [.slices, .scheduled_ns]]' --time 0.015,0.03)"
is "--time: one side open" '[1036000000,1100000000]' "$(json one \
	'[.window_start_ns, .window_end_ns]' --time 1.036,)"
is "--time: never beyond the trace" '[1000000000,1100000000]' "$(json one \
	'[.window_start_ns, .window_end_ns]' --time 0,99)"
is "workloads --time: those alive in the window" "1
2" "$(workloads one workload_id --time +0.012,+0.013)"
is "workloads --time: later ones are not" "1" "$(workloads one workload_id --time +0.001,+0.002)"

# --- the first screen -----------------------------------------------------------------
headings()
{
	"$GVT_STAT" report -i "$tmp/one.dat" "$@" | sed -n '/^$/{n;s/:.*//;p;}' |
		sed "/^First of/d; /^'gvt-stat/d; /^Missing events/,\$d; s/, .*//" | paste -sd+
}
is "the first screen" "Engines+VMs" "$(headings)"
is "of the lines over time, too" "Over time+Latency over time" "$(headings --interval 1s)"
is "--verbose: of each interval" "Over time+Latency over time+Each interval" "$(headings -v --interval 1s)"
is "and they are what the verbose report begins with" "$("$GVT_STAT" report -i "$tmp/one.dat" | sed "/^'gvt-stat \(why\|report\)/,\$d")" \
	"$("$GVT_STAT" report -v -i "$tmp/one.dat" | sed '/^Utilisation, queue/,$d')"
"$GVT_STAT" report -v --json -i "$tmp/one.dat" >"$tmp/out" 2>"$tmp/err"
is "--verbose: not for programs" "129 gvt-stat: report: --verbose is for tables; --csv and --json have everything" "$? $(cat "$tmp/err")"

# --- memory ---------------------------------------------------------------------------
# vGPU 1: a and b made, a freed, x freed that was older: 4 KiB left, 8 at most.
mktrace memory <<'END'
0ms  0 queue v=1 w=1
1ms  0 spt_alloc id=1 spt=0xa type=1
2ms  0 spt_alloc id=1 spt=0xb type=1
3ms  0 spt_free  id=1 spt=0xa type=1
4ms  0 spt_free  id=1 spt=0xff type=1
5ms  0 i915_gem_object_create obj=1 size=65536
6ms  0 i915_gem_object_create obj=2 size=4096
7ms  0 i915_gem_object_destroy obj=1
8ms  0 i915_gem_object_destroy obj=99
END
is "memory: shadow page tables" '[2,2,4096,8192]' "$(json memory \
	'.vgpus[0] | [.spt_allocated, .spt_freed, .spt_bytes_min, .spt_peak_bytes_min]')"
printf '%s\n' '0ms 0 queue v=1 w=1' '1ms 0 i915_gem_object_create obj=1 size=4096' \
	'2ms 0 i915_gem_object_create obj=1 size=8192' | mktrace again
is "memory: an address in use again was destroyed unseen" '[8192,8192]' "$(json again \
	'.gpus[0] | [.gem_bytes_min, .gem_peak_bytes_min]')"
is "memory: GEM objects" '[2,69632,2,4096,69632]' "$(json memory '.gpus[0] |
	[.gem_created, .gem_created_bytes, .gem_destroyed, .gem_bytes_min, .gem_peak_bytes_min]')"

# --- buffer instances --------------------------------------------------------------------
mktrace buffers <<'END'
cpus 2
buffer top
0ms  0 balance v=1 stage=1 weight=1
buffer gvt
10ms 1 queue    v=1 w=1
20ms 0 start    v=1 w=1
buffer other
30ms 1 stop     v=1 w=1 done=1
buffer gvt
31ms 1 complete v=1 w=1
buffer top
100ms 1 balance v=1 stage=2 weight=1
END
is "buffers: events of all instances in one order" '[10,10000000,1]' "$(json buffers \
	"$row | [.utilization_percent, .wait_mean_ns, .completed]")"
is "buffers: counted" 3 "$(json buffers .trace.buffers)"

# Both buffers hold all events, with their own time; "b" also loses some. Holes
# between fields differ from copy to copy, which mktrace cannot show.
mktrace copies <<'END'
buffer a
10000us 0 queue    v=1 w=1
20000us 0 start    v=1 w=1
30000us 0 stop     v=1 w=1 done=0
40000us 0 start    v=1 w=1
50000us 0 stop     v=1 w=1 done=1
50100us 0 complete v=1 w=1
60000us 0 queue    v=1 w=2
buffer b
10001us 0 queue    v=1 w=1
20001us 0 start    v=1 w=1
30001us 0 stop     v=1 w=1 done=0
40001us 0 start    v=1 w=1
50001us 0 stop     v=1 w=1 done=1
50101us 0 complete v=1 w=1
60001us 0 queue    v=1 w=2
70000us 0 queue    v=1 w=3
END
is "buffers: an event that is in two counts once" '[3,1,20000000,7,0]' "$(json copies \
	"[$row.queued, $row.completed, $row.exec_ns, .trace.repeated_events, .contradicting_events]")"

# "a" ends after the first piece; the second is only in "b", with equal contents.
mktrace early <<'END'
buffer a
10ms 0 queue    v=1 w=1
20ms 0 start    v=1 w=1
30ms 0 stop     v=1 w=1 done=0
buffer b
10ms 0 queue    v=1 w=1
20ms 0 start    v=1 w=1
30ms 0 stop     v=1 w=1 done=0
40ms 0 start    v=1 w=1
60ms 0 stop     v=1 w=1 done=0
END
is "buffers: one ends before the other" "1,20000000,30000000
1,40000000,60000000" "$(workloads early workload_id,start_ns,stop_ns --pieces)"

# --- several GPUs ----------------------------------------------------------------
mktrace gpus <<'END'
0ms  0 queue    dev=0 v=1 w=1
0ms  0 queue    dev=1 v=1 w=2
0ms  0 start    dev=0 v=1 w=1
0ms  0 start    dev=1 v=1 w=2
10ms 0 stop     dev=0 v=1 w=1 done=1
20ms 0 stop     dev=1 v=1 w=2 done=1
50ms 0 spt_alloc id=1 spt=1
100ms 0 switch  dev=1 prev=1 next=0
END
is "GPUs: rows of their own" '[[0,1,10],[1,1,20]]' "$(json gpus \
	'[.vgpus[] | [.dev, .vgpu_id, .engines[0].utilization_percent]]')"
is "GPUs: page tables cannot be told apart" '[null,null]' "$(json gpus '[.vgpus[].spt_allocated]')"
matches "GPUs: named in the table" "*1/all *" "$("$GVT_STAT" report -v -i "$tmp/gpus.dat")"

# --- lost events --------------------------------------------------------------------------
# CPU 1 loses 7 events between 30 and 60 ms. w 1 is over by then, w 2 lives in the gap, w 3
# begins and ends in it on the other CPU, w 4 comes later.
mktrace lost <<'END'
cpus 2
0ms   0 queue    v=1 w=1
5ms   1 start    v=1 w=1
10ms  1 stop     v=1 w=1 done=1
11ms  0 complete v=1 w=1
20ms  0 queue    v=1 w=2
30ms  1 start    v=1 w=2
35ms  0 queue    v=2 w=3 c=1
40ms  0 start    v=2 w=3 c=1
45ms  0 stop     v=2 w=3 c=1 done=1
46ms  0 complete v=2 w=3 c=1
55ms  0 complete v=1 w=2
lost 1 7
60ms  1 balance  v=1 stage=1 weight=1
70ms  0 queue    v=1 w=4
75ms  1 start    v=1 w=4
80ms  1 stop     v=1 w=4 done=1
81ms  1 complete v=1 w=4
END
is "lost: counted" '{"gaps":1,"gaps_of_unknown_size":0,"events_min":7}' "$(json lost .lost)"
is "lost: exactly the workloads alive in the gap are marked" "1,complete,0
2,partial,1
3,partial,1
4,complete,0" "$(workloads lost workload_id,state,tainted | sort)"
# 10 to 20 ms are lost, in which others may have had their turns, too; then on, and up to then, it is known whose it was
mktrace turns <<'END'
0ms  0 gvt_vgpu_info v=1
0ms  0 gvt_vgpu_info v=2
0ms  0 gvt_sched_info policy=fair
2ms  0 switch prev=0 next=1
10ms 0 gvt_vgpu_info v=1
lost 0 4
20ms 0 gvt_vgpu_info v=1
25ms 0 switch prev=2 next=0
30ms 0 switch prev=0 next=1
40ms 0 gvt_vgpu_info v=1
END
is "lost: how long a vGPU was scheduled is between bounds" '[[null,18000000,28000000,45,70],[null,5000000,15000000,12.5,37.5]]' "$(json turns \
	'[.vgpus[] | [.scheduled_ns, .scheduled_ns_min, .scheduled_ns_max, .scheduled_percent_min, .scheduled_percent_max]]')"
is "lost: and for how long none was" '[null,7000000,17000000]' "$(json turns '.gpus[0] | [.idle_ns, .idle_ns_min, .idle_ns_max]')"
matches "lost: and so it is shown" "* 45.00..70.00 *" "$("$GVT_STAT" report -v -i "$tmp/turns.dat")"
is "lost: with --time after it, it is known" '[[10000000,100],[0,0]]' "$(json turns \
	'[.vgpus[] | [.scheduled_ns, .scheduled_percent]]' --time 0.03,0.04)"
is "lost: rows that hold them are marked" '[[1,"rcs0",1],[2,"bcs0",1]]' "$(json lost \
	'[.vgpus[] | .vgpu_id as $v | .engines[] | [$v, .engine, .tainted]]')"
# w 1 was preempted in the gap, or when it was back: from 6 to 12 it may have waited.
mktrace backagain <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
5ms  1 balance  v=1
lost 1 1
8ms  1 queue    v=1 w=2
12ms 0 start    v=1 w=1
14ms 0 stop     v=1 w=1 done=1
15ms 0 complete v=1 w=1
16ms 0 submit   v=1 w=2
17ms 0 start    v=1 w=2
18ms 0 stop     v=1 w=2 done=1
20ms 0 balance  v=1
END
is "lost: what was preempted unseen may have waited until it was back" '[null,true]' \
	"$(json backagain "$row | [.queue_len_mean, .queue_len_mean_max >= 0.85]")"
is "lost: also in a window after the gap" '[null,9,13]' "$(json backagain "$row | [.queue_len_mean,
	(.queue_len_mean_min * 12 | round), (.queue_len_mean_max * 12 | round)]" --time 0.008,0.020)"

# The start of w 1 is lost: its execution is unknown and not taken for 0..60 ms.
mktrace nostart <<'END'
cpus 2
0ms   0 queue    v=1 w=1
0ms   0 queue    v=1 w=2
0ms   1 submit   v=1 w=1
lost 1
60ms  1 stop     v=1 w=1 done=1
61ms  1 complete v=1 w=1
70ms  1 start    v=1 w=2
80ms  1 stop     v=1 w=2 done=1
81ms  1 complete v=1 w=2
100ms 0 switch
END
is "lost: a start that is lost makes the execution unknown" '[null,10,70,0]' "$(json nostart \
	"$row | [.utilization_percent, .utilization_percent_min, .utilization_percent_max, .exec_count]")"
is "lost: all that wait in the gap are marked" "1,,partial,1
2,,partial,1" "$(workloads nostart workload_id,exec_ns,state,tainted)"
is "lost: a gap of unknown size" '{"gaps":1,"gaps_of_unknown_size":1,"events_min":1}' \
	"$(json nostart .lost)"
"$GVT_STAT" list workloads -i "$tmp/lost.dat" >"$tmp/out" 2>"$tmp/err"
matches "lost: the list warns" "gvt-stat: warning: *lost in 1 gaps*" "$(cat "$tmp/err")"
matches "lost: the table tells" "*Lost: at least 7 events in 1 gaps*" \
	"$("$GVT_STAT" report -v -i "$tmp/lost.dat")"

# Two buffers: the one that loses events has only page tables; what is alive in its gap is
# not marked, and whose turn it is stays known.
mktrace elsewhere <<'END'
cpus 2
buffer gvt
0ms   0 switch   prev=0 next=1
1ms   0 queue    v=1 w=1
40ms  0 submit   v=1 w=1
41ms  0 start    v=1 w=1
50ms  0 stop     v=1 w=1 done=1
51ms  0 complete v=1 w=1
buffer memory
5ms   0 spt_alloc id=1 spt=0xa type=1
lost 0 7
30ms  0 spt_free  id=1 spt=0xa type=1
END
is "lost in another buffer: told, and nothing is marked" '[1,7,0]' \
	"$(json elsewhere "[.lost.gaps, .lost.events_min, $row.tainted]")"
is "lost in another buffer: nothing is unknown" "0,39000000,0" \
	"$(workloads elsewhere tainted,dispatch_ns,unknown_ns)"
mktrace both <<'END'
cpus 2
buffer memory
5ms   0 spt_alloc id=1 spt=0xa type=1
lost 0 7
30ms  0 spt_free  id=1 spt=0xa type=1
60ms  0 balance  v=1
buffer gvt
1ms   0 queue    v=1 w=1
51ms  0 complete v=1 w=1
END
is "lost in a buffer that has such events, if only later: marked" 1 "$(json both "$row.tainted")"

# w 1 was queued in the gap, or before the trace.
mktrace first <<'END'
0ms  0 balance  v=1
4ms  0 balance  v=1
lost 0 1
6ms  0 queue    v=1 w=2
8ms  0 cancel   v=1 w=1
8ms  0 cancel   v=1 w=2
10ms 0 balance  v=1
END
is "lost: what may have been queued in the gap or before the trace" "[null,true,true]" \
	"$(json first '.vgpus[0].engines[0] | [.queue_len_mean, .queue_len_mean_min <= 0.4, .queue_len_mean_max >= 1]')"

# --- clocks of CPUs that differ ------------------------------------------
# CPU 1 is 6 us behind: w 10 is submitted before it is queued, w 11 starts before it is submitted.
mktrace skew <<'END'
clock local
cpus 2
0us     0 queue    v=1 w=9
1000us  1 submit   v=1 w=10
1004us  0 queue    v=1 w=10
1006us  1 start    v=1 w=10
1006us  0 queue    v=1 w=11
2000us  1 start    v=1 w=11
2005us  0 submit   v=1 w=11
3000us  1 stop     v=1 w=11 done=1
3005us  0 complete v=1 w=11
5000us  1 stop     v=1 w=10 done=1
5005us  0 complete v=1 w=10
END
is "skew: the order of each workload" "10,1004000,1004000,1006000,3994000,complete
11,1006000,2005000,2005000,995000,complete" \
	"$(workloads skew workload_id,queue_ns,submit_ns,start_ns,exec_ns,state | grep complete | sort)"
is "skew: counted" '{"events":2,"max_ns":5000}' "$(json skew .skew)"
is "skew: nothing contradicts" 0 "$(json skew .contradicting_events)"
matches "skew: told" "*Clocks of CPUs differ by at least 5.000 us: 2 events*" \
	"$("$GVT_STAT" report -v -i "$tmp/skew.dat")"
# CPU 0, with the switches, is 3 us ahead: both engines have work of vGPU 2 before its turn. Then it
# has work on them in nobody's turn for good: as its clock, the turn is not to be believed.
mktrace early <<'END'
cpus 2
0us     0 queue    v=2 w=1
0us     0 queue    v=2 w=2 class=2
0us     1 queue    v=1 w=3
1us     0 switch   prev=0 next=1
2us     1 submit   v=1 w=3
3us     1 start    v=1 w=3
90us    1 stop     v=1 w=3 done=1
91us    1 complete v=1 w=3
100us   1 submit   v=2 w=1
101us   1 submit   v=2 w=2 class=2
102us   1 start    v=2 w=1
103us   0 switch   prev=1 next=2
105us   1 start    v=2 w=2 class=2
400us   1 stop     v=2 w=1 done=1
401us   1 complete v=2 w=1
500us   1 stop     v=2 w=2 class=2 done=1
501us   1 complete v=2 w=2 class=2
600us   0 switch   prev=2 next=1
700us   0 queue    v=2 w=4
800us   1 start    v=2 w=4
801us   1 submit   v=2 w=4
9000us  1 stop     v=2 w=4 done=1
9001us  1 complete v=2 w=4
END
is "skew: the turn of all engines" "1,103000,103000,297000,0
2,103000,105000,395000,2000" \
	"$(workloads early workload_id,submit_ns,start_ns,exec_ns,i915_ns | grep '^[12],')"
is "skew: a start before its submission counts once" 8301000 \
	"$(workloads early workload_id,other_ns,unknown_ns,own_ns,dispatch_ns,i915_ns,exec_ns,completion_ns |
	awk -F, '$1 == 4 { print $2 + $3 + $4 + $5 + $6 + $7 + $8 }')"
# CPU 1 is 10 us behind: w 1 fails before it is submitted, in its vGPU's turn, for which the GPU was
# kept idle. CPU 2 is 10 us ahead: w 4 is submitted just before the turn is over.
mktrace turn <<'END'
cpus 3
0us     0 switch   prev=0 next=1
1000us  0 queue    v=2 w=1
1000us  0 queue    v=2 w=2
4999us  1 complete v=2 w=1 status=-22
5001us  1 submit   v=2 w=2
5007us  0 gvt_sched_hold v=1 held_vgpu_id=2 held_ns=2000000
5007us  0 switch   prev=1 next=2
5012us  1 start    v=2 w=2
5990us  1 stop     v=2 w=2 done=1
5991us  1 complete v=2 w=2
6100us  0 queue    v=2 w=4
6500us  0 switch   prev=2 next=1
6505us  2 submit   v=2 w=4
6506us  2 start    v=2 w=4
6990us  2 stop     v=2 w=4 done=1
6991us  2 complete v=2 w=4
9000us  0 queue    v=1 w=5
END
is "skew: a failure before the turn, and a submission after it" "1,,5007000,2000000,2007000
2,5007000,5991000,2000000,2007000
4,6505000,6991000,0,5000" \
	"$(workloads turn workload_id,submit_ns,complete_ns,held_ns,other_ns | grep '^[124],')"
# GPU 1 begins long after GPU 0: w 1 is told to be submitted before it is queued. So is w 3 of
# GPU 2, whose w 1 is from before the trace.
mktrace second <<'END'
clock local
cpus 2
0ms       0 gvt_sched_info dev=0 policy=fair
0ms       0 gvt_sched_info dev=1 policy=fair
0ms       0 gvt_sched_info dev=2 policy=fair
1ms       0 queue    v=1 w=7
10ms      1 submit   dev=1 v=1 w=1
10001us   0 queue    dev=1 v=1 w=1
10010us   1 start    dev=1 v=1 w=1
11ms      1 stop     dev=1 v=1 w=1 done=1
12001us   1 complete dev=1 v=1 w=1
15ms      1 stop     dev=2 v=1 w=1 done=1
15ms      1 complete dev=2 v=1 w=1
20ms      1 submit   dev=2 v=1 w=3
20001us   0 queue    dev=2 v=1 w=3
20010us   1 start    dev=2 v=1 w=3
21ms      1 stop     dev=2 v=1 w=3 done=1
22001us   1 complete dev=2 v=1 w=3
END
is "skew: of GPUs that begin later" "[[0,1,0,null],[1,1,0,2000000],[2,1,1,2000000]]" \
	"$(json second '[.gpus[] | [.dev, (.engines[0] | .queued, .partial, .turnaround_max_ns)]] | sort')"

printf 'clock local\ncpus 2\n1ms 0 queue v=1 w=1\n2ms 0 cancel v=1 w=1\n' | mktrace local
matches "clock local: a warning" "*Clock local: CPUs' clocks may differ*" \
	"$("$GVT_STAT" report -v -i "$tmp/local.dat")"

finish
