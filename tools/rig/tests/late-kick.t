#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An engine goes on after a reset that ends while GVT-g keeps i915 from its requests. That
# takes a few us, so that a module has them meet.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/late_kick

check "the module can be built" build_module "$here"
install_selftests "$here/resets" "$here/restless.sh" "$top/tools/rig/bench/vm-lib" "$work/module/late_kick.ko"
among_selftests "exec /selftests/resets" --scenario "$here/late-kick.conf"
finish
