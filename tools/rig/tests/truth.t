#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every scenario of the suite: it runs, no stream fails, and the trace is what
# the device did. Two machines at a time, as each keeps one core busy.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
mapfile -t scenarios < <(cd "$(dirname "$0")/../scenario/scenarios" && printf '%s\n' *.conf | sed 's/\.conf$//')

# The first one alone, so that what all share is built once.
run_one() {
	"$rig" run "$1" --out "$work/$1" >"$work/$1.log" 2>&1
	echo $? >"$work/$1.code"
}
export rig work
export -f run_one
run_one "${scenarios[0]}"
printf '%s\n' "${scenarios[@]:1}" | xargs -P 2 -I NAME bash -c 'run_one NAME'

ran() {
	cat "$work/$1.log"
	return "$(cat "$work/$1.code")"
}

no_stream_failed() {
	cat "$work/$1/load.log"
	! grep '^RESULT' "$work/$1/load.log" | grep -v ' failed=0 hangs=0 '
}

for scenario in "${scenarios[@]}"; do
	check "$scenario runs" ran "$scenario"
	[ "$scenario" = hang ] || check "$scenario: no workload failed" no_stream_failed "$scenario"
	check "$scenario: the trace is the device's" "$rig" verify "$work/$scenario"
	sed -n '/^# execution/p' "$work/check" | sed "s/^/# $scenario /; s/# # /# /"
done

plan
