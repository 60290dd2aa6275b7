#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# What a reader must know about vGPUs and scheduler is told shortly after the
# info events were enabled, wherever a trace starts, and then once per second.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

INFO="gvt_vgpu_info gvt_sched_info"

# info_count EVENT [TEXT] - such events in the trace, with a text
info_count() {
	grep -F ": $1: " "$INSTANCE/trace" | grep -c -F -e "${2:-}"
}

# are_told - one of each since the trace was cleared
are_told() {
	local uuid
	[ "$(info_count gvt_sched_info)" -gt 0 ] || return
	for uuid in $VGPUS; do
		[ "$(info_count gvt_vgpu_info "uuid=$uuid")" -gt 0 ] || return
	done
}

# Enabled at different phases of the second that the events may be tied to.
told_within_2s() {
	local pause
	for pause in 0 0.3 0.7 1.1; do
		trace_clear
		# shellcheck disable=SC2086	# a list
		trace_events 1 $INFO
		sleep 2
		# shellcheck disable=SC2086
		trace_events 0 $INFO
		if ! are_told; then
			echo "after a pause of $pause s:"
			cat "$INSTANCE/trace"
			return 1
		fi
		sleep $pause
	done
}

# A trace that begins while another one has the events enabled already.
told_to_a_second_trace() {
	local first="$INSTANCE"
	# shellcheck disable=SC2086	# a list
	trace_events 1 $INFO
	sleep 0.5
	trace_open 2
	# shellcheck disable=SC2086
	trace_events 1 $INFO
	sleep 2
	# shellcheck disable=SC2086
	trace_events 0 $INFO
	are_told || return
	INSTANCE=$first
	# shellcheck disable=SC2086
	trace_events 0 $INFO
}

# once_per_second EVENT TEXT - as many as there were seconds, one more or less
once_per_second() {
	local count
	count=$(info_count "$1" "$2")
	[ "$count" -ge 5 ] && [ "$count" -le 7 ] && return
	echo "$count $1 $2 in 6 s"
	return 1
}

told_once_per_second() {
	local uuid
	trace_clear
	# shellcheck disable=SC2086	# a list
	trace_events 1 $INFO
	sleep 6
	# shellcheck disable=SC2086
	trace_events 0 $INFO
	once_per_second gvt_sched_info "vgpus=" || return
	for uuid in $VGPUS; do
		once_per_second gvt_vgpu_info "uuid=$uuid" || return
	done
}

silent_when_disabled() {
	sleep 1.2
	trace_clear
	sleep 2.2
	! grep -F -e ": gvt_" "$INSTANCE/trace"
}

# last_info UUID - the latest about this vGPU
last_info() {
	grep -F "uuid=$1" "$INSTANCE/trace" | tail -n 1
}

# info_says UUID TEXT
info_says() {
	case "$(last_info "$1")" in
	*" $2,"*) return 0 ;;
	esac
	echo "'$2' is not in:"
	last_info "$1"
	return 1
}

agrees_with_sysfs() {
	local uuid
	for uuid in $VGPUS; do
		info_says "$uuid" "vgpu=$(vgpu_id "$uuid")" || return
		info_says "$uuid" "type=$VGPU_TYPE" || return
	done
}

# The first vGPU is opened by the load, the others by nobody.
names_the_owner() {
	local uuid owner="$LOAD_PID"
	trace_clear
	# shellcheck disable=SC2086	# a list
	trace_events 1 $INFO
	sleep 2
	# shellcheck disable=SC2086
	trace_events 0 $INFO
	for uuid in $VGPUS; do
		info_says "$uuid" "owner_pid=$owner" || return
		owner=0
	done
}

gvt_begin events device load
vgpus_create 2
ktap_set_plan 9

trace_open 1
check "idle: told within 2 s of being enabled" told_within_2s
check "idle: told to a second trace" told_to_a_second_trace
check "idle: told once per second" told_once_per_second
check "the events agree with sysfs" agrees_with_sysfs
check "silent when disabled" silent_when_disabled
FIRST=${VGPUS# }
load_start -t 60 -n 1000000 -x 2000 "${FIRST%% *}"
check "under load: told within 2 s of being enabled" told_within_2s
check "under load: the owner is named" names_the_owner
check "the load did its work" load_stop
check "the kernel has not complained" no_new_complaints
ktap_finished
