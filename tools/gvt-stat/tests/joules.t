#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Coefficients of energy: what is saved is what was drawn, what is predicted from it is what was
# counted, of a simulation, too, and files of anybody are refused with file and field.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"
here=$(dirname "$0")

# trace NAME [WORD=VALUE...]: of energy, whose vGPUs have UUIDs
trace()
{
	file=$1
	shift
	{
		for vgpu in 1 2 3; do
			echo "0 0 gvt_vgpu_info v=$vgpu uuid=aa-$vgpu weight=1"
		done
		/usr/bin/python3 "$here/energy-trace" "$tmp/$file.truth" "$@"
	} | mktrace "$file"
}

# predicted NAME QUERY [OPTION...]: from $tmp/linear.json
predicted()
{
	file=$1 query=$2
	shift 2
	"$GVT_STAT" energy --json --coef "$tmp/linear.json" -i "$tmp/$file.dat" "$@" >"$tmp/out.json" 2>"$tmp/err" && values "$query" "$tmp/out.json"
}

# --- what is saved ----------------------------------------------------------------------
trace linear seconds=4
trace other seconds=3 seed=7
"$GVT_STAT" energy --save-coef "$tmp/linear.json" -i "$tmp/linear.dat" >"$tmp/out" 2>"$tmp/output"
result $? "energy --save-coef"
is "the joules are shown all the same" 2 "$(grep -c '^total' "$tmp/out")"
for power in aa-1/rcs0=4.0 aa-2/rcs0=6.3 aa-1/vcs0=2.6 aa-3/vcs0=3.8 host/rcs0=5.1; do
	near "power of ${power%=*}" "${power#*=}" "$(jq ".powers[\"${power%=*}\"].watts" "$tmp/linear.json")" 1
done
near "what two engines need once" 0.9 "$(jq '.savings["aa-2/rcs0 + aa-3/vcs0"].watts // .savings["aa-3/vcs0 + aa-2/rcs0"].watts' "$tmp/linear.json")" 5
is "ranges of 95 %" true "$(jq '.powers["aa-2/rcs0"] | .bound_watts > 0 and .bound_watts < 0.1 and (.watts - 6.3 | fabs) < 2 * .bound_watts' "$tmp/linear.json")"
is "other vGPUs may draw what these do" true "$(jq '.powers.rcs0 | .watts - .bound_watts <= 4 and .watts + .bound_watts >= 6.3' "$tmp/linear.json")"
is "to the standard output, nothing else is" gvt-stat-coef/1 "$("$GVT_STAT" energy --save-coef - -i "$tmp/linear.dat" | jq -r .schema)"
trace few seconds=1 hz=3
matches "too few samples: no file" "*no powers could be fitted to */few.dat*" "$("$GVT_STAT" energy --save-coef "$tmp/few.json" -i "$tmp/few.dat" 2>&1)"
[ ! -e "$tmp/few.json" ]
result $? "and none is there"

# --- what is predicted ------------------------------------------------------------------
predicted other .predicted.coef >/dev/null
for vgpu in 1 2 3; do
	near "vGPU $vgpu of another recording" "$(jq "[.drawn[] | select(.vgpu_id == $vgpu) | .joules] | add" "$tmp/other.truth")" \
		"$(jq ".shares[] | select(.vgpu_id == $vgpu) | .joules" "$tmp/out.json")" 2
done
is "all are their sum" true "$(predicted other '([.shares[] | select(.kind != "total") | .joules] | add) as $sum | .shares[-1] | .kind == "total" and (.joules - $sum | fabs) < 1e-9')"
is "with ranges" true "$(predicted other '.shares | map(.bound_joules > 0) | all')"
is "nothing was counted" '[false,false,true]' "$(predicted other '[has("counter"), has("fit"), has("predicted")]')"
matches "it is told that this is a prediction" "*Predicted, not measured*" "$("$GVT_STAT" energy --coef "$tmp/linear.json" -i "$tmp/other.dat" | tr '\n' ' ')"
jq 'del(.powers["aa-1/rcs0"], .powers.rcs0) | .savings = {}' "$tmp/linear.json" >"$tmp/less.json"
is "without a power, energy and the total are unknown" '[true,true]' \
	"$("$GVT_STAT" energy --json --coef "$tmp/less.json" -i "$tmp/other.dat" | values '[(.engines[] | select(.vgpu_id == 1 and .engine == "rcs0") | .joules == null), (.shares[-1].joules == null)]')"
matches "and whose" "*less.json has no power of vGPU 1 on rcs0*" "$("$GVT_STAT" energy --csv --coef "$tmp/less.json" -i "$tmp/other.dat" 2>&1 >/dev/null)"
jq 'del(.powers["aa-1/rcs0"]) | .savings = {}' "$tmp/linear.json" >"$tmp/general.json"
is "without one of its own, that of the engine" true \
	"$("$GVT_STAT" energy --json --coef "$tmp/general.json" -i "$tmp/other.dat" | values '.engines[] | select(.vgpu_id == 1 and .engine == "rcs0") | .joules > 0 and .bound_joules > 0.1 * .joules')"
trace lost seconds=3 seed=7 lost=1,1.5
is "while events are lost, the total is unknown" null "$(predicted lost '.shares[-1].joules')"
matches "usage: --coef with --static" "*--coef predicts*" "$("$GVT_STAT" energy --coef "$tmp/linear.json" --static none -i "$tmp/other.dat" 2>&1)"

# --- what the counter does not show -------------------------------------------------------
trace always seconds=4 seed=3 always=1
"$GVT_STAT" energy --json -i "$tmp/always.dat" >"$tmp/always.json"
is "one engine never pauses: others may have drawn more, which ranges show" '[true,true]' \
	"$(jq -c --slurpfile truth "$tmp/always.truth" '[.shares[] | select(.kind == "vgpu")] | map(. as $row |
		([$truth[0].drawn[] | select(.vgpu_id == $row.vgpu_id) | .joules] | add) as $joules |
		{off: (.joules - $joules | fabs), bound: .bound_joules}) | [(map(.off <= .bound) | all), (map(.off > 0.1) | any)]' "$tmp/always.json")"
matches "and a note does" "*hardly ever seen alone*" "$("$GVT_STAT" energy -i "$tmp/always.dat" | tr '\n' ' ')"
is "where all pause, there is none" 0 "$("$GVT_STAT" energy -i "$tmp/linear.dat" | grep -c 'hardly ever')"

# --- what is simulated ------------------------------------------------------------------
echo "$mix" | played fair fair per-engine
cat >"$tmp/gpu.json" <<END
{"schema": "gvt-stat-coef/1", "host": null, "date": null, "condition": null, "residual_percent": null, "speed": 1,
 "awake": {"watts": 1, "bound_watts": 0}, "idle": {"watts": 0.5, "bound_watts": 0},
 "powers": {"rcs0": {"watts": 3, "bound_watts": 0.3}, "vcs0": {"watts": 2, "bound_watts": 0}},
 "savings": {"rcs0 + vcs0": {"watts": 1, "bound_watts": 0}}}
END
"$GVT_STAT" simulate --json --energy "$tmp/gpu.json" -i "$tmp/fair.dat" >"$tmp/sim.json"
"$GVT_STAT" energy --json --coef "$tmp/gpu.json" -i "$tmp/fair.dat" >"$tmp/now.json"
near "simulate: now is what energy predicts" "$(jq '.shares[-1].joules' "$tmp/now.json")" "$(jq '.energy[] | select(.kind == "total") | .now_joules' "$tmp/sim.json")" 0.1
near "the same settings need the same" "$(jq '.shares[-1].joules' "$tmp/now.json")" "$(jq '.energy[] | select(.kind == "total") | .joules' "$tmp/sim.json")" 3
is "the recording is in the range" true "$(jq '.energy[] | select(.kind == "total") | .least_joules <= .now_joules and .now_joules <= .most_joules' "$tmp/sim.json")"
is "each vGPU, idle time and all" '["idle","total","vgpu","vgpu","vgpu"]' "$(values '[.energy[].kind] | sort' "$tmp/sim.json")"
is "vGPUs and idle time are all" true "$(jq '([.energy[] | select(.kind != "total") | .joules] | add) as $sum | .energy[] | select(.kind == "total") | .joules - $sum | fabs < 1e-9' "$tmp/sim.json")"
is "a share of the joules for each workload" true "$(jq '[.energy[] | select(.kind == "vgpu") | .per_workload > 0 and .least_per_workload <= .per_workload and .per_workload <= .most_per_workload] | all' "$tmp/sim.json")"
# a load that ends before the recording does is simulated for all of the time
{ echo "0 0 gvt_host_state running=0"; cat "$tmp/events"; echo "26s 0 print buf=x"; } | mktrace ends
is "so far off is the range" '[true,true,true]' "$("$GVT_STAT" simulate --json --energy "$tmp/gpu.json" -i "$tmp/ends.dat" |
	values '[.energy[] | select(.kind != "idle")] | [map(.least_joules <= .now_joules and .now_joules <= .most_joules),
		map(.least_joules <= .joules and .joules <= .most_joules), map(.least_joules > 0.3 * .now_joules)] | map(all)')"
jq '.speed = 2' "$tmp/gpu.json" >"$tmp/fast.json"
"$GVT_STAT" simulate --json --energy "$tmp/gpu.json" --energy "$tmp/fast.json" -i "$tmp/fair.dat" >"$tmp/two.json"
"$GVT_STAT" simulate --json --energy "$tmp/gpu.json" --speed 2 -i "$tmp/fair.dat" >"$tmp/fast.out"
is "several GPUs at once: the first is as alone" "$(values '[.energy[].joules]' "$tmp/sim.json")" "$(values '.energy | .[:length / 2] | [.[].joules]' "$tmp/two.json")"
is "and the second is as alone, too" "$(values '[.energy[].joules]' "$tmp/fast.out")" "$(values '.energy | .[length / 2:] | [.[].joules]' "$tmp/two.json")"
# vGPU 3 was there first
{ grep gvt_vgpu_info "$tmp/events" | tac; grep -v gvt_vgpu_info "$tmp/events"; } | mktrace turned
is "vGPUs are in the order of their numbers, whoever was first" '[1,2,3]' \
	"$("$GVT_STAT" simulate --json --windows 2 --energy "$tmp/gpu.json" -i "$tmp/turned.dat" | values '[.energy[] | select(.kind == "vgpu") | .vgpu_id]')"
matches "people get a table" "*Energy predicted from *gpu.json*total*" "$("$GVT_STAT" simulate --energy "$tmp/gpu.json" -i "$tmp/fair.dat" | tr '\n' ' ')"

# --- files of anybody ---------------------------------------------------------------------
# no_coef NAME PART [FILTER]: of jq, that makes the file from a good one; else it is standard input
no_coef()
{
	if [ $# -gt 2 ]; then
		jq "$3" "$tmp/gpu.json" >"$tmp/bad.json"
	else
		cat >"$tmp/bad.json"
	fi
	"$GVT_STAT" energy --coef "$tmp/bad.json" -i "$tmp/fair.dat" >"$tmp/out" 2>"$tmp/output"
	got=$?
	[ "$got" = 1 ] && grep -qF "bad.json$2" "$tmp/output"
	result $? "refused: $1"
}
no_coef "no JSON" ":1:" <"$tmp/fair.dat"
no_coef "nothing" ":1:0: " </dev/null
no_coef "half of it" ":" <<END
$(head -c 200 "$tmp/gpu.json")
END
no_coef "an array" ": schema: it is not gvt-stat-coef/1" <<END
[]
END
no_coef "another schema" ": schema: it is not gvt-stat-coef/1" '.schema = "gvt-stat-coef/2"'
no_coef "a negative power" ": powers.rcs0.watts: it is no number from 0 to 1000" '.powers.rcs0.watts = -3'
no_coef "a huge one" ": powers.rcs0.watts: it is no number from 0 to 1000" '.powers.rcs0.watts = 1e300'
no_coef "text for a power" ": powers.rcs0.watts: it is no number" '.powers.rcs0.watts = "3"'
no_coef "null for a power" ": powers.rcs0.watts: it is null" '.powers.rcs0.watts = null'
no_coef "no bound" ": powers.rcs0.bound_watts: it is missing" 'del(.powers.rcs0.bound_watts)'
no_coef "no powers" ": powers: there is none" '.powers = {} | .savings = {}'
no_coef "an unknown member" ": powers.rcs0.volts: it is not known" '.powers.rcs0.volts = 1'
no_coef "an unknown member of all" ": color: it is not known" '.color = "red"'
no_coef "no idle time" ": idle: it is no object" 'del(.idle)'
no_coef "speed 0" ": speed: it is no number from 0.001 to 1000" '.speed = 0'
no_coef "an engine of no name" ": powers.a/: it is none of ENGINE, UUID/ENGINE" '.powers["a/"] = {watts: 1, bound_watts: 0}'
no_coef "a saving of one" ": savings.rcs0: it is not of two of the powers" '.savings.rcs0 = {watts: 1, bound_watts: 0}'
no_coef "a saving of unknown ones" ': savings.rcs0 + bcs0: it is not of two of the powers' '.savings["rcs0 + bcs0"] = {watts: 1, bound_watts: 0}'
no_coef "a saving given twice" ': savings.vcs0 + rcs0: it is given twice' '.savings["vcs0 + rcs0"] = {watts: 1, bound_watts: 0}'
sed 's/"speed": 1,/"speed": 1, "speed": 2,/' "$tmp/gpu.json" >"$tmp/twice.json"
no_coef "a member given twice" ":1:" <"$tmp/twice.json"
head -c 9000000 /dev/zero >"$tmp/zeros"
no_coef "a file without end" ": more than 8 MB" <"$tmp/zeros"
matches "no such file" "*/none.json: No such file or directory" "$("$GVT_STAT" energy --coef "$tmp/none.json" -i "$tmp/fair.dat" 2>&1)"

finish
