#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The life of workloads of two vGPUs on all four engines:
# queue <= submit <= start <= stop <= complete, and one end for each.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

all_have_completed() {
	[ "$(workload_count "$TMP/trace" completed)" -eq \
	  "$(workload_count "$TMP/trace" workloads)" ]
}

gvt_begin events device load
vgpus_create 2
ktap_set_plan 5

trace_open 1
trace_workloads 1
# shellcheck disable=SC2086	# a list
load_start -e rcs0,bcs0,vcs0,vecs0 -d 3 -x 500 -n 200 -t 20 $VGPUS
check "the load did its work" load_wait
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check "all workloads completed" all_have_completed
check "the kernel has not complained" no_new_complaints
ktap_finished
