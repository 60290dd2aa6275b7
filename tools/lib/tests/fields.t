#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The library reads each event's fields by the names that they have in the documented
# formats. From the Makefile: FIELDS, the program that compares.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

formats=$top/tools/traceevent/formats
others=$top/tools/gvt-stat/tests/formats
# Settings that only marks of 'gvt-stat record' tell
known="gvt:gvt_vgpu_info: no field preempt of that kind
gvt:gvt_vgpu_info: no field arbitration of that kind"
is "all fields are in the documented formats" "$known" "$("$FIELDS" "$formats" "$others")"

# sees NAME TEXT EVENT SED-EXPRESSION: with that change of its format
sees() {
	rm -rf "$tmp/formats"
	cp -r "$formats" "$tmp/formats"
	sed -i "$4" "$tmp/formats/gvt/$3.format"
	is "$1" "$2" "$("$FIELDS" "$tmp/formats" "$others" | grep -vxF "$known")"
}
sees "a field that has another name" "gvt:gvt_sched_switch: no field drain_ns of that kind" \
	gvt_sched_switch 's/ drain_ns;/ drained_ns;/'
sees "a field of another kind" "gvt:gvt_sched_info: no field stages of that kind" \
	gvt_sched_info '/ stages;/s/size:4/size:3/'
finish
