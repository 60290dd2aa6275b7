#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043	# local
#
# A guest whose ring's tail is garbage, beyond the ring's end or in the middle of old commands:
# whatever happens to its own work, other guests go on, and the host is not harmed.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ROUNDS=8

# garbage VGPU - opens the vGPU anew each time, as GVT-g may ignore the guest after an error
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

# refused VGPU - number of refusals in sysfs
refused() {
	awk '/^refused_/ { sum += $2 } END { print sum }' "$(vgpu_dir "$1")/health"
}

# traced VGPU - number of refusals in the latest event
traced() {
	sed -n "s/.*gvt_vgpu_health:.* vgpu=$(vgpu_id "$1"),.* refused_submits=\([0-9]*\), refused_workloads=\([0-9]*\),.*/\1 \2/p" "$INSTANCE/trace" |
		tail -n 1 | awk '{ print $1 + $2 }'
}

# counted VGPU - refusals are counted, and none for the other vGPU
counted() {
	local file traced
	file=$(refused "$1")
	# the event is emitted each second
	sleep 1.2
	traced=$(traced "$1")
	echo "in the file: $file; in the trace: $traced"
	[ "$file" -gt 0 ] && [ "$traced" = "$file" ] && [ "$(refused "$(echo "$VGPUS" | awk '{ print $1 }')")" = 0 ]
}

gvt_begin device load
vgpus_create 2
ktap_set_plan 6
trace_open 1
trace_events 1 gvt_vgpu_health

check "another vGPU is at work" victim_start "$(echo "$VGPUS" | awk '{ print $1 }')"
check "a vGPU submits tails that are garbage" garbage "${VGPUS##* }"
check "refusals are counted, and traced" counted "${VGPUS##* }"
check "the vGPU works again" works_again "${VGPUS##* }"
check "the other vGPU has lost nothing" victim_goes_on
check "the kernel has not complained" no_new_complaints
ktap_finished
