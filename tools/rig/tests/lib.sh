# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # rig: for those who source this
# What the tests of the rig share; to be sourced.
export LC_ALL=C
# shellcheck source=scripts/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/tap.sh"
rig=$(dirname "${BASH_SOURCE[0]}")/../rig
work=$tmp
# what else the machine does must not end a run
export RIG_TIMEOUT=2400

# says TEXT COMMAND...: fails with exit code 1, its last line has the TEXT
says() {
	local text=$1 code=0
	shift
	"$@" >"$work/out" 2>"$work/err" || code=$?
	cat "$work/out" "$work/err"
	[ "$code" -eq 1 ] && tail -n 1 "$work/err" | grep -qF -- "$text"
}
