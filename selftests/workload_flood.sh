#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043	# local
#
# A guest that submits endlessly while its engine is busy: its queue is limited, its reset drops
# the queue, other guests go on, and the guest works again afterwards.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

FLOOD=20000
# an engine's queue, plus the workload on the engine and the rest of the first submission
LIMIT=1024
MARGIN=64

cancelled() {
	cat "/sys/bus/mdev/devices/$1/engine/rcs0/cancelled"
}

# flood VGPU - submit behind a workload of 2 s, and reset after 0.5 s
flood() {
	"$GVT_LOAD" -e rcs0 -x 2000000 -p 200 -d 1 -t 2 -F $FLOOD -R 500 "$1"
	# the resets dropped all its workloads
	return 0
}

is_limited() {
	local n
	n=$(cancelled "$1")
	echo "$n of $FLOOD workloads were queued when the vGPU was reset"
	[ "$n" -gt $((LIMIT - MARGIN)) ] && [ "$n" -le $((LIMIT + MARGIN)) ]
}

works_again() {
	load_start -e rcs0 -x 1000 -n 50 -t 20 "$1" && load_wait
}

gvt_begin device load
vgpus_create 2
[ -e "/sys/bus/mdev/devices/${VGPUS##* }/engine/rcs0/cancelled" ] || skip_all "this kvmgt counts no cancelled workloads"
ktap_set_plan 6

check "another vGPU is at work" victim_start "$(echo "$VGPUS" | awk '{ print $1 }')"
check "a vGPU submits $FLOOD times, and is reset" flood "${VGPUS##* }"
check "the queue was limited" is_limited "${VGPUS##* }"
check "the vGPU works again" works_again "${VGPUS##* }"
check "the other vGPU has lost nothing" victim_goes_on
check "the kernel has not complained" no_new_complaints
ktap_finished
