#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All selftests, on two CPUs.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

debug_kernel
mawk=$(command -v mawk) || bail "mawk is missing"
install_selftests "$top/tools/rig/tests/all-selftests" "$mawk"
check "the machine runs to the end" run_machine "$here/selftests.conf" 1200 "/selftests/all-selftests 3"
may_be_slow=1
show_selftests "$out"
finish
