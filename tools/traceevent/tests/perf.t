#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The plugin in perf script, which has a libtraceevent of its own.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need perf linux-perf
need python3 python3

# script EVENT HEX - the event's text; HEX are its fields' bytes
script() {
	echo "$2" | "$here/tests/mkperf" "$formats/gvt/$1.format" >"$tmp/perf.data"
	TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR perf script -i - <"$tmp/perf.data" 2>"$tmp/stderr" |
		sed -n "s/^.*gvt:$1: *//p"
}

complete="00000000 01000000 2a00000000000000 0200 0100 fbffffff"
is "gvt_workload_complete" "dev=0, vgpu=1, workload=42, engine=vcs1, status=-EIO (hang)" \
	"$(script gvt_workload_complete "$complete")"
is "nothing to complain about" "" "$(cat "$tmp/stderr")"
is "gvt_sched_switch" \
"dev=0, prev=1, next=2, prev_left=-5.000ms (-10.0%), prev_slice=50.000ms, next_left=1.000ms (2.0%), next_slice=50.000ms, drain=1.500us, reason=slice, engine=all" \
	"$(script gvt_sched_switch "00000000 01000000 02000000 00000000
		c0b4b3ffffffffff 80f0fa0200000000 40420f0000000000 80f0fa0200000000
		dc05000000000000 02000000 ffff ffff")"
is "a record that is too short" "dev=0, vgpu=1, workload=!, engine=!, status=!" \
	"$(script gvt_workload_complete "00000000 01000000")"
is "a directory without the plugin" "dev=0, vgpu=1, workload=42, engine=2:1, status=-5" \
	"$(PLUGIN_DIR=/nonexistent; script gvt_workload_complete "$complete")"
finish
