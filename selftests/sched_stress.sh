#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# Every setting is changed over and over while vGPUs work, are reset, removed and
# created: no workload is lost, and each ends once.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=4
STEADY_PID=
CHANGER_PID=

# name and values to go through
numbers() {
	cat <<-'EOF'
	carry_over 0 1
	leftover_max_ms 0 1000 50
	period_ms 10 1000 100
	boost_ms 0 10000 20
	max_wait_ms 100 1900 300
	anticipation_ms 0 100 20
	EOF
}

# The next of the values $2... in the round $1.
pick() {
	shift $(($1 % ($# - 1) + 1))
	echo "$1"
}

# change_once ROUND - each setting of the GPU, nice and cap of each vGPU
change_once() {
	local name values uuid
	# shellcheck disable=SC2086	# lists
	while read -r name values; do
		pick "$1" $values >"$SCHED/$name" || return
		pick "$1" $POLICIES >"$SCHED/policy" || return
		while read -r uuid; do
			# it may be gone by now
			pick "$1" -20 0 19 3 2>/dev/null >"$(vgpu_dir "$uuid")/nice"
			pick "$1" 0 100 40 0 2>/dev/null >"$(vgpu_dir "$uuid")/cap"
		done <"$TMP/vgpus"
	done <"$TMP/numbers"
	return 0
}

vgpu_dir() {
	echo "/sys/bus/mdev/devices/$1/intel_vgpu"
}

# For the process that changes their settings.
list_vgpus() {
	echo "$VGPUS" | tr ' ' '\n' | grep . | tail -n 3 >"$TMP/vgpus.new"
	mv "$TMP/vgpus.new" "$TMP/vgpus"
}

change_on() {
	local round=0
	while :; do
		change_once $round || exit 1
		round=$((round + 1))
		echo $round >"$TMP/rounds"
		sleep 0.01
	done
}

remove_in_rounds() {
	local i=0
	while [ $i -lt $ROUNDS ]; do
		load_remove 0.2 -e rcs0,bcs0 -d 4 -x 1000 -t 60 || return
		vgpus_create 1
		list_vgpus
		i=$((i + 1))
	done
}

# Its vGPUs are reset every now and then.
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

# Did the settings change all the time, and how often?
changer_stop() {
	kill "$CHANGER_PID" || return
	wait "$CHANGER_PID" 2>/dev/null
	CHANGER_PID=
	echo "$(cat "$TMP/rounds") rounds"
	[ "$(cat "$TMP/rounds")" -gt 2 ]
}

stress_cleanup() {
	[ -z "$STEADY_PID$CHANGER_PID" ] || kill -KILL $STEADY_PID $CHANGER_PID 2>/dev/null
	gvt_cleanup
}

gvt_begin events device load sched
trap stress_cleanup EXIT
vgpus_create 3
ktap_set_plan 7

POLICIES=$(tr -d '[]' <"$SCHED/policy")
numbers >"$TMP/numbers"
list_vgpus
trace_open 1
trace_workloads 1
change_on &
CHANGER_PID=$!
# shellcheck disable=SC2086	# a list
steady_start ${VGPUS% *}
check "vGPUs are removed under load" remove_in_rounds
check "the other load went on after resets" steady_wait
check "settings were changed meanwhile" changer_stop
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check_cancelled remove
check "the kernel has not complained" no_new_complaints
ktap_finished
