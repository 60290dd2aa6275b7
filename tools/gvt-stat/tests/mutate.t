#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Damaged copies of traces: no crash, no hang, no memory without bounds.
# Also set by the Makefile: MUTATE, MUTATE_GOAL, MUTATE_SEED, see mutate.c; and GVT_SIM, which
# the commands that simulate run.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"

every_kind_of_state
two_gpus
# and what is not looked at before libtracecmd gets it
sed '1s/tracing6/tracing5/' "$tmp/all.dat" >"$tmp/other.dat"
files="$(versions_of all) $(versions_of two) $tmp/other.dat"
mkdir "$tmp/mutate"
# what a sanitizer finds is told in these files
export ASAN_OPTIONS="abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=1024:log_path=$tmp/mutate/asan"
export UBSAN_OPTIONS="abort_on_error=1:log_path=$tmp/mutate/asan"
# shellcheck disable=SC2086 # several files
if "$MUTATE" "$MUTATE_GOAL" "$MUTATE_SEED" "$tmp/mutate" $files >"$tmp/out"; then
	result 0 "$(sed -n 's/^ok 1 - //p' "$tmp/out")"
else
	result 1 "mutated traces"
	sed 's/^/# /' "$tmp/out"
	kept=$(mktemp) && cp "$tmp/mutate/mutated.dat" "$kept" && echo "# kept: $kept"
fi

finish
