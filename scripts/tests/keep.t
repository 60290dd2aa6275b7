#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A test that keeps its results runs once with the same inputs, and again when one has changed or
# it has failed.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

copy=$tmp/copy
mkdir -p "$copy/scripts/tests" "$copy/patches" "$copy/drivers" "$copy"/Documentation/{gpu,ABI} "$copy/selftests"
cp "$top"/scripts/{tap,die}.sh "$copy/scripts/"
cp "$top/scripts/tests/lib.sh" "$copy/scripts/tests/"
touch "$copy"/{Kbuild,patches/series,passes}
export XDG_CACHE_HOME=$tmp/cache
cat >"$copy/scripts/tests/kept.t" <<END
. "\$(dirname "\$0")/lib.sh"
keep input
echo ran >>"$tmp/runs"
[ -e "$copy/passes" ]
result \$? "it passes"
finish
END

# runs COUNT CODE: the test has run so often when it has run once more, and exits with CODE
runs() {
	local code=0
	bash "$copy/scripts/tests/kept.t" >"$tmp/said" || code=$?
	cat "$tmp/said"
	grep -qE '^(not )?ok 1 - it passes$' "$tmp/said" && [ "$(wc -l <"$tmp/runs")" -eq "$1" ] && [ $code -eq "$2" ]
}

check "it runs" runs 1 0
check "with the same inputs, it is told of" runs 1 0
grep -q '^# nothing has changed since the run of ' "$tmp/said"
result $? "that says so"
echo 0001 >"$copy/patches/series"
check "another series: it runs" runs 2 0
touch "$copy/scripts/tests/other.t" "$copy/Documentation/other.md"
check "another test, a document of no mail: it is told of" runs 2 0
check "FRESH= runs it" env FRESH= bash "$copy/scripts/tests/kept.t"
check "and keeps that" runs 3 0
rm "$copy/passes"
echo 0002 >"$copy/patches/series"
check "a failure" runs 4 1
check "is not kept" runs 5 1
finish
