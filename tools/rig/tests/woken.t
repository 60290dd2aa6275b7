#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No wake-up of an engine's thread is lost: an engine is never idle for long with a workload
# that may go to it, under each policy with each dispatch mode. Whoever lost one would wait
# for what another vGPU does next, some ms here.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/woken
gvt_stat=${O:-$top/build}/gvt-stat/gvt-stat
out=$work/out

# As long as the reset of an engine takes, by which a workload ends
limit_us=1500

# longest MODE REASON...: how long, in us, an engine was idle at once for these at most
longest() {
	local mode=$1
	shift
	"$gvt_stat" why idle -i "$out/$mode.dat" --json >"$work/gaps.json" || return
	jq '[.gaps[] | select(.reason | IN($ARGS.positional[])) | .longest_ns] | max / 1000 | floor' \
		--args "$@" <"$work/gaps.json"
}

# is_woken MODE REASON...
is_woken() {
	local us
	us=$(longest "$@") || return
	echo "# $1: ${*:2}: $us us" >&3
	[ "$us" -le $limit_us ]
}

all_played() {
	[ "$(cat "$out"/*-*.log | grep -c '^RESULT .* done=[1-9].* failed=0 ')" -eq $((9 * 6)) ]
}

exec 3>&1
check "the machine runs to its end" "$rig" exec "$here/play" --scenario "$here/woken.conf" --out "$out"
set -- "$out"/*.dat
is "all modes were played" 9 $#
check "each stream had something done in each" all_played
for file; do
	mode=${file##*/} mode=${mode%.dat}
	check "$mode: an engine's thread is woken up for what may go" is_woken "$mode" dispatch
	# with exclusive dispatch an engine waits for what others execute
	[[ $mode == *-exclusive ]] || check "$mode: and for whose turn begins" is_woken "$mode" switching stranded
done
finish
