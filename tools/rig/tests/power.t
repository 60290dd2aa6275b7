#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A GPU that draws power: stock i915 enters RC6, raises and lowers the frequency by itself, and says of both what the
# device's log says. With vGPUs runs stay reproducible, and what they drew adds up.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
quick=$(dirname "$0")/quick.conf

# near WHAT VALUE WANTED TOLERANCE
near() {
	check "$1: $2, $3 by the device" awk -v value="$2" -v wanted="$3" -v by="$4" \
		'BEGIN { exit !(value - wanted <= by && wanted - value <= by) }'
}

# A line of what i915 says of the frequency and of RC6, and of the counter as in the MCHBAR mirror
cat >"$work/host" <<-'END'
	#!/bin/sh
	gt=/sys/class/drm/card0/gt/gt0
	bar=$(head -n 1 /sys/bus/pci/devices/0000:00:02.0/resource | cut -d ' ' -f 1)
	say() {
		echo "$1 $(cat $gt/rps_act_freq_mhz) $(cat $gt/rc6_residency_ms) $(($(devmem $((bar + 0x14592c)))))"
	}
	say idle
	rig-i915-load --engine rcs0 --exec 5ms --depth 2 --count 200 &
	sleep 0.5
	say busy
	wait
	sleep 1
	say after
END
make -s -C "$top/tools/rig/load" all >&2 || bail "cannot build the load client"
check "i915 runs" "$rig" exec "$work/host" --gpu power-law=linear --append iomem=relaxed --out "$work/exec" \
	--add "${O:-$top/build}/rig-load/rig-i915-load:/bin/rig-i915-load"
# of WHEN WORD: what the script has said then
of() {
	awk -v when="$1" -v word="$2" '$1 == when { print $word }' "$work/exec/output.log"
}
# by_log AWK: of the lines of states, in which a second of RC6 is the last one that is whole
by_log() {
	awk '/^# power (rc6|idle|active) /'"$1" "$work/exec/truth.log"
}
check "it has asked for the highest frequency for work without a pause" [ "$(of busy 2)" -eq 1150 ]
check "and has gone there in steps" [ "$(by_log '&& $6 < 1150 && $3 == "active" { print $6 }' | sort -u | wc -l)" -ge 5 ]
check "it is at the lowest one without work" [ "$(of idle 2) $(of after 2)" = "350 350" ]
near "ms in RC6 by i915" "$(of after 3)" "$(by_log '&& $3 == "rc6" { ms += ($5 - $4) / 1e6 } END { print ms }')" 2
check "of them a second after the work" [ $(($(of after 3) - $(of busy 3))) -gt 900 ]
near "J by the counter" "$(awk "BEGIN { print $(of after 4) / 2 ^ 14 }")" \
	"$(by_log '{ joules += $7 / 1e9 } END { print joules }')" 0.01

for n in 1 2; do
	check "vGPUs run, $n" "$rig" run "$quick" --gpu power-law=overlap --out "$work/$n"
done
check "two runs give the same trace" cmp "$work/1/trace.dat" "$work/2/trace.dat"
check "and the same truth log" cmp "$work/1/truth.log" "$work/2/truth.log"
check "the trace is the device's" "$rig" verify "$work/1"
# jq -e of Debian 12 takes no output at all for true
as_json() {
	"$rig" verify "$work/1" --json >"$work/json" && [ -s "$work/json" ]
}
check "the same as JSON" as_json
# what is still on an engine at the end has no line
adds_up() {
	jq -e '[.energy.shares[].fair_joules] as $fair | ($fair | add) - .energy.states.active.joules | fabs < 0.05' "$work/json"
}
check "what contexts drew adds up to what was drawn while they executed" adds_up
# shellcheck disable=SC2016 # jq's
check "each vGPU has its joules" jq -e '[.energy.shares[] | select(.vgpu_id > 0 and .own_joules > 0.001)] | length >= 2' "$work/json"
finish
