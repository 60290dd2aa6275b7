#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of the schedulers with a rig that makes its results up: what is
# run, what is kept, and what the table says. O is the build directory.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=${O:-$top/build}
export BENCH_RIG=$here/fake-rig FAKE=$work/fake
mkdir "$FAKE"
echo one >"$FAKE/digest"
echo 0 >"$FAKE/lost"
echo policy=fair >"$FAKE/lacks"
echo nothing-fails >"$FAKE/fails"

# One workload of 5 ms that waits 1 ms, then 250 us of idle GPU with work pending
make_trace() {
	make -s -C "$top/tools/gvt-stat" "O=$build/gvt-stat" "$build/gvt-stat/mktrace" &&
		"$build/gvt-stat/mktrace" -F "$top/tools/traceevent/formats" -o "$FAKE/trace.dat" <<-END
			clock x86-tsc
			10000ms 0 gvt_vgpu_info vgpu_id=1 weight=2 uuid=00000000-0000-4000-8000-000000000001 type=V5_8
			10000ms 0 gvt_vgpu_info vgpu_id=2 weight=2 uuid=00000000-0000-4000-8000-000000000002 type=V5_8
			10100ms 0 gvt_workload_queue vgpu_id=1 workload_id=1
			10101ms 0 gvt_workload_start vgpu_id=1 workload_id=1 lrca=0x1000
			10102ms 0 gvt_workload_queue vgpu_id=2 workload_id=2
			10106ms 0 gvt_workload_stop vgpu_id=1 workload_id=1 lrca=0x1000 completed=1
			10106100us 0 gvt_workload_complete vgpu_id=1 workload_id=1
			10106250us 0 gvt_workload_start vgpu_id=2 workload_id=2 lrca=0x2000
			10120ms 0 gvt_workload_stop vgpu_id=2 workload_id=2 lrca=0x2000 completed=1
			10121ms 0 gvt_workload_complete vgpu_id=2 workload_id=2
			11990ms 0 gvt_sched_switch prev_vgpu_id=2 next_vgpu_id=0
		END
}

bench() {
	"$here/../sched" --kernel test --out "$work/bench" --jobs 1 "$@" >"$work/out" 2>"$work/err"
}

# shows TEXT: the table has it, blanks squeezed
shows() {
	tr -s ' ' <"$work/out" | grep -F -- "$1" || { cat "$work/out" "$work/err"; return 1; }
}

calls() {
	wc -l <"$FAKE/calls"
}

refused() {
	local text=$1
	shift
	says "$text" "$here/../sched" --out "$work/bench" "$@"
}

three=stock,strict,work-conserving
check "two rows under three policies" bench --rows idle-neighbour,idle-timers --columns $three
check "the figure of each column, and the goal" shows "done, of solo, % work-conserving, fair >= 99 64.0 64.0 100.0 ok"
check "a goal for all policies is missed" shows "kvmgt's timers, per s every policy <= 0 1000.0 1000.0 MISS 1000.0 MISS"
check "each scenario was run once for each column" test "$(calls)" -eq 9
check "the first with the kernel's own kvmgt.ko" grep -q '^stock exec .*sched-vm --scenario solo ' "$FAKE/calls"
check "the last with its policy" grep -q '^ours .*--scenario solo .*--set gvt_sched/policy=work-conserving' "$FAKE/calls"
cp "$work/out" "$work/first"
check "the same again" bench --rows idle-neighbour,idle-timers --columns $three
check "runs nothing" test "$(calls)" -eq 9
check "and prints the same" cmp "$work/first" "$work/out"
check "the results are one document" jq -e '.schema == "gvt-bench-sched/1" and .kernel == "test"
	and (.lines[0].values | keys) == ["stock", "strict", "work-conserving"] and .lines[0].met["work-conserving"]
	and .runs.strict["plain:solo"].vgpus.small.streams.render.done == 100' "$work/bench/sched.json"
echo two >"$FAKE/digest"
check "after a change of the rig" bench --rows idle-neighbour --columns strict
check "what is needed runs anew" test "$(calls)" -eq 11
check "markdown" bench --rows idle-neighbour --columns strict --markdown
check "has the same cells" shows "| idle-neighbour | 18 ms beside an idle vGPU: done, of solo, % | work-conserving, fair >= 99 | 64.0 |"

check "a column that the kernel does not offer" bench --rows idle-neighbour --columns strict,fair
check "is no failure, and shown as such" shows ">= 99 64.0 n/a"
check "with the reason" shows "fair: not available (n/a): this kernel has no gvt_sched/policy"
check "and found out by a single run" test "$(calls)" -eq 12

check "a column with other settings" bench --rows idle-neighbour --columns work-conserving+carry_over=0+period_ms=50
check "has the goals of its policy" shows ">= 99 100.0 ok"
check "and runs with them" grep -q '^ours .*--set gvt_sched/policy=work-conserving --set gvt_sched/carry_over=0 --set gvt_sched/period_ms=50$' "$FAKE/calls"

check "a recording" make_trace
check "traced and untraced runs of one row" bench --rows interactive --columns stock,strict
# latency 6 ms; 250 ms of 2 s at work
check "latency comes from the trace, unknown for stock" shows "p99 latency, ms fair <= 17 unknown 6.00"
check "what the client saw comes from the client" shows "as the client sees it, ms - 5.00 5.00"
check "execution comes from the device" shows "10 ms: of the time, % - 25.0 25.0"
check "lost work is told" shows "strict, plain:bench/interactive: 3 workloads of interactive failed"
check "idle time at a switch" bench --rows switch --columns strict
check "is computed from the trace" shows "60 Hz: idle with work pending, p99, us work-conserving, fair <= 150 250"
echo 7 >"$FAKE/lost" && echo three >"$FAKE/digest"
check "lost events are a failure" bash -c "! '$here/../sched' --kernel test --out '$work/lost' --rows switch --columns strict >'$work/out' 2>'$work/err'"
check "and figures unknown" shows "60 Hz: idle with work pending, p99, us work-conserving, fair <= 150 unknown"

echo carry_over=0 >"$FAKE/fails"
failing() {
	! bench --rows idle-timers --columns strict,strict-nocarry && grep -q \
		'^sched: failed: strict-nocarry plain bench/two-idle: rig: the host VM did not boot' "$work/err"
}
check "a run that fails is told" failing
check "and the rest is printed" shows "per s every policy <= 0 1000.0 MISS unknown"

if command -v gnuplot >/dev/null; then
	check "a plot" bench --rows idle-neighbour --columns strict --plot
	check "is a picture" grep -q '<svg' "$work/bench/sched.svg"
else
	skip "a plot" "no gnuplot; install gnuplot-nox"
fi
mkdir "$work/bin"
ln -s /usr/bin/* /bin/* "$work/bin/" 2>/dev/null
rm -f "$work/bin/gnuplot"
without_gnuplot() {
	PATH=$work/bin bench --rows idle-neighbour --columns strict "$@"
}
check "without gnuplot there is the table all the same" without_gnuplot
check "and the reason why there is no plot" grep -q 'no plot: gnuplot is missing' "$work/err"
check "unless one was asked for" bash -c "$(declare -f without_gnuplot bench); work='$work' here='$here'; ! without_gnuplot --plot && grep -q 'install gnuplot-nox' '$work/err'"

check "names can be listed" bash -c "'$here/../sched' --list | grep -q '^rows: idle-neighbour small-vs-large '"
check "an unknown row" refused "no row 'rows'; there are: idle-neighbour" --rows rows
check "an unknown column" refused "no column 'best'; there are: stock" --columns stock,best
check "of whatever settings" refused "no column 'best+period_ms=1'" --columns best+period_ms=1
check "an unknown argument" refused "unknown argument 'x'" x
check "a number of runs that is none" refused "--jobs: '0' is not a number" --jobs 0
check "an option without its value" refused "option --rows needs a value" --rows

finish
