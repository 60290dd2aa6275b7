#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# workloads.awk on traces that obey the rules and on ones that do not.

cd "$(dirname "$0")/.." || exit 1
# shellcheck source-path=SCRIPTDIR/../../scripts source=tap.sh
. ../scripts/tap.sh

# ev SECONDS EVENT ID [FIELDS] - a line as tracefs prints it
ev() {
	echo "    kworker/0:1-77      [001] d..1. $1: gvt_workload_$2: dev=0, vgpu=${vgpu:-1}, workload=$3, engine=0:0${4:+, }$4"
}

# life ID - all events of one workload
life() {
	ev 1.000001 queue "$1" "guest_lrca=0x00001000"
	ev 1.000002 submit "$1" "ctx=3, seqno=4"
	ev 1.000003 start "$1" "ctx=3, seqno=4, lrca=0x00002000"
	ev 1.000004 stop "$1" "ctx=3, seqno=4, lrca=0x00002000, completed?=1"
	ev 1.000005 complete "$1" "status=0"
}

# The available awks; on the rig, the selftests use only the faster one.
awks="awk"
! command -v busybox >/dev/null || awks="awk busybox_awk"

busybox_awk() {
	busybox awk "$@"
}

# expect NAME EXIT-CODE TEXT [VGPUS] - of $tmp/trace
expect() {
	for awk in $awks; do
		$awk -v vgpus="${4-}" -f workloads.awk "$tmp/trace" >"$tmp/output"
		matches "$awk: $1" "$2:*$3*" "$?:$(cat "$tmp/output")"
	done
}

life 1 >"$tmp/trace"
expect "one workload" 0 "workloads=1 completed=1 failed=0 cancelled=0"
{ echo "# tracer: nop"; life 1; life 2; } >"$tmp/trace"
expect "two workloads and a header" 0 "workloads=2 completed=2"
{ life 1; vgpu=2 life 2; } >"$tmp/trace"
expect "one vGPU of two" 0 "workloads=1 " 1
vgpu=2 life 1 >"$tmp/trace"
expect "no workload of this vGPU" 1 "no workload in the trace" 1
echo >"$tmp/trace"
expect "empty trace" 1 "no workload in the trace"

# state ID SECONDS STATE CTX SEQNO - the event of a workload that exists already
state() {
	ev "$2" state "$1" "guest_lrca=0x00001000, ctx=$4, seqno=$5, state=$3, age_ns=1, exec_ns=0"
}

{ state 1 1.0 queued 0 0; life 1; state 1 1.0000035 executing 3 4; } >"$tmp/trace"
expect "what is queued has no context at i915" 0 "workloads=1 completed=1"
{ life 1; state 1 1.0000035 executing 3 0; } >"$tmp/trace"
expect "what executes has" 1 "workload 0:1: seqno changes from 4 to 0"

# others follow the same order
life 1 | grep -v ": gvt_workload_queue" >"$tmp/trace"
expect "never queued" 1 "workload 0:1: was never queued"
life 1 | grep -v ": gvt_workload_complete" >"$tmp/trace"
expect "never ended" 1 "workload 0:1: neither completed nor cancelled"
life 1 | grep -v ": gvt_workload_submit" >"$tmp/trace"
expect "not submitted" 1 "started without having been submitted"
life 1 | grep -v ": gvt_workload_stop" >"$tmp/trace"
expect "not stopped" 1 "workload 0:1: never stopped"
life 1 | grep -v ": gvt_workload_start" >"$tmp/trace"
expect "not started" 1 "stopped without a start"
life 1 | grep -v -e ": gvt_workload_start" -e ": gvt_workload_stop" >"$tmp/trace"
expect "completed without a run" 1 "completed with status 0, but did not run to its end"
{ life 1; ev 2.0 queue 1; } >"$tmp/trace"
expect "queued twice" 1 "queued twice"
{ life 1; ev 2.0 complete 1 "status=0"; } >"$tmp/trace"
expect "completed twice" 1 "ended twice: complete and complete"
{ life 1; ev 2.0 cancel 1 "reason=reset"; } >"$tmp/trace"
expect "completed and cancelled" 1 "ended twice: complete and cancel"
{ life 1; ev 2.0 start 1; } >"$tmp/trace"
expect "started after its end" 1 "started after it had finished"

life 1 | sed 's/1.000001: gvt_workload_queue/1.000003: gvt_workload_queue/' >"$tmp/trace"
expect "queued late" 1 "submitted at 1.000002 before queued at 1.000003"
life 1 | sed 's/1.000002: gvt_workload_submit/1.000004: gvt_workload_submit/' >"$tmp/trace"
expect "submitted late" 1 "started at 1.000003 before submitted at 1.000004"
life 1 | sed 's/1.000003: gvt_workload_start/1.000005: gvt_workload_start/' >"$tmp/trace"
expect "started late" 1 "stopped at 1.000004 before started at 1.000005"
life 1 | sed 's/1.000004: gvt_workload_stop/1.000006: gvt_workload_stop/' >"$tmp/trace"
expect "stopped late" 1 "ended at 1.000005 before last stopped at 1.000006"
life 1 | sed 's/1.00000[1-5]/1.000001/' >"$tmp/trace"
expect "all at the same time" 0 "completed=1"
life 1 | sed '3s/engine=0:0/engine=1:0/' >"$tmp/trace"
expect "engine changes" 1 "engine changes from 0:0 to 1:0"
life 1 | sed '4s/seqno=4/seqno=5/' >"$tmp/trace"
expect "request changes" 1 "seqno changes from 4 to 5"

{ ev 1.0 queue 1; ev 1.1 cancel 1 "reason=remove"; } >"$tmp/trace"
expect "cancelled" 0 "cancelled=1 error=0 reset=0 remove=1"
{ ev 1.0 queue 1; ev 1.1 submit 1; ev 1.2 cancel 1 "reason=reset"; } >"$tmp/trace"
expect "cancelled after submission" 1 "cancelled after it had been submitted"
{ ev 1.0 queue 1; ev 1.1 complete 1 "status=-14"; } >"$tmp/trace"
expect "refused" 0 "completed=0 failed=1"
life 1 | sed 's/status=0/status=-5/; s/completed?=1/completed?=0/' >"$tmp/trace"
expect "hung" 0 "failed=1"
{
	life 1 | head -n 3
	ev 1.000004 stop 1 "ctx=3, seqno=4, lrca=0x00002000, completed?=0"
	life 1 | tail -n 2
} >"$tmp/trace"
expect "not started again after a preemption" 1 "stopped without a start"
{
	life 1 | head -n 3
	ev 1.000004 stop 1 "ctx=3, seqno=4, lrca=0x00002000, completed?=0"
	life 1 | sed -n 3p
	life 1 | tail -n 2
} >"$tmp/trace"
expect "preempted" 0 "completed=1 failed=0 cancelled=0 error=0 reset=0 remove=0 switched_out=1"

finish
