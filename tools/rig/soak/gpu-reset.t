#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Resets of the whole GPU, and a GPU given up for lost, with vGPUs and the host at work.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

debug_kernel
install_selftests "$here/gpu-reset" "$top/tools/rig/bench/vm-lib" "${O:-$top/build}/rig-load/rig-i915-load"
check "the machine runs to the end" run_machine "$here/gpu-reset.conf" 1200 /selftests/gpu-reset
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
finish
