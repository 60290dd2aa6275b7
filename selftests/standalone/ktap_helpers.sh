# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034	# the tests use them
#
# The functions of the kernel's kselftest/ktap_helpers.sh that the tests use, for
# runs outside of an (installed) kernel selftest tree.

KTAP_TESTNO=1
KTAP_CNT_PASS=0
KTAP_CNT_FAIL=0
KTAP_CNT_SKIP=0

KSFT_PASS=0
KSFT_FAIL=1
KSFT_SKIP=4

ktap_print_header() {
	echo "TAP version 13"
}

ktap_print_msg() {
	echo "# $*"
}

ktap_set_plan() {
	KSFT_NUM_TESTS="$1"
	echo "1..$KSFT_NUM_TESTS"
}

ktap_skip_all() {
	echo "1..0 # SKIP $*"
}

ktap_test_pass() {
	echo "ok $KTAP_TESTNO $1"
	KTAP_TESTNO=$((KTAP_TESTNO + 1))
	KTAP_CNT_PASS=$((KTAP_CNT_PASS + 1))
}

ktap_test_fail() {
	echo "not ok $KTAP_TESTNO $1"
	KTAP_TESTNO=$((KTAP_TESTNO + 1))
	KTAP_CNT_FAIL=$((KTAP_CNT_FAIL + 1))
}

ktap_test_skip() {
	echo "ok $KTAP_TESTNO $1 # SKIP"
	KTAP_TESTNO=$((KTAP_TESTNO + 1))
	KTAP_CNT_SKIP=$((KTAP_CNT_SKIP + 1))
}

ktap_finished() {
	echo "# Totals: pass:$KTAP_CNT_PASS fail:$KTAP_CNT_FAIL xfail:0 xpass:0 skip:$KTAP_CNT_SKIP error:0"
	if [ $((KTAP_CNT_PASS + KTAP_CNT_SKIP)) -eq "$KSFT_NUM_TESTS" ]; then
		exit "$KSFT_PASS"
	fi
	exit "$KSFT_FAIL"
}
