#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What was not recorded is unknown: what rings of CPUs do not cover, what filters leave out, and
# a number that another vGPU has had. The oracle tries the same at random.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# --- what a CPU's ring does not cover ---------------------------------------------------

# of a loop of 4 ms workloads, CPU 0 queues and stops, CPU 1 submits, starts and completes;
# loop CPU0_FROM CPU0_TO CPU1_FROM CPU1_TO: without what is outside of these ms
loop()
{
	awk -v f0="$1" -v t0="$2" -v f1="$3" -v t1="$4" '
	function at(ms, cpu, text) {
		if (ms >= (cpu ? f1 : f0) && ms <= (cpu ? t1 : t0)) print ms * 1000 "us " cpu " " text
	}
	BEGIN {
		at(0, 0, "gvt_sched_info policy=fair vgpus=1"); at(0, 1, "switch prev=0 next=1")
		for (i = 0; i < 20; i++) {
			t = 1 + 5 * i; w = " v=1 w=" i + 1
			at(t, 0, "queue" w); at(t + .1, 1, "submit" w); at(t + .2, 1, "start" w)
			at(t + 4.2, 0, "stop" w " done=1"); at(t + 4.3, 1, "complete" w)
		}
		at(101, 0, "gvt_sched_info policy=fair vgpus=1"); at(101, 1, "balance v=1")
	}'
}

util='.gpus[0].engines[] | [.utilization_percent_min, .utilization_percent_max] | map(. / 10 | floor * 10)'
{ echo "cpus 2"; loop 0 101 0 101; } | mktrace whole
is "the whole loop" '[70,70]' "$(json whole "$util")"

{ echo "cpus 2"; echo "stat 1 read=62"; loop 0 101 60 101; } | mktrace late
is "a ring that begins late, by the kernel's count: bounds contain the truth" '[30,90]' "$(json late "$util")"
matches "a ring that begins late: no cause is named" "*lost*" "$("$GVT_STAT" check --json -i "$tmp/late.dat" |
	jq -c '[.findings[].rule]')"
is "a ring that begins late: neither the host nor the guest is blamed" '[]' \
	"$("$GVT_STAT" check --json -i "$tmp/late.dat" | values '[.findings[].rule | select(. != "lost" and . != "missing")]')"

{ echo "cpus 2"; echo "stat 1 read=40 entries=22 oldest=0.060200"; loop 0 101 0 60; } | mktrace early
is "a ring that was not read to its end" '[40,80]' "$(json early "$util")"
# what is unread when the kernel counts is mostly read after that
{ echo "cpus 2"; echo "stat 0 read=40 entries=2 oldest=0.100000"; echo "stat 1 read=50 entries=12 oldest=0.080300"
	loop 0 101 0 101; } | mktrace counted
is "a ring that was read to its end after the count" '[70,70]' "$(json counted "$util")"
{ echo "cpus 3"; echo "stat 0 read=42"; echo "stat 1 read=62"; echo "stat 2 read=0"; loop 0 101 0 101; } | mktrace idle
is "a CPU that had nothing to tell" '[70,70]' "$(json idle "$util")"
{ echo "cpus 3"; echo "stat 0 read=42"; echo "stat 1 read=62"; echo "stat 2 read=9"; loop 0 101 0 101; } | mktrace absent
is "a CPU of which nothing is in the file" '[0,100]' "$(json absent "$util")"
{ echo "cpus 2"; echo "stat 1 read=62 dropped=3"; loop 0 101 0 101; } | sed '/^61100us 1/ipage 1' | mktrace dropped
is "events that were dropped: unknown where pages end" 1 "$(json dropped .lost.gaps)"

# Without the kernel's counts, long recordings are looked at where rings begin and end: 14000 workloads, of
# which CPU 1 does not tell the first or the last part, or all; long FROM TO
long()
{
	awk -v from="$1" -v to="$2" 'function at(us, cpu, text) { if (!cpu || (us >= from * 1e6 && us <= to * 1e6)) print us "us " cpu " " text }
	BEGIN {
		print "cpus 3"; at(0, 0, "gvt_sched_info policy=fair vgpus=1"); at(0, 1, "switch prev=0 next=1")
		for (i = 1; i <= 14000; i++) {
			t = 5000 * i; w = " v=1 w=" i
			at(t, 0, "queue" w); at(t + 100, 1, "submit" w); at(t + 200, 1, "start" w)
			at(t + 4200, 0, "stop" w " done=1"); at(t + 4300, 1, "complete" w)
		}
		at(5000 * i, 0, "gvt_sched_info policy=fair vgpus=1"); at(5000 * i, 1, "balance v=1")
	}'
}
for part in "0 99:0" "20 99:2" "0 50:2" "60 99:2" "0 10:2"; do
	# shellcheck disable=SC2086 # two times
	long ${part%:*} | mktrace long
	is "a long recording, CPU 1 from and to ${part%:*} s: so many CPUs are not whole" "${part#*:}" "$(json long .lost.gaps)"
	trace-cmd convert --file-version 7 --compression zstd -i "$tmp/long.dat" -o "$tmp/packed.dat" >/dev/null 2>&1
	is "and the same of it compressed" "${part#*:}" "$(json packed .lost.gaps)"
done

# CPU 1's ring ends, and with it the end of what was preempted: for how long it waited is unknown
{ echo "cpus 2"; echo "stat 0 read=9"; echo "stat 1 entries=7 read=2 oldest=0.010000"; cat <<'END'
0ms 0 gvt_sched_info policy=fair vgpus=1 dispatch=preemptive
0ms 1 switch prev=0 next=1
1ms 0 queue v=1 w=1
1ms 0 queue v=1 w=2
2ms 1 submit v=1 w=1
2ms 0 start v=1 w=1
9ms 0 stop v=1 w=1 done=0
40ms 0 start v=1 w=2
50ms 0 stop v=1 w=2 done=1
90ms 0 balance v=1
END
} | mktrace off
is "what was preempted may have ended in unknown time" 0 \
	"$("$GVT_STAT" why waits --json -i "$tmp/off.dat" | jq '[.blame[] | select(.reason == "preempted").wait_ns] | add // 0')"
# the dispatch of GPU 1 is not known, as nothing is told of it: each engine may have turns
{ echo "cpus 2"; echo "stat 0 read=4"; echo "stat 1 read=30"; cat <<'END'
0ms 0 switch dev=0 prev=0 next=1
1ms 0 queue dev=1 v=1 w=1
2ms 0 queue dev=1 v=1 w=2 class=2
9ms 0 switch dev=0 prev=1 next=0
END
} | mktrace dispatch
is "turns that nothing is told of, on two engines: up to twice the time" '[0,18000000]' \
	"$(json dispatch '.vgpus[] | select(.dev == 1) | [.scheduled_ns_min, .scheduled_ns_max]')"

# without counts, what workloads lack tells
{ echo "cpus 2"; loop 0 101 60 101; } | mktrace late
is "a ring that begins late, without counts" '[30,90]' "$(json late "$util")"
{ echo "cpus 2"; loop 0 101 0 60; } | mktrace early
is "a ring that ends early, without counts" '[40,80]' "$(json early "$util")"
{ echo "cpus 2"; loop 60 101 0 101; } | mktrace queue
is "workloads without queue event are workloads" 20 "$(json queue '.vgpus[0].engines[0].completed')"
{ echo "cpus 2"; loop 0 101 200 201; } | mktrace gone
is "a CPU that is left out, without counts: its events are unknown" '[null,null]' "$(json gone \
	'.gpus[0].engines[] | [.exec_ns, .completed]')"
# CPU 0's queue events are missing at the end: numbers were left out
{ echo "cpus 3"; loop 0 101 0 101; echo "96ms 2 queue v=2 w=31"; echo "99ms 2 queue v=2 w=35"; echo "101ms 1 balance v=1"; } |
	awk '!/queue/ || !/ 0 queue/ || $1 + 0 < 80000' | mktrace numbers
is "numbers that are left out: more was queued" '[null]' "$(json numbers '[.vgpus[] | select(.vgpu_id == 1).engines[0].queued_max]' 2>/dev/null)"
# the same trace in two buffers is no loss, nor is a vGPU whose work takes 1 ms to be submitted
{ echo "cpus 2"; for i in 0 1 2 3 4 5; do t=$((10 * i)); cat <<END
${t}ms 0 switch prev=0 next=1
$((t * 1000 + 100))us 0 queue v=1 w=$((i + 1))
$((t + 2))ms 0 submit v=1 w=$((i + 1))
$((t + 2))ms 0 start v=1 w=$((i + 1))
$((t + 5))ms 0 stop v=1 w=$((i + 1)) done=1
$((t + 5))ms 0 complete v=1 w=$((i + 1))
$((t + 6))ms 0 switch prev=1 next=0
END
	done; echo "70ms 1 balance v=1"; } | mktrace slow
is "a slow thread is not taken for a loss" 0 "$(json slow .lost.gaps)"
is "nor is a buffer that repeats another one" 0 "$({ echo "cpus 2"; loop 0 101 0 101; echo "buffer b"; loop 0 101 0 101; } |
	mktrace twice; json twice .lost.gaps)"
matches "and which it is" "*1 buffer of CPUs holds less than was recorded, as with 'trace-cmd record -m'*" \
	"$("$GVT_STAT" report -v -i "$tmp/early.dat" | tr -s ' \n' ' ')"
matches "and it is told" "*of unknown size*" "$("$GVT_STAT" report -v -i "$tmp/early.dat")"

# --- what a filter leaves out --------------------------------------------------------------

# the workloads of vGPU 2 are not recorded
{ echo "0ms 0 gvt_vgpu_info v=1 weight=2 uuid=a-1"; echo "0ms 0 gvt_vgpu_info v=2 weight=2 uuid=b-2"
	loop 0 101 0 101 | sed 's/^\([0-9]*\)us [01]/\1us 0/' |
		awk '{ if (match($0, /w=[0-9]*/)) sub(/w=[0-9]*/, "w=" 2 * substr($0, RSTART + 2, RLENGTH - 2)) } 1'; } | mktrace filter
is "a filter: an engine has executed at least what is there" '[70,100]' "$(json filter "$util")"
is "a filter: nothing is known of a vGPU of which nothing is there" '[1,null]' \
	"$(json filter '[.vgpus[1] | (.engines | length) + 1, .vgpu_exec_ns]')"
matches "a filter: it has '-'" "* 2 - - *" "$("$GVT_STAT" report -v -i "$tmp/filter.dat" | tr -s ' \n' ' ')"

# --- a number that another vGPU has had ---------------------------------------------------

a=aaaaaaaa-0000-0000-0000-000000000001 b=bbbbbbbb-0000-0000-0000-000000000002
awk 'function work(t, w) {
	print t "us 0 queue v=1 w=" w; print t "us 0 submit v=1 w=" w; print t "us 0 start v=1 w=" w
	print t + 4000 "us 0 stop v=1 w=" w " done=1"; print t + 4000 "us 0 complete v=1 w=" w
}
BEGIN {
	print "0us 0 gvt_vgpu_info v=1 type=V5_8 weight=2 uuid='$a'"
	print "0us 0 gvt_sched_info policy=fair vgpus=1 dispatch=exclusive"
	print "0us 0 gvt_host_state running=0"
	print "0us 0 switch prev=0 next=1"
	for (i = 0; i < 3; i++) work(5000 * i, i + 1)
	print "100000us 0 switch prev=1 next=0"
	print "200000us 0 switch prev=0 next=1"
	for (i = 0; i < 2; i++) work(200000 + 5000 * i, i + 4)
	print "210000us 0 gvt_vgpu_info v=1 type=V5_4 weight=4 uuid='$b'"
	print "210000us 0 gvt_sched_info policy=fair vgpus=1 dispatch=exclusive"
	for (i = 0; i < 2; i++) work(220000 + 5000 * i, i + 6)
}' | mktrace reuse
is "two vGPUs with one number: each has its row" "[[1,\"$a\",2,3],[1,\"$b\",4,4]]" \
	"$(json reuse '[.vgpus[] | [.vgpu_id, .uuid, .weight, .engines[0].completed]]')"
for who in "$a 3" "$b 4" "1 7"; do
	vgpu=${who% *} count=${who#* }
	is "--vgpu $vgpu: report" "$count" "$(json reuse '[.vgpus[].engines[0].completed] | add' --vgpu "$vgpu")"
	is "--vgpu $vgpu: workloads" "$count" "$(workloads reuse workload_id --vgpu "$vgpu" | wc -l)"
	is "--vgpu $vgpu: workloads ends well" "" "$(cat "$tmp/err")"
	is "--vgpu $vgpu: views" "$count" "$("$GVT_STAT" export --format csv -o - -i "$tmp/reuse.dat" --vgpu "$vgpu" |
		awk -F, '$1 == "queue" && $7 == "executes" || $7 == "executes" && $1 != "engine" { print $14 }' | sort -u | wc -l)"
done
is "their time scheduled is told apart" '[100000000,29000000]' "$(json reuse '[.vgpus[].scheduled_ns]')"
for command in "report --csv" "why waits --csv" "list turns --csv" "list workloads --csv" "why idle --csv" "why vcpus --csv" \
	"export --format csv -o -" "check --json" "why waits --json"; do
	# shellcheck disable=SC2086 # options are separated by spaces
	is "$command: shows numbers only" 0 "$("$GVT_STAT" $command -i "$tmp/reuse.dat" 2>&1 | grep -c 42949672)"
done
for format in perfetto html; do
	"$GVT_STAT" export --format "$format" -o "$tmp/view.$format" -i "$tmp/reuse.dat"
	is "export to $format: both are named" "$a $b" \
		"$(grep -ao "[ab]\{8\}-0000-0000-0000-00000000000[12]" "$tmp/view.$format" | sort -u | xargs)"
done
is "export to csv: each has its name from the beginning" "vGPU 1 ($a),vGPU 1 ($b)" \
	"$("$GVT_STAT" export --format csv -o - -i "$tmp/reuse.dat" | awk -F, 'NR > 1 && $NF ~ /vGPU/ { print $NF }' |
		sort -u | paste -sd,)"
is "why vcpus: each has its name" "$a $b" "$("$GVT_STAT" why vcpus --json -i "$tmp/reuse.dat" | jq -r '[.vms[].vm] | sort | join(" ")')"
matches "profile names both" "*vGPU 1 ($a) and vGPU 1 ($b) have work in it*" \
	"$("$GVT_STAT" profile -o "$tmp/none" -i "$tmp/reuse.dat" 2>&1)"
matches "the table names both" "*1 $a*1 $b*" "$("$GVT_STAT" report -v -i "$tmp/reuse.dat" | tr '\n' ' ')"
check "both can be simulated" sh -c '"$0" simulate --set policy=strict -i "$1" >/dev/null' "$GVT_STAT" "$tmp/reuse.dat"
mktrace named <<'END'
0ms 0 print buf=gvt-stat-meta~vgpu~a-1~vm=web
0ms 0 print buf=gvt-stat-meta~vm~77~web
0ms 0 gvt_vgpu_info v=2 weight=2 uuid=a-1 owner_pid=77
1ms 0 queue v=2 w=1
2ms 0 submit v=2 w=1
2ms 0 start v=2 w=1
3ms 0 stop v=2 w=1 done=1
3ms 0 complete v=2 w=1
END
for command in report "list workloads"; do
	check "--vgpu: the name of a VM, $command" sh -c '"$0" "$1" --csv --vgpu web -i "$2" 2>/dev/null | grep -q 2,' \
		"$GVT_STAT" "$command" "$tmp/named.dat"
done

# --- input that is none, each with what it is and what to do -----------------------------------

refuses()
{
	name=$1 want=$2
	shift 2
	"$GVT_STAT" report -v "$@" >"$tmp/stdout" 2>"$tmp/stderr"
	matches "$name" "gvt-stat*: *$want*" "$(cat "$tmp/stderr")"
	is "$name: nothing is reported" "0" "$(wc -c <"$tmp/stdout")"
}

printf 'clock uptime\n1000 0 queue v=1 w=1\n' | mktrace uptime
refuses "a clock of jiffies" "its clock, uptime, counts jiffies: record with" -i "$tmp/uptime.dat"
printf 'buffer top\n1000 0 queue v=1 w=1\nbuffer x\n1767225600000000000 0 queue v=1 w=2\n' | mktrace apart
refuses "instances whose times are years apart" "buffers 'top' and 'x' do not overlap*record all with one clock" -i "$tmp/apart.dat"
refuses "-i twice" "is a second trace: one is read at a time, and 'gvt-stat compare' compares two" -i "$tmp/whole.dat" -i "$tmp/late.dat"
printf 'option 8 abc\n1000 0 queue v=1 w=1\n' | mktrace odd
refuses "an option that is not trace-cmd's" "the file is whole, but has an option 8 of 4 bytes" -i "$tmp/odd.dat"
printf 'clock mono\n18446744073709546616 0 queue v=1 w=1\n' | mktrace zero
refuses "times before the clock's zero" "times are before the zero of its clock*-0.000005000 s*" -i "$tmp/zero.dat"
gzip -c "$tmp/whole.dat" >"$tmp/trace.gz"
refuses "gzip" "compressed by gzip: unpack it first" -i "$tmp/trace.gz"
printf '\050\265\057\375aaaaaaaaaa' >"$tmp/trace.zst"
refuses "zstd" "compressed by zstd: unpack it first" -i "$tmp/trace.zst"
printf 'PERFILE2aaaaaaaaa' >"$tmp/perf.data"
refuses "perf" "a perf.data file: record with" -i "$tmp/perf.data"
printf 'cpus=2\n          <idle>-0     [000]   12.3: gvt_workload_queue: vgpu 1\n' >"$tmp/text"
refuses "text" "but text, as 'trace-cmd report' or tracefs prints it" -i "$tmp/text"

# --- the rest --------------------------------------------------------------------------------

mktrace refused <<'END'
0ms    0 queue    v=2 w=2
0ms    0 submit   v=2 w=2
0ms    0 start    v=2 w=2
4ms    0 stop     v=2 w=2 done=1
4ms    0 complete v=2 w=2
2000ms 0 complete v=1 w=1 status=-22
4000ms 0 queue    v=2 w=4
END
is "what is refused late has waited until then" '[0.5,0]' "$(json refused '.vgpus[0].engines[0] | [.queue_len_mean, .exec_ns]')"
mktrace instant <<'END'
1000 0 cancel v=1 w=1
2000 0 queue  v=2 w=2
END
is "a queue of no length in time is none" '[0]' "$(json instant '[.vgpus[] | select(.vgpu_id == 1).engines[0].queue_len_max]')"
mktrace failed <<'END'
0ms 0 queue    v=1 w=1
2ms 0 complete v=1 w=1 status=-14
END
matches "what failed is told by its status" "*-14 (Bad address)*" "$("$GVT_STAT" check --json -i "$tmp/failed.dat" |
	jq -r '.findings[].evidence')"
mktrace nice <<'END'
0ms 0 gvt_vgpu_info v=1 weight=2 uuid=a nice=-4 cap=0
0ms 0 gvt_vgpu_info v=2 weight=2 uuid=b nice=0 cap=0
0ms 0 gvt_vgpu_info v=3 weight=2 uuid=c nice=0 cap=5
0ms 0 gvt_sched_info vgpus=3 policy=fair dispatch=exclusive
1ms 0 queue v=1 w=1
END
is "WEIGHT% has nice and cap in it" '[67.4,27.6,5]' "$(json nice '[.vgpus[].weight_share_percent * 100 | round / 100]')"
matches "WEIGHT%: both are shown" "*WEIGHT WEIGHT%*NICE CAP%*" "$(COLUMNS=120 "$GVT_STAT" report -v -i "$tmp/nice.dat" | tr -s ' \n' ' ')"

printf '0 0 print buf=hello\n' | mktrace nothing
matches "a trace without events of GVT-g: no empty tables" "*There are no events of GVT-g in this trace*" \
	"$("$GVT_STAT" report -v -i "$tmp/nothing.dat" | tr -s ' \n' ' ')"
is "a trace without events of GVT-g: no headings" 0 "$("$GVT_STAT" report -v -i "$tmp/nothing.dat" | grep -c "^VGPU\|^ENGINE")"
is "vcpu without its events: no empty headings" 0 "$("$GVT_STAT" why vcpus -i "$tmp/whole.dat" | grep -c "^vCPU threads\|^Who preempted")"

finish
