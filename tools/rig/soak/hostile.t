#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The hostile guests of tests/hostile.t, in each way of dispatching, on one CPU.
#
#   hostile.t [CPUS]
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cpus=${1:-1}
# two of these run at once
out=$out-$cpus

debug_kernel
install_selftests "$here/hostile" "$top"/tools/rig/scenario/scenarios/hostile/*.conf
sed "s/^aperture-mb/cpus = $cpus\n&/" "$here/soak.conf" >"$work/hostile.conf"
check "the machine runs to the end" run_machine "$work/hostile.conf" 1200 /selftests/hostile
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
finish
