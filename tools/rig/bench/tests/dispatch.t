#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of the dispatch modes with a rig that makes its results up: the
# columns' settings, a kernel without them, and what the rows are made of. What
# it has in common with the benchmark of the schedulers is tested there.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
export BENCH_RIG=$here/fake-rig FAKE=$work/fake FAKE_FILE=gvt_sched/dispatch
mkdir "$FAKE"
echo one >"$FAKE/digest"
echo nothing-lacks >"$FAKE/lacks"
echo nothing-fails >"$FAKE/fails"

bench() {
	"$here/../dispatch" --kernel test --out "$work/bench" --jobs 1 "$@" >"$work/out" 2>"$work/err"
}

# shows TEXT: the table has it, blanks squeezed
shows() {
	tr -s ' ' <"$work/out" | grep -F -- "$1" || { cat "$work/out" "$work/err"; return 1; }
}

# called NUMBER PATTERN: so many runs had such options
called() {
	[ "$(grep -cE -- "$2" "$FAKE/calls")" -eq "$1" ] || { cat "$FAKE/calls"; return 1; }
}

check "a row in all modes" bench --rows small-vs-pieces,hand-overs
check "was run once for each" called 4 '--scenario small-vs-pieces '
check "with the kernel's own module" called 1 '^stock exec [^=]*$'
check "by default with the policy only" called 1 '^ours .*policy=fair$'
check "with each engine by itself" called 1 'policy=fair --set gvt_sched/dispatch=per-engine$'
check "with preemption" called 1 'policy=fair --set gvt_sched/dispatch=preemptive$'
# the made-up workloads overlap: 1008 ms and 810 ms of 2 s
check "shares are the device's word" shows "18 ms in closed loop: of the time, % preemptive >= 49 50.4 50.4 50.4 50.4 ok"
check "for both" shows "800 ms of 1 ms commands: of the time, % preemptive >= 49 40.5 40.5 40.5 40.5 MISS"
check "latencies are the client's" shows "18 ms: mean latency, ms preemptive <= 32 18.0 18.0 18.0 18.0 ok"
check "the longest one, too" shows "18 ms: longest latency, ms preemptive <= 36 20.0 20.0 20.0 20.0 ok"
check "resets are compared with stock's" shows "engine resets every mode <= stock 1 1 ok 1 ok 1 ok"
check "what kvmgt counts is added up" shows "preemption point: of the time, % - 0.20 0.20 0.20 0.20"
check "or shown for one vGPU" shows "times that the 800 ms were preempted - 7 7 7 7"
check "and unknown if it does not count" shows "hand-overs that did not make way in time - unknown unknown"

check "engines by themselves" bench --rows two-engines --columns stock,per-engine
check "have their own shares" shows "2 ms on rcs0: of the engine's time, % per-engine, preemptive >= 98 10.0 10.0 MISS"
check "by engine" shows "5 ms on vcs0: of the engine's time, % per-engine, preemptive >= 99 25.0 25.0 MISS"

check "switched registers" bench --rows registers --columns preemptive
check "are counted over several runs" shows "switched while a vGPU executes, for another one every mode <= 0 1 MISS"
check "by what came next" shows "switched while a vGPU executes, for the host every mode <= stock 0"
check "one of them with real guests, not traced" called 1 '^ours run bench/guest-hog --no-trace .*preemptive$'
check "solo relative to stock" bench --rows solo --columns stock,exclusive
check "is judged so" shows "18 ms alone: done, of stock every mode >= 0.995 1.000 1.000 ok"

check "other policies beside" bench --rows small-vs-pieces,walker --columns preemptive --policies
check "are with preemption" called 1 'policy=strict --set gvt_sched/dispatch=preemptive$'
check "both" called 1 '^ours .*--scenario small-vs-pieces .*policy=work-conserving --set gvt_sched/dispatch=preemptive$'
check "have no goals" shows "18 ms in closed loop: of the time, % preemptive >= 49 50.4 ok 50.4 50.4"
check "and few rows" shows "800 ms of one walker, preempted inside: of the time, % preemptive >= 49 0.0 MISS - -"
check "unless they are asked for" bench --rows walker --columns preemptive-strict
check "for any row" shows "preempted inside: of the time, % preemptive >= 49 0.0"

echo dispatch= >"$FAKE/lacks"
echo two >"$FAKE/digest"
check "a kernel without dispatch modes" bench --rows two-engines
check "has the default all the same" shows "2 ms on rcs0: of the engine's time, % per-engine, preemptive >= 98 10.0 10.0 n/a n/a"
check "with the reason" shows "preemptive: not available (n/a): this kernel has no gvt_sched/dispatch"
check "results are one document" jq -e '.schema == "gvt-bench-dispatch/1" and (.columns | length) == 4' "$work/bench/dispatch.json"
check "rows can be listed" bash -c "'$here/../dispatch' --list | grep -q '^rows: small-vs-pieces arbitration-off '"
check "an unknown column is refused" says "no column 'fast'; there are: stock exclusive" "$here/../dispatch" --columns fast

finish
