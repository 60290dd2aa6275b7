#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat why path: paths by hand; that they are those of brute force is in unit
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# path FILE OPTION...: in ms: from-to worker what
path()
{
	file=$1
	shift
	"$GVT_STAT" why path --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" &&
		jq -r '.path[] | "\(.from_ns / 1e6)-\(.to_ns / 1e6) \(.tid // .worker) \(.what)\(
			if .workload_id then " " + (.workload_id | tostring) else "" end);"' \
			"$tmp/out.json" | xargs
}

# fails NAME STATUS PATTERN OPTION...
fails()
{
	name=$1 status=$2 pattern=$3
	shift 3
	text=$("$GVT_STAT" why path "$@" 2>&1)
	is "$name: status" "$status" $?
	matches "$name" "$pattern" "$text"
}

# vCPU 101 queues work and wakes up kvmgt's thread 50, which submits it and waits
# for the engine; an interrupt wakes up 50, which wakes up 101; then a timer does
main='
0ms  0 gvt_sched_info dev=0
0ms  0 sched_switch prev_pid=50 prev_state=1 prev_comm=gvt:rcs0 next_pid=0
1ms  0 sched_switch prev_pid=0 next_pid=101 next_comm=qemu
2ms  0 kvm_entry    common_pid=101
5ms  0 kvm_exit     common_pid=101
6ms  0 queue        common_pid=101 v=1 w=7
7ms  0 sched_waking common_pid=101 pid=50
8ms  0 sched_wakeup common_pid=101 pid=50
10ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=50
12ms 0 submit       common_pid=50 v=1 w=7
13ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=0
14ms 0 start        v=1 w=7
24ms 0 stop         v=1 w=7 done=1
25ms 0 irq_handler_entry irq=3
25ms 0 sched_waking common_pid=0 pid=50
25ms 0 irq_handler_exit irq=3
27ms 0 sched_switch prev_pid=0 next_pid=50
28ms 0 complete     common_pid=50 v=1 w=7
29ms 0 sched_waking common_pid=50 pid=101
30ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=101
31ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=0
34ms 0 irq_handler_entry irq=0
35ms 0 hrtimer_expire_entry
35ms 0 sched_waking common_pid=0 pid=101
35ms 0 hrtimer_expire_exit
35ms 0 softirq_entry vec=1
35ms 0 softirq_exit vec=1
35ms 0 irq_handler_exit irq=0
36ms 0 sched_switch prev_pid=0 next_pid=101
38ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=0
40ms 0 gvt_sched_info dev=0
'
echo "$main" | mktrace main
is "a workload: through the vCPU, kvmgt and the engine" \
	"6-7 101 runs; 7-10 50 runnable; 10-13 50 runs; 13-14 rcs0 idle; 14-24 rcs0 executes 7; 24-25 rcs0 idle; 25-27 50 runnable; 27-28 50 runs;" \
	"$(path main --workload 7)"
is "its summary, the longest first" '[["rcs0",1,10000000],["gvt:rcs0",null,5000000],["gvt:rcs0",null,4000000],["rcs0",null,2000000],["qemu",null,1000000]]' \
	"$(jq -c '[.summary[] | [.worker, .vgpu_id, .ns]]' "$tmp/out.json")"
is "it sums to the whole" "true 100" \
	"$(jq '([.summary[].ns] | add) == .to_ns - .from_ns, ([.summary[].percent] | add | round)' "$tmp/out.json" | xargs)"
is "a thread: also what is not explained" \
	"0-1 101 unknown; 1-2 101 runs; 2-5 101 guest; 5-10 101 runs; 10-13 50 runs; 13-14 rcs0 idle; 14-24 rcs0 executes 7; 24-25 rcs0 idle; 25-27 50 runnable; 27-29 50 runs; 29-30 101 runnable; 30-31 101 runs; 31-35 101 timer; 35-36 101 runnable; 36-38 101 runs; 38-40 101 unexplained;" \
	"$(path main --thread 101)"
is "the share of what is not explained" 3000000 "$(jq .unexplained_ns "$tmp/out.json")"
is "a window" "12-13 50 runs; 13-14 rcs0 idle; 14-20 rcs0 executes 7;" \
	"$(path main --thread 101 --time 0.012,0.02)"
matches "tables" "*Workload 7 of vGPU 1: 22.000 ms*Unexplained: 0.000 ms, 0.00 %*rcs0 * - executes * 1 *10.000 45.45*0.014000 10.000 rcs0 * executes * 1 * 7*" \
	"$("$GVT_STAT" why path -i "$tmp/main.dat" --workload 7 --segments)"
echo "$main" | sed '/sched_waking/d; s/^25ms 0 irq_handler_exit/25ms 0 sched_wakeup common_pid=0 pid=50\n&/' | mktrace wakeup
is "without sched_waking, sched_wakeup will do" \
	"6-8 101 runs; 8-10 50 runnable; 10-13 50 runs; 13-14 rcs0 idle; 14-24 rcs0 executes 7; 24-25 rcs0 idle; 25-27 50 runnable; 27-28 50 runs;" \
	"$(path wakeup --workload 7)"
is "but that is said" '"sched:sched_waking"' \
	"$(jq -c '.missing_events[] | select(.unknown[0] | test("wakers")).event' "$tmp/out.json")"
echo "$main" | sed 's/^29ms 0 sched_waking/28ms 0 irq_handler_entry irq=3\n29ms 0 sched_waking/; s/^30ms/29ms 0 irq_handler_exit irq=3\n&/' |
	mktrace interrupt
is "woken up by an interrupt, whoever it interrupted" "10-29 101 interrupt;" \
	"$(path interrupt --thread 101 --time 0.01,0.029)"
echo "$main" | sed 's/^27ms/lost 0 3\n&/' | mktrace lost
is "where events were lost, nothing is known until the next" \
	"24-25 rcs0 idle; 25-27 50 unknown; 27-28 50 runs;" "$(path lost --workload 7 | sed 's/.*\(24-25\)/\1/')"

# Thread 60 is interrupted, and the handler's beginning is lost: who woke up 50 is not known,
# until CPU 1 is seen to switch threads.
handler='cpus 2
0ms  0 sched_wakeup pid=98
0ms  0 irq_handler_entry irq=3
0ms  0 irq_handler_exit irq=3
0ms  0 softirq_entry vec=1
0ms  0 softirq_exit vec=1
0ms  0 hrtimer_expire_entry
0ms  0 hrtimer_expire_exit
0ms  0 gvt_sched_info dev=0
0ms  0 sched_switch prev_pid=0 next_pid=50 next_comm=gvt:rcs0
0ms  1 sched_switch prev_pid=0 next_pid=60 next_comm=other
lost 1 3
12ms 1 hrtimer_expire_exit
12ms 0 sched_switch prev_pid=0 next_pid=50
13ms 0 sched_switch prev_pid=50 prev_state=1 next_pid=0
15ms 1 sched_waking common_pid=60 pid=50
15ms 1 irq_handler_exit irq=3
16ms 0 sched_switch prev_pid=0 next_pid=50
20ms 0 gvt_sched_info dev=0
'
echo "$handler" | mktrace handler
is "woken up, perhaps by an interrupt whose beginning was lost" \
	"13-15 50 unknown; 15-16 50 runnable; 16-20 50 runs;" \
	"$(path handler --thread 50 --time 0.013,0.02)"
echo "$handler" | sed 's/^13ms/12ms 1 sched_switch prev_pid=70 prev_state=1 next_pid=60\n&/' | mktrace thread
is "woken up by a thread that was switched to since the loss" \
	"13-15 60 runs; 15-16 50 runnable; 16-20 50 runs;" \
	"$(path thread --thread 50 --time 0.013,0.02)"

# kvmgt's thread 50 waits for the thread that switches vGPUs, and that for its timer
mktrace turn <<'END'
0ms  0 sched_switch prev_pid=0 next_pid=60 next_comm=gvt_service_thr
1ms  0 switch       common_pid=60 prev=2 next=1
2ms  0 sched_switch prev_pid=60 prev_state=1 next_pid=101
3ms  0 queue        common_pid=101 v=2 w=7
3ms  0 sched_switch prev_pid=101 prev_state=1 next_pid=50
4ms  0 sched_switch prev_pid=50 prev_state=1 next_pid=0
10ms 0 irq_handler_entry irq=0
10ms 0 hrtimer_expire_entry
10ms 0 sched_waking common_pid=0 pid=60
10ms 0 sched_wakeup common_pid=0 pid=60
10ms 0 hrtimer_expire_exit
10ms 0 softirq_entry vec=1
10ms 0 softirq_exit vec=1
10ms 0 irq_handler_exit irq=0
11ms 0 sched_switch prev_pid=0 next_pid=60
12ms 0 switch       common_pid=60 prev=1 next=2
13ms 0 sched_waking common_pid=60 pid=50
14ms 0 sched_switch prev_pid=60 prev_state=1 next_pid=50
15ms 0 complete     common_pid=50 v=2 w=7 status=-5
END
is "whose turn was waited for" \
	"3-4 50 runs; 4-10 60 turn; 10-11 60 runnable; 11-13 60 runs; 13-14 50 runnable; 14-15 50 runs; 1" \
	"$(path turn --workload 7) $(jq '.path[1].vgpu_id' "$tmp/out.json")"

# The same again and again, so long that the path is told while the trace is read, and kept in
# a file: after the first time it is the same each time.
rounds=3000
echo "$main" | sed '/gvt_sched_info/d' | awk -v rounds=$rounds '
	{ sub("ms", "", $1); at[NR] = $1; sub(/^[^ ]+/, ""); line[NR] = $0; n = NR }
	END {
		print "0 0 gvt_sched_info dev=0"
		for (round = 0; round < rounds; round++)
			for (nr = 1; nr <= n; nr++) {
				text = line[nr]
				sub(/w=7/, "w=" 7 + round, text)
				if (text != "")
					print 40 * round + at[nr] "ms" text
			}
	}' | mktrace long
"$GVT_STAT" why path --csv --columns from_ns,to_ns,tid,what -i "$tmp/long.dat" --thread 101 \
	2>"$tmp/err" | sed 1d >"$tmp/long.csv"
is "a long path: each round is alike" "$rounds" "$(awk -F, -v rounds=$rounds '
	{ round = int($1 / 40e6); path[round] = path[round] " " $1 - round * 40e6 "-" $2 - round * 40e6 " " $3 $4 }
	END { for (round = 0; round < rounds; round++) alike += path[round] == path[1] || !round || round == rounds - 1
	      print path[1] == "" ? "nothing" : alike }' "$tmp/long.csv")"
is "it is without gaps" "" "$(awk -F, 'NR > 1 && $1 != before { print } { before = $2 }' "$tmp/long.csv")"
lines=$(wc -l <"$tmp/long.csv")
is "all of it is in the document, too" "$lines" \
	"$("$GVT_STAT" why path --json -i "$tmp/long.dat" --thread 101 | jq '.path | length')"
is "and in the list, which is no table" "$lines" \
	"$("$GVT_STAT" why path --segments -i "$tmp/long.dat" --thread 101 | sed '1,/FROM-s/d' | wc -l)"
is "its sums are those of a round" "true" \
	"$("$GVT_STAT" why path --json -i "$tmp/long.dat" --thread 101 |
		jq --argjson rounds $rounds '[.summary[] | select(.what == "executes").ns] == [10000000 * $rounds]')"

fails "no such workload" 1 "*workload 8 was not queued in the trace*" -i "$tmp/main.dat" --workload 8
echo "$main" | sed '/complete/d' | mktrace open
fails "a workload that does not end" 1 "*workload 7 did not end in the trace*" -i "$tmp/open.dat" --workload 7
fails "no such thread" 1 "*thread 9 is not in the trace*" -i "$tmp/main.dat" --thread 9
for event in sched_switch sched_wak irq_handler softirq hrtimer; do
	echo "$main" | sed "/$event/d" | mktrace missing
	fails "without $event" 1 "*critical path unavailable: event *$event* is not recorded; *" \
		-i "$tmp/missing.dat" --workload 7
done
fails "neither workload nor thread" 129 "*give either --workload ID or --thread TID*" -i "$tmp/main.dat"
fails "both" 129 "*give either*" -i "$tmp/main.dat" --workload 1 --thread 1
fails "no number" 129 "*--workload x: give a number*" -i "$tmp/main.dat" --workload x

finish
