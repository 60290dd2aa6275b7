#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The patches that mend the kernel as it is, alone: kvmgt with them and nothing else boots, works,
# and can be unloaded while others read what it shows.
#
#   FIXES=stock fixes.t    the same with stock kvmgt, to see what it fails
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
fixes=${FIXES:-fixes}
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}

# play NAME COMMAND: in a machine of its own, as what fails there may stop all that follows
play() {
	out=$work/$1
	# shellcheck disable=SC2016 # expanded in the host VM
	printf '#!/bin/sh\nfor mdev in /sys/bus/mdev/devices/*; do echo 1 >"$mdev/remove"; done\n%s\n' "$2" >"$work/run"
	# a machine in which an engine's thread waits for ever does not go down
	check "$1: the machine runs to its end" "$rig" exec "$work/run" --scenario "$(dirname "$0")/unload.conf" --kernel "$kver" \
		--kvmgt "${O:-$top/build}/kvmgt/$kver/$fixes/kvmgt.ko" --add "$work/selftests:/selftests" --out "$out"
	[ -s "$out/output.log" ] || bail "$1: no output"
	show_ktap
}

"$top/scripts/build-kvmgt" "--$fixes" "$kver" >&2 || bail "cannot build kvmgt.ko"
install_selftests "$(dirname "$0")/fixes/plays"
play plays /selftests/plays
play unload "ROUNDS=5 GVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/module_readers.sh"
finish
