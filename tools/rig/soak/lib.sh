# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154 # for and from those who source this; lib.sh of tests/
# Tests on the debug kernel: source tests/lib.sh first.
here=$top/tools/rig/soak
# what was left behind can be looked at afterwards
out=${O:-$top/build}/check-debug/$(basename "$0" .t)

debug_kernel() {
	kernel=$("$top/scripts/build-kernel" --debug 2>"$work/build") || bail "$(tail -n 1 "$work/build")"
}

# module NAME: a module of the debug kernel
module() {
	find "$kernel/result/lib/modules" -name "$1.ko"
}

# run_machine SCENARIO SECONDS COMMAND: runs the COMMAND in a machine with the debug kernel
# for so much virtual time at most; it takes longer outside. What it prints comes to
# $out/output.log, with what it leaves in /out.
run_machine() {
	rm -rf "$out"
	mkdir -p "$out"
	cp "$here/in-time" "$work/selftests/"
	printf '#!/bin/sh\nBLOCKED_S=%s GVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/in-time %s %s\n' \
		"${BLOCKED_S:-}" "$2" "$3" >"$work/run"
	"$rig" exec "$work/run" --kernel-image "$kernel/result/bzImage" --modules "$kernel/result" --kvmgt stock --symbols \
		--scenario "$1" --timeout $(($2 * 4 + 600)) --add "$work/selftests:/selftests" --out "$out" || {
		echo "exit code $?"
		tail -n 5 "$out/console.log"
		return 1
	}
}
