#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What i915 says of RC6 and of the frequency, in sysfs and by its PMU, is what the device's log says,
# within 1 %: with the host's work alone, and with vGPUs.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
gvt_stat=${GVT_STAT:-${O:-$top/build}/gvt-stat/gvt-stat}

[ -x "$gvt_stat" ] || bail "gvt-stat is not built: make build-tools"
make -s -C "$top/tools/rig/load" all >&2 || bail "cannot build the load client"
mkdir "$work/gvt"
ldd "$gvt_stat" | sed -n 's/.*=> \(\S*\).*/\1/p' | xargs cp -L -t "$work/gvt" "$gvt_stat" || bail "cannot copy gvt-stat"
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
module=$("$top/scripts/kernel-image" "$kver")/lib/modules/$kver/kernel/arch/x86/kernel/msr.ko.xz
xz -dc "$module" >"$work/gvt/msr.ko" || bail "cannot unpack $module"

# work with pauses, and a second of RC6
cat >"$work/gvt/load" <<'END'
#!/bin/sh
uuids=$(awk '$3 == "client" { printf "%s%s=%s", sep, $1, $2; sep = "," }' /run.vgpus 2>/dev/null)
if [ -n "$uuids" ]; then
	rig-load --scenario /rig/scenario.conf --uuids "$uuids"
else
	rig-i915-load --engine rcs0 --exec 5ms --depth 2 --count 100
	for n in 1 2 3; do
		rig-i915-load --engine rcs0 --exec 3ms --depth 1 --count 9
		sleep 0.05
	done
fi
sleep 1
END
# the device writes a line when a state ends: thus the last work
cat >"$work/run" <<'END'
#!/bin/sh
insmod /gvt/msr.ko || exit
LD_LIBRARY_PATH=/gvt /gvt/gvt-stat record -C x86-tsc --energy simulate -e i915:i915_request_add -o /out/trace.dat -- /gvt/load || exit
echo "rc6_ms $(cat /sys/class/drm/card0/gt/gt0/rc6_residency_ms)"
rig-i915-load --engine rcs0 --exec 1ms --depth 1 --count 2
END
chmod +x "$work/run" "$work/gvt/load"

# log NAME FROM_NS TO_NS: ms in RC6, and the mean frequency of the rest, by the device
log() {
	awk -v from="$2" -v to="$3" '/^# power (rc6|idle|active) / {
		begin = $4 > from ? $4 : from
		end = $5 < to ? $5 : to
		if (end <= begin) next
		if ($3 == "rc6") rc6 += end - begin
		else { rest += end - begin; mhz += (end - begin) * $6 }
	} END { printf "%.3f %.3f\n", rc6 / 1e6, mhz / rest }' "$work/$1/truth.log"
}

# agree WHAT VALUE WANTED
agree() {
	check "$1: $2, $3 by the device" awk -v value="$2" -v wanted="$3" \
		'BEGIN { exit !(wanted > 0 && value / wanted <= 1.01 && value / wanted >= 0.99) }'
}

# measure NAME OPTION...
measure() {
	local name=$1 from to rc6 mhz
	shift
	check "$name: a recording" "$rig" exec "$work/run" --gpu power-law=linear --add "$work/gvt:/gvt" --out "$work/$name" \
		--add "${O:-$top/build}/rig-load/rig-i915-load:/bin/rig-i915-load" "$@"
	sed 's/^/# /' "$work/$name/output.log"
	read -r from to < <(trace-cmd report -i "$work/$name/trace.dat" 2>/dev/null |
		sed -n 's/.* \([0-9]*\): print:.* rc6_ns=.*/\1/p' | sed -n '1p;$p' | tr '\n' ' ')
	read -r rc6 mhz < <(log "$name" "$from" "$to")
	"$gvt_stat" energy --tsc-khz 1000000 --json -i "$work/$name/trace.dat" >"$work/$name.json"
	agree "$name: ms in RC6 by the PMU" "$(jq ".gpu.rc6_percent * ($to - $from) / 1e8" "$work/$name.json")" "$rc6"
	agree "$name: mean MHz by the PMU" "$(jq .gpu.mean_mhz "$work/$name.json")" "$mhz"
	read -r rc6 _ < <(log "$name" 0 "$(awk '/^# power rc6 / { end = $5 } END { print end }' "$work/$name/truth.log")")
	agree "$name: ms in RC6 by sysfs, since boot" "$(awk '/^rc6_ms/ { print $2 }' "$work/$name/output.log")" "$rc6"
}

measure host
measure vgpus --scenario "$top/tools/gvt-stat/tests/energy.conf"
finish
