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
	"$GVT_STAT" compare --block 1 "$@" "$tmp/$a.dat" "$tmp/$b.dat"
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
one 100 200 300 100 300 | mktrace a
policy=fair
one 400 500 400 500 400 500 | mktrace b

# 20 % and 45 %, variances 20 and 5, Welch: 5.95 degrees of freedom, t = 2.4517
is "utilisation" '[20,45,25,12.7417,37.2583,"higher"]' "$(line a b utilization_percent)"
is "the other way round" '[45,20,-25,-37.2583,-12.7417,"lower"]' "$(line b a utilization_percent)"
is "mean latency" '[201000000,451000000,250000000,127416760.1917,372583239.8083,"higher"]' \
	"$(line a b latency_mean_ns)"
is "what does not differ is the same" '[1,1,0,0,0,"same"]' "$(line a b completed_per_second)"
is "mean wait" '[1000000,1000000,0,0,0,"same"]' "$(line a b wait_mean_ns)"
is "how many workloads there were" "5 6" "$(compare a b --json |
	jq -r '[.metrics[] | [.n_a, .n_b] | map(tostring) | join(" ")] | unique - ["0 0"] | join(", ")')"
is "quantiles" '[201000000,451000000,250000000]' "$(line a b latency_p50_ns | jq -c '.[:3]')"
is "a quantile of five values: all are below it in 3 of 100 cases" '[null,null,"unclear"]' \
	"$(line a b latency_p50_ns | jq -c '.[3:]')"
is "the same trace twice: means differ by chance, or not" '["same","unclear"]' \
	"$(compare a a --json | jq -c '[.metrics[].verdict] | unique')"
is "blocks, and what does not fill one is left out" "[5,6]" "$(compare a b --json | jq -c '[.a.blocks, .b.blocks]')"
is "blocks of another length" "[11,13,500000000]" \
	"$(compare a b --json --block 0.5 | jq -c '[.a.blocks, .b.blocks, .block_ns]')"
is "execution is in the blocks in which it was" '[80,80,0]' \
	"$(line b b utilization_percent --block 0.25 --time +0.001,+0.501 | jq -c '.[:3]')"

# Few blocks, few workloads: nobody can tell.
one 100 200 300 | mktrace three
one 400 500 | mktrace two
is "3 against 2 blocks, +145 %: unclear" '[20,45,25,null,null,"unclear"]' \
	"$(line three two utilization_percent)"
is "4 blocks are too few, 5 are not" '["unclear"]' "$(one 100 100 100 100 | mktrace four
	line four b utilization_percent | jq -c '.[5:]')"
{ one 100; for t in 2 3 4 5 6 7 8; do echo "${t}s 0 gvt_sched_info dev=0"; done; } |
	sort -s -n | sed 's/^\([0-9]*\)s/\1000ms/' | sort -s -n | mktrace single
{ one 100 100; for t in 3 4 5 6 7 8; do echo "${t}000ms 0 gvt_sched_info dev=0"; done; } |
	sort -s -n | mktrace couple
is "2 against 1 workloads: no interval" '[null,null,"unclear"]' \
	"$(line couple single latency_mean_ns | jq -c '.[3:]')"
is "and their numbers are told" '[3,2]' "$(jq -c '.metrics[] | select(.metric == "latency_mean_ns" and
	.vgpu_id == 1) | [.n_a, .n_b]' "$tmp/out.json")"

# within the margin, or not; the interval counts, not the difference
one 100 101 100 101 100 101 100 101 | mktrace even
one 101 102 101 102 101 102 101 102 | mktrace odd
one 100 110 100 110 90 110 100 80 | mktrace wide
is "a difference within the margin is one" '["higher"]' \
	"$(line even odd utilization_percent | jq -c '.[5:]')"
is "an interval within the margin: the same" '["same"]' \
	"$(line even even utilization_percent | jq -c '.[5:]')"
is "an interval wider than the margin: unclear" '["unclear"]' \
	"$(line even wide utilization_percent | jq -c '.[5:]')"
is "with a wider margin: the same" '["same"]' \
	"$(line even wide utilization_percent --margin 20 | jq -c '.[5:]')"
is "without a margin: unclear" '["unclear"]' \
	"$(line even wide utilization_percent --margin 0 | jq -c '.[5:]')"

# fails_if STATUS A B CONDITION...: exit status, and the results in JSON
fails_if()
{
	want=$1 a=$2 b=$3
	shift 3
	name="$a $b $*"
	conditions=
	for condition; do
		conditions="$conditions --fail-if $condition"
	done
	# shellcheck disable=SC2086 # several words
	compare "$a" "$b" --json $conditions >"$tmp/out.json"
	is "--fail-if: $name" "$want" "$? $(jq -r '[.conditions[].result] | join(" ")' "$tmp/out.json")"
}
fails_if "2 holds" a b 'utilization>+10%'
fails_if "2 holds" a b 'utilization_percent>+124%'
fails_if "0 no" a b 'utilization>+126%'
fails_if "0 no" a b 'utilization<-10%'
fails_if "2 holds" b a 'utilization<-50%'
fails_if "2 holds" a b 'utilization>+24'
fails_if "0 no" a b 'utilization>+26'
fails_if "2 holds" a b 'utilization>44'
fails_if "0 no" a b 'utilization>46'
fails_if "2 holds" a b 'utilization<46'
fails_if "2 holds" a b 'latency>+240ms'
fails_if "2 holds" a b 'latency>+240000us'
fails_if "0 no" a b 'latency>+0.26s'
fails_if "2 holds" a b 'latency>450ms'
fails_if "2 no holds" a b 'latency>460ms' 'completed<1.5'
fails_if "3 unclear" three two 'utilization>+10%'
fails_if "3 unclear" three two 'utilization<+10%'
fails_if "3 unclear" a b 'p99>+10%'
fails_if "2 unclear holds" a b 'p99>+10%' 'latency>+10%'
fails_if "2 holds" a b 'failed<1'
is "--fail-if: where it holds" '[{"dev":0,"engine":"rcs0","result":"holds","vgpu_id":1},{"dev":0,"engine":"rcs0","result":"holds","vgpu_id":null}]' \
	"$(compare a b --json --fail-if 'latency>+10%' | jq -c '.conditions[0].where')"
matches "--fail-if: in text" "*latency>+10%: holds; 1 rcs0: holds; all rcs0: holds*" \
	"$(compare a b --fail-if 'latency>+10%')"
# Time and memory are bounded, whatever the blocks are.
is "a million blocks per second become 1024 at most" true \
	"$(timeout 20 "$GVT_STAT" compare --block 1 --json --block 0.000001 "$tmp/a.dat" "$tmp/b.dat" |
	jq -c '.a.blocks <= 1024 and .a.blocks > 500 and .b.blocks <= 1024 and .a.block_ns > 1000')"
is "and what they add up to does not change" '[20,44,24]' \
	"$(line a b utilization_percent --block 0.000001 --time +0,+5 | jq -c '.[:3] | map(round)')"
is "settings that differ" '[{"dev":0,"setting":"policy","a":"strict","b":"fair"}]' \
	"$(compare a b --json | jq -c .settings)"
is "schema" '["gvt-stat/1","compare",0.95]' "$(compare a b --json | jq -c '[.schema, .command, .confidence]')"
matches "the table" "*policy  *strict *fair*1 *rcs0 *UTIL% *5 *6 20.000 *45.000 *25.000 *12.742 *37.258 *125.00 higher*" \
	"$(compare a b)"

printf '0ms 0 queue v=2 w=1\n1ms 0 start v=2 w=1\n2ms 0 stop v=2 w=1 done=1\n3ms 0 complete v=2 w=1\n3s 0 gvt_sched_info dev=0\n' |
	mktrace other
is "a vGPU that did nothing in the other trace" '[20,0,-20]' "$(line a other utilization_percent | jq -c '.[:3]')"
is "and has no mean latency there" '[201000000,null,null,null,null,null]' "$(line a other latency_mean_ns)"
is "a vGPU that only the second has" '[0,0.0333]' "$(compare a other --json |
	values '.metrics[] | select(.vgpu_id == 2 and .metric == "utilization_percent") |
		[.a, (.b * 1e4 | round / 1e4)]')"
one 100 200 300 | sed '/complete/d' | mktrace nocomplete
is "what a trace does not tell is unknown" '[null,null,null,null,null,null]' \
	"$(line a nocomplete completed_per_second)"
is "and what is missing is said" '"gvt:gvt_workload_complete"' "$(jq -c '.b.missing_events[0].event' "$tmp/out.json")"

# the last block would end at a time that is none
mktrace last <<'END'
9223372036850000000 0 queue v=1 w=1
9223372036850000000 0 start v=1 w=1
9223372036854700000 0 stop v=1 w=1 done=1
9223372036854700000 0 complete v=1 w=1
END
is "at the end of time" '[100,100,0,null,null,"unclear"]' \
	"$(line last last utilization_percent --block 0.001)"

# fails NAME STATUS PATTERN ARGUMENT...
fails()
{
	name=$1 status=$2 pattern=$3
	shift 3
	text=$("$GVT_STAT" compare --block 1 "$@" 2>&1)
	is "$name: status" "$status" $?
	matches "$name" "$pattern" "$text"
}

fails "one trace" 129 "*give two traces*" "$tmp/a.dat"
fails "three traces" 129 "*is the third trace*" "$tmp/a.dat" "$tmp/a.dat" "$tmp/a.dat"
fails "no such file" 1 "*/nosuch: cannot open*" "$tmp/a.dat" "$tmp/nosuch"
fails "too short" 1 "*two blocks of 10.000 s are the least*" "$tmp/a.dat" "$tmp/b.dat" --block 10
fails "block" 129 "*--block 0: give a time from *" "$tmp/a.dat" "$tmp/b.dat" --block 0
fails "margin" 129 "*--margin -1: give per cent*" "$tmp/a.dat" "$tmp/b.dat" --margin=-1
# page_fails NAME STATUS PATTERN ARGUMENT...: of the page that shows two traces
page_fails() {
	name=$1 status=$2 pattern=$3
	shift 3
	text=$("$GVT_STAT" export --format html "$@" 2>&1)
	is "$name: status" "$status" $?
	matches "$name" "$pattern" "$text"
}

page_fails "a page: nowhere to write" 1 "*no/such.html: cannot write: No such file or directory" \
	"$tmp/a.dat" "$tmp/b.dat" -o no/such.html
page_fails "a page: a full disk" 1 "*/dev/full: cannot write: No space left on device" \
	"$tmp/a.dat" "$tmp/b.dat" -o /dev/full
page_fails "a page: not in place of a trace" 1 "*b.dat: is a trace itself: give --output another name" \
	"$tmp/a.dat" "$tmp/b.dat" -o "$tmp/b.dat"
page_fails "a page: of three" 129 "*is the third trace*" "$tmp/a.dat" "$tmp/a.dat" "$tmp/b.dat"
page_fails "two traces: only as a page" 129 "*is a second trace: only --format html shows two*" \
	"$tmp/a.dat" "$tmp/b.dat" --format csv
"$GVT_STAT" export --format html -o "$tmp/pair.html" "$tmp/a.dat" "$tmp/b.dat"
is "a page: no network: its policy; no address" "1 0" \
	"$(grep -c "Content-Security-Policy.*default-src 'none'" "$tmp/pair.html") $(grep -c '[a-z]*://' "$tmp/pair.html")"
fails "condition: no metric" 129 "*metrics are utilization, completed, *" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'p98>+10%'
fails "condition: nothing compared" 129 "*give METRIC>LIMIT*" "$tmp/a.dat" "$tmp/b.dat" --fail-if p99
fails "condition: no number" 129 "*no number behind*" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'p99>'
fails "condition: no unit" 129 "*give the limit in ns, us, ms, s or m*" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'p99>10'
fails "condition: a unit that is none" 129 "*has no unit*" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'completed>10ms'
fails "condition: a part without sign" 129 "*takes a sign*" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'p99>10%'
fails "condition: not finite" 129 "*no number behind*" "$tmp/a.dat" "$tmp/b.dat" --fail-if 'p99>nan%'

# lose: the events from 3 s on that are before 6 s
lose()
{
	awk '
		{ ms = $1 + 0 }
		ms >= 3000 && ms < 6000 { lost++; next }
		lost { print "lost 0 " lost; lost = 0 }
		{ print }'
}

# Events were lost from 2.301 to 6 s: less was seen in these blocks, but not less was done.
policy=strict
one 300 310 300 310 300 310 300 310 300 310 300 310 | mktrace whole
one 300 310 300 310 300 310 300 310 300 310 300 310 | lose | mktrace lossy
is "lost: blocks in which events were lost are left out" "[30.5,30.5,0]
[1,1,0]
[306000000,306000000,0]" "$(for metric in utilization_percent completed_per_second latency_mean_ns; do
	line whole lossy $metric | jq -c '.[:3]'; done)"
is "lost: so many" "[12,0] [8,4]" "$(compare whole lossy --json | jq -c '.a, .b | [.blocks, .lost_blocks]' | paste -sd ' ')"
matches "lost: and it is told" "*8 blocks of 1.000 s; 4 more are left out, as events were lost*" "$(compare whole lossy)"
# vcs0 has no work after the gap, so that nobody knows whether it does something: rcs0 does
{
	for event in queue submit start "stop done=1" complete; do
		echo "0ms 0 $event v=1 w=500 class=2"
	done
	one 300 310 300 310 300 310 300 310 300 310 300 310
} | lose | mktrace other
is "lost: of an engine that does nothing after it, only its own figures are unknown" '[30.5,"same"]' \
	"$(line whole other utilization_percent --engine rcs0 | jq -c '[.[1], .[5]]')"
fails "lost: in all blocks but one" 1 "*lossy.dat: events were lost in 4 of 5 blocks of 1 s*choose shorter ones*larger buffers*" \
	--time=1,6.5 "$tmp/lossy.dat" "$tmp/whole.dat"

# --- without --block ---------------------------------------------------------------------

# short SECONDS LATENCY_MS: a workload every 50 ms, which takes longer in the last third
short()
{
	awk -v length_s="$1" -v slow="$2" 'BEGIN {
		for (t = 0; t < length_s * 1000; t += 50) {
			ms = (t % 3 + 5) + (t > length_s * 667 ? slow : 0); w = t / 50 + 1
			print t "ms 0 queue v=1 w=" w; print t "ms 0 submit v=1 w=" w; print t "ms 0 start v=1 w=" w
			print t + ms "ms 0 stop v=1 w=" w " done=1"; print t + ms "ms 0 complete v=1 w=" w
		}
	}'
}
short 3 0 | mktrace steady
short 3 20 | mktrace slower
is "without --block there are ten at least, and nothing is left out" '[10,10,true]' \
	"$("$GVT_STAT" compare --json "$tmp/steady.dat" "$tmp/slower.dat" | values '[.a.blocks, .b.blocks,
		(.a.blocks * .a.block_ns - .a.window_ns | fabs < 100)]')"
"$GVT_STAT" compare --fail-if 'latency>+10%' "$tmp/steady.dat" "$tmp/slower.dat" >"$tmp/out"
is "what is slower in the last third is not passed" "3" $?
"$GVT_STAT" compare --block 1.4 --fail-if 'p99>+90%' "$tmp/steady.dat" "$tmp/slower.dat" >"$tmp/out"
is "--fail-if: what cannot be looked at is not passed" "3" $?
matches "and why it is unclear is said" "*unclear (*): 2 blocks are too few: record for longer, or choose shorter ones*" "$(cat "$tmp/out")"

finish
