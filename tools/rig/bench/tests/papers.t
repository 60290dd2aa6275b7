#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The papers' experiments with a rig that makes its results up. O is the build directory.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=${O:-$top/build}
export BENCH_RIG=$here/fake-rig FAKE=$work/fake
mkdir "$FAKE"
echo one >"$FAKE/digest"
echo nothing-lacks >"$FAKE/lacks"
echo nothing-fails >"$FAKE/fails"

papers() {
	"$here/../papers" --kernel test --out "$work/bench" --jobs 1 "$@" >"$work/out" 2>"$work/err"
}

# holds FILTER: jq finds it true of the output
holds() {
	jq -e "$1" "$work/out" >/dev/null || { cat "$work/out" "$work/err"; return 1; }
}

check "section 5.1 under three policies" papers --rows 5.1 --columns stock,strict,work-conserving --json
check "as many times as long as alone" \
	holds '.lines[0] | .figure | test("paper: 2.19")'
check "the stock scheduler leaves an idle VM its time, and ours does not have to" \
	holds '.lines[0].values == {stock: 1.56, strict: 1.56, "work-conserving": 1}'
check "no row is judged: the papers' GPUs are others" holds '[.lines[].goal] == [null, null, null]'
# In 100 ms, the vCPU of the first VM is preempted for 18 ms by the second one's, and for 10 by a compiler
make_trace() {
	make -s -C "$top/tools/gvt-stat" "O=$build/gvt-stat" "$build/gvt-stat/mktrace" &&
		"$build/gvt-stat/mktrace" -F "$top/tools/traceevent/formats" -F "$top/tools/gvt-stat/tests/formats" -o "$FAKE/trace.dat" <<-END
			clock x86-tsc
			0ms 0 gvt_vgpu_info vgpu_id=1 owner_pid=100 weight=1
			0ms 0 gvt_vgpu_info vgpu_id=2 owner_pid=200 weight=1
			10ms 0 kvm_entry common_pid=101 vcpu_id=0
			30ms 0 kvm_exit common_pid=101 vcpu_id=0
			32ms 0 gvt_workload_queue common_pid=101 vgpu_id=1 workload_id=1
			34ms 0 sched_switch prev_pid=101 prev_state=256 prev_comm=A next_pid=201 next_comm=B
			36ms 0 kvm_entry common_pid=201 vcpu_id=3
			50ms 0 kvm_exit common_pid=201 vcpu_id=3
			51ms 0 gvt_workload_queue common_pid=201 vgpu_id=2 workload_id=2
			52ms 0 sched_switch prev_pid=201 prev_state=1 next_pid=101
			60ms 0 sched_switch prev_pid=101 prev_state=0 next_pid=300 next_comm=cc1
			70ms 0 sched_switch prev_pid=300 prev_state=0 next_pid=101
			80ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=201
			100ms 0 kvm_entry common_pid=201 vcpu_id=3
		END
}

check "a recording of two vCPUs" make_trace
check "section 5.3, of what is recorded" papers --rows 5.3 --columns stock,strict --json
check "the vCPU's preempted time, and how often by the other VM; stock has no events" \
	holds '[.lines[].values] == [{stock: null, strict: 28}, {stock: null, strict: 28}, {stock: null, strict: 1}, {stock: null, strict: 1}]'
check "an unknown row" says "no row '9.9'" "$here/../papers" --out "$work/bench" --rows 9.9
finish
