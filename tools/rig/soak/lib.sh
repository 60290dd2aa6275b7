# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154 # for and from those who source this; lib.sh of tests/
# Tests on the debug kernel: source tests/lib.sh first.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
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

# install_selftests FILE...: the selftests, with these files among them
install_selftests() {
	make -s -C "$top/selftests" install DESTDIR="$work" testdir=/selftests >&2 || bail "cannot build the selftests"
	[ $# -eq 0 ] || cp "$@" "$work/selftests/"
}

# run_machine SCENARIO TIMEOUT COMMAND: runs the COMMAND in a machine with the debug
# kernel. What it prints comes to $out/output.log, with what it leaves in /out.
run_machine() {
	rm -rf "$out"
	mkdir -p "$out"
	printf '#!/bin/sh\nGVT_KVMGT=/lib/modules/kvmgt.ko exec %s\n' "$3" >"$work/run"
	"$rig" exec "$work/run" --kernel-image "$kernel/result/bzImage" --modules "$kernel/result" --kvmgt stock --symbols \
		--scenario "$1" --timeout "$2" --add "$work/selftests:/selftests" --out "$out" || {
		echo "exit code $?"
		tail -n 5 "$out/console.log"
		return 1
	}
}

# show_ktap: the results in $out/output.log as tests of ours
show_ktap() {
	local line
	while IFS= read -r line; do
		case $line in
		"ok "*"# SKIP"*) result 1 "${line#ok * } on the rig" ;;
		"ok "*) result 0 "${line#ok * }" ;;
		"not ok "*) result 1 "${line#not ok * }" ;;
		"1..0 "*) result 1 "skipped on the rig: ${line#1..0 # SKIP }" ;;
		"# "*) echo "$line" ;;
		esac
	done <"$out/output.log"
}
