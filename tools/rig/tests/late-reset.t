#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A reset of an engine waits until i915's tasklet has ended, also when GVT-g's gate waits for that,
# too. That takes three CPUs, so that a module has them meet.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/late_reset
restless=$top/tools/rig/tests/late_kick

check "the module can be built" build_module "$here"
install_selftests "$here/waits" "$restless/restless.sh" "$top/tools/rig/bench/vm-lib" "$work/module/late_reset.ko" \
	"$top/tools/rig/soak/in-time"
sed 's/^cpus = .*/cpus = 4/' "$restless/late-kick.conf" >"$work/late-reset.conf"
among_selftests "exec /selftests/in-time 120 /selftests/waits" --scenario "$work/late-reset.conf" --append oops=panic
finish
