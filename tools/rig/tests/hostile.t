#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests with batches that never end but can be preempted: every reset and close ends in
# time, whoever executes what, and with preemptive dispatch others are served beside them.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
confs=$(dirname "$0")/../scenario/scenarios/hostile
# what a stop may take
limit_ns=10000000000

# play SCENARIO [DISPATCH [POLICY]]
play() {
	"$rig" run "$confs/$1.conf" --no-trace --set gvt_sched/policy="${3:-fair}" \
		--set gvt_sched/dispatch="${2:-preemptive}" --out "$work/$1" 2>&1
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

# waits_at_most SCENARIO VGPU NS: no workload took longer from its submission to its end
waits_at_most() {
	grep "^RESULT vgpu=$2 " "$work/$1/load.log" || return
	awk -v vgpu="vgpu=$2" -v limit="$3" '
		$1 == "RESULT" && $2 == vgpu && match($0, / latency_max_ns=[0-9]+/) {
			good = substr($0, RSTART + 16, RLENGTH - 16) + 0 <= limit
		}
		END { exit !good }' "$work/$1/load.log"
}

no_complaint() {
	! grep -E 'WARNING|BUG|Oops|blocked for more than' "$work/$1/dmesg.log"
}

# Alone a third of the time would be its own
reads_own() {
	awk '$1 == "ACTHD" { split($3, reads, "="); split($4, own, "="); n++; bad += own[2] < reads[2] / 4 }
		END { exit !n || bad }' "$work/$1/load.log"
}

# of another vGPU; the engine's own ring is nobody's
no_foreign_address() {
	grep '^ACTHD ' "$work/$1/load.log" || return
	! grep '^ACTHD ' "$work/$1/load.log" | grep -v ' foreign=0$'
}

# skipped_only SCENARIO: whoever was on an engine with another vGPU's registers did nothing there but
# end: i915 has taken out of a cancelled request what the guest wanted. The register is one of those
# whose values differ, what a context has in it when it comes back from that is its own again.
skipped_only() {
	awk '
		/^# other-values .* 0x002248 / {
			stay = $3 " " $4 " " $5 " " $6
			context = $3 " " $4 " " $5
			if (context in own && own[context] == $10) {
				delete own[context]
			} else {
				own[context] = $9
				foreign[stay] = 1
			}
			next
		}
		/^#/ { next }
		($1 " " $2 " " $3 " " $4) in foreign {
			n++
			if ($6 > 2000) {
				print
				bad++
			}
		}
		END { print n + 0 " stays with registers of others"; exit bad || !n }' "$work/$1/truth.log"
}

for scenario in endless endless-engine-reset endless-engine-stop endless-device-reset endless-close; do
	check "$scenario: runs to its end" play $scenario
	# 2 ms of work and 3 ms of pause would be 1000 of them alone
	check "$scenario: the other vGPU is served" is_served $scenario victim 900
	[ $scenario = endless ] || check "$scenario: each act ends in time" acts_end $scenario
	check "$scenario: nobody reads another vGPU's address" no_foreign_address $scenario
	check "$scenario: the kernel has not complained" no_complaint $scenario
	case $scenario in *-engine-reset | *-close)
		check "$scenario: what has not its registers is skipped" skipped_only $scenario
	esac
done
check "endless-behind: runs to its end" play endless-behind
check "endless-behind: each close ends in time" acts_end endless-behind
check "endless-behind: the kernel has not complained" no_complaint endless-behind

# Nobody is served there until the batch is closed
for dispatch in exclusive per-engine; do
	for scenario in endless-close endless-behind; do
		check "$scenario, strict, $dispatch: runs to its end" play $scenario $dispatch strict
		check "$scenario, strict, $dispatch: each close ends in time" acts_end $scenario
		check "$scenario, strict, $dispatch: the kernel has not complained" no_complaint $scenario
	done
done

# Each turn of a hand-over is a chance to read what is the next one's
for dispatch in exclusive per-engine preemptive; do
	check "acthd, $dispatch: runs to its end" play acthd $dispatch
	check "acthd, $dispatch: nobody reads another vGPU's address" no_foreign_address acthd
	check "acthd, $dispatch: everybody reads its own" reads_own acthd
done

# A command of 120 ms is all that the other vGPU has to wait for, not the endless batch
# behind it; of 2000 workloads alone, 10 such commands leave room for 1760
check "alternate: runs to its end" play alternate
check "alternate: the other vGPU is served" is_served alternate victim 1600
check "alternate: and waits for one command at most" waits_at_most alternate victim 130000000
check "alternate: nobody reads another vGPU's address" no_foreign_address alternate
check "alternate: the kernel has not complained" no_complaint alternate
finish
