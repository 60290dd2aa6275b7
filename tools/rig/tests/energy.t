#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The energy that gvt-stat says each vGPU has used is what the device's log says, although gvt-stat
# has only the GPU's counter; in turns of all engines, too, and whatever the law.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
scenario=$top/tools/gvt-stat/tests/energy.conf
gvt_stat=${GVT_STAT:-${O:-$top/build}/gvt-stat/gvt-stat}

[ -x "$gvt_stat" ] || bail "gvt-stat is not built: make build-tools"
# else the run, which has it, would be another one for each checkout
check "gvt-stat does not name the directory that it was built in" bash -c "! grep -qaF '$top/' '$gvt_stat'"
# gvt-stat with its libraries, and the module for /dev/cpu/0/msr, which the image does not have
mkdir "$work/gvt"
ldd "$gvt_stat" | sed -n 's/.*=> \(\S*\).*/\1/p' | xargs cp -L -t "$work/gvt" "$gvt_stat" || bail "cannot copy gvt-stat"
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
module=$("$top/scripts/kernel-image" "$kver")/lib/modules/$kver/kernel/arch/x86/kernel/msr.ko.xz
xz -dc "$module" >"$work/gvt/msr.ko" || bail "cannot unpack $module"

# the whole load is in the recording, so that all of the log is of the same time
cat >"$work/run" <<'END'
#!/bin/sh
insmod /gvt/msr.ko || exit
uuids=$(awk '$3 == "client" { printf "%s%s=%s", sep, $1, $2; sep = "," }' /run.vgpus)
export LD_LIBRARY_PATH=/gvt
exec /gvt/gvt-stat record -C x86-tsc --energy=HZ simulate -e i915:i915_request_add -o /out/trace.dat -- \
	rig-load --scenario /rig/scenario.conf --uuids "$uuids"
END

# measure NAME HZ OPTION...: $work/NAME.json holds what gvt-stat says, $work/NAME.truth what the log does
measure() {
	local name=$1 hz=$2
	shift 2
	sed "s/=HZ/=$hz/" "$work/run" >"$work/run.$hz"
	chmod +x "$work/run.$hz"
	"$rig" exec "$work/run.$hz" --scenario "$scenario" --add "$work/gvt:/gvt" --out "$work/$name" "$@" >"$work/out" 2>&1 ||
		{ cat "$work/out" "$work/$name/output.log"; return 1; }
	"$gvt_stat" energy --tsc-khz 1000000 --json -i "$work/$name/trace.dat" >"$work/$name.json" || return
	# its verdict is on the whole life of the vGPUs, of which the recording is not
	"$rig" verify "$work/$name" --json >"$work/$name.truth"
	[ -s "$work/$name.truth" ]
}

# worst NAME: the largest deviation of a vGPU, in percent of what it drew
worst() {
	jq -n --slurpfile told "$work/$1.json" --slurpfile truth "$work/$1.truth" '
		[1, 2 | . as $id | ([$truth[0].energy.shares[] | select(.vgpu_id == $id) | .fair_joules] | add) as $joules |
			$told[0].shares[] | select(.vgpu_id == $id) | 100 * (.joules / $joules - 1) | fabs] |
		if length == 2 then max else 100 end'
}

# compare WHAT NAME LIMIT
compare() {
	local off
	off=$(worst "$2")
	echo "# worst vGPU: $off %"
	check "$1: each vGPU's joules are those of the log, by $3 % at most" awk -v off="$off" -v most="$3" \
		'BEGIN { exit !(off <= most) }'
}

# works NAME MEDIAN P95: each workload's energy; half are off by MEDIAN percent at most, 95 of 100 by P95. The worst one is the
# last before the GPU falls idle, or executes while the frequency rises: it is printed, but not judged.
works() {
	local off
	off=$("$top/tools/rig/tests/energy-works" "$gvt_stat" "$work/$1")
	echo "# workloads, off by percent: $off"
	check "$1: half of the workloads' joules are those of the log by $2 %, 95 of 100 by $3 % and within their ranges" \
		jq -ne --argjson off "${off:-null}" --argjson median "$2" --argjson p95 "$3" \
		'$off.workloads > 500 and $off.median <= $median and $off.p95 <= $p95 and $off.within >= 95'
}

check "a recording with energy, 100 Hz" measure linear 100
cat "$work/linear/output.log"
compare "linear" linear 1
works linear 1 5
check "shares sum up to the counter" jq -e '(([.shares[] | select(.kind != "total") | .joules] | add) - .counter.joules | fabs) < 1e-9' \
	"$work/linear.json"
check "nearly all samples are at an update of the counter" jq -e '.counter | .on_edges > 0.9 * .samples' "$work/linear.json"
check "a recording with turns of all engines, 1000 Hz" measure turns 1000 --set gvt_sched/dispatch=exclusive
compare "in turns" turns 1
works turns 1 5
# leaky: the power rises with the temperature. All of the rise is RC0's, of which the log gives everyone who executes the same
# part, gvt-stat one in proportion to their powers: vGPU 1 renders for 2 % too much, and decodes for 1 % too little. In
# twelve recordings, at rates from 96 to 106 Hz, half of the workloads were off by 0.4 to 2.4 %, 95 of 100 by 2.1 to 5.7 %.
for law in "overlap 1 5" "leaky 5 12"; do
	read -r law median p95 <<<"$law"
	check "a recording under the law $law" measure $law 100 --gpu power-law=$law
	compare "$law" $law 5
	works $law "$median" "$p95"
done
finish
