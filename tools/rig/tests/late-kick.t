#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An engine goes on after a reset that ends while GVT-g keeps i915 from its requests. That
# takes a few us, so that a module has them meet.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/late_kick
out=$work/out

check "the module can be built" build_module "$here"
install_selftests "$here/resets" "$here/restless.sh" "$top/tools/rig/bench/vm-lib" "$work/module/late_kick.ko"
printf '#!/bin/sh\nexec /selftests/resets\n' >"$work/run"
check "the machine runs to its end" "$rig" exec "$work/run" --scenario "$here/late-kick.conf" \
	--add "$work/selftests:/selftests" --out "$out"
[ -e "$out/output.log" ] || bail "no output"
show_ktap
finish
