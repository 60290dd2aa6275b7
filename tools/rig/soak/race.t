#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The race between the context-status notifier and the end of a workload.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

build_module() {
	mkdir -p "$work/notifier_race"
	cp "$here"/notifier_race/* "$work/notifier_race/"
	make -s -C "$kernel/linux" O="$kernel/obj" M="$work/notifier_race" W=1 modules
}

debug_kernel
check "the module that holds the notifier up can be built" build_module
install_selftests "$here/race" "$work/notifier_race/notifier_race.ko"
check "the machine runs to the end" run_machine "$here/race.conf" 600 /selftests/race
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
finish
