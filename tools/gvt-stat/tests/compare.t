#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat compare: two traces, by hand; that intervals cover the truth is in unit
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# compare A B [OPTION...]
compare()
{
	a=$1 b=$2
	shift 2
	"$GVT_STAT" compare "$@" "$tmp/$a.dat" "$tmp/$b.dat"
}

# line A B METRIC [OPTION...]: of vGPU 1: a, b, difference, low, high, verdict
line()
{
	a=$1 b=$2 metric=$3
	shift 3
	compare "$a" "$b" --json "$@" >"$tmp/out.json" &&
		jq -c --arg m "$metric" '.metrics[] | select(.metric == $m and .vgpu_id == 1) |
			[.a, .b, .difference, .low, .high | if . then . * 1e4 | round / 1e4 else . end] + [.verdict]' \
			"$tmp/out.json"
}

# one MS...: a workload at the begin of each second that executes so long, waiting 1 ms
one()
{
	second=0
	echo "0ms 0 gvt_sched_info dev=0 vgpus=1 period_ns=100000000 policy=$policy"
	for ms; do
		id=$((second + 1))
		echo "$((second * 1000))ms 0 queue v=1 w=$id"
		echo "$((second * 1000 + 1))ms 0 start v=1 w=$id"
		echo "$((second * 1000 + 1 + ms))ms 0 stop v=1 w=$id done=1"
		echo "$((second * 1000 + 1 + ms))ms 0 complete v=1 w=$id"
		second=$((second + 1))
	done
	# half a block more, which does not count
	echo "$((second * 1000))ms 0 queue v=1 w=99"
	echo "$((second * 1000 + 1))ms 0 start v=1 w=99"
	echo "$((second * 1000 + 500))ms 0 stop v=1 w=99 done=1"
	echo "$((second * 1000 + 500))ms 0 complete v=1 w=99"
}

policy=strict
one 100 200 300 | mktrace a
policy=fair
one 400 500 400 500 | mktrace b

# 20 % and 45 %, variances 33.33 and 8.33, Welch: 3 degrees of freedom, t = 3.1824
is "utilisation" '[20,45,25,4.4574,45.5426,"higher"]' "$(line a b utilization_percent)"
is "the other way round" '[45,20,-25,-45.5426,-4.4574,"lower"]' "$(line b a utilization_percent)"
is "mean latency" '[201000000,451000000,250000000,44573974.3239,455426025.6761,"higher"]' \
	"$(line a b latency_mean_ns)"
is "what does not differ is the same" '[1,1,0,0,0,"same"]' "$(line a b completed_per_second)"
is "mean wait" '[1000000,1000000,0,0,0,"same"]' "$(line a b wait_mean_ns)"
is "quantiles" '[201000000,401000000,200000000]' "$(line a b latency_p50_ns | jq -c '.[:3]')"
# all draws of 100, 200, 300 against 400, 500: from 400 - 300 to 500 - 100
is "interval of a quantile" '[100000000,400000000,"higher"]' "$(line a b latency_p50_ns | jq -c '.[3:]')"
is "the same trace twice" '["same"]' \
	"$(compare a a --json | jq -c '[.metrics[].verdict] | unique')"
is "blocks, and what does not fill one is left out" "[3,4]" "$(compare a b --json | jq -c '[.a.blocks, .b.blocks]')"
is "blocks of another length" "[7,9,500000000]" \
	"$(compare a b --json --block 0.5 | jq -c '[.a.blocks, .b.blocks, .block_ns]')"
# 250 ms and 150 ms in two blocks of 250 ms: variance 400 each, t = 4.3027
is "execution is in the blocks in which it was" '[80,80,0,-121.6974,121.6974,"same"]' \
	"$(line b b utilization_percent --block 0.25 --time +0.001,+0.501)"
is "settings that differ" '[{"dev":0,"setting":"policy","a":"strict","b":"fair"}]' \
	"$(compare a b --json | jq -c .settings)"
is "schema" '["gvt-stat/1","compare",0.95]' "$(compare a b --json | jq -c '[.schema, .command, .confidence]')"
matches "the table" "*policy  *strict *fair*1 *rcs0 *utilisation % *20.000 *45.000 *25.000 *4.457 *45.543 *125.00 higher*" \
	"$(compare a b)"

printf '0ms 0 queue v=2 w=1\n1ms 0 start v=2 w=1\n2ms 0 stop v=2 w=1 done=1\n3ms 0 complete v=2 w=1\n3s 0 gvt_sched_info dev=0\n' |
	mktrace other
is "a vGPU that did nothing in the other trace" '[20,0,-20]' "$(line a other utilization_percent | jq -c '.[:3]')"
is "and has no mean latency there" '[201000000,null,null,null,null,null]' "$(line a other latency_mean_ns)"
is "a vGPU that only the second has" '[0,0.0333]' "$(compare a other --json |
	jq -c '.metrics[] | select(.vgpu_id == 2 and .metric == "utilization_percent") |
		[.a, (.b * 1e4 | round / 1e4)]')"
one 100 200 300 | sed '/complete/d' | mktrace nocomplete
is "what a trace does not tell is unknown" '[null,null,null,null,null,null]' \
	"$(line a nocomplete completed_per_second)"
is "and what is missing is said" '"gvt:gvt_workload_complete"' "$(jq -c '.b.missing_events[0].event' "$tmp/out.json")"

# fails NAME STATUS PATTERN ARGUMENT...
fails()
{
	name=$1 status=$2 pattern=$3
	shift 3
	text=$("$GVT_STAT" compare "$@" 2>&1)
	is "$name: status" "$status" $?
	matches "$name" "$pattern" "$text"
}

fails "one trace" 129 "*give two traces*" "$tmp/a.dat"
fails "three traces" 129 "*is the third trace*" "$tmp/a.dat" "$tmp/a.dat" "$tmp/a.dat"
fails "no such file" 1 "*/nosuch: cannot open*" "$tmp/a.dat" "$tmp/nosuch"
fails "too short" 1 "*two blocks of 10.000 s are the least*" "$tmp/a.dat" "$tmp/b.dat" --block 10
fails "block" 129 "*--block 0: give seconds*" "$tmp/a.dat" "$tmp/b.dat" --block 0
fails "too many blocks" 1 "*longer than 1000000 blocks*" "$tmp/a.dat" "$tmp/b.dat" --block 0.000001

finish
