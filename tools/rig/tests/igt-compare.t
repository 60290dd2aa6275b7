#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What make check-igt tells of the results of IGT's tests; no run of the rig.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
igt=$top/tools/rig/igt

printf '# a comment\nprogram\tsub\t-\t5\nprogram\tsub\tdyn\t5\nother\tbasic\t-\t5\n' >"$work/entries"
printf '# a comment\nother@basic\t\tfail\tit is so, always\n' >"$work/known"

# run NAME RESULT_OF_SUB RESULT_OF_DYN RESULT_OF_OTHER
run() {
	printf 'IGT %s program@sub 0.10\nIGT %s program@sub@dyn 0.20\nIGT %s other@basic 0.30\n# Failed: a > b\n' \
		"$2" "$3" "$4" >"$work/$1.out"
}

# tells LINE: what is said of the runs a, b and c
tells() {
	"$igt/compare" "$work/known" "$work/entries" "a=$work/a.out" "b=$work/b.out" "c=$work/c.out" >"$work/told" || return
	cat "$work/told"
	grep -qxF -- "$1" "$work/told"
}

run a pass pass fail
run b pass pass fail
run c pass pass fail
check "what passes in all runs" tells "0 program@sub: passes"
check "one of a test's dynamic subtests" tells "0 program@sub@dyn: passes"
check "a known failure" tells "0 other@basic: the same, a known fail: it is so, always"
check "how long each run took" tells "#   a 0.30 s, b 0.30 s, c 0.30 s"
check "why it has failed" tells "#   b: Failed: a > b"
check "nothing else is bad" bash -c "! grep '^1' '$work/told'"
run b pass skip fail
check "what is not the same" tells "1 program@sub@dyn: not the same: a pass, b skip, c pass"
run b pass pass pass
check "a known failure that is not the same, either" tells "1 other@basic: not the same: a fail, b pass, c fail"
sed -i 1d "$work/b.out"
check "a result that is missing" tells "1 program@sub: not the same: a pass, b missing, c pass"
check "its time is unknown" tells "#   a 0.10 s, b unknown, c 0.10 s"
rm "$work/c.out"
check "a run that is missing" tells "1 program@sub@dyn: not the same: a pass, b pass, c missing"
run a fail pass pass
run b fail pass pass
run c fail pass pass
check "a failure that is not known" tells "1 program@sub: fail in all runs; add it to known-failures with the reason"
check "a known failure that passes" tells "1 other@basic: passes; remove it from known-failures"
for name in a b c; do : >"$work/$name.out"; done
check "no result at all" tells "1 other@basic: no run has a result"
echo 'third@basic skip gone' >>"$work/known"
check "a known failure of no entry" tells "1 third@basic: is in known-failures, but is no entry; remove it there"
check "too few arguments" says "compare: usage: compare KNOWN_FAILURES" "$igt/compare" "$work/known" "$work/entries"

# the list as it is
check "each known failure is an entry, with a reason" bash -c "
	! '$igt/compare' '$igt/known-failures' '$igt/entries' a=/dev/null b=/dev/null | grep 'is no entry' &&
	awk '!/^#/ && (NF < 4 || \$2 !~ /^(fail|skip|timeout)\$/) { bad = 1; print } END { exit bad }' '$igt/known-failures'"
finish
