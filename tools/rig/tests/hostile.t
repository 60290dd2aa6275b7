#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests with batches that never end but can be preempted, in preemptive dispatch: others
# are served beside them, and every reset and close ends in time, whoever executes what.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
confs=$(dirname "$0")/../scenario/scenarios/hostile
# what a stop may take
limit_ns=10000000000

play() {
	"$rig" run "$confs/$1.conf" --no-trace --set gvt_sched/policy=fair --set gvt_sched/dispatch=preemptive \
		--out "$work/$1" 2>&1
}

# acts_end SCENARIO: there was at least one, and none took longer
acts_end() {
	grep '^ACT ' "$work/$1/load.log" || return
	awk -v limit=$limit_ns '
		/^ACT / { split($4, count, "="); split($6, max, "="); n += count[2]; late += max[2] > limit }
		END { exit !n || late }' "$work/$1/load.log"
}

# is_served SCENARIO VGPU COUNT: at least so many workloads in the window, none failed
is_served() {
	grep "^RESULT vgpu=$2 " "$work/$1/load.log" || return
	awk -v vgpu="vgpu=$2" -v want="$3" '
		$1 == "RESULT" && $2 == vgpu { split($5, done, "="); good = done[2] >= want && $6 == "failed=0" }
		END { exit !good }' "$work/$1/load.log"
}

no_complaint() {
	! grep -E 'WARNING|BUG|Oops|blocked for more than' "$work/$1/dmesg.log"
}

# of another vGPU; the engine's own ring is nobody's
no_foreign_address() {
	grep '^ACTHD ' "$work/$1/load.log" || return
	! grep '^ACTHD ' "$work/$1/load.log" | grep -v ' foreign=0$'
}

for scenario in endless endless-engine-reset endless-engine-stop endless-device-reset endless-close; do
	check "$scenario: runs to its end" play $scenario
	# 2 ms of work and 3 ms of pause would be 1000 of them alone
	check "$scenario: the other vGPU is served" is_served $scenario victim 900
	[ $scenario = endless ] || check "$scenario: each act ends in time" acts_end $scenario
	check "$scenario: nobody reads another vGPU's address" no_foreign_address $scenario
	check "$scenario: the kernel has not complained" no_complaint $scenario
done
check "endless-behind: runs to its end" play endless-behind
check "endless-behind: each close ends in time" acts_end endless-behind
check "endless-behind: the kernel has not complained" no_complaint endless-behind
finish
