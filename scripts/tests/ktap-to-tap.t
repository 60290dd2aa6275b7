#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ktap-to-tap counts every case, and is not content with fewer than were planned.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

convert=$top/scripts/ktap-to-tap

# converts NAME STATUS EXPECTED: what stands on stdin to EXPECTED
converts() {
	local status=0
	"$convert" >"$tmp/output" || status=$?
	[ "$status" -eq "$2" ] && [ "$(grep -v '^TAP version' "$tmp/output")" = "$3" ]
	result $? "$1"
}

converts "cases and parameters" 0 "ok 1 - a: one
ok 2 - a: two: x
ok 3 - a: two: y
ok 4 - b: three # SKIP not here
1..4" <<END
KTAP version 1
1..2
    KTAP version 1
    # Subtest: a
    1..2
    # one: seed 7
    ok 1 one
        KTAP version 1
        # Subtest: two
        ok 1 x
        ok 2 y
    # two: pass:2 fail:0 skip:0 total:2
    ok 2 two
# a: pass:2 fail:0 skip:0 total:2
# Totals: pass:3 fail:0 skip:0 total:3
ok 1 a
    KTAP version 1
    # Subtest: b
    1..1
    ok 1 three # SKIP not here
ok 2 b
END

converts "a failure, once and with what it said" 1 "ok 1 - a: one
not ok 2 - a: two: y
# two: EXPECTATION FAILED
1..2" <<END
KTAP version 1
1..1
    KTAP version 1
    # Subtest: a
    # one: seed 7
    ok 1 one
        KTAP version 1
        # Subtest: two
    # two: EXPECTATION FAILED
        not ok 1 y
    # two: pass:0 fail:1 skip:0 total:1
    not ok 2 two
not ok 1 a
END

converts "a suite that fails for itself" 1 "ok 1 - a: one
not ok 2 - a
# suite_exit failed
1..2" <<END
KTAP version 1
1..1
    KTAP version 1
    # Subtest: a
    ok 1 one
# suite_exit failed
not ok 1 a
END

converts "a kernel that dies" 1 "ok 1 - a: one
not ok 2 - the kernel runs to the end: 0 suites of 2
# Kernel panic
1..2" <<END
KTAP version 1
1..2
    KTAP version 1
    # Subtest: a
    ok 1 one
Kernel panic
END

converts "nothing" 1 "not ok 1 - the kernel runs to the end: 0 suites of 0
1..1" </dev/null
finish
