#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat simulate: what is inferred from traces, and what would have been. The traces are made
# by gvt-sim itself, so that what really would have been is known.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

# simulated NAME [OPTION...]: the JSON document into $tmp/out.json
simulated()
{
	file=$1
	shift
	"$GVT_STAT" simulate --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" 2>"$tmp/output"
}

# of NAME VGPU METRIC MEMBER [OPTION...]: a value of the JSON document; what was simulated
# before is not again
of()
{
	file=$1 vgpu=$2 metric=$3 member=$4
	shift 4
	kept="$tmp/kept $file $*"
	if [ ! -e "$kept" ]; then
		simulated "$file" "$@" || return
		cp "$tmp/out.json" "$kept"
	fi
	cp "$kept" "$tmp/out.json"
	jq -r ".simulated[] | select(.vgpu_id == $vgpu and .metric == \"$metric\") | .$member" "$tmp/out.json"
}

# --- what would have been ------------------------------------------------------------
for mode in strict/exclusive work-conserving/exclusive fair/exclusive fair/per-engine fair/preemptive; do
	echo "$mix" | played "${mode%/*}-${mode#*/}" "${mode%/*}" "${mode#*/}"
done

for from in strict-exclusive fair-preemptive; do
	for to in work-conserving/exclusive fair/exclusive fair/per-engine fair/preemptive; do
		policy=${to%/*} dispatch=${to#*/}
		for vgpu in 1 2 3; do
			for metric in utilization_percent latency_mean_ns; do
				near "from $from: $to, vGPU $vgpu, $metric" \
					"$(of "$policy-$dispatch" "$vgpu" "$metric" now | head -n 1)" \
					"$(of "$from" "$vgpu" "$metric" 'then' --set policy="$policy" --set dispatch="$dispatch" --vgpu 3:depth=64 | head -n 1)" 6
			done
		done
	done
done

of strict-exclusive 1 latency_mean_ns now >/dev/null
is 'what is inferred: closed, closed, closed with two in flight, a clock' \
	'[[1,"rcs0",false,1],[2,"rcs0",false,1],[2,"vcs0",false,2],[3,"rcs0",true,true]]' \
	"$(jq -c '[.streams[] | [.vgpu_id, .engine, .open, (if .open then .depth > 1 else .depth end)]]' "$tmp/out.json")"
is 'a range, and what was simulated in it' true "$(jq '[.simulated[] |
	select(.metric == "utilization_percent" or .metric == "latency_mean_ns") |
	.least <= .then and .then <= .most] | all' "$tmp/out.json")"
is 'settings' '["strict","strict"]' \
	"$(jq -c '.settings[] | select(.setting == "policy") | [.now, .then]' "$tmp/out.json")"

# --- other vGPUs -----------------------------------------------------------------------
two='vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=4000000 lag=2
stream 2 rcs0
work exec_ns=4000000 lag=2'
echo "$two" | played two fair exclusive
near 'nice' 75 "$(of two 2 utilization_percent 'then' --vgpu 2:nice=-5)" 2
near 'a cap' 30 "$(of two 2 utilization_percent 'then' --vgpu 2:cap=30)" 2
near 'weights' 80 "$(of two 2 utilization_percent 'then' --vgpu 1:weight=2 --vgpu 2:weight=8)" 2
near 'another one is faster' 25 "$(of two 1 completed_per_second 'then' --vgpu 1:speed=0.2)" 4
near 'all are faster' 250 "$(of two 1 completed_per_second 'then' --speed 2)" 4
near 'without the other one' 100 "$(of two 1 utilization_percent 'then' --without 2)" 2
is 'of which nothing is told then' null "$(of two 2 utilization_percent 'then' --without 2)"
of two 1 latency_mean_ns 'then' --windows 2 >/dev/null
simulated two --windows 2
is 'the same twice is the same' "$(cat "$tmp/kept two --windows 2")" "$(cat "$tmp/out.json")"

# --- output -------------------------------------------------------------------------------
"$GVT_STAT" simulate -i "$tmp/two.dat" --set dispatch=preemptive >"$tmp/table" 2>"$tmp/output"
has 'a table says what is simulated' 'policy fair, dispatch exclusive -> preemptive' "$(cat "$tmp/table")"
has 'and what is doubtful' 'vGPU 1 rcs0: its preemption points are guessed' \
	"$(cat "$tmp/table")"
has 'in JSON, too' guessed "$(of two 1 utilization_percent 'then' --set dispatch=preemptive; jq -c .doubts "$tmp/out.json")"
is 'but not where it is told' '[2]' \
	"$(of two 1 utilization_percent 'then' --set dispatch=preemptive --vgpu 1:preempt=0 >/dev/null
	jq -c '[.doubts[] | select(.what | contains("guessed")).vgpu_id]' "$tmp/out.json")"
of fair-preemptive 1 utilization_percent 'then' --windows 1 --vgpu 2:closed >/dev/null
is 'of what was never preempted, and never would be, that is guessed' \
	'[2,"vcs0","its preemption points are guessed"]' \
	"$(jq -c '.doubts[] | select(.engine == "vcs0") | [.vgpu_id, .engine, .what]' "$tmp/out.json")"
is 'of what was preempted it is seen' '[]' "$(jq -c '[.doubts[] | select(.engine == "rcs0" and .vgpu_id == 2).what]' "$tmp/out.json")"
# a long workload beside a short one: uncut, and in pieces of other lengths than the guess
pieces()
{
	printf '%s\n' 'vgpu 1' "stream 1 rcs0 piece_ns=$1" 'work exec_ns=150000000 at_ns=1000000 lag=1' 'vgpu 2' 'stream 2 rcs0' \
		'work exec_ns=4000000 at_ns=6300000 lag=1' 'work exec_ns=3000000 at_ns=7170000 lag=1' 'work exec_ns=5000000 at_ns=8910000 lag=1' \
		'work exec_ns=2100000 at_ns=11370000 lag=1' 'work exec_ns=700000 at_ns=23570000 lag=1' | played "pieces$1" fair preemptive
	of "pieces$1" 1 utilization_percent 'then' --windows 2 >/dev/null
}
pieces 0
is 'what would have been preempted, and never was, is doubtful' \
	'["none of its workloads was preempted: it is assumed that none can be"]' \
	"$(jq -c '[.doubts[] | select(.vgpu_id == 1 and (.what | contains("preempted"))).what]' "$tmp/out.json")"
is 'it cannot be' 0 "$(jq '.streams[] | select(.vgpu_id == 1).piece_ns' "$tmp/out.json")"
is 'unless it is told otherwise' '[]' "$(of pieces0 1 utilization_percent 'then' --windows 2 --vgpu 1:pieces_us=1000 >/dev/null
	jq -c '[.doubts[] | select(.vgpu_id == 1 and (.what | contains("preempted"))).what]' "$tmp/out.json")"
for ns in 500000 1000000 2500000 3000000 6000000; do
	pieces $ns
	near "pieces of $ns ns are seen" $ns "$(jq '.streams[] | select(.vgpu_id == 1).piece_ns' "$tmp/out.json")" 1
	is 'nothing is doubtful about that' '[]' "$(jq -c '[.doubts[] | select(.vgpu_id == 1 and (.what | contains("preempted"))).what]' "$tmp/out.json")"
done
# beside 15 ms, the longer the pauses, the less does keeping the engine idle pay: with 4 % more, the guest gets less by 2 points
for pause in 2400000 2500000; do
	printf '%s\n' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0' "work exec_ns=5000000 at_ns=$pause lag=1" \
		'stream 2 rcs0' 'work exec_ns=15000000 at_ns=30000 lag=1' >"$tmp/edge"
	played "edge$pause" strict exclusive <"$tmp/edge"
	played "fair$pause" fair exclusive <"$tmp/edge"
done
longer=$(of fair2500000 1 utilization_percent now)
near 'the share depends on 0.1 ms' 36 "$(of fair2400000 1 utilization_percent now)" 3
near 'of a pause' 34 "$longer" 3
of edge2400000 1 utilization_percent 'then' --set policy=fair >/dev/null
is 'so either is in the range' true "$(jq --argjson longer "$longer" '.simulated[] | select(.vgpu_id == 1 and .metric == "utilization_percent") |
	.least < $longer and .most > 36' "$tmp/out.json")"
# numbers at random, the same with every awk
# shellcheck disable=SC2016 # for awk
random='function random() { if (!x) x = 1; x = x * 16807 % 2147483647; return x / 2147483647 } '
# arrivals at random, 20 % of the engine on average: another recording of 10 s has another load, by a tenth or more
{ printf '%s\n' 'vgpu 1' 'vgpu 2' 'stream 2 rcs0' 'work exec_ns=4000000 at_ns=9000000 lag=1' 'stream 1 rcs0 open=1 depth=16 span_ns=20000000000'
	awk "$random"'BEGIN { for (at = 0; ; n++) { at -= log(1 - random()) * 20e6; if (at >= 20e9) exit; printf "work exec_ns=4000000 at_ns=%.0f\n", at } }'
} | played random strict exclusive
of random 1 utilization_percent 'then' --set policy=fair --vgpu 1:open >/dev/null
is 'arrivals at random are seen' true "$(jq '.streams[] | select(.vgpu_id == 1) | .open' "$tmp/out.json")"
is 'of which another recording has more or less' true "$(jq '.simulated[] | select(.vgpu_id == 1 and .metric == "utilization_percent") |
	.least < .then - 0.8 and .most > .then + 0.8 and .most - .least < 8' "$tmp/out.json")"
near 'but as much on average' "$(of random 1 utilization_percent now)" "$(of random 1 utilization_percent 'then' --set policy=fair --vgpu 1:open)" 1
# a clock of 5 ms with jitter, whose guest has one in flight, waits for up to 8 ms for the engine, and once has two in flight
{ echo '0 0 gvt_sched_info tick_ns=1000000 period_ns=100000000 stages=10 policy=strict dispatch=exclusive'
	echo '0 0 gvt_vgpu_info v=1 weight=2 uuid=a-1'
	echo '0 0 gvt_host_state running=0'
	awk "$random"'BEGIN { for (w = 1; w < 1000; w++) {
		due = w * 5e6 + random() * 4e5; queue = due > end + 3e4 ? due : end + 3e4; if (w == 500) queue = end - 1e5
		start = (queue > end ? queue : end) + random() * 8e6 * (w % 3 > 0); end = start + 1e6
		printf "%.0f 0 queue v=1 w=%d\n%.0f 0 submit v=1 w=%d\n%.0f 0 start v=1 w=%d\n%.0f 0 stop v=1 w=%d done=1\n%.0f 0 complete v=1 w=%d\n",
			queue, w, queue, w, start, w, end, w, end, w } }' | sort -n -s -k 1,1
} | mktrace stray
of stray 1 utilization_percent 'then' --windows 1 >/dev/null
is 'one stray does not hide a clock' '["timetable",true]' \
	"$(jq -c '.streams[0] | [.kind, (.period_ns - 5e6 | fabs) < 1e3]' "$tmp/out.json")"
# a clock whose guest can have two queued, beside one that keeps the engine for long: its workloads often come late, and are not lost
printf '%s\n' 'vgpu 1' 'stream 1 rcs0 open=1 depth=2 span_ns=20000000' 'work exec_ns=5000000 at_ns=0' 'vgpu 2' 'stream 2 rcs0' \
	'work exec_ns=150000000 at_ns=230000000 lag=1' 'work exec_ns=90000000 at_ns=71000000 lag=1' \
	'work exec_ns=170000000 at_ns=333000000 lag=1' | played late strict exclusive
is 'a clock that was held back is one' '[[true,2],[false,1]]' "$(of late 1 utilization_percent 'then' >/dev/null
	jq -c '[.streams[] | [.open, .depth]]' "$tmp/out.json")"
near 'it has its period' 50 "$(of late 1 completed_per_second 'then' --without 2)" 1
near 'and nobody to wait for' 5000000 "$(of late 1 latency_p95_ns 'then' --without 2)" 2
# what was recorded is simulated, too
is 'where nothing is changed, nothing changes' '[]' "$(of two 1 utilization_percent 'then' >/dev/null
	jq -c '[.simulated[] | select((.then / .now - 1 | fabs) > 0.0005)]' "$tmp/out.json")"
is 'and what was is in the range' '[]' "$(jq -c '[.simulated[] | select(.least > .now or .most < .now)]' "$tmp/out.json")"
# other GPUs than that of gvt-sim have other latencies: 1 ms from the submission of a workload to its start
printf '%s\n' 'latency start 1000000' 'vgpu 1' 'stream 1 rcs0' 'work exec_ns=10000000 at_ns=5000000 lag=1' | played slow fair exclusive
is 'and what is off is no change' '[]' "$(of slow 1 latency_mean_ns 'then' >/dev/null; jq -c '[.simulated[] | select((.then / .now - 1 | fabs) > 0.0005)]' "$tmp/out.json")"
is 'as far as that is off, the range is wide' true "$(of slow 1 latency_mean_ns 'then' --speed 2 >/dev/null
	jq '.simulated[] | select(.metric == "latency_mean_ns") | .most / .then > 1.08 and .least / .then < 0.92 and .most / .then < 1.11' "$tmp/out.json")"
is 'where NOW is in the range, no change is told' 'null false' \
	"$(of two 1 utilization_percent change_percent | tr '\n' ' '; of two 1 utilization_percent change_percent --vgpu 2:cap=30 >/dev/null
	jq -j '[.simulated[] | select(.change_percent == null and (.least > .now or .now > .most))] | length > 0' "$tmp/out.json")"
has 'the table says that' 'No CHANGE%: NOW is within the interval' "$("$GVT_STAT" simulate -i "$tmp/two.dat")"
is 'but not where all changes' 0 "$("$GVT_STAT" simulate -i "$tmp/two.dat" --speed 2 --vgpu 1:closed --vgpu 2:closed | grep -c 'No CHANGE')"
of fair-preemptive 1 utilization_percent 'then' --windows 1 --set dispatch=exclusive >/dev/null
is 'nor anything without preemption' '' "$(jq -r '.doubts[] | select(.what | contains("preempted")).what' "$tmp/out.json")"
is 'the last --set of a setting counts' '[["policy","strict"],["dispatch","per-engine"]]' \
	"$(of two 1 utilization_percent 'then' --set policy=fair --set dispatch=per-engine --set policy=strict >/dev/null
	jq -c '[.settings[] | select(.setting == ("policy", "dispatch")) | [.setting, .then]]' "$tmp/out.json")"
is 'it is simulated so' "$(of two 2 utilization_percent 'then' --vgpu 2:cap=20 --set policy=work-conserving)" \
	"$(of two 2 utilization_percent 'then' --vgpu 2:cap=20 --set policy=strict --set policy=work-conserving)"
is 'the last --vgpu of a word counts' "$(of two 2 utilization_percent 'then' --vgpu 2:cap=30)" \
	"$(of two 2 utilization_percent 'then' --vgpu 2:cap=80 --vgpu 2:cap=30)"
is 'and other words of the vGPU stay' "$(of two 2 utilization_percent 'then' --vgpu 2:nice=-5,cap=30)" \
	"$(of two 2 utilization_percent 'then' --vgpu 2:nice=-5,cap=60 --vgpu 2:cap=30)"
is 'preemption points matter only where there is preemption' '[]' \
	"$(of two 1 utilization_percent 'then' --vgpu 1:closed --vgpu 2:closed >/dev/null; jq -c .doubts "$tmp/out.json")"
is 'CSV' '14 1,rcs0 2,rcs0' "$("$GVT_STAT" simulate --csv --columns vgpu_id,engine -i "$tmp/two.dat" | sed 1d |
	sort | uniq -c | awk '{ n += $1; rows = rows " " $2 } END { print n rows }')"

# --- idle work of the guest's driver -----------------------------------------------------
# idles NAME LONG-NS LRCA: workloads so long after pauses of 2 ms; in the midst of each other pause one of 7 us in that context
idles()
{
	awk -v exec_ns="$2" -v lrca="$3" '
	function work(of, ns) {
		printf "%d 0 gvt_workload_queue vgpu_id=1 workload_id=%d class=0 instance=0 guest_lrca=%s\n", t, ++id, of
		printf "%d 0 gvt_workload_submit vgpu_id=1 workload_id=%d class=0 instance=0\n", t + 1000, id
		printf "%d 0 gvt_workload_start vgpu_id=1 workload_id=%d class=0 instance=0\n", t + 2000, id
		t += 2000 + ns
		printf "%d 0 gvt_workload_stop vgpu_id=1 workload_id=%d class=0 instance=0 completed=1\n", t, id
		printf "%d 0 gvt_workload_complete vgpu_id=1 workload_id=%d class=0 instance=0 status=0\n", t += 1000, id
	}
	BEGIN {
		print "0 0 gvt_vgpu_info vgpu_id=1 weight=2"
		print "0 0 gvt_sched_info vgpus=1 policy=strict dispatch=exclusive"
		print "0 0 gvt_sched_switch prev_vgpu_id=0 next_vgpu_id=1 reason=1 class=-1 instance=-1"
		for (t = 1000; n < 200; n++) {
			work("0x1000", exec_ns)
			t += 1000000
			if (n % 2)
				work(lrca, 7000)
			t += 1000000
		}
	}' | mktrace "$1"
	of "$1" 1 completed_per_second 'then' >/dev/null
}
idles idle 6000000 0x2000
is "a guest's own work when there is nothing to do is no part of its stream" \
	'[1,1,199,["what its driver executes when there is nothing else to do is left out"]]' \
	"$(jq -c '[(.streams[0] | .depth, .contexts, .workloads), [.doubts[].what]]' "$tmp/out.json")"
near 'the pause goes on meanwhile' 8.024 "$(jq '1000 / (.simulated[] | select(.metric == "completed_per_second").then)' "$tmp/out.json")" 0.3
near 'nor is it told of what was recorded' 6.003 "$(jq '.simulated[] | select(.metric == "latency_mean_ns").now / 1e6' "$tmp/out.json")" 0.1
idles same 6000000 0x1000
is 'short work in the context of long work is' '[1,true]' "$(jq -c '.streams[0] | [.contexts, .workloads >= 299]' "$tmp/out.json")"
idles brief 9000 0x2000
is 'short work of who has no other is, in a stream of its own' '[[1,true],[1,true]]' "$(jq -c '[.streams[] | [.contexts, .workloads > 98]]' "$tmp/out.json")"

if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	is 'JSON is as the schema says' '' "$(/usr/bin/python3 "$(dirname "$0")/validate" \
		"$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
else
	skip 'JSON is as the schema says' 'python3-jsonschema is not installed'
fi

# --- what a guest is ---------------------------------------------------------------------
# client WHAT...: one vGPU alone, as a text trace: "periodic HZ EXEC_MS JITTER_US", "burst COUNT EXEC_MS PAUSE_MS", "strays" (a loop of 40 ms with
# two workloads of 5 us that the driver queued itself) or "phases" (a loop of 2 ms for 4 s, then of 12 ms)
client()
{
	awk -v what="$1" -v a="${2:-0}" -v b="${3:-0}" -v c="${4:-0}" '
	function random(most) { seed = (seed * 16807) % 2147483647; return seed / 2147483647 * most }
	function work(queue, exec) {
		printf "%.0f 0 gvt_workload_queue vgpu_id=1 workload_id=%d guest_lrca=1\n", queue, ++id
		printf "%.0f 0 gvt_workload_submit vgpu_id=1 workload_id=%d ctx=1 seqno=%d\n", queue + 4000, id, id
		printf "%.0f 0 gvt_workload_start vgpu_id=1 workload_id=%d ctx=1 seqno=%d\n", queue + 10000, id, id
		printf "%.0f 0 gvt_workload_stop vgpu_id=1 workload_id=%d completed=1\n", queue + 10000 + exec, id
		done = queue + 30000 + exec + random(2000)
		printf "%.0f 0 gvt_workload_complete vgpu_id=1 workload_id=%d\n", done, id
	}
	BEGIN {
		seed = 4711
		print "1000 0 gvt_sched_info vgpus=1 tick_ns=1000000 period_ns=100000000 stages=10 boost_ns=0 policy=strict carry_over=1 dispatch=exclusive"
		print "2000 0 gvt_vgpu_info vgpu_id=1 weight=2 type=i915-GVTg_V5_8 uuid=aaaaaaaa-0000-0000-0000-000000000001"
		print "3000 0 gvt_sched_switch next_vgpu_id=1 next_left_ns=50000000 next_slice_ns=50000000 reason=1"
		for (t = 10e6; what == "periodic" && id < 8 * a; )
			work(t + int(id * 1e9 / a) + random(c * 1000), b * 1e6)
		for (t = 10e6; what == "burst" && t < 8e9; t = done + 26000 + random(2000) + (id % a ? 0 : c * 1e6))
			work(t, b * 1e6 + random(8000))
		for (t = 10e6; what == "strays" && t < 4e9; t = done + 147000 + random(60000)) {
			work(t, 40e6 + random(9000))
			if (id == 20 || id == 41)
				work(done - 20e6, 5000)
		}
		for (t = 10e6; what == "phases" && t < 8e9; t = done + 1e6 + random(2e6))
			work(t, t < 4e9 ? 2e6 : 12e6)
	}' | sort -s -n -k 1,1 | mktrace client
}
# kinds [OPTION...]: of the streams in $tmp/client.dat, with what each may be as well
# shellcheck disable=SC2120 # optional
kinds()
{
	simulated client --windows 1 "$@"
	jq -c '[.streams[] | [.kind, .or[].kind]]' "$tmp/out.json"
}
for hz in 5 11 24 60 90 165 300; do
	client periodic $hz 1.5 3
	is "$hz Hz are a timetable, of whatever rate" '[["timetable"]]' "$(kinds | sed 's/,"loop"//')"
	near "of its period" "$((1000000000 / hz))" "$(jq '.streams[0].period_ns' "$tmp/out.json")" 0.1
done
client periodic 60 3 1500
is 'with jitter of a tenth of the period, too' '[["timetable"]]' "$(kinds)"
for count in 1 2 3 5 8 16; do
	client burst $count 2.5 70
	is "bursts of $count of a loop are a loop" '[["loop"]]' "$(kinds | sed 's/,"timetable"//')"
done
client strays
is 'two workloads of 5 us decide nothing' '[["loop"]]' "$(kinds)"
is 'they are left out of 40 ms' 1 "$(jq '.streams[0].depth' "$tmp/out.json")"
client phases
"$GVT_STAT" profile --time +4.1,+7.9 -i "$tmp/client.dat" -o "$tmp/client.profile" 2>"$tmp/output"
is '--time: a loop is what it was then' 12000000 "$(awk '$1 == "work" { sub("exec_ns=", "", $2); print $2 }' "$tmp/client.profile" | sort -u)"
near '--time: and as often' 3.8 "$(simulated client --time +4.1,+7.9 --windows 2; jq '.streams[0].workloads * 0.01403' "$tmp/out.json")" 2

# four at once, then wait for the last of them; beside a light loop. Under strict, its turns come by a clock
printf '%s\n' 'run duration_ns=6000000000' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0' 'work exec_ns=50000000 at_ns=1000 lag=1' \
	'work exec_ns=50000000 at_ns=100 lag=0' 'work exec_ns=50000000 at_ns=100 lag=0' 'work exec_ns=50000000 at_ns=100 lag=0' \
	'stream 2 rcs0' 'work exec_ns=1000000 at_ns=9000000 lag=1' >"$tmp/barrier-model"
played barrier strict exclusive <"$tmp/barrier-model"
played barrier-lent work-conserving exclusive <"$tmp/barrier-model"
near 'a barrier loop: its share under another policy' "$(of barrier-lent 1 utilization_percent now)" \
	"$(of barrier 1 utilization_percent 'then' --set policy=work-conserving)" 1
is 'nothing is doubtful about it' false "$(jq '[.doubts[] | select(.vgpu_id == 1)] | length > 0' "$tmp/out.json")"

# two clocks of 50 Hz, which do not meet. Another time they start elsewhere
clocks()
{
	printf '%s\n' 'run duration_ns=6000000000' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0 open=1 depth=4 span_ns=20000000' 'work exec_ns=5000000 at_ns=1000000' \
		'stream 2 rcs0 open=1 depth=4 span_ns=20000000' "work exec_ns=5000000 at_ns=$1"
}
clocks 12000000 | played apart fair exclusive
clocks 18000000 | played meeting fair exclusive
was=$(of meeting 1 latency_mean_ns now)
is 'clocks that do not meet may do so' true "$(of apart 1 latency_mean_ns most --set policy=work-conserving |
	awk -v was="$was" '{ print($1 >= was ? "true" : $1 " " was) }')"

# open, and its queue always full: what it would have queued nobody knows
printf '%s\n' 'run duration_ns=6000000000' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0 open=1 depth=4 span_ns=16667000' 'work exec_ns=10000000 at_ns=0' >"$tmp/starved-model"
played starved strict exclusive <"$tmp/starved-model"
played starved-lent work-conserving exclusive <"$tmp/starved-model"
of starved 1 utilization_percent 'then' --set policy=work-conserving >/dev/null
has 'a queue that is always full: it is not known' 'this recording does not show when it submits: a loop of 4 in flight or arrivals at an unknown rate; one of it alone, for 10 s, would' "$(jq -r '.doubts[].what' "$tmp/out.json")"
# within OPTION...: how many of share, mean latency and completions are what was measured under work-conserving
within()
{
	of starved-lent 1 utilization_percent now --windows 1 >/dev/null
	jq -c '[.simulated[] | {(.metric): .now}] | add' "$tmp/out.json" >"$tmp/measured"
	of starved 1 utilization_percent 'then' --set policy=work-conserving "$@" >/dev/null
	jq --slurpfile was "$tmp/measured" '[.simulated[] | select(.metric == ("utilization_percent", "latency_mean_ns", "completed_per_second")) |
		select(.least * 0.999 <= $was[0][.metric] and $was[0][.metric] <= .most * 1.001)] | length' "$tmp/out.json"
}
is 'the range has what would be' 3 "$(within)"
is 'and is narrow where the period is told' '3 true' "$(within --vgpu 1:period=16.667ms) $(jq '.simulated[] | select(.metric == "utilization_percent") | .most - .least < 2' "$tmp/out.json")"
is 'of what is told nothing is doubtful' '[]' "$(jq -c .doubts "$tmp/out.json")"
is 'told to be a loop, it is one' 'true []' "$(of starved 1 utilization_percent 'then' --set policy=work-conserving --vgpu 1:closed | awk '{ print ($1 > 99 ? "true" : $1) }') $(jq -c .doubts "$tmp/out.json")"
of starved-lent 1 latency_mean_ns most --set policy=strict >"$tmp/most"
is 'from there to strict: a latency of some workloads, not of as long as is simulated' true "$(jq '. < 500000000' "$tmp/most")"
is 'and the one that is, where the limit is told' 'true []' "$(of starved-lent 1 latency_mean_ns 'then' --set policy=strict --vgpu 1:open,depth=4 | jq '(. / 80000000 - 1 | fabs) < 0.05') $(jq -c .doubts "$tmp/out.json")"

# two contexts on one engine, a compositor at 60 Hz and an application: each is a stream of its own
printf '%s\n' 'run duration_ns=6000000000' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0 open=1 depth=2 span_ns=16667000' 'work exec_ns=1000000 at_ns=0' \
	'stream 1 rcs0' 'work exec_ns=24000000 at_ns=60000000 lag=1' 'stream 2 rcs0' 'work exec_ns=12000000 at_ns=30000 lag=1' >"$tmp/desktop-model"
played desktop strict exclusive <"$tmp/desktop-model"
played desktop-fair fair per-engine <"$tmp/desktop-model"
of desktop 1 utilization_percent 'then' --set policy=fair --set dispatch=per-engine >/dev/null
is 'two contexts are two streams' '["loop","timetable"]' "$(jq -c '[.streams[] | select(.vgpu_id == 1).kind] | sort' "$tmp/out.json")"
near 'their share under another policy' "$(of desktop-fair 1 utilization_percent now)" \
	"$(of desktop 1 utilization_percent 'then' --set policy=fair --set dispatch=per-engine)" 6

# --- check proves its remedies ---------------------------------------------------------
engines='vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=2000000 at_ns=20000 lag=2
stream 2 vcs0
work exec_ns=5000000 at_ns=20000 lag=2'
echo "$engines" | played engines strict exclusive
"$GVT_STAT" check --simulate -i "$tmp/engines.dat" --vgpu 1:closed --vgpu 2:closed >"$tmp/checked" 2>"$tmp/output"
is 'check --simulate finds what check finds' "$("$GVT_STAT" check -i "$tmp/engines.dat" | grep -c '^[0-9]')" \
	"$(grep -c '^[0-9]' "$tmp/checked")"
has 'and says with which settings' 'Simulated with policy=work-conserving dispatch=per-engine:' "$(cat "$tmp/checked")"
matches 'what they would bring' '*vGPU 2 vcs0: 49.? -> 99.? % of the time (99.? to 99.?), mean latency*' "$(cat "$tmp/checked")"
is 'to the vGPU that it is about alone' 1 \
	"$(sed -n '/^1\. /,/^2\. /p' "$tmp/checked" | grep -c '^     vGPU')"
"$GVT_STAT" check -i "$tmp/engines.dat" | grep -q Simulated
result $((! $?)) 'not without --simulate'

# it ends as it does in life, while a workload executes: NOW is what was until then
awk '/gvt_workload_start/ { last = NR } { line[NR] = $0 } END { for (nr = 1; nr <= last; nr++) print line[nr] }' "$tmp/events" | mktrace busy
"$GVT_STAT" check --simulate -i "$tmp/busy.dat" --vgpu 1:closed --vgpu 2:closed >"$tmp/checked-busy" 2>"$tmp/output"
matches 'a trace that ends while a workload executes: no more than there was' '*vGPU 2 vcs0: 49.? -> 99.? % of the time (9?.? to *' "$(cat "$tmp/checked-busy")"

"$GVT_STAT" check --json --simulate -i "$tmp/engines.dat" --vgpu 1:closed --vgpu 2:closed >"$tmp/out.json" 2>"$tmp/output"
is 'in JSON, too: lines as of simulate' '[2,"vcs0",true,true]' "$(jq -c '[.findings[].remedies[] | select(.settings | map(.value) == ["work-conserving", "per-engine"]) |
	.simulation.simulated[] | select(.vgpu_id == 2 and .metric == "utilization_percent")][0] | [.vgpu_id, .engine, .now < 50, .then > 99]' "$tmp/out.json")"
is 'the figures are those of the text' "$(sed -n 's/.*vGPU 2 vcs0: [0-9.]* -> \([0-9.]*\) %.*/\1/p' "$tmp/checked" | head -n 1)" \
	"$(jq '[.findings[].remedies[].simulation.simulated[]? | select(.vgpu_id == 2 and .metric == "utilization_percent")][0].then * 10 | round / 10' "$tmp/out.json")"
is 'of what is no setting, null' true "$(jq '[.findings[].remedies[] | select(.scope == null) | .simulation] | all(. == null)' "$tmp/out.json")"
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	is 'it is as the schema says' '' "$(/usr/bin/python3 "$(dirname "$0")/validate" \
		"$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
else
	skip 'it is as the schema says' 'python3-jsonschema is not installed'
fi
is 'without it there is none' false "$("$GVT_STAT" check --json -i "$tmp/engines.dat" | jq '[.findings[].remedies[] | has("simulation")] | any')"

# --- what cannot be ---------------------------------------------------------------------------
refused 'a setting that is none' 129 "no setting 'luck'" --set luck=1 -i "$tmp/two.dat"
refused 'a setting without a value' 129 'give NAME=VALUE' --set policy -i "$tmp/two.dat"
refused 'a policy that is none' 129 "there is no 'lottery': policy may be strict, work-conserving, fair" --set policy=lottery -i "$tmp/two.dat"
refused 'a dispatch that is none' 129 "there is no 'lottery': dispatch may be exclusive, per-engine, preemptive" --set dispatch=lottery -i "$tmp/two.dat"
refused 'a value with more lines' 129 'give NAME=VALUE' --set 'policy=fair
vgpu 3' -i "$tmp/two.dat"
refused 'a vGPU that is none' 129 'no id of a vGPU' --vgpu 9:cap=1 -i "$tmp/two.dat"
refused 'a vGPU that is not there either' 129 'vGPU 9 is not in the trace' --without 9 -i "$tmp/two.dat"
refused 'a vGPU that is not there' 129 'vGPU 5 is not in the trace' --vgpu 5:cap=30 -i "$tmp/two.dat"
refused 'a cap of 101' 129 'from 0 to 100' --vgpu 1:cap=101 -i "$tmp/two.dat"
refused 'a word that is none' 129 "there is no 'colour'" --vgpu 1:colour=3 -i "$tmp/two.dat"
refused 'a vGPU alone' 129 'give ID:NAME=VALUE' --vgpu 1 -i "$tmp/two.dat"
refused 'a vGPU and nothing of it' 129 'give ID:NAME=VALUE' --vgpu 1: -i "$tmp/two.dat"
refused 'no speed' 129 'how many times as fast' --speed 0 -i "$tmp/two.dat"
refused 'a speed that is too great' 129 'from 0.001 to 1000' --speed 1e9 -i "$tmp/two.dat"
refused 'no window' 129 'whole number' --windows 0 -i "$tmp/two.dat"
refused 'nobody is left' 1 'no vGPU with workloads is left' --without 1 --without 2 -i "$tmp/two.dat"

grep -v gvt_sched_info "$tmp/events" | mktrace unset
refused 'a trace without settings' 1 'gvt:gvt_sched_info' -i "$tmp/unset.dat"
grep 'gvt_sched_info\|gvt_vgpu_info' "$tmp/events" | mktrace idle
refused 'a trace without workloads' 1 'nothing to simulate' -i "$tmp/idle.dat"
awk '/gvt_workload_stop/ { exit } { print }' "$tmp/events" | mktrace endless
refused 'workloads that never end' 1 'record for longer' -i "$tmp/endless.dat"
# what was not the same all the time
doubts()
{
	"$GVT_STAT" simulate --windows 1 -i "$tmp/$1.dat" 2>"$tmp/output" | grep -F "$2"
}
awk '!/ vgpu_id=1 / || $1 < 8e9' "$tmp/events" | mktrace left
is 'a vGPU that left is doubtful' 1 "$(doubts left 'vGPU 1 rcs0: it had work in a part of the trace only' | wc -l)"
awk '!/ vgpu_id=1 / || $1 > 8e9' "$tmp/events" | mktrace came
is 'so is one that came' 1 "$(doubts came 'vGPU 1 rcs0: it had work in a part of the trace only' | wc -l)"
is 'others are not' '' "$(doubts left 'vGPU 2 rcs0: it had'; doubts came 'vGPU 2 rcs0: it had'; doubts two 'it had work')"
awk '$1 >= 8e9 && !nr++ { print "8000000000 0 gvt_sched_setting vgpu_id=0 setting=period_ms old_value=100 new_value=50" } { print }' \
	"$tmp/events" | mktrace changed
is 'settings that were changed are, too' 2 "$(doubts changed 'settings were changed in the trace' | wc -l)"

# gvt_workload_state tells when some were queued, which is not enough
for event in queue start stop complete; do
	grep -v "gvt_workload_$event" "$tmp/events" | mktrace without
	refused "a trace without $event" 1 "no gvt:gvt_workload_$event is in it" -i "$tmp/without.dat"
done
grep -v 'gvt_workload_start\|gvt_workload_stop' "$tmp/events" | mktrace without
refused 'a trace without start and stop' 1 'no gvt:gvt_workload_start is in it' -i "$tmp/without.dat"

printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/crash"
printf '#!/bin/sh\nexit 1\n' >"$tmp/fail"
printf '#!/bin/sh\necho nonsense; echo 1 2 gvt_workload_queue; echo -5 0 gvt_workload_stop x=1\n' >"$tmp/nonsense"
chmod +x "$tmp/crash" "$tmp/fail" "$tmp/nonsense"
kept=$GVT_SIM
GVT_SIM=$tmp/crash refused 'a gvt-sim that crashes' 1 'gvt-sim crashed (Segmentation fault)' -i "$tmp/two.dat"
GVT_SIM=$tmp/fail refused 'a gvt-sim that fails' 1 'does not say why' -i "$tmp/two.dat"
GVT_SIM=/nowhere refused 'a gvt-sim that is not there' 1 'cannot run gvt-sim' -i "$tmp/two.dat"
GVT_SIM=$tmp/nonsense "$GVT_STAT" simulate -i "$tmp/two.dat" >/dev/null 2>"$tmp/output"
result $? 'a gvt-sim that talks nonsense: nothing is known'
GVT_SIM=$kept

cp "$tmp/two.dat" "$tmp/kept.dat"
refused 'a trace that is added' 1 'is a trace that is read' -i "$tmp/engines.dat" --with "$tmp/two.dat" -o "$tmp/two.dat"
check 'and it is as it was' cmp "$tmp/two.dat" "$tmp/kept.dat"

# A few workloads, cut at both ends, must do
head -n 40 "$tmp/events" | mktrace short
matches 'a short trace' '[0-9]*' "$(of short 1 utilization_percent 'then')"
has 'is doubtful' 'few of its workloads' "$(jq -c .doubts "$tmp/out.json")"

finish
