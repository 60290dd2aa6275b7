#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# When i915 gives the GPU up for lost, the time of what the host executed there counts on no longer.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/host_lost

make -s -C "$top/tools/rig/load" all "O=${O:-$top/build}" >&2 || bail "cannot build the host's client"
install_selftests "$here/idles" "${O:-$top/build}/rig-load/rig-i915-load"
among_selftests "exec /selftests/idles" --scenario "$here/../late_kick/late-kick.conf"
finish
