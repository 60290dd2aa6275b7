#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screens of README, gvt-stat's tutorial and its demo's walk are what the commands print now, of runs that are made
# now or kept from the same one before. Numbers, "-" in their place, and bars are left out: another
# kernel or build of the driver takes other ns.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

build=${O:-$top/build}

default=$("$top/scripts/kernel-version")
[ "${RIG_KERNEL:-$default}" = "$default" ] || skip_all "the tutorial's screens are of the kernel that is the default"
[ -x "$build/gvt-stat/gvt-stat" ] || bail "gvt-stat is not built: make build-tools"
without_numbers() {
	sed -E 's/(^|[[:space:]])-([[:space:]]|$)/\1N\2/g; s/[-+]?[0-9]+(\.[0-9]+)?/N/g; s/(▁|▂|▃|▄|▅|▆|▇|█|[[:space:]])+/ /g; s/ #+$//' "$1"
}

for told in "$top"/README.md "$top"/Documentation/gvt-stat-{tutorial,demo}.md; do
	page=$(basename "$told" .md)
	cp "$told" "$work/$page.md"
	check "$page: every screen can be made" env GVT_STAT="$build/gvt-stat/gvt-stat" GVT_SIM="$build/gvt-sim/gvt-sim" \
		"$top/tools/gvt-stat/tests/rig-examples" "$work/$page.md"
	without_numbers "$told" >"$work/page"
	without_numbers "$work/$page.md" >"$work/now"
	check "$page: the screens are those in the page (else: make -C tools/gvt-stat examples)" \
		diff -u "$work/page" "$work/now"
done

finish
