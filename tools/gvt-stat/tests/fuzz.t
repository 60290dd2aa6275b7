#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fuzzers guided by coverage, from the corpus in fuzz/NAME: a short run each.
# FUZZ is where they were built, if there is clang; FUZZ_RUNS how many inputs each tries.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

fuzz=$(dirname "$0")/../fuzz
# corpus NAME: its inputs into $tmp/corpus
corpus()
{
	rm -rf "$tmp/corpus"
	mkdir "$tmp/corpus"
	case $1 in
	events) "$fuzz/encode" "$tmp/corpus" "$fuzz"/events/* ;;
	*) cp "$fuzz/$1"/* "$tmp/corpus" ;;
	esac
}

for name in events profile text; do
	if ! [ -x "$FUZZ/$name" ]; then
		skip "fuzzer of $name" "clang with libFuzzer is needed to build it"
		continue
	fi
	corpus $name
	mkdir "$tmp/$name"
	# the timeout is of the wall's clock, which goes on where others have the CPU
	if "$FUZZ/$name" -runs="${FUZZ_RUNS:-20000}" -seed=1 -max_len=4096 -timeout=300 -rss_limit_mb=1024 \
		-artifact_prefix="$tmp/" "$tmp/$name" "$tmp/corpus" >"$tmp/log" 2>&1; then
		result 0 "fuzzer of $name: $(sed -n 's/^#\([0-9]*\).*DONE *cov: \([0-9]*\).*/\1 inputs, \2 edges/p' "$tmp/log")"
	else
		result 1 "fuzzer of $name"
		tail -n 40 "$tmp/log" | sed 's/^/# /'
		for file in "$tmp"/crash-* "$tmp"/timeout-* "$tmp"/oom-*; do
			[ ! -e "$file" ] || { kept=$(mktemp) && cp "$file" "$kept" && echo "# kept: $kept"; }
		done
	fi
done

finish
