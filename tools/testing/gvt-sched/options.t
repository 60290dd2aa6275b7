#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines of judge and sweep, and the messages about invalid ones.
set -u

# shellcheck source-path=SCRIPTDIR/../../../scripts source=tap.sh
. "$(dirname "$0")/../../../scripts/tap.sh"
PATH=${O:-$(dirname "$0")/../../../build}/gvt-sched:$PATH

# refuses NAME MESSAGE PROGRAM OPTION...: the program exits with status 2 and this first message
refuses() {
	name=$1 message=$2
	shift 2
	status=0
	said=$("$@" 2>&1) || status=$?
	is "$name" "$1: $message, status 2" "$(echo "$said" | head -n 1), status $status"
}

for program in judge sweep; do
	for option in mixes seed seconds switch verbose; do
		has "$program --help names --$option" " --$option" "$($program --help)"
	done
	refuses "$program: no number" "--mixes: 'ten' is invalid; use 1 to 10000000" $program -n ten
	refuses "$program: a number too small" "--seconds: '0' is invalid; use 1 to 3600" $program --seconds 0
	refuses "$program: no option" 'Too many arguments' $program 10
done
refuses 'sweep: a number too large' "--times: '33' is invalid; use 1 to 32" sweep -p 33
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
judge -n 2 -s 7 --seconds 1 --scenarios "$dir" >"$dir/judged"
is 'judge --scenarios: a file for each mix' '7.conf 8.conf' "$(cd "$dir" && echo *.conf)"
is 'judge --scenarios: all vGPUs of a mix' "$(judge -n 1 -s 7 --seconds 1 --plain -v | grep -c '^vGPU ')" "$(grep -c '^vgpu ' "$dir/7.conf")"
is 'judge --scenarios: judges the mixes that it wrote' "$(judge -n 2 -s 7 --seconds 1 --plain)" "$(cat "$dir/judged")"
refuses 'judge: a directory that is not there' "$dir/none/1.conf: No such file or directory" judge -n 1 --scenarios "$dir/none"
has 'sweep --only' 'small-small ' "$(sweep --only small-small --seconds 1)"
finish
