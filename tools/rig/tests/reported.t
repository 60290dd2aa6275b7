#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What operators have reported of GVT-g most, beside page tables (tables.t) and unloading (fixes.t):
# each in a machine of its own. Documentation/reported-failures.md has the list.
#
#   REPORTED=stock reported.t    the same with stock kvmgt
#   PLAYS="tdr ww" reported.t    only these
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/reported
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
kvmgt=stock

# play NAME: for so much virtual time at most as the hangs of "tdr" take
play() {
	out=$work/$1
	cat >"$work/run" <<-END
		#!/bin/sh
		for mdev in /sys/bus/mdev/devices/*; do
			echo 1 >"\$mdev/remove"
		done
		exec /selftests/in-time 400 /selftests/plays $1
	END
	check "$1: the machine runs to its end" "$rig" exec "$work/run" --scenario "$top/tools/rig/tests/unload.conf" \
		--kernel "$kver" --kvmgt "$kvmgt" --add "$work/selftests:/selftests" --out "$out"
	if [ -s "$out/output.log" ]; then
		prefix="$1: " show_ktap
	else
		result 1 "$1: has said something"
	fi
}

# A large vGPU that is idle beside a small one at work, which would have 800 workloads done alone
play_idle() {
	check "idle: runs" "$rig" run "$here/idle.conf" --no-trace --kernel "$kver" --kvmgt "$kvmgt" "${fair[@]}" --out "$work/idle"
	check "idle: costs a VM at work nothing" has_all
}

has_all() {
	awk -F '[ =]' '/^RESULT vgpu=works / { print $9 " of 800"; done = $9 } END { exit !(done > 760) }' "$work/idle/load.log"
}

fair=()
if [ "${REPORTED:-}" != stock ]; then
	"$top/scripts/build-kvmgt" "$kver" >&2 || bail "cannot build kvmgt.ko"
	kvmgt=${O:-$top/build}/kvmgt/$kver/kvmgt.ko
	# the default is upstream's policy
	fair=(--set gvt_sched/policy=fair)
fi
install_selftests "$here/plays" "$top/tools/rig/soak/in-time"
for one in ${PLAYS:-memlock tdr suspend ww idle}; do
	case $one in
	idle) play_idle ;;
	*) play "$one" ;;
	esac
done
finish
