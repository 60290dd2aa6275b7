#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Idle time with work pending, computed by hand from a hand-made trace; RIG_GAPS
# is the program.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
rig_gaps=${RIG_GAPS:?path of rig-gaps}

# inputs: times in ns, vGPUs 1 and 2 on two engines
#   1: 1000-2000 on rcs0, and 1500-2500 on vcs0
#   2: 2600-3000; queued at 1200: 100 pending (from 2500 on)
#   1: 3500-4000; queued at 3450: 50 pending
#   1: 4700-5000; no switch, though the GPU was held for it from 4400 to 4600
#   2: 5900-6000; queued at 5100, GPU held from 5200 to 5800: 200 pending, 600 held
#   1: 6000-; no gap; began before the trace was over
inputs() {
	cat >"$work/pieces" <<-END
		workload_id,vgpu_id,engine,lrca,start_ns,stop_ns,completed
		1,1,rcs0,0x0010011d,1000,2000,1
		2,1,vcs0,0x0010011d,1500,2500,1
		3,2,rcs0,0x0020011d,2600,3000,1
		4,1,rcs0,0x0010011d,3500,4000,1
		5,1,rcs0,0x0010011d,4700,5000,1
		6,2,rcs0,0x0020011d,5900,6000,1
		7,1,rcs0,0x0010011d,6000,,
	END
	cat >"$work/workloads" <<-END
		workload_id,vgpu_id,queue_ns,start_ns
		1,1,,1000
		2,1,1400,1500
		3,2,1200,2600
		4,1,3450,3500
		5,1,3600,4700
		6,2,5100,5900
		7,1,5950,6000
		8,2,5000,
	END
	cat >"$work/events" <<-END
		 gvt_service_thr-153   [000] 5000: gvt_sched_switch:      dev=0 prev_vgpu_id=1 next_vgpu_id=0
		 rig-load-234          [000] 4600: gvt_sched_hold:        dev=0 vgpu_id=1 held_vgpu_id=2 held_ns=200 window_ns=700 result=0
		 gvt_service_thr-153   [000] 5800: gvt_sched_hold:        dev=0 vgpu_id=1 held_vgpu_id=2 held_ns=600 window_ns=700 result=1
	END
}

run() {
	"$rig_gaps" --pieces "$work/pieces" --workloads "$work/workloads" --events "$work/events" >"$work/out" 2>"$work/err"
}

holds() {
	jq -e "$1" "$work/out" || { cat "$work/out"; return 1; }
}

refuses() {
	! run && cat "$work/err" && grep -qF "$1" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ]
}

inputs
check "a hand-made trace" run
check "every switch between vGPUs counts" holds '.switches == 4'
check "idle time with work pending" holds '.pending == {p50_ns: 75, p99_ns: 197, max_ns: 200}'
check "what the scheduler holds back on purpose is told apart" holds '.held.max_ns == 600'

check "and in all, also where the vGPU came that was waited for" holds '.holds == 2 and .holds_sum_ns == 800'

sed -i 's/ 5800: gvt_sched_hold/ 5300: gvt_sched_hold/' "$work/events"
check "a hold that began before anything was pending" run
check "counts for the pending time only" holds '.pending.max_ns == 600 and .held.max_ns == 200'

inputs
sed -i 's/^3,2,1200/3,2,/' "$work/workloads"
check "work queued before the trace" run
check "has been pending all the time" holds '.pending.p50_ns == 75'

inputs
sed -i '/gvt_sched_hold/d' "$work/events"
check "a kernel that never holds back" run
check "has no hold" holds '.pending.max_ns == 800 and .held.max_ns == 0'

inputs
sed -i '/,2,rcs0/d' "$work/pieces"
check "a single vGPU" run
check "has no switch, and its gaps are unknown" holds '.switches == 0 and .pending == null'

inputs
sed -i 's/held_ns=600 //' "$work/events"
check "a hold without its length" refuses "events:3: gvt_sched_hold without a time or held_ns"
inputs
sed -i '1s/queue_ns/q/' "$work/workloads"
check "a missing column" refuses 'no column "queue_ns"'
inputs
rm "$work/events"
check "a file that is not there" refuses "No such file"

finish
