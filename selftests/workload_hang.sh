#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The same across a GPU hang: the workload that hung completes with an error,
# those behind it are cancelled, the other vGPU's work goes on.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

one_has_failed() {
	[ "$(workload_count "$TMP/trace" failed)" -eq 1 ]
}

others_were_cancelled() {
	[ "$(workload_count "$TMP/trace" error)" -gt 0 ]
}

gvt_begin events device load
vgpus_create 2
ktap_set_plan 6

trace_open 1
trace_workloads 1
# shellcheck disable=SC2086	# a list
load_start -d 4 -x 2000 -n 300 -t 60 -H 20 $VGPUS
check "the load went on after the hang" load_wait
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check "the workload that hung has failed" one_has_failed
check "workloads queued behind it were cancelled" others_were_cancelled
check "the kernel has not complained" no_new_complaints
ktap_finished
