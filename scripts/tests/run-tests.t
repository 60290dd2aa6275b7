#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The runner counts what test programs say, and believes no program that died.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# make check sets it for the suite that this test is part of
unset GVT_TEST_COUNTS

# program NAME LINE...: a test program that runs the lines
program() {
	name=$tmp/$1
	shift
	{ echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$name"
	chmod +x "$name"
}

# closes CODE LINE PROGRAM...: exit code and closing line of a run
closes() {
	local code line
	code=$1 line=$2
	shift 2
	(cd "$tmp" && "$top/scripts/run-tests" "$@") >"$tmp/output" 2>&1
	[ $? -eq "$code" ] && [ "$(tail -n 1 "$tmp/output")" = "$line" ]
}

program good 'echo 1..2; echo ok 1; echo ok 2'
program bad 'echo 1..2; echo ok 1; echo "# well"; echo "not ok 2 - b"; echo "# no device"; exit 1'
program one-skip 'echo 1..2; echo ok 1; echo "ok 2 - b # SKIP no such thing"'
program all-skip 'echo "1..0 # SKIP no device"; exit 4'
program short 'echo 1..3; echo ok 1'
program dies 'echo 1..1; echo ok 1; exit 3'
program silent-skip 'exit 4'
program complains 'echo 1..1; echo complaint >&2; seq 50 | while read -r _; do [ ! -e begun ] || break; sleep 0.1; done; [ -e begun ] && echo ok 1'
program third '>begun; echo 1..1; echo ok 1'
program slow 'echo 1..1; sleep 1; echo ok 1'
program gives-up 'echo "Bail out! no device"; exit 1'

closes 0 '2 passed, 0 failed, 0 skipped' good
result $? "passed tests"
closes 1 '3 passed, 1 failed, 0 skipped' good bad
result $? "a failed test"
grep -q '^bad: not ok 2 - b$' "$tmp/output" && grep -q '^bad: # no device$' "$tmp/output" && ! grep -q well "$tmp/output"
result $? "and what it says of itself"
closes 0 '1 passed, 0 failed, 1 skipped' one-skip
result $? "a skipped test"
grep -q 'skipped: one-skip: b: no such thing' "$tmp/output"
result $? "and its reason"
closes 0 '0 passed, 0 failed, 1 skipped' all-skip
result $? "a program that skips by kselftest's exit code"
closes 1 '1 passed, 1 failed, 0 skipped' short
result $? "fewer tests than planned"
closes 1 '1 passed, 1 failed, 0 skipped' dies
result $? "a program that dies after its last test"
closes 1 '0 passed, 1 failed, 0 skipped' silent-skip
result $? "a skip without a reason"
closes 1 '0 passed, 1 failed, 0 skipped' good gives-up
result $? "a program that gives up for the whole suite"
closes 0 '3 passed, 0 failed, 0 skipped' -j 2 complains slow third
result $? "who writes to standard error holds up nobody"
grep -q complaint "$tmp/output"
result $? "and is heard"
closes 1 "run-tests: no test program given; see 'scripts/run-tests --help'"
result $? "no program"

GVT_TEST_COUNTS=$tmp/counts closes 0 '# skipped: one-skip: b: no such thing' one-skip
result $? "counts of one suite are kept"
(GVT_TEST_COUNTS=$tmp/counts && export GVT_TEST_COUNTS && cd "$tmp" && "$top/scripts/run-tests" bad) >/dev/null 2>&1
closes 1 '2 passed, 1 failed, 1 skipped' --sum "$tmp/counts"
result $? "and added up"

# suite NAME LINE: a directory whose 'make check' runs the line
suite() {
	mkdir -p "$tmp/$1" && printf 'check:\n\t%s\n' "$2" >"$tmp/$1/Makefile"
}

suite fine "$top/scripts/run-tests $tmp/good"
suite failing "$top/scripts/run-tests $tmp/good $tmp/bad"
suite unbuilt '$(shell unfinished'
"$top/scripts/run-suites" "$tmp/suites" "$tmp"/{unbuilt,failing,fine}:check >"$tmp/suites.log" 2>&1
result $? "suites run, whatever comes of them"
closes 1 '5 passed, 2 failed, 0 skipped' --sum "$tmp/suites"
result $? "one that cannot be made counts as failed, one with a failed test not once more"
[ "$(tail -n 1 "$tmp/suites.log")" = "# suites that failed: $tmp/unbuilt $tmp/failing" ]
result $? "and they are named"

finish
