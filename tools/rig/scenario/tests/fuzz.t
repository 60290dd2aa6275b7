#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The parser of scenarios under a fuzzer, from those that there are: a short run.
# From the Makefile: FUZZ (empty without clang's libFuzzer), FUZZ_RUNS.
set -u
# shellcheck source=scripts/tests/tap.sh
. "$(dirname "$0")/../../../../scripts/tests/tap.sh"

if [ -z "$FUZZ" ]; then
	echo "1..0 # SKIP clang with libFuzzer is needed to build the fuzzer"
	exit 0
fi
mkdir "$tmp/corpus" "$tmp/new"
find "$(dirname "$0")/.." -name '*.conf' -exec cp -t "$tmp/corpus" {} +
succeeds "fuzzer of scenarios: $FUZZ_RUNS inputs" "$FUZZ" -runs="$FUZZ_RUNS" -seed=1 \
	-max_len=4096 -timeout=20 -rss_limit_mb=1024 -artifact_prefix="$tmp/" "$tmp/new" "$tmp/corpus"
for file in "$tmp"/crash-* "$tmp"/timeout-* "$tmp"/oom-*; do
	[ ! -e "$file" ] || { kept=$(mktemp) && cp "$file" "$kept" && echo "# kept: $kept"; }
done
done_testing
