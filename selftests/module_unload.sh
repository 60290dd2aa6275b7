#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043,SC2034	# VGPU_IDS is for gvt_lib.sh
#
# kvmgt can be unloaded and loaded again while its events are enabled, including those
# that the module itself emits once per second.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=8

# All events of the system, with a vGPU for the events about vGPUs.
unload_with_events() {
	vgpus_create 1
	trace_workloads 1 || return
	trace_events 1 gvt_vgpu_info gvt_sched_info gvt_sched_switch gvt_sched_balance || return
	# shellcheck disable=SC2086	# one UUID
	load_start -n 20 $VGPUS
	load_wait || return
	# at another moment of the second each time
	sleep "$1"
	rmmod kvmgt || return
	VGPUS=
	VGPU_IDS=
	if [ -d "$TRACEFS/events/gvt" ]; then
		echo "events/gvt is still there"
		return 1
	fi
	load_module || return
	wait_for 10 device_is_there
}

unload_in_rounds() {
	local i=0
	while [ $i -lt $ROUNDS ]; do
		unload_with_events "0.$(((i * 3) % 10))" || return
		i=$((i + 1))
	done
}

# A trace after all this.
works_as_before() {
	vgpus_create 1
	trace_clear
	trace_workloads 1
	# shellcheck disable=SC2086	# one UUID
	load_start -n 100 $VGPUS
	load_wait || return
	trace_workloads 0
	trace_save "$TMP/trace" && workloads_are_right "$TMP/trace"
}

gvt_begin events device load module
vgpus_create 1
vgpu_remove "${VGPUS# }"
VGPUS=
VGPU_IDS=
ktap_set_plan 3

trace_open 1
check "unloaded $ROUNDS times with events enabled" unload_in_rounds
check "events and vGPUs work as before" works_as_before
check "the kernel has not complained" no_new_complaints
ktap_finished
