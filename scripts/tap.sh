# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # variables for the tests
#
# TAP for tests in any shell: source this file, report the result of each test by one of
# these, and end with finish.
#
#   result STATUS NAME            0 is good
#   check NAME COMMAND...         the command succeeds
#   is NAME EXPECTED GOT          two texts are the same
#   matches NAME PATTERN TEXT     the text matches this shell pattern
#   has NAME PART TEXT            the text contains this part
#   skip NAME REASON              skips one test
#   skip_all REASON               skips all tests; ends the program
#   need PROGRAM PACKAGE          skip_all without it
#   bail REASON                   fails, and ends the program, if going on is pointless
#
# Tests have a directory $tmp that is removed at the end. check writes the command's output
# to $tmp/output, which is shown when a test fails.

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tap_count=0
tap_failed=0

result() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $2"
	[ ! -s "$tmp/output" ] || sed 's/^/# /' "$tmp/output"
}

check() {
	tap_name=$1
	tap_status=0
	shift
	"$@" >"$tmp/output" 2>&1 || tap_status=$?
	result "$tap_status" "$tap_name"
}

is() {
	if [ "$2" = "$3" ]; then
		result 0 "$1"
		return
	fi
	{
		printf '%s\n' "$2" | sed 's/^/expected: /'
		printf '%s\n' "$3" | sed 's/^/got:      /'
	} >"$tmp/output"
	result 1 "$1"
}

matches() {
	# shellcheck disable=SC2254 # a pattern is what is wanted
	case $3 in
	$2) result 0 "$1" ;;
	*) is "$1" "$2" "$3" ;;
	esac
}

has() {
	case $3 in
	*"$2"*) result 0 "$1" ;;
	*) is "$1" "...$2..." "$3" ;;
	esac
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

need() {
	command -v "$1" >/dev/null || skip_all "no $1; install $2"
}

bail() {
	: >"$tmp/output"
	result 1 "$*"
	finish
}

finish() {
	echo "1..$tap_count"
	exit $((tap_failed != 0))
}
