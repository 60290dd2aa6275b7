# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Where the time of workloads and engines went, in ms; after lib.sh.

parts=other_ns,throttled_ns,capped_ns,held_ns,switching_ns,own_ns,dispatch_ns,i915_ns,exec_ns,preempted_ns,completion_ns,unknown_ns

# split NAME: one line per workload, in ms: ID: parts that are not 0 = total
split()
{
	workloads "$1" "workload_id,total_ns,$parts" | awk -F, -v names="$parts" '
	BEGIN { n = split(names, name, ",") }
	{
		line = $1 ":"
		for (i = 1; i <= n; i++) {
			sub(/_ns$/, "", name[i])
			if ($(i + 2) + 0)
				line = line " " name[i] " " $(i + 2) / 1000000
		}
		print line " = " $2 / 1000000
	}' | sort -n
}

# gaps NAME ENGINE [OPTION...]: reasons with their ms = sum
gaps()
{
	file=$1 engine=$2
	shift 2
	"$GVT_STAT" why idle --csv -i "$tmp/$file.dat" "$@" | tr -d '\r' | awk -F, -v engine="$engine" '
	$2 == engine { sum += $4; if ($4 + 0) line = line $3 " " $4 / 1000000 " " }
	END { print line "= " sum / 1000000 }'
}

# blame NAME: who waited for whom, ms, how often, the worst and when
blame()
{
	"$GVT_STAT" why waits --csv -i "$tmp/$1.dat" | tr -d '\r' | awk -F, 'NR > 1 {
		print $2 " " $3 ": " $4 ($5 == "" ? "" : " " $5) " " $6 / 1000000 ", " $7 " times, worst " \
			$8 / 1000000 " at " $9 / 1000000 }'
}

# waits_of_every_kind: $tmp/main.dat, two vGPUs on one engine, by hand:
# w 2 is behind w 1, then dispatched. w 3 of vGPU 2 waits for vGPU 1. w 4 is behind w 2
# until 21, while engines drain (decided at 18, switched at 24), then waits for vGPU 2,
# for a slice from 38 to 60, for the scheduler to look until 61; it is preempted at 65.
# From 37 to 38 it is the turn of vGPU 2, which has no work; vGPU 1 has, but no slice.
waits_of_every_kind()
{
	mktrace main <<'END'
0ms  0 balance v=1 stage=1 weight=1 slice_ns=50000000 left_ns=50000000
0ms  0 balance v=2 stage=1 weight=1 slice_ns=50000000 left_ns=50000000
1ms  0 switch   prev=0 next=1 next_left_ns=50000000
2ms  0 queue    v=1 w=1
3ms  0 submit   v=1 w=1
4ms  0 start    v=1 w=1
5ms  0 queue    v=1 w=2
6ms  0 queue    v=2 w=3
10ms 0 stop     v=1 w=1 done=1
12ms 0 complete v=1 w=1
14ms 0 submit   v=1 w=2
15ms 0 start    v=1 w=2
16ms 0 queue    v=1 w=4
20ms 0 stop     v=1 w=2 done=1
21ms 0 complete v=1 w=2
24ms 0 switch   prev=1 next=2 reason=2 drain_ns=6000000 prev_left_ns=-1000000 next_left_ns=50000000
25ms 0 submit   v=2 w=3
26ms 0 start    v=2 w=3
36ms 0 stop     v=2 w=3 done=1
37ms 0 complete v=2 w=3
38ms 0 switch   prev=2 next=0 prev_left_ns=36000000
60ms 0 balance  v=1 stage=2 weight=1 slice_ns=50000000 left_ns=49000000
61ms 0 switch   prev=0 next=1 next_left_ns=49000000
62ms 0 submit   v=1 w=4
63ms 0 start    v=1 w=4
65ms 0 stop     v=1 w=4 done=0
68ms 0 start    v=1 w=4
70ms 0 stop     v=1 w=4 done=1
72ms 0 complete v=1 w=4
END
}
