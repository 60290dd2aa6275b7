# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# TAP for tests of scripts; to be sourced. Gives the test a directory $tmp.

# shellcheck disable=SC2034 # for the tests
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tap_count=0

# ok STATUS NAME: prints the result, and the output of the last capture if bad.
ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		[ ! -s "$tmp/output" ] || sed 's/^/# /' "$tmp/output"
	fi
}

# succeeds NAME COMMAND...
succeeds() {
	local status=0
	"${@:2}" >"$tmp/output" 2>&1 || status=$?
	ok "$status" "$1"
}

# fails NAME PATTERN COMMAND...: the command must exit with 1 and print one line,
# which matches the extended regular expression.
fails() {
	local status=0
	"${@:3}" >"$tmp/output" 2>&1 || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/output")" -eq 1 ] && grep -qE "$2" "$tmp/output"
	ok $? "$1"
}

done_testing() {
	echo "1..$tap_count"
}
