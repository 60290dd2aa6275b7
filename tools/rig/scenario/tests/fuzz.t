#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The parser of scenarios under a fuzzer, from those that there are: a short run.
# From the Makefile: FUZZ (empty without clang's libFuzzer), FUZZ_RUNS.
set -u
top=$(cd "$(dirname "$0")/../../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

[ -n "$FUZZ" ] || skip_all "clang with libFuzzer is needed to build the fuzzer"
mkdir "$tmp/corpus" "$tmp/new"
find "$(dirname "$0")/.." -name '*.conf' -exec cp -t "$tmp/corpus" {} +
check "fuzzer of scenarios: $FUZZ_RUNS inputs" "$FUZZ" -runs="$FUZZ_RUNS" -seed=1 \
	-max_len=4096 -timeout=20 -rss_limit_mb=1024 -artifact_prefix="$tmp/" "$tmp/new" "$tmp/corpus"
for file in "$tmp"/crash-* "$tmp"/timeout-* "$tmp"/oom-*; do
	[ ! -e "$file" ] || { kept=$(mktemp) && cp "$file" "$kept" && echo "# kept: $kept"; }
done
finish
