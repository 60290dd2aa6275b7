#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The TAP of the shell tests: what is wrong is a failure, in every shell that they have.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# prints NAME STATUS TEXT: a test on stdin, run by $shell, has this status and output
prints() {
	local status=0
	{ echo "set -eu; . '$top/scripts/tap.sh'"; cat; } >"$tmp/test"
	"$shell" "$tmp/test" >"$tmp/printed" 2>&1 || status=$?
	is "$shell: $1" "$2: $3" "$status: $(cat "$tmp/printed")"
}

for shell in sh bash; do
	prints "good ones" 0 "ok 1 - a
ok 2 - b
ok 3 - c
ok 4 - d
ok 5 - e
1..5" <<-'END'
		result 0 a
		check b true
		is c x x
		matches d 'x*' xyz
		has e y xyz
		finish
	END
	prints "bad ones" 1 "not ok 1 - a
not ok 2 - b
# said
not ok 3 - c
# expected: x
# got:      y
not ok 4 - d
# expected: x?
# got:      xyz
not ok 5 - e
# expected: ...X...
# got:      xyz
1..5" <<-'END'
		result 3 a
		check b sh -c 'echo said; exit 1'
		is c x y
		matches d 'x?' xyz
		has e X xyz
		finish
	END
	prints "one bad one" 1 "not ok 1 - a
ok 2 - b
1..2" <<<"result 1 a; result 0 b; finish"
	prints "one skipped" 0 "ok 1 - a # SKIP why
1..1" <<<"skip a why; finish"
	prints "all skipped" 0 "1..0 # SKIP why" <<<"skip_all why"
	prints "what is needed is not there" 0 "1..0 # SKIP no gvt-none; install gvt-nothing" <<<"need gvt-none gvt-nothing"
	prints "what is needed is there" 0 "1..0" <<<"need sh dash; finish"
	prints "giving up" 1 "not ok 1 - no sense
1..1" <<<"bail no sense"
	prints "the directory" 0 "1" <<<"[ -d \"\$tmp\" ] && echo \$tmp >$tmp/name && echo 1"
	check "$shell: is gone at the end" test ! -e "$(cat "$tmp/name")"
done
finish
