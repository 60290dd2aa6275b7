#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the plugin costs while KernelShark loads a trace: instructions, which are the same on every
# machine, and the CPU time of the thread that loads, with the plugin and without, in turn. Of this
# the least of several runs counts, and its limit is wide: on a machine with much else to do both
# differ by more than the plugin costs.
#
# Set by the Makefile: KERNELSHARK (the plugin and the test programs), GVT_STAT, MKTRACE, FORMATS.
#
# shellcheck source-path=SCRIPTDIR/../../gvt-stat/tests source=lib.sh
. "$(dirname "$0")/../../gvt-stat/tests/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${KERNELSHARK-}" ] || skip_all "no library of KernelShark; install libkshark-dev libjson-c-dev libglu1-mesa-dev"
export GVT_STAT
EVENTS=1000000 COUNTED_EVENTS=100000
MAX_RATIO=1.3 MAX_BUSY_RATIO=2
RUNS=15

# busy NAME EVENTS
busy() {
	"$here/../../gvt-stat/tests/views/busy" "$2" sched >"$tmp/text"
	mktrace "$1" <"$tmp/text"
	rm "$tmp/text"
}

within() {
	awk -v a="$1" -v b="$2" -v max="$3" 'BEGIN { exit !(a > 0 && a <= max * b) }'
}

# instructions PLUGIN: of the thread that loads
instructions() {
	valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$tmp/counts" \
		"$KERNELSHARK/load" "$1" cost "$tmp/counted.dat" >/dev/null 2>&1
	awk '/^totals:/ { print $2 }' "$tmp/counts-01"
	rm "$tmp"/counts*
}

busy counted $COUNTED_EVENTS
name="loading $COUNTED_EVENTS events"
if command -v valgrind >/dev/null; then
	with=$(instructions "$KERNELSHARK/plugin-gvt.so") without=$(instructions "")
	check "$name: $with instructions, $without without the plugin (at most $MAX_RATIO times)" \
		within "$with" "$without" $MAX_RATIO
else
	skip "$name: instructions" "valgrind is not installed"
fi
busy busy $EVENTS

# cost PLUGIN: ms of the CPU
cost() {
	"$KERNELSHARK/load" "$1" cost "$tmp/busy.dat" 2>"$tmp/said" | awk -F'\t' 'NF == 3 { print $2 }'
}

least() {
	printf '%s\n' "$@" | sort -g | head -n 1
}

with=1e9 without=1e9
for ((run = 0; run < RUNS; run++)); do
	one=$(cost "$KERNELSHARK/plugin-gvt.so")
	other=$(cost "")
	if [ -z "$one" ] || [ -z "$other" ]; then
		bail "KernelShark's library does not load it: $(cat "$tmp/said")"
	fi
	with=$(least "$with" "$one")
	without=$(least "$without" "$other")
	[ $run -lt 4 ] || ! within "$with" "$without" $MAX_RATIO || break
done
"$KERNELSHARK/load" "$KERNELSHARK/plugin-gvt.so" rows "$tmp/busy.dat" >"$tmp/rows" 2>&1
check "the plugin has its rows" test "$(awk -F'\t' 'NF == 8' "$tmp/rows" | wc -l)" -gt 2
check "loading 10^6 events: $with ms of the CPU, $without without the plugin (at most $MAX_BUSY_RATIO times; $MAX_RATIO with nothing else to do)" \
	within "$with" "$without" $MAX_BUSY_RATIO

finish
