#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A flight recorder on the host keeps what was before a neighbour's long workloads, and before a hang;
# gvt-stat names the culprit from the file, which has the time before of every CPU. And what it costs.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
gvt_stat=${GVT_STAT:-${O:-$top/build}/gvt-stat/gvt-stat}

[ -x "$gvt_stat" ] || bail "gvt-stat is not built: make build-tools"
mkdir "$work/gvt"
ldd "$gvt_stat" | sed -n 's/.*=> \(\S*\).*/\1/p' | xargs cp -L -t "$work/gvt" "$gvt_stat" || bail "cannot copy gvt-stat"
cat >"$work/run" <<'END'
#!/bin/sh
uuids=$(awk '$3 == "client" { printf "%s%s=%s", sep, $1, $2; sep = "," }' /run.vgpus)
export LD_LIBRARY_PATH=/gvt
# begin KEPT: a recorder with all conditions
begin() {
	/gvt/gvt-stat record -C x86-tsc --keep $1 --after 500ms --on 'reset:3' --on 'p99:1>50ms' --on 'idle-waiting>90%' \
		-o /out/trace.dat &
	recorder=$!
}
end() {
	kill $recorder
	wait $recorder
}
# nanoseconds of a CPU, which are instructions here, and the time
cost() {
	echo "cost $(cut -d ' ' -f 1 /proc/$recorder/schedstat) $(awk '/^now/ { print $3; exit }' /proc/timer_list)"
}
rig-load --scenario /rig/scenario.conf --uuids "$uuids" &
load=$!
begin 30s
sleep 1
cost
sleep 2
cost
end
begin 3s
until [ "$(echo /out/trace-*-reset-3.dat)" != '/out/trace-*-reset-3.dat' ] || ! kill -0 $load; do sleep 0.5; done
kill $load
end
END
chmod +x "$work/run"
check "a flight recording" "$rig" exec "$work/run" --scenario "$(dirname "$0")/flight.conf" --add "$work/gvt:/gvt" \
	--out "$work/out"
sed 's/^/# /' "$work/out/output.log"

cost=$(awk '$1 == "cost" { if (cpu) print 100 * ($2 - cpu) / ($3 - at); cpu = $2; at = $3 }' "$work/out/output.log")
check "with three conditions and three vGPUs it takes at most 0.1 % of a CPU ($cost %)" \
	awk -v cost="$cost" 'BEGIN { exit !(cost > 0 && cost <= 0.1) }'

# covers FILE: of each CPU, the 3 s before the trigger
covers() {
	trace-cmd report -i "$1" 2>/dev/null | awk '
		match($0, /\[[0-9]+\] +[0-9]+:/) { split(substr($0, RSTART, RLENGTH), words, / +|:/); cpu = words[1]; at = words[2]
			if (!(cpu in first)) first[cpu] = at }
		/gvt-stat-meta trigger/ && !trigger { trigger = at }
		# the most active CPUs of a small load have an event in some hundredths of a second
		END { for (cpu in first) { cpus++; print cpu, trigger - first[cpu]; bad += trigger - first[cpu] < 2.9e9 }
			exit cpus != 2 || !trigger || bad }'
}

set -- "$work"/out/trace-*-p99-1-50ms.dat
check "long waits have a file" [ -e "$1" ]
check "which has the time before, of both CPUs" covers "$1"
"$gvt_stat" why --vgpu 1 --tsc-khz 1000000 -i "$1" >"$work/why"
check "and why names the neighbour" grep -q "BECAUSE OF" "$work/why"
check "with its long workloads" grep -Eq "^rcs0 .* the turn of vGPU 2$" "$work/why"
"$gvt_stat" check --tsc-khz 1000000 -i "$1" >"$work/check"
check "so does check" grep -Eq "work of vGPU 1 on rcs0 had to wait for vGPU 2 for up to (19|20)[0-9]\." "$work/check"
set -- "$work"/out/trace-*-reset-3.dat
check "a hang has a file" [ -e "$1" ]
"$gvt_stat" check --tsc-khz 1000000 -i "$1" >"$work/check"
check "and check names the vGPU" grep -q "1 workload of vGPU 3 on rcs0 failed" "$work/check"
finish
