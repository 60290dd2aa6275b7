#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A workload that has finished is not preempted, though i915 has yet to take note
# of its end. That takes it a few us, so that a module has it take longer.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/late_end
restless=$top/tools/rig/tests/late_kick

check "the module can be built" build_module "$here"
install_selftests "$here/ends" "$restless/restless.sh" "$top/tools/rig/bench/vm-lib" "$work/module/late_end.ko"
# its vGPUs, who leave their engines alone
sed '/act/d' "$restless/late-kick.conf" >"$work/late-end.conf"
among_selftests "exec /selftests/ends" --scenario "$work/late-end.conf"
finish
