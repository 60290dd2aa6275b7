#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# never-worse with a stand-in for the rig: which runs it makes, keeps, and forgets.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
bench=$(dirname "$0")/../never-worse

# A rig whose runs all come to the same; $work/rig.fails: a word in the options of those that fail
cat >"$work/rig" <<'END'
#!/bin/bash
set -eu
options=$* conf=$2 out= numbers=
while [ $# -gt 0 ]; do
	case $1 in
	--digest) cat "$FAKE/digest"; exit ;;
	--out) out=$2 ;;
	--perturb) numbers=$2 ;;
	esac
	shift
done
echo "$options" >>"$FAKE/calls"
cp "$conf" "$FAKE/last.conf"
if grep -qF -- "$(cat "$FAKE/rig.fails")" <<<"$options"; then
	echo "rig: the host VM did not boot or crashed" >&2
	exit 1
fi
touch "$out/truth.log"
for i in $(seq "${numbers%-*}" "${numbers#*-}"); do
	mkdir "$out/$i"
	echo "run $i" >"$out/$i/load.log"
done
END
cat >"$work/service" <<'END'
#!/bin/bash
# all vGPUs of the scenario have got the same
sed -n 's/.*vgpu "\([a-z0-9]*\)".*/\1/p' "${!#}" | jq -Rn '{ vgpus: [inputs | { key: ., value: {
	exec_percent: 50, weight_percent: 50,
	streams: { s: { latency_mean_ns: 1000000, latency_p99_ns: 2000000 } } } }] | from_entries }'
END
chmod +x "$work/rig" "$work/service"
export BENCH_RIG=$work/rig BENCH_SERVICE=$work/service FAKE=$work
echo one >"$work/digest"
echo nothing-like-this >"$work/rig.fails"

bench() {
	: >"$work/calls"
	"$bench" --out "$work/results" "$@"
}

calls() {
	local n
	n=$(wc -l <"$work/calls")
	cat "$work/calls"
	[ "$n" -eq "$1" ]
}

check "a row in two settings" bench --rows 5ms-alone --number 2
check "boots once for the numbers of each of three modes in two settings" calls 6
check "has a result of each number" eval '[ "$(find "$work/results/runs" -name "[12].json" -size +0 | wc -l)" -eq 12 ]'
check "with the modes" grep -qF -- '--set gvt_sched/policy=fair --set gvt_sched/dispatch=per-engine' "$work/calls"
check "perturbed" grep -qF -- '--perturb 1-2 ' "$work/calls"
check "in the harsh setting" grep -qF -- '--gpu ctx-save-ns=10000 --gpu ctx-restore-ns=10000 --gpu switched-reg-ns=700' "$work/calls"
check "with a window of the row's" grep -qx 'duration = 4s' "$work/last.conf"
check "again" bench --rows 5ms-alone --number 2
check "keeps them" calls 0
check "more of them" bench --rows 5ms-alone --number 3
check "boots for those that are new" calls 6
check "and for no other" eval '! grep -vF -- "--perturb 3-3 " "$work/calls"'
echo two >"$work/digest"
check "another driver" bench --rows 5ms-alone --number 3
check "forgets them" calls 6
check "and makes all again" eval '! grep -vF -- "--perturb 1-3 " "$work/calls"'
check "a client that is compared with itself alone" bench --quick --rows six-hogs --number 1
check "needs that row, too" grep -qF 'interactive-2ms-alone' "$work/calls"
check "the sweep" bench --quick --rows short@50ms --number 1
check "is made as it is asked for" grep -qF 'exec = 50ms pieces = 1 ' "$work/last.conf"

echo 'dispatch=preemptive' >"$work/rig.fails"
check "a run that fails" says 'never-worse: default, preemptive, small-small, number 1-1: rig: the host VM did not boot or crashed' \
	bench --quick --rows small-small --number 1
check "leaves the others" grep -qE '^\| small-small \| default \| p99 latency, ms \| 2\.00 \| 2\.00 \| unknown \| <= 2\.10 \| unknown \|$' "$work/results/never-worse.md"
check "an unknown row" says "no row 'x'" bench --rows x
check "an unknown setting" says "no setting 'x'; there are: default harsh" bench --settings x
check "no number" says "--number: '0x' is not a number of runs" bench --number 0x
finish
