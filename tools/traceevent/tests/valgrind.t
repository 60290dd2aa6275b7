#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The tests of test-plugin under valgrind. What libtraceevent 1.7.1 leaks when
# it cannot parse a format is not counted: only errors and the plugin's memory.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need valgrind valgrind

valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=none --log-file="$tmp/log" \
	"$PLUGIN_DIR/test-plugin" >"$tmp/out"
is "no error, all tests pass" 0 $?
sed 's/^/# /' "$tmp/log" | grep -v '^# *$' | head -n 40
is "the plugin frees what it allocates" "" "$(grep -A 12 'definitely lost' "$tmp/log" | grep -e plugin_gvt -e tep_load_plugins)"
finish
