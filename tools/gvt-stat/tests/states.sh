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

# versions_of NAME: its file, and those that trace-cmd makes of it in the newer version
versions_of()
{
	echo "$tmp/$1.dat"
	for compression in none zstd; do
		if trace-cmd convert --file-version 7 --compression "$compression" -i "$tmp/$1.dat" \
			-o "$tmp/$compression.dat" >"$tmp/convert" 2>&1; then
			echo "$tmp/$compression.dat"
		fi
	done
}
