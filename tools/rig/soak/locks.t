#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 100,000 submissions, for each of which GVT-g takes and releases the locks of the objects that it
# copies commands to, under lockdep (intel/gvt-linux#188: one stayed held).
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

debug_kernel
install_selftests "$top/tools/rig/tests/reported/plays"
# SUBMITS: per vGPU (two) and engine (four)
check "the machine runs to the end" run_machine "$here/selftests.conf" 3600 "env SUBMITS=12500 /selftests/plays ww"
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
finish
