#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat advise --goal energy: mixes and powers of which the cheapest settings are known. The traces are made by gvt-sim.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

# shellcheck source-path=SCRIPTDIR source=advised.sh
. "$(dirname "$0")/advised.sh"

# gpu NAME IDLE RCS0 VCS0 SAVING BOUND: coefficients, what both engines save being off by BOUND
gpu()
{
	cat >"$tmp/$1.json" <<END
{"schema": "gvt-stat-coef/1", "host": null, "date": null, "condition": null, "residual_percent": null, "speed": 1,
 "awake": {"watts": $2, "bound_watts": 0}, "idle": {"watts": $2, "bound_watts": 0},
 "powers": {"rcs0": {"watts": $3, "bound_watts": 0}, "vcs0": {"watts": $4, "bound_watts": 0}},
 "savings": {"rcs0 + vcs0": {"watts": $5, "bound_watts": $6}}}
END
}

# cheapest TRACE COEF [OPTION...]: as advised, for the fewest joules
cheapest()
{
	trace=$1 coef=$2
	shift 2
	advised "$trace" energy --coef "$tmp/$coef.json" "$@"
}

# each NAME COEF: joules of a workload, as it was recorded
each()
{
	"$GVT_STAT" energy --json --coef "$tmp/$2.json" -i "$tmp/$1.dat" >"$tmp/each.json"
	"$GVT_STAT" report --json -i "$tmp/$1.dat" | jq --slurpfile energy "$tmp/each.json" \
		'$energy[0].shares[-1].joules / ([.vgpus[].engines[].completed] | add)'
}

# --- two vGPUs on two engines: at once, they need the GPU only once -----------------------------
echo 'vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=2000000 at_ns=20000 lag=1
stream 2 vcs0
work exec_ns=2000000 at_ns=20000 lag=1' >"$tmp/two"
brief two strict exclusive <"$tmp/two"
gpu shared 0.5 3 3 1 0
cheapest two shared
is 'engines at once take less: sharing is advised' '0 "change" true "per-engine"' \
	"$status $(told .verdict) $(told .reached) $(told '.settings[] | select(.setting == "dispatch") | .then')"
is 'the change is larger than what is not known' true "$(told '.tried as $all | $all[] | select(.best) | .most < $all[0].value and .least <= .value and .value <= .most')"
other=$(told '[.settings[] | select(.setting == "policy") | .then][0] // "strict"' | tr -d '"')
brief changed "$other" per-engine <"$tmp/two"
near 'what is now' "$(each two shared)" "$(told '.tried[0].value')" 2
near 'what is promised is what comes' "$(each changed shared)" "$(told '.tried[] | select(.best) | .value')" 2
is 'with the joules of each vGPU' '["idle","total","vgpu","vgpu"]' "$(told '[.energy[].kind] | sort')"
near 'and watts, which are more, as more work is done' "$(told '.energy[] | select(.kind == "total") | .watts')" "$(told '.tried[] | select(.best) | .watts')" 0.1
is 'nobody pays' true "$(told '.tried[] | select(.best) | .cost <= 1')"
gpu unsure 0.5 3 3 1 1
cheapest two unsure
is 'the same, if what is saved is not known: no advice, but that it is likely' '3 "not certain" false []' \
	"$status $(told .verdict) $(told .reached) $(told .commands)"
has 'the text says so' 'likely takes less: ' "$("$GVT_STAT" advise --windows 2 -i "$tmp/two.dat" --goal energy --coef "$tmp/unsure.json")"
jq '.powers[].bound_watts = 0.9' "$tmp/shared.json" >"$tmp/common.json"
cheapest two common
is 'powers that both settings have in common may be off by a third' '"change" "per-engine"' \
	"$(told .verdict) $(told '.settings[] | select(.setting == "dispatch") | .then')"
gpu free 0 3 3 0 0
cheapest two free
is 'engines that save nothing at once, and no idle power: kept' '0 "keep" true []' "$status $(told .verdict) $(told .reached) $(told .commands)"

# --- what settings change is whose work is done: no saving -----------------------------------------
echo 'vgpu 1
vgpu 2
stream 1 rcs0 piece_ns=1000000
work exec_ns=4000000 at_ns=50000 lag=1
stream 2 rcs0 piece_ns=1000000
work exec_ns=40000000 at_ns=50000 lag=1' | brief small-large strict exclusive
cheapest small-large free --vgpu 1:pieces_us=1000 --vgpu 2:pieces_us=1000
is 'more large workloads instead of small ones, or the other way round: a workload takes the same' true \
	"$(told '[.tried[] | .value] | max / min < 1.03')"
is 'though joules by their number differ' true "$("$GVT_STAT" simulate --json --windows 2 --energy "$tmp/free.json" --set policy=work-conserving \
	-i "$tmp/small-large.dat" | jq '.energy[] | select(.kind == "total") | .per_workload / .now_per_workload > 2')"
is 'and nothing is advised' '"keep" []' "$(told .verdict) $(told .commands)"

# --- who pays -----------------------------------------------------------------------------------------
echo "$mix" | played mixed strict exclusive
cheapest mixed shared --others 1000
is 'some take less, and make somebody wait longer' true "$(told '.tried as $all | any($all[]; .value < $all[0].value and .cost > 1)')"
cheapest mixed shared --others 0
is 'no vGPU may wait longer: none does with what is advised' true "$(told '.tried[] | select(.best) | .cost <= 1')"
is 'nor does any that is nearly it' true "$(told '[.tried[] | select(.cost > 1)] | length > 0 and all(.best | not)')"

# --- powers of the same trace -----------------------------------------------------------------------
# trace NAME [WORD=VALUE...]: of energy, with settings
trace()
{
	file=$1
	shift
	{
		grep gvt_sched_info "$tmp/events"
		for vgpu in 1 2 3; do
			echo "0 0 gvt_vgpu_info v=$vgpu uuid=aa-$vgpu weight=1"
		done
		/usr/bin/python3 "$(dirname "$0")/energy-trace" "$tmp/$file.truth" "$@"
	} | mktrace "$file"
}
trace counted seconds=4
"$GVT_STAT" advise --json --windows 2 -i "$tmp/counted.dat" --goal energy >"$tmp/out.json" 2>"$tmp/output"
result $(($? != 0 && $? != 3)) 'powers fitted to the trace'
near 'which are those that it saves' "$("$GVT_STAT" energy --save-coef - -i "$tmp/counted.dat" >"$tmp/saved.json" && cheapest counted saved && told '.tried[0].value')" \
	"$(told '.tried[0].value')" 0.01

if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	is 'JSON is as the schema says' '' "$(/usr/bin/python3 "$(dirname "$0")/validate" "$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
else
	skip 'JSON is as the schema says' 'python3-jsonschema is not installed'
fi

# --- what cannot be ----------------------------------------------------------------------------------
# refused NAME STATUS PART OPTION...
refused 'no samples, no coefficients' 1 'give --coef FILE' -i "$tmp/two.dat" --goal energy
refused 'coefficients for another goal' 129 '--coef is for --goal energy' -i "$tmp/two.dat" --goal fair --coef "$tmp/free.json"
jq '.speed = 2' "$tmp/free.json" >"$tmp/fast.json"
refused 'a GPU of another speed' 1 'fast.json: speed: it is 2' -i "$tmp/two.dat" --goal energy --coef "$tmp/fast.json"
jq 'del(.powers.vcs0) | .savings = {}' "$tmp/free.json" >"$tmp/half.json"
refused 'an engine without power' 1 'half.json: has no power of vGPU 2 on vcs0' -i "$tmp/two.dat" --goal energy --coef "$tmp/half.json"
jq '(.idle, .awake) |= {watts: null, bound_watts: null}' "$tmp/free.json" >"$tmp/awake.json"
refused 'no idle power, and idle time' 1 'is unknown' -i "$tmp/two.dat" --goal energy --coef "$tmp/awake.json"
finish
