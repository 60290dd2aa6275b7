#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Damaged copies of traces: no crash, no hang, no memory without bounds.
# MUTATE_GOAL (seconds, or with an x behind it a number of copies) and MUTATE_SEED: see mutate.c.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
tests=$(dirname "$0")
. "$tests/lib.sh"
. "$tests/states.sh"

every_kind_of_state
# what is not looked at before libtracecmd gets it
sed '1s/tracing6/tracing5/' "$tmp/all.dat" >"$tmp/other.dat"
files="$(versions_of all) $tmp/other.dat"
# The others have few formats, and nothing about how they are printed: to parse these takes
# most of the time. What is packed is damaged before it is known what it means: one is enough.
mkdir "$tmp/formats"
cp -r "$tests/../../traceevent/formats/gvt" "$tmp/formats"
sed -i 's/^print fmt:.*/print fmt: ""/' "$tmp/formats/gvt"/*
FORMATS="-F $tmp/formats"
two_gpus
seven_vgpus
files="$files $( (versions_of two; versions_of seven) | grep -v -e '-zstd')"
mkdir "$tmp/mutate"
# what a sanitizer finds is told in these files
export ASAN_OPTIONS="abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=1024:log_path=$tmp/mutate/asan"
export UBSAN_OPTIONS="abort_on_error=1:log_path=$tmp/mutate/asan"
# shellcheck disable=SC2086 # several files
if "$MUTATE" "${MUTATE_GOAL:-10}" "${MUTATE_SEED:-1}" "$tmp/mutate" $files >"$tmp/out"; then
	result 0 "$(sed -n 's/^ok 1 - //p' "$tmp/out")"
else
	result 1 "mutated traces"
	sed 's/^/# /' "$tmp/out"
	kept=$(mktemp) && cp "$tmp/mutate/mutated.dat" "$kept" && echo "# kept: $kept"
fi

finish
