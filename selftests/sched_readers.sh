#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# Reading a vGPU's counters has no effect: the strict policy charges slices at ticks,
# however often a process reads.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

READS=4000
# the tick period, and the error of /proc/uptime
SLACK=25

# read_slices FILE - read the rest of a slice repeatedly; prints for how many ms
read_slices() {
	local left i=0 start
	start=$(uptime_ms)
	while [ $i -lt $READS ]; do
		read -r left <"$1" || return
		echo "$left" >>"$TMP/left"
		i=$((i + 1))
	done
	echo $(($(uptime_ms) - start))
}

# If the slice changed more often than ticks occurred, readers charged it.
slice_changes_at_ticks() {
	local ms changes
	ms=$(read_slices "$1")
	changes=$(uniq "$TMP/left" | wc -l)
	echo "$READS reads in $ms ms, $changes values"
	[ "$changes" -gt 1 ] || { echo "the slice was not charged at all"; return 1; }
	[ "$changes" -le $((ms + SLACK)) ]
}

# Without more reads than ticks, the test proves nothing.
check_slice() {
	local name="the slice changes at ticks, however often it is read"
	if slice_changes_at_ticks "$1" >"$TMP/slice" 2>&1; then
		[ $((READS / 2)) -gt "$(sed -n 's/.* in \(.*\) ms.*/\1/p' "$TMP/slice")" ] || {
			ktap_print_msg "$(cat "$TMP/slice"): too slow to tell"
			ktap_test_skip "$name"
			return
		}
		show "$TMP/slice"
		ktap_test_pass "$name"
	else
		show "$TMP/slice"
		ktap_test_fail "$name"
	fi
}

gvt_begin device load sched
vgpus_create 2
ktap_set_plan 3

echo strict >"$SCHED/policy"
echo exclusive >"$SCHED/dispatch"
# shellcheck disable=SC2086	# two UUIDs
load_start -e rcs0 -x 50000 -d 1 -t 120 $VGPUS
check_slice "$(vgpu_dir "${VGPUS##* }")/left_ns"
check "the load went on" load_stop
check "the kernel has not complained" no_new_complaints
ktap_finished
