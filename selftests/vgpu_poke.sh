#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043	# local
#
# A guest that accesses registers, its GTT and its configuration space at random, and one that
# submits nonsensical pairs of contexts: other guests go on, the guest works again after a reset,
# and the kernel does not warn: a guest's errors are not the kernel's, and a host may be set to
# panic on a warning.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

SEEDS=${SEEDS:-"1 2 3 4"}
COUNT=${COUNT:-5000}

# poke KIND VGPU
poke() {
	local seed
	for seed in $SEEDS; do
		"${VGPU_POKE:-$DIR/vgpu_poke}" "$1" "$2" "$seed" "$COUNT" || return
	done
}

works_again() {
	load_start -e rcs0 -x 1000 -n 50 -t 20 "$1" && load_wait
}

gvt_begin device load
vgpus_create 2
ktap_set_plan 6

check "another vGPU is at work" victim_start "$(echo "$VGPUS" | awk '{ print $1 }')"
check "a vGPU accesses everything at random" poke access "${VGPUS##* }"
check "a vGPU submits nonsense" poke port "${VGPUS##* }"
check "the vGPU works again" works_again "${VGPUS##* }"
check "the other vGPU has lost nothing" victim_goes_on
check "the kernel has not complained" no_new_complaints
ktap_finished
