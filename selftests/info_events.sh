#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# The info events report vGPUs, scheduler and workloads in progress shortly after
# they were enabled, whenever a trace starts, and then once per second.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

INFO="gvt_vgpu_info gvt_sched_info"

# info_count EVENT [TEXT] - number of such events in the trace that contain TEXT
info_count() {
	grep -F ": $1: " "$INSTANCE/trace" | grep -c -F -e "${2:-}"
}

# all_emitted - does the trace have at least one of each event?
all_emitted() {
	local uuid
	[ "$(info_count gvt_sched_info)" -gt 0 ] || return
	for uuid in $VGPUS; do
		[ "$(info_count gvt_vgpu_info "uuid=$uuid")" -gt 0 ] || return
	done
}

# Enable the events at different phases of the second.
emitted_within_2s() {
	local pause
	for pause in 0 0.3 0.7 1.1; do
		trace_clear
		# shellcheck disable=SC2086	# a list
		trace_events 1 $INFO
		sleep 2
		# shellcheck disable=SC2086
		trace_events 0 $INFO
		if ! all_emitted; then
			echo "after a pause of $pause s:"
			cat "$INSTANCE/trace"
			return 1
		fi
		sleep $pause
	done
}

# A trace that begins while another one already has the events enabled.
emitted_in_second_trace() {
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
	all_emitted || return
	INSTANCE=$first
	# shellcheck disable=SC2086
	trace_events 0 $INFO
}

# once_per_second EVENT TEXT - one event per second, with a tolerance of one event
once_per_second() {
	local count
	count=$(info_count "$1" "$2")
	[ "$count" -ge 5 ] && [ "$count" -le 7 ] && return
	echo "$count $1 $2 in 6 s"
	return 1
}

emitted_once_per_second() {
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

# last_info UUID - the latest event about this vGPU
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

# The load has opened the first vGPU; the others are not open.
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

# trace_under_load - a trace of some seconds, in $TMP/state
trace_under_load() {
	trace_clear
	# shellcheck disable=SC2046,SC2086	# a list
	trace_events 1 gvt_workload_state gvt_sched_state gvt_sched_info $(workload_events)
	sleep 2.5
	# shellcheck disable=SC2046,SC2086
	trace_events 0 gvt_workload_state gvt_sched_state gvt_sched_info $(workload_events)
	cp "$INSTANCE/trace" "$TMP/state"
}

# workload_events - names of all events in a workload's life
workload_events() {
	local event
	for event in $WORKLOAD_EVENTS; do
		echo "gvt_workload_$event"
	done
}

# Does gvt_workload_state agree with the events in the workloads' lives?
state_agrees() {
	"${AWK:-awk}" '
	function field(name,    text) {
		if (!match($0, " " name "=[^,]*"))
			return ""
		text = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
		return text
	}
	function complain(what) { print what ": " $0; wrong = 1 }
	{ id = field("workload") }
	/: gvt_workload_state: / {
		reported++
		state = field("state")
		if (ended[id])
			complain("reported after its end")
		if (state == "running" && known[id] && !running[id])
			complain("not on the engine")
		if (state != "running" && running[id])
			complain("on the engine")
		if (state == "queued" && submitted[id])
			complain("submitted")
		if (field("exec_ns") + 0 > field("age_ns") + 0)
			complain("has executed for longer than it exists")
		if (state == "running")
			running[id] = 1
		known[id] = 1
		next
	}
	/: gvt_workload_queue: / { known[id] = 1 }
	/: gvt_workload_submit: / { submitted[id] = 1 }
	/: gvt_workload_start: / { running[id] = 1; known[id] = 1 }
	/: gvt_workload_stop: / { running[id] = 0; known[id] = 1 }
	/: gvt_workload_(complete|cancel): / { ended[id] = 1 }
	END {
		if (reported < 2) { print "reported " reported + 0 " times"; wrong = 1 }
		exit wrong
	}' "$TMP/state"
}

# The open vGPU takes turns: its gvt_sched_state is followed by gvt_sched_info.
turns_are_reported() {
	local id
	# shellcheck disable=SC2086	# a list
	id=$(vgpu_id "$(echo $VGPUS | cut -d ' ' -f 1)")
	if ! grep ": gvt_sched_state: " "$TMP/state" | grep -q " vgpu=$id, .* order=1, "; then
		echo "no gvt_sched_state of vGPU $id:"
		grep ": gvt_sched_state: " "$TMP/state"
		return 1
	fi
	grep -E ": gvt_(sched_state|sched_info): " "$TMP/state" | tail -n 1 |
		grep ": gvt_sched_info: "
}

gvt_begin events device load
vgpus_create 2
ktap_set_plan 11

trace_open 1
check "idle: emitted within 2 s of being enabled" emitted_within_2s
check "idle: emitted in a second trace" emitted_in_second_trace
check "idle: emitted once per second" emitted_once_per_second
check "the events agree with sysfs" agrees_with_sysfs
check "silent when disabled" silent_when_disabled
FIRST=${VGPUS# }
load_start -t 60 -n 1000000 -x 2000 "${FIRST%% *}"
check "under load: emitted within 2 s of being enabled" emitted_within_2s
check "under load: the owner is named" names_the_owner
trace_under_load
check "under load: workloads in progress are reported correctly" state_agrees
check "under load: the scheduler's state is reported" turns_are_reported
check "the load did its work" load_stop
check "the kernel has not complained" no_new_complaints
ktap_finished
