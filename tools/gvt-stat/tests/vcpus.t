#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat why vcpus: states of vCPU threads, preemptions and classes of VMs, by hand
# and against the truth of random schedules
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# query FILE JQ [OPTION...]
query()
{
	file=$1 query=$2
	shift 2
	"$GVT_STAT" why vcpus --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" &&
		values "$query" "$tmp/out.json"
}

states='.vcpus[] | [.tid, .guest_ns, .vmm_ns, .preempted_ns, .runnable_ns, .blocked_ns, .unknown_ns] |
	map(if . and . > 1000 then . / 1000000 else . end)'

# 101 is in VM 100, 201 in VM 200; 300 is a compiler
main='
0ms  0 gvt_vgpu_info v=1 owner_pid=100 weight=1
0ms  0 gvt_vgpu_info v=2 owner_pid=200 weight=1
10ms 0 kvm_entry    common_pid=101 vcpu_id=0
30ms 0 kvm_exit     common_pid=101 vcpu_id=0
32ms 0 queue        common_pid=101 v=1 w=1
34ms 0 sched_switch prev_pid=101 prev_state=256 prev_comm=A next_pid=201 next_comm=B
36ms 0 kvm_entry    common_pid=201 vcpu_id=3
50ms 0 kvm_exit     common_pid=201 vcpu_id=3
51ms 0 queue        common_pid=201 v=2 w=2
52ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
60ms 0 sched_switch prev_pid=101 prev_state=0 next_pid=300 next_comm=cc1
70ms 0 sched_switch prev_pid=300 prev_state=0 next_pid=101
72ms 0 sched_wakeup pid=201
75ms 0 sched_wakeup pid=101
80ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=201
90ms 0 sched_wakeup pid=101
100ms 0 kvm_entry   common_pid=201 vcpu_id=3
'
echo "$main" | mktrace main
is "states by hand: guest, VMM, preempted, runnable, blocked, unknown" \
	"[101,20,32,28,10,10,0] [201,14,24,0,8,20,34]" "$(query main "$states" | xargs)"
# shellcheck disable=SC2016 # jq's variable
is "states sum to the window" "true true" "$(query main '.window_ns as $w | .vcpus[] |
	.guest_ns + .vmm_ns + .preempted_ns + .runnable_ns + .blocked_ns + .unknown_ns == $w' | xargs)"
is "who preempted whom" '[["pid-100",101,"pid-200",201,"B",1,18],["pid-100",101,null,null,"cc1",1,10]]' \
	"$(query main '[.preemptions[] | [.vm, .tid, .by_vm, .by_tid, .by_comm, .count, .preempted_ns / 1000000]]')"
is "threads: VM, vGPU, KVM's number, command, exits, preemptions" \
	'[["pid-100",1,0,"A",1,2],["pid-200",2,3,"B",1,0]]' \
	"$(query main '[.vcpus[] | [.vm, .vgpu_id, .vcpu_id, .comm, .exits, .preemptions]]')"
is "a window: states" "[101,0,13,22,0,0,0] [201,10,2,0,3,20,0]" \
	"$(query main "$states" --time +0.04,+0.075 | xargs)"
is "a window: preemptions in it, and preempted time in it" '[[201,0,12],[null,1,10]]' \
	"$(query main '[.preemptions[] | [.by_tid, .count, .preempted_ns / 1000000]] | sort_by(.[1])' \
		--time +0.04,+0.075)"
is "--vgpu" '[[201],["pid-200"]]' "$(query main '[[.vcpus[].tid], [.vms[].vm]]' --vgpu 2)"
matches "the table" "*THREAD COMMAND VCPU GUEST% *pid-100 * 101 A * 0 *20.00 *32.00 * 28.00 *10.00 *10.00 * 0.00 *" \
	"$("$GVT_STAT" why vcpus -i "$tmp/main.dat")"
is "schema" '["gvt-stat/1","why vcpus"]' "$(query main '[.schema, .command]')"

{
	echo "0ms 0 print buf=gvt-stat-meta~kernel~Linux~6.12"
	echo "0ms 0 print buf=gvt-stat-meta~preset~full"
	echo "0ms 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~gpu=0000:00:02.0~pid=100~vm=my~vm"
	echo "0ms 0 print buf=gvt-stat-meta~vgpu~aa-2~pid=~vm="
	echo "0ms 0 print buf=something~else"
	echo "$main"
} | mktrace named
is "names of VMs as they were recorded" '["my vm","pid-200"]' "$(query named '[.vms[].vm]')"
matches "what else was recorded" "*Recorded on Linux 6.12, preset full*" \
	"$("$GVT_STAT" report -v -i "$tmp/named.dat")"

# 101 computes for 10 s, then its vGPU executes for 10 s; 201 uses the GPU only, with
# 40 % of a CPU; 301 the CPU only; 401 and its vGPU nothing, 5 % of a CPU
{
	echo "cpus 2"
	for vm in 1 2 3 4; do
		echo "0s 0 gvt_vgpu_info v=$vm owner_pid=${vm}00 weight=1"
		echo "0s 0 kvm_exit common_pid=${vm}01"
		echo "0s 0 kvm_entry common_pid=${vm}01"
		echo "0s 0 sched_wakeup pid=999"
		echo "0s 0 queue common_pid=${vm}01 v=$vm w=$vm c=$vm"
	done
	for second in $(seq 0 19); do
		echo "$((second * 1000 + 0))ms 1 sched_switch prev_pid=0 next_pid=201"
		echo "$((second * 1000 + 0))ms 1 sched_switch prev_pid=0 next_pid=401"
		echo "$((second * 1000 + 50))ms 1 sched_switch prev_pid=401 prev_state=1 next_pid=0"
		echo "$((second * 1000 + 400))ms 1 sched_switch prev_pid=201 prev_state=1 next_pid=0"
	done
	echo "0s 0 start v=2 w=2 c=2"
	echo "10s 0 sched_switch prev_pid=101 prev_state=1 next_pid=0"
	echo "10s 0 start v=1 w=1 c=1"
	echo "20s 0 stop v=1 w=1 c=1 done=1"
	echo "20s 0 stop v=2 w=2 c=2 done=1"
} | mktrace classes
is "classes of VMs" '[["pid-100","alternating",50,50],["pid-200","GPU-intensive",40,100],["pid-300","CPU-intensive",100,0],["pid-400","idle",5,0]]' \
	"$(query classes '[.vms[] | [.vm, .class, .cpu_percent, .gpu_percent]]')"
is "phases over time" '[["cpu",0,10],["gpu",10,20]]' \
	"$(query classes '[.vms[0].phases[] | [.phase, .from_ns / 1e9, .to_ns / 1e9]]')"
is "shares of phases" '[0,50,50,0]' "$(query classes \
	'.vms[0] | [.idle_percent, .cpu_phase_percent, .gpu_phase_percent, .both_percent]')"
matches "the line of phases" "*pid-100 *CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG*" \
	"$("$GVT_STAT" why vcpus -i "$tmp/classes.dat")"

# an hour and a half: more blocks than are kept
{
	echo "0s 0 gvt_vgpu_info v=1 owner_pid=100"
	for second in $(seq 0 2700); do
		echo "${second}s 0 kvm_entry common_pid=101"
		echo "${second}s 0 kvm_exit common_pid=101"
	done
	echo "2700s 0 queue common_pid=101 v=1 w=1"
	echo "2700s 0 sched_switch prev_pid=101 prev_state=1 next_pid=0"
	echo "4050s 0 sched_switch prev_pid=0 next_pid=101"
	echo "5400s 0 sched_switch prev_pid=101 prev_state=1 next_pid=0"
	echo "0s 1 sched_wakeup pid=999"
	echo "1s 1 sched_wakeup pid=999"
} | { echo "cpus 2"; cat; } | mktrace long
is "a long trace" '[75,[["cpu",2700,100],["idle",4050,0],["cpu",5400,100]]]' \
	"$(query long '.vms[0] | [.cpu_percent, [.phases[] | [.phase, .to_ns / 1e9, .cpu_percent]]]')"

# what is before the first event of a thread
printf '0ms 0 queue v=1 w=1\n10ms 0 kvm_exit common_pid=1\n10ms 0 kvm_entry common_pid=2\n10ms 0 sched_wakeup pid=3\n10ms 0 sched_switch prev_pid=4 prev_state=1 next_pid=5\n20ms 0 kvm_entry common_pid=3\n20ms 0 kvm_entry common_pid=4\n20ms 0 kvm_entry common_pid=5\n' |
	mktrace first
is "before the first event: guest, VMM, blocked, VMM, unknown" \
	"[1,10,10,0,0,0,0] [2,10,10,0,0,0,0] [3,0,0,0,10,10,0] [4,0,10,0,0,10,0] [5,0,10,0,0,0,10]" \
	"$(query first "$states" | xargs)"

echo "$main" | sed 's/^60ms/lost 0 5\n60ms/' | mktrace lost
# a wake-up does not tell whether the thread had gone to sleep
is "lost events: unknown from the gap until the next event that tells, and marked" \
	"[101,20,24,28,10,10,8] [201,14,24,0,0,0,62] [true,true]" \
	"$(query lost "$states" | xargs) $(query lost '[.vcpus[].tainted]')"

{
	echo "cpus 2"
	echo "40ms 1 gvt_sched_info dev=0"
	echo "lost 1 5"
	echo "85ms 1 gvt_sched_info dev=0"
	echo "$main"
} | mktrace lost2
is "events lost on another CPU: unknown until the first event after the gap" \
	"[101,20,14,6,0,0,60] [201,4,2,0,0,0,94]" "$(query lost2 "$states" | xargs)"

is "lost events: how often is unknown" '[[null,null],[null,null]] [null,null]' \
	"$(query lost '[.vcpus[] | [.exits, .preemptions]], [.vms[].preemptions]' | xargs)"
is "lost events: preemptions, at least" '[[201,null,1,null,18],[null,null,1,null,10]]' \
	"$(query lost '[.preemptions[] | [.by_tid, .count, .count_min, .preempted_ns, .preempted_ns_min] |
		map(if . and . > 1000 then . / 1000000 else . end)]')"
matches "lost events: preemptions, at least, in the table" \
	"*TIMES PREEMPTED-ms LEAST-TIMES LEAST-PREEMPTED-ms* - * - * 1 * 18.000*" \
	"$("$GVT_STAT" why vcpus -i "$tmp/lost.dat")"
is "a window before the gap: all is certain" "[101,20,14,16,0,0,0] [201,14,2,0,0,0,34] [false,1,1] [false,1,0]" \
	"$(query lost "$states" --time +0,+0.05 | xargs) $(query lost \
		'.vcpus[] | [.tainted, .exits, .preemptions]' --time +0,+0.05 | xargs)"
is "a window behind the gap: counts are certain, and so are states from the next event on" \
	"[101,0,0,0,10,5,0] [201,0,15,0,0,0,0] [false,0,0] [false,0,0]" \
	"$(query lost "$states" --time +0.085,+0.1 | xargs) $(query lost \
		'.vcpus[] | [.tainted, .exits, .preemptions]' --time +0.085,+0.1 | xargs)"
is "a window behind the gap, where a state is unknown by it: marked" '[[false,0],[true,15000000]]' \
	"$(query lost '[.vcpus[] | [.tainted, .unknown_ns]]' --time +0.065,+0.09)"

# 20 s: 101 is in the guest, its vGPU executes from 2 s to 18 s; on CPU 1 events are lost
# from 4.5 s to 7.5 s. From then on the workload's own events tell.
{
	echo "cpus 2"
	echo "0s 0 gvt_vgpu_info v=1 owner_pid=100 weight=1"
	echo "0s 0 kvm_entry common_pid=101"
	echo "1s 0 kvm_exit common_pid=101"
	echo "1s 0 queue common_pid=101 v=1 w=1"
	echo "1s 0 submit v=1 w=1"
	echo "2s 0 start v=1 w=1"
	echo "2s 0 sched_switch prev_pid=101 prev_state=1 next_pid=0"
	echo "4500ms 1 sched_wakeup pid=999"
	echo "@"
	echo "7500ms 1 sched_wakeup pid=999"
	echo "8s 0 sched_switch prev_pid=0 next_pid=101"
	echo "8s 0 sched_switch prev_pid=101 prev_state=1 next_pid=0"
	echo "18s 0 stop v=1 w=1 done=1"
	echo "18s 0 complete v=1 w=1"
	echo "20s 0 gvt_sched_info dev=0"
} >"$tmp/vm.text"
sed 's/@/lost 1 5/' "$tmp/vm.text" | mktrace vmlost
sed '/@/d' "$tmp/vm.text" | mktrace vmwhole
vm='.vms[0] | [.cpu_percent, .gpu_percent, .class, .idle_percent, .gpu_phase_percent]'
bounds='.vms[0] | [.cpu_percent_min, .cpu_percent_max, .gpu_percent_min, .gpu_percent_max, .unknown_percent]'
is "a VM without lost events" '[10,80,"GPU-intensive",10,80] [null,null,null,null,null]' \
	"$(query vmwhole "$vm") $(query vmwhole "$bounds")"
is "a VM and lost events: what may be different is unknown, in bounds" '[null,null,"GPU-intensive",10,60] [10,27.5,65,80,20]' \
	"$(query vmlost "$vm") $(query vmlost "$bounds")"
is "a VM and lost events: GPU% is what report has as utilisation" \
	"$("$GVT_STAT" report --json -i "$tmp/vmlost.dat" | values '.vgpus[0].engines[0] |
		[.utilization_percent, .utilization_percent_min, .utilization_percent_max]')" \
	"$(query vmlost '.vms[0] | [.gpu_percent, .gpu_percent_min, .gpu_percent_max]')"
is "a VM and lost events: phases" \
	'[["cpu",0,2,100,null],["gpu",2,4,0,null],[null,4,8,null,87.5],["gpu",8,18,0,null],["idle",18,20,0,null]]' \
	"$(query vmlost '[.vms[0].phases[] | [.phase, .from_ns / 1e9, .to_ns / 1e9, .cpu_percent, .cpu_percent_max]]')"
matches "a VM and lost events: the table" \
	"*CLASS         UNKNOWN%*pid-100     1 10.00..27.50 65.00..80.00           - 10.00 * 60.00  0.00 GPU-intensive    20.00*?: unknown)*pid-100 *CCCCCCGGGGGGG?????????????GGG*" \
	"$("$GVT_STAT" why vcpus -i "$tmp/vmlost.dat")"
is "a VM in a window before the gap: certain" "$(query vmwhole "$vm" --time +0,+4) []" \
	"$(query vmlost "$vm" --time +0,+4) $(query vmlost '[.vms[0] | keys[] | select(endswith("_min"))]' --time +0,+4)"
sed 's/@/lost 1 5/; /18s 0 stop/i 9s 0 kvm_entry common_pid=301\n10s 0 kvm_exit common_pid=301\n10s 0 sched_switch prev_pid=301 prev_state=1 next_pid=0' "$tmp/vm.text" | mktrace stray
is "a thread that may belong to the VM, as what tells may be lost" '[null,null,null,0,10]' \
	"$(query stray '.vms[0] | [.vcpus, .preemptions, .cpu_percent, .cpu_percent_min, .cpu_percent_max]' --time +9,+19)"

# of a trace without lost events nothing is different
"$GVT_STAT" why vcpus -i "$tmp/main.dat" >"$tmp/table"
is "a whole trace: no column and no word of doubt" "vm,pid,vcpus,cpu_percent,gpu_percent,preemptions,idle_percent,cpu_phase_percent,gpu_phase_percent,both_percent,class,vgpu_ids,phases vm,tid,by_vm,by_tid,by_comm,count,preempted_ns 0" \
	"$(query main '.vms[0], .preemptions[0] | keys_unsorted | join(",")' | xargs) $(grep -c 'UNKNOWN%$\|LEAST\|?' "$tmp/table")"

echo "$main" | sed '/kvm_/d' | mktrace nokvm
matches "no kvm events: said" "*No vCPU thread is in the trace*" "$("$GVT_STAT" why vcpus -i "$tmp/nokvm.dat")"
echo "$main" | sed '/sched_/d' | mktrace nosched
is "no sched_switch: what it takes is unknown" '[[101,null,null,null,null],[201,null,null,null,null]]' \
	"$(query nosched '[.vcpus[] | [.tid, .guest_ns, .preempted_ns, .blocked_ns, .preemptions]]')"
is "no sched_switch: said" '"none recorded"' \
	"$(query nosched '.missing_events[] | select(.event == "sched:sched_switch") | .why')"
echo "$main" | sed '/sched_wakeup/d' | mktrace nowakeup
is "no sched_wakeup: preemptions are known, blocked time is not" '[[2,28000000,null],[0,0,null]]' \
	"$(query nowakeup '[.vcpus[] | [.preemptions, .preempted_ns, .blocked_ns]]')"
echo "$main" | sed '/gvt_\|queue/d' | mktrace nogvt
is "a host without GVT-g: threads without a VM" '[[101,null,20000000],[201,null,14000000]]' \
	"$(query nogvt '[.vcpus[] | [.tid, .vm, .guest_ns]]')"
is "CSV: the threads" "$("$GVT_STAT" why vcpus --json -i "$tmp/main.dat" | jq -r '.vcpus[] | "\(.tid),\(.guest_ns)"')" \
	"$("$GVT_STAT" why vcpus --csv --columns tid,guest_ns -i "$tmp/main.dat" | tr -d '\r' | sed 1d)"

# random schedules of 4 vCPU threads and 2 others on 2 CPUs; all begin blocked
random()
{
	awk -v seed="$1" -v truth="$tmp/truth" '
	function set(t, s) {
		time[t, state[t]] += now - since[t]
		if (state[t] == "preempted")
			stolen[t, by[t]] += now - since[t]
		state[t] = s
		since[t] = now
	}
	function ready(   t, n, list) {
		for (t = 1; t <= 6; t++)
			if (state[t] == "preempted" || state[t] == "runnable")
				list[++n] = t
		return n ? list[1 + int(rand() * n)] : 0
	}
	function change(cpu, code, next_t,   prev) {
		prev = on[cpu]
		printf "%d %d sched_switch prev_pid=%d prev_state=%d prev_comm=t%d next_pid=%d next_comm=t%d\n",
			now, cpu, prev, code, prev, next_t, next_t
		if (prev && code % 256)
			set(prev, "blocked")
		else if (prev) {
			set(prev, "preempted")
			by[prev] = next_t
			count[prev, next_t]++
		}
		if (next_t)
			set(next_t, "vmm")
		on[cpu] = next_t
	}
	BEGIN {
		srand(seed)
		print "cpus 2"
		for (t = 1; t <= 6; t++)
			state[t] = "blocked"
		print "0 0 gvt_sched_info dev=0"
		for (step = 0; step < 3000; step++) {
			now += 1 + int(rand() * 1000000)
			cpu = int(rand() * 2)
			t = on[cpu]
			other = ready()
			dice = rand()
			if (dice < 0.25) {
				sleeper = 1 + int(rand() * 6)
				if (state[sleeper] == "blocked") {
					printf "%d %d sched_wakeup pid=%d\n", now, cpu, sleeper
					set(sleeper, "runnable")
				}
			} else if (!t && other)
				change(cpu, 0, other)
			else if (t && state[t] == "guest") {
				printf "%d %d kvm_exit common_pid=%d\n", now, cpu, t
				set(t, "vmm")
			} else if (t && dice < 0.5 && other)
				change(cpu, rand() < 0.5 ? 0 : 256, other)
			else if (t && dice < 0.6)
				change(cpu, 1 + int(rand() * 2), other)
			else if (t && t <= 4) {
				printf "%d %d kvm_entry common_pid=%d\n", now, cpu, t
				set(t, "guest")
			}
		}
		now++
		printf "%d 0 gvt_sched_info dev=0\n", now
		for (t = 1; t <= 4; t++) {
			set(t, "end")
			printf "[%d,%d,%d,%d,%d,%d,0]\n", t, time[t, "guest"], time[t, "vmm"], time[t, "preempted"],
				time[t, "runnable"], time[t, "blocked"] >truth
			for (o = 1; o <= 6; o++)
				if (count[t, o])
					printf "[%d,%d,%d,%d]\n", t, o, count[t, o], stolen[t, o] >truth
		}
	}' /dev/null
}

wrong=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
	random $seed | mktrace random
	query random '(.vcpus[] | [.tid, .guest_ns, .vmm_ns, .preempted_ns, .runnable_ns, .blocked_ns, .unknown_ns]),
		(.preemptions[] | [.tid, (.by_comm[1:] | tonumber), .count, .preempted_ns])' | sort >"$tmp/got"
	sort "$tmp/truth" | cmp -s - "$tmp/got" || wrong=$((wrong + 1))
done
is "10 random schedules: states and preemptions are the truth" 0 $wrong
is "the random schedules have many preemptions" yes \
	"$([ "$(jq '[.vcpus[].preemptions] | add' "$tmp/out.json")" -gt 100 ] && echo yes)"

# --- a clock that leaps -----------------------------------------------------------------
# as damage makes it: blocks of one second are not counted through 292 years
mktrace leap <<-END
	0 0 gvt_vgpu_info vgpu_id=1 weight=2 owner_pid=100
	0 0 gvt_sched_info vgpus=1 policy=fair dispatch=exclusive
	1000 0 queue v=1 w=1 common_pid=101
	2000 0 kvm_entry common_pid=101 vcpu_id=0
	3000 0 kvm_exit common_pid=101 vcpu_id=0
	4000 0 sched_switch prev_pid=101 prev_state=1 prev_comm=guest next_pid=0 next_comm=idle
	9223372036854775000 0 gvt_sched_info vgpus=1 policy=fair dispatch=exclusive
END
for command in "why vcpus" "why vcpus --json" check report; do
	# shellcheck disable=SC2086 # several words
	timeout 20 "$GVT_STAT" $command -i "$tmp/leap.dat" >"$tmp/output" 2>&1
	status=$?
	is "$command of 292 years ends" yes "$([ $status -le 2 ] && echo yes || echo "status $status")"
done

finish
