#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Intel's IGT in a guest, beside two busy vGPUs: each of its tests gives the same with the stock
# kvmgt.ko and with ours in each dispatch mode (make check-igt; 20 minutes). The runs' results are
# left in build/igt.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
results=${O:-$top/build}/igt

outputs=()
# Stock has no settings, and is as strict with exclusive is
runs=(stock strict-exclusive fair-per-engine fair-preemptive)

options() {
	[ "$1" != stock ] || { echo "--kvmgt stock"; return; }
	echo "--set gvt_sched/policy=${1%%-*} --set gvt_sched/dispatch=${1#*-}"
}

# run_one NAME OPTION...: leaves its exit code in NAME.code
run_one() {
	local name=$1
	shift
	"$rig" run "$here/igt.conf" --no-trace --guest-add "$tree/usr:/usr" --guest-add "$tree/lib64:/lib64" \
		--guest-add "$here/run:/igt/run" --guest-add "$here/entries:/igt/entries" \
		--out "$results/$name" "$@" >"$results/$name.log" 2>&1
	echo $? >"$results/$name.code"
}

# Two at a time, as each keeps one core busy
run_all() {
	local name
	export -f run_one
	export rig here tree results
	for name in "${runs[@]}"; do
		echo "$name $(options "$name")"
	done >"$work/queue"
	# shellcheck disable=SC2016 # expanded by the inner shell
	xargs -P 2 -I '{}' bash -c 'set -- {}; run_one "$@"' <"$work/queue"
}

ended() {
	cat "$results/$1.log"
	[ "$(cat "$results/$1.code")" -eq 0 ] && [ "$(cat "$results/$1/guest-igt.exit")" -eq 0 ]
}

no_complaint() {
	! grep -E 'WARNING|BUG|Oops|blocked for more than' "$results/$1/dmesg.log"
}

neighbours_lose_nothing() {
	grep '^RESULT vgpu=[ab] ' "$results/$1/load.log" && ! grep '^RESULT' "$results/$1/load.log" | grep -v ' failed=0 hangs=0 '
}

# show_comparison: results in lines that begin with 0 or 1, and what belongs to them
show_comparison() {
	local line
	: >"$work/output"
	while IFS= read -r line; do
		case $line in
		[01]" "*) result "${line%% *}" "${line#* }" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}

mapfile -t programs < <(awk 'NF && !/^#/ { print $1 }' "$here/entries")
tree=$("$here/fetch-igt" "${programs[@]}") || skip_all "IGT's tests cannot be had: see above"
echo "# $(cat "$tree/version")"
rm -rf "$results"
mkdir -p "$results"
# what is missing is built once
"$rig" run "$here/igt.conf" --digest >/dev/null || bail "the rig cannot be built"
run_all
for name in "${runs[@]}"; do
	check "$name: the guest runs all tests" ended "$name"
	check "$name: the host's kernel has not complained" no_complaint "$name"
	check "$name: the guest's neighbours lose no work" neighbours_lose_nothing "$name"
done
for name in "${runs[@]}"; do
	outputs+=("$name=$results/$name/guest-igt.out")
done
show_comparison < <("$here/compare" "$here/known-failures" "$here/entries" "${outputs[@]}")
finish
