#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every scenario of the suite: it runs, nothing is lost, the trace agrees with
# what the device saw; and GVT-g with our patches schedules as without them.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
confs=$(dirname "$0")/../scenario/scenarios
scenarios=$(cd "$confs" && printf '%s\n' *.conf | sed 's/\.conf$//')
# upstream's figures that paper 000 and emulated-GPU measurements are about
figures="solo idle-neighbour small-vs-large"
# no figure is taken from these, so a quarter of their window will do
shortened="small-small small-vs-pieces two-engines"

# run_one NAME SCENARIO OPTION...: leaves its exit code in $work/NAME.code
run_one() {
	local name=$1 scenario=$2
	shift 2
	"$rig" run "$scenario" --out "$work/$name" "$@" >"$work/$name.log" 2>&1
	echo $? >"$work/$name.code"
}

# file_of SCENARIO
file_of() {
	local conf=$confs/$1.conf
	if [[ " $shortened " == *" $1 "* ]]; then
		{ cat "$conf" && echo 'duration = "5s"'; } >"$work/$1.conf"
		conf=$work/$1.conf
	fi
	echo "$conf"
}

# Two at a time: the machine is expected to have two cores. The first run
# builds what is missing, which two runs must not do at once.
run_all() {
	local scenario
	run_one quick "$(dirname "$0")/quick.conf"
	for scenario in $scenarios; do
		printf '%s\n' "$scenario $(file_of "$scenario")"
	done >"$work/queue"
	for scenario in $figures; do
		printf '%s\n' "$scenario.stock $scenario --kvmgt stock --no-trace"
	done >>"$work/queue"
	export -f run_one
	export rig work
	# shellcheck disable=SC2016 # expanded by the inner shell
	xargs -P 2 -I '{}' bash -c 'set -- {}; run_one "$@"' <"$work/queue"
}

succeeded() {
	cat "$work/$1.log"
	[ "$(cat "$work/$1.code")" -eq 0 ]
}

nothing_lost() {
	grep . "$work/$1/trace-stats.log" && ! grep -v ': 0$' "$work/$1/trace-stats.log"
}

# All that is said of a recording must sum up
consistent() {
	"${O:-$top/build}/gvt-stat/gvt-stat" report --json -i "$work/$1/trace.dat" --tsc-khz 1000000 | jq -e '.contradictions == []'
}

# Only a scenario that is about hangs may lose work.
no_stream_failed() {
	grep '^RESULT' "$work/$1/load.log" || return 1
	[ "$1" = hang ] || ! grep '^RESULT' "$work/$1/load.log" | grep -qv ' failed=0 hangs=0 '
}

# same_figures SCENARIO: workloads done within 1 % of the stock module's, or
# one workload where 1 % is less than that
same_figures() {
	paste -d ' ' <(grep '^RESULT' "$work/$1.stock/load.log") <(grep '^RESULT' "$work/$1/load.log") | awk '
		{
			n = 0
			for (i = 1; i <= NF; i++)
				if (sub(/^done=/, "", $i))
					done[++n] = $i
			print $2 ": stock", done[1], "ours", done[2]
			difference = done[2] - done[1]
			if (n != 2 || difference * difference > 1 && difference * difference > (done[1] / 100) ^ 2)
				bad = 1
		}
		END { exit bad || !NR }'
}

run_all
for scenario in $scenarios; do
	check "$scenario: runs" succeeded "$scenario"
	check "$scenario: no stream failed" no_stream_failed "$scenario"
	check "$scenario: no event was lost" nothing_lost "$scenario"
	check "$scenario: the trace does not contradict itself" consistent "$scenario"
	check "$scenario: the trace is the device's" "$rig" verify "$work/$scenario"
	sed 's/^/#   /' "$tmp/output"
done
for scenario in $figures; do
	check "$scenario: scheduled as without our patches" same_figures "$scenario"
	sed 's/^/#   /' "$tmp/output"
done
finish
