#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recorded runs of the rig again: the scheduler has to decide each time as it did. rig-record
# says how they were recorded.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

rig=$(dirname "$0")/rig

# replay NAME <trace, or FILE: what it says is in $tmp/output
replay()
{
	"$GVT_SIM" --replay "${1:--}" >"$tmp/output" 2>&1
}

for trace in "$rig"/*.trace.xz; do
	name=$(basename "$trace" .trace.xz)
	xz -dc "$trace" >"$tmp/$name.trace"
	replay "$tmp/$name.trace"
	result $? "$name: each switch, balance and hold again"
done

# --- the test can fail ---------------------------------------------------------------
one=$tmp/engines-work-conserving-per-engine.trace

# differs NAME SED-EXPRESSION...: with that change of the trace something is not made again
differs()
{
	name=$1
	shift
	sed "$@" "$one" >"$tmp/changed"
	if cmp -s "$one" "$tmp/changed"; then
		echo 'the trace is as it was' >"$tmp/output"
		result 1 "$name"
		return
	fi
	replay "$tmp/changed"
	[ $? -eq 1 ] && grep -q 'was not made again\|was made now' "$tmp/output"
	result $? "$name"
}

line=$(grep -n gvt_sched_switch "$one" | sed -n 20p | cut -d : -f 1)
differs 'a switch that is missing is found' "${line}d"
differs 'a switch to another vGPU is found' "${line}s/next_vgpu_id=[0-9]*/next_vgpu_id=7/"
differs 'a switch for another reason is found' "${line}s/reason=[0-9]*/reason=7/"
differs 'another policy is found' 's/policy=work-conserving/policy=fair/'
differs 'other weights are found' 's/vgpu_id=1 weight=2/vgpu_id=1 weight=9/'
differs 'another period is found' 's/period_ns=100000000/period_ns=90000000/'

# --- bad traces -----------------------------------------------------------------------
# refused NAME PART <trace
refused()
{
	"$GVT_SIM_SANITIZED" --replay >"$tmp/output" 2>&1
	[ $? -eq 2 ] && grep -qF -- "$2" "$tmp/output"
	result $? "refused: $1"
}
refused 'nothing' 'no gvt_sched_state' </dev/null
grep -v gvt_sched_state "$one" >"$tmp/bad"
refused 'no state' 'no gvt_sched_state' <"$tmp/bad"
grep -v gvt_sched_info "$one" >"$tmp/bad"
refused 'no settings' 'gvt_sched_info' <"$tmp/bad"
{ tail -n 5 "$one"; cat "$one"; } >"$tmp/bad"
refused 'events that are not in order' 'not in the order of time' <"$tmp/bad"
sed 's/weight=2/weight=-2/' "$one" >"$tmp/bad"
refused 'a weight below 0' 'a vGPU that cannot be' <"$tmp/bad"
sed '/gvt_vgpu_info/s/vgpu_id=2/vgpu_id=3/' "$one" >"$tmp/bad"
refused 'the state of a vGPU that is not there' 'of a vGPU that is not there' <"$tmp/bad"

# damaged ones are told, and do no harm
for seed in $(seq 40); do
	awk -v seed="$seed" 'BEGIN { srand(seed) }
		rand() < 0.01 { next }
		rand() < 0.01 { gsub(/[0-9]+/, int(rand() * 1e9)) ; }
		rand() < 0.01 { sub(/=[-0-9]+/, "=" int((rand() - 0.5) * 1e19)) }
		{ print }' "$one" | sort -s -n -k 1,1 >"$tmp/bad"
	"$GVT_SIM_SANITIZED" --replay "$tmp/bad" >"$tmp/output" 2>&1
	status=$?
	[ "$status" -le 2 ] || break
done
echo "seed $seed, status $status" >>"$tmp/output"
[ "$status" -le 2 ]
result $? 'damaged traces do no harm'

finish
