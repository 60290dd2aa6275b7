#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the plugin costs while KernelShark loads a trace of 10^6 events: the CPU time of the thread
# that loads, with the plugin and without, in turn. The least of several runs counts, and there are
# more of them until it is within the limit: a busy machine makes runs slower, never quicker.
#
# Set by the Makefile: KERNELSHARK (the plugin and the test programs), GVT_STAT, MKTRACE, FORMATS.
#
# shellcheck source-path=SCRIPTDIR/../../gvt-stat/tests source=lib.sh
. "$(dirname "$0")/../../gvt-stat/tests/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${KERNELSHARK-}" ] || skip_all "no library of KernelShark; install libkshark-dev libjson-c-dev libglu1-mesa-dev"
export GVT_STAT
EVENTS=1000000
MAX_RATIO=1.3
RUNS=15

"$here/../../gvt-stat/tests/views/busy" $EVENTS >"$tmp/text"
mktrace busy <"$tmp/text"
rm "$tmp/text"

# cost PLUGIN: ms of the CPU
cost() {
	"$KERNELSHARK/load" "$1" cost "$tmp/busy.dat" 2>"$tmp/said" | awk -F'\t' 'NF == 3 { print $2 }'
}

least() {
	printf '%s\n' "$@" | sort -g | head -n 1
}

with=1e9 without=1e9
within() {
	awk -v a="$with" -v b="$without" -v max=$MAX_RATIO 'BEGIN { exit !(a <= max * b) }'
}
for ((run = 0; run < RUNS; run++)); do
	one=$(cost "$KERNELSHARK/plugin-gvt.so")
	other=$(cost "")
	if [ -z "$one" ] || [ -z "$other" ]; then
		bail "KernelShark's library does not load it: $(cat "$tmp/said")"
	fi
	with=$(least "$with" "$one")
	without=$(least "$without" "$other")
	[ $run -lt 4 ] || ! within || break
done
"$KERNELSHARK/load" "$KERNELSHARK/plugin-gvt.so" rows "$tmp/busy.dat" >"$tmp/rows" 2>&1
check "the plugin has its rows" test "$(awk -F'\t' 'NF == 8' "$tmp/rows" | wc -l)" -gt 2
check "loading 10^6 events: $with ms of the CPU, $without without the plugin (at most $MAX_RATIO times)" within

finish
