#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# When i915 gives the GPU up for lost, the time of what the host executed there counts on no longer.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/host_lost
out=$work/out

make -s -C "$top/tools/rig/load" all "O=${O:-$top/build}" >&2 || bail "cannot build the host's client"
install_selftests "$here/idles" "${O:-$top/build}/rig-load/rig-i915-load"
printf '#!/bin/sh\nexec /selftests/idles\n' >"$work/run"
check "the machine runs to its end" "$rig" exec "$work/run" --scenario "$here/../late_kick/late-kick.conf" \
	--add "$work/selftests:/selftests" --out "$out"
[ -e "$out/output.log" ] || bail "no output"
show_ktap
finish
