#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# Enabling and disabling the events over and over under load harms neither the
# load nor the events.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

OTHERS="gvt_vgpu_info gvt_sched_info gvt_sched_switch gvt_sched_balance"

# One event after the other, at no particular moment.
toggle() {
	local i=0
	while [ $i -lt 200 ]; do
		trace_workloads 1 || return
		# shellcheck disable=SC2086	# a list
		trace_events 1 $OTHERS || return
		trace_workloads 0 || return
		# shellcheck disable=SC2086
		trace_events 0 $OTHERS || return
		i=$((i + 1))
	done
}

some_were_recorded() {
	[ "$(grep -c -F ": gvt_" "$INSTANCE/trace")" -gt 0 ]
}

gvt_begin events device load
vgpus_create 2
ktap_set_plan 7

trace_open 1
# shellcheck disable=SC2086	# a list
load_start -e rcs0,vcs0 -d 2 -x 1000 -t 60 $VGPUS
check "events are enabled and disabled 200 times" toggle
check "events were recorded" some_were_recorded
check "the load did its work" load_stop

trace_clear
trace_workloads 1
# shellcheck disable=SC2086	# a list
load_start -n 100 $VGPUS
check "a load afterwards does its work" load_wait
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check "the kernel has not complained" no_new_complaints
ktap_finished
