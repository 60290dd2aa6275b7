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
0ms 0 gvt_host_state running=0
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
	echo "90ms 0 cancel v=1 w=2 reason=2"
} | story debt
is "no slice, by debt: status 2; it is told once" "2 debt 1 - 80" "$(found debt)"
is "--threshold: what is no debt is want of a slice" "2 throttled 1 rcs0 80" \
	"$(found debt --threshold debt=80)"
is "--threshold, several" "0 " "$(found debt --threshold throttled=80 --threshold debt=99.5)"
is "--vgpu" "0 " "$(found debt --vgpu 2)"
is "--engine" "2 debt 1 - 80" "$(found debt --engine rcs0)"
is "the file of the setting that helps is named" "/sys/class/drm/card0/device/gvt_sched/policy" "$("$GVT_STAT" check -i "$tmp/debt.dat" | grep Remedy: |
	grep -o '/sys/[a-z0-9_/]*')"
is "JSON: a finding has all members" '["dev","engine","evidence","problem","remedies","remedy","rule","threshold","tried","unit","value","vgpu_id","vm"]' \
	"$("$GVT_STAT" check --json -i "$tmp/debt.dat" | jq -c '.findings[0] | keys')"
is "CSV: the same" "rule,dev,vgpu_id,engine,value,threshold,unit,problem,evidence,remedy,vm
debt 80.000000" "$("$GVT_STAT" check --csv -i "$tmp/debt.dat" | tr -d '\r' |
	awk -F, 'NR == 1 { print; next } { print $1, $5 }')"

# vGPU 2 waits from 10 to 1210 for vGPU 1, whose work runs on from 20 on after its turn
{
	life 1 1 1 1 1 1201 1201
	life 2 2 10 1211 1211 1220 1220
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	echo "1210ms 0 switch prev=1 next=2 drain_ns=1190000000 reason=1 prev_left_ns=-1 next_left_ns=1"
} | story long
is "one long workload: who is blocked, starved, and who does not drain; one is not unfair" \
	"2 starved 2 rcs0 1201, blocked 2 rcs0 1200, drain 1 - 1190" \
	"$(found long --threshold starved=1200)"
is "-n: the worst; the status is that of all" "2 starved 2 rcs0 1201, blocked 2 rcs0 1200" \
	"$(found long -n 2 --threshold starved=1200)"
matches "-n: the same in text, and how many more" "*2. work of vGPU 2*(1 more findings: -n 0 prints all)*" \
	"$("$GVT_STAT" check -n 2 --threshold starved=1200 -i "$tmp/long.dat")"
is "-n 0: all" 3 "$("$GVT_STAT" check -n 0 --threshold starved=1200 -i "$tmp/long.dat" | grep -c Evidence:)"

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
		life $((n * 4 + 1)) 1 $((t + 1)) $((t + 1)) $((t + 1)) $((t + 11)) $((t + 11))
		life $((n * 4 + 2)) 1 $((t + 1)) $((t + 11)) $((t + 11)) $((t + 21)) $((t + 21))
		life $((n * 4 + 3)) 1 $((t + 1)) $((t + 21)) $((t + 21)) $((t + 31)) $((t + 31))
		life $((n * 4 + 4)) 2 $((t + 2)) $((t + 32)) $((t + 32)) $((t + 42)) $((t + 42))
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
is "missing events" "2 missing - - 4" "$(found missing)"
is "missing events: rules that cannot be checked are named" \
	'["throttled","capped","debt","blocked","unfair","delayed","drain","switching","stranded","held","host","host-work","host-blocks","host-waits","host-delayed"]' \
	"$(jq -c .not_checked "$tmp/out.json")"
printf '0ms 0 gvt_sched_info policy=fair\n0ms 0 gvt_host_state running=0\n1ms 0 queue v=1 w=1\n2ms 0 start v=1 w=1\n3ms 0 stop v=1 w=1 done=1\n' | mktrace less
matches "missing events: one kind" "*1 kind of events is missing,*none recorded: gvt:gvt_vgpu_info*" \
	"$("$GVT_STAT" check -i "$tmp/less.dat")"
matches "missing events: in text" "*none recorded: gvt:gvt_sched_switch*Remedy: record all of them*Not checked, as events are missing: throttled, capped, debt, *" \
	"$("$GVT_STAT" check -i "$tmp/missing.dat")"
mkdir -p "$tmp/old/gvt"
for dir in $FORMATS; do
	[ ! -d "$dir/gvt" ] || cp "$dir"/gvt/gvt_workload_queue.format "$tmp/old/gvt" 2>"$tmp/err"
done
echo "0ms 0 queue v=1 w=1" | expand | "$MKTRACE" -F "$tmp/old" -o "$tmp/old.dat"
matches "the wrong kernel" "*not in the file: gvt:gvt_workload_submit*Remedy: record them: 'gvt-stat record'*if the host does not have them*" \
	"$("$GVT_STAT" check -i "$tmp/old.dat")"
matches "the wrong kernel, and no events of CPUs" "*Not checked, as events are missing: *, preempted*" \
	"$("$GVT_STAT" check -i "$tmp/old.dat")"

# 201 of vGPU 2's VM, whose work keeps the GPU busy from 20 on, has the CPU of 101 from 30 to 60
cat >"$tmp/preempted.text" <<'END'
0ms  0 gvt_vgpu_info v=1 owner_pid=100 weight=1
0ms  0 gvt_vgpu_info v=2 owner_pid=200 weight=1
0ms  0 gvt_sched_info policy=strict
0ms  0 gvt_host_state running=0
0ms  0 switch prev=0 next=2 next_left_ns=1
1ms  0 kvm_entry    common_pid=101 vcpu_id=0
2ms  0 kvm_exit     common_pid=101 vcpu_id=0
2ms  0 queue        common_pid=101 v=1 w=1
3ms  0 cancel       v=1 w=1 reason=2
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
mktrace preempted <"$tmp/preempted.text"
is "a vCPU preempted by another VM's" "2 preempted 1 - 30" "$(found preempted)"
matches "a vCPU preempted: by a VM that is busy with the GPU" \
	"*101 was kept off the CPU for 30.0 % of the time by B 201*of the VM of vGPU 2, which executed for 80.0 % of the time*" \
	"$("$GVT_STAT" check -i "$tmp/preempted.dat")"

{
	echo "cpus 2"
	echo "0ms 1 sched_wakeup pid=999"
	cat "$tmp/preempted.text"
	echo "80ms 1 sched_wakeup pid=999"
	echo "lost 1 1"
	echo "85ms 1 sched_wakeup pid=999"
} | mktrace preempted-lost
matches "a vCPU preempted, and lost events: at least so often and so long" \
	"*101 was kept off the CPU for at least 30.0 % of the time by B 201*at least 1 preemptions, 30.0 ms*" \
	"$("$GVT_STAT" check -i "$tmp/preempted-lost.dat")"

# the same, but only while it has the CPU is it seen that 201 is a vCPU
mktrace learnt <<'END'
0ms  0 gvt_vgpu_info v=1 owner_pid=100 weight=1
0ms  0 gvt_sched_info policy=strict
0ms  0 gvt_host_state running=0
2ms  0 kvm_exit     common_pid=101 vcpu_id=0
2ms  0 queue        common_pid=101 v=1 w=1
3ms  0 cancel       v=1 w=1 reason=2
30ms 0 sched_switch prev_pid=101 prev_state=0 prev_comm=A next_pid=201 next_comm=B
31ms 0 kvm_entry    common_pid=201 vcpu_id=0
60ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
100ms 0 gvt_sched_info policy=strict
END
is "a vCPU preempted by one that is known later" "2 preempted 1 - 30" "$(found learnt)"
matches "a vCPU preempted by one that is known later: once" "*1 preemptions, 30.0 ms*" \
	"$("$GVT_STAT" check -i "$tmp/learnt.dat")"

# advice NAME [OPTION...]: rule, and the commands that are to be tried
advice()
{
	"$GVT_STAT" check --json -i "$tmp/$1.dat" >"$tmp/out.json"
	jq -r '[.findings[] | .rule + ": " + ([.remedies[] | .command // .remedy] | join(" | "))] |
		join(", ")' "$tmp/out.json"
}

# Turns are of all engines: vGPU 2, without a slice, waits for vcs0 while vGPU 1 is on rcs0
# (10..60), and then until its slices come (60..70). Both are told, each by its cause.
two_engines()
{
	echo "0ms 0 gvt_vgpu_info v=1 weight=1"
	echo "0ms 0 gvt_vgpu_info v=2 weight=1"
	echo "0ms 0 gvt_sched_info tick_ns=1000000 period_ns=100000000 policy=$1 dispatch=exclusive"
	echo "0ms 0 gvt_host_state running=0"
	echo "0ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=50000000"
	echo "0ms 0 balance v=2 weight=1 slice_ns=50000000 left_ns=0"
	echo "1ms 0 switch prev=0 next=1 next_left_ns=50000000"
	life 1 1 1 1 1 60 60
	echo "10ms 0 queue v=2 w=2 c=2"
	echo "60ms 0 switch prev=1 next=0 reason=2 prev_left_ns=-9000000"
	echo "70ms 0 balance v=2 weight=1 slice_ns=50000000 left_ns=50000000"
	echo "70ms 0 switch prev=0 next=2 next_left_ns=50000000"
	echo "70ms 0 submit v=2 w=2 c=2"
	echo "70ms 0 start v=2 w=2 c=2"
	echo "100ms 0 stop v=2 w=2 c=2 done=1"
	echo "100ms 0 complete v=2 w=2 c=2"
}
two_engines strict | sort -s -n | mktrace engines
is "the turn of another vGPU is not the want of a slice" "2 stranded - vcs0 50, throttled 2 vcs0 10" \
	"$(found engines)"
is "another policy alone does not help engines that wait for each other" \
	"stranded: gvt-stat policy work-conserving dispatch=per-engine, throttled: gvt-stat policy work-conserving" \
	"$(advice engines)"
two_engines fair | sed '/prev=1 next=0/d; s/prev=0 next=2/prev=1 next=2/' | sort -s -n | mktrace engines
is "a policy that is in force is not advised" "stranded: gvt-stat policy dispatch=per-engine, switching: gvt-stat policy dispatch=per-engine" \
	"$(advice engines)"
two_engines strict | sed 's/ dispatch=exclusive//' | sort -s -n | mktrace engines
is "a kernel that cannot is advised against" \
	"stranded: kernel, throttled: gvt-stat policy work-conserving" "$(advice engines)"

# vGPU 1 waits for vGPU 2's turn for longer (2..40) than vGPU 2 for a slice (42..70), but
# it is with work of vGPU 2 that the engine is idle.
{
	life 1 2 1 1 1 40 40
	life 2 1 2 41 41 42 42
	life 3 2 42 70 70 90 90
	echo "1ms 0 switch prev=0 next=2 next_left_ns=50000000"
	echo "41ms 0 switch prev=2 next=1 reason=2 prev_left_ns=-1 next_left_ns=1"
	echo "42ms 0 switch prev=1 next=0 reason=0 prev_left_ns=1"
	echo "70ms 0 balance v=2 weight=1 slice_ns=50000000 left_ns=50000000"
	echo "70ms 0 switch prev=0 next=2 next_left_ns=50000000"
	echo "100ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=50000000"
} | story mix
is "who has no slice is named, not who waits longest" "2 throttled 2 rcs0 28" "$(found mix)"

# shares OF FIRST [INFO...]: each 10 ms, vGPU 1 executes for so long, then vGPU 2 for the
# rest; both always have work. INFO: more vGPUs, that have none.
shares()
{
	ms=$1
	shift
	{
		echo "0ms 0 gvt_sched_info tick_ns=1000000 period_ns=100000000 policy=work-conserving dispatch=exclusive"
		echo "0ms 0 gvt_host_state running=0"
		printf '%s\n' "$@"
		for n in $(seq 0 49); do
			t=$((n * 10 + 1))
			life $((n * 2 + 1)) 1 $((n ? t - 10 + ms : 1)) $t $t $((t + ms)) $((t + ms))
			life $((n * 2 + 2)) 2 $((n ? t : 1)) $((t + ms)) $((t + ms)) $((t + 10)) $((t + 10))
			echo "${t}ms 0 switch prev=$((n ? 2 : 0)) next=1 reason=1 next_left_ns=50000000"
			echo "$((t + ms))ms 0 switch prev=1 next=2 reason=1 next_left_ns=50000000"
		done
	} | sort -s -n
}
even='0ms 0 gvt_vgpu_info v=1 weight=2 uuid=a-1
0ms 0 gvt_vgpu_info v=2 weight=2 uuid=a-2'
idle_ones='0ms 0 gvt_vgpu_info v=3 weight=2
0ms 0 gvt_vgpu_info v=4 weight=2
0ms 0 gvt_vgpu_info v=5 weight=2
0ms 0 gvt_vgpu_info v=6 weight=2
0ms 0 gvt_vgpu_info v=7 weight=2'
shares 1 "$even" "$idle_ones" | mktrace share
is "shares are those of vGPUs with work: 10 against 90 % beside five idle ones" \
	"2 unfair 1 rcs0 79.641" "$(found share)"
shares 5 "$even" "$idle_ones" | mktrace share
is "an equal share is fair beside idle ones" "0 " "$(found share)"
shares 2 "$(echo "$even" | sed 's/v=1 weight=2/v=1 weight=2 nice=6/')" | mktrace share
is "nice is a part of the weight" "0 " "$(found share)"
shares 2 "$(echo "$even" | sed 's/v=1 weight=2/v=1 weight=2 cap=20/')" | mktrace share
is "nobody wants more than his cap" "0 " "$(found share)"
shares 2 "$(echo "$even" | sed 's/v=2 weight=2/v=2 weight=8/')" | mktrace share
is "shares follow the weights" "0 " "$(found share)"
shares 8 "$(echo "$even" | sed 's/v=2 weight=2/v=2 weight=8/')" | mktrace share
is "a large weight without its share" "2 unfair 2 rcs0 74.8" "$(found share)"
shares 1 "$even" "$idle_ones" | sed 's/policy=work-conserving/policy=strict/' | mktrace share
is "under strict, nobody is owed more than his slices, idle ones or not" \
	"2 unfair 1 rcs0 28.743" "$(found share)"
# lose FROM TO: what was recorded between these milliseconds
lose()
{
	awk -v from="$1" -v to="$2" '$1 + 0 >= from && $1 + 0 < to { count++; next }
		count && $1 + 0 >= to { print "lost 0", count; count = 0 }
		{ print }'
}
shares 2 "$even" | lose 100 400 | mktrace share
is "what executed among lost events may have been its" "" "$(found share | grep -o unfair)"
shares 2 "$even" | lose 100 130 | mktrace share
is "not all of what is missing executed among few lost events" unfair "$(found share | grep -o unfair)"
shares 3 "$even" | sed 's/policy=work-conserving/policy=fair/' | mktrace share
matches "under fair, the remedy is a share of its own" \
	"unfair: gvt-stat policy --vgpu 1 nice=-3" "$(advice share)"

# vGPU 1 waits for 400 ms each time; that one of its workloads was queued is lost
{
	echo "$even"
	echo "0ms 0 gvt_sched_info vgpus=2 policy=work-conserving dispatch=exclusive"
	echo "0ms 0 gvt_host_state running=0"
	echo "0ms 0 balance v=1 weight=2 left_ns=50000000"
	for n in $(seq 0 9); do
		t=$((n * 405 + 5))
		life $((2 * n + 1)) 1 $t $((t + 400)) $((t + 400)) $((t + 404)) $((t + 404))
		life $((2 * n + 2)) 2 $t $t $t $((t + 400)) $((t + 400))
		echo "${t}ms 0 switch prev=$((n ? 1 : 0)) next=2 reason=1"
		echo "$((t + 400))ms 0 switch prev=2 next=1 reason=1"
	done
} | sort -s -n >"$tmp/late.txt"
mktrace late <"$tmp/late.txt"
is "work that comes back at once wants more" "unfair 1 rcs0" "$(found late | grep -o 'unfair 1 rcs0')"
awk '/ queue v=1 w=11/ { print "lost 0 1"; next } { print }' "$tmp/late.txt" | mktrace late
is "so it does when its coming was lost once: that was no pause" "unfair 1 rcs0" \
	"$(found late | grep -o 'unfair 1 rcs0')"

# A workload waits for 2 s in vGPU 1's turns of 10 ms each; a reset takes it away.
{
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	for n in $(seq 0 219); do
		life $((n + 10)) 1 $((n * 10)) $((n * 10)) $((n * 10)) $((n * 10 + 10)) $((n * 10 + 10))
	done
	echo "100ms 0 queue v=2 w=230"
	echo "2100ms 0 cancel v=2 w=230 reason=1"
} | story starving
matches "a wait that a reset ended is a wait" "2 resets 2 rcs0 1, *starved 2 rcs0 2000*" "$(found starving)"
matches "and told to be so" "*waited for 2000.0 ms and was cancelled*" \
	"$(jq -r '.findings[] | select(.rule == "starved") | .problem' "$tmp/out.json")"
{
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	life 1 1 1 1 1 2000 2000
	echo "100ms 0 queue v=2 w=2"
	echo "2100ms 0 balance v=1 weight=1 slice_ns=50000000 left_ns=50000000"
} | story waiting
is "a wait that goes on is a wait" "2 blocked 2 rcs0 2000, starved 2 rcs0 2000" "$(found waiting)"

# 250 resets, of two workloads each; and a vGPU that is removed
{
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	for n in $(seq 1 250); do
		echo "$((n * 10))ms 0 queue v=1 w=$((n * 2))"
		echo "$((n * 10))ms 0 queue v=1 w=$((n * 2 + 1))"
		echo "$((n * 10 + 5))ms 0 cancel v=1 w=$((n * 2)) reason=1"
		echo "$((n * 10 + 5))ms 0 cancel v=1 w=$((n * 2 + 1)) reason=1"
	done
	echo "2510ms 0 queue v=2 w=502"
	echo "2511ms 0 cancel v=2 w=502 reason=2"
} | story resets
matches "250 resets, of which none is a removal" "2 resets 1 rcs0 250*" "$(found resets)"
matches "resets: what was lost" "*reset rcs0 250 times, which cancelled 500 workloads*" \
	"$(jq -r '.findings[0].problem' "$tmp/out.json")"

# What a guest did wrong before the recording is not of it. Of a vGPU that is made anew,
# counting begins anew; one that is well is not named.
{
	echo "0ms 0 switch prev=0 next=1 next_left_ns=50000000"
	for v in 1 2 3; do
		echo "0ms 0 gvt_vgpu_info v=$v weight=2"
	done
	echo "1ms 0 gvt_vgpu_health v=1 bad_entries=7 reused_roots=1 failsafe=0"
	echo "1ms 0 gvt_vgpu_health v=2 bad_entries=0 failsafe=0"
	echo "1ms 0 gvt_vgpu_health v=3 hangs=4 refused_submits=9 failsafe=0"
	echo "500ms 0 gvt_vgpu_health v=1 bad_entries=10 reused_roots=1 failsafe=0"
	echo "800ms 0 gvt_vgpu_health v=1 bad_entries=10 reused_roots=2 failsafe=0"
	echo "900ms 0 gvt_vgpu_health v=1 bad_entries=2 reused_roots=0 failsafe=0"
	echo "950ms 0 gvt_vgpu_health v=2 bad_entries=0 failsafe_entries=1 failsafe=3"
	echo "1001ms 0 gvt_vgpu_health v=3 hangs=4 refused_submits=9 failsafe=0"
	life 1 1 1 1 1 2 2
} | story health
is "failsafe mode, and what was refused or repaired" "2 failsafe 2 - 3, misuse 1 - 6" "$(found health)"
matches "failsafe mode: why, and since when" \
	"vGPU 2 (a-2) is in failsafe mode: nothing of it executes (an error of its guest)|reported first at 0.950000 s; put in failsafe mode 1 time since*" \
	"$(jq -r '.findings[0] | .problem + "|" + .evidence' "$tmp/out.json")"
matches "misuse: what, and when" "bad_entries 5, reused_roots 1; reported first at 0.500000 s, last at 0.900000 s" \
	"$(jq -r '.findings[1].evidence' "$tmp/out.json")"
is "only that of a part of the trace" "2 misuse 1 - 2" "$(found health --time 0.85,0.92)"

# A damaged trace: counts of 64 bits, and none of how often the mode was entered
mkdir -p "$tmp/damaged"
for dir in $FORMATS; do
	[ "$dir" = -F ] || cp -r "$dir"/. "$tmp/damaged"
done
sed -i 's/u32 bad_entries;	offset:16;	size:4/u64 bad_entries;	offset:52;	size:8/; /failsafe_entries;/d' \
	"$tmp/damaged/gvt/gvt_vgpu_health.format"
FORMATS="-F $tmp/damaged"
{
	echo "0ms 0 gvt_vgpu_info v=1 weight=2"
	echo "1ms 0 gvt_vgpu_health v=1 bad_entries=0 failsafe=0"
	echo "2ms 0 gvt_vgpu_health v=1 bad_entries=9223372036854775807 failsafe=7"
	echo "3ms 0 gvt_vgpu_health v=1 bad_entries=3 failsafe=7"
	life 1 1 1 1 1 2 2
} | story damaged
FORMATS=$formats
is "a count that no kernel has is none" "2 failsafe 1 - 7, misuse 1 - 3" "$(found damaged)"
matches "and what is not told is unknown" \
	"*(unknown reason)|reported first at 0.002000 s; put in failsafe mode an unknown number of times since*" \
	"$(jq -r '.findings[0] | .problem + "|" + .evidence' "$tmp/out.json")"

# Turns of 800 ms with workloads of 0.99 ms: slices are as long, not workloads. vGPU 1's
# next work comes at once, and waits until its next slice.
awk 'BEGIN {
	print "0us 0 gvt_sched_info tick_ns=1000000 period_ns=1000000000 boost_ns=2000000000 policy=strict dispatch=exclusive"
	print "0us 0 gvt_host_state running=0"
	print "0us 0 gvt_vgpu_info v=1 weight=2"
	print "0us 0 gvt_vgpu_info v=2 weight=8"
	for (n = 0; n < 1400; n++) {
		v = n % 1000 < 200 ? 1 : 2; t = n * 1000
		if (n % 1000 == 0)
			printf "%dus 0 switch prev=%d next=1 reason=1 next_left_ns=200000000\n", t, n ? 2 : 0
		if (n % 1000 == 200)
			printf "%dus 0 switch prev=1 next=2 reason=2 next_left_ns=800000000\n", t
		printf "%dus 0 queue v=%d w=%d\n", n == 1000 ? 200000 : t, v, n + 1
		printf "%dus 0 submit v=%d w=%d\n%dus 0 start v=%d w=%d\n", t, v, n + 1, t, v, n + 1
		printf "%dus 0 stop v=%d w=%d done=1\n", t + 990, v, n + 1
		printf "%dus 0 complete v=%d w=%d\n", t + 990, v, n + 1
	}
}' | sort -s -n >"$tmp/turns.txt"
sed 's/next=2 reason=2/next=2 reason=3/' "$tmp/turns.txt" | mktrace boosted
matches "a turn that a start boost gave: without that" "blocked: gvt-stat policy boost_ms=0*" \
	"$(advice boosted)"
sed '/^1200000us/s/next=2 reason=2/next=2 reason=3/' "$tmp/turns.txt" | mktrace boosted-later
matches "a start boost at another time is not the cause" "blocked: gvt-stat policy period_ms=*" \
	"$(advice boosted-later)"
mktrace turns <"$tmp/turns.txt"
matches "many short workloads in a row are no long one" "blocked: gvt-stat policy period_ms=*" \
	"$(advice turns)"
matches "and the length of both is told" "*execute for 0.990 ms on average*" \
	"$(jq -r '.findings[0].evidence' "$tmp/out.json")"

# 300 ms that fail: no setting is against that
sed 's/complete v=1 w=1$/complete v=1 w=1 status=-5/' "$tmp/long.txt" | mktrace hung
is "what hangs is no long workload" "failed: failed, blocked: hang, drain: hang" \
	"$("$GVT_STAT" check --json -i "$tmp/hung.dat" --threshold starved=9999 | jq -r '[.findings[] |
		.rule + ": " + ([.remedies[] | .command // .remedy] | join(" | "))] | join(", ")')"

# two GPUs: their engines are told apart
{ sed 's/$/ dev=0/' "$tmp/long.txt"; sed 's/$/ dev=1/; s/ w=1/ w=11/; s/ w=2/ w=12/' "$tmp/long.txt"; } |
	sort -s -n | mktrace gpus
matches "with two GPUs, which one is told" "*rcs0 of GPU 1 had to wait*" \
	"$("$GVT_STAT" check --json -i "$tmp/gpus.dat" | jq -r '.findings[].problem')"
is "with two GPUs, the file is that one's" "card0 card1" \
	"$("$GVT_STAT" check -i "$tmp/gpus.dat" | grep -o 'card[01]' | sort -u | paste -sd ' ')"

# for tools that try remedies
is "JSON: a remedy has settings with values" \
	'{"remedy":"preempt","perhaps":false,"scope":"gpu","settings":[{"setting":"policy","value":"fair","file":"/sys/class/drm/card0/device/gvt_sched/policy"},{"setting":"dispatch","value":"preemptive","file":"/sys/class/drm/card0/device/gvt_sched/dispatch"}],"command":"gvt-stat policy fair dispatch=preemptive","dev":0,"vgpu_id":null}' \
	"$(sed 's/policy=strict/policy=strict dispatch=exclusive/' "$tmp/long.txt" | mktrace json
	"$GVT_STAT" check --json -i "$tmp/json.dat" | jq -c '.findings[] | select(.rule == "blocked") |
		.remedies[0] | del(.text)')"
is "--rules needs no trace" 23 "$("$GVT_STAT" check --rules | wc -l)"
is "--rules with a threshold" "held 12.5 %" "$("$GVT_STAT" check --rules --threshold held=12.5 |
	awk '$1 == "held" { print $1, $2, $3 }')"
for word in nothing=1 held held=x held=-1 held= =1; do
	"$GVT_STAT" check --threshold "$word" >"$tmp/out" 2>&1
	is "usage: --threshold $word" 129 $?
done

# --- a filter: the engine executes for vGPU 2, too, but that is not in the trace ---------------
# filtered STEP: the work of vGPU 1, with every STEPth id
filtered()
{
	awk -v step="$1" 'BEGIN {
		print "0ms 0 gvt_sched_info vgpus=2 policy=strict dispatch=exclusive"
		print "0ms 0 gvt_host_state running=0"
		for (nr = 0; nr < 20; nr++) {
			id = 5 + step * nr; at = 20 * nr
			print at + 1 "ms 0 queue v=1 w=" id
			print at + 2 "ms 0 switch prev=1 next=2"
			print at + 11 "ms 0 switch prev=2 next=1"
			print at + 12 "ms 0 submit v=1 w=" id
			print at + 12 "ms 0 start v=1 w=" id
			print at + 18 "ms 0 stop v=1 w=" id " done=1"
			print at + 18 "ms 0 complete v=1 w=" id
		}
	}' | mktrace "filtered$1"
}
filtered 1
filtered 2
filtered_says() {
	"$GVT_STAT" check --json -i "$tmp/filtered$1.dat" >"$tmp/out.json"
	values '[.trace.left_out_workloads, ([.findings[] | select(.rule == "missing") | .value | select(. > 10)]),
		(.not_checked | index("switching") != null)]' "$tmp/out.json"
}
is "all work in the trace: nothing is left out" '[0,[],false]' "$(filtered_says 1)"
is "a filter: said, and no rule on idle engines" '[19,[19],true]' "$(filtered_says 2)"
is "a filter: the report says so" 1 "$("$GVT_STAT" report -v -i "$tmp/filtered2.dat" | grep -c '^19 workloads are not in the trace')"
is "a filter: so do gaps, which know nothing" "0 0" \
	"$("$GVT_STAT" why idle --csv -i "$tmp/filtered2.dat" 2>"$tmp/err" | tail -n +2 | cut -d, -f4 | grep -c .) $(grep -q ' 19 workloads are not in it' "$tmp/err"; echo $?)"
# lost events explain missing workloads, too
sed 's/^100/lost 0 3\n100/' <<'END' | mktrace filteredlost
1ms 0 queue v=1 w=5
3ms 0 queue v=1 w=50
100ms 0 queue v=1 w=90
END
is "lost events: not taken for a filter" 0 "$(json filteredlost .trace.left_out_workloads)"
for dev in 0 1 2; do
	echo "${dev}ms 0 queue v=1 w=-9000000000000000000 dev=$dev"
	echo "${dev}ms 0 queue v=1 w=9000000000000000000 dev=$dev"
done | mktrace leftout
is "numbers as only damaged traces have them: so many and more are left out" 9223372036854775801 \
	"$("$GVT_STAT" report --json -i "$tmp/leftout.dat" | grep -o '"left_out_workloads": [-0-9]*' | cut -d' ' -f2)"

finish
