#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every analysis on real traces of the rig: sums are exact, execution is what the
# emulated device itself has logged, and the right cause is named.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(dirname "$0")/rig
parts=other_ns,throttled_ns,capped_ns,held_ns,switching_ns,own_ns,dispatch_ns,i915_ns,exec_ns,preempted_ns,completion_ns,unknown_ns
tsc="--tsc-khz 1000000"

# The kernel sees starts early and stops late by some microseconds, never the reverse by much.
TOLERANCE_NS=20000

# truth NAME: pieces that differ from the device's log, and how many were compared. Those
# without both ends are not in the log's window.
truth()
{
	# shellcheck disable=SC2086 # several words
	"$GVT_STAT" list workloads --pieces --csv $tsc -i "$tmp/$1.dat" 2>"$tmp/err" | tr -d '\r' |
		awk -F, 'NR > 1 && $5 != "" && $6 != "" { print $3, $5, $6 }' | sort -k1,1 -k2,2n >"$tmp/pieces"
	grep -v '^#' "$here/$1.truth" | awk '{ print $1, $4, $5 }' | sort -k1,1 -k2,2n >"$tmp/truth"
	awk -v tolerance="$TOLERANCE_NS" '
		function far(a, b) { return a - b > tolerance || b - a > tolerance }
		NR == FNR { engine[NR] = $1; from[NR] = $2; to[NR] = $3; count = NR; next }
		{
			for (at = 1; at <= count; at++)
				if (engine[at] == $1 && !far(from[at], $2) && !far(to[at], $3)) {
					matched++; from[at] = -1; next
				}
			print "not on the device:", $0
		}
		END { print matched + 0, count - matched }' "$tmp/truth" "$tmp/pieces"
}

# causes NAME: exit status of check, and the rules that found something, worst first
causes()
{
	# shellcheck disable=SC2086 # several words
	"$GVT_STAT" check --json $tsc -i "$tmp/$1.dat" >"$tmp/out.json"
	echo "$? $(jq -r '[.findings[] | .rule + (if .vgpu_id then " \(.vgpu_id)" else "" end)] | join(", ")' "$tmp/out.json")"
}

for name in idle-neighbour small-vs-large small-vs-large-fair two-engines; do
	xz -dc "$here/$name.trace.xz" | mktrace "$name"
	# shellcheck disable=SC2086 # several words
	workloads "$name" "state,total_ns,unknown_ns,$parts" $tsc | awk -F, '
		$1 == "complete" {
			sum = 0
			for (i = 4; i <= NF; i++) { sum += $i; negative += $i < 0 }
			wrong += sum != $2; count++; unknown += $3 > 0
		}
		END { print (count > 30), wrong + 0, negative + 0, unknown + 0 }' >"$tmp/sums"
	is "$name: every workload's parts sum to the whole, few have an unknown one" "1 0 0" \
		"$(cut -d ' ' -f 1-3 "$tmp/sums")"
	[ "$(cut -d ' ' -f 4 "$tmp/sums")" -le 5 ]
	result $? "$name: nearly nothing is unknown"
	# shellcheck disable=SC2086 # several words
	is "$name: reasons sum to the window" true "$("$GVT_STAT" why idle --json $tsc -i "$tmp/$name.dat" |
		jq -c '.window_ns as $w | [.gaps | group_by(.engine)[] | map(.time_ns) | add == $w] | all')"
	# shellcheck disable=SC2086 # several words
	is "$name: busy is the report's execution" true "$(
		{ "$GVT_STAT" why idle --json $tsc -i "$tmp/$name.dat"
		  "$GVT_STAT" report --json $tsc -i "$tmp/$name.dat"; } | jq -cs '
		([.[0].gaps[] | select(.reason == "busy") | [.engine, .time_ns]] | sort) ==
		([.[1].gpus[0].engines[] | [.engine, .exec_ns]] | sort)')"
done
is "idle-neighbour: execution as the device has logged it" "53 0" "$(truth idle-neighbour)"
is "small-vs-large: execution as the device has logged it" "39 0" "$(truth small-vs-large)"
is "small-vs-large-fair: execution as the device has logged it" "84 0" "$(truth small-vs-large-fair)"
is "two-engines: execution as the device has logged it" "83 0" "$(truth two-engines)"

# Recorded before kvmgt told of the host: its events are missing
is "idle-neighbour: the idle neighbour is the cause" "2 missing, throttled 1" "$(causes idle-neighbour)"
matches "idle-neighbour: evidence and remedy" \
	"*vGPU 2 executed for 0.0 % of the time and is entitled to 50.0 %*Remedy: *policy work-conserving*gvt_sched/policy*" \
	"$("$GVT_STAT" check --tsc-khz 1000000 -i "$tmp/idle-neighbour.dat")"
matches "small-vs-large: long workloads are the cause" "2 missing, blocked 1, drain 2, *" "$(causes small-vs-large)"
is "small-vs-large-fair: the length of workloads is left, and what is kept idle" "2 missing, blocked 1, drain 2, held" \
	"$(causes small-vs-large-fair)"
is "small-vs-large-fair: the GPU is held for the small one, nothing is throttled" "held 1 true, throttled 0" "$(
	"$GVT_STAT" why waits --csv $tsc -i "$tmp/small-vs-large-fair.dat" | tr -d '\r' | awk -F, '
	$2 == 2 && $4 == "held" { held = $5 " " ($6 > 200000000 ? "true" : "false") }
	$4 == "throttled" { throttled++ }
	END { print "held " held ", throttled " throttled + 0 }')"
is "two-engines: that turns are of all engines is the cause, and nothing else" "2 missing, stranded, stranded" \
	"$(causes two-engines)"

finish
