#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of the accuracy of predictions, from made-up figures: goals, misses, and what was not measured. GVT_STAT and
# GVT_SIM are made up, too.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

cat >"$work/gvt-stat" <<'END'
#!/bin/bash
cat <<'DOCUMENT'
{ "held_out": [ { "left_out": "family", "slowdown": { "mean_percent": 18.25, "median_percent": 12, "tests": 40 } },
  { "left_out": "application", "slowdown": { "mean_percent": 12.5, "median_percent": 9, "tests": 40 } } ] }
DOCUMENT
END
printf '#!/bin/bash\nexit 0\n' >"$work/gvt-sim"
chmod +x "$work/gvt-stat" "$work/gvt-sim"
export GVT_STAT=$work/gvt-stat GVT_SIM=$work/gvt-sim

# left BENCH [ROW]...: what a benchmark has left
left() {
	mkdir -p "$work/build/bench-$1"
	local bench=$1 IFS=,
	shift
	echo "[$*]" >"$work/build/bench-$bench/rows.json"
}
left predict '{ "row": 4, "what": "in range", "value": 89.99, "unit": "%", "at_least": 90, "cases": 7 }' \
	'{ "row": 3, "what": "share", "value": 0.5, "unit": "points", "goal": 0.5, "cases": 7, "median": 0.1 }'
left contention '{ "row": 10, "what": "tree", "value": 9.01, "unit": "%", "goal": 9, "cases": 3, "paper": "a paper 9.05 %" }'
left placement '{ "row": "7.3", "what": "place", "value": 0, "unit": "%", "goal": 3, "cases": 24 }'

table() {
	"$here/../accuracy" --build "$work/build" --markdown >"$work/out" 2>"$work/err"
}
# shows LINE: the table has it
shows() {
	grep -xF -- "$1" "$work/out" || { cat "$work/out" "$work/err"; return 1; }
}

check "a benchmark that left nothing is named" eval '! table && grep -qx "accuracy: not measured: colocate" "$work/err"'
mkdir -p "$work/build/bench-colocate/final"
echo '[]' >"$work/build/bench-colocate/final/rows.json"
check "all were run" table
check "a goal that is just met" shows '| 3 | share | 7 | 0.50 points | 0.10 | <= 0.5 | met |  |'
check "a part that is just missed" shows '| 4 | in range | 7 | 89.99 % |  | >= 90 | MISS |  |'
check "a miss beside the paper's figure" shows '| 10 | tree | 3 | 9.01 % |  | <= 9 | MISS | a paper 9.05 % |'
check "recordings are replayed" shows "| 2 | replay: recordings in which each switch, balance and hold is made again | $(
	find "$here/../../../gvt-sim/tests/rig" -name '*.trace.xz' | wc -l) | 100.00 % |  | >= 100 | met |  |"
check "public pairs are learned" shows '| 11 | learn, measured pairs of a K80: family left out, mean error | 40 | 18.25 % | 12.00 | <= 20 | met |  |'
check "with an application left out, too" shows '| 11 | learn, measured pairs of a P100: application left out, mean error | 40 | 12.50 % | 9.00 | <= 12 | MISS |  |'
check "told more, without a goal" shows "| 11 | learn, measured pairs of a K80, told each one's demand: family left out, mean error | 40 | 18.25 % | 12.00 |  |  |  |"
check "a GPU without a goal" shows '| 11 | learn, measured pairs of a V100: family left out, mean error | 40 | 18.25 % | 12.00 |  |  |  |'
check "by rows of the issue's table" eval '[ "$(cut -d " " -f 2 "$work/out" | sed -n "3,7p" | tr "\n" " ")" = "2 3 4 7.3 10 " ]'
check "misses are printed with their causes" eval 'grep -qx "4 missed:" "$work/out" && grep -qx -- "- tree: its features do not show .*" "$work/out"'
check "or that none is known" shows '- learn, measured pairs of a P100: application left out, mean error: not known'
check "silicon is not claimed" grep -q 'no silicon' "$work/out"

finish
