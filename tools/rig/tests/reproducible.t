#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where a checkout lies decides nothing: two of them build the same programs and
# record the same trace.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
kver=$("$top/scripts/kernel-version") || exit 1
elsewhere=$work/a/checkout-that-lies-elsewhere

copy_tree() {
	mkdir -p "$elsewhere"
	tar -C "$top" --exclude=./build --exclude=./.git -c . | tar -C "$elsewhere" -x
}

# run_in TREE: as its makefiles do when nobody says where to build; neither run is one that
# was kept
run_in() {
	env -u O -u RIG_RUNS "$1/tools/rig/rig" run "$top/tools/rig/tests/quick.conf" --kernel "$kver" --out "$work/$2" 2>&1
}

# same FILE: in both checkouts' build directories
same() {
	sha256sum "$top/build/$1" "$elsewhere/build/$1"
	cmp "$top/build/$1" "$elsewhere/build/$1"
}

check "a copy of the checkout" copy_tree
check "the rig runs here" run_in "$top" here
check "and there" run_in "$elsewhere" there
check "kvmgt.ko is the same" same "kvmgt/$kver/kvmgt.ko"
check "rig-load is the same" same rig-load/rig-load
check "rig-i915-load is the same" same rig-load/rig-i915-load
check "the truth log is the same" cmp "$work/here/truth.log" "$work/there/truth.log"
check "the trace is the same" cmp "$work/here/trace.dat" "$work/there/trace.dat"
finish
