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
top=$(dirname "$0")/../../..
core=$top/drivers/gpu/drm/i915/gvt

# found NAME LEAST CONSTANT WAS IS: with that change in the core, as many recordings at least
# are not made again
found()
{
	rm -rf "$tmp/gvt"
	cp -r "$core" "$tmp/gvt"
	sed -i "s/^#define $3 ($4 /#define $3 ($5 /" "$tmp/gvt/sched_types.h"
	if cmp -s "$tmp/gvt/sched_types.h" "$core/sched_types.h" ||
		! make -f "$top/tools/gvt-sim/Makefile" gvt="$tmp/gvt" O="$tmp/changed" CFLAGS=-O0 SANITIZE= all >"$tmp/output" 2>&1; then
		result 1 "$1: the core is made"
		return
	fi
	n=0
	for trace in "$tmp"/*-preemptive.trace; do
		"$tmp/changed/gvt-sim" --replay "$trace" >"$tmp/output" 2>&1 || n=$((n + 1))
	done
	echo "found in $n" >>"$tmp/output"
	[ "$n" -ge "$2" ]
	result $? "$1"
}

found 'turns twice as long are found' 3 GVT_SCHED_TURN_NS 1 2
found 'taking a turn that has just begun once in 6 ms instead of 5 is found' 1 GVT_SCHED_CUT_IN_NS 5 6

one=$tmp/small-vs-pieces-strict-preemptive.trace

# differs NAME SED-EXPRESSION...: with that change of the trace something is not made again
differs()
{
	name=$1
	shift
	sed "$@" "$one" >"$tmp/changed.trace"
	if cmp -s "$one" "$tmp/changed.trace"; then
		echo 'the trace is as it was' >"$tmp/output"
		result 1 "$name"
		return
	fi
	replay "$tmp/changed.trace"
	[ $? -eq 1 ] && grep -q 'not made again\|made now\|has another state' "$tmp/output"
	result $? "$name"
}

line=$(grep -n gvt_sched_switch "$one" | tail -n 20 | sed -n 1p | cut -d : -f 1)
differs 'a switch that is missing is found' "${line}d"
differs 'a switch to another vGPU is found' "${line}s/next_vgpu_id=[0-9]*/next_vgpu_id=7/"
differs 'a switch for another reason is found' "${line}s/reason=[0-9]*/reason=7/"
differs 'a slice that is a ns longer is found' "${line}s/prev_left_ns=\(-*[0-9]*\)[0-9]/prev_left_ns=\1x/"
differs 'another policy is found' 's/policy=strict/policy=fair/'
differs 'other weights are found' 's/vgpu_id=1 weight=2/vgpu_id=1 weight=9/'
differs 'another period is found' 's/period_ns=100000000/period_ns=90000000/'
value=$(grep -n 'value=.* name=rq.turn_since' "$one" | tail -n 1 | cut -d : -f 1)
differs 'another state at the end is found' "${value}s/value=/value=1/"
last=$(grep -n 'gvt_lane_input.* input=7 ' "$one" | tail -n 20 | sed -n 1p | cut -d : -f 1)
differs 'an input that is missing is found' "${last},$((last + 6))d"

# What is not followed ends what is known, until the state is told again
middle=$(($(wc -l <"$one") / 3))
sed "${middle}s/^\([0-9]*\) .*/\1 0 gvt_sched_setting vgpu_id=0 setting=x/" "$one" >"$tmp/changed.trace"
replay "$tmp/changed.trace"
[ $? -eq 0 ] && grep -q ' 1 changes that are not followed' "$tmp/output"
result $? 'after a change of settings it goes on with the next state'
middle=$(grep -n 'gvt_lane_input.* class=1 .* input=7 ' "$one" | sed -n 99p | cut -d : -f 1)
sed "${middle}{p;s/input=7 /input=9 /}" "$one" >"$tmp/changed.trace"
replay "$tmp/changed.trace"
[ $? -eq 0 ] && grep -q ' 1 changes that are not followed' "$tmp/output"
result $? 'after a workload that could not be preempted it goes on with the next state'

# Each time it begins again with nothing of before: leaks are told by the sanitized one
awk '/gvt_sched_info/ && ++n > 1 { print $1 " 0 gvt_sched_setting vgpu_id=0 setting=x" } { print }' "$one" >"$tmp/changed.trace"
ASAN_OPTIONS=detect_leaks=1 "$GVT_SIM_SANITIZED" --replay "$tmp/changed.trace" >"$tmp/output" 2>&1 &&
	grep -q ' [1-9][0-9]* changes that are not followed' "$tmp/output"
result $? 'beginning again and again leaves nothing behind'

# --- bad traces -----------------------------------------------------------------------
# refused NAME PART <trace
refused()
{
	"$GVT_SIM_SANITIZED" --replay >"$tmp/output" 2>&1
	[ $? -eq 2 ] && grep -qF -- "$2" "$tmp/output"
	result $? "refused: $1"
}
refused 'nothing' 'no gvt_lane_value and gvt_sched_info' </dev/null
grep -v gvt_lane_value "$one" >"$tmp/bad"
refused 'no state' 'no gvt_lane_value and gvt_sched_info' <"$tmp/bad"
grep -v gvt_sched_info "$one" >"$tmp/bad"
refused 'no settings' 'gvt_sched_info' <"$tmp/bad"
grep -v gvt_lane_input "$one" >"$tmp/bad"
refused 'no inputs' 'no gvt_lane_input' <"$tmp/bad"
{ tail -n 5 "$one"; cat "$one"; } >"$tmp/bad"
refused 'events that are not in order' 'not in the order of time' <"$tmp/bad"
sed 's/weight=2/weight=-2/' "$one" >"$tmp/bad"
refused 'a weight below 0' 'a vGPU that cannot be' <"$tmp/bad"
sed '/gvt_vgpu_info/s/vgpu_id=2/vgpu_id=3/' "$one" >"$tmp/bad"
refused 'the state of a vGPU that is not there' 'of what is not there' <"$tmp/bad"
sed 's/period_ns=100000000/period_ns=0/' "$one" >"$tmp/bad"
refused 'a period of nothing' 'the setting period_ms cannot be 0' <"$tmp/bad"
sed 's/input=7 /input=70 /' "$one" >"$tmp/bad"
refused 'an input that there is not' 'an input that cannot be' <"$tmp/bad"

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
