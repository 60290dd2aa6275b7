#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043	# local
#
# A guest whose ring's tail is garbage, beyond the ring's end or in the midst of old commands:
# whatever becomes of its own work, others go on, and the host is not harmed.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=8

victim_start() {
	"$GVT_LOAD" -e rcs0 -x 1000 -d 2 -t 60 "$1" >"$TMP/victim" 2>&1 &
	VICTIM=$!
	wait_for 60 grep -q READY "$TMP/victim"
}

victim_goes_on() {
	local code=0
	kill -TERM "$VICTIM"
	wait "$VICTIM" || code=$?
	cat "$TMP/victim"
	return $code
}

# garbage VGPU - begins anew each time, as the guest may be ignored after one of these
garbage() {
	local i=1
	while [ $i -le $ROUNDS ]; do
		"$GVT_LOAD" -e rcs0 -x 500 -p 2 -d 2 -t 1 -n 30 -G $i "$1" >"$TMP/garbage" 2>&1 &
		LOAD_PID=$!
		sleep 0.5
		load_kill
		i=$((i + 1))
	done
}

works_again() {
	load_start -e rcs0 -x 1000 -n 50 -t 20 "$1" && load_wait
}

gvt_begin device load
vgpus_create 2
ktap_set_plan 5

check "another vGPU is at work" victim_start "$(echo "$VGPUS" | awk '{ print $1 }')"
check "a vGPU submits tails that are garbage" garbage "${VGPUS##* }"
check "it works again" works_again "${VGPUS##* }"
check "the other vGPU has lost nothing" victim_goes_on
check "the kernel has not complained" no_new_complaints
ktap_finished
