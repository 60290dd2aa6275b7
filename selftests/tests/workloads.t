#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# workloads.awk on traces that keep to the rules and on ones that do not.

cd "$(dirname "$0")/.." || exit 1
# expect runs at the end of pipelines, where a variable would be lost
count=$(mktemp)
trace=$(mktemp)
trap 'rm -f "$count" "$trace"' EXIT

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

# The awks at hand; on the rig the selftests run with the faster one only.
awks="awk"
! command -v busybox >/dev/null || awks="awk busybox_awk"

busybox_awk() {
	busybox awk "$@"
}

# expect NAME EXIT-CODE TEXT [VGPUS] < trace
expect() {
	cat >"$trace"
	for awk in $awks; do
		echo >>"$count"
		number=$(($(wc -l <"$count")))
		output=$($awk -v vgpus="$4" -f workloads.awk "$trace")
		code=$?
		case "$code:$output" in
		"$2:"*"$3"*)
			echo "ok $number - $awk: $1"
			;;
		*)
			echo "not ok $number - $awk: $1"
			echo "exit code $code, output:" | sed 's/^/# /'
			echo "$output" | sed 's/^/# /'
			;;
		esac
	done
}

life 1 | expect "one workload" 0 "workloads=1 completed=1 failed=0 cancelled=0"
{ echo "# tracer: nop"; life 1; life 2; } | expect "two workloads and a header" 0 "workloads=2 completed=2"
{ life 1; vgpu=2 life 2; } | expect "one vGPU of two" 0 "workloads=1 " 1
vgpu=2 life 1 | expect "no workload of this vGPU" 1 "no workload in the trace" 1
echo | expect "empty trace" 1 "no workload in the trace"

# others follow the same order
life 1 | grep -v ": gvt_workload_queue" | expect "never queued" 1 "workload 0:1: was never queued"
life 1 | grep -v ": gvt_workload_complete" |
	expect "never ended" 1 "workload 0:1: neither completed nor cancelled"
life 1 | grep -v ": gvt_workload_submit" |
	expect "not submitted" 1 "started without having been submitted"
life 1 | grep -v ": gvt_workload_stop" | expect "not stopped" 1 "workload 0:1: never stopped"
life 1 | grep -v ": gvt_workload_start" | expect "not started" 1 "stopped without a start"
life 1 | grep -v -e ": gvt_workload_start" -e ": gvt_workload_stop" |
	expect "completed without a run" 1 "completed with status 0, but did not run to its end"
{ life 1; ev 2.0 queue 1; } | expect "queued twice" 1 "queued twice"
{ life 1; ev 2.0 complete 1 "status=0"; } | expect "completed twice" 1 "ended twice: complete and complete"
{ life 1; ev 2.0 cancel 1 "reason=reset"; } | expect "completed and cancelled" 1 "ended twice: complete and cancel"
{ life 1; ev 2.0 start 1; } | expect "started after its end" 1 "started after it had finished"

life 1 | sed 's/1.000001: gvt_workload_queue/1.000003: gvt_workload_queue/' |
	expect "queued late" 1 "submitted at 1.000002 before queued at 1.000003"
life 1 | sed 's/1.000002: gvt_workload_submit/1.000004: gvt_workload_submit/' |
	expect "submitted late" 1 "started at 1.000003 before submitted at 1.000004"
life 1 | sed 's/1.000003: gvt_workload_start/1.000005: gvt_workload_start/' |
	expect "started late" 1 "stopped at 1.000004 before started at 1.000005"
life 1 | sed 's/1.000004: gvt_workload_stop/1.000006: gvt_workload_stop/' |
	expect "stopped late" 1 "ended at 1.000005 before last stopped at 1.000006"
life 1 | sed 's/1.00000[1-5]/1.000001/' | expect "all at the same time" 0 "completed=1"
life 1 | sed '3s/engine=0:0/engine=1:0/' | expect "engine changes" 1 "engine changes from 0:0 to 1:0"
life 1 | sed '4s/seqno=4/seqno=5/' | expect "request changes" 1 "seqno changes from 4 to 5"

{ ev 1.0 queue 1; ev 1.1 cancel 1 "reason=remove"; } |
	expect "cancelled" 0 "cancelled=1 error=0 reset=0 remove=1"
{ ev 1.0 queue 1; ev 1.1 submit 1; ev 1.2 cancel 1 "reason=reset"; } |
	expect "cancelled after submission" 1 "cancelled after it had been submitted"
{ ev 1.0 queue 1; ev 1.1 complete 1 "status=-14"; } | expect "refused" 0 "completed=0 failed=1"
life 1 | sed 's/status=0/status=-5/; s/completed?=1/completed?=0/' | expect "hung" 0 "failed=1"
{
	life 1 | head -n 3
	ev 1.000004 stop 1 "ctx=3, seqno=4, lrca=0x00002000, completed?=0"
	life 1 | tail -n 2
} | expect "not started again after a preemption" 1 "stopped without a start"
{
	life 1 | head -n 3
	ev 1.000004 stop 1 "ctx=3, seqno=4, lrca=0x00002000, completed?=0"
	life 1 | sed -n 3p
	life 1 | tail -n 2
} | expect "preempted" 0 "completed=1 failed=0 cancelled=0 error=0 reset=0 remove=0 switched_out=1"

echo "1..$(($(wc -l <"$count")))"
