#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# The same when a vGPU is removed under load, while its user is being killed.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=5

remove_in_rounds() {
	local i=0
	while [ $i -lt $ROUNDS ]; do
		load_remove 0.5 -e rcs0,bcs0 -d 6 -x 3000 -t 60 || return
		vgpus_create 1
		i=$((i + 1))
	done
}

gvt_begin events device load
vgpus_create 1
ktap_set_plan 5

trace_open 1
trace_workloads 1
check "vGPUs are removed under load" remove_in_rounds
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check_cancelled remove
check "the kernel has not complained" no_new_complaints
ktap_finished
