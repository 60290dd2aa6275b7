#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The stop of a workload that was already on its engine when the events were enabled
# is traced.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

stops() {
	grep -F ": gvt_workload_stop: " "$TMP/trace"
}

# One workload runs all the time, so there is one stop without a start.
one_stop_without_start() {
	cat "$TMP/trace"
	[ "$(stops | wc -l)" -eq 1 ] &&
		! grep -q -F ": gvt_workload_start: " "$TMP/trace"
}

names_the_workload() {
	stops
	stops | grep -F "vgpu=${VGPU_IDS# }, " |
		grep -E 'workload=[1-9][0-9]*, .*ctx=[1-9][0-9]*, seqno=[0-9]+, .*completed\?=1'
}

gvt_begin events device load
vgpus_create 1
ktap_set_plan 5

trace_open 1
# shellcheck disable=SC2086	# one UUID
load_start -d 1 -x 2000000 -n 1 -t 20 $VGPUS
sleep 0.5
trace_events 1 gvt_workload_start gvt_workload_stop
if kill -0 "$LOAD_PID" && ! grep -q RESULT "$TMP/load"; then
	check "the workload completes" load_wait
	trace_events 0 gvt_workload_start gvt_workload_stop
	check "the trace is complete" trace_save "$TMP/trace"
	check "its stop is traced" one_stop_without_start
	check "the event has its ids" names_the_workload
else
	load_wait
	for name in "the workload completes" "the trace is complete" \
		"its stop is traced" "the event has its ids"; do
		ktap_print_msg "the GPU was too fast: the workload ended before the events were enabled"
		ktap_test_skip "$name"
	done
fi
check "the kernel has not complained" no_new_complaints
ktap_finished
