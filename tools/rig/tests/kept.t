#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A run that is the same as one before brings back its results; any other one is made.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
export RIG_RUNS=$work/runs RIG_RUNS_LOG=$work/log

# script WORD
script() {
	printf '#!/bin/sh\nmkdir /out/a && cat /proc/uptime >/out/a/uptime; echo %s\nexit 3\n' "$1" >"$work/script"
}

# exits_3 OUT
exits_3() {
	local code=0
	"$rig" exec "$work/script" --kvmgt stock --out "$work/$1" || code=$?
	[ $code -eq 3 ]
}

script hello
check "a run" exits_3 first
is "it was made" "made exec" "$(cat "$work/log")"
mkdir -p "$work/second"
echo mine >"$work/second/file"
check "the same run has the same exit code" exits_3 second
is "it was not made again" "made exec kept exec" "$(tr '\n' ' ' <"$work/log" | sed 's/ $//')"
is "a file that was there before is still there" mine "$(cat "$work/second/file")"
rm "$work/second/file"
check "it left the same" diff -r "$work/first" "$work/second"
has "what the script has left, too" . "$(cat "$work/second/a/uptime")"

script goodbye
RIG_RUNS_MB=0
export RIG_RUNS_MB
# as when another run takes something away meanwhile
mkdir "$work/bin"
printf '#!/bin/sh\n%s "$@"\nexit 1\n' "$(command -v du)" >"$work/bin/du"
chmod +x "$work/bin/du"
PATH=$work/bin:$PATH
check "another run" exits_3 third
is "it was made" "made exec" "$(tail -n 1 "$work/log")"
is "its output is its own" goodbye "$(cat "$work/third/output.log")"
is "no more is kept than may be" "" "$(ls "$RIG_RUNS")"
finish
