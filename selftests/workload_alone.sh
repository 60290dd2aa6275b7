#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043,SC2016	# $0 is for awk
#
# One vGPU at a time is on an engine, in each dispatch mode: the next one starts when the
# last one has stopped, in whatever order i915 reports this.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

WAYS="exclusive per-engine preemptive"

# No start between another vGPU's start and stop; both vGPUs must appear.
one_at_a_time() {
	${AWK:-awk} '/: gvt_workload_(start|stop): / {
			match($0, /vgpu=[0-9]+/)
			vgpu = substr($0, RSTART, RLENGTH)
		}
		/: gvt_workload_start: / {
			both += before != "" && vgpu != before
			before = vgpu
			early += on != "" && on != vgpu
			on = vgpu
		}
		/: gvt_workload_stop: / && vgpu == on { on = "" }
		END {
			print both + 0 " changes of vGPU, " early + 0 " of them too early"
			exit !both || early
		}' "$1"
}

trace_way() {
	echo "$1" >"$SCHED/dispatch" || return
	trace_clear
	trace_workloads 1
	# shellcheck disable=SC2086	# a list
	load_start -e rcs0 -d 2 -x 500 -n 200 -t 20 $VGPUS
	load_wait || return
	trace_workloads 0
	trace_save "$TMP/trace" && one_at_a_time "$TMP/trace"
}

gvt_begin events device load sched
vgpus_create 2
ktap_set_plan 4

trace_open 1
for way in $WAYS; do
	check "$way: one vGPU at a time is on the engine" trace_way "$way"
done
check "the kernel has not complained" no_new_complaints
ktap_finished
