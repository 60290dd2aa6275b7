#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The selftests on the rig: all of them in one host VM, where none may be
# skipped, and the event formats of a trace recorded there.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Busybox's awk takes ten times as long for a trace, which the emulation does not
# make shorter; tests/workloads.t runs it.
mawk=$(command -v mawk) || {
	bail "mawk is missing"
}
install_selftests "$(dirname "$0")/all-selftests" "$mawk"
printf '#!/bin/sh\n/selftests/all-selftests 5\n%s\n' "trace-cmd record -q -e 'gvt:gvt_*' -o /out/formats.dat true" >"$work/run"
"$rig" exec "$work/run" --add "$work/selftests:/selftests" --out "$work/out" >&2 || {
	bail "the rig cannot run the selftests"
}
show_selftests "$work/out"
check "the kernel's event formats are the documented ones" "$top/tools/traceevent/check-formats" "$work/out/formats.dat"
finish
