#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The host's own work on the engines, by hand: its time, for whom it waits, and who waits for it.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=where.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/where.sh"

# The host executes 2..6, 10..12, 15..18 and from 28 on. vGPU 1's workload 1 is submitted at 3 and
# waits for the host up to 6; at 10 the host takes the engine from it. Workload 2 waits behind it.
# vGPU 2's waits for its turn, but while the host executes for the host.
mktrace main <<'END'
0ms  0 gvt_sched_info policy=strict
0ms  0 gvt_host_state running=0
0ms  0 balance  v=1 left_ns=1
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 gvt_host_start ctx=7 seqno=1
3ms  0 submit   v=1 w=1
4ms  0 queue    v=1 w=2
5ms  0 queue    v=2 w=3
6ms  0 gvt_host_stop exec_ns=4000000
6ms  0 start    v=1 w=1
10ms 0 stop     v=1 w=1 done=0
10ms 0 gvt_host_start waited_ns=2000000 holder=1
12ms 0 gvt_host_stop exec_ns=2000000
12ms 0 start    v=1 w=1
14ms 0 stop     v=1 w=1 done=1
14ms 0 complete v=1 w=1
15ms 0 gvt_host_start waited_ns=1000000
15ms 0 submit   v=1 w=2
18ms 0 gvt_host_stop exec_ns=3000000
18ms 0 start    v=1 w=2
20ms 0 stop     v=1 w=2 done=1
20ms 0 complete v=1 w=2
20ms 0 switch   prev=1 next=2
22ms 0 submit   v=2 w=3
22ms 0 start    v=2 w=3
27ms 0 stop     v=2 w=3 done=1
27ms 0 complete v=2 w=3
28ms 0 gvt_host_start waited_ns=6000000 holder=2
30ms 0 gvt_host_state running=1
END
is "why idle: the host is no idle time" "busy 13 host 11 dispatch 4 empty 2 = 30" "$(gaps main rcs0)"
is "why waits: the host, whatever else it waits for" "1 rcs0: host 9, 5 times, worst 3 at 15
1 rcs0: own 8, 3 times, worst 4 at 6
2 rcs0: other 1 9, 3 times, worst 4 at 6
2 rcs0: host 6, 3 times, worst 3 at 15
2 rcs0: own 2, 1 times, worst 2 at 20" "$(blame main)"
parts=$parts,host_ns
is "split: queued, submitted or preempted, it waits for the host" \
	"1: dispatch 1 exec 6 host 6 = 13
2: own 6 dispatch 1 exec 2 host 7 = 16
3: other 9 dispatch 2 exec 5 host 6 = 22" "$(split main)"

# host NAME: utilisation, execution in ms (and the most), waits, for whom mostly
host()
{
	json "$1" '.gpus[0].host | [.name, .vgpu_id, (.engines[]? | .engine, .utilization_percent, .exec_ns_min, .exec_ns_max, .host_wait_ns, .host_waits, .host_waited_for_vgpu_id, .host_waited_for_ns)]' |
		tr -d '[]"' | sed 's/000000\b//g'
}
is "report: its row" "host,0,rcs0,36.6666666666667,11,11,9,3,2,6" "$(host main)"
is "report: its line" "host,0,0,rcs0,11000000,9000000" "$("$GVT_STAT" report --csv -i "$tmp/main.dat" |
	tr -d '\r' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$1 == "host" { print $1 "," $at["dev"] "," $at["vgpu_id"] "," $at["engine"] "," $at["exec_ns"] "," $at["host_wait_ns"] }')"
"$GVT_STAT" report -v -i "$tmp/main.dat" >"$tmp/out"
matches "report: it stands beside the engine" "*rcs0 43.33 ######### 36.67 1.27 *" "$(tr -s ' ' <"$tmp/out")"
matches "report: it is no vGPU's" "*host rcs0 36.67 - - - *host rcs0 9.000 3 2 6.000 6.000 0.022000*" \
	"$(tr -s ' ' <"$tmp/out")"
is "shares are of what vGPUs executed" "61.54 38.46" "$(json main '[.vgpus[].exec_share_percent * 100 | round / 100]' |
	tr -d '[]' | tr , ' ')"

# It waits since i915 has its request, if these are recorded: from 3 to 9 ms, where kvmgt tells the last 2;
# behind two vGPUs from 13 to 20, most of it for vGPU 1; and from the end of its last stay, 22, to 26. At 29 it
# does not wait, and up to 35 for no vGPU. The last request is not in the trace: 1 ms, as kvmgt tells.
ran()
{
	printf '%s 0 queue v=%s w=%s\n' "$3" "$1" "$2"
	printf '%s 0 i915_request_add ctx=2%s seqno=%s\n' "$3" "$1" "$2"
	printf '%s 0 submit v=%s w=%s ctx=2%s seqno=%s\n' "$3" "$1" "$2" "$1" "$2"
	printf '%s 0 start v=%s w=%s\n' "$3" "$1" "$2"
	printf '%s 0 stop v=%s w=%s done=1\n' "$4" "$1" "$2"
	printf '%s 0 complete v=%s w=%s\n' "$4" "$1" "$2"
}
added()
{
	for at; do echo "${at#*:} 0 i915_request_add ctx=7 seqno=${at%%:*}"; done
}
stayed()
{
	echo "$2 0 gvt_host_start ctx=7 seqno=$1 ${4-}"
	echo "$3 0 gvt_host_stop exec_ns=$(((${3%us} - ${2%us}) * 1000))"
}
{
	printf '%s\n' "0us 0 gvt_sched_info policy=strict" "0us 0 gvt_host_state running=0"
	ran 1 1 1000us 9000us; stayed 1 9000us 12000us "waited_ns=2000000 holder=1"
	ran 2 2 12000us 14000us; ran 1 3 14000us 20000us; stayed 3 20000us 22000us
	ran 1 4 22000us 26000us; stayed 4 26000us 27000us
	stayed 5 29050us 30000us
	ran 2 5 30500us 33000us; stayed 6 35000us 36000us
	ran 1 6 36000us 39000us; stayed 9 39000us 40000us "waited_ns=1000000 holder=1"
	added 1:3000us 2:13000us 3:15000us 4:21000us 5:29000us 6:31000us
} | sort -s -n >"$tmp/queued"
mktrace queued <"$tmp/queued"
grep -v request_add "$tmp/queued" | mktrace given
is "it waits since i915 has its work" "18,4,1,18" "$(host queued | cut -d, -f7-)"
is "or, if that is not recorded, since the engine has it" "3,2,1,3" "$(host given | cut -d, -f7-)"
is "which a report says" "0 1" "$(for name in queued given; do
	"$GVT_STAT" report -v -i "$tmp/$name.dat" | grep -c "is unknown without i915:i915_request_add"; done | xargs)"
is "and JSON" "request engine" "$(for name in queued given; do
	"$GVT_STAT" report --json -i "$tmp/$name.dat" | jq -r '.gpus[0].host.waits_since'; done | xargs)"

# What is not recorded of it is missing: all, or the stays, which the totals of each second tell of
for missing in start\|stop\|state start\|stop; do
	sed 's/gvt_host_state running=0$/& exec_ns=1000/; $a 41000us 0 gvt_host_state running=0 exec_ns=12001000' "$tmp/queued" |
		grep -v -E "gvt_host_($missing)" | mktrace missing
	"$GVT_STAT" check --json -i "$tmp/missing.dat" | jq -c '[(.not_checked | map(select(startswith("host")))), [.missing_events[].event | select(test("host"))]]'
done >"$tmp/output"
is "not recorded: rules that cannot be checked are named" '[["host","host-work","host-blocks","host-waits","host-delayed"],["gvt:gvt_host_state"]]
[["host","host-work","host-blocks","host-waits","host-delayed"],["gvt:gvt_host_start"]]' "$(cat "$tmp/output")"

# Starts alone are missing: no account of its time is printed
sed 's/gvt_host_state running=0$/& exec_ns=1000/; $a 41000us 0 gvt_host_state running=0 exec_ns=12001000' "$tmp/queued" |
	grep -v gvt_host_start | mktrace missing
is "not recorded: its time is unknown, in report and why idle" "null,null - -" \
	"$(host missing) $("$GVT_STAT" why idle -i "$tmp/missing.dat" | awk '$3 == "host" { print $4, $5 }')"

# Two vGPUs with 3 ms each, and the host executes for 400 ms on rcs0: with exclusive dispatch
# vGPU 2 waits on vcs0 for its turn, which vGPU 1 has, whose work waits for the host
# freeze BEGIN_MS STAY_MS WORKLOAD LATER_MS: vGPU 2's work is queued LATER_MS after BEGIN_MS
freeze()
{
	end=$(($1 + 20 + $2))
	printf '%s\n' "$(($1 + 20))ms 0 gvt_host_start" "$(($1 + 21))ms 0 queue v=1 w=$3" "$(($1 + 21))ms 0 submit v=1 w=$3" \
		"$(($1 + $4))ms 0 queue v=2 w=$(($3 + 1)) class=2" "${end}ms 0 gvt_host_stop exec_ns=${2}000000" \
		"${end}ms 0 start v=1 w=$3" "$((end + 3))ms 0 stop v=1 w=$3 done=1" "$((end + 3))ms 0 complete v=1 w=$3" \
		"$((end + 3))ms 0 switch prev=1 next=2 drain_ns=${2}000000" "$((end + 3))ms 0 submit v=2 w=$(($3 + 1)) class=2" \
		"$((end + 3))ms 0 start v=2 w=$(($3 + 1)) class=2" "$((end + 6))ms 0 stop v=2 w=$(($3 + 1)) class=2 done=1" \
		"$((end + 6))ms 0 complete v=2 w=$(($3 + 1)) class=2"
}
frozen()
{
	printf '%s\n' "0ms 0 gvt_sched_info policy=strict dispatch=exclusive" "0ms 0 gvt_host_state running=0" \
		"0ms 0 gvt_vgpu_info v=1 weight=1" "0ms 0 gvt_vgpu_info v=2 weight=1" "0ms 0 balance v=1 left_ns=1" \
		"0ms 0 switch prev=0 next=1"
	ran 1 1 10ms 13ms
	freeze 0 400 2 22
	[ $# -eq 0 ] || { echo "900ms 0 switch prev=2 next=1"; freeze 1000 410 4 60; }
	ran 2 6 9000ms 9003ms
}
delayed()
{
	mktrace freeze
	"$GVT_STAT" check --json -i "$tmp/freeze.dat" |
		jq -r '[.findings[] | select(.rule | IN("blocked", "drain", "host-blocks")) | "\(.rule) \(.vgpu_id) \(.engine)"] | sort | join(",")'
}
is "check: one long stay of the host's delays both, and no vGPU is to blame" "host-blocks 1 rcs0,host-blocks 2 vcs0" \
	"$(frozen | delayed)"
is "check: two long ones, of which each vGPU waits longest for another one" "host-blocks 1 rcs0,host-blocks 2 vcs0" \
	"$(frozen twice | delayed)"

# Without the host, work waits as long for its cap, or for the turn of a vGPU that works elsewhere
# each 20 ms, 40 times: vGPU 2 waits on vcs0, where the host executes for 10 ms
elsewhere()
{
	printf '%s\n' "0us 0 gvt_sched_info policy=fair dispatch=exclusive" "0us 0 gvt_host_state running=0 class=2" \
		"0us 0 gvt_vgpu_info v=1 weight=1" "0us 0 gvt_vgpu_info v=2 weight=1$1" "0us 0 switch prev=0 next=$2"
	for at in $(seq 10000 20000 790000); do
		[ "$2" -eq 0 ] || printf '%s\n' "${at}us 0 queue v=1 w=$((at * 2))" "${at}us 0 submit v=1 w=$((at * 2))" \
			"${at}us 0 start v=1 w=$((at * 2))" "$((at + 14000))us 0 stop v=1 w=$((at * 2)) done=1" \
			"$((at + 14000))us 0 complete v=1 w=$((at * 2))"
		printf '%s\n' "$((at + 1000))us 0 queue v=2 w=$((at * 2 + 1)) class=2" "$((at + 2000))us 0 gvt_host_start class=2" \
			"$((at + 12000))us 0 gvt_host_stop class=2 exec_ns=10000000" "$((at + 14001))us 0 switch prev=$2 next=2" \
			"$((at + 14010))us 0 submit v=2 w=$((at * 2 + 1)) class=2" "$((at + 14010))us 0 start v=2 w=$((at * 2 + 1)) class=2" \
			"$((at + 15000))us 0 stop v=2 w=$((at * 2 + 1)) class=2 done=1" "$((at + 15000))us 0 complete v=2 w=$((at * 2 + 1)) class=2" \
			"$((at + 15010))us 0 switch prev=2 next=$2"
	done | sort -s -n
}
causes()
{
	mktrace elsewhere
	"$GVT_STAT" check --json -i "$tmp/elsewhere.dat" | jq -r '[.findings[].rule | select(IN("host-work", "host-blocks", "capped"))] | join(",")'
	"$GVT_STAT" why waits --json -i "$tmp/elsewhere.dat" | jq -r '.blame | map(select(.engine == "vcs0")) | max_by(.wait_ns).reason'
}
is "check: capped work waits for its cap, whatever the host does" "capped capped" "$(elsewhere " cap=5" 0 | causes | xargs)"
is "check: nor is the host what keeps a turn that others work in" " host" "$(elsewhere "" 1 | causes | paste -sd ' ')"

# Short waits of the host, which are most of the time: 40 us of work each 4 ms, and 3 ms for it
{
	printf '%s\n' "0us 0 gvt_sched_info policy=fair dispatch=preemptive host_first=0" "0us 0 gvt_host_state running=0"
	for at in $(seq 4000 4000 400000); do
		printf '%s\n' "${at}us 0 start v=1 w=$at" "$((at + 100))us 0 i915_request_add ctx=9 seqno=$at" \
			"$((at + 3100))us 0 stop v=1 w=$at done=1" "$((at + 3100))us 0 gvt_host_start ctx=9 seqno=$at waited_ns=3000000 holder=1" \
			"$((at + 3140))us 0 gvt_host_stop exec_ns=40000"
	done
} | mktrace brief
matches "check: the host waits briefly each time, and much in sum" "*host*s own work on rcs0 waited for 7?.? % of the time for vGPUs (host-delayed)*host_first=1*" \
	"$("$GVT_STAT" check -i "$tmp/brief.dat" | tr -s '\n ' ' ')"

# On the lanes of all views it is an occupant, which is called by its name.
"$GVT_STAT" export -f csv -i "$tmp/main.dat" -o "$tmp/out"
is "lanes: on the engine, seen to its end or cut" "2000000-6000000 seen 10000000-12000000 seen 15000000-18000000 seen 28000000-30000000 cut" \
	"$(awk -F, '$1 == "engine" && $6 == "0" && $17 == "host" { print $8 "-" $9, $11 }' "$tmp/out" | xargs)"
is "lanes: who waits for it" "1:5 2:3" "$(awk -F, '$1 == "waits" && $12 == "host" { n[$6]++ } END { for (v in n) print v ":" n[v] }' "$tmp/out" | sort | xargs)"
"$GVT_STAT" export -f html -i "$tmp/main.dat" -o "$tmp/out"
matches "a page has it among those that it draws" '*"id":0,"label":"host"*' "$(cat "$tmp/out")"
"$GVT_STAT" export -f perfetto -i "$tmp/main.dat" -o "$tmp/out"
is "Perfetto: its name, and of waits for it" "host,waits: host" "$(strings "$tmp/out" | grep -x -e host -e "waits: host" | sort -u | paste -sd ,)"
if /usr/bin/python3 -c 'import bt2' 2>/dev/null; then
	"$GVT_STAT" export -f ctf -i "$tmp/main.dat" -o "$tmp/ctf"
	"$(dirname "$0")/views/agree-analysis" "$(dirname "$0")/../../tracecompass/gvt.xml" ctf "$tmp/ctf" "$tmp/main.dat" >"$tmp/out" 2>&1
	is "Trace Compass: nothing differs" "10 attributes, 30 events" "$(cat "$tmp/out")"
else
	skip "Trace Compass" "no reader of CTF; install python3-bt2"
fi

# A trace without these events tells nothing; one with them and an idle host tells 0.
grep -v gvt_host <<'END' | mktrace without
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=1
5ms  0 complete v=1 w=1
END
is "not recorded: unknown" "null,null" "$(host without)"
is "not recorded: as ever" "dispatch 1 i915 1 exec 1 completion 1 = 4" "$(split without | cut -d' ' -f2-)"
is "not recorded: unknown for each workload" "" "$(workloads without host_ns)"
mktrace idle <<'END'
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
0ms  0 gvt_host_state running=0 class=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=1
5ms  0 complete v=1 w=1
END
is "recorded, and idle: 0; engines that nobody uses are not told of" "host,0,rcs0,0,0,0,0,0,null,null" "$(host idle)"
is "idle: 0 for each workload" "0" "$(workloads idle host_ns)"

# It has been on the engine since before the trace: the first event tells, also that it was not.
for first in "4ms 0 gvt_host_stop exec_ns=9000000" "4ms 0 gvt_host_state running=1" \
	"4ms 0 gvt_host_start" "4ms 0 gvt_host_state running=0" "4ms 0 gvt_host_stop exec_ns=3000000"; do
	mktrace before <<END
0ms  0 gvt_host_state running=0 class=3
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
$first
END
	echo "${first#* 0 gvt_host_}: $(host before | cut -d, -f5-6); $(blame before | sort | tr '\n' ';')"
done >"$tmp/out"
is "what was before its first event" "stop exec_ns=9000000: 4,4; 1 rcs0: host 3, 2 times, worst 2 at 2;
state running=1: 4,4; 1 rcs0: host 3, 2 times, worst 2 at 2;
start: 0,0; 1 rcs0: own 1, 1 times, worst 1 at 1;
state running=0: 0,0; 1 rcs0: own 1, 1 times, worst 1 at 1;
stop exec_ns=3000000: 3,3; 1 rcs0: host 2, 1 times, worst 2 at 2;1 rcs0: own 1, 1 times, worst 1 at 1;" \
	"$(cat "$tmp/out")"

# Of a gap nothing is known; after it, its first event tells since when, or that it was not there.
for first in "8ms 0 gvt_host_stop exec_ns=9000000" "8ms 0 gvt_host_state running=1" \
	"8ms 0 gvt_host_start
10ms 0 gvt_host_stop exec_ns=2000000" "8ms 0 start v=1 w=1"; do
	mktrace lost <<END
cpus 2
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
0ms  0 gvt_host_state running=0 class=3
1ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
2ms  0 gvt_host_start
3ms  1 gvt_sched_info policy=strict
lost 1 1
6ms  1 gvt_sched_info policy=strict
$first
10ms 0 gvt_sched_info policy=strict
END
	echo "$(echo "${first#* 0 }" | head -n 1): $(host lost | cut -d, -f5-6); $(gaps lost rcs0)"
done >"$tmp/out"
is "lost events" "gvt_host_stop exec_ns=9000000: 3,6; host 3 i915 1 empty 1 unknown 5 = 10
gvt_host_state running=1: 5,8; host 5 i915 1 empty 1 unknown 3 = 10
gvt_host_start: 3,6; host 3 i915 1 empty 1 unknown 5 = 10
start v=1 w=1: 1,4; busy 2 host 1 i915 1 empty 1 unknown 5 = 10" "$(cat "$tmp/out")"

# Its stop was lost, and nothing marks that: a vGPU's work tells that it was off.
mktrace unmarked <<'END'
0ms  0 gvt_host_state running=0 class=3
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_start
1ms  0 queue    v=1 w=1
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=1
5ms  0 complete v=1 w=1
7ms  0 gvt_host_start
8ms  0 gvt_host_stop exec_ns=1000000
END
is "a stop that was lost" "4,4" "$(host unmarked | cut -d, -f5-6)"

# i915 may be late to see that it has stopped: its time is over before the event.
mktrace late <<'END'
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
1ms  0 queue    v=1 w=1
2ms  0 gvt_host_start
3ms  0 submit   v=1 w=1
9ms  0 gvt_host_stop exec_ns=4000000
10ms 0 start    v=1 w=1
12ms 0 stop     v=1 w=1 done=1
12ms 0 complete v=1 w=1
13ms 0 gvt_host_start
13ms 0 gvt_host_state running=1
15ms 0 gvt_host_stop exec_ns=2000000
END
is "a stop that is seen late" "6,6; busy 2 host 6 i915 4 dispatch 1 empty 2 = 15; 1: dispatch 1 i915 4 exec 2 host 4 = 11" "$(host late | cut -d, -f5-6); $(gaps late rcs0); $(split late)"

# The same of its start, which was 2 ms before.
mktrace later <<'END'
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
4ms  0 gvt_host_start
9ms  0 gvt_host_stop exec_ns=7000000
END
is "a start that is seen late" "7,7; host 7 empty 2 = 9" "$(host later | cut -d, -f5-6); $(gaps later rcs0)"

# A start that is seen 3 ms late, or lost, while work of a vGPU comes
for start in "5ms  0 gvt_host_start" ""; do
	mktrace came <<END
0ms  0 gvt_host_state running=0
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
3ms  0 submit   v=1 w=1
$start
9ms  0 gvt_host_stop exec_ns=7000000
9ms  0 start    v=1 w=1
10ms 0 stop     v=1 w=1 done=1
10ms 0 complete v=1 w=1
12ms 0 gvt_host_start
13ms 0 gvt_host_stop exec_ns=1000000
END
	is "why idle: its time is report's, if its start is '$start'" "8,8; busy 1 host 8 dispatch 1 empty 3 = 13" \
		"$(host came | cut -d, -f5-6); $(gaps came rcs0)"
done

# A stop that is lost: no more is known of it after a vGPU's work
mktrace nostop <<END
0ms  0 gvt_host_state running=0
0ms  0 switch   prev=0 next=1
1ms  0 queue    v=1 w=1
1ms  0 gvt_host_start
2ms  0 submit   v=1 w=1
3ms  0 start    v=1 w=1
4ms  0 stop     v=1 w=1 done=1
4ms  0 complete v=1 w=1
7ms  0 gvt_host_start
8ms  0 gvt_host_stop exec_ns=1000000
END
is "why idle: the same of one whose stop is lost" "3,3; busy 1 host 3 empty 4 = 8" "$(host nostop | cut -d, -f5-6); $(gaps nostop rcs0)"

# What waits meanwhile has parts that sum to the whole, and the host's own wait ends where its
# stay begins: submitted while the host executes, or while it was over but that was not seen.
mktrace within <<'END'
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
1ms  0 queue    v=1 w=1
4ms  0 gvt_host_start waited_ns=2000000 holder=2
5ms  0 submit   v=1 w=1
9ms  0 gvt_host_stop exec_ns=6000000
9ms  0 start    v=1 w=1
11ms 0 stop     v=1 w=1 done=1
11ms 0 complete v=1 w=1
12ms 0 queue    v=1 w=2
12ms 0 gvt_host_start
15ms 0 submit   v=1 w=2
17ms 0 gvt_host_stop exec_ns=2000000
18ms 0 start    v=1 w=2
20ms 0 stop     v=1 w=2 done=1
20ms 0 complete v=1 w=2
END
is "submitted meanwhile: the parts sum to the whole" "[]; 1: dispatch 3 exec 2 host 5 = 10
2: i915 3 exec 2 host 3 = 8" "$(json within .contradictions); $(split within)"
is "the host's wait ends where its stay begins" "8,8,1,1,2,1" "$(host within | cut -d, -f5-10)"

# A trace may say what cannot be.
mktrace impossible <<'END'
0ms  0 switch   prev=0 next=1
0ms  0 gvt_host_state running=0
4ms  0 gvt_host_start
9ms  0 gvt_host_stop exec_ns=9223372036854775807
10ms 0 gvt_host_start
12ms 0 gvt_host_stop exec_ns=18446744073709551615
END
is "a stay that is longer than the trace" "11,11" "$(host impossible | cut -d, -f5-6)"

# Without starts or stops in the file, states alone tell nothing.
mkdir "$tmp/few"
cp -r "$(dirname "$0")/../../traceevent/formats/gvt" "$tmp/few"
rm "$tmp/few/gvt/gvt_host_stop.format"
expand <<'END' | "$MKTRACE" -F "$tmp/few" -o "$tmp/few.dat"
0ms  0 gvt_host_state running=1
1ms  0 queue    v=1 w=1
9ms  0 gvt_host_state running=1
END
is "states alone" "null,null" "$(host few)"

# Two GPUs, two engines: each has its own; the holder may be known by nothing else.
mktrace two <<'END'
0ms  0 gvt_host_state running=0 class=3
0ms  0 gvt_host_start dev=0 class=0 waited_ns=5 holder=9
1ms  0 gvt_host_start dev=1 class=2
2ms  0 queue dev=0 v=1 w=1
2ms  0 queue dev=1 v=1 w=1 c=2
3ms  0 gvt_host_stop dev=0 exec_ns=3000000
END
is "two GPUs" '[["rcs0",3000000],["vcs0",2000000]]' "$(json two '[.gpus[] | .host.engines[] | [.engine, .exec_ns]]')"
is "a window" "2000000" "$(json two '.gpus[0].host.engines[0].exec_ns' --time 0.001,0.003)"

# --- simulate -----------------------------------------------------------------------------
# Histories of the corpus: its own simple model of a GPU, and what is expected by hand

# history NAME PYTHON: a trace; one of the causes, or vGPUs and settings
history()
{
	PYTHONPATH="$(dirname "$0")/corpus" PYTHONDONTWRITEBYTECODE=1 python3 - "$tmp/$1.dat" "$2" <<'END'
import sys
import corpus
from causes import *
named = {h.name: h for h in list(host_causes()) + list(host_healthy())}
history = eval(sys.argv[2])
corpus.write_trace(sys.argv[1], corpus.plain(history.lines()))
END
}

# between NAME LEAST MOST GOT
between()
{
	echo "expected $2 to $3, got $4" >"$tmp/output"
	awk -v a="$2" -v b="$3" -v x="$4" 'BEGIN { exit !(x != "" && x != "null" && a <= x && x <= b) }'
	result $? "$1"
}

# simulated NAME VGPU METRIC MEMBER: of the document in $tmp/NAME.json; the host is vGPU 0
simulated()
{
	jq -r ".simulated[] | select(.vgpu_id == $2 and .metric == \"$3\") | .$4" "$tmp/$1.json"
}

# The host executes 4 ms every 10 ms, vGPU 1 workloads of 2 ms back to back. Beside vGPU 2's of 20 ms the
# host waits for these; without them for what is left of 2 ms: 1 ms in the mean, 2 at most. The
# rest of the time is vGPU 1's, less about 43 us for each workload that follows another.
history hand 'History("hand", [Vgpu(1, r(2, depth=2)), Vgpu(2, r(20, depth=2))], policy="fair", length=2000, **own(4, period=10))'
"$GVT_STAT" simulate --json -i "$tmp/hand.dat" --without 2 --vgpu 1:closed -o "$tmp/then.dat" >"$tmp/hand.json"
between "simulate: as recorded, it waits for the long ones" 3 8 "$(simulated hand 0 wait_mean_ns now | awk '{ print $1 / 1e6 }')"
between "simulate: the host has what it had" 39.5 40.5 "$(simulated hand 0 utilization_percent "then")"
between "simulate: the vGPU has what the host leaves" 58 59.9 "$(simulated hand 1 utilization_percent "then")"
between "simulate: it waits for half a workload" 0.85 1.15 "$(simulated hand 0 wait_mean_ns "then" | awk '{ print $1 / 1e6 }')"
between "simulate: and for one at most" 1.8 2.1 "$(simulated hand 0 wait_p99_ns "then" | awk '{ print $1 / 1e6 }')"
between "simulate: a tenth of the time for vGPU 1" 8.5 11.5 "$(simulated hand 0 wait_for_vgpu_1_percent "then")"
is "simulate: and not for one that is not there" "0" "$(simulated hand 0 wait_for_vgpu_2_percent "then")"
is "simulate: nothing is said to be left out" 0 "$(jq '[.doubts[] | select(.what | contains("host"))] | length' "$tmp/hand.json")"
"$GVT_STAT" simulate --windows 1 -i "$tmp/hand.dat" >"$tmp/out"
matches "simulate: rows of its own in the table" "*host rcs0 UTIL% *host rcs0 wait, mean ms *host rcs0 wait, p99 ms *host rcs0 waits for 2, % *" \
	"$(tr -s ' ' <"$tmp/out")"
is "simulate: and in CSV" 6 "$("$GVT_STAT" simulate --csv --windows 1 -i "$tmp/hand.dat" | grep -c ',0,,rcs0,')"
# Its mean wait is over all of its stays, of which every second one waited, 5 ms: that one's time on the engine as the
# stop has it begins 0.5 us before the vGPU is gone
echo 0ms 0 gvt_sched_info policy=strict dispatch=per-engine >"$tmp/every"
for cycle in $(seq 0 79); do
	at=$((cycle * 20))
	printf '%s\n' "${at}ms 0 gvt_host_state running=0" "${at}ms 0 queue v=1 w=$((cycle + 1))" \
		"${at}ms 0 submit v=1 w=$((cycle + 1))" "${at}ms 0 start v=1 w=$((cycle + 1))" \
		"$((at + 10))ms 0 stop v=1 w=$((cycle + 1)) done=1" "$((at + 10))ms 0 complete v=1 w=$((cycle + 1))" \
		"$((at + 10))ms 0 gvt_host_start waited_ns=5000000 holder=1" "$((at + 12))ms 0 gvt_host_stop exec_ns=2000500" \
		"$((at + 14))ms 0 gvt_host_start" "$((at + 15))ms 0 gvt_host_stop exec_ns=1000000"
done >>"$tmp/every"
mktrace every <"$tmp/every"
"$GVT_STAT" simulate --json --windows 1 -i "$tmp/every.dat" >"$tmp/every.json"
is "report: its waits, which end when the vGPU is gone" 400,80,1,400 "$(host every | cut -d, -f7-)"
is "simulate: the same as recorded, over all stays" "2500000 5000000" \
	"$(echo "$(simulated every 0 wait_mean_ns now)" "$(simulated every 0 wait_max_ns now)")"
is "compare: the same quantity" "2500000 140" "$("$GVT_STAT" compare --json --block 0.2 "$tmp/every.dat" "$tmp/every.dat" |
	jq -r '.metrics[] | select(.vgpu_id == 0 and .metric == "wait_mean_ns") | "\(.a) \(.n_a)"')"
# On a GPU that is twice as fast its pieces take half the time, too
"$GVT_STAT" simulate --json -i "$tmp/hand.dat" --without 2 --vgpu 1:closed --speed 2 >"$tmp/hand.json"
between "simulate: a faster GPU" 19.5 20.5 "$(simulated hand 0 utilization_percent "then")"

# What can be preempted shares the engine with it by timeslices of i915, which take 4 to 8 ms: where dispatch is
# preemptive, or the recording shows it
"$GVT_STAT" simulate --json -i "$tmp/hand.dat" --set dispatch=preemptive --vgpu 1:closed,pieces_us=100 \
	--vgpu 2:closed,pieces_us=100 -o "$tmp/then.dat" >"$tmp/hand.json"
between "simulate: a timeslice of i915's, and no more" 0.9 8.1 "$(simulated hand 0 wait_max_ns "then" | awk '{ print $1 / 1e6 }')"
for always in 0 1; do
	printf '%s\n' 'set dispatch exclusive' 'run duration_ns=3000000000' 'vgpu 1' "stream 1 rcs0 piece_ns=500000 always=$always" \
		'work exec_ns=30000000 at_ns=100000 lag=1' 'host rcs0 span_ns=47000000' 'work exec_ns=2000000' | "${GVT_SIM:?}" - | mktrace seen
	"$GVT_STAT" simulate --json --windows 2 -i "$tmp/seen.dat" -o "$tmp/then.dat" >"$tmp/seen.json"
	between "simulate: preempted for it as recorded: $always" $((always ? 4 : 25)) $((always ? 9 : 30)) \
		"$(simulated seen 0 wait_max_ns "then" | awk '{ print $1 / 1e6 }')"
done

# Under the settings that were, what was simulated is what was recorded: shares to 1.5 points,
# waits to 6 per cent
figures()
{
	"$GVT_STAT" report --json -i "$tmp/$1.dat" | jq -c '[.gpus[0].host.engines[], .vgpus[].engines[] |
		select(.engine == "rcs0") | .utilization_percent, (.host_wait_ns // empty)]'
}
for name in desktop desktop-strict short-commands waits-two waits-not-allowed; do
	history "$name" "named['own-$name']"
	"$GVT_STAT" simulate --windows 1 -i "$tmp/$name.dat" -o "$tmp/then.dat" >/dev/null 2>&1
	echo "$(figures "$name") $(figures "then")" >"$tmp/output"
	is "simulate: recorded settings, own-$name" true "$(jq -s '[transpose[] | (.[0] - .[1] | fabs) <=
		(if .[0] > 100 then 0.06 * .[0] else 1.5 end)] | all' "$tmp/output")"
done
"$GVT_STAT" advise --json --windows 1 -i "$tmp/desktop.dat" --goal p99:1=50ms >"$tmp/advise.json" 2>"$tmp/output"
between "advise: it is modelled, too" 47 49 "$(simulated advise 0 utilization_percent "then")"

# A remedy is tried beside the host's work, whose time is not idle: vGPU 1 has half of the time by its
# slices, and waits for the rest while the host executes for 40 % of it
history throttled 'History("throttled", [Vgpu(1, r(4, depth=2)), Vgpu(2)], policy="strict", dispatch="per-engine", length=2000, **own(4, period=10))'
"$GVT_STAT" why idle --json -i "$tmp/throttled.dat" >"$tmp/gaps.json"
idle=$(jq '[.gaps[] | select(.reason | IN("busy", "host", "empty") | not) | .percent] | add' "$tmp/gaps.json")
tried=$("$GVT_STAT" check -i "$tmp/throttled.dat" | sed -n 's/.*Tried.*idle with work waiting \([0-9.]*\) ->.*/\1/p' | head -n 1)
between "check: what is tried has the host in it" "$(awk -v x="$idle" 'BEGIN { print x - 3 }')" "$(awk -v x="$idle" 'BEGIN { print x + 3 }')" "$tried"

# Two recordings are compared in what the host did, too; where one does not have it, that is unknown
compared()
{
	"$GVT_STAT" compare --json "$tmp/$1.dat" "$tmp/$2.dat" 2>"$tmp/output" | jq -r '[.metrics[] | select(.vgpu_id == 0) |
		[.engine, .metric, (.a, .b | if . then . * 100 | round / 100 else "-" end)] | map(tostring) | join(" ")] | join(",")'
}
history busier 'History("busier", [Vgpu(1, r(4, depth=2)), Vgpu(2)], policy="strict", dispatch="per-engine", length=2000, **own(6, period=10))'
is "compare: the host's time in both" "rcs0 utilization_percent 40 60,rcs0 wait_mean_ns" \
	"$(compared throttled busier | sed 's/\(wait_mean_ns\).*/\1/')"
grep -v gvt_host "$tmp/queued" | mktrace hostless
is "compare: unknown where one does not have it" "rcs0 utilization_percent - -,rcs0 wait_mean_ns - -" "$(compared queued hostless)"
is "compare: not where it is idle in both" "" "$(compared idle idle)"

# What is doubtful about the host's work goes with what was tried. That it is not simulated would be wrong.
history backlogged 'History("backlogged", [Vgpu(1, r(20, depth=2)), Vgpu(2, r(1, think=1))], policy="strict", dispatch="exclusive", length=2000, **own(2))'
doubt="most of its work came when that before was done"
for name in throttled backlogged; do
	"$GVT_STAT" check --simulate -i "$tmp/$name.dat" | tr -s '\n ' ' ' >"$tmp/check"
	"$GVT_STAT" check --simulate --json -i "$tmp/$name.dat" >"$tmp/check.json"
	doubts=$(jq -r '.findings[].remedies[].simulation.doubts[]? | select(.vgpu_id == 0).what' "$tmp/check.json" | sort -u)
	case $name in throttled) times=0 ;; *) times=1 ;; esac
	is "check, $name: with 'Tried', where it is simulated, and in JSON" "$times $times $times" \
		"$(for pattern in "Tried: .*; doubtful: the host's work on rcs0: $doubt" "host rcs0: doubtful: $doubt"; do
			grep -c "$pattern" "$tmp/check"; done | xargs) $(printf '%s' "$doubts" | grep -c "^$doubt")"
	is "check, $name: its work is in the simulation" 0 "$(cat "$tmp/check" "$tmp/check.json" | grep -c "the simulation is without")"
done

# Preempted in 2,000 pieces of a wait: it waits for the host in most of it, and that is no less known for being in pieces
awk 'BEGIN {
	print "0us 0 gvt_sched_info policy=fair dispatch=preemptive\n0us 0 gvt_host_state running=0"
	print "100us 0 queue v=2 w=1\n100us 0 switch prev=0 next=2 class=0 instance=0\n200us 0 submit v=2 w=1\n200us 0 start v=2 w=1"
	print "900us 0 stop v=2 w=1 done=0\n950us 0 switch prev=2 next=1 class=0 instance=0"
	for (nr = 0; nr < 2000; nr++) {
		at = 900 + nr * 1000
		print at + 50 "us 0 gvt_host_start\n" at + 50 "us 0 queue v=1 w=" nr + 2 "\n" at + 60 "us 0 submit v=1 w=" nr + 2
		print at + 700 "us 0 gvt_host_stop exec_ns=650000\n" at + 700 "us 0 start v=1 w=" nr + 2
		print at + 1000 "us 0 stop v=1 done=1 w=" nr + 2 "\n" at + 1000 "us 0 complete v=1 w=" nr + 2
	}
	print "2000910us 0 switch prev=1 next=2 class=0 instance=0\n2000920us 0 start v=2 w=1"
	print "2001500us 0 stop v=2 w=1 done=1\n2001500us 0 complete v=2 w=1"
}' | mktrace pieces
is "why waits: the host, in 2,000 pieces of a wait" "host 1300 unknown 0" "$("$GVT_STAT" why waits --json -i "$tmp/pieces.dat" |
	jq -r '[.blame[] | select(.vgpu_id == 2)] | "host \(map(select(.reason == "host").wait_ns) | add / 1e6) unknown \(map(select(.reason == "unknown").wait_ns) | add // 0)"')"
matches "check: and names it" "*work of vGPU 1 on rcs0 waited for 65.0 % of the time while the host's own work executed*work of vGPU 2 for 65.0 %*" \
	"$("$GVT_STAT" check -i "$tmp/pieces.dat")"

# A GPU that the host alone used, and an engine that nobody did
printf '%s\n' '0us 0 gvt_sched_info policy=fair dispatch=per-engine' '0us 0 gvt_host_state running=0 class=0 instance=0' \
	'0us 0 gvt_host_state running=0 class=2 instance=0' '1000us 0 gvt_host_start class=0 instance=0' \
	'900000us 0 gvt_host_stop class=0 instance=0 exec_ns=899000000' '1000000us 0 gvt_sched_info policy=fair dispatch=per-engine' | mktrace only
matches "report: a GPU that only the host used" "*host rcs0 89.90 *" "$("$GVT_STAT" report -v -i "$tmp/only.dat" | tr -s ' ')"
is "report: no row of an engine that nobody used" 0 "$("$GVT_STAT" report -v -i "$tmp/only.dat" | grep -c '^host vcs0')"

# What the host waits for is tried, too: 60 ms that can be preempted each ms, and that cannot be
history waits 'History("waits", [Vgpu(1, r(2, depth=2)), Vgpu(2, r(60, depth=2))], policy="fair", length=3000, **own(3, period=20))'
waits_tried()
{
	"$GVT_STAT" check --vgpu "1:closed,pieces_us=$1" --vgpu "2:closed,pieces_us=$1" -i "$tmp/waits.dat" | tr -s '\n ' ' '
}
matches "check: a setting with which the host waits less" \
	"*had to wait for vGPU 2*(host-waits)*dispatch=preemptive*Tried: longest wait of the host [56]?.? -> [12].? ms*" "$(waits_tried 1000)"
matches "check: none helps where nothing can be preempted" \
	"*(host-waits)*Tried: none of * settings helps without harm; the nearest, *longest wait of the host [56]?.? -> [56]?.? ms*" "$(waits_tried 0)"
matches "check: what can be preempted is not in the recording" \
	"*Remedy: may help: *host_first=1*Tried, in the likeliest case: longest wait of the host [56]?.? -> [12].? ms ([56]?.? at worst)*" \
	"$("$GVT_STAT" check -i "$tmp/waits.dat" | tr -s '\n ' ' ')"
is "check: the same in JSON" true "$("$GVT_STAT" check --json -i "$tmp/waits.dat" |
	jq '.findings[] | select(.rule == "host-waits") | .remedies[0].perhaps')"

# one that is told to be idle changes nothing; one that is not told of, or has 5 us now and then, has no row
guest()
{
	awk -v host="$1" 'BEGIN {
		print "cpus 2"
		print "0us 0 gvt_sched_info vgpus=1 tick_ns=1000000 period_ns=100000000 stages=10 boost_ns=2000000000 policy=fair dispatch=exclusive max_wait_ns=1000000000 anticipation_ns=20000000"
		print "0us 0 gvt_vgpu_info v=1 weight=2 uuid=a-1"
		print "0us 0 switch prev=0 next=1"
		if (host) print "0us 0 gvt_host_state running=0"
		for (nr = 1; nr <= 50; nr++) {
			at = nr * 10000
			print at "us 0 queue v=1 w=" nr
			print at + 10 "us 0 submit v=1 w=" nr
			print at + 20 "us 0 start v=1 w=" nr
			print at + 4020 "us 0 stop v=1 done=1 w=" nr
			print at + 4050 "us 0 complete v=1 w=" nr
			if (host < 2) continue
			print at + 5000 "us 0 gvt_host_start"
			us = host == 3 ? 5 : 3000
			print at + 5000 + us "us 0 gvt_host_stop exec_ns=" us * 1000
			if (host == 2 && nr == 25) print at + 8500 "us 1 gvt_sched_info policy=fair dispatch=exclusive\nlost 1 1\n" at + 8700 "us 1 gvt_sched_info policy=fair dispatch=exclusive"
		}
	}'
}
for host in 0 1 2 3; do
	guest $host | mktrace "guest$host"
	"$GVT_STAT" simulate --csv --windows 2 -i "$tmp/guest$host.dat" >"$tmp/guest$host.csv" 2>/dev/null
done
is "simulate: of an idle host there is no row, and nothing changes" "$(cat "$tmp/guest0.csv")" "$(cat "$tmp/guest1.csv")"
is "simulate: there are rows of one that used it, and none of 5 us now and then" "4 0" \
	"$(for host in 2 3; do grep -c ',0,,rcs0,' "$tmp/guest$host.csv"; done | xargs)"
is "simulate: whom it waited behind itself, that is said" "1 0" \
	"$(for name in hand desktop; do "$GVT_STAT" simulate --windows 1 -i "$tmp/$name.dat" | grep -c "host rcs0: most of its work came when that before was done"; done | xargs)"
is "simulate: that it may have executed more is said" 1 \
	"$("$GVT_STAT" simulate --windows 1 -i "$tmp/guest2.dat" | grep -c "host rcs0: events were lost: what it executed meanwhile is unknown")"
finish
