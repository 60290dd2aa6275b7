#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Engines that share the memory: by how much vGPUs on two of them slow each other down, and that the
# memory controller's counter in the trace tells what the device says was moved.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
conf=$(dirname "$0")/memory.conf

# of ENGINE WORD: the median of a word of the device's log, of stays that moved much and were not cut
of() {
	awk -v engine="$1" -v word="$2" '$1 == engine && $13 > 1e6 && $8 == "complete" { print $word }' "$work/run/truth.log" |
		sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

# near WHAT VALUE LEAST MOST
near() {
	check "$1: $2" awk -v value="$2" -v least="$3" -v most="$4" 'BEGIN { exit !(value >= least && value <= most) }'
}

# Together they ask for 1.4 times what there is
check "it runs" "$rig" run "$conf" --out "$work/run"
check "the trace is the device's" "$rig" verify "$work/run"
near "the application, half of whose time waits, takes 1.2 times as long" "$(of rcs0 6)" 7150000 7205000
near "of which others are to blame for a sixth" "$(of rcs0 12)" 1150000 1205000
near "it moves no other bytes for that" "$(of rcs0 13)" 35990000 36010000

# Each has the engine to itself for its 8 ms of 9.2, so that the load is alone for a while
# shellcheck disable=SC2016 # awk's
load=$(awk '$1 == "bcs0" && $13 > 1e6 { busy += $6; stretch += $12; bytes += $13 } END { print busy / (busy - stretch), bytes / busy }' \
	"$work/run/truth.log")
near "the load, all of whose time waits, takes longer while both execute" "${load% *}" 1.25 1.35
near "and has less of the memory than it asks for, MB/s" "$(awk '{ print $2 * 1000 }' <<<"$load")" 5900 6450

# what was moved in the window, by the counter and by the device
marks=$(trace-cmd report -i "$work/run/trace.dat" 2>/dev/null |
	sed -n 's/^.* \([0-9]*\): print:.*gvt-stat-meta gt_requests \([0-9]*\)$/\1 \2/p')
check "the counter is told at both ends of the window" [ "$(wc -l <<<"$marks")" -eq 2 ]
counted=$(awk 'NR == 1 { from = $2 } END { print ($2 - from) * 64 / 1e6 }' <<<"$marks")
window=$(awk '{ printf "%s ", $1 }' <<<"$marks")
moved=$(awk -v window="$window" 'BEGIN { split(window, w, " ") }
	/^[rb]cs0/ && $5 > w[1] && $4 < w[2] {
		from = $4 > w[1] ? $4 : w[1]; to = $5 < w[2] ? $5 : w[2]
		bytes += $5 > $4 ? $13 * (to - from) / ($5 - $4) : 0
	}
	END { print bytes / 1e6 }' "$work/run/truth.log")
near "MB by the counter, by the device $moved" "$counted" "$(awk "BEGIN { print $moved * 0.99 }")" "$(awk "BEGIN { print $moved * 1.01 }")"
finish
