#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# All settings change repeatedly while vGPUs work, are reset, removed and created: no
# workload is lost, and each ends once.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=4
STEADY_PID=

remove_in_rounds() {
	local i=0
	while [ $i -lt $ROUNDS ]; do
		load_remove 0.2 -e rcs0,bcs0 -d 4 -x 1000 -t 60 || return
		vgpus_create 1
		# shellcheck disable=SC2086	# a list
		settings_vgpus $VGPUS
		i=$((i + 1))
	done
}

# A load whose vGPUs are reset now and then.
steady_start() {
	"$GVT_LOAD" -e rcs0,bcs0 -d 3 -x 1000 -n 300 -t 60 -R 300 "$@" >"$TMP/steady" 2>&1 &
	STEADY_PID=$!
}

steady_wait() {
	local code=0
	wait "$STEADY_PID" || code=$?
	STEADY_PID=
	cat "$TMP/steady"
	return $code
}

stress_cleanup() {
	[ -z "$STEADY_PID" ] || kill -KILL "$STEADY_PID" 2>/dev/null
	gvt_cleanup
}

gvt_begin events device load sched
trap stress_cleanup EXIT
vgpus_create 3
ktap_set_plan 7

# shellcheck disable=SC2086	# a list
settings_list $VGPUS
trace_open 1
trace_workloads 1
settings_change_start
# shellcheck disable=SC2086	# a list
steady_start ${VGPUS% *}
check "vGPUs are removed under load" remove_in_rounds
check "the other load went on after resets" steady_wait
check "settings were changed meanwhile" settings_change_stop
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check_cancelled remove
check "the kernel has not complained" no_new_complaints
ktap_finished
