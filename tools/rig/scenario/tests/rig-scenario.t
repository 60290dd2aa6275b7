#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line of rig-scenario; RIG_SCENARIO is the program.
set -uo pipefail

here=$(dirname "$0")
program=${RIG_SCENARIO:?path of rig-scenario}
# shellcheck source=scripts/tap.sh
. "$here/../../../../scripts/tap.sh"

# report NAME: the exit code of the command before it decides
report() {
	local rc=$?
	cat "$tmp/out" "$tmp/err" >"$tmp/output"
	result $rc "$1"
}

# run RC ARGUMENT...: the program exits with RC
run() {
	local want=$1 rc
	shift
	"$program" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	[ $rc = "$want" ]
}

lines() { wc -l <"$tmp/$1"; }

for conf in "$here"/../scenarios/{,bench/,hostile/}*.conf; do
	run 0 check "$conf" && [ "$(lines out)$(lines err)" = 00 ]
	report "$(basename "$conf") is good, and checking is silent"
done

run 0 plan "$here/../scenarios/idle-neighbour.conf" && diff "$here/idle-neighbour.plan" "$tmp/out" >"$tmp/err"
report 'plan of idle-neighbour'

run 0 plan "$here/full.conf" && diff "$here/full.plan" "$tmp/out" >"$tmp/err"
report 'plan with every word'

run 0 list "$here/../scenarios" && [ "$(lines out)" = "$(find "$here/../scenarios" -maxdepth 1 -name '*.conf' | wc -l)" ] &&
	grep -q '^solo  *18 ms workloads' "$tmp/out"
report 'list has one line per scenario'

run 1 plan "$tmp/none.conf" && [ "$(lines out)" = 0 ] &&
	[ "$(cat "$tmp/err")" = "$tmp/none.conf: cannot read: No such file or directory; give the path of a scenario file" ]
report 'a missing file is one line and exit code 1'

run 1 check "$tmp" && grep -q 'Is a directory' "$tmp/err" && [ "$(lines err)" = 1 ]
report 'a directory is no scenario'

echo 'vgpu "a" { type = V5_9 }' >"$tmp/bad.conf"
run 1 plan "$tmp/bad.conf" && [ "$(lines out)" = 0 ] && [ "$(lines err)" = 1 ]
report 'a bad file prints no part of a plan'

printf 'cpus = 1\n""\n' >"$tmp/empty-word.conf"
run 1 check "$tmp/empty-word.conf" &&
	[ "$(cat "$tmp/err")" = "$tmp/empty-word.conf:2: an empty string is not a word; remove it" ]
report 'an empty word is told, too'
rm "$tmp/empty-word.conf"

run 1 list "$tmp" && [ "$(lines err)" = 1 ]
report 'list fails if a scenario is bad'

mkdir "$tmp/empty"
run 1 list "$tmp/empty" && grep -q 'no \*.conf here' "$tmp/err"
report 'list of a directory without scenarios fails'

run 1 frobnicate x && grep -q "unknown command 'frobnicate'; use check, plan or list" "$tmp/err"
report 'an unknown command is named'

run 1 check && grep -q 'command or path missing' "$tmp/err"
report 'a missing argument is named'

finish
