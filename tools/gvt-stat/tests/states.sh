# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Traces with something of everything that gvt-stat can read; after lib.sh.

# woken_by_interrupt: how thread 50 comes to run on CPU 1 at 29 ms
woken_by_interrupt()
{
	cat <<'END'
29ms 1 irq_handler_entry irq=1
29ms 1 hrtimer_expire_entry
29ms 1 sched_waking pid=50
29ms 1 hrtimer_expire_exit
29ms 1 irq_handler_exit irq=1
29ms 1 softirq_entry vec=1
29ms 1 softirq_exit vec=1
29ms 1 sched_switch prev_pid=0 next_pid=50
END
}

# every_kind_of_state: $tmp/all.dat, with workloads that are whole, preempted, cancelled and
# open, lost events, two buffers, memory, and the CPU's scheduler
every_kind_of_state()
{
	{
		cat <<'END'
clock x86-tsc
cpus 2
0ms  0 gvt_vgpu_info v=1 weight=1 aperture_bytes=1048576 type=V5_8 uuid=aa-1
0ms  0 gvt_sched_info vgpus=2 tick_ns=1000000 policy=strict
0ms  0 print buf=gvt-stat-meta~kernel~Linux
0ms  0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=4711~vm=a
1ms  0 submit   v=1 w=1
1ms  0 kvm_entry    common_pid=101
2ms  0 kvm_exit     common_pid=101
2ms  0 queue    v=1 w=2 common_pid=101
2ms  0 sched_waking common_pid=101 pid=50
2ms  0 sched_wakeup common_pid=101 pid=50
2ms  0 sched_switch prev_pid=101 prev_comm=qemu next_pid=50 next_comm=gvt:rcs0
3ms  0 sched_switch prev_pid=50 prev_state=1 next_pid=101
3ms  1 start    v=1 w=2 lrca=0x1000
4ms  1 stop     v=1 w=2 lrca=0x1000 done=0
5ms  0 queue    v=2 w=3 c=1
6ms  0 cancel   v=2 w=3 c=1 reason=1
7ms  0 switch   prev=1 next=2 reason=2
8ms  0 i915_gem_object_create obj=1 size=65536
9ms  0 spt_alloc id=1 spt=0xa type=1
lost 1 3
20ms 1 start    v=1 w=2 lrca=0x1000
END
		woken_by_interrupt
		cat <<'END'
30ms 1 complete v=1 w=2 common_pid=50
31ms 1 stop     v=1 w=2 lrca=0x1000 done=1
40ms 0 queue    v=1 w=4
41ms 0 start    v=1 w=4
buffer other
35ms 1 queue    v=2 w=5 c=2
36ms 1 complete v=2 w=5 c=2 status=-5
END
	} | mktrace all
}

# turn_on_gpu DEV MS STATUS: a turn of each of two vGPUs within that millisecond; with what
# the second one's workload ends
turn_on_gpu()
{
	first=$(($2 * 10))
	at=$2
	cat <<END
${at}100us 0 queue  v=1 w=$((first + 1)) dev=$1
${at}110us 0 queue  v=2 w=$((first + 2)) dev=$1 c=2
${at}120us 0 queue  v=1 w=$((first + 3)) dev=$1
${at}200us 0 switch prev=0 next=1 prev_left_ns=0 next_left_ns=500000 dev=$1
${at}210us 0 submit v=1 w=$((first + 1)) dev=$1
${at}220us 1 start  v=1 w=$((first + 1)) dev=$1
${at}400us 1 stop   v=1 w=$((first + 1)) done=1 dev=$1
${at}410us 0 complete v=1 w=$((first + 1)) dev=$1
${at}600us 0 gvt_sched_hold vgpu_id=2 held_vgpu_id=1 held_ns=100000 result=1 dev=$1
${at}610us 0 switch prev=1 next=2 prev_left_ns=200000 next_left_ns=-1000 drain_ns=1000 dev=$1
${at}620us 0 submit v=2 w=$((first + 2)) dev=$1 c=2
${at}630us 1 start  v=2 w=$((first + 2)) dev=$1 c=2
${at}700us 1 stop   v=2 w=$((first + 2)) done=1 dev=$1 c=2
${at}698us 0 complete v=2 w=$((first + 2)) dev=$1 c=2 status=$3
${at}800us 0 balance v=1 stage=1 weight=2 slice_ns=1000000 left_ns=1000000 dev=$1
${at}810us 0 switch prev=2 next=0 prev_left_ns=0 dev=$1
END
}

# two_gpus: $tmp/two.dat, with two GPUs whose vGPUs have the same ids, turns of all engines on
# one and of each on the other, work from before the trace, changed settings, clocks of CPUs that differ, and
# losses of known and unknown number on both CPUs
two_gpus()
{
	{
		cat <<'END'
clock x86-tsc
cpus 2
0ms  0 gvt_vgpu_info v=1 weight=1 uuid=aa-1 owner_pid=4711 dev=0
0ms  0 gvt_vgpu_info v=2 weight=4 cap=50 nice=-5 uuid=aa-2 dev=0
0ms  0 gvt_vgpu_info v=1 weight=2 uuid=bb-1 dev=1
0ms  0 gvt_vgpu_info v=2 weight=2 uuid=bb-2 dev=1
0ms  0 gvt_sched_info vgpus=2 policy=work-conserving dispatch=exclusive dev=0
0ms  0 gvt_sched_info vgpus=2 policy=fair dispatch=per-engine dev=1
0ms  0 gvt_workload_state v=1 w=3 state=2 age_ns=900000 exec_ns=400000 dev=0
0ms  0 gvt_workload_state v=2 w=4 state=0 age_ns=200000 dev=0
0ms  0 gvt_workload_state v=1 w=2 state=1 age_ns=200000 dev=1
1ms  1 stop     v=1 w=3 done=1 dev=0
1ms  0 complete v=1 w=3 dev=0
END
		turn_on_gpu 0 2 0
		turn_on_gpu 1 3 -5
		echo "4ms 0 gvt_sched_setting vgpu_id=0 setting=policy old_value=fair new_value=strict dev=1"
		echo "4ms 0 gvt_sched_setting vgpu_id=1 setting=cap old_value=0 new_value=20 dev=1"
		echo "lost 0 7"
		turn_on_gpu 0 5 0
		echo "lost 1"
		turn_on_gpu 1 6 0
		cat <<'END'
7010us 0 switch prev=0 next=1 class=0 instance=0 dev=1
7020us 0 queue  v=1 w=90 dev=1
7021us 0 submit v=1 w=90 dev=1
7019us 1 start  v=1 w=90 dev=1
7030us 0 queue  v=2 w=91 dev=1
7031us 0 submit v=2 w=91 dev=1
7040us 1 start  v=2 w=91 dev=1
7040us 1 stop   v=1 w=90 done=0 dev=1
7500us 1 stop   v=2 w=91 done=1 dev=1
7501us 0 cancel v=1 w=90 reason=1 dev=1
7502us 0 complete v=2 w=91 dev=1
lost 0
9ms  0 queue  v=2 w=92 dev=0
buffer other
8ms  1 queue  v=3 w=93 c=1 dev=1
8500us 1 complete v=3 w=93 c=1 dev=1
END
	} | mktrace two
}

# seven_vgpus: $tmp/seven.dat, two turns of each of them on one engine, which can be simulated
seven_vgpus()
{
	{
		echo "clock x86-tsc"
		echo "0ms 0 gvt_sched_info vgpus=7 tick_ns=1000000 period_ns=100000000 stages=10 policy=fair dispatch=exclusive"
		for vgpu in 1 2 3 4 5 6 7; do
			echo "0ms 0 gvt_vgpu_info v=$vgpu weight=$vgpu uuid=aa-$vgpu"
		done
		for turn in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
			vgpu=$((turn % 7 + 1))
			at=$((turn + 1))
			work="v=$vgpu w=$at"
			echo "${at}000us 0 queue $work"
			echo "${at}100us 0 switch prev=$((vgpu % 7)) next=$vgpu"
			echo "${at}200us 0 submit $work"
			echo "${at}201us 0 start $work"
			echo "${at}800us 0 stop $work done=1"
			echo "${at}801us 0 complete $work"
		done
	} | mktrace seven
}

# versions_of NAME: its file, and those that trace-cmd makes of it in the newer version
versions_of()
{
	echo "$tmp/$1.dat"
	for compression in none zstd; do
		if trace-cmd convert --file-version 7 --compression "$compression" -i "$tmp/$1.dat" \
			-o "$tmp/$1-$compression.dat" >"$tmp/convert" 2>&1; then
			echo "$tmp/$1-$compression.dat"
		fi
	done
}
