#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Means, intervals and judgement, computed by hand from made-up runs; RIG_NEVER_WORSE is the
# program.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
program=${RIG_NEVER_WORSE:?path of rig-never-worse}

# a_run MODE NUMBER SMALL_PERCENT LARGE_PERCENT MEAN_MS P99_MS [SCENARIO]
a_run() {
	local dir=$work/runs/default/$1/${7:-s}
	mkdir -p "$dir"
	jq -n --argjson s "$3" --argjson l "$4" --argjson m "$5" --argjson p "$6" '{ vgpus: {
		small: { exec_percent: $s, had_percent: ($s * 1.1), weight_percent: 20, streams: { render: {
			latency_mean_ns: ($m * 1e6), latency_p99_ns: ($p * 1e6) } } },
		large: { exec_percent: $l, had_percent: $l, weight_percent: 80, streams: {} } } }' >"$dir/$2.json"
}

run() {
	"$program" --rows "$work/rows" --runs "$work/runs" --settings "${settings:-default}" --number "${n:-3}"
}

# prints LINE: among what the program says
prints() {
	run >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	cat "$work/out"
	grep -qxF -- "$1" "$work/out"
}

echo 'a s 0.98 small,large small alone 0.6 4
# a comment
alone t - - small - - 4' >"$work/rows"
for i in 1 2 3; do
	a_run exclusive $i 10 40 20 30
	a_run per-engine $i 10 40 10 40
	# service for the weight: 0.5 and 0.5, 0.49, 0.48: ratios 1, 0.98, 0.96
	a_run preemptive $i 10 "$(awk -v i=$i 'BEGIN { print 40 * (1 - (i - 1) * 0.02) }')" "$((9 + i))" 31
	a_run preemptive $i 10 40 5 29.9 t
done

# s = 0.02, t(0.975, 2) = 4.303: 4.303 * 0.02 / sqrt(3) = 0.0497
check "fairness with its interval" prints \
	"| a | default | least/most service | 1.000 +-0.000 | 1.000 +-0.000 | 0.980 +-0.050 | >= 0.980 | met, within the interval |"
# mean 11 and s = 1: 4.303 / sqrt(3) = 2.48; the better other one is 10
check "mean latency against the better other mode" prints \
	"| a | default | mean latency, ms | 20.00 +-0.00 | 10.00 +-0.00 | 11.00 +-2.48 | <= 10.50 | **missed**, within the interval |"
check "p99 latency" prints \
	"| a | default | p99 latency, ms | 30.00 +-0.00 | 40.00 +-0.00 | 31.00 +-0.00 | <= 31.50 | met |"
check "against the same client alone" prints \
	"| a | default | p99 latency against alone, ms | 30.00 +-0.00 | 40.00 +-0.00 | 31.00 +-0.00 | <= 30.50 | **missed** |"
check "what only one mode has cannot be judged" prints \
	"| alone | default | p99 latency, ms | unknown | unknown | 29.90 +-0.00 | unknown | unknown |"
sed -i '1s/small,large/+small,large/' "$work/rows"
check "with the gaps before workloads" prints \
	"| a | default | least/most service | 0.909 +-0.000 | 0.909 +-0.000 | 0.891 +-0.045 | >= 0.980 | **missed** |"
sed -i '1s/+//' "$work/rows"
check "the sum" prints "2 met, 2 missed, 2 unknown; n = 3"

n=4 check "a run that is missing is left out" prints \
	"| a | default | p99 latency, ms | 30.00 +-0.00 | 40.00 +-0.00 | 31.00 +-0.00 | <= 31.50 | met |"
n=1 check "one run has no interval" prints \
	"| a | default | p99 latency, ms | 30.00 | 40.00 | 31.00 | <= 31.50 | met |"
settings=harsh check "nothing is unknown, not 0" prints \
	"| a | harsh | least/most service | unknown | unknown | unknown | >= 0.980 | unknown |"

echo '{' >"$work/runs/default/exclusive/s/2.json"
check "a damaged run" says 'exclusive/s/2.json: ' run
echo 'a s 0.98 small' >"$work/rows"
check "a row that is too short" says "$work/rows:1: not a row: write 7 words" run
echo 'a s x small small - - 4' >"$work/rows"
check "a word that is no number" says "$work/rows:1: not a row" run
check "no table" says "No such file" "$program" --rows "$work/none" --runs "$work" --settings default --number 1
no_runs() {
	! "$program" --rows "$work/rows" --runs "$work" --settings default --number 0 2>"$work/err" &&
		grep -qF -- "--number: '0' is not 1 to 1000" "$work/err"
}
check "no runs" no_runs
finish
