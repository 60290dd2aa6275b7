#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# report --interval and --histogram: the pieces sum to the whole, whatever their length.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"

# by hand: rcs0 of vGPU 1 executes 5..15 ms, waits 0..5 ms, then executes 20..30 ms
mktrace hand <<'END'
0ms  0 queue    v=1 w=1
5ms  0 start    v=1 w=1 lrca=1
15ms 0 stop     v=1 w=1 lrca=1 done=1
16ms 0 complete v=1 w=1
17ms 0 queue    v=1 w=2
20ms 0 start    v=1 w=2 lrca=1
30ms 0 stop     v=1 w=2 lrca=1 done=1
40ms 0 complete v=1 w=2
END
intervals()
{
	file=$1 filter=$2
	shift 2
	"$GVT_STAT" report --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" && values "$filter" "$tmp/out.json"
}
one='[.intervals[] | select(.vgpu_id == 1)'
is "execution" '[5000000,5000000,10000000,0]' "$(intervals hand "$one | .exec_ns]" --interval 10ms)"
is "utilisation" '[50,50,100,0]' "$(intervals hand "$one | .utilization_percent]" --interval 10ms)"
is "queue" '[0.5,0.3,0,0]' "$(intervals hand "$one | .queue_len_mean]" --interval 10ms)"
is "what completes at the very end is of the last one" '[0,1,0,1]' \
	"$(intervals hand "$one | .completed]" --interval 10ms)"
too_long() { { "$GVT_STAT" report --csv -i "$tmp/hand.dat" --interval "$1" >/dev/null; } 2>&1; }
is "an interval that is longer than the window: a slip of the unit" \
	"gvt-stat: warning: --interval of 500 s in a window of 0.04 s" "$(too_long 500)"
is "one as long as the window is not" "" "$(too_long 40ms)"
is "latency is of the interval in which it ended" '[null,15000000,null,13000000]' \
	"$(intervals hand "$one | .latency_mean_ns]" --interval 10ms)"
is "the last one is shorter" '[[0,25000000],[25000000,40000000]]' \
	"$(intervals hand "$one | [.from_ns, .to_ns]]" --interval 25ms)"
is "and its mean is over its own length" '[0.32,0]' "$(intervals hand "$one | .queue_len_mean]" --interval 25ms)"
is "longer than the trace" '[[0,40000000,20000000]]' \
	"$(intervals hand "$one | [.from_ns, .to_ns, .exec_ns]]" --interval 1s)"
is "units of time" '4 4 4 1 1' "$(for time in 10ms 10000us 0.01 1m 60s; do
	intervals hand "$one] | length" --interval $time; done | xargs)"
is "inside --time" '[[10000000,20000000,5000000],[20000000,25000000,5000000]]' \
	"$(intervals hand "$one | [.from_ns, .to_ns, .exec_ns]]" --interval 10ms --time 0.01,0.025)"

# sums FILE OPTION...: those of the intervals beside the report's, for each row; with losses,
# $queues is 0, as their lengths are not known
sums()
{
	file=$1
	shift
	"$GVT_STAT" report --json -i "$tmp/$file.dat" "$@" >"$tmp/parts.json"
	# shellcheck disable=SC2086 # several words
	"$GVT_STAT" report --json -i "$tmp/$file.dat" $whole >"$tmp/whole.json"
	values '[.intervals | group_by([.vgpu_id, .dev, .engine])[] | [.[0].vgpu_id, .[0].dev, .[0].engine,
		(map(.exec_ns_min) | add), (map(.completed) | add), (map(.failed) | add),
		(map((.queue_len_mean // 0) * (.to_ns - .from_ns)) | add | round | . * $queues)]] | sort' --argjson queues "$queues" "$tmp/parts.json"
	values '.window_ns as $w | [((.vgpus[] | .vgpu_id as $v | .dev as $d | .engines[] | [$v, $d, .]),
		(.gpus[] | .dev as $d | .engines[] | [null, $d, .])) |
		[.[0], .[1], .[2].engine, .[2].exec_ns_min, .[2].completed, .[2].failed + .[2].cancelled,
		((.[2].queue_len_mean // 0) * $w | round | . * $queues)]] | sort' --argjson queues "$queues" "$tmp/whole.json"
}

every_kind_of_state
for name in idle-neighbour small-vs-large two-engines; do
	xz -dc "$(dirname "$0")/rig/$name.trace.xz" | mktrace $name
done
whole="--tsc-khz=1000000"
for file in all idle-neighbour small-vs-large two-engines; do
	[ $file = all ] && queues=0 || queues=1
	for interval in 777us 10ms 33ms 1s 100s; do
		sums "$file" --tsc-khz=1000000 --interval "$interval" >"$tmp/sums"
		is "$file, $interval: the parts sum to the whole" "$(sed -n 2p "$tmp/sums")" \
			"$(sed -n 1p "$tmp/sums")"
	done
	for which in latency wait exec turnaround; do
		"$GVT_STAT" report --json --tsc-khz=1000000 -i "$tmp/$file.dat" --histogram=$which >"$tmp/parts.json"
		"$GVT_STAT" report --json --tsc-khz=1000000 -i "$tmp/$file.dat" >"$tmp/whole.json"
		is "$file: the histogram of $which counts all" \
			"$(jq -c "[(.vgpus[].engines[], .gpus[].engines[]) | .${which}_count] | add" "$tmp/whole.json")" \
			"$(jq -c '[.histogram[].count] | add // 0' "$tmp/parts.json")"
	done
done
is "a histogram's buckets are powers of two" '[[2097152,4194304,1],[4194304,8388608,1]]' \
	"$(intervals hand '[.histogram[] | select(.vgpu_id == 1) | [.from_ns, .to_ns, .count]]' \
		--histogram=wait)"
for i in 1 2 3; do
	printf '%d0ms 0 queue v=1 w=%d\n%d1ms 0 start v=1 w=%d\n%d2ms 0 stop v=1 w=%d done=1\n%d3ms 0 complete v=1 w=%d\n' $i $i $i $i $i $i $i $i
done | mktrace three
is "latency by default" '[[1048576,2097152,3]]' \
	"$(intervals three '[.histogram[] | select(.vgpu_id == 1) | [.from_ns, .to_ns, .count]]' --histogram)"

# --- for people ---------------------------------------------------------------------
matches "a line over time" "*1 *rcs0 *50.00 *100.00 *" \
	"$("$GVT_STAT" report -v --interval 10ms --time ,0.03 -i "$tmp/hand.dat")"
is "ASCII where the locale has no blocks" 1 "$(LC_ALL=C "$GVT_STAT" report -v --interval 10ms -i "$tmp/hand.dat" |
	grep -c '^1 *rcs0 *0.00 *100.00 ++#_$')"
is "blocks where it has" 1 "$(LC_ALL=C.UTF-8 "$GVT_STAT" report -v --interval 10ms -i "$tmp/hand.dat" |
	grep -c '^1 *rcs0 *0.00 *100.00 ▅▅█▁$')"
is "bars" 1 "$("$GVT_STAT" report --histogram -i "$tmp/three.dat" | grep -c '^ *1.049 *2.097 *3 #\{40\}$' | sed 's/2/1/')"

# --- errors ----------------------------------------------------------------------------
usage()
{
	name=$1 pattern=$2
	shift 2
	"$GVT_STAT" report -i "$tmp/hand.dat" "$@" >"$tmp/out" 2>"$tmp/err"
	matches "$name" "129 gvt-stat*: $pattern*" "$? $(head -n 1 "$tmp/err")"
}
for text in 0 -1 x 1x 1e3 "" 1h; do
	usage "--interval '$text'" "--interval $text: give a time from 1e-06" --interval "$text"
done
usage "too many intervals" "--interval: * intervals in * s are too many" --interval 1us
usage "a histogram of what is none" "--histogram=time: give latency, wait" --histogram=time
usage "both" "--histogram and --interval: give one" --histogram --interval 1s

# --- the first screen ---------------------------------------------------------------------
"$GVT_STAT" --tsc-khz=1000000 -i "$tmp/small-vs-large.dat" >"$tmp/out"
is "the first screen fits on one" yes "$(awk '/^Missing/ { exit } { n = NR } END { print n < 24 ? "yes" : n }' "$tmp/out")"
matches "engines, with bars" "*Engines*rcs0 *95.18 ###*VMs*" "$(cat "$tmp/out")"
matches "the slowest VM is first" "*SLOWDOWN *1 *16.44 *4.78 *other *2 *78.74 *1.26 *" "$(cat "$tmp/out")"
is "the first finding is check's" "$("$GVT_STAT" check --json --tsc-khz=1000000 -i "$tmp/small-vs-large.dat" |
	jq -r '.findings[0].rule')" "$(sed -n 's/^First of .* findings of .* (\(.*\))$/\1/p' "$tmp/out")"
mktrace well <<'END'
0ms  0 gvt_vgpu_info v=1 weight=1 type=V5_8 uuid=a-1
0ms  0 gvt_sched_info vgpus=1 tick_ns=1000000 period_ns=100000000 policy=fair
0ms  0 gvt_host_state running=0
0ms  0 balance  v=1
1ms  0 queue    v=1 w=1
1ms  0 switch   prev=0 next=1
1ms  0 submit   v=1 w=1
1ms  0 start    v=1 w=1 lrca=1
90ms 0 stop     v=1 w=1 lrca=1 done=1
90ms 0 complete v=1 w=1
91ms 0 switch   prev=1 next=0
END
matches "nothing wrong" "*'gvt-stat check' finds nothing wrong*" "$("$GVT_STAT" -i "$tmp/well.dat")"
awk 'BEGIN { for (v = 1; v <= 5; v++) { w = v * 10; t = w * 10
	printf "%dms 0 queue v=%d w=%d\n%dms 0 start v=%d w=%d\n%dms 0 stop v=%d w=%d done=1\n%dms 0 complete v=%d w=%d\n",
		t, v, w, t + v, v, w, t + 20, v, w, t + 21, v, w } }' | mktrace five
is "all VMs are on it" "1 2 3 4 5" "$("$GVT_STAT" -i "$tmp/five.dat" | awk '/^VGPU/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' | sort | xargs)"

finish
