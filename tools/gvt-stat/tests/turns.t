#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Turns of vGPUs.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Before 10, it was vGPU 2's turn. w 1 waited from 2 on; w 3 comes while it is its turn.
mktrace turns <<'END'
2ms  0 queue    v=1 w=1
3ms  0 queue    v=1 w=2 c=1
10ms 0 switch   prev=2 next=1 prev_left_ns=1000000 prev_slice_ns=50000000 drain_ns=500000 reason=1
11ms 0 submit   v=1 w=1
12ms 0 start    v=1 w=1
13ms 0 submit   v=1 w=2 c=1
13ms 0 start    v=1 w=2 c=1
15ms 0 queue    v=1 w=3
20ms 0 stop     v=1 w=2 c=1 done=1
20ms 0 complete v=1 w=2 c=1
22ms 0 stop     v=1 w=1 done=1
22ms 0 complete v=1 w=1
25ms 0 switch   prev=1 next=0 prev_left_ns=-5000000 prev_slice_ns=50000000 drain_ns=4000000 reason=2
30ms 0 switch   prev=0 next=2
31ms 0 balance  v=1
END
# turns [OPTION...]: the lines, without the header
turns()
{
	"$GVT_STAT" list turns --csv -i "$tmp/turns.dat" "$@" 2>"$tmp/err" | tr -d '\r' | sed 1d
}

is "turns: wait, run, execution, workloads, drain, slice, reason" \
	",10000000,0,2,all,,,,,500000,1000000,50000000,turn,
10000000,25000000,0,1,all,8000000,15000000,17000000,2,4000000,-5000000,50000000,slice,
30000000,,0,2,all,,,0,0,,,,," "$(turns)"
is "turns --idle" "25000000,30000000,0,0,all,,5000000,0,0,0,,,idle," "$(turns --idle | sed -n 3p)"
is "turns --vgpu" 10000000 "$(turns --vgpu 1 | cut -d, -f1)"
is "turns --time" 10000000 "$(turns --time 0.011,0.02 | cut -d, -f1)"
is "turns: for people, seconds and milliseconds" \
	"START-s END-s GPU VGPU ENGINE WAIT-ms RUN-ms EXEC-ms DONE DRAIN-ms LEFT-ms SLICE-ms REASON VM
0.010000 0.025000 0 1 all 8.000 15.000 17.000 2 4.000 -5.000 50.000 slice -" \
	"$("$GVT_STAT" list turns --vgpu 1 -i "$tmp/turns.dat" 2>"$tmp/err" | awk '{ $1 = $1; print }')"
is "workloads: for people, what matters most, headed as tables" \
	"WORKLOAD VGPU ENGINE QUEUE-s START-s EXEC-ms WAIT-ms STATUS STATE TAINTED TOTAL-ms VM GPU" \
	"$("$GVT_STAT" list workloads -i "$tmp/turns.dat" 2>"$tmp/err" | awk 'NR == 1 { $1 = $1; print }')"
is "lists fit into 120 columns" "" \
	"$(for list in workloads turns; do "$GVT_STAT" list $list -i "$tmp/turns.dat"; done 2>"$tmp/err" | grep '.\{121\}')"
is "turns --json" '["gvt-stat/1","list turns",3,-5000000]' "$("$GVT_STAT" list turns --json \
	-i "$tmp/turns.dat" 2>"$tmp/err" | jq -c '[.schema, .command, (.turns | length), .turns[1].left_ns]')"

# A switch was not traced: when that turn began is not known.
mktrace untraced <<'END'
1ms 0 switch prev=0 next=1
2ms 0 queue  v=1 w=1
5ms 0 switch prev=2 next=1 reason=1
9ms 0 switch prev=1 next=0 reason=0
END
is "turns: an untraced switch" ",5000000,2,,,
5000000,9000000,1,4000000,0,0" "$("$GVT_STAT" list turns --csv -i "$tmp/untraced.dat" 2>"$tmp/err" |
	sed 1d | head -n 2 | cut -d, -f1,2,4,7,8,9)"

# Work that is on the engine when its turn ends has executed in it until then, and no longer.
mktrace runs <<'END'
0ms  0 gvt_sched_info dispatch=preemptive policy=fair
0ms  0 queue    v=1 w=1
1ms  0 switch   prev=0 next=1 class=0 instance=0
2ms  0 submit   v=1 w=1
2ms  0 start    v=1 w=1
3ms  0 queue    v=2 w=2
5ms  0 switch   prev=1 next=2 class=0 instance=0 reason=2
6ms  0 stop     v=1 w=1 done=0
7ms  0 submit   v=2 w=2
7ms  0 start    v=2 w=2
9ms  0 balance  v=1
END
is "turns: what runs when a turn ends, and when the trace does" \
	"1000000,5000000,1,3000000
5000000,,2,2000000" "$("$GVT_STAT" list turns --csv -i "$tmp/runs.dat" | tr -d '\r' | sed 1d | cut -d, -f1,2,4,8)"

# In a gap of one CPU, switches and completions may be lost.
mktrace gap <<'END'
cpus 2
0ms  0 queue    v=1 w=1
0ms  1 balance  v=1
1ms  0 switch   prev=0 next=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 switch   prev=1 next=2
5ms  0 switch   prev=2 next=1
lost 1 4
6ms  1 balance  v=1
7ms  0 switch   prev=1 next=2
8ms  0 switch   prev=2 next=1
END
is "turns: turns among lost events" \
	",1000000,0,,,
,4000000,1,,,
,5000000,2,,,
,7000000,1,,,
7000000,8000000,2,1000000,0,0
8000000,,1,,0,0" "$("$GVT_STAT" list turns --idle --csv -i "$tmp/gap.dat" | tr -d '\r' | sed 1d | cut -d, -f1,2,4,7,8,9)"
is "turns: turns that began among lost events after the window" 7000000 \
	"$("$GVT_STAT" list turns --time 0.0071,0.0072 --csv -i "$tmp/gap.dat" | sed 1d | cut -d, -f1)"
finish
