#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the time of every workload went: by hand, and that the parts sum to the
# whole to the nanosecond whatever happens.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=where.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/where.sh"

waits_of_every_kind
is "every part, by hand" "1: dispatch 1 i915 1 exec 6 completion 2 = 10
2: own 7 dispatch 2 i915 1 exec 5 completion 1 = 16
3: other 18 dispatch 1 i915 1 exec 10 completion 1 = 31
4: other 17 throttled 22 switching 1 own 5 dispatch 1 i915 1 exec 4 preempted 3 completion 2 = 56" \
	"$(split main)"
is "report: sums per vGPU" '[[3,17,22,0,1,12,4,3,15,3,5,0,82],[1,18,0,0,0,0,1,1,10,0,1,0,31]]' \
	"$(json main '[.vgpus[].engines[0] | [.split_count] + ([.split_other_ns, .split_throttled_ns,
	.split_held_ns, .split_switching_ns, .split_own_ns, .split_dispatch_ns, .split_i915_ns,
	.split_exec_ns, .split_preempted_ns, .split_completion_ns, .split_unknown_ns,
	.split_total_ns] | map(. / 1000000))]')"
is "report: the table has the means" \
	"1 rcs0 3 5.667 7.333 0.000 0.000 0.333 4.000 1.333 1.000 5.000 1.000 1.667 0.000 27.333" \
	"$("$GVT_STAT" report -v -i "$tmp/main.dat" | sed '1,/^Where the time/d' |
	awk '/^1 / { $1 = $1; print; exit }')"

# The GPU is kept idle for vGPU 1 from 7 to 12; vGPU 2 could run, and vGPU 3 waits, too.
mktrace hold <<'END'
1ms  0 switch   prev=0 next=1
6ms  0 queue    v=2 w=1
9ms  0 queue    v=3 w=2
12ms 0 gvt_sched_hold v=1 held_vgpu_id=2 held_ns=5000000 window_ns=5000000 result=1
13ms 0 switch   prev=1 next=2
14ms 0 submit   v=2 w=1
14ms 0 start    v=2 w=1
20ms 0 stop     v=2 w=1 done=1
20ms 0 complete v=2 w=1
20ms 0 switch   prev=2 next=3
21ms 0 submit   v=3 w=2
21ms 0 start    v=3 w=2
22ms 0 stop     v=3 w=2 done=1
22ms 0 complete v=3 w=2
END
is "held for an expected vGPU" "1: other 2 held 5 dispatch 1 exec 6 = 14
2: other 8 held 3 dispatch 1 exec 1 = 13" "$(split hold)"

# No slice is left, but at 12 it is picked all the same: it was not throttled.
mktrace boost <<'END'
0ms  0 balance v=1 stage=1 weight=1 slice_ns=50000000 left_ns=-5000000
1ms  0 switch   prev=2 next=0
10ms 0 queue    v=1 w=1
12ms 0 switch   prev=0 next=1 next_left_ns=-5000000
13ms 0 submit   v=1 w=1
13ms 0 start    v=1 w=1
20ms 0 stop     v=1 w=1 done=1
20ms 0 complete v=1 w=1
END
is "picked without a slice: not throttled" "1: switching 2 dispatch 1 exec 7 = 10" "$(split boost)"

# Its own turn ends by the lack of a slice: from the decision (5) on it is throttled.
mktrace drain <<'END'
1ms  0 switch   prev=0 next=1
2ms  0 queue    v=1 w=1
8ms  0 switch   prev=1 next=0 reason=2 drain_ns=3000000 prev_left_ns=-1
20ms 0 switch   prev=0 next=1 next_left_ns=50
20ms 0 cancel   v=1 w=1 reason=1
END
is "cancelled; drained for nobody" "1: throttled 15 dispatch 3 = 18" "$(split drain)"

# Whose turn it was before the first switch follows from it: vGPU 2's.
mktrace first <<'END'
0ms  0 queue    v=1 w=1
0ms  0 queue    v=2 w=2
5ms  0 switch   prev=2 next=1 drain_ns=2000000
6ms  0 complete v=1 w=1 status=-22
7ms  0 queue    v=3 w=3
9ms  0 switch   prev=1 next=0 prev_left_ns=1
11ms 0 switch   prev=0 next=3 next_left_ns=7
12ms 0 complete v=3 w=3 status=-22
13ms 0 cancel   v=2 w=2 reason=2
END
is "turns before the first switch" "1: other 5 dispatch 1 = 6
2: other 8 throttled 2 dispatch 3 = 13
3: other 2 switching 2 dispatch 1 = 5" "$(split first)"

# w 4 is from before the trace: what comes after it has been behind it.
mktrace before <<'END'
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=5
3ms  0 submit   v=1 w=4
3ms  0 start    v=1 w=4
6ms  0 stop     v=1 w=4 done=1
7ms  0 complete v=1 w=4
9ms  0 submit   v=1 w=5
9ms  0 start    v=1 w=5
10ms 0 stop     v=1 w=5 done=1
10ms 0 complete v=1 w=5
END
is "behind work from before the trace" "4: exec 3 = 0
5: own 6 dispatch 2 exec 1 = 9" "$(split before)"

# A stop that is traced after the completion: the execution is its own all the same.
mktrace late <<'END'
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
2ms  0 start    v=1 w=1
6ms  0 complete v=1 w=1
7ms  0 stop     v=1 w=1 done=1
END
is "a late stop" "1: dispatch 1 exec 5 = 6" "$(split late)"

# From 3 to 6 events were lost: whose turn it was is known again from 6 on (vGPU 2's).
mktrace lost <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=2 w=1
3ms  1 queue    v=1 w=2
lost 1 1
6ms  1 balance  v=1 stage=1
9ms  0 switch   prev=3 next=2
10ms 0 submit   v=2 w=1
10ms 0 start    v=2 w=1
11ms 0 stop     v=2 w=1 done=1
11ms 0 complete v=2 w=1
END
is "lost events leave what happened in them unknown" "1: other 5 dispatch 1 exec 1 unknown 3 = 10
2: = 0" "$(split lost)"

# Without switches, nothing can be said.
mktrace noswitch <<'END'
0ms 0 queue    v=1 w=1
1ms 0 submit   v=1 w=1
2ms 0 start    v=1 w=1
3ms 0 stop     v=1 w=1 done=1
4ms 0 complete v=1 w=1
END
is "no gvt_sched_switch: unknown" "1: i915 1 exec 1 completion 1 unknown 1 = 4" "$(split noswitch)"
is "no gvt_sched_switch: null in the report" '[null,null]' \
	"$(json noswitch '.vgpus[0].engines[0] | [.split_count, .split_own_ns]')"

# One vGPU that has its turn all the time, in a trace that has the scheduler's events: there
# is no switch, and nothing is missing.
mktrace alone <<'END'
0ms 0 gvt_sched_info policy=fair
1ms 0 queue    v=1 w=1
2ms 0 submit   v=1 w=1
2ms 0 start    v=1 w=1
4ms 0 queue    v=1 w=2
5ms 0 stop     v=1 w=1 done=1
6ms 0 complete v=1 w=1
7ms 0 submit   v=1 w=2
7ms 0 start    v=1 w=2
8ms 0 stop     v=1 w=2 done=1
8ms 0 complete v=1 w=2
END
is "alone: no switch is needed" "1: dispatch 1 exec 3 completion 1 = 5
2: own 2 dispatch 1 exec 1 = 4" "$(split alone)"
is "alone: known in the report; slices are not" '[2,3000000,null,null,["gvt:gvt_host_state","gvt:gvt_vgpu_info"]]' "$(json alone \
	'[(.vgpus[0].engines[0] | .split_count, .split_dispatch_ns + 1000000), .vgpus[0].slices,
	.gpus[0].idle_ns, [.missing_events[].event | select(startswith("gvt:gvt"))]]')"

# random NAME SEED: a scheduler that does everything at random, over two CPUs
random()
{
	awk -v seed="$2" '
	function at(event) { print t " " int(2 * rand()) " " event }
	BEGIN {
		srand(seed); t = 1000000; cur = 0; CONVFMT = OFMT = "%.0f"; print "cpus 2"
		for (i = 0; i < 4000; i++) {
			t += int(rand() * 1000000); r = rand(); v = 1 + int(3 * rand())
			if (r < 0.3) { w++; owner[w] = v; c[w] = int(2 * rand()); phase[w] = 1
				at("queue v=" v " w=" w " c=" c[w])
			} else if (r < 0.5) { n = int(4 * rand())
				if (n != cur) at("switch prev=" cur " next=" n " drain_ns=" int(rand() * 2000000) \
					" prev_left_ns=" int((rand() - 0.5) * 1e7) " next_left_ns=" int((rand() - 0.5) * 1e7))
				cur = n
			} else if (r < 0.55) at("balance v=" v " left_ns=" int((rand() - 0.5) * 1e8))
			else if (r < 0.58) at("gvt_sched_hold v=" v " held_vgpu_id=1 held_ns=" int(rand() * 3000000))
			else for (k = 0; k < 3; k++) { x = 1 + int(w * rand()); f = " v=" owner[x] " w=" x " c=" c[x]
				if (phase[x] == 1) { if (rand() < 0.1) { at("cancel" f); phase[x] = 0 }
					else { at("submit" f); phase[x] = 2 } }
				else if (phase[x] == 2) { at("start" f); phase[x] = 3 }
				else if (phase[x] == 3) { d = rand() < 0.7; at("stop" f " done=" d); phase[x] = d ? 4 : 2 }
				else if (phase[x] == 4) { at("complete" f " status=" (rand() < 0.1 ? -5 : 0)); phase[x] = 0 }
				t += int(rand() * 100000) }
		}
	}' >"$tmp/$1.txt"
	mktrace "$1" <"$tmp/$1.txt"
}

for seed in 1 2 3 4 5; do
	random "random$seed" "$seed"
	# shellcheck disable=SC2154 # where.sh sets parts
	workloads "random$seed" "total_ns,state,$parts" | awk -F, '
		$2 == "complete" || $2 == "cancelled" {
			sum = 0
			for (i = 3; i <= NF; i++) { sum += $i; negative += $i < 0 }
			wrong += sum != $1; count++
		}
		END { print (count > 300), wrong + 0, negative + 0 }' >"$tmp/sums"
	is "random history $seed: parts sum to the whole, none is negative" "1 0 0" "$(cat "$tmp/sums")"
done

# gap NAME NUMBER COUNT: in NAME's history, COUNT events of CPU 1 are lost from this number on;
# prints the workloads that were alive meanwhile
gap()
{
	awk -v number="$2" -v lost="$3" '
		$2 == 1 && ++count >= number && count < number + lost { next }
		$2 == 1 && count == number + lost { print "lost 1 " lost }
		{ print }' "$tmp/$1.txt" >"$tmp/gap.txt"
	mktrace gap <"$tmp/gap.txt"
	awk -v number="$2" -v lost="$3" '
		$2 == 1 && ++count < number { from = $1 }
		$2 == 1 && count == number + lost && !to { to = $1 }
		{ w = 0; for (i = 4; i <= NF; i++) if ($i ~ /^w=/) w = substr($i, 3) }
		$3 == "queue" { begin[w] = $1; open[w] = 1; last = w > last ? w : last }
		$3 == "complete" || $3 == "cancel" { end[w] = $1; open[w] = 0 }
		END {
			for (w = 1; w <= last; w++)
				if (begin[w] < to && (open[w] || end[w] > from)) print w
		}' "$tmp/$1.txt"
}

# workloads not listed had all events in the gap
for seed in 1 2 3 4 5; do
	for number in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 4; i++) print 50 + int(rand() * 900) }'); do
		lost=$((number % 40))
		gap "random$seed" "$number" "$lost" | sort >"$tmp/alive"
		workloads gap workload_id,tainted | sort -t, -k1,1 >"$tmp/listed"
		is "history $seed, $lost events of a CPU lost from $number on: exactly what was alive is marked" \
			"$(cut -d, -f1 "$tmp/listed" | sort | join - "$tmp/alive")" \
			"$(awk -F, '$2 == 1 { print $1 }' "$tmp/listed" | sort)"
	done
done

# Whose turn it is is not known after lost events, until the first switch tells whose it has been.
mktrace ahead <<'END'
cpus 2
0ms  0 gvt_sched_info dispatch=preemptive policy=fair
0ms  1 balance  v=1
lost 1 3
1ms  1 balance  v=1
2ms  0 queue    v=1 w=1
3ms  0 submit   v=1 w=1
7ms  0 switch   prev=2 next=1 class=0 instance=0
8ms  0 start    v=1 w=1
9ms  0 stop     v=1 w=1 done=1
9ms  0 complete v=1 w=1
END
is "after lost events: submitted ahead of a turn that was unknown then" 4000000,1000000,1000000 \
	"$(workloads ahead other_ns,i915_ns,unknown_ns)"

# What tells of a cap may be among what was lost.
mktrace cap <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
0ms  1 balance  v=1
lost 1 3
1ms  1 balance  v=1 left_ns=5000000
2ms  0 switch   prev=1 next=0 prev_left_ns=5000000
3ms  0 queue    v=1 w=1
7ms  0 switch   prev=0 next=1 next_left_ns=5000000
8ms  0 submit   v=1 w=1
8ms  0 start    v=1 w=1
9ms  0 stop     v=1 w=1 done=1
9ms  0 complete v=1 w=1
END
is "after lost events: for how long nobody's turn may have been for a cap" 0,4000000 \
	"$(workloads cap switching_ns,unknown_ns)"

# Work of before the gap has left its queue in it: what came after it was next.
mktrace stale <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
0ms  0 queue    v=1 w=1
0ms  1 balance  v=1
lost 1 3
1ms  1 balance  v=1
2ms  0 queue    v=1 w=2
5ms  0 submit   v=1 w=2
5ms  0 start    v=1 w=2
9ms  0 stop     v=1 w=2 done=1
9ms  0 complete v=1 w=2
END
is "after lost events: dispatched behind what has left the queue unseen" 0,3000000 \
	"$(workloads stale own_ns,dispatch_ns | head -n 1)"

is "after lost events: what ended unseen is not open, where the order of its queue tells" 0 \
	"$(json stale '.gpus[0].engines[0].open')"
is "after lost events: its state" complete,partial "$(workloads stale state | paste -sd,)"

# Nothing came after it: it may still be there, or not.
mktrace maybe <<'END'
cpus 2
0ms  0 queue    v=1 w=1
0ms  1 balance  v=1
lost 1 3
1ms  1 balance  v=1
5ms  0 switch   prev=1 next=2
END
is "after lost events: what may have ended" ',null' \
	"$(workloads maybe state),$(json maybe '.gpus[0].engines[0].open')"

# It makes way for another one, which is told first; the gap begins between the two.
mktrace way <<'END'
cpus 2
0ms  0 queue    v=1 w=1
1ms  1 start    v=1 w=1
2ms  0 queue    v=2 w=2
4ms  1 start    v=2 w=2
lost 1 2
4001us 0 stop   v=1 w=1 done=0
9ms  1 stop     v=2 w=2 done=1
END
is "lost events: what makes way just then has executed until then" 3000000,3000000 \
	"$(json way '.gpus[0].engines[0] | .exec_ns_min, .exec_ns_max' --time 0,0.004 | paste -sd,)"

# And what was queued in it was before it, until it was submitted.
mktrace hidden <<'END'
cpus 2
0ms  0 switch   prev=0 next=1
0ms  1 queue    v=1 w=1 c=1
lost 1 3
1ms  1 balance  v=1
2ms  0 queue    v=1 w=3
4ms  0 balance  v=1
5ms  0 switch   prev=1 next=2
6ms  0 switch   prev=2 next=1
7ms  0 submit   v=1 w=2
7ms  0 start    v=1 w=2
8ms  0 stop     v=1 w=2 done=1
8ms  0 complete v=1 w=2
9ms  0 submit   v=1 w=3
9ms  0 start    v=1 w=3
10ms 0 stop     v=1 w=3 done=1
10ms 0 complete v=1 w=3
END
is "after lost events: behind what was queued among them" 5000000,1000000 \
	"$(workloads hidden state,own_ns,dispatch_ns | sed -n 's/^complete,//p')"

finish
