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
out=$work/out

check "the module can be built" build_module "$here"
install_selftests "$here/waits" "$restless/restless.sh" "$top/tools/rig/bench/vm-lib" "$work/module/late_reset.ko" \
	"$top/tools/rig/soak/in-time"
printf '#!/bin/sh\nexec /selftests/in-time 120 /selftests/waits\n' >"$work/run"
sed 's/^cpus = .*/cpus = 4/' "$restless/late-kick.conf" >"$work/late-reset.conf"
check "the machine runs to its end" "$rig" exec "$work/run" --scenario "$work/late-reset.conf" \
	--append oops=panic --add "$work/selftests:/selftests" --out "$out"
[ -e "$out/output.log" ] || bail "no output"
show_ktap
finish
