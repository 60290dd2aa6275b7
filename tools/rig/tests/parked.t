#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A workload that was preempted, and takes 100 ms to make way again, does not fill
# the pauses of a vGPU that is owed time.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
coarse=$(dirname "$0")/../scenario/scenarios/bench/coarse-pieces.conf

grep -vE '^(warmup|duration) ' "$coarse" >"$work/coarse.conf"
printf 'warmup = 2.2s\nduration = 4s\n' >>"$work/coarse.conf"

# play SETTING
play() {
	"$rig" run "$work/coarse.conf" --no-trace --set gvt_sched/policy=fair --set "$1" --out "$work/out" 2>&1
}

# per_cent VGPU LENGTH_MS: of the window, by what it has done
per_cent() {
	awk -v vgpu="vgpu=$1" -v ms="$2" '
		$1 == "RESULT" && $2 == vgpu && match($0, / done=[0-9]+/) {
			done = substr($0, RSTART + 6, RLENGTH - 6)
			if (match($0, / window_ns=[0-9]+/))
				print int(done * ms * 1e8 / substr($0, RSTART + 11, RLENGTH - 11))
		}' "$work/out/load.log"
}

check "18 ms beside commands of 100 ms run" play gvt_sched/dispatch=preemptive
check "the former has its share" [ "$(per_cent small 18)" -ge 40 ]
check "the latter, too" [ "$(per_cent large 800)" -ge 30 ]
check "the kernel has not complained" bash -c "! grep -E 'WARNING|BUG|Oops|blocked for more than' '$work/out/dmesg.log'"
finish
