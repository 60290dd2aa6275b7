#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The comparator on hand-made logs: it must agree when the two sides do, and
# notice each way in which they can differ. RIG_TRUTH is the program.
set -uo pipefail
export LC_ALL=C

# of libtracecmd, in the sanitized run
LSAN_OPTIONS=suppressions=$(cd "$(dirname "$0")/../../../lib/tests" && pwd)/lsan.supp:print_suppressions=0
export LSAN_OPTIONS ASAN_OPTIONS=fast_unwind_on_malloc=0
rig_truth=${RIG_TRUTH:?path of rig-truth}
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../../../../scripts/tap.sh"
work=$tmp

# report STATUS NAME: with what the comparator said
report() {
	cat "$work/out" "$work/err" >"$tmp/output"
	result "$1" "$2"
}

# inputs: two vGPUs on rcs0, one on vcs0, times in us, 5 us of offset at the
# stop; vGPU 2's second workload is preempted once; a host context runs too
inputs() {
	cat >"$work/truth" <<-END
		# gen9-truth 1
		# engine lrca ctx_id start_ns stop_ns busy_ns commands result head tail end
		rcs0 0x000ff000 0x00000001 900000 901000 1000 9 complete 0x00000000 0x00000080 0x00000080
		rcs0 0x00100000 0x00000020 1010000 2010000 1000000 9 complete 0x00000000 0x00000080 0x00000080
		rcs0 0x00200000 0x00000040 2100000 2600000 500000 9 complete 0x00000000 0x00000080 0x00000080
		rcs0 0x00200000 0x00000040 2700000 3000000 300000 9 preempted 0x00000080 0x00000100 0x000000a0
		rcs0 0x00100000 0x00000020 3010000 4010000 1000000 9 complete 0x00000080 0x00000100 0x00000100
		rcs0 0x00200000 0x00000040 4100000 4300000 200000 9 complete 0x000000a0 0x00000100 0x00000100
		vcs0 0x00100000 0x00000060 1500000 3500000 2000000 9 complete 0x00000000 0x00000080 0x00000080
		rcs0 0x00100000 0x00000020 4990000 5990000 1000000 9 complete 0x00000100 0x00000180 0x00000180
	END
	cat >"$work/pieces" <<-END
		workload_id,vgpu_id,engine,lrca,start_ns,stop_ns,completed
		1,1,rcs0,0x0010011d,1009000,2015000,1
		2,2,rcs0,0x0020011d,2099000,2605000,1
		3,2,rcs0,0x0020011d,2699000,3005000,0
		4,1,rcs0,0x0010011d,3009000,4015000,1
		3,2,rcs0,0x00200119,4099000,4305000,1
		5,1,vcs0,0x0010011d,1499000,3505000,1
		6,1,rcs0,0x0010011d,4989000,,
	END
	cat >"$work/workloads" <<-END
		workload_id,vgpu_id,engine,ctx,seqno,lrca,queue_ns,submit_ns,start_ns,stop_ns,complete_ns,exec_ns,wait_ns,latency_ns,pieces,status,state
		1,1,rcs0,13,1,1048861,1000000,1005000,1009000,2015000,2020000,1006000,9000,1015000,1,0,complete
		6,1,rcs0,13,2,1048861,4500000,4600000,4989000,,,,,,0,,open
	END
}

run() {
	"$rig_truth" -t "$work/truth" -w "$work/workloads" -p "$work/pieces" "$@" >"$work/out" 2>"$work/err"
}

# agrees NAME [OPTION...]
agrees() {
	local name=$1
	shift
	run "$@"
	report $? "$name"
}

# differs NAME VERDICT...: exactly these verdicts fail
differs() {
	local name=$1 failed
	shift
	run && { report 1 "$name"; return; }
	failed=$(sed -n 's/^not ok \([0-9]*\) .*/\1/p' "$work/out" | tr '\n' ' ')
	[ "$failed" = "$* " ]
	report $? "$name"
}

# refuses NAME TEXT: nothing compared, a one-line error with TEXT
refuses() {
	run && { report 1 "$1"; return; }
	grep -q "^rig-truth: .*$2" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && ! grep -q '^ok' "$work/out"
	report $? "$1"
}

edit() {
	sed -i "$2" "$work/$1"
}

inputs
agrees "two sides that agree"
grep -q '5 of 5 workloads matched' "$work/out" && grep -q '7 matched, 0 only traced' "$work/out"
report $? "all workloads and pieces are counted, host contexts are not"
grep -q '1 cut by the window' "$work/out"
report $? "the piece cut by the end of the trace is told"
grep -q 'vGPU 2 on rcs0  done 2 traced, 2 on the device' "$work/out"
report $? "a preempted workload counts once"
# (2010-1010 + 4010-3010 + 1 until the end of the window at 4989) us of 3984
grep -q 'vGPU 1 on vcs0 .* 50.3514 % traced, 50.2008 % on the device' "$work/out"
report $? "utilisation is the time on the engine over the window"
grep -q 'execution .* mean     7.200 .* max    12.000 us' "$work/out"
report $? "the execution of a workload is the sum of its pieces"

run --json && jq -e '.agree and .workloads_matched == 5 and (.verdicts | length) == 8
	and .execution.max_ns == 12000 and (.shares | length) == 3' <"$work/out" >/dev/null
report $? "JSON says the same"

# the same history as a trace
inputs
w() { echo "$1us 0 gvt_workload_$2 vgpu_id=$3 workload_id=$4 ${5-}"; }
trace_lines() {
	for one in "1000 queue 1 1" "1005 submit 1 1" "1009 start 1 1 lrca=0x0010011d" \
		"1400 queue 1 5 class=2" "1450 submit 1 5 class=2" "1499 start 1 5 class=2~lrca=0x0010011d" \
		"2015 stop 1 1 completed=1~lrca=0x0010011d" "2020 complete 1 1" \
		"2050 queue 2 2" "2060 submit 2 2" "2099 start 2 2 lrca=0x0020011d" "2605 stop 2 2 completed=1~lrca=0x0020011d" \
		"2606 complete 2 2" "2650 queue 2 3" "2660 submit 2 3" "2699 start 2 3 lrca=0x0020011d" \
		"2800 queue 1 4" "2810 submit 1 4" "3005 stop 2 3 completed=0~lrca=0x0020011d" "3009 start 1 4 lrca=0x0010011d" \
		"3505 stop 1 5 class=2~completed=1~lrca=0x0010011d" "3506 complete 1 5 class=2" \
		"4015 stop 1 4 completed=1~lrca=0x0010011d" "4016 complete 1 4" "4099 start 2 3 lrca=0x00200119" \
		"4305 stop 2 3 completed=1~lrca=0x00200119" "4306 complete 2 3" "4500 queue 1 6" "4600 submit 1 6" \
		"4989 start 1 6 lrca=0x0010011d"; do
		# shellcheck disable=SC2086 # words
		w $one | tr '~' ' '
	done
}
trace_lines | "$MKTRACE" -F "$(dirname "$0")/../../../traceevent/formats" -o "$work/trace.dat" ||
	bail "mktrace cannot make a trace"
run --json
cp "$work/out" "$work/from-csv"
"$rig_truth" -t "$work/truth" --trace "$work/trace.dat" --json >"$work/out" 2>"$work/err" &&
	cmp "$work/out" "$work/from-csv" >>"$work/err"
report $? "a trace gives what gvt-stat's lines of it give"
"$rig_truth" -t "$work/truth" --trace "$work/truth" >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q "^rig-truth: .*truth" "$work/err"
report $? "a file that is no trace is refused"

# the host's own work is in a trace only: host START_US STOP_US... of its stays; - for no stop
host() {
	{
		trace_lines
		echo "1000us 0 gvt_host_state dev=0 class=0 instance=0 running=0 exec_ns=0 wait_ns=0"
		while [ $# -gt 0 ]; do
			echo "${1}us 0 gvt_host_start dev=0 holder=0 class=0 instance=0 ctx=20 waited_ns=0 seqno=2"
			[ "$2" = - ] || echo "${2}us 0 gvt_host_stop dev=0 class=0 instance=0 exec_ns=$((($2 - $1) * 1000))"
			shift 2
		done
	} | sort -n | "$MKTRACE" -F "$(dirname "$0")/../../../traceevent/formats" -o "$work/trace.dat"
	run --trace "$work/trace.dat" --json
}
with_host() {
	inputs
	printf 'rcs0 0x00300000 0x00000080 2020000 2090000 70000 9 complete 0x00000000 0x00000080 0x00000080\n' >>"$work/truth"
}
with_host
host 2021 2094 && jq -e '.host.stays == 1 and .host.worst_ns == 4000' <"$work/out" >/dev/null
report $? "a stay of the host is as long as on the device"
with_host
! host 2021 2145 && jq -e '.host.worst_ns == 55000' <"$work/out" >/dev/null
report $? "one that is too long is a difference"
with_host
printf 'rcs0 0x00300000 0x00000080 4700000 4800000 100000 9 complete 0x00000000 0x00000080 0x00000080\n' >>"$work/truth"
host 2021 2094 4702 - && jq -e '.host.stays == 1 and .host.unseen_ns == 0' <"$work/out" >/dev/null
report $? "one that is not over at the end of the trace is traced"
with_host
! host 4400 4401 && jq -e '.host.unseen_ns == 70000 and .host.truth_ms == 0.07' <"$work/out" >/dev/null
report $? "one that is not traced is, too"
inputs
for piece in "2020000 2030000 10000" "2085000 2090000 5000"; do
	echo "rcs0 0x00300000 0x00000080 $piece 9 complete 0x00000000 0x00000080 0x00000080" >>"$work/truth"
done
! host 2021 2094 && jq -e '.host.worst_ns == 55000' <"$work/out" >/dev/null
report $? "a stay in which nobody executed for longer is, too"
with_host
printf 'rcs0 0x00310000 0x00000060 2090000 2095000 280 9 complete 0x00000000 0x00000080 0x00000080\n' >>"$work/truth"
host 2021 2094 && jq -e '.host.worst_ns == 4000 and .host.truth_ms == 0.07 and .host.unseen_ns == 0' <"$work/out" >/dev/null
report $? "a barrier of GVT-g, which executes no batch, is not the host's"

printf 'rcs0 0x00310000 0x00000060 900000 907200 7200 9 complete 0x00000000 0x00000080 0x00000080\n' >>"$work/truth"
host 2021 2094 && jq -e '.host.worst_ns == 4000 and .host.truth_ms == 0.07' <"$work/out" >/dev/null
report $? "whatever its context executed before the window"

heartbeat() {
	inputs
	echo "rcs0 0x00310000 0x00000060 2020000 $1 180 9 complete 0x00000000 0x00000080 0x00000080" >>"$work/truth"
}
heartbeat 2020180
host 2020 2094 && jq -e '.host.worst_ns == 0 and .host.traced_ms == 0.074' <"$work/out" >/dev/null
report $? "of a heartbeat of i915 the end is not compared"
heartbeat 2020180
sed -i 's/ 2020000 2020180 180 / 4320000 4320180 180 /' "$work/truth"
! host 4320 4900 && jq -e '.host.worst_ns == 580000' <"$work/out" >/dev/null
report $? "unless it is far too late"
heartbeat 2025000
! host 2020 2094 && jq -e '.host.worst_ns == 74000' <"$work/out" >/dev/null
report $? "but a stay beside a barrier is a difference"

# a workload of 70 us that i915 has seen when it was over, for as long as that took to tell
seen_late() {
	inputs
	printf 'rcs0 0x00200000 0x00000040 4500000 4570000 70000 9 %s 0x00000100 0x00000180 0x00000180\n' "${2-complete}" >>"$work/truth"
	edit pieces "$ a 7,2,rcs0,0x0020011d,$1,${3-1}"
}
seen_late 4600000,4601000
differs "a workload that i915 has seen too late differs in its execution" 5
agrees "unless the limit allows that" --limit-us 80
seen_late 4600000,4671000 preempted 0
agrees "a stay that ended before its time is, too"
seen_late 4600000,4671000 preempted
differs "one that was preempted did not complete" 1 2 4
seen_late 4630000,4701000
differs "one that was told of later than the limit is another one" 1 2
seen_late 4400000,4401000
differs "one that it has seen before it began is another one" 1 2 6

inputs
edit pieces '/^2,2/d'
differs "a piece missing from the trace" 2 4 6
inputs
edit truth '/ 2100000 /d'
differs "a piece that the device did not see" 1 4 6
inputs
edit truth '/ 2700000 /d'
differs "one of two pieces of a workload missing on the device" 1 6
inputs
edit pieces 's/2099000,2605000/2699500,2700500/'
differs "a piece at a wrong time" 1 2 6
inputs
edit pieces 's/,1009000,2015000,/,1109000,2115000,/'
agrees "a constant shift of one piece is no difference of execution"
grep -q 'start offset .* max    99.000 us' "$work/out"
report $? "but is shown as an offset"
inputs
edit pieces 's/1009000,2015000/1009000,2075000/'
differs "60 us more of execution than allowed for one workload" 5
agrees "unless the limit allows it" --limit-us 80
inputs
edit pieces 's/4099000,4305000/4099000,4380000/'
agrees "80 us more in two pieces are 40 us for each"
edit pieces 's/4099000,4380000/4099000,4410000/'
differs "110 us are too many" 5
inputs
edit pieces 's/1009000,2015000,1/1009000,2075000,0/'
edit truth '/ 1010000 /s/complete/reset/'
agrees "a workload that a reset ended is a class of its own"
grep -q 'execution until a reset .* n 1 .* max    66.000 us' "$work/out"
report $? "and is shown"
inputs
edit pieces 's/3009000,4015000,1/3009000,4015000,0/'
differs "a finished workload traced as interrupted" 3 4
inputs
edit pieces 's/^1,1,rcs0,0x0010011d/1,1,rcs0,0x0030011d/'
differs "a wrong context" 1 2 6
inputs
edit pieces 's/^1,1,rcs0/1,1,bcs0/'
differs "a wrong engine" 1 2 4 6
inputs
edit pieces 's/^5,1,vcs0/5,2,vcs0/'
agrees "which vGPU a context belongs to is the trace's own word"
inputs
edit pieces 's/^1,1,rcs0,0x0010011d,1009000,2015000/1,1,rcs0,0x0010011d,,2015000/'
edit workloads 's/^1,1,rcs0,13,1,1048861,1000000,1005000,1009000/1,1,rcs0,13,1,1048861,,,/'
edit workloads 's/,2015000,2020000,/,1200000,2020000,/'
edit truth '3s/^/rcs0 0x00100000 0x00000020 10000 20000 10000 9 complete 0x00000000 0x00000080 0x00000080\n/'
agrees "a piece that began before the trace"
grep -q 'stop offset .* max     5.000 us' "$work/out"
report $? "is not taken for an older one of the same context"

# vGPU 1's first workload is finished, but preempted at the semaphore of i915's busy-wait, five
# dwords before its end
in_wait() {
	inputs
	edit truth '/ 1010000 /s/complete 0x00000000 0x00000080 0x00000080/preempted 0x00000000 0x00000080 0x0000006c/'
}

in_wait
agrees "a workload that had finished when it was preempted in i915's busy-wait"
grep -q "stays: 1 finished and preempted in i915's busy-wait, 0 traced as one" "$work/out" &&
	grep -q 'vGPU 1 on rcs0  done 2 traced, 2 on the device' "$work/out"
report $? "it is counted, and is done on the device, too"
run --json && jq -e '.agree and .finished_in_busy_wait == 1 and .resumed == 0' <"$work/out" >/dev/null
report $? "JSON has it"
edit truth '/ 1010000 /s/0x00000080 0x0000006c/0x00000080 0x00000068/'
agrees "preempted at the first command of the busy-wait"
edit truth '/ 1010000 /s/0x00000080 0x00000068/0x00000080 0x00000064/'
differs "one dword before it: preempted unfinished, but traced as finished" 3 4
in_wait
edit truth '/ 1010000 /s/0x00000080 0x0000006c/0x00000080 0x00000080/'
differs "preempted with nothing left, which the device never says" 3 4
in_wait
edit truth '/ 1010000 /s/preempted/reset/'
differs "in the busy-wait, but reset" 3 4
in_wait
edit pieces 's/1009000,2015000,1/1009000,2015000,0/'
differs "in the busy-wait, but traced as interrupted" 3 4
in_wait
edit truth '/ 1010000 /s/0x00000080 0x0000006c/0x00000000 0x001fffec/'
agrees "the busy-wait before the end of the ring"

# vGPU 2's second workload in one traced piece; the device saw a host context in between
merged() {
	inputs
	edit pieces '/^3,2/d'
	edit pieces '$ a 3,2,rcs0,0x0020011d,2699000,4305000,1'
	edit truth '/ 2700000 /s/ 3000000 300000/ 4080000 300000/'
	edit truth '/ 3010000 /d'
	edit pieces '/^4,1/d'
	edit truth '/ 4100000 /i rcs0 0x000ff000 0x00000001 4085000 4090000 1000 9 complete 0x00000080 0x00000100 0x00000100'
}

# the same with a context of vGPU 1 in between, which is told of after the return
merged_by_vgpu() {
	merged
	edit truth '/ 4085000 /s/0x000ff000/0x00100000/'
	edit pieces '$ a 4,1,rcs0,0x0010011d,4084000,4304000,1'
}

# empty US BUSY_NS END: vGPU 2's second workload was on the engine once more, in between, and preempted; not traced
empty() {
	inputs
	edit truth "/ 4100000 /i rcs0 0x00200000 0x00000040 4015000 $((4015000 + $1 * 1000)) $2 9 preempted 0x000000a0 0x00000100 $3"
}
empty 3 0 0x000000a0
agrees "a workload that was preempted before it executed a command, and is not traced"
run --json && jq -e '.agree and .pieces_without_command == 1 and .pieces_only_truth == 0' <"$work/out" >/dev/null
report $? "it is counted"
empty 3 2000 0x000000a0
differs "unless it executed" 2
empty 3 0 0x000000a8
differs "or its ring went on" 2
empty 60 0 0x000000a0
differs "or it took longer than the limit" 2 6

merged
agrees "a workload that made way for the host and came back before i915 told of it"
grep -q "stays: 0 finished .*, 1 traced as one with the stay before (20.000 us away" "$work/out" &&
	grep -q '5 matched, 0 only traced, 0 only on the device' "$work/out"
report $? "it is counted, with the time that it was away"
grep -q 'execution .* max     6.000 us' "$work/out" && grep -q 'stop offset .* max     5.000 us' "$work/out"
report $? "that time is no difference of execution"
grep -q 'vGPU 2 on rcs0  done 2 .*, difference +0.8032 of 0.9032 ' "$work/out"
report $? "but is one of utilisation, and allowed"
run --json && jq -e '.agree and .finished_in_busy_wait == 0 and .resumed == 1 and .resumed_away_ns == 20000' <"$work/out" >/dev/null
report $? "JSON has it"
edit truth '/ 4085000 /d'
differs "two stays traced as one with nothing in between" 2 3 5
merged
edit truth '/ 4100000 /s/0x000000a0 0x00000100 0x00000100/0x000000a4 0x00000100 0x00000100/'
differs "the second did not begin where the first had left" 2 3 5
merged
edit truth '/ 4100000 /s/0x000000a0 0x00000100 0x00000100/0x000000a0 0x00000180 0x00000180/'
differs "the second went on to another tail: another workload" 2 3 5
merged
edit truth '/ 2700000 /s/0x00000100 0x000000a0/0x00000100 0x000000ec/'
edit truth '/ 4100000 /s/0x000000a0/0x000000ec/'
differs "the first was finished" 2 4 5
merged
edit truth '/ 2700000 /s/preempted/reset/'
differs "the first was reset" 2 3
merged
edit truth '/ 4100000 /s/complete 0x000000a0 0x00000100 0x00000100/preempted 0x000000a0 0x00000100 0x000000c0/'
differs "neither finished it, but it is traced as finished" 3 4
merged
edit pieces 's/2699000,4305000/2699000,4095000/'
differs "the traced piece ended before the second" 2 3 6
merged_by_vgpu
agrees "the same for a vGPU's request of which i915 told afterwards" --limit-us 1000
edit pieces 's/4084000,4304000/4084000,4095000/'
differs "but not if it told before the return" 2 3 5
merged_by_vgpu
edit pieces '/^4,1/d'
differs "nor if it never told" 2 3 4 5

# Of vGPU 2: one register, as i915 has a heartbeat on bcs0, and vGPU 2 itself comes next on rcs0;
# two of its next stay, then vGPU 1 comes; of the host one; vGPU 1 begins with others
# than its own; the last is outside of the window
inputs
sed -i '/^rcs0 0x00200000 .* 4100000/i \
# live-switch rcs0 0x000ff000 0x00000001 900000 1005500 0x0020ec 0x00000010 0x00000020\
# other-values rcs0 0x00100000 0x00000020 1010000 1010000 0x002248 0x00000010 0x00000020\
# live-switch rcs0 0x00200000 0x00000040 2100000 2500000 0x00c900 0x00000010 0x00000020\
bcs0 0x000ee000 0x00000002 2501000 2501200 200 9 complete 0x00000000 0x00000080 0x00000080\
# live-switch rcs0 0x00200000 0x00000040 2700000 2900000 0x0020ec 0x00000010 0x00000020\
# live-switch rcs0 0x00200000 0x00000040 2700000 2900000 0x00b118 0x00000010 0x00000020\
# live-switch rcs0 0x00100000 0x00000020 4990000 4995000 0x00b118 0x00000010 0x00000020' "$work/truth"
differs "registers switched under an executing vGPU for another one" 7
grep -q 'while a vGPU executed: 1 times for another vGPU, 1 for the host; while the host did: 1; begun with other values than left: 1 by vGPUs, 0 by the host' "$work/out"
report $? "they are counted by stay, by who suffered and who came next"
agrees "unless so many are allowed" --live-switches 1
run --json --live-switches 1 && jq -e '.switches == {live_to_vgpu: 1, live_to_host: 1, live_host: 1, other: 1, other_host: 0, registers: 4}' \
	<"$work/out" >/dev/null
report $? "JSON has them"
edit truth 's/^# live-switch rcs0 0x00200000 .* 2500000.*/# live-switch rcs0 garbage/'
refuses "a broken note" "truth:10: not a note of a switched register"

# A GPU that shares the memory, too, so that there are two words more; the host executes once
with_power() {
	inputs
	edit truth 's/^[rv]cs0.*/& 0 77 1000000000 1500000000/'
	edit truth '/^# engine/a # power-law=linear power-seed=1: lines end with own_nj fair_nj\
# power idle 0 900000 600 250000000\
# power active 900000 5990000 350 12000000000\
# power rc6 5990000 7990000 350 100000\
# power idle 7990000 8000000 350 1000'
}
with_power
agrees "a log of a GPU that draws power"
grep -q '# energy: active    12.000000 J in 0.005090 s' "$work/out" && grep -q '# energy: idle  *0.250001 J in 0.000910 s' "$work/out"
report $? "joules by state"
grep -q '# energy: vGPU 2 on rcs0  *3.000000 J of its own, 4.500000 J with' "$work/out" &&
	grep -q '# energy: vGPU 0 on rcs0  *1.000000 J of its own, 1.500000 J with' "$work/out"
report $? "and by vGPU and engine"
run --json && jq -e '(.energy.shares | map(.fair_joules) | add) == .energy.states.active.joules
	and .energy.states.rc6 == {ns: 2000000, joules: 0.0001}' <"$work/out" >/dev/null
report $? "JSON has them, and they add up"
edit truth "/ 2100000 /s/ 1500000000$/ oops/"
refuses "a stay without its energy" "truth:10: not a line of a truth log"
with_power
edit truth 's/^# power rc6.*/# power rc7 1 2 3 4/'
refuses "a state that is none" "truth:6: not a line of a state"
inputs
run --json && jq -e '.energy == null' <"$work/out" >/dev/null
report $? "without power there is nothing to tell"

inputs
: >"$work/truth"
refuses "an empty truth log" "no truth log"
inputs
edit truth 's/^rcs0 0x00200000 0x00000040 2100000.*/rcs0 garbage/'
refuses "a broken line in the truth log" "truth:5: not a line"
inputs
edit pieces '1s/start_ns/begin/'
refuses "a missing column" 'no column "start_ns"'
inputs
edit pieces 's/2099000/x/'
refuses "a field that is no number" 'pieces:3: "x" is not a number'
inputs
edit pieces 's/,2605000,1$//'
refuses "a line cut short" "pieces:3: not as many fields"
inputs
edit workloads "2,\$d"
refuses "a trace without workloads" "no workload"
inputs
rm "$work/pieces"
refuses "a file that is not there" "No such file"

finish
