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
"$GVT_STAT" why waits --json -i "$tmp/main.dat" >"$tmp/blame.json"
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
	"$(jq -c --argjson v "$(jq .vgpu_id "$tmp/why.json")" '[.findings[] | select(.vgpu_id == null or .vgpu_id == $v).rule] | sort' "$tmp/check.json")"
matches "for people" "*vGPU 1 takes * times as long as alone: a workload waits *
*Where the time of its workloads goes*% A WORKLOAD*waits for a slice*
*How long its work waited*17.000*the turn of vGPU 2*
*How long its engines were idle*vGPUs with work had no slice left*
*The worst completed workload is number 4: *
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
matches "who is asked for is shown all the same" "*vGPU 1 did not wait for others*100.00 executes*" "$("$GVT_STAT" why 1 -i "$tmp/alone.dat")"
is "by its UUID" 1 "$("$GVT_STAT" why 00000000-0000-4000-8000-000000000001 --json -i "$tmp/alone.dat" | jq .vgpu_id)"
text=$("$GVT_STAT" why cad -i "$tmp/alone.dat" 2>&1)
is "a VM that is not there: status" 1 $?
matches "a VM that is not there" "gvt-stat: 'cad' is neither a file nor a VM in *alone.dat: 'gvt-stat report' lists the VMs, 'gvt-stat why --help' the details" "$text"
usage()
{
	name=$1 pattern=$2
	shift 2
	text=$("$GVT_STAT" why -i "$tmp/alone.dat" "$@" 2>&1)
	is "$name: status" 129 $?
	matches "$name" "gvt-stat why: $pattern*" "$text"
}
usage "two VMs" "'2' is a second VM: name one" 1 2
usage "a VM in two ways" "'1' and --vgpu: name one VM" 1 --vgpu 1
matches "a file that is not there" "gvt-stat: no/such: cannot open: *" "$("$GVT_STAT" why no/such 2>&1)"
is "the trace from standard input" "$("$GVT_STAT" why 1 -i "$tmp/alone.dat" --csv)" "$("$GVT_STAT" why 1 - --csv <"$tmp/alone.dat")"

# nothing of vGPU 1 completes: it is the slowest, however long others take
mktrace starved <<'END'
0ms    0 gvt_vgpu_info v=1 weight=1 uuid=a-1
0ms    0 switch   prev=0 next=2
1ms    0 queue    v=2 w=1
1ms    0 submit   v=2 w=1
1ms    0 start    v=2 w=1
2ms    0 queue    v=1 w=2
3ms    0 queue    v=2 w=3
90ms   0 stop     v=2 w=1 done=1
90ms   0 complete v=2 w=1
91ms   0 submit   v=2 w=3
91ms   0 start    v=2 w=3
99ms   0 stop     v=2 w=3 done=1
99ms   0 complete v=2 w=3
END
matches "a starved VM is the slowest" "*vGPU 1*completed nothing: mostly, its work waits for another vGPU*97.000 97.98*the turn of vGPU 2*0 failed, 1 unfinished*" \
	"$("$GVT_STAT" why -i "$tmp/starved.dat" | tr -s ' ')"
matches "check says so, too" "*Slowest: vGPU 1* completed nothing, mostly waiting for: other*" "$("$GVT_STAT" check -i "$tmp/starved.dat")"
is "for programs its slowdown is no number" '[1,null,"other"]' \
	"$("$GVT_STAT" check --json -i "$tmp/starved.dat" | jq -c '.slowest | [.vgpu_id, .slowdown, .mostly]')"
is "report has it first" "1" "$("$GVT_STAT" report -i "$tmp/starved.dat" | awk 'on { print $1; exit } /^VGPU/ { on = 1 }')"
is "CSV names whom it is about" "1" "$("$GVT_STAT" why --csv --columns vgpu_id -i "$tmp/starved.dat" | tr -d '\r' | tail -n +2 | sort -u)"

# the second VM with number 1 is another one, with the same number in JSON
{
	printf '%sms 0 gvt_vgpu_info v=1 weight=1 uuid=%s\n' 0 a-1 30 b-2
	for at in 1 31; do
		printf '%sms 0 queue v=1 w=%s\n' $at $at $((at + 1)) $((at + 1))
		for event in submit start; do printf '%sms 0 %s v=1 w=%s\n' $((at + 2)) $event $at; done
		printf '%sms 0 stop v=1 w=%s done=1\n' $((at + 5)) $at
		printf '%sms 0 complete v=1 w=%s\n' $((at + 5)) $at
	done
} | sort -s -n | mktrace again
is "a number that was given twice" "1 1" "$(for uuid in a-1 b-2; do "$GVT_STAT" why $uuid --json -i "$tmp/again.dat" | jq .vgpu_id; done | xargs)"

# vGPU 4 of this recording uses rcs0 only: a finding about vcs0 is none of its own
xz -dc "$(dirname "$0")/corpus/rig/seven-mixed-fair.trace.xz" | mktrace elsewhere
why elsewhere 4
"$GVT_STAT" check --json -i "$tmp/elsewhere.dat" >"$tmp/check.json"
is "findings about engines of others are left out" true \
	"$(jq -n --slurpfile why "$tmp/why.json" --slurpfile check "$tmp/check.json" '
		([$check[0].findings[] | select(.engine == "vcs0")] | length > 0) and ([$why[0].findings[].problem | select(test("vcs0"))] | length == 0)')"

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
	"$("$GVT_STAT" why path --json --workload 7 -i "$tmp/path.dat" | jq -c .summary)" "$(values .worst.path "$tmp/why.json")"
matches "for people" "*What it waited for, on its critical path*executes*" "$("$GVT_STAT" why 1 -i "$tmp/path.dat")"

# only arrivals are recorded: all is unknown, not 0
mktrace arrivals <<'END'
0ms  0 queue    v=1 w=1
9ms  0 queue    v=1 w=2
END
"$GVT_STAT" why 1 --json -i "$tmp/arrivals.dat" >"$tmp/why.json" 2>"$tmp/err"
is "of what is not recorded nothing is said" '[null,[],["unknown"],[],null]' \
	"$(values '[.slowdown, .time, [.waits[].reason], .idle, .worst.latency_ns]' "$tmp/why.json")"
finish
