#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The KUnit suites as a module of a real kernel, which scripts/run-kunit does not
# show: here KASAN and the others look on.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

no_complaints() {
	! grep -E -A 30 'WARNING: |(^|[^A-Z_])BUG[: ]' "$out/kernel.log"
}

debug_kernel
install_selftests "$here/kunit" "$(module kunit)" "$(module gvt_sched_test)"
# KUnit itself waits for the end of a case, of which the longest take half a minute here
export BLOCKED_S=120
check "the machine runs to the end" run_machine "$here/race.conf" 600 /selftests/kunit
[ -e "$out/kernel.log" ] || bail "no results; see $out/console.log"
sed -n 's/^\[ *[0-9.]*\] //; /^KTAP version/,$p' "$out/kernel.log" | "$top/scripts/ktap-to-tap" >"$work/tap"
while read -r line; do
	case $line in
	"ok "*) result 0 "${line#ok * - }" ;;
	"not ok "*) result 1 "${line#not ok * - }" ;;
	"# "*) echo "$line" ;;
	esac
done <"$work/tap"
check "the kernel has not complained" no_complaints
finish
