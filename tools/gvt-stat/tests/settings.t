#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat check where settings were changed within the trace
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# throttled FIRST POLICY: in each 100 ms from FIRST on, vGPU 1 has a slice of 30 ms and waits for
# the next one, while vGPU 2 has no work; told is POLICY, and what else is given
throttled()
{
	first=$1 policy=$2 count=$3
	shift 3
	echo "${first}ms 0 gvt_sched_info policy=$policy dispatch=exclusive period_ns=100000000 tick_ns=1000000 $*"
	echo "${first}ms 0 gvt_vgpu_info v=1 weight=2 uuid=a-1"
	echo "${first}ms 0 gvt_vgpu_info v=2 weight=2 uuid=a-2"
	nr=0
	while [ "$nr" -lt "$count" ]; do
		at=$((first + 100 * nr))
		echo "${at}ms 0 switch prev=0 next=1 next_left_ns=30000000
${at}ms 0 queue v=1 w=$((at / 50 + 1))
${at}ms 0 submit v=1 w=$((at / 50 + 1))
${at}ms 0 start v=1 w=$((at / 50 + 1))
$((at + 30))ms 0 stop v=1 w=$((at / 50 + 1)) done=1
$((at + 30))ms 0 complete v=1 w=$((at / 50 + 1))
$((at + 30))ms 0 queue v=1 w=$((at / 50 + 2))
$((at + 30))ms 0 switch prev=1 next=0 prev_left_ns=0
$((at + 99))ms 0 cancel v=1 w=$((at / 50 + 2))"
		nr=$((nr + 1))
	done
}

# check NAME QUERY [OPTION...]
check()
{
	file=$1 wanted=$2
	shift 2
	"$GVT_STAT" check --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json"
	values "$wanted" "$tmp/out.json"
}

advice='[.findings[] | select(.rule == "throttled").remedies[0].command]'
changes='[.setting_changes[] | [.at_ns / 1e6, .vgpu_id, .setting, .old, .new]]'

{ throttled 0 strict 8; throttled 800 fair 3; } | mktrace late
is "what held longest counts, not what held last" '["gvt-stat policy work-conserving"]' \
	"$(check late "$advice")"
is "and what was changed is told" '[[800,null,"policy","strict","fair"]]' "$(check late "$changes")"
matches "in words" "*Settings were changed in the window: findings are based on those that were in force longest*0.800000 s: policy of GPU 0 from strict to fair*" \
	"$("$GVT_STAT" check -i "$tmp/late.dat")"
{ throttled 0 fair 3; throttled 300 strict 8; } | mktrace early
is "also if the other one came first" '["gvt-stat policy work-conserving"]' "$(check early "$advice")"
{ throttled 0 strict 3; throttled 300 fair 4; throttled 700 strict 3; } | mktrace thrice
is "and if it was in force twice" '["gvt-stat policy work-conserving"]' "$(check thrice "$advice")"
is "a window in which nothing is changed has no change" '[]' "$(check late "$changes" --time ,+0.7)"
is "nor has one that begins with it" '[]' "$(check late "$changes" --time +0.8,)"
throttled 0 strict 8 | mktrace same
is "what is told again is no change" '[]' "$(check same "$changes")"

{ throttled 0 strict 8
  echo "800ms 0 gvt_sched_setting dev=0 v=1 setting=cap old_value=0 new_value=20"
  echo "810ms 0 gvt_sched_setting dev=0 v=0 setting=policy old_value=strict new_value=fair"
  echo "900ms 0 queue v=1 w=5000"; } | mktrace event
is "changes by gvt_sched_setting, of a vGPU and of the GPU" \
	'[[800,1,"cap","0","20"],[810,null,"policy","strict","fair"]]' "$(check event "$changes")"
{ throttled 0 strict 4
  awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%dms 0 gvt_sched_info policy=%s dispatch=exclusive\n", 400 + i, i % 2 ? "fair" : "strict" }'
} | mktrace many
is "however many, it ends" '1024' "$(check many '.setting_changes | length')"

# vGPU 1 is removed in debt, and another one gets its number: it waits for the scheduler, not to pay
mktrace reused <<'END'
0ms   0 gvt_vgpu_info v=1 weight=2 uuid=a-1
0ms   0 gvt_sched_info policy=strict dispatch=exclusive
0ms   0 switch   prev=0 next=1 next_left_ns=5000000
1ms   0 queue    v=1 w=1
1ms   0 submit   v=1 w=1
1ms   0 start    v=1 w=1
8ms   0 stop     v=1 w=1 done=1
8ms   0 complete v=1 w=1
8ms   0 switch   prev=1 next=0 prev_left_ns=-3000000
9ms   0 gvt_vgpu_info v=1 weight=4 uuid=b-1
10ms  0 queue    v=1 w=3
12ms  0 switch   prev=0 next=1 next_left_ns=5000000
12ms  0 submit   v=1 w=3
12ms  0 start    v=1 w=3
15ms  0 stop     v=1 w=3 done=1
15ms  0 complete v=1 w=3
END
is "a new vGPU with the number of another one does not pay its debt" '[["switching",2000000]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/reused.dat" | values '[.blame[] | [.reason, .wait_ns]]')"

who='[.vgpus[] | [.vgpu_id, .uuid, .weight]]'
is "both vGPUs that had the number are told" '[[1,"a-1",2],[1,"b-1",4]]' "$(json reused "$who")"
is "of a part before, the first one" '[[1,"a-1",2]]' "$(json reused "$who" --time ,0.005)"

{ throttled 0 strict 4
  echo "400ms 0 gvt_vgpu_info v=1 weight=2 uuid=a-1 cap=10"
  echo "500ms 0 gvt_vgpu_info v=1 weight=2 uuid=b-1 cap=30"
  echo "600ms 0 gvt_vgpu_info v=1 weight=2 uuid=b-1 cap=40"
  echo "700ms 0 queue v=1 w=9000"; } | sed 's/uuid=a-1$/uuid=a-1 cap=20/' | mktrace another
is "nor is its cap a change of the other one's" '[[400,1,"cap","20","10"],[600,1,"cap","30","40"]]' \
	"$(check another "$changes")"

# vGPU 1 is kept off the free GPU by its cap; then its number is another one's, without a cap.
capped()
{
	echo "0ms 0 gvt_vgpu_info v=1 weight=2 uuid=a-1 cap=10"
	echo "0ms 0 gvt_sched_info policy=fair dispatch=exclusive period_ns=100000000"
	echo "0ms 0 switch prev=0 next=1"
	for t in 100 200 300 400; do
		printf '%dms 0 queue v=1 w=%d\n' $t $t
		printf '%dms 0 switch prev=1 next=0\n' $t
		printf '%dms 0 switch prev=0 next=1\n' $((t + 90))
		printf '%dms 0 submit v=1 w=%d\n' $((t + 90)) $t
		printf '%dms 0 start v=1 w=%d\n' $((t + 90)) $t
		printf '%dms 0 stop v=1 w=%d done=1\n' $((t + 99)) $t
		printf '%dms 0 complete v=1 w=%d\n' $((t + 99)) $t
	done
}
cap_of()
{
	"$GVT_STAT" check -i "$tmp/$1.dat" | sed -n 's/.*because \(.*\) was reached.*/\1/p'
	"$GVT_STAT" check --json -i "$tmp/$1.dat" | jq -c '[.findings[] | select(.rule == "capped") | .remedies[].command]'
}
capped | mktrace capped
is "a cap, and another one instead" "its cap of 10 %
[\"gvt-stat policy --vgpu 1 cap=80\"]" "$(cap_of capped)"
{ capped; echo "600ms 0 gvt_vgpu_info v=1 weight=2 uuid=b-1 cap=0"; echo "1500ms 0 queue v=1 w=900"; } | mktrace given
is "the cap of a vGPU whose number another one gets is its own" "its cap of 10 %
[\"gvt-stat policy --vgpu 1 cap=30\"]" "$(cap_of given)"

# a part of a trace: as they were at its end; where none was told up to there, the first ones
{
	throttled 0 strict 3
	throttled 300 fair 3 | sed 's/v=1 weight=2/v=1 weight=5 nice=-3 cap=40/; s/dispatch=exclusive/dispatch=preemptive/'
} | mktrace parts
now='[.gpus[0].policy, .gpus[0].dispatch, (.vgpus[0] | .weight, .nice, .cap)]'
is "the first part" '["strict","exclusive",2,0,0]' "$(json parts "$now" --time ,0.2)"
is "the second part" '["fair","preemptive",5,-3,40]' "$(json parts "$now" --time 0.4,)"
is "all of it" '["fair","preemptive",5,-3,40]' "$(json parts "$now")"
{
	echo "0ms 0 queue v=1 w=1"
	throttled 100 fair 1
} | mktrace first
is "told after the part only" '["fair","exclusive",2,0,0]' "$(json first "$now" --time ,0.05)"

finish
