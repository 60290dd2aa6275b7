#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mixes that gvt-sim plays in place of the rig: streams of each kind execute as much as their words say, and each
# recording of a mix is another one.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
build=${O:-$top/build}
for program in gvt-sim/gvt-sim gvt-stat/gvt-stat gvt-stat/mktrace; do
	[ -x "$build/$program" ] || { skip "mixes played by gvt-sim" "$build/$program is not built"; finish; }
done
export GVT_STAT=$build/gvt-stat/gvt-stat

cat >"$work/play.py" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from played import play_all
KINDS = {"loop": 'engine = rcs0|exec = "2000us"|pieces = 4|think = "6000us"',
         "deep": 'engine = rcs0|exec = "1000us"|pieces = 1|depth = 3|think = "9ms"',
         "barrier": 'engine = vcs0|exec = "1000us"|pieces = 1|burst = 5|depth = 5|think = "20000us"',
         "timetable": 'engine = rcs0|exec = "4000us"|pieces = 1|arrival = periodic|period = "20.0ms"|depth = 2',
         "random": 'engine = rcs0|exec = "3000us"|pieces = 3|arrival = poisson|period = "15000us"|depth = 8|seed = 3'}
runs = {name: ({"a": ("V5_8", [words], [])}, "fair/per-engine", ()) for name, words in KINDS.items()}
mix = {"a": ("V5_4", [KINDS["loop"]], [("intel_vgpu/cap", 20)]), "b": ("V5_8", [KINDS["deep"]], [("intel_vgpu/nice", -3)])}
runs["both"] = mix, "strict/exclusive", [("gvt_sched/period_ms", 50)]
play_all(sys.argv[2], runs, "10s")
play_all(sys.argv[2] + "-again", {"loop": runs["loop"]}, "10s")
END
check "mixes are played" python3 "$work/play.py" "$top/tools/rig/bench" "$work/out"
# used RUN: per cent of the engine that vGPU 1 uses
used() { "$GVT_STAT" report --json -i "$work/$1/trace.dat" | jq '[.vgpus[] | select(.vgpu_id == 1).engines[].utilization_percent] | max'; }
# near RUN LEAST MOST
near() { used "$1" >"$work/used" && awk -v l="$2" -v m="$3" '{ exit !($1 >= l && $1 <= m) }' "$work/used"; }
check "a loop executes for 2 of 8 ms" near out/loop 23.5 26.5
check "three in flight: for 3 of 10 ms" near out/deep 26 31
check "a burst of five: for 5 of 25 ms" near out/barrier 18.5 21
check "a timetable: for 4 of 20 ms" near out/timetable 19.5 20.5
check "at random: for 3 of 15 ms on average" near out/random 16 24
settings() { "$GVT_STAT" report --json -i "$work/out/both/trace.dat" | jq -e '[.vgpus[] | [.weight, .nice, .cap]] == [[4, 0, 20], [2, -3, 0]]'; }
check "vGPUs have the settings of the mix" settings
# no_repeats RUN: few lengths of workloads, to the nanosecond, occur twice
no_repeats() {
	"$GVT_STAT" list workloads --json -i "$work/$1/trace.dat" | jq -e '[.workloads[].exec_ns] | (unique | length) > 0.95 * length'
}
check "a guest does not repeat itself" no_repeats out/deep
check "another recording is another one" test "$(used out/loop)" != "$(used out-again/loop)"
finish
