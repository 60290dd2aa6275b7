# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # rig: for those who source this
# TAP for the tests of the rig: source it, call check for each test, then plan.
export LC_ALL=C
rig=$(dirname "${BASH_SOURCE[0]}")/../rig
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0
failed=0

# check NAME COMMAND...: one test; what the command says is shown if it fails
check() {
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@" >"$work/check" 2>&1; then
		echo "ok $tests - $name"
	else
		failed=$((failed + 1))
		echo "not ok $tests - $name"
		sed 's/^/# /' "$work/check"
	fi
}

# says TEXT COMMAND...: fails with exit code 1, its last line has the TEXT
says() {
	local text=$1 code=0
	shift
	"$@" >"$work/out" 2>"$work/err" || code=$?
	cat "$work/out" "$work/err"
	[ "$code" -eq 1 ] && tail -n 1 "$work/err" | grep -qF -- "$text"
}

plan() {
	echo "1..$tests"
}
