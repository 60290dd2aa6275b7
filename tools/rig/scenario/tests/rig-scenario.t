#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line of rig-scenario; RIG_SCENARIO is the program.
set -uo pipefail

here=$(dirname "$0")
program=${RIG_SCENARIO:?path of rig-scenario}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

# report NAME: the exit code of the command before it decides
report() {
	local rc=$?
	n=$((n + 1))
	[ $rc = 0 ] || printf 'not '
	echo "ok $n - $1"
	[ $rc = 0 ] || sed 's/^/# /' "$work/out" "$work/err"
}

# run RC ARGUMENT...: the program exits with RC
run() {
	local want=$1 rc
	shift
	"$program" "$@" >"$work/out" 2>"$work/err"
	rc=$?
	[ $rc = "$want" ]
}

lines() { wc -l <"$work/$1"; }

for conf in "$here"/../scenarios/{,bench/,hostile/}*.conf; do
	run 0 check "$conf" && [ "$(lines out)$(lines err)" = 00 ]
	report "$(basename "$conf") is good, and checking is silent"
done

run 0 plan "$here/../scenarios/idle-neighbour.conf" && diff "$here/idle-neighbour.plan" "$work/out" >"$work/err"
report 'plan of idle-neighbour'

run 0 plan "$here/full.conf" && diff "$here/full.plan" "$work/out" >"$work/err"
report 'plan with every word'

run 0 list "$here/../scenarios" && [ "$(lines out)" = "$(find "$here/../scenarios" -maxdepth 1 -name '*.conf' | wc -l)" ] &&
	grep -q '^solo  *18 ms workloads' "$work/out"
report 'list has one line per scenario'

run 1 plan "$work/none.conf" && [ "$(lines out)" = 0 ] &&
	[ "$(cat "$work/err")" = "$work/none.conf: cannot read: No such file or directory; give the path of a scenario file" ]
report 'a missing file is one line and exit code 1'

run 1 check "$work" && grep -q 'Is a directory' "$work/err" && [ "$(lines err)" = 1 ]
report 'a directory is no scenario'

echo 'vgpu "a" { type = V5_9 }' >"$work/bad.conf"
run 1 plan "$work/bad.conf" && [ "$(lines out)" = 0 ] && [ "$(lines err)" = 1 ]
report 'a bad file prints no part of a plan'

printf 'cpus = 1\n""\n' >"$work/empty-word.conf"
run 1 check "$work/empty-word.conf" &&
	[ "$(cat "$work/err")" = "$work/empty-word.conf:2: an empty string is no word; remove it" ]
report 'an empty word is told, too'
rm "$work/empty-word.conf"

run 1 list "$work" && [ "$(lines err)" = 1 ]
report 'list fails if a scenario is bad'

mkdir "$work/empty"
run 1 list "$work/empty" && grep -q 'no \*.conf here' "$work/err"
report 'list of a directory without scenarios fails'

run 1 frobnicate x && grep -q "unknown command 'frobnicate'; use check, plan or list" "$work/err"
report 'an unknown command is named'

run 1 check && grep -q 'command or path missing' "$work/err"
report 'a missing argument is named'

echo "1..$n"
