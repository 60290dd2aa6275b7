#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat advise: mixes of which the best settings are known. The traces are made by gvt-sim.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

# shellcheck source-path=SCRIPTDIR source=advised.sh
. "$(dirname "$0")/advised.sh"

# settings of which policies, dispatch modes and vGPUs are advised
then_is='[.settings[] | select(.setting == "policy" or .setting == "dispatch") | .then] | sort'

# --- two vGPUs on two engines: both engines, at once ---------------------------------
echo 'vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=2000000 at_ns=20000 lag=2
stream 2 vcs0
work exec_ns=5000000 at_ns=20000 lag=2' >"$tmp/two-engines"
brief two-engines strict exclusive <"$tmp/two-engines"
# both always have work queued: what they want is not in the trace
closed='--vgpu 1:closed --vgpu 2:closed'
for goal in throughput fair p99:2=20ms; do
	# shellcheck disable=SC2086 # several words
	advised two-engines "$goal" $closed
	is "two engines, $goal: each for itself, and lent" '0 "change" true ["per-engine","work-conserving"]' \
		"$status $(told .verdict) $(told .reached) $(told "$then_is")"
	is "two engines, $goal: by one command" '["gvt-stat policy work-conserving dispatch=per-engine"]' \
		"$(told '[.commands[].command]')"
done
is 'and by files' '["/sys/class/drm/card0/device/gvt_sched/policy","/sys/class/drm/card0/device/gvt_sched/dispatch"]' \
	"$(told '[.commands[].settings[].file]')"
is 'nobody pays' true "$(told '.tried[] | select(.best) | .cost < 0.6')"
near 'what is promised is what would be' "$(told '.simulated[] | select(.vgpu_id == 2 and .metric == "latency_p99_ns") | .then')" \
	"$(told '.tried[] | select(.best) | .value')" 0.01
brief both work-conserving per-engine <"$tmp/two-engines"
near 'and what is, with these settings' "$(told '.tried[] | select(.best) | .value')" \
	"$("$GVT_STAT" report --json -i "$tmp/both.dat" | jq '.vgpus[] | select(.vgpu_id == 2) | .engines[0].latency_p99_ns')" 1
# shellcheck disable=SC2086
advised both throughput $closed
is 'as good as it gets: throughput is kept' '0 "keep" []' "$status $(told .verdict) $(told .commands)"
for goal in fair p99:2=20ms; do
	# shellcheck disable=SC2086
	advised both "$goal" $closed
	is "as good as it gets: $goal is kept, and nothing tried" '0 "keep" [] 1' \
		"$status $(told .verdict) $(told .commands) $(told '.tried | length')"
done

# --- short workloads beside long ones that can be preempted -----------------------------
echo 'vgpu 1
vgpu 2
stream 1 rcs0 piece_ns=1000000
work exec_ns=18000000 at_ns=4700000 lag=1
stream 2 rcs0 piece_ns=1000000
work exec_ns=800000000 at_ns=30000 lag=1' >"$tmp/small-vs-large"
brief small-vs-large strict exclusive <"$tmp/small-vs-large"
cut='--vgpu 1:pieces_us=1000 --vgpu 2:pieces_us=1000'
# shellcheck disable=SC2086
advised small-vs-large fair $cut
# strict and fair are within 0.5 % of each other then
is 'short and long, fair: preempted' '0 "change" true "preemptive"' \
	"$status $(told .verdict) $(told .reached) $(told '.settings[] | select(.setting == "dispatch") | .then')"
is 'the long one pays' true "$(told '.tried[] | select(.best) | .cost > 1.4')"
advised small-vs-large fair
is 'where that is guessed, it is only possible: with a status of its own' '3 "try" false true' \
	"$status $(told .verdict) $(told .reached) $(told '.tried[] | select(.best) | .possible')"
is 'it is said that this is guessed, and what would be if it is wrong' 'true true' \
	"$(told '[.doubts[].what] | any(test("guessed"))') $(told '.worst_value < 95')"
advised small-vs-large p99:1=50ms
is 'the range has the worst case' true "$(told '.tried[] | select(.best) | .most > 700e6 and .least < 50e6')"
"$GVT_STAT" advise --windows 1 -i "$tmp/small-vs-large.dat" --goal p99:1=50ms >"$tmp/out" 2>"$tmp/output"
has 'the promise says what it hangs on' '; doubtful: vGPU 1 preemption points, vGPU 2 ' "$(cat "$tmp/out")"
has 'and the worst case' 'The goal is reached only if what is doubtful is as it most likely is; at worst: ' "$(cat "$tmp/out")"
# shellcheck disable=SC2086
advised small-vs-large p99:1=50ms $cut
is 'short and long, p99 of the short one: preempted' '0 true "preemptive"' \
	"$status $(told .reached) $(told '.settings[] | select(.setting == "dispatch") | .then')"
# shellcheck disable=SC2016 # jq's variable
is 'of the settings that reach it, those that cost least' true "$(told \
	'(.tried[] | select(.best) | .cost) as $cost | [.tried[] | select(.met) | .cost] | all(. >= $cost * 0.95)')"
is 'the range has the value' true "$(told '[.tried[] | .least <= .value and .value <= .most] | all')"
# shellcheck disable=SC2086
advised small-vs-large p99:1=50ms $cut --others 20
is 'what costs others too much is not advised' true "$(told '[.tried[] | select(.best) | .cost <= 1.2] | all')"
# shellcheck disable=SC2086
advised small-vs-large p99:1=17ms $cut
is 'what no setting reaches: the nearest, and status 2' '2 "change" false' "$status $(told .verdict) $(told .reached)"
is 'nice is tried then' 3 "$(told '[.tried[] | select(.settings | test("nice=.* of vGPU 1"))] | length')"
is 'the nearest costs others no more than they may pay' true "$(told '.tried[] | select(.best) | .cost <= 2')"
# shellcheck disable=SC2086
"$GVT_STAT" advise --windows 1 -i "$tmp/small-vs-large.dat" --goal p99:1=17ms $cut >"$tmp/out" 2>"$tmp/output"
has 'the text says that it is not reached' 'The goal is NOT reached' "$(cat "$tmp/out")"

# --- a setting that comes no nearer, and is cheap for others at the cost of the goal's vGPU -----
echo 'vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=18000000 at_ns=4700000 lag=1
stream 2 rcs0
work exec_ns=800000000 at_ns=30000 lag=1' | { echo 'run duration_ns=20000000000'; cat; } | played small-large strict exclusive
advised small-large p99:1=20ms
is 'no setting that starves whom the goal is for' '2 "nothing helps" [] "as it is"' \
	"$status $(told .verdict) $(told .commands) $(told '.tried[] | select(.best).settings')"
"$GVT_STAT" advise --windows 2 -i "$tmp/small-large.dat" --goal p99:1=20ms >"$tmp/out"
has 'what may help is named' 'Nearest if what is doubtful is as it most likely is: policy=fair dispatch=preemptive' "$(cat "$tmp/out")"
advised small-large p99:1=20ms --vgpu 2:pieces_us=1000 --others 400
is 'and with what is known and allowed it is advised' '0 "change" ["fair","preemptive"]' \
	"$status $(told .verdict) $(told "$then_is")"

# --- a setting that is good only if work can be preempted, and harms somebody if not ------------
# 4 ms with pauses beside 40 ms that nothing takes off, as in the demo
echo 'vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=4000000 at_ns=2000000 lag=1
stream 2 rcs0 piece_ns=0
work exec_ns=40000000 at_ns=160000 lag=1' >"$tmp/uncut"
brief uncut strict exclusive <"$tmp/uncut"
advised uncut p99:1=20ms
is 'possible, and no promise' '3 "try" false' "$status $(told .verdict) $(told .reached)"
brief_with="$(told '[.settings[] | select(.setting == ("policy", "dispatch")) | .then] | join(" ")' | tr -d '"')"
# shellcheck disable=SC2086 # two words
brief uncut-advised ${brief_with:-strict exclusive} <"$tmp/uncut"
# mean_of NAME VGPU: its mean latency
mean_of()
{
	"$GVT_STAT" report --json -i "$tmp/$1.dat" | jq ".vgpus[] | select(.vgpu_id == $2) | .engines[0].latency_mean_ns"
}
is 'applied where nothing can be preempted, nobody is much worse off than now' true \
	"$(jq -n "$(mean_of uncut-advised 1) < 1.3 * $(mean_of uncut 1) and $(mean_of uncut-advised 2) < 2 * $(mean_of uncut 2)")"
advised uncut p99:1=20ms --vgpu 1:pieces_us=0 --vgpu 2:pieces_us=0
is 'told that nothing can be preempted: not reached' '2 false' "$status $(told .reached)"

# --- one alone has nothing to gain ----------------------------------------------------------
echo 'vgpu 1
stream 1 rcs0
work exec_ns=50000000 at_ns=30000 lag=1' | brief alone fair exclusive
advised alone p99:1=20ms
is 'alone, too slow: nothing helps' '2 "nothing helps" false []' \
	"$status $(told .verdict) $(told .reached) $(told .commands)"
is 'nobody pays, as nobody is there' null "$(told '.tried[] | select(.best) | .cost')"
"$GVT_STAT" advise --windows 1 -i "$tmp/alone.dat" --goal p99:1=20ms >"$tmp/out" 2>"$tmp/output"
has 'and says so' 'Nothing helps: none of' "$(cat "$tmp/out")"
is 'mean, p50, p95 and worst are goals, too' '0 0 0 0' "$(for measure in mean p50 p95 worst; do
	"$GVT_STAT" advise --windows 1 -i "$tmp/alone.dat" --goal $measure:1=51ms >/dev/null 2>&1; echo $?; done | xargs)"

# --- weights: what is due ----------------------------------------------------------------------
echo 'vgpu 1 weight=2
vgpu 2 weight=6
stream 1 rcs0
work exec_ns=4000000 at_ns=20000 lag=2
stream 2 rcs0
work exec_ns=4000000 at_ns=20000 lag=2' | brief weights fair exclusive
# shellcheck disable=SC2086
advised weights fair $closed
is 'by weight is fair' '0 "keep"' "$status $(told .verdict)"
"$GVT_STAT" simulate -i "$tmp/weights.dat" --windows 1 --vgpu 1:nice=-20 -o "$tmp/unfair.dat" >/dev/null 2>&1
# shellcheck disable=SC2086
advised unfair fair $closed
is 'nice is what somebody wanted: as it says is fair, too' '0 "keep"' "$status $(told .verdict)"

# --- output ----------------------------------------------------------------------------------------
# shellcheck disable=SC2086
"$GVT_STAT" advise --windows 2 -i "$tmp/two-engines.dat" --goal throughput $closed >"$tmp/out" 2>"$tmp/output"
has 'the text: the command' '  gvt-stat policy work-conserving dispatch=per-engine' "$(cat "$tmp/out")"
has 'the text: the files' '  echo per-engine >/sys/class/drm/card0/device/gvt_sched/dispatch' "$(cat "$tmp/out")"
has 'the text: who pays' 'No cost to others' "$(cat "$tmp/out")"
is 'no progress where there is no terminal' '' "$(cat "$tmp/output")"
is 'CSV: a line for each that was tried' "$(grep -c ' x[0-9.]*$' "$tmp/out")" \
	"$("$GVT_STAT" advise --csv --windows 2 -i "$tmp/two-engines.dat" --goal throughput --vgpu 1:closed --vgpu 2:closed | sed 1d | wc -l)"
is 'the same twice is the same' "$(cat "$tmp/out")" \
	"$("$GVT_STAT" advise --windows 2 -i "$tmp/two-engines.dat" --goal throughput --vgpu 1:closed --vgpu 2:closed)"
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	for goal in throughput fair p99:1=17ms; do
		advised small-vs-large "$goal"
		is "JSON of $goal is as the schema says" '' "$(/usr/bin/python3 "$(dirname "$0")/validate" \
			"$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
	done
else
	skip 'JSON is as the schema says' 'python3-jsonschema is not installed'
fi

# --- what cannot be ----------------------------------------------------------------------------------
# refused NAME STATUS PART OPTION...
refused 'no goal' 129 'give a goal' -i "$tmp/alone.dat"
for goal in luck p99 p99:1 p99:1= p99:1=fast p99:8=20ms p99:0=20ms p98:1=20ms p99:1=-5ms 'fair:1' ''; do
	refused "goal '$goal'" 129 'such as p99:2=20ms' -i "$tmp/alone.dat" --goal "$goal"
done
refused 'a vGPU without work' 129 'no workload of vGPU 3' -i "$tmp/alone.dat" --goal p99:3=20ms
refused 'others that are none' 129 'give by how many per cent' -i "$tmp/alone.dat" --goal fair --others many
refused 'what changes a vGPU is not known of it' 129 "there is no 'nice'" -i "$tmp/alone.dat" --goal fair --vgpu 1:nice=3
refused 'a period that is none' 129 'from 1ms to 100s' -i "$tmp/alone.dat" --goal fair --vgpu 1:period=0
refused 'no windows' 129 'from 1 to 100' -i "$tmp/alone.dat" --goal fair --windows 0
refused 'no trace' 1 nowhere -i "$tmp/nowhere.dat" --goal fair
grep -v gvt_sched_info "$tmp/events" | mktrace unset
refused 'a trace without settings' 1 'gvt:gvt_sched_info' -i "$tmp/unset.dat" --goal fair
printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/crash"
chmod +x "$tmp/crash"
kept=$GVT_SIM
GVT_SIM=$tmp/crash refused 'a gvt-sim that crashes' 1 'gvt-sim crashed' -i "$tmp/alone.dat" --goal fair
GVT_SIM=$kept

# a few workloads, cut at both ends
head -n 40 "$tmp/events" | mktrace short
advised short fair
is 'a short trace: advice with a doubt' true "$(told '[.doubts[].what] | any(test("few"))')"

# a recording of the rig, which its simulation misses by a little: the range of each setting is as much wider
xz -dc "$(dirname "$0")/rig/small-vs-large-fair.trace.xz" | mktrace recorded
"$GVT_STAT" advise --json --tsc-khz=1000000 --goal throughput --others 400 -i "$tmp/recorded.dat" >"$tmp/out.json" 2>"$tmp/output"
is 'the range has what was recorded, as far off as that is' true "$(jq '.tried[0] as $one | .recorded_value |
	. >= $one.least and . <= $one.most and . - $one.least < 5' "$tmp/out.json")"
is 'other settings are not promised more precisely' true "$(jq '(.recorded_value / .tried[0].value - 1 | fabs) as $off |
	[.tried[] | .least <= .value * (1 - $off) + 1e-6] | all' "$tmp/out.json")"
finish
