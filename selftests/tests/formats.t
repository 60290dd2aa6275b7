#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# events_format.sh on the documented formats, and on changed ones.

cd "$(dirname "$0")/.." || exit 1
formats=../tools/traceevent/formats/gvt
events=$(ls $formats/*.format | wc -l)
# shellcheck source-path=SCRIPTDIR/../../scripts source=tap.sh
. ../scripts/tap.sh

# a tree like tracefs with the documented events
make_tracefs() {
	rm -rf "$tmp/tracefs"
	for file in "$formats"/*.format; do
		event=$(basename "$file" .format)
		mkdir -p "$tmp/tracefs/events/gvt/$event"
		cp "$file" "$tmp/tracefs/events/gvt/$event/format"
	done
}

# expect NAME FAILURES - how many events are found to be wrong
expect() {
	TRACEFS=$tmp/tracefs ./events_format.sh >"$tmp/output"
	[ "$(grep -c '^not ok' "$tmp/output")" -eq "$2" ] &&
		[ "$(grep -c -e '^ok' -e '^not ok' "$tmp/output")" -eq "$events" ]
	result $? "$1"
}

[ "$(id -u)" -eq 0 ] || skip_all "events_format.sh must be run as root"

change() {
	make_tracefs
	sed -i "$2" "$tmp/tracefs/events/gvt/$1/format"
}

make_tracefs
expect "the documented formats" 0
rm -r "$tmp/tracefs/events/gvt/gvt_sched_info"
expect "an event is missing" 1
change gvt_workload_stop '/ seqno;/d'
expect "a field is missing" 1
change gvt_workload_stop 's/ seqno;/ seq;/'
expect "a field is renamed" 1
change gvt_workload_stop '/ seqno;/s/size:4/size:8/'
expect "a field has another size" 1
change gvt_sched_balance '/ left_ns;/s/signed:1/signed:0/'
expect "a field has another sign" 1
change gvt_sched_balance '/ slice_ns;/{h;d};/ left_ns;/{G}'
expect "two fields are swapped" 1
change gvt_sched_balance '/ instance;/{p;s/instance/more/}'
expect "a field is appended" 0
change gvt_sched_balance '/ stage;/{p;s/stage/more/}'
expect "a field is inserted" 1

finish
