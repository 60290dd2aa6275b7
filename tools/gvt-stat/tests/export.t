#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What export writes is what the other commands tell, and bad input or a bad place for the
# output ends in one line. What a browser makes of the page is in browser.t.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
export GVT_STAT

# agree NAME [OPTION...]: what becomes of $tmp/NAME.dat, and the commands
agree() {
	name=$1
	shift
	for form in html perfetto csv; do
		"$GVT_STAT" export --format $form -i "$tmp/$name.dat" -o "$tmp/$name.${form/perfetto/pftrace}" "$@" ||
			bail "cannot export $name"
	done
	while read -r status text; do
		result "$status" "$text"
	done < <("$here/views/agree-all" "$tmp/$name" "$@" 2>"$tmp/output" || echo "1 $name: not compared")
}

for trace in small-vs-pieces-fair-preemptive seven-sizes-fair engines-strict hang; do
	xz -dc "$here/corpus/rig/$trace.trace.xz" | mktrace $trace
	agree $trace
done
# three real guests, and two with what their vCPUs do, and all else that record full records
for trace in three-guests guests-full record-full; do
	xz -dc "$here/rig/$trace.trace.xz" | mktrace $trace
	agree $trace
done
agree engines-strict --time +0.1,+0.3
xz -dc "$here/rig/small-vs-large-fair.trace.xz" | mktrace demo
agree demo --tsc-khz 1000000

# a clock that counts milliseconds: most executions begin and end at the same time, each is an instant on its engine
mktrace instants <<'END'
0 0 gvt_sched_info policy=fair
1ms 0 switch next=1
1ms 0 queue v=1 w=1
1ms 0 submit v=1 w=1
1ms 0 start v=1 w=1
1ms 0 stop v=1 w=1 done=1
1ms 0 complete v=1 w=1
1ms 0 queue v=1 w=2
1ms 0 submit v=1 w=2
2ms 0 start v=1 w=2
2ms 0 queue v=2 w=3
2ms 0 stop v=1 w=2
2ms 0 switch prev=1 next=2
2ms 0 submit v=2 w=3
2ms 0 start v=2 w=3
3ms 0 stop v=2 w=3 done=1
3ms 0 complete v=2 w=3
3ms 0 switch prev=2 next=1
3ms 0 start v=1 w=2
3ms 0 stop v=1 w=2 done=1
3ms 0 complete v=1 w=2
4ms 0 gvt_sched_info policy=fair
END
agree instants
is "instants: on the engine, with their arrows" \
	"1 1000000 1000000 step 2 2000000 2000000 step 3 2000000 3000000 step 2 3000000 3000000 " \
	"$("$GVT_STAT" export -f csv -i "$tmp/instants.dat" -o - | awk -F, '$1 == "engine" { print $14, $8, $9, $16 }' | tr -s ' \n' ' ')"
"$here/views/side-by-side" "$tmp/instants.dat" page="$tmp/instants.html" perfetto="$tmp/instants.pftrace" sql="$tmp/instants.pftrace" >"$tmp/output"
result $? "side by side: instants"

# numbers of one digit to all, and times with zeros in their middle and at their end
ids="1 9 10 99 12345678 99999999 100000000 100000001 9999999999999999 10000000000000000 1000000000200000000 9223372036854775807"
now=100000000
for id in $ids; do
	for event in queue submit start "stop done=1" complete; do
		now=$((now + 10000))
		echo "$now 0 $event v=1 w=$id"
	done
done | mktrace digits
"$GVT_STAT" export -f csv -i "$tmp/digits.dat" -o "$tmp/digits.csv"
is "csv: all digits of numbers" "$ids" "$(awk -F, '$1 == "engine" { print $14 }' "$tmp/digits.csv" | xargs)"
is "csv: and of times" "$(seq 100030000 50000 100580000 | xargs)" \
	"$(awk -F, '$1 == "engine" { print $8 }' "$tmp/digits.csv" | xargs)"

# work that was queued before the trace: the driver tells for how long some of it has been there, of some it does not
mktrace older <<'END'
1ms 0 gvt_sched_info
1ms 0 gvt_workload_state v=1 w=1 age_ns=9000000 state=0
1ms 0 gvt_workload_state v=1 w=2 age_ns=7000000 state=0
1ms 0 gvt_workload_state v=2 w=4 age_ns=3000000 state=1
1ms 0 gvt_workload_state v=2 w=5 age_ns=3000000 state=1 exec_ns=1000000
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
4ms 0 stop v=1 w=1 done=1
4ms 0 complete v=1 w=1
5ms 0 start v=1 w=2
5ms 0 stop v=2 w=3 done=1
6ms 0 complete v=2 w=3
7ms 0 stop v=1 w=2 done=1
7ms 0 complete v=1 w=2
7ms 0 start v=2 w=4
7ms 0 stop v=2 w=4 done=1
7ms 0 complete v=2 w=4
7ms 0 start v=2 w=5
8ms 0 stop v=2 w=5 done=1
8ms 0 complete v=2 w=5
8ms 0 queue v=1 w=9
8ms 0 start v=1 w=9
9ms 0 stop v=1 w=9 done=1
9ms 0 complete v=1 w=9
END
agree older
is "and its wait, where it had not been on the engine" "1: 3 7000000, 2: 1 9000000" \
	"$(json older '.vgpus | map("\(.vgpu_id): \(.engines[0] | "\(.wait_count) \(.wait_mean_ns | floor)")") | join(", ")' | tr -d '"')"
is "the page knows the latency of what was queued before the trace, where that is told" "12000000 13000000" \
	"$(cd "$here/views" && python3 -c 'import page, sys
latencies = page.Page(sys.argv[1]).latencies()
print(latencies[0, 1], latencies[0, 2], *(ns for key, ns in latencies.items() if key == (0, 3)))' "$tmp/older.html")"
cp "$tmp/older.dat" "$tmp/middle.dat"
agree middle --time 0.003,0.0085

mktrace lost <<'END'
1ms 0 switch prev=0 next=1
1ms 0 queue v=1 w=1
1ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
4ms 0 stop v=1 w=1 done=1
4ms 0 complete v=1 w=1
5ms 0 queue v=2 w=2
page 0
lost 0 12
7ms 0 stop v=1 w=5 done=1
7ms 0 complete v=1 w=5
8ms 0 submit v=2 w=2
9ms 0 start v=2 w=2
12ms 0 gvt_sched_info
END
agree lost
is "page: a lane for what is lost" '[2000000]' "$(sed -n 's/.*id="document">\(.*\)<\/script>/\1/p' "$tmp/lost.html" |
	jq -c '[.lanes[] | select(.kind == "lost" and .engine == null)] | map(.count * 2000000)')"

# vCPU threads
mktrace vcpus <<'END'
0ms 0 gvt_sched_info
1ms 0 kvm_entry common_pid=7 vcpu_id=0
2ms 0 queue v=1 w=1 common_pid=7
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 kvm_exit common_pid=7
4ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0 prev_comm=CPU~0/KVM
5ms 0 stop v=1 w=1 done=1
6ms 0 sched_waking pid=7 common_pid=30
6ms 0 sched_wakeup pid=7
6ms 0 complete v=1 w=1 common_pid=30
7ms 0 sched_switch prev_pid=0 next_pid=7 next_comm=CPU~0/KVM
8ms 0 kvm_entry common_pid=7
END
agree vcpus
# work that waits when the trace ends, with events of the CPUs alone, waits until then
mktrace tail <<'END'
0ms 0 gvt_sched_info policy=strict
0ms 0 switch prev=0 next=2
1ms 0 queue v=1 w=1
2ms 0 sched_switch prev_pid=1 next_pid=2
5ms 0 sched_switch prev_pid=2 next_pid=1
END
agree tail
is "why waits: a wait that goes on to the end" "4000000 1" \
	"$("$GVT_STAT" why waits --json -i "$tmp/tail.dat" | jq -r '.blame[0] | "\(.wait_ns) \(.count)"')"
is "page: a vCPU's states as vcpu has them" \
	"$("$GVT_STAT" why vcpus --json -i "$tmp/vcpus.dat" | jq -c '.vcpus[0] | [.guest_ns, .vmm_ns, .preempted_ns, .runnable_ns, .blocked_ns]')" \
	"$(python3 "$here/views/vcpu-times" "$tmp/vcpus.html")"

is "page: when a vCPU queued work, and was woken up for it" "[(2000000, 0, 1), (6000000, 1, 1)]" \
	"$(python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import page
print(*[head["marked"] for head, _ in page.Page(sys.argv[2]).of_kind("vcpu")])' "$here/views" "$tmp/vcpus.html")"

# each finding leads to a moment, or says that it is about all
moments() {
	"$GVT_STAT" export --format html -i "$tmp/$1.dat" -o "$tmp/$1.html" &&
		python3 "$here/views/moments" "$tmp/$1.html" | tr '\n' ,
}
{ echo "0 0 gvt_host_state running=0"; xz -dc "$here/corpus/rig/small-vs-large-strict.trace.xz"; } | mktrace long
is "moments: the longest wait of who gets too little, or pays a debt" \
	"blocked 5975.57 796.707,drain 5975.58 796.697,unfair 5975.57 796.707,debt 2855.19 4.73453," "$(moments long)"
mktrace faulty <<'END'
0ms 0 gvt_vgpu_info v=1 owner_pid=100 weight=1
0ms 0 gvt_vgpu_info v=2 owner_pid=200 weight=1
0ms 0 gvt_sched_info policy=strict
0ms 0 gvt_host_state running=0
1ms 0 kvm_entry common_pid=101 vcpu_id=0
1ms 0 kvm_exit common_pid=101 vcpu_id=0
2ms 0 queue common_pid=101 v=1 w=1
2ms 0 submit v=1 w=1
3ms 0 start v=1 w=1
4ms 0 stop v=1 w=1 done=1
5ms 0 complete v=1 w=1 status=-5
5ms 0 kvm_entry common_pid=201 vcpu_id=0
5ms 0 kvm_exit common_pid=201 vcpu_id=0
6ms 0 queue common_pid=201 v=2 w=2
6ms 0 cancel v=2 w=2
30ms 0 sched_switch prev_pid=101 prev_state=0 next_pid=201
40ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
50ms 0 sched_switch prev_pid=101 prev_state=0 next_pid=201
65ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
page 0
lost 0 7
80ms 0 gvt_sched_info policy=strict
page 0
lost 0 7
100ms 0 gvt_sched_info policy=strict
END
is "moments: the first gap, the first one that failed, the longest time off the CPU" \
	"lost 65 15,failed 2 3,preempted 50 15," "$(moments faulty)"
has "moments: what is about all says so" "missing whole," "$(moments lost)"

page=$tmp/demo.html
is "page: no network: its policy" 1 "$(grep -c "Content-Security-Policy.*default-src 'none'" "$page")"
is "csv: cycles are told, and times are in ns" "# tsc_khz 1000000" "$(head -n 1 "$tmp/demo.csv")"
is "csv: who queued a workload, what became of it, and who was woken up" \
	"engine,runs,2000000,5000000,1,step;vcpu,queues a workload,2000000,2000000,1,begin;vcpu,woken: a workload is complete,6000000,6000000,1,end;workloads,waits,2000000,2000000,1,step;workloads,completes,5000000,6000000,1,step;" \
	"$(awk -F, '$16 { print $1 "," $7 "," $8 "," $9 "," $14 "," $16 }' "$tmp/vcpus.csv" | sed 1d | sort -t, -k1,1 -k3,3n | tr '\n' ';')"

is "page: no address in it" 0 "$(grep -c '[a-z]*://' "$page")"

# texts of the trace are never markup
mktrace named <<'END'
0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm=</script><img~src=x><!--<script>,"
0 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
1ms 0 queue v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
END
agree named
is "csv: a name with quotes and commas is one field" '</script><img src=x><!--<script>,"' \
	"$(python3 -c 'import csv, sys; print({row["vgpu"][8:-1] for row in csv.DictReader(open(sys.argv[1]))}.pop())' "$tmp/named.csv")"
is "page: a name is no markup" "0 1" "$(grep -c '<img' "$tmp/named.html") $(grep -c 'u003cimg' "$tmp/named.html")"
# one that executes for 146 years, as a damaged trace may tell
mktrace years <<'END'
1ms 0 queue v=1 w=1
1ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
4611686018427387904 0 stop v=1 w=1 done=1
4611686018427387905 0 complete v=1 w=1
END
for form in html perfetto csv; do
	(ulimit -t 5; "$GVT_STAT" export --in-process -f $form -i "$tmp/years.dat" -o "$tmp/years.$form") >"$tmp/output" 2>&1
	result $? "a workload of 146 years does not take as long: $form"
done
mktrace empty <<'END'
0 0 sched_switch prev_pid=1
1ms 0 sched_switch prev_pid=2
END
agree empty

# what is too much for a page is summed over bins of time
for name in seven-sizes-fair small-vs-pieces-fair-preemptive vcpus; do
	for number in 0 4; do
		"$GVT_STAT" export --format html --exact $number -i "$tmp/$name.dat" -o "$tmp/bins.html" 2>"$tmp/output" &&
			python3 "$here/views/agree-bins" "$tmp/bins.html" "$tmp/$name.html" >"$tmp/output" 2>"$tmp/size" &&
			[ ! -s "$tmp/output" ]
		result $? "page: sums over bins are exact at their edges: $name --exact $number, $(cat "$tmp/size")"
	done
done

# the same questions to each, as a table
for name in small-vs-pieces-fair-preemptive guests-full record-full older; do
	"$here/views/side-by-side" "$tmp/$name.dat" "page=$tmp/$name.html" "perfetto=$tmp/$name.pftrace" \
		"sql=$tmp/$name.pftrace" "csv=$tmp/$name.csv" >"$tmp/output" 2>&1
	result $? "side by side: report, page, Perfetto, SQL and lines: $name"
	sed 's/^/# /' "$tmp/output"
done
python3 "$here/views/agree-perfetto" --defects "$tmp/engines-strict.pftrace" >"$tmp/output"
check "perfetto: what it would get wrong without a word is seen here" test ! -s "$tmp/output"
"$GVT_STAT" export --format perfetto -i "$tmp/vcpus.dat" -o "$tmp/vcpus.pftrace.gz"
is "perfetto: by gzip if the name says so" yes "$(gzip -dc "$tmp/vcpus.pftrace.gz" | cmp - "$tmp/vcpus.pftrace" && echo yes)"
has "perfetto: the scheduler of the CPUs in ftrace's own form, and the way from the vCPU to its waking up" \
	"4 edges, 3 events of ftrace" "$(python3 "$here/views/agree-perfetto" "$tmp/vcpus.pftrace" "$tmp/vcpus.dat" 2>&1)"

# where the output goes
export_to() {
	(cd "$tmp" && "$GVT_STAT" export --format html -i "$1.dat" "${@:2}" 2>&1)
}
check "the name is the trace's, here" test -z "$(export_to demo --tsc-khz 1000000)" -a -s "$tmp/demo.html"
export_to demo --tsc-khz 1000000 -o - >"$tmp/stdout.html"
check "-o -: the standard output" cmp "$tmp/stdout.html" "$tmp/demo.html"
is "twice the same" "" "$(export_to demo --tsc-khz 1000000 -o again.html; cmp "$tmp/again.html" "$tmp/demo.html")"
matches "no such directory: one line" "gvt-stat: no/such.html: cannot write: No such file or directory" \
	"$(export_to demo --tsc-khz 1000000 -o no/such.html)"
matches "a full disk: one line" "gvt-stat: /dev/full: cannot write: No space left on device" \
	"$(export_to demo --tsc-khz 1000000 -o /dev/full)"
ln -s /dev/full "$tmp/full.pftrace.gz"
for form in perfetto csv; do
	matches "the same of $form" "gvt-stat: /dev/full: cannot write: No space left on device" \
		"$("$GVT_STAT" export -f $form -i "$tmp/demo.dat" --tsc-khz 1000000 -o /dev/full 2>&1)"
done
matches "and of what is compressed" "gvt-stat: $tmp/full.pftrace.gz: cannot write: No space left on device" \
	"$("$GVT_STAT" export -f perfetto -i "$tmp/demo.dat" --tsc-khz 1000000 -o "$tmp/full.pftrace.gz" 2>&1)"
echo old >"$tmp/kept.html"
export_to nosuch -o kept.html >"$tmp/said"
is "a trace that cannot be read: what was there stays, and nothing else is left" "old 0" \
	"$(cat "$tmp/kept.html") $(find "$tmp" -name 'kept.html.*' | wc -l)"
(ulimit -f 8; export_to demo --tsc-khz 1000000 -o kept.html) >"$tmp/said" 2>&1
is "a file that must not become so large: the same" "old 0" \
	"$(cat "$tmp/kept.html") $(find "$tmp" -name 'kept.html.*' | wc -l)"
cp "$tmp/demo.dat" "$tmp/only.dat"
ln -s only.dat "$tmp/link"
for name in only.dat link; do
	matches "the trace itself: one line" "gvt-stat: $name: is the trace itself: give --output another name" \
		"$(export_to only --tsc-khz 1000000 -o $name)"
done
check "and it is as it was" cmp "$tmp/only.dat" "$tmp/demo.dat"

# ended by a signal, in the middle: long enough not to be over before
"$here/views/busy" 800000 | mktrace busy
# ended SIGNAL FORM: the status, and how many files are there when all is over
ended() {
	rm -rf "$tmp"/ended*
	env --default-signal "$GVT_STAT" export -f "$2" -i "$tmp/busy.dat" -o "$tmp/ended" >"$tmp/output" 2>&1 &
	pid=$!
	until compgen -G "$tmp/ended.??????" >"$tmp/output" || ! kill -0 $pid; do :; done
	kill -s "$1" $pid
	wait $pid 2>"$tmp/output"
	status=$?
	# who writes is another process, which ends later
	for ((nr = 0; nr < 100; nr++)); do
		compgen -G "$tmp/ended*" >"$tmp/output" || break
		sleep 0.1
	done
	echo "$status $(find "$tmp" -maxdepth 1 -name 'ended*' | wc -l)"
}
for form in html ctf; do
	is "$form: SIGINT leaves nothing" "130 0" "$(ended INT $form)"
	is "$form: nor does SIGTERM" "143 0" "$(ended TERM $form)"
	is "$form: nor does SIGKILL of the program that waits for it" "137 0" "$(ended KILL $form)"
done

for options in "" "--format pdf" "--format html --json" "--format html --columns dev" "--format perfetto --csv" "--format csv --csv" \
	"--format html --exact x" "--format html --exact 2000001" "--format html --exact -1"; do
	# shellcheck disable=SC2086 # several options
	"$GVT_STAT" export $options -i "$tmp/empty.dat" -o "$tmp/none" >"$tmp/output" 2>&1
	is "a wrong command line ends with status 129: export $options" "129 0" "$? $(find "$tmp" -name none | wc -l)"
done

finish
