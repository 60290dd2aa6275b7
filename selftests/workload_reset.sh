#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The same across resets of vGPUs (VFIO_DEVICE_RESET) under load.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

gvt_begin events device load
vgpus_create 2
ktap_set_plan 5

trace_open 1
trace_workloads 1
# shellcheck disable=SC2086	# a list
load_start -e rcs0,bcs0 -d 6 -x 3000 -n 400 -t 20 -R 100 $VGPUS
check "the load went on after the resets" load_wait
trace_workloads 0
check "the trace is complete" trace_save "$TMP/trace"
check "each workload's events are in order and it ends once" workloads_are_right "$TMP/trace"
check_cancelled reset
check "the kernel has not complained" no_new_complaints
ktap_finished
