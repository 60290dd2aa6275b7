#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The host's work of 60 Hz beside two busy vGPUs that submit as Linux does: with host_first a frame takes little more than
# alone, at nobody's expense, and what is traced of it stays what the device did.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
bench=$(dirname "$0")/../bench/host
columns=fair-preemptive,fair-preemptive-first

measure() {
	"$bench" --rows linux --columns $columns --out "$work/bench" --json >"$work/host.json" 2>"$work/err" ||
		{ cat "$work/err"; return 1; }
}

# value FIGURE COLUMN
value() {
	jq -r --arg figure "$1" --arg column "$2" '.lines[] | select(.figure | startswith($figure)) | .values[$column]' \
		"$work/host.json"
}

# at_most FIGURE COLUMN LIMIT
at_most() {
	local value
	value=$(value "$1" "$2")
	echo "$value"
	awk -v value="$value" -v limit="$3" 'BEGIN { exit !(value + 0 > 0 && value + 0 <= limit + 0) }'
}

longer() {
	awk -v with="$(value "host: frame, p99" "$1-first")" -v without="$(value "host: frame, p99" "$1")" 'BEGIN {
		print without, with
		exit !(with > 0 && without > 1.5 * with)
	}'
}

# as_before FIGURE COLUMN - within 1 % of what it is without host_first
as_before() {
	awk -v with="$(value "$1" "$2-first")" -v without="$(value "$1" "$2")" 'BEGIN {
		print without, with
		exit !(without > 0 && with > 0.99 * without && with < 1.01 * without)
	}'
}

# All that is said of the recordings must sum up
consistent() {
	local trace count=0
	for trace in "$work"/bench/runs/*/trace.dat; do
		"${O:-$top/build}/gvt-stat/gvt-stat" report --json -i "$trace" --tsc-khz 1000000 | jq -e '.contradictions == []' || return
		count=$((count + 1))
	done
	[ $count -eq 2 ]
}

check "the runs" measure
check "the recordings do not contradict themselves" consistent
check "a frame of 3 ms takes 4.5 ms at most" at_most "host: frame, p99" fair-preemptive-first 4.5
check "without host_first it takes longer" longer fair-preemptive
check "the vGPU with 18 ms workloads has what it had" as_before "vGPU with 18 ms" fair-preemptive
check "that with 60 ms, too" as_before "vGPU with 60 ms" fair-preemptive
check "each stay is traced as the device has it" at_most "host, traced against" fair-preemptive-first 50
finish
