#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each rule of 'gvt-stat check' speaks when it should, and only then. What it says on
# real traces is in rig.t.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# found NAME [OPTION...]: exit status, and what was found: rule, vGPU, engine, value
found()
{
	file=$1
	shift
	"$GVT_STAT" check --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json"
	echo "$? $(jq -r '[.findings[] | [.rule, .vgpu_id, .engine, (.value | . * 1000 | round / 1000)] |
		map(. // "-" | tostring) | join(" ")] | join(", ")' "$tmp/out.json")"
}

info='0ms 0 gvt_vgpu_info v=1 weight=1 uuid=a-1
0ms 0 gvt_vgpu_info v=2 weight=1 uuid=a-2
0ms 0 gvt_sched_info tick_ns=1000000 policy=strict
0ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=50000000
0ms 0 balance v=2 weight=1 slice_ns=50000000 left_ns=50000000'

# life W V FROM SUBMIT START STOP COMPLETE (ms): the events of one workload
life()
{
	printf '%sms 0 queue v=%s w=%s\n' "$3" "$2" "$1"
	printf '%sms 0 submit v=%s w=%s\n' "$4" "$2" "$1"
	printf '%sms 0 start v=%s w=%s\n' "$5" "$2" "$1"
	printf '%sms 0 stop v=%s w=%s done=1\n' "$6" "$2" "$1"
	printf '%sms 0 complete v=%s w=%s\n' "$7" "$2" "$1"
}

# story NAME: what comes on stdin, after the info events, in the order of time
story()
{
	{ echo "$info"; cat; } | sort -s -n | mktrace "$1"
}

{
	life 1 1 1 1 1 10 10
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "10ms 0 switch prev=1 next=0 reason=0 prev_left_ns=40000000"
	echo "100ms 0 balance v=2 weight=1 left_ns=90000000"
} | story fine
is "nothing wrong: status 0" "0 " "$(found fine)"
matches "nothing wrong: told" "*Nothing found*" "$("$GVT_STAT" check -i "$tmp/fine.dat")"

# 10..90: no slice; and its debt is larger than a slice
{
	life 1 1 90 91 91 100 100
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "5ms 0 switch prev=1 next=0 prev_left_ns=-60000000"
	echo "10ms 0 queue v=1 w=2"
	echo "60ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=-10000000"
	echo "90ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=40000000"
	echo "90ms 0 switch prev=0 next=1 next_left_ns=40000000"
	echo "90ms 0 cancel v=1 w=2 reason=1"
} | story debt
is "no slice, by debt: status 2" "2 throttled 1 rcs0 80, debt 1 - 80" "$(found debt)"
is "--threshold" "2 debt 1 - 80" "$(found debt --threshold throttled=80)"
is "--threshold, several" "0 " "$(found debt --threshold throttled=80 --threshold debt=99.5)"
is "--vgpu" "0 " "$(found debt --vgpu 2)"
is "--engine" "2 throttled 1 rcs0 80, debt 1 - 80" "$(found debt --engine rcs0)"
is "the settings that help are named" "gvt_sched/policy
gvt_sched/carry_over" "$("$GVT_STAT" check -i "$tmp/debt.dat" | grep Remedy: |
	grep -o 'gvt_sched/[a-z_]*')"
is "JSON: a finding has all members" '["dev","engine","evidence","problem","remedy","rule","threshold","unit","value","vgpu_id","vm"]' \
	"$("$GVT_STAT" check --json -i "$tmp/debt.dat" | jq -c '.findings[0] | keys')"
is "CSV: the same" "rule,dev,vgpu_id,engine,value,threshold,unit,problem,evidence,remedy,vm
throttled 80.000000
debt 80.000000" "$("$GVT_STAT" check --csv -i "$tmp/debt.dat" | tr -d '\r' |
	awk -F, 'NR == 1 { print; next } { print $1, $5 }')"

# vGPU 2 waits from 10 to 1210 for vGPU 1, whose work runs on from 20 on after its turn
{
	life 1 1 1 1 1 1201 1201
	life 2 2 10 1211 1211 1220 1220
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "1210ms 0 switch prev=1 next=2 drain_ns=1190000000 reason=1 prev_left_ns=-1 next_left_ns=1"
} | story long
is "one long workload: who is blocked, unfair, starved, and who does not drain" \
	"2 starved 2 rcs0 1201, blocked 2 rcs0 1200, drain 1 - 1190, unfair 2 rcs0 98.511" \
	"$(found long --threshold starved=1200)"

# remedies MODE POLICY: what 'gvt-stat policy' is to set on account of the long workload,
# dispatched in this way; - is a kernel that knows no other
remedies()
{
	{ sed "s/policy=strict/policy=$2 $([ "$1" = - ] || echo "dispatch=$1")/" "$tmp/long.txt"; } |
		mktrace remedy
	"$GVT_STAT" check --json -i "$tmp/remedy.dat" | jq -r '[.findings[] | select(.rule == "blocked" or .rule == "drain") |
		.remedy | [scan("gvt-stat policy ([^\u0027]*)")[0]][0]] | join(" | ")'
}
{
	echo "$info"
	life 1 1 1 1 1 1201 1201
	life 2 2 10 1211 1211 1220 1220
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "1210ms 0 switch prev=1 next=2 drain_ns=1190000000 reason=1 prev_left_ns=-1 next_left_ns=1"
} | sort -s -n >"$tmp/long.txt"
is "the remedy is a policy, and preemption where the kernel has it" \
	"fair dispatch=preemptive | fair dispatch=preemptive" "$(remedies exclusive strict)"
is "the remedy is preemption" "dispatch=preemptive | dispatch=preemptive" "$(remedies per-engine fair)"
is "the remedy, when it cannot be preempted, is not a setting" " | " "$(remedies preemptive fair)"
formats=$FORMATS
mkdir -p "$tmp/nodispatch"
for dir in $FORMATS; do
	[ ! -d "$dir" ] || cp -r "$dir/." "$tmp/nodispatch"
done
sed -i '/ dispatch;/d' "$tmp/nodispatch/gvt/gvt_sched_info.format"
FORMATS="-F $tmp/nodispatch"
is "the remedy with an older kernel is a policy" "fair | fair" "$(remedies - strict)"
is "and then another kernel" " | " "$(remedies - fair)"
FORMATS=$formats

# By the clock: vGPU 2 gets 20 of 100 ms, and that is all it wants: it has waited for 20.
{
	life 1 1 1 2 2 30 30
	life 2 2 10 31 31 51 51
	life 1 3 51 52 52 100 100
	echo "1ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "30ms 0 switch prev=1 next=2 reason=1 next_left_ns=1"
	echo "51ms 0 switch prev=2 next=1 reason=1 next_left_ns=1"
} | story clock
is "who gets all that he wants is not treated unfairly" "0 " "$(found clock)"

# The same, but 20 ms of vGPU 2 come while three workloads of vGPU 1 have their turn, of 10 ms
# each: it needs less than its share, and is let in only behind all three.
{
	for n in 0 1 2 3 4 5 6 7 8 9; do
		t=$((n * 100))
		life $((n * 10 + 1)) 1 $((t + 1)) $((t + 1)) $((t + 1)) $((t + 11)) $((t + 11))
		life $((n * 10 + 2)) 1 $((t + 1)) $((t + 11)) $((t + 11)) $((t + 21)) $((t + 21))
		life $((n * 10 + 3)) 1 $((t + 1)) $((t + 21)) $((t + 21)) $((t + 31)) $((t + 31))
		life $((n * 10 + 4)) 2 $((t + 2)) $((t + 32)) $((t + 32)) $((t + 42)) $((t + 42))
		echo "$((t + 1))ms 0 switch prev=$((n ? 2 : 0)) next=1 reason=1 next_left_ns=50000000"
		echo "$((t + 31))ms 0 switch prev=1 next=2 reason=1 next_left_ns=50000000"
	done
} | story late
is "who needs little and waits for several" "2 delayed 2 rcs0 2.9" "$(found late)"
is "but not if that is too few to speak of" "0 " "$(found late --threshold delayed=3)"
found late >"$tmp/out"
is "the remedy is a policy that looks at what one got" fair \
	"$(jq -r '.findings[0].remedy | scan("gvt-stat policy ([^\u0027]*)")[0]' "$tmp/out.json")"

# rcs0 is busy in vGPU 1's turn, 2..60; vcs0 has work of vGPU 2. 60..90: held for vGPU 1.
{
	life 1 1 1 2 2 60 60
	echo "1ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "10ms 0 queue v=2 w=2 c=2"
	echo "90ms 0 gvt_sched_hold v=1 held_vgpu_id=2 held_ns=30000000"
	echo "90ms 0 switch prev=1 next=2 reason=1 next_left_ns=1"
	echo "91ms 0 submit v=2 w=2 c=2"
	echo "91ms 0 start v=2 w=2 c=2"
	echo "100ms 0 stop v=2 w=2 c=2 done=1"
	echo "100ms 0 complete v=2 w=2 c=2"
} | story stranded
is "stranded and held" "2 stranded - vcs0 50, held - vcs0 30" "$(found stranded --threshold unfair=100)"

# 10 ms until submitted, 10 ms until completed, 20 ms of drain for nothing
{
	life 1 1 10 20 20 30 40
	echo "1ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "45ms 0 queue v=1 w=2 c=1"
	echo "65ms 0 switch prev=1 next=2 drain_ns=20000000 reason=1 next_left_ns=1"
	echo "66ms 0 switch prev=2 next=1 next_left_ns=1"
	echo "66ms 0 cancel v=1 w=2 c=1 reason=2"
	echo "100ms 0 balance v=2 weight=1 left_ns=90000000"
} | story host
is "a slow host, a drain of other engines" "2 switching - bcs0 20, host - rcs0 20" "$(found host)"

{
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "10ms 0 queue v=1 w=2"
	echo "10ms 0 complete v=1 w=2 status=-5"
	echo "lost 0 3"
	echo "90ms 0 balance v=1 weight=1 left_ns=1"
} >"$tmp/events"
{ echo "$info"; cat "$tmp/events"; } | mktrace bad
is "failed work, lost events" "2 lost - - 3, failed 1 rcs0 1" "$(found bad)"

printf '0ms 0 queue v=1 w=1\n5ms 0 cancel v=1 w=1\n' | mktrace missing
is "missing events" "2 missing - - 3" "$(found missing)"
is "missing events: rules that cannot be checked are named" \
	'["throttled","capped","debt","blocked","unfair","delayed","drain","switching","stranded","held","host"]' \
	"$(jq -c .not_checked "$tmp/out.json")"
matches "missing events: in text" "*none recorded: gvt:gvt_sched_switch*Remedy: record all of them*Not checked for want of events: throttled, capped, debt, *" \
	"$("$GVT_STAT" check -i "$tmp/missing.dat")"
mkdir -p "$tmp/old/gvt"
for dir in $FORMATS; do
	[ ! -d "$dir/gvt" ] || cp "$dir"/gvt/gvt_workload_queue.format "$tmp/old/gvt" 2>"$tmp/err"
done
echo "0ms 0 queue v=1 w=1" | expand | "$MKTRACE" -F "$tmp/old" -o "$tmp/old.dat"
matches "the wrong kernel" "*not in the file: gvt:gvt_workload_submit*Remedy: the kernel that was traced has another kvmgt.ko*" \
	"$("$GVT_STAT" check -i "$tmp/old.dat")"
matches "the wrong kernel, and no events of CPUs" "*Not checked for want of events: *, preempted*" \
	"$("$GVT_STAT" check -i "$tmp/old.dat")"

# 201 of vGPU 2's VM, whose work keeps the GPU busy from 20 on, has the CPU of 101 from 30 to 60
mktrace preempted <<'END'
0ms  0 gvt_vgpu_info v=1 owner_pid=100 weight=1
0ms  0 gvt_vgpu_info v=2 owner_pid=200 weight=1
0ms  0 gvt_sched_info policy=strict
0ms  0 switch prev=0 next=2 next_left_ns=1
1ms  0 kvm_entry    common_pid=101 vcpu_id=0
2ms  0 kvm_exit     common_pid=101 vcpu_id=0
2ms  0 queue        common_pid=101 v=1 w=1
3ms  0 cancel       v=1 w=1 reason=1
4ms  0 kvm_entry    common_pid=201 vcpu_id=0
5ms  0 kvm_exit     common_pid=201 vcpu_id=0
20ms 0 queue        common_pid=201 v=2 w=2
20ms 0 submit       v=2 w=2
20ms 0 start        v=2 w=2
30ms 0 sched_switch prev_pid=101 prev_state=0 prev_comm=A next_pid=201 next_comm=B
60ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
70ms 0 sched_switch prev_pid=101 prev_state=0 next_pid=300 next_comm=cc1
90ms 0 sched_switch prev_pid=300 prev_state=0 next_pid=101
100ms 0 stop        v=2 w=2 done=1
100ms 0 complete    v=2 w=2
END
is "a vCPU preempted by another VM's" "2 preempted 1 - 30" "$(found preempted)"
matches "a vCPU preempted: by a VM that is busy with the GPU" \
	"*101 was kept off the CPU for 30.0 % of the time by B 201*of the VM of vGPU 2, which executed for 80.0 % of the time*" \
	"$("$GVT_STAT" check -i "$tmp/preempted.dat")"
is "--rules needs no trace" 16 "$("$GVT_STAT" check --rules | wc -l)"
is "--rules with a threshold" "held 12.5 %" "$("$GVT_STAT" check --rules --threshold held=12.5 |
	awk '$1 == "held" { print $1, $2, $3 }')"
for word in nothing=1 held held=x held=-1 held= =1; do
	"$GVT_STAT" check --threshold "$word" >"$tmp/out" 2>&1
	is "usage: --threshold $word" 129 $?
done

finish
