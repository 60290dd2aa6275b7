#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# Change dispatch during hand-overs. Each hand-over ends, and restores i915's
# preempt_timeout_ms of the engine, whatever the new dispatch mode.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=12
TIMEOUT_MS=
TIMEOUT_BEFORE=

need_engine_sysfs() {
	local file
	for file in /sys/class/drm/card*/engine/rcs0/preempt_timeout_ms; do
		TIMEOUT_MS=$file
	done
	[ -r "$TIMEOUT_MS" ] || skip_all "i915 shows no engine/rcs0/preempt_timeout_ms"
	TIMEOUT_BEFORE=$(cat "$TIMEOUT_MS")
	case $TIMEOUT_BEFORE in
	0 | [3-9]??? | ?????*) skip_all "preempt_timeout_ms is $TIMEOUT_BEFORE already" ;;
	esac
}

is_raised() {
	[ "$(cat "$TIMEOUT_MS")" -ne "$TIMEOUT_BEFORE" ]
}

is_back() {
	! is_raised
}

# Counts the hand-overs that were under way when dispatch became exclusive.
change_in_rounds() {
	local i=0 caught=0
	while [ $i -lt $ROUNDS ]; do
		echo preemptive >"$SCHED/dispatch" || return
		wait_for 10 is_raised || return
		echo exclusive >"$SCHED/dispatch" || return
		! is_raised || caught=$((caught + 1))
		# the time until the preemption point, not more
		wait_for 5 is_back || { echo "round $i: preempt_timeout_ms is still $(cat "$TIMEOUT_MS")"; return 1; }
		i=$((i + 1))
	done
	echo "$caught of $ROUNDS hand-overs were under way"
	[ $caught -gt 0 ]
}

gvt_begin device load sched engine_sysfs
vgpus_create 2
ktap_set_plan 3

echo fair >"$SCHED/policy"
# shellcheck disable=SC2086	# two UUIDs
set -- $VGPUS
# 90 ms without preemption point, less than an overrun
"$GVT_LOAD" -e rcs0 -x 90000 -d 1 -t 120 "$1" >"$TMP/long" 2>&1 &
CHANGER_PID=$!
load_start -e rcs0 -x 500 -d 1 -t 120 "$2"
check "hand-overs end although dispatch has become exclusive" change_in_rounds
kill -TERM "$CHANGER_PID"
wait "$CHANGER_PID"
CHANGER_PID=
check "the load went on" load_stop
check "the kernel has not complained" no_new_complaints
ktap_finished
