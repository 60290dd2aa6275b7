#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat why: one VM, by hand, and as the commands say that have the details
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=where.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/where.sh"

# why FILE [OPTION...]: JSON into $tmp/why.json
why()
{
	file=$1
	shift
	"$GVT_STAT" why --json -i "$tmp/$file.dat" "$@" >"$tmp/why.json"
}

# lines TABLE: reason, whose, ms, times, worst, at
lines()
{
	jq -r ".$1[] | select(.ns != 0 and .ns != null) | \"\\(.reason)\\(if .culprit_vgpu_id then \" \\(.culprit_vgpu_id)\" else \"\" end) \\(.ns / 1e6)\"" \
		"$tmp/why.json" | paste -sd, -
}

waits_of_every_kind
why main 1
is "who it is" '[0,1,null]' "$(values '[.dev, .vgpu_id, .vm]' "$tmp/why.json")"
is "waits, the longest first" "throttled 22,other 2 17,own 16,preempted 3,switching 1" "$(lines waits)"
is "with the worst, and when" '["throttled",1,22000000,38000000]' \
	"$(values '.waits[0] | [.reason, .count, .worst_ns, .worst_at_ns]' "$tmp/why.json")"
"$GVT_STAT" blame --json -i "$tmp/main.dat" >"$tmp/blame.json"
is "waits are those of blame" "$(values '[.blame[] | select(.vgpu_id == 1) | [.reason, .culprit_vgpu_id, .wait_ns]] | sort' "$tmp/blame.json")" \
	"$(values '[.waits[] | [.reason, .culprit_vgpu_id, .ns]] | sort' "$tmp/why.json")"
is "idle times" "i915 7,completion 6,dispatch 5,switching 4,throttled 23" "$(lines idle)"
"$GVT_STAT" report --json --vgpu 1 -i "$tmp/main.dat" >"$tmp/report.json"
is "the time of a workload, as report has it" \
	"$(values '.vgpus[0].engines[0] as $e | [$e | to_entries[] | select(.key | test("^split_.*_ns$")) | select(.key != "split_total_ns") |
		[(.key | ltrimstr("split_") | rtrimstr("_ns")), (if .value then .value / $e.split_count | round else null end)]] | sort' "$tmp/report.json")" \
	"$(values '[.time[] | [.reason, (if .ns then .ns | round else .ns end)]] | sort' "$tmp/why.json")"
is "parts are the whole" 100 "$(jq '[.time[].percent // 0] | add | round' "$tmp/why.json")"
is "the worst workload, as report has it" "$(values '.vgpus[0].engines[0] | [.latency_max_workload_id, .latency_max_ns]' "$tmp/report.json")" \
	"$(values '.worst | [.workload_id, .latency_ns]' "$tmp/why.json")"
is "without a scheduler's events it has no path" null "$(values '.worst.path' "$tmp/why.json")"

"$GVT_STAT" check --json -i "$tmp/main.dat" >"$tmp/check.json"
why main
is "without a name it is the slowest one" "$(values '[.slowest.vgpu_id, .slowest.slowdown]' "$tmp/check.json")" \
	"$(values '[.vgpu_id, .slowdown]' "$tmp/why.json")"
is "findings are those of check" "$(values '[.findings[].rule] | sort' "$tmp/why.json")" \
	"$(jq -c --argjson v "$(jq .vgpu_id "$tmp/why.json")" '[.findings[] | select(.dev != null and (.vgpu_id == null or .vgpu_id == $v)).rule] | sort' "$tmp/check.json")"
matches "for people" "*vGPU 1 takes * times as long as alone: a workload waits *
*Where the time of its workloads goes*% A WORKLOAD*waits for a slice*
*What its work waited for*17.000*the turn of vGPU 2*
*Why its engines were idle*who had work had no slice left*
*Its worst workload is 4: *
*(critical path unavailable: event sched:sched_switch is not*record full*" "$("$GVT_STAT" why 1 -i "$tmp/main.dat")"
is "for a spreadsheet: all in one" "$(jq '[.time, .waits, .idle | length] | add' "$tmp/why.json")" \
	"$("$GVT_STAT" why --csv -i "$tmp/main.dat" | tail -n +2 | wc -l)"
is "a trace and a VM, without options" "$("$GVT_STAT" why 2 -i "$tmp/main.dat")" "$("$GVT_STAT" why "$tmp/main.dat" 2)"

# alone, and with names
mktrace alone <<'END'
0ms  0 gvt_vgpu_info v=1 weight=1 uuid=00000000-0000-4000-8000-000000000001
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
1ms  0 start    v=1 w=1
5ms  0 stop     v=1 w=1 done=1
5ms  0 complete v=1 w=1
END
matches "nobody is slow" "*No VM is slower than alone*" "$("$GVT_STAT" why -i "$tmp/alone.dat")"
why alone
is "nobody is slow, for programs" '[null,[],[],null]' "$(values '[.vgpu_id, .time, .waits, .worst]' "$tmp/why.json")"
matches "who is asked for is shown all the same" "*vGPU 1 waits for nobody*100.00 executes*" "$("$GVT_STAT" why 1 -i "$tmp/alone.dat")"
is "by its UUID" 1 "$("$GVT_STAT" why 00000000-0000-4000-8000-000000000001 --json -i "$tmp/alone.dat" | jq .vgpu_id)"
text=$("$GVT_STAT" why cad -i "$tmp/alone.dat" 2>&1)
is "a VM that is not there: status" 1 $?
matches "a VM that is not there" "gvt-stat: *cad: no such vGPU in the trace; there is 1*" "$text"

# with the scheduler's events it has the path that critical has
mktrace path <<'END'
0ms  0 gvt_sched_info dev=0
0ms  0 switch       prev=0 next=1
0ms  0 sched_switch prev_pid=50 prev_state=1 prev_comm=gvt:rcs0 next_pid=0
1ms  0 sched_switch prev_pid=0 next_pid=101 next_comm=qemu
6ms  0 queue        common_pid=101 v=1 w=7
7ms  0 sched_waking common_pid=101 pid=50
8ms  0 sched_wakeup common_pid=101 pid=50
10ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=50
12ms 0 submit       common_pid=50 v=1 w=7
13ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=0
14ms 0 start        v=1 w=7
24ms 0 stop         v=1 w=7 done=1
25ms 0 irq_handler_entry irq=3
25ms 0 sched_waking common_pid=0 pid=50
25ms 0 irq_handler_exit irq=3
27ms 0 sched_switch prev_pid=0 next_pid=50
28ms 0 complete     common_pid=50 v=1 w=7
30ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=101
35ms 0 hrtimer_expire_entry
35ms 0 hrtimer_expire_exit
35ms 0 softirq_entry vec=1
35ms 0 softirq_exit vec=1
40ms 0 gvt_sched_info dev=0
END
why path 1
is "the path of the worst workload, as critical has it" \
	"$("$GVT_STAT" critical --json --workload 7 -i "$tmp/path.dat" | jq -c .summary)" "$(values .worst.path "$tmp/why.json")"
matches "for people" "*What it waited for, on its critical path*executes*" "$("$GVT_STAT" why 1 -i "$tmp/path.dat")"

# only arrivals are recorded: nothing is known, and nothing is 0
mktrace arrivals <<'END'
0ms  0 queue    v=1 w=1
9ms  0 queue    v=1 w=2
END
"$GVT_STAT" why 1 --json -i "$tmp/arrivals.dat" >"$tmp/why.json" 2>"$tmp/err"
is "of what is not recorded nothing is said" '[null,[],["unknown"],[],null]' \
	"$(values '[.slowdown, .time, [.waits[].reason], .idle, .worst.latency_ns]' "$tmp/why.json")"
finish
