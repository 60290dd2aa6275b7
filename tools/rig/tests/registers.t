#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A vGPU's turn on the render engine changes nothing under what another one executes on
# the video engine: registers that all engines share keep the host's values.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
conf=$(dirname "$0")/registers.conf

# unchanged DISPATCH: the device has noted no other value, neither under a context nor
# at its begin
unchanged() {
	grep -E '^# (live-switch|other-values) ' "$work/$1/truth.log" | head -n 20
	! grep -qE '^# (live-switch|other-values) ' "$work/$1/truth.log"
}

# Both engines end at almost one time now and then: the second one's interrupt waits up to
# 45 us for the first one's on the host's only CPU, and is seen that much later.
for dispatch in per-engine preemptive; do
	check "$dispatch: runs" "$rig" run "$conf" --set gvt_sched/dispatch=$dispatch --out "$work/$dispatch"
	check "$dispatch: the trace is the device's" "$rig" verify "$work/$dispatch" --limit-us 100
	check "$dispatch: no engine has met another owner's values" unchanged $dispatch
done
finish
