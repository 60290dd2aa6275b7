#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Engines that have turns of their own, workloads that are preempted, and caps: by
# hand, and that everything sums up on random histories.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=where.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/where.sh"

# blamed NAME: who waited for whom, ms
blamed()
{
	blame "$1" | sed 's/, .*//'
}

# --- preemption, by hand -----------------------------------------------------------
# On rcs0, w 1 of vGPU 1 makes way for w 2 of vGPU 2 (10 to 30), and once more for w 3 of
# vGPU 3 with w 5 of vGPU 2 right behind it, so that two vGPUs have the time from 40 to 60.
# w 4 is behind w 1 all the time. On vcs0, vGPU 2 has a turn of its own.
mktrace preempt <<'END'
0ms  0 gvt_sched_info policy=fair dispatch=preemptive
0ms  0 switch   prev=0 next=1 class=0 instance=0
0ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
2ms  0 start    v=1 w=1
5ms  0 queue    v=1 w=4
6ms  0 switch   prev=0 next=2 class=2 instance=0
6ms  0 queue    v=2 w=9 c=2
7ms  0 submit   v=2 w=9 c=2
7ms  0 start    v=2 w=9 c=2
8ms  0 queue    v=2 w=2
9ms  0 switch   prev=1 next=2 reason=5 class=0 instance=0
9ms  0 submit   v=2 w=2
10ms 0 stop     v=1 w=1 done=0
11ms 0 start    v=2 w=2
29ms 0 stop     v=2 w=2 done=1
30ms 0 start    v=1 w=1
30ms 0 complete v=2 w=2
30ms 0 switch   prev=2 next=1 class=0 instance=0
35ms 0 queue    v=3 w=3
36ms 0 switch   prev=1 next=3 reason=5 class=0 instance=0
37ms 0 submit   v=3 w=3
40ms 0 stop     v=1 w=1 done=0
41ms 0 start    v=3 w=3
42ms 0 queue    v=2 w=5
50ms 0 stop     v=3 w=3 done=1
50ms 0 complete v=3 w=3
50ms 0 switch   prev=3 next=2 class=0 instance=0
51ms 0 submit   v=2 w=5
52ms 0 start    v=2 w=5
59ms 0 stop     v=2 w=5 done=1
59ms 0 complete v=2 w=5
59ms 0 switch   prev=2 next=1 class=0 instance=0
60ms 0 start    v=1 w=1
70ms 0 stop     v=1 w=1 done=1
71ms 0 complete v=1 w=1
72ms 0 submit   v=1 w=4
72ms 0 start    v=1 w=4
73ms 0 stop     v=1 w=4 done=1
73ms 0 complete v=1 w=4
80ms 0 stop     v=2 w=9 c=2 done=1
80ms 0 complete v=2 w=9 c=2
END
is "execution is the sum of the pieces, preemption a part of its own" \
	"1: dispatch 1 i915 1 exec 28 preempted 40 completion 1 = 71
2: other 1 i915 2 exec 18 completion 1 = 22
3: other 1 dispatch 1 i915 4 exec 9 = 15
4: other 45 own 21 dispatch 1 exec 1 = 68
5: other 8 dispatch 1 i915 1 exec 7 = 17
9: dispatch 1 exec 73 = 74" "$(split preempt)"
is "pieces" "3" "$(workloads preempt workload_id,pieces | awk -F, '$1 == 1 { print $2 }')"
is "why waits: who preempted, for how long; each ms counts once" \
	"1 rcs0: other 2 1
1 rcs0: other 3 4
1 rcs0: preempted 2 28
1 rcs0: preempted 3 12
1 rcs0: own 23
2 rcs0: other 1 1
2 rcs0: other 3 8
2 rcs0: own 1
2 vcs0: own 1
3 rcs0: other 1 1
3 rcs0: own 1" "$(blamed preempt)"
matches "why waits: preemption has its columns" \
	"*vGPU 1 *vGPU 3 *preempted by 2 *preempted by 3 *itself*" \
	"$("$GVT_STAT" why waits -i "$tmp/preempt.dat" | tr -s ' ')"
is "why idle: the hand-over is switching, other engines go on" \
	"busy 63 i915 4 completion 1 dispatch 2 switching 3 empty 7 = 80 busy 73 dispatch 1 empty 6 = 80" \
	"$(gaps preempt rcs0) $(gaps preempt vcs0)"
is "turns: turns of engines" ",0,0,rcs0
,6,0,vcs0
0,9,1,rcs0
9,30,2,rcs0
30,36,1,rcs0
36,50,3,rcs0
50,59,2,rcs0
59,,1,rcs0
6,,2,vcs0" "$("$GVT_STAT" list turns --idle --csv -i "$tmp/preempt.dat" 2>"$tmp/err" | tr -d '\r' |
	awk -F, 'NR > 1 { print ($1 == "" ? "" : $1 / 1e6) "," ($2 == "" ? "" : $2 / 1e6) "," $4 "," $5 }')"
is "turns: execution in a turn is that of its engine" "18000000" \
	"$("$GVT_STAT" list turns --engine rcs0 --csv -i "$tmp/preempt.dat" 2>"$tmp/err" |
	awk -F, '$1 == 9000000 { print $8 }')"
is "report: turns and time scheduled are summed over engines" '[2,3,104000000]' \
	"$(json preempt '.vgpus[] | select(.vgpu_id == 2) | [(.engines | length), .slices, .scheduled_ns]')"

# The work of vGPU 1 was preempted at 10 for that of vGPU 2, and is kept from the engine from 20
# to 24, as vGPU 2 was expected, in vain.
mktrace parked <<'END'
0ms  0 gvt_sched_info policy=fair dispatch=preemptive
0ms  0 switch   prev=0 next=1 class=0
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
9ms  0 queue    v=2 w=2
9ms  0 submit   v=2 w=2
10ms 0 stop     v=1 w=1 done=0
10ms 0 switch   prev=1 next=2 class=0
10ms 0 start    v=2 w=2
20ms 0 stop     v=2 w=2 done=1
20ms 0 complete v=2 w=2
24ms 0 gvt_sched_hold v=2 held_vgpu_id=1 held_ns=4000000 class=0 result=1
24ms 0 switch   prev=2 next=1 class=0
25ms 0 start    v=1 w=1
30ms 0 stop     v=1 w=1 done=1
30ms 0 complete v=1 w=1
END
is "why idle: kept from work that was preempted" "busy 25 i915 1 held 4 = 30" "$(gaps parked rcs0)"

# From exclusive to per-engine dispatch and back, with slices per engine: from 4 on vGPU 1
# has none on rcs0; on vcs0 it has, and nobody knows why it was not picked.
mktrace modes <<'END'
0ms  0 gvt_sched_info policy=strict dispatch=exclusive
0ms  0 balance  v=1 left_ns=5000000 class=-1 instance=-1
0ms  0 switch   prev=2 next=0 class=-1 instance=-1
1ms  0 queue    v=1 w=1
2ms  0 queue    v=1 w=2 c=2
4ms  0 gvt_sched_setting setting=dispatch old_value=exclusive new_value=per-engine
4ms  0 balance  v=1 left_ns=-1 class=0 instance=0
5ms  0 balance  v=1 left_ns=7 class=2 instance=0
20ms 0 switch   prev=0 next=1 class=2 instance=0
21ms 0 submit   v=1 w=2 c=2
21ms 0 start    v=1 w=2 c=2
24ms 0 stop     v=1 w=2 c=2 done=1
24ms 0 complete v=1 w=2 c=2
25ms 0 gvt_sched_setting setting=dispatch old_value=per-engine new_value=exclusive
30ms 0 switch   prev=0 next=1 class=-1 instance=-1 next_left_ns=1
31ms 0 submit   v=1 w=1
31ms 0 start    v=1 w=1
32ms 0 stop     v=1 w=1 done=1
32ms 0 complete v=1 w=1
END
is "slices of engines, and dispatch that changes" \
	"1: throttled 26 switching 3 dispatch 1 exec 1 = 31
2: dispatch 1 exec 3 unknown 18 = 22" "$(split modes)"
is "turns: turns of the other kind end with it" ",0,2,all
,20,0,vcs0
0,20,0,all
,30,0,all
20,30,1,vcs0
30,,1,all" "$("$GVT_STAT" list turns --idle --csv -i "$tmp/modes.dat" 2>"$tmp/err" | tr -d '\r' |
	awk -F, 'NR > 1 { print ($1 == "" ? "" : $1 / 1e6) "," ($2 == "" ? "" : $2 / 1e6) "," $4 "," $5 }')"

# i915 gets work ahead of its turn: w 2 from 2 on, which waits for vGPU 1 until 11, and w 3
# behind it. Under strict, vGPU 1 is preempted at 11 for want of a slice, until 25; from 21 on
# nobody has one, and w 4 of vGPU 2 is with i915, too.
mktrace ahead <<'END'
0ms  0 gvt_sched_info policy=strict dispatch=preemptive
0ms  0 balance  v=1 left_ns=10000000 class=0 instance=0
0ms  0 balance  v=2 left_ns=10000000 class=0 instance=0
0ms  0 switch   prev=0 next=1 class=0 instance=0
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
1ms  0 queue    v=2 w=2
2ms  0 submit   v=2 w=2
3ms  0 queue    v=2 w=3
10ms 0 switch   prev=1 next=2 prev_left_ns=-1 next_left_ns=10000000 reason=2 class=0 instance=0
11ms 0 stop     v=1 w=1 done=0
12ms 0 start    v=2 w=2
18ms 0 stop     v=2 w=2 done=1
18ms 0 complete v=2 w=2
18ms 0 submit   v=2 w=3
19ms 0 start    v=2 w=3
20ms 0 stop     v=2 w=3 done=1
20ms 0 complete v=2 w=3
20ms 0 queue    v=2 w=4
21ms 0 switch   prev=2 next=0 prev_left_ns=-1 class=0 instance=0
22ms 0 submit   v=2 w=4
24ms 0 balance  v=1 left_ns=10000000 class=0 instance=0
24ms 0 switch   prev=0 next=1 next_left_ns=10000000 class=0 instance=0
25ms 0 start    v=1 w=1
28ms 0 stop     v=1 w=1 done=1
28ms 0 complete v=1 w=1
29ms 0 switch   prev=1 next=2 next_left_ns=10000000 class=0 instance=0
30ms 0 start    v=2 w=4
31ms 0 stop     v=2 w=4 done=1
31ms 0 complete v=2 w=4
END
is "work that is submitted ahead of its turn waits for that" \
	"1: exec 14 preempted 14 = 28
2: other 9 i915 2 exec 6 = 17
3: other 7 own 8 i915 1 exec 1 = 17
4: other 5 throttled 3 dispatch 1 i915 1 exec 1 = 11" "$(split ahead)"
is "why waits: it waits for the others, for a slice, or was preempted" \
	"1 rcs0: throttled 3
1 rcs0: preempted 1
1 rcs0: preempted 2 10
2 rcs0: other 1 14
2 rcs0: throttled 3
2 rcs0: own 9" "$(blamed ahead)"
is "why idle: nobody has a slice" "busy 22 i915 4 switching 2 throttled 3 = 31" "$(gaps ahead rcs0)"

# i915 tells of the next workload before it tells of the one that makes way for it.
mktrace early <<'END'
0ms  0 gvt_sched_info dispatch=preemptive policy=fair
0ms  0 switch   prev=0 next=1 class=0 instance=0
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
1ms  0 switch   prev=1 next=2 class=0 instance=0
1ms  0 queue    v=2 w=2
1ms  0 submit   v=2 w=2
2ms  0 start    v=2 w=2
2001us 0 stop   v=1 w=1 done=0
9ms  0 start    v=1 w=1
9001us 0 stop   v=2 w=2 done=1
10ms 0 complete v=2 w=2
11ms 0 stop     v=1 w=1 done=1
11ms 0 complete v=1 w=1
END
is "who preempted has started before" "1 rcs0: preempted 2 6.999" "$(blamed early)"

# A reset takes a workload off its engine for good: that is no preemption.
mktrace reset <<'END'
0ms  0 gvt_sched_info dispatch=preemptive policy=fair
0ms  0 switch   prev=0 next=1 class=0 instance=0
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 queue    v=1 w=2
8ms  0 stop     v=1 w=1 done=0
10ms 0 complete v=1 w=1 status=-5
11ms 0 submit   v=1 w=2
12ms 0 start    v=1 w=2
13ms 0 stop     v=1 w=2 done=1
13ms 0 complete v=1 w=2
END
is "what is reset was not preempted" "1: dispatch 1 i915 1 exec 5 completion 2 = 9
2: own 6 dispatch 1 i915 1 exec 1 = 9" "$(split reset)"
is "and nobody is to blame" "1 rcs0: own 8" "$(blamed reset)"

# When the host's own work takes the engine, no vGPU is to blame.
mktrace host <<'END'
0ms  0 gvt_sched_info dispatch=preemptive policy=fair
0ms  0 switch   prev=0 next=1 class=0 instance=0
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=0
9ms  0 start    v=1 w=1
10ms 0 stop     v=1 w=1 done=1
10ms 0 complete v=1 w=1
END
is "preempted by none of the vGPUs" "1 rcs0: preempted 5" "$(blamed host)"
is "why idle: that is i915's" "busy 5 i915 5 = 10" "$(gaps host rcs0)"

# --- an engine that one vGPU uses has no switch -------------------------------------------
mktrace alone <<'END'
0ms  0 gvt_sched_info policy=fair dispatch=per-engine
0ms  0 queue    v=1 w=1 class=2
1ms  0 submit   v=1 w=1 class=2
1ms  0 start    v=1 w=1 class=2
2ms  0 queue    v=1 w=2 class=2
9ms  0 stop     v=1 w=1 class=2 done=1
9ms  0 complete v=1 w=1 class=2
10ms 0 submit   v=1 w=2 class=2
10ms 0 start    v=1 w=2 class=2
15ms 0 stop     v=1 w=2 class=2 done=1
15ms 0 complete v=1 w=2 class=2
END
# What it waited for before it is seen to start, nobody knows.
is "an engine that only one vGPU uses: it waits for itself" '[["unknown",null,1000000],["own",null,8000000]]' \
	"$("$GVT_STAT" why waits --json -i "$tmp/alone.dat" | values '[.blame[] | [.reason, .culprit_vgpu_id, .wait_ns]]')"

# --- random histories of preemptive dispatch ---------------------------------------------
# random SEED: three engines, four vGPUs; on each engine one runs, others are preempted
random()
{
	awk -v seed="$1" '
	function tell(kind, w, more) {
		print t " " int(2 * rand()) " " kind " v=" v[w] " w=" w " c=" e[w] more
	}
	BEGIN {
		srand(seed); t = 1000000; w = 0; CONVFMT = OFMT = "%.0f"; print "cpus 2"
		print t " 0 gvt_sched_info policy=fair dispatch=preemptive"
		for (i = 0; i < 6000; i++) {
			t += 1 + int(rand() * 400000); r = rand(); x = int(3 * rand())
			if (r < 0.3 && n_alive < 30) {
				w++; v[w] = 1 + int(4 * rand()); e[w] = x; state[w] = 1; tell("queue", w)
				alive[n_alive++] = w
				continue
			}
			if (r < 0.45) {
				n = 1 + int(4 * rand())
				if (n != cur[x])
					print t " 0 switch prev=" cur[x] + 0 " next=" n " class=" x \
						" instance=0 drain_ns=" int(rand() * 300000)
				cur[x] = n
				continue
			}
			if (r < 0.5) {
				print t " 0 gvt_sched_hold v=1 held_vgpu_id=2 class=" x " held_ns=" int(rand() * 300000)
				continue
			}
			for (k = 0; k < 6 && n_alive; k++) {
				y = alive[a = int(n_alive * rand())]; q = v[y] " " e[y]
				if (!state[y]) {
					alive[a] = alive[--n_alive]
					continue
				}
				t += int(rand() * 20000)
				if (state[y] == 1 && !flight[q]) {
					for (a = 0; a < n_alive; a++) {
						z = alive[a]
						if (z < y && state[z] == 1 && v[z] " " e[z] == q)
							y = z
					}
					if (rand() < 0.05) { tell("cancel", y); state[y] = 0 }
					else { tell("submit", y); state[y] = 2; flight[q] = y }
				} else if ((state[y] == 2 || state[y] == 5) && !on[e[y]]) {
					tell("start", y); state[y] = 3; on[e[y]] = y
				} else if (state[y] == 3) {
					d = rand() < 0.5; on[e[y]] = 0
					tell("stop", y, " done=" d); state[y] = d ? 4 : 5
				} else if (state[y] == 4 || (state[y] == 5 && rand() < 0.1)) {
					tell("complete", y, " status=" (state[y] == 5 ? -5 : 0))
					state[y] = 0; flight[q] = 0
				}
			}
		}
	}' >"$tmp/random.txt"
	mktrace "random$1" <"$tmp/random.txt"
}

for seed in 1 2 3; do
	random $seed
	# shellcheck disable=SC2154 # where.sh sets parts
	workloads "random$seed" "total_ns,state,pieces,$parts" | awk -F, '
		$2 == "complete" || $2 == "cancelled" {
			sum = 0
			for (i = 4; i <= NF; i++) { sum += $i; negative += $i < 0 }
			wrong += sum != $1; count++; many += $3 > 1
		}
		END { print (count > 300), (many > 50), wrong + 0, negative + 0 }' >"$tmp/sums"
	is "random history $seed of preemption: parts sum to the whole, none is negative" "1 1 0 0" "$(cat "$tmp/sums")"
	is "random history $seed: reasons sum to the window on every engine" true \
		"$("$GVT_STAT" why idle --json -i "$tmp/random$seed.dat" | jq -c '.window_ns as $w |
		[.gaps | group_by(.engine)[] | map(.time_ns) | add == $w] | all')"
	is "random history $seed: busy is what the report says" true "$(
		{ "$GVT_STAT" why idle --json -i "$tmp/random$seed.dat"
		  "$GVT_STAT" report --json -i "$tmp/random$seed.dat"; } | jq -cs '
		([.[0].gaps[] | select(.reason == "busy") | [.engine, .time_ns]] | sort) ==
		([.[1].gpus[0].engines[] | [.engine, .exec_ns]] | sort)')"
	is "random history $seed: nobody waits for longer than there is time" true \
		"$("$GVT_STAT" why waits --json -i "$tmp/random$seed.dat" | jq -c '.window_ns as $w |
		[.blame | group_by([.vgpu_id, .engine])[] | map(.wait_ns) | add <= $w] | all')"
done

# --- caps -------------------------------------------------------------------------------
# with_cap DIRECTORY...: format files of a kernel that tells caps
with_cap()
{
	mkdir "$tmp/cap"
	for dir; do
		[ ! -d "$dir" ] || cp -r "$dir/." "$tmp/cap"
	done
	file=$tmp/cap/gvt/gvt_vgpu_info.format
	grep -q ' cap;' "$file" || sed -i 's/^.*char\[\] uuid;.*$/&\n\tfield:s32 nice;\toffset:52;\tsize:4;\tsigned:1;\n\tfield:u32 cap;\toffset:56;\tsize:4;\tsigned:0;/' "$file"
	FORMATS="-F $tmp/cap"
}
# shellcheck disable=SC2086 # FORMATS holds several options
with_cap $FORMATS

# vGPU 1 may have 25 %. Under a policy that lends, only its cap keeps it from running: from
# 10 to 40, not in the 50 us that a switch takes.
cap='0ms  0 gvt_sched_info policy=fair
0ms  0 gvt_vgpu_info v=1 weight=2 CAP
0ms  0 switch   prev=0 next=1
0ms  0 queue    v=1 w=1
0ms  0 submit   v=1 w=1
0ms  0 start    v=1 w=1
5ms  0 queue    v=1 w=2
10ms 0 stop     v=1 w=1 done=1
10ms 0 complete v=1 w=1
10ms 0 switch   prev=1 next=0
40ms 0 switch   prev=0 next=1
40ms 0 submit   v=1 w=2
40ms 0 start    v=1 w=2
49ms 0 stop     v=1 w=2 done=1
49ms 0 complete v=1 w=2
49ms 0 switch   prev=1 next=0
50000us 0 queue v=1 w=3
50050us 0 switch prev=0 next=1
50050us 0 submit v=1 w=3
50050us 0 start v=1 w=3
51ms 0 stop     v=1 w=3 done=1
51ms 0 complete v=1 w=3'
echo "$cap" | sed 's/CAP/cap=25/' | mktrace capped
is "cap: told by gvt_vgpu_info" "1: exec 10 = 10
2: capped 30 own 5 exec 9 = 44
3: switching 0.05 exec 0.95 = 1" "$(split capped)"
is "cap: why the engine was idle" "busy 19.95 switching 0.05 capped 30 empty 1 = 51" "$(gaps capped rcs0)"
is "cap: no vGPU is to blame" "1 rcs0: capped 30
1 rcs0: switching 0.05
1 rcs0: own 5" "$(blamed capped)"
echo "$cap" | sed 's/CAP/cap=0/' | mktrace uncapped
is "without a cap, it is the scheduler" "2: switching 30 own 5 exec 9 = 44" "$(split uncapped | sed -n 2p)"
formats=$FORMATS
mkdir "$tmp/old"
for dir in $FORMATS; do
	[ ! -d "$dir" ] || cp -r "$dir/." "$tmp/old"
done
sed -i '/ cap;/d; / nice;/d' "$tmp/old/gvt/gvt_vgpu_info.format"
FORMATS="-F $tmp/old"
echo "$cap" | sed 's/CAP//' | mktrace unknown
is "a kernel that does not tell: unknown" "2: own 5 exec 9 unknown 30 = 44" "$(split unknown | sed -n 2p)"
is "and so is why the engine was idle" "busy 19.95 switching 0.05 empty 1 unknown 30 = 51" "$(gaps unknown rcs0)"
echo "$cap" | sed 's/CAP//; s/^5ms/1ms 0 gvt_sched_setting v=1 setting=cap old_value=0 new_value=25\n&/' | mktrace setting
is "cap: told when it was set" "2: capped 30 own 5 exec 9 = 44" "$(split setting | sed -n 2p)"
{ echo '0ms 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~weight=2~cap=25~pid=4711~vm=a'
	echo "$cap" | sed 's/CAP/uuid=aa-1/'; } | mktrace mark
is "cap: told by gvt-stat record" "2: capped 30 own 5 exec 9 = 44" "$(split mark | sed -n 2p)"
FORMATS=$formats
# Under strict, the lack of a slice is enough; with a slice left, it is the cap.
strict=$(echo "$cap" | sed 's/CAP/cap=25/; s/policy=fair/policy=strict/; s/prev=0 next=1/& next_left_ns=5/')
echo "$strict" | sed 's/prev=1 next=0/& prev_left_ns=-1/' | mktrace strict
is "strict, no slice left: throttled" "2: throttled 30 own 5 exec 9 = 44" "$(split strict | sed -n 2p)"
echo "$strict" | sed 's/prev=1 next=0/& prev_left_ns=9/' | mktrace strict
is "strict, a slice left: capped" "2: capped 30 own 5 exec 9 = 44" "$(split strict | sed -n 2p)"
matches "check names the cap" "*vGPU 1 *25 %*(capped)*Remedy: *cap=0*" "$("$GVT_STAT" check -i "$tmp/capped.dat")"

finish
