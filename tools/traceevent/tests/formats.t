#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-formats on generated traces.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need trace-cmd trace-cmd
event="1000us 0 gvt_workload_queue vgpu_id=1 workload_id=7"

# told FILE - output and exit code
told() {
	"$here/check-formats" "$@" 2>&1
	echo "exit $?"
}

echo "$event" | mktrace "$tmp/good.dat"
is "the documented formats" "exit 0" "$(told "$tmp/good.dat")"

copy() {
	rm -rf "$tmp/formats"
	cp -r "$formats" "$tmp/formats"
}

# several_types DIR - fields that are not of the same type in all events
several_types() {
	sed -n '/common_/d; s/^\tfield:\(.*\) \([a-z_]*\);.*/\2 \1/p' "$1"/*.format | sort -u |
		cut -d' ' -f1 | uniq -d
}

is "a field has one type" "" "$(several_types "$formats/gvt")"

copy
sed -i 's/s16 class/u16 class/' "$tmp/formats/gvt/gvt_workload_stop.format"
is "a field of two types: named" "class" "$(several_types "$tmp/formats/gvt")"

copy
sed -i 's/^ID: .*/ID: 77/' "$tmp/formats/gvt/gvt_workload_stop.format"
echo "$event" | mktrace "$tmp/id.dat" "$tmp/formats"
is "another ID" "exit 0" "$(told "$tmp/id.dat")"

copy
sed -i 's/u32 seqno;/u32 seq;/; s/REC->seqno/REC->seq/' "$tmp/formats/gvt/gvt_workload_stop.format"
echo "$event" | mktrace "$tmp/renamed.dat" "$tmp/formats"
has "a renamed field: named" "renamed.dat: gvt_workload_stop:" "$(told "$tmp/renamed.dat")"
has "a renamed field: shown" "+	field:u32 seq;" "$(told "$tmp/renamed.dat")"
has "a renamed field: exit code" "exit 1" "$(told "$tmp/renamed.dat")"

copy
rm "$tmp/formats/gvt/gvt_sched_info.format"
echo "$event" | mktrace "$tmp/missing.dat" "$tmp/formats"
is "a missing event" "$tmp/missing.dat: gvt_sched_info: not in the trace
exit 1" "$(told "$tmp/missing.dat")"
is "of two traces the wrong one" "$tmp/missing.dat: gvt_sched_info: not in the trace
exit 1" "$(told "$tmp/good.dat" "$tmp/missing.dat")"

echo "no trace" >"$tmp/text"
is "no trace" "check-formats: $tmp/text: wrong file magic
exit 1" "$(told "$tmp/text")"
is "no file" "check-formats: $tmp/none: cannot be read
exit 1" "$(told "$tmp/none")"
finish
