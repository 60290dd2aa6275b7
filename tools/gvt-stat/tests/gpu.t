#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two GPUs in one trace, or in one host: their vGPUs and workloads have the same numbers.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

# stat OPTION...: with the trace of two GPUs
stat()
{
	"$GVT_STAT" "$@" -i "$tmp/two.dat" 2>"$tmp/err"
}

# on both, workload 7 of vGPU 1: 10 ms on GPU 0, 40 ms on GPU 1, where vGPU 2 waits for it
mktrace two <<'END'
cpus 2
0ms  0 print buf=gvt-stat-meta~vgpu~00000000-0000-4000-8000-000000000001~id=1~gpu=0000:00:02.0~vm=left
0ms  0 print buf=gvt-stat-meta~vgpu~00000000-0000-4000-8000-000000000011~id=1~gpu=0000:03:00.0~vm=right
0ms  0 gvt_sched_info dev=0 policy=fair dispatch=exclusive period_ns=100000000
0ms  0 gvt_sched_info dev=1 policy=strict dispatch=exclusive period_ns=100000000
1ms  0 gvt_vgpu_info dev=0 v=1 weight=2 uuid=00000000-0000-4000-8000-000000000001
1ms  0 gvt_vgpu_info dev=1 v=1 weight=2 uuid=00000000-0000-4000-8000-000000000011
1ms  0 gvt_vgpu_info dev=1 v=2 weight=2 uuid=00000000-0000-4000-8000-000000000012
2ms  0 sched_switch prev_pid=50 prev_state=1 prev_comm=gvt:rcs0 next_pid=0
2ms  1 sched_switch prev_pid=51 prev_state=1 prev_comm=gvt:rcs0 next_pid=60
3ms  1 switch       common_pid=60 dev=1 prev=0 next=1
3ms  0 switch       common_pid=61 dev=0 prev=0 next=1
6ms  0 queue        common_pid=101 dev=0 v=1 w=7
6ms  1 queue        common_pid=201 dev=1 v=1 w=7
7ms  1 queue        common_pid=202 dev=1 v=2 w=8
8ms  0 sched_switch prev_pid=0 next_pid=50
8ms  1 sched_switch prev_pid=60 prev_state=1 next_pid=51
10ms 0 submit       common_pid=50 dev=0 v=1 w=7
10ms 1 submit       common_pid=51 dev=1 v=1 w=7
11ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=0
11ms 1 sched_switch prev_pid=51 prev_state=1 next_pid=0
12ms 0 start        dev=0 v=1 w=7
12ms 1 start        dev=1 v=1 w=7
22ms 0 stop         dev=0 v=1 w=7 done=1
22ms 0 irq_handler_entry irq=3
22ms 0 sched_waking common_pid=0 pid=50
22ms 0 irq_handler_exit irq=3
23ms 0 sched_switch prev_pid=0 next_pid=50
24ms 0 complete     common_pid=50 dev=0 v=1 w=7
52ms 1 stop         dev=1 v=1 w=7 done=1
52ms 1 irq_handler_entry irq=3
52ms 1 hrtimer_expire_entry
52ms 1 sched_waking common_pid=0 pid=60
52ms 1 hrtimer_expire_exit
52ms 1 sched_wakeup common_pid=0 pid=60
52ms 1 softirq_entry vec=1
52ms 1 sched_waking common_pid=0 pid=51
52ms 1 softirq_exit vec=1
52ms 1 irq_handler_exit irq=3
53ms 1 sched_switch prev_pid=0 next_pid=51
54ms 1 complete     common_pid=51 dev=1 v=1 w=7
55ms 1 sched_switch prev_pid=51 prev_state=1 next_pid=60
56ms 1 switch       common_pid=60 dev=1 prev=1 next=2
57ms 1 sched_switch prev_pid=60 prev_state=1 next_pid=51
58ms 1 submit       common_pid=51 dev=1 v=2 w=8
59ms 1 start        dev=1 v=2 w=8
69ms 1 stop         dev=1 v=2 w=8 done=1
70ms 1 complete     common_pid=51 dev=1 v=2 w=8
END

# --- which GPU --------------------------------------------------------------------------
for gpu in 1 0000:03:00.0; do
	is "report --gpu $gpu" '[[1],[[1,1],[1,2]],40000000]' "$(stat report --json --gpu "$gpu" |
		values '[[.gpus[].dev], [.vgpus[] | [.dev, .vgpu_id]], .vgpus[0].engines[0].exec_ns]')"
	is "workloads --gpu $gpu" '7,1 8,1' "$(stat list workloads --csv --columns workload_id,dev --gpu "$gpu" |
		sed 1d | xargs)"
	is "turns --gpu $gpu" '1' "$(stat list turns --csv --columns dev --gpu "$gpu" | sed 1d | sort -u)"
	is "why idle --gpu $gpu" '1' "$(stat why idle --csv --columns dev --gpu "$gpu" | sed 1d | sort -u)"
	is "why waits --gpu $gpu" '1' "$(stat why waits --csv --columns dev --gpu "$gpu" | sed 1d | sort -u)"
	is "compare --gpu $gpu" '[1]' "$("$GVT_STAT" compare --json --block 0.01 --gpu "$gpu" "$tmp/two.dat" "$tmp/two.dat" 2>"$tmp/err" |
		values '[.metrics[].dev] | unique')"
	is "check --gpu $gpu" '[1]' "$(stat check --json --threshold blocked=10 --gpu "$gpu" |
		values '[.findings[].dev | values] | unique')"
	is "why path --gpu $gpu" '[1,48000000]' "$(stat why path --workload 7 --json --gpu "$gpu" |
		values '[.dev, .to_ns - .from_ns]')"
	is "only the scheduler of --gpu $gpu" 'Scheduler of GPU 1' "$(stat report --gpu "$gpu" |
		grep -o '^Scheduler of GPU .')"
done
is "--gpu takes a list" '[0,1]' "$(stat report --json --gpu 0,1 | values '[.gpus[].dev]')"
is "--gpu and --vgpu: both must hold" '[[1,2]]' "$(stat report --json --gpu 1 --vgpu 2 |
	values '[.vgpus[] | [.dev, .vgpu_id]]')"
is "report tells whose rows they are" '0/1,1/1,1/2' "$(stat report | grep -o '^[01]/[12] ' | sort -u |
	xargs | tr ' ' ,)"
stat report --gpu 3 >"$tmp/out"
matches "a GPU that is not there" "1 gvt-stat: --gpu 3: no such GPU in the trace; there are 0 (0000:00:02.0), 1 (0000:03:00.0)" \
	"$? $(cat "$tmp/err")"

# --- the critical path of one of them -----------------------------------------------------
stat why path --workload 7 >"$tmp/out"
matches "a workload that both have must be chosen" \
	"1 gvt-stat: *GPU 0 and GPU 1 both have a workload 7: choose one with --gpu" "$? $(cat "$tmp/err")"
is "one that only one GPU has need not be" '[1,63000000]' "$(stat why path --workload 8 --json |
	values '[.dev, .to_ns - .from_ns]')"
path='[.path[] | select(.what == "executes") | [.dev, .worker, .vgpu_id, .vm, (.to_ns - .from_ns) / 1e6]]'
is "why path: what GPU 0 executed" '[[0,"rcs0",1,"left",10]]' \
	"$(stat why path --workload 7 --json --gpu 0 | values "$path")"
is "why path: what GPU 1 executed" '[[1,"rcs0",1,"right",40]]' \
	"$(stat why path --workload 7 --json --gpu 1 | values "$path")"
is "why path: the turn that a thread waited for is one of its GPU" '[[1,1,"right"]]' \
	"$(stat why path --thread 60 --json | values '[.path[] | select(.what == "turn") | [.dev, .vgpu_id, .vm]]')"
matches "why path: tables name the GPU" "*Workload 7 of vGPU 1 (right) of GPU 1: 48.000 ms*WORKER*GPU*rcs0*executes*1 (right)*40.000*1*" \
	"$(stat why path --workload 7 --gpu 1 --segments)"
matches "why waits: moments name the GPU" "*GPU VGPU ENGINE*" "$(stat why waits | grep -A 1 'Worst moments' | tail -n 1 | xargs)"

matches "why vcpus: VMs without a name are told apart" "*gpu-0-vgpu-1 *gpu-1-vgpu-1 *gpu-1-vgpu-2 *" "$(stat why vcpus | tr '\n' ' ')"
is "compare: rows tell the GPU" "0/1 0/all 1/1 1/2 1/all" "$("$GVT_STAT" compare --block 0.01 "$tmp/two.dat" "$tmp/two.dat" |
	grep -o '^[01]/[12al]*' | sort -u | xargs)"

# --- advice --------------------------------------------------------------------------------
is "check: findings name the GPU" '(blocked, GPU 1)' "$(stat check --threshold blocked=10 | grep -o '(blocked.*)$')"
stat check --json --threshold blocked=10 >"$tmp/out.json"
is "check: remedies name the GPU" '["gvt-stat policy --gpu 1 fair dispatch=preemptive","/sys/class/drm/card1/device/gvt_sched/policy"]' \
	"$(values '.findings[] | select(.rule == "blocked").remedies[0] | [.command, .settings[0].file]' "$tmp/out.json")"

# --- hosts -----------------------------------------------------------------------------------
host
mkdir -p "$pci/drm/card0"
vgpu 1
first=$pci
pci=$root/sys/bus/pci/devices/0000:03:00.0
mkdir -p "$pci/drm/card1" "$pci/mdev_supported_types/i915-GVTg_V5_8"
cp -r "$first/gvt_sched" "$pci"
vgpu 2
echo 1 >"$(vgpu_file 2 vgpu_id)"
ln -sfn "../../pci/devices/0000:03:00.0/$(uuid 2)" "$mdev/$(uuid 2)"
for gpu in 1 0000:03:00.0; do
	is "policy --gpu $gpu" '[["0000:03:00.0"],["00000000-0000-4000-8000-000000000002"]]' \
		"$("$GVT_STAT" policy --sysroot "$root" --json --gpu "$gpu" |
			values '[[.gpus[].pci], [.gpus[].vgpus[].uuid]]')"
	is "top --gpu $gpu" '[["0000:03:00.0"],["00000000-0000-4000-8000-000000000002"]]' \
		"$("$GVT_STAT" top --sysroot "$root" --json -n 1 --interval 0.01 --gpu "$gpu" |
			values '[[.gpus[].pci], [.vgpus[].uuid]]')"
done
"$GVT_STAT" policy --sysroot "$root" --gpu 1 fair >"$tmp/out"
is "policy --gpu sets those of one GPU" "[strict] work-conserving fair;fair" \
	"$(cat "$first/gvt_sched/policy");$(cat "$pci/gvt_sched/policy")"
"$GVT_STAT" policy --sysroot "$root" --gpu 0 --vgpu 1 nice=5 >"$tmp/out"
is "policy --gpu --vgpu: the vGPU of that GPU" "5 0" \
	"$(cat "$first/$(uuid 1)/intel_vgpu/nice") $(cat "$pci/$(uuid 2)/intel_vgpu/nice")"
matches "top tells the GPU where there are two" "*WEIGHT GPU *1 *0000:00:02.0 *1 *0000:03:00.0*" \
	"$("$GVT_STAT" top --sysroot "$root" --plain -n 1 --interval 0.01 | tr -s ' \n' ' ')"
"$GVT_STAT" top --sysroot "$root" -n 1 --gpu 0000:00:09.0 >"$tmp/out" 2>"$tmp/err"
matches "a GPU that the host has not" "1 gvt-stat: --gpu 0000:00:09.0: no such GPU on this host; there are 0000:00:02.0, 0000:03:00.0" \
	"$? $(cat "$tmp/err")"

finish
