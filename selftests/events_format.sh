#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# Every documented event of GVT-g's scheduler exists and has the documented
# fields, by name, size and signedness, in the documented order. Fields may be
# added, but only after these.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

# event: field:size:signed...
documented() {
	cat <<-'EOF'
	gvt_workload_queue: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 guest_lrca:4:0
	gvt_workload_submit: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 ctx:8:0 seqno:4:0
	gvt_workload_start: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 ctx:8:0 seqno:4:0 lrca:4:0
	gvt_workload_stop: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 ctx:8:0 seqno:4:0 lrca:4:0 completed:4:0
	gvt_host_start: dev:4:0 holder:4:0 class:2:1 instance:2:1 ctx:8:0 waited_ns:8:0 seqno:4:0
	gvt_host_stop: dev:4:0 class:2:1 instance:2:1 exec_ns:8:0
	gvt_host_state: dev:4:0 class:2:1 instance:2:1 running:4:0 exec_ns:8:0 wait_ns:8:0
	gvt_workload_complete: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 status:4:1
	gvt_workload_cancel: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 reason:4:0
	gvt_sched_switch: dev:4:0 prev_vgpu_id:4:0 next_vgpu_id:4:0 prev_left_ns:8:1 prev_slice_ns:8:1 next_left_ns:8:1 next_slice_ns:8:1 drain_ns:8:0 reason:4:0 class:2:1 instance:2:1
	gvt_sched_balance: dev:4:0 vgpu_id:4:0 stage:4:0 weight:4:0 slice_ns:8:1 left_ns:8:1 class:2:1 instance:2:1
	gvt_vgpu_info: dev:4:0 vgpu_id:4:0 weight:4:0 fences:4:0 aperture_bytes:8:0 hidden_bytes:8:0 owner_pid:4:1 type:4:0 uuid:4:0 nice:4:1 cap:4:0
	gvt_sched_info: dev:4:0 vgpus:4:0 tick_ns:8:0 period_ns:8:0 stages:4:0 boost_ns:8:0 policy:4:0 carry_over:4:0 leftover_max_ns:8:0 max_wait_ns:8:0 anticipation_ns:8:0 dispatch:4:0 host_first:4:0
	gvt_sched_state: dev:4:0 vgpu_id:4:0 class:2:1 instance:2:1 order:4:0 current_vgpu_id:4:0 stage:4:0 left_ns:8:1 slice_ns:8:1 cap_left_ns:8:1 period_left_ns:8:0 boost_left_ns:8:0 vruntime:8:0 min_vruntime:8:0 lag_ns:8:1 service_ns:8:0 think_ns:8:0 way_ns:8:0 busy:4:0 preempt:4:0 arbitration:4:0
	gvt_workload_state: dev:4:0 vgpu_id:4:0 workload_id:8:0 class:2:1 instance:2:1 guest_lrca:4:0 ctx:8:0 seqno:4:0 state:4:0 age_ns:8:0 exec_ns:8:0
	gvt_sched_setting: dev:4:0 vgpu_id:4:0 setting:4:0 old_value:4:0 new_value:4:0
	gvt_vgpu_health: dev:4:0 vgpu_id:4:0 bad_entries:4:0 reused_roots:4:0 refused_submits:4:0 refused_workloads:4:0 hangs:4:0 engine_resets:4:0 device_resets:4:0 failsafe_entries:4:0 failsafe:4:0
	gvt_sched_hold: dev:4:0 vgpu_id:4:0 held_vgpu_id:4:0 held_ns:8:0 window_ns:8:0 result:4:0 class:2:1 instance:2:1
	EOF
}

# fields FILE - the event's own fields in the same form, on one line
fields() {
	sed -n 's/^\tfield:.* \([a-z_]*\);\toffset:[0-9]*;\tsize:\([0-9]*\);\tsigned:\([01]\);$/\1:\2:\3/p' "$1" |
		grep -v '^common_' | tr '\n' ' '
}

# has_fields EVENT FIELD... - they are the event's first
has_fields() {
	local event="$1" found
	shift
	if [ ! -e "$TRACEFS/events/gvt/$event/format" ]; then
		echo "there is no event $event"
		return 1
	fi
	found=$(fields "$TRACEFS/events/gvt/$event/format")
	case "$found" in
	"$* "*) return 0 ;;
	esac
	echo "documented: $*"
	echo "found:      $found"
	return 1
}

gvt_begin events
ktap_set_plan "$(documented | wc -l)"
documented >"$TMP/documented"
while read -r event wanted; do
	# shellcheck disable=SC2086	# a list
	check "${event%:}" has_fields "${event%:}" $wanted
done <"$TMP/documented"
ktap_finished
