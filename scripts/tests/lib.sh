# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of scripts share; to be sourced.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$top/scripts/tap.sh"

# fails NAME PATTERN COMMAND...: the command must exit with 1 and print one line,
# which matches the extended regular expression.
fails() {
	local status=0
	"${@:3}" >"$tmp/output" 2>&1 || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/output")" -eq 1 ] && grep -qE "$2" "$tmp/output"
	result $? "$1"
}
