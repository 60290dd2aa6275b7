#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat predict: profiles of which the answer is known by hand, or by what gvt-sim makes of them
# together; goals; what is doubtful; and profiles that are none.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

export command=predict

# application NAME WINDOW_MS COMPLETED MEAN_MS "STREAM WORDS" <work lines: a profile by hand, on rcs0
application()
{
	{
		printf 'gvt-stat-profile 2\nrecorded window_ns=%s000000 lost=0\n' "$2"
		printf 'set policy fair\nset dispatch exclusive\nvgpu weight=2 nice=0 cap=0 preempt=1\n'
		printf 'stream %s\n' "$5"
		printf 'solo completed=%s exec_ns=%s mean_ns=%s000000 p95_ns=%s000000\n' "$3" \
			"$(($3 * $4 * 1000000))" "$4" "$4"
		cat
	} >"$tmp/$1.profile"
}

closed='open=0 depth=1 contexts=1 piece_ns=1000000'
clock='open=1 depth=1000 contexts=1 piece_ns=1000000'
# back to back, and one workload each 100 ms at the beginning of them
echo 'work exec_ns=10000000 at_ns=0 lag=1' | application batch 10000 1000 10 "rcs0 $closed"
echo 'work exec_ns=10000000 at_ns=0 lag=1' | application video 10000 1000 10 "vcs0 $closed"
seq 0 99 | sed 's/.*/work exec_ns=10000000 at_ns=&00000000 lag=0/; s/=000000000 /=0 /' |
	application clock 10000 100 10 "rcs0 $clock"

# more by a clock than the engine can do
seq 0 999 | sed 's/.*/work exec_ns=10000000 at_ns=&0000000 lag=0/; s/=00000000 /=0 /' |
	application full 10000 1000 10 "rcs0 $clock"

# predicted PROFILE... [OPTION...]: the document into $tmp/out.json, the status into $status
predicted()
{
	(
		cd "$tmp" || exit
		"$GVT_STAT" predict --json "$@"
	) >"$tmp/out.json" 2>"$tmp/output"
	status=$?
}

# value VGPU METRIC [MEMBER]
value()
{
	jq -r ".predicted[] | select(.model == \"simulation\" and .vgpu_id == $1 and .metric == \"$2\") | .${3:-predicted}" "$tmp/out.json"
}

# --- what is known by hand -------------------------------------------------------------
predicted batch.profile
near 'alone it has what it had alone' 10000000 "$(value 1 latency_mean_ns)" 1
near 'and no degradation' 100 "$(value 1 degradation_percent | awk '{ print 100 + $1 }')" 1

for dispatch in exclusive per-engine; do
	predicted batch.profile batch.profile --set dispatch=$dispatch
	for vgpu in 1 2; do
		near "$dispatch: two have a half each, vGPU $vgpu" 50 "$(value $vgpu utilization_percent)" 2
		near "$dispatch: and wait for each other" 20000000 "$(value $vgpu latency_mean_ns)" 2
		near "$dispatch: which doubles the latency" 100 "$(value $vgpu degradation_percent)" 3
	done
done
predicted batch.profile batch.profile batch.profile
near 'of three, each waits for two' 200 "$(value 3 degradation_percent)" 3
predicted batch.profile batch.profile --vgpu 2:nice=-5
near 'nice 0 beside nice -5 has a quarter' 25 "$(value 1 utilization_percent)" 4
near 'and four times the latency' 40000000 "$(value 1 latency_mean_ns)" 4
predicted batch.profile batch.profile --vgpu 2:speed=0.5
near 'one that is half as fast takes its half by fewer workloads' 25 "$(value 2 completed_per_second)" 4
predicted batch.profile video.profile --set policy=work-conserving --set dispatch=per-engine
near 'on another engine each has it alone' 10000000 "$(value 1 latency_mean_ns)" 1
predicted batch.profile video.profile --set policy=work-conserving --set dispatch=exclusive
[ "$(value 1 latency_mean_ns | cut -d . -f 1)" -gt 15000000 ]
result $? 'but not where the GPU is shared as a whole'

sed 's/policy fair/policy work-conserving/;s/dispatch exclusive/dispatch per-engine/;s/^vgpu/set boost_ms 2000\n&/' \
	"$tmp/batch.profile" >"$tmp/wc.profile"
predicted wc.profile video.profile
near 'settings are those of the first profile' 10000000 "$(value 2 latency_mean_ns)" 1
is 'but nobody starts any more' 0 "$(jq -r '.settings[] | select(.setting == "boost_ms").value' "$tmp/out.json")"

# two by the same clock: from both at once to one behind the other's end
predicted clock.profile clock.profile --set dispatch=per-engine --phases 40
# the range is wider than that of the phases by the mean distance of two of them
near 'two clocks: in the best phase they do not meet' 10000000 "$(value 2 latency_mean_ns least)" 4
# phases are 2.5 ms apart
near 'in the worst, one waits for nearly all of the other' 18750000 "$(value 2 latency_mean_ns most)" 7
# it waits in a tenth of the phases, for 0 to 10 ms, and the other one in another tenth
near 'on average it waits for 0.5 ms' 10500000 "$(value 2 latency_mean_ns)" 3
is 'that the phase decides is told' true "$(jq '[.doubts[] | select(.vgpu_id == 2).what] | any(test("depends on when"))' "$tmp/out.json")"
cp "$tmp/out.json" "$tmp/first.json"
predicted clock.profile clock.profile --set dispatch=per-engine --phases 40
is 'the same twice is the same' '' "$(diff "$tmp/first.json" "$tmp/out.json")"
predicted clock.profile clock.profile --phases 1
is 'one phase has no range' true "$(jq '[.predicted[] | .least == .most] | all' "$tmp/out.json")"

# --- Prophet's model ------------------------------------------------------------------------
# of VGPU METRIC: what it predicts
of_prophet()
{
	jq -r ".predicted[] | select(.model == \"prophet\" and .vgpu_id == $1 and .metric == \"$2\").predicted" "$tmp/out.json"
}

predicted batch.profile batch.profile batch.profile --model prophet --set policy=strict
near 'one after the other: each waits for two' 30000000 "$(of_prophet 2 latency_mean_ns)" 1
near 'degradation' 200 "$(of_prophet 3 degradation_percent)" 1
near 'and has a third' 33.3 "$(of_prophet 1 utilization_percent)" 1
is 'beside the simulation' '["prophet","simulation"]' "$(jq -c '[.predicted[].model] | unique' "$tmp/out.json")"
predicted batch.profile video.profile --model prophet --set dispatch=exclusive
near 'other engines are other devices' 10000000 "$(of_prophet 1 latency_mean_ns)" 1
predicted batch.profile batch.profile --model prophet --vgpu 2:nice=-5
near 'it knows no weights' 50 "$(of_prophet 1 utilization_percent)" 1
sed 's/depth=1 /depth=2 /;s/lag=1/lag=2/;s/mean_ns=10/mean_ns=20/;s/p95_ns=10/p95_ns=20/' "$tmp/batch.profile" >"$tmp/deep.profile"
predicted deep.profile batch.profile --model prophet
near 'who queues two has two thirds' 66.7 "$(of_prophet 1 utilization_percent)" 1
near 'and the other one waits for both' 30000000 "$(of_prophet 2 latency_mean_ns)" 1
predicted clock.profile batch.profile --model prophet
near 'what comes by a clock comes ten times a second' 10 "$(of_prophet 1 completed_per_second)" 1
near 'the rest is for the other' 90 "$(of_prophet 2 utilization_percent)" 1
predicted full.profile batch.profile --model prophet --vgpu 1:depth=2
near 'beside a guest that may queue two, each waits for these' 30000000 "$(of_prophet 2 latency_mean_ns)" 1
predicted batch.profile batch.profile --model prophet --vgpu 2:speed=0.5
near 'who is half as slow has two thirds' 66.7 "$(of_prophet 2 utilization_percent)" 1
refused 'a model that is none' 129 'give simulation or prophet' --model luck "$tmp/batch.profile"

# --- what gvt-sim makes of them together ---------------------------------------------------
one='stream 1 rcs0 piece_ns=1000000
work exec_ns=18000000 at_ns=4700000 lag=1'
two='stream 2 rcs0 piece_ns=1000000
work exec_ns=50000000 at_ns=1000000 lag=2
work exec_ns=30000000 at_ns=1000000 lag=2'
printf 'vgpu 1\n%s\n' "$one" | played one fair preemptive
printf 'vgpu 1\n%s\n' "$(echo "$two" | sed 's/stream 2/stream 1/')" | played two fair preemptive
for name in one two; do
	"$GVT_STAT" profile -i "$tmp/$name.dat" -o "$tmp/$name.profile" 2>"$tmp/output" || bail "no profile of $name"
done
for mode in strict/exclusive fair/exclusive fair/preemptive; do
	printf 'vgpu 1\nvgpu 2\n%s\n%s\n' "$one" "$two" | played "both" "${mode%/*}" "${mode#*/}"
	"$GVT_STAT" simulate --json --windows 1 -i "$tmp/both.dat" >"$tmp/real.json" 2>"$tmp/output"
	predicted one.profile two.profile --set policy="${mode%/*}" --set dispatch="${mode#*/}"
	for vgpu in 1 2; do
		for metric in latency_mean_ns latency_p95_ns utilization_percent; do
			near "$mode, vGPU $vgpu, $metric" \
				"$(jq ".simulated[] | select(.vgpu_id == $vgpu and .metric == \"$metric\").now" "$tmp/real.json")" \
				"$(value $vgpu $metric)" 5
		done
	done
done

# --- goals -------------------------------------------------------------------------------------
# answers QOS...: met of each queue, and the status
answers()
{
	options=
	for goal; do options="$options --qos $goal"; done
	# shellcheck disable=SC2086 # several words
	predicted batch.profile batch.profile --phases 2 $options
	echo "$(jq -c '[.qos[].met]' "$tmp/out.json") $status"
}

is 'no goal: no answer' '[] 0' "$(answers)"
is 'three times is met' '[true,true] 0' "$(answers 3x)"
is '1.5 times is not' '[false,false] 2' "$(answers 1.5x)"
is 'a time' '[true,true] 0' "$(answers 25ms)"
is 'that is too short' '[false,false] 2' "$(answers 15ms)"
is 'both have to be' '[false,false] 2' "$(answers 3x,15ms)"
is 'p95, too' '[true,true] 0' "$(answers 3x,p95)"
is 'of one of them' '[true] 0' "$(answers 2:3x)"
is 'one that is not met is enough' '[true,false] 2' "$(answers 1:3x 2:1.5x)"
predicted batch.profile batch.profile --qos 1:4x
near 'a margin' 50 "$(jq '.qos[0].margin_percent' "$tmp/out.json")" 2
is 'as the simulation tells it' true "$(jq '.qos[0].expected_ns == (.predicted[] | select(.vgpu_id == 1 and .metric == "latency_mean_ns").most)' "$tmp/out.json")"
predicted clock.profile clock.profile --set dispatch=per-engine --phases 40 --qos 2:1.5x
is 'the phase that is worst counts' '[false] true' \
	"$(jq -c '[.qos[].met]' "$tmp/out.json") $(jq '.predicted[] | select(.vgpu_id == 2 and .metric == "latency_mean_ns") | .predicted < 1.1e7' "$tmp/out.json")"
# limit GOAL: in ms, of what is alone for 10 ms
limit()
{
	predicted clock.profile --phases 1 --qos "$1"
	jq '.qos[0].limit_ns / 1e6 | round' "$tmp/out.json"
}
is 'a time is no factor, whatever its unit' '500 5000 50 1' "$(for goal in 0.5s 5s 50ms 1000us; do limit $goal; done | xargs)"
is 'of a factor and a time, in any order, the shorter one counts' '20 20 15 15' \
	"$(for goal in 2x,50ms 50ms,2x 2x,15ms 15ms,2x; do limit $goal; done | xargs)"
refused 'a goal that is none' 129 'such as 2x' --qos fast "$tmp/batch.profile"
refused 'less than alone' 129 'such as 2x' --qos 0.5x "$tmp/batch.profile"
refused 'two times' 129 'such as 2x' --qos 2x,3x "$tmp/batch.profile"
refused 'p95 of nothing' 129 'give a limit' --qos p95 "$tmp/batch.profile"
refused 'of nobody' 129 'there are 1 profiles' --qos 2:2x "$tmp/batch.profile"

# --- output ----------------------------------------------------------------------------------------
"$GVT_STAT" predict "$tmp/batch.profile" "$tmp/clock.profile" --qos 1:1.01x --set dispatch=preemptive >"$tmp/table" 2>"$tmp/output"
is 'the status, as a table, too' 2 $?
has 'settings' 'policy fair, dispatch preemptive' "$(cat "$tmp/table")"
has 'names' '2 (clock)' "$(cat "$tmp/table")"
matches 'an answer' '*QoS 1:1.01x, vGPU 1 rcs0: NO; latency, mean ms * too much*' "$(cat "$tmp/table")"
has 'and with what it was never compared' 'vGPU 2: its' "$(application tiny 10000 1000 1 "rcs0 $closed" <<'END'
work exec_ns=1000000 at_ns=9000000 lag=1
END
"$GVT_STAT" predict "$tmp/batch.profile" "$tmp/tiny.profile" | sed 's/ rcs0: its workloads execute for 1.000 ms/: its/')"
is 'CSV' '10 1,rcs0 2,rcs0' "$("$GVT_STAT" predict --csv --columns vgpu_id,engine "$tmp/batch.profile" "$tmp/clock.profile" |
	sed 1d | sort | uniq -c | awk '{ n += $1; rows = rows " " $2 } END { print n rows }')"
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	for goal in '' '--qos 2x'; do
		# shellcheck disable=SC2086 # several words
		predicted batch.profile clock.profile $goal
		is "JSON is as the schema says $goal" '' "$(/usr/bin/python3 "$(dirname "$0")/validate" \
			"$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
	done
else
	skip 'JSON is as the schema says' 'python3-jsonschema is not installed'
fi

# --- doubts ---------------------------------------------------------------------------------------
# doubts PROFILE...: prints all
doubts()
{
	predicted "$@" --phases 1
	jq -r '.doubts[] | "\(.vgpu_id) \(.what)"' "$tmp/out.json"
}

is 'nothing, by hand' '' "$(doubts batch.profile batch.profile)"
sed 's/lost=0/lost=2/' "$tmp/batch.profile" >"$tmp/lost.profile"
has 'lost events' '2 events were lost' "$(doubts batch.profile lost.profile)"
sed 's/mean_ns=10/mean_ns=12/' "$tmp/batch.profile" >"$tmp/odd.profile"
has 'one that is not what it was' '1 simulated alone it has a mean latency of 10.0' "$(doubts odd.profile)"
sed 's/policy fair/policy strict/' "$tmp/batch.profile" >"$tmp/strict.profile"
has 'other settings' '2 it was recorded with policy strict' "$(doubts batch.profile strict.profile)"
is 'but not if they are told' '' "$(doubts batch.profile strict.profile --set policy=fair)"
has 'many' 'null 5 vGPUs' "$(doubts batch.profile batch.profile batch.profile batch.profile batch.profile)"
sed 's/stream rcs0/stream rcs0 doubts=guessed-pieces/' "$tmp/batch.profile" >"$tmp/guessed.profile"
has 'preemption points' '2 its preemption points' "$(doubts batch.profile guessed.profile --set dispatch=preemptive)"
is 'where there is preemption' '' "$(doubts batch.profile guessed.profile)"
is 'and they are not told' '' "$(doubts batch.profile guessed.profile --set dispatch=preemptive --vgpu 2:pieces_us=500)"
has 'more than an engine can do' '1 periodic work exceeds' "$(doubts full.profile clock.profile)"

# --- profiles that are none ---------------------------------------------------------------------------
# bad NAME PART SCRIPT: what sed's script makes of a good one is refused, with the place
bad()
{
	sed "$3" "$tmp/batch.profile" >"$tmp/bad.profile"
	refused "$1" 1 "bad.profile:$2" "$tmp/batch.profile" "$tmp/bad.profile"
}

bad 'another version' '1: version: this is version 3 of profiles, and this gvt-stat reads 2' '1s/2/3/'
bad 'no version' "1: version: the first line is" '1s/ 2//'
bad 'no profile' '1: gvt-stat-profile: this is no profile' '1d'
bad 'a line that is none' '5: color: no line begins' '5s/.*/color red/'
bad 'a setting that is none' '3: luck: there is no such setting' 's/policy fair/luck 1/'
bad 'a value that is none' "3: policy: 'Fair!' is no value" 's/policy fair/policy Fair!/'
bad 'a setting twice' '4: policy: it is given twice' '4s/.*/set policy fair/'
bad 'no window' '5: stream: '"'recorded'" '2d'
bad 'an endless window' '2: window_ns: ' 's/window_ns=.* l/window_ns=99999999999999999999 l/'
bad 'a vGPU twice' '6: vgpu: it is given twice' '5p'
bad 'a weight of 17' "5: weight: '17' is no whole number from 1 to 16" 's/weight=2/weight=17/'
bad 'an engine that is none' "6: stream: 'abc0' is no engine" 's/rcs0/abc0/'
# shellcheck disable=SC2016 # $ is sed's
bad 'a stream twice' '11: stream: two are of one engine' '6,8{H;$!d};${g;s/^\n//;p}'
bad 'no depth' '6: depth: it is missing' 's/depth=1 //'
bad 'a depth twice' '6: depth: it is given twice' 's/depth=1 /&&/'
bad 'a word that is none' '6: colour=1: it is not known' 's/depth=1 /&colour=1 /'
bad 'a doubt that is none' "6: doubts: 'luck' is none" 's/rcs0/& doubts=luck/'
bad 'a solo that is missing' '7: solo: the stream above has none' '7d'
bad 'no execution' "8: exec_ns: '0' is no whole number from 1" '8s/exec_ns=10000000/exec_ns=0/'
bad 'a number that is none' "8: exec_ns: '1e7' is no whole number" '8s/exec_ns=10000000/exec_ns=1e7/'
bad 'a workload without a lag' '8: lag: it is missing' 's/ lag=1//'
bad 'workloads that never end' '8: lag: the workloads of the stream above wait for nothing' 's/lag=1/lag=0/'
bad 'a stream without work' '7: work: the stream above has none' '8d'
# shellcheck disable=SC2016 # $ is sed's
bad 'no stream' '5: stream: there is none' '6,$d'
bad 'two spaces' '8: : it is not known' '8s/ / & /'
bad 'a clock that goes back' '9: at_ns: workload 2' '6s/.*/stream rcs0 open=1 depth=1 contexts=1 piece_ns=0/;8s/.*/work exec_ns=1 at_ns=2 lag=0\nwork exec_ns=1 at_ns=1 lag=0/'
bad 'a workload after the recording' '8: at_ns: workload 1' '6s/open=0/open=1/;8s/at_ns=0/at_ns=10000000000/'
bad 'a loop that is open' '6: kind: open=1 and kind=0 contradict' '6s/open=0/open=1/;6s/$/ kind=0/'
bad 'a clock that is closed' '6: kind: open=0 and kind=1 contradict' '6s/$/ kind=1/'
bad 'an end without a line feed' '9: line: it is longer' "\$a\\work$(printf '%600s' '')"
head -c 100 "$tmp/batch.profile" >"$tmp/bad.profile"
refused 'a cut one' 1 'bad.profile:5: line: ' "$tmp/bad.profile"
printf '' >"$tmp/bad.profile"
refused 'an empty file' 1 'bad.profile:0: gvt-stat-profile: the file is empty' "$tmp/bad.profile"
printf 'gvt-stat-profile 2\n\033[31m 1\n' >"$tmp/bad.profile"
refused 'control characters are not repeated' 1 'bad.profile:2: ?[31m' "$tmp/bad.profile"
refused 'a file that is not there' 1 "make a profile with 'gvt-stat profile" "$tmp/nothing.profile"
refused 'a directory' 1 'Is a directory' "$tmp"
refused 'no profile' 129 'give profiles'
# shellcheck disable=SC2046 # eight words
refused 'eight profiles' 129 'a GPU can have 7' $(yes "$tmp/batch.profile" | head -n 8)
refused 'a trace' 1 'this is no profile' "$tmp/one.dat"
refused 'an option of traces' 129 'unrecognized option' --gpu 0 "$tmp/batch.profile"
refused 'a policy that is none' 129 "there is no 'lottery'" --set policy=lottery "$tmp/batch.profile"
refused 'a vGPU that is not there' 129 'there are 1 profiles' --vgpu 2:cap=30 "$tmp/batch.profile"
refused 'no phase' 129 'whole number' --phases 0 "$tmp/batch.profile"

# --- what another time will not be the same ---------------------------------------------------
# within VGPU METRIC VALUE: is it in the range, which is wider than the mean differs from it?
within()
{
	jq -r --argjson was "$3" ".predicted[] | select(.vgpu_id == $1 and .metric == \"$2\") | .least < \$was and \$was < .most" "$tmp/out.json"
}
is_not_shown() { jq '[.doubts[] | select(.vgpu_id == 1).what] | any(test("these profiles do not show its latency"))' "$tmp/out.json"; }

echo 'work exec_ns=5000000 at_ns=3000000 lag=1' | application drifts 10000 1250 5 "rcs0 $closed"
predicted drifts.profile
is 'pauses that are 3 % longer the next time are in the range' true "$(within 1 utilization_percent "$(awk 'BEGIN { print 500 / 8.09 }')")"
is 'which is shown' false "$(is_not_shown)"

# 100 of 5 ms in 10 s; as many come another time, give or take 10
awk 'BEGIN { srand(3); for (; at < 1e10; at += -1e8 * log(1 - rand())) printf "work exec_ns=5000000 at_ns=%d lag=0\n", at }' >"$tmp/work"
count=$(wc -l <"$tmp/work")
application random 10000 "$count" 5 "rcs0 open=1 depth=8 contexts=1 piece_ns=0 kind=2 least_depth=8" <"$tmp/work"
predicted random.profile
is 'arrivals at random come more or less often the next time' 'true true' \
	"$(within 1 utilization_percent "$(awk -v n="$count" 'BEGIN { print 0.05 * (n - 8) }')") $(within 1 utilization_percent "$(awk -v n="$count" 'BEGIN { print 0.05 * (n + 8) }')")"

# --- what a recording of it alone cannot tell ------------------------------------------------
# by a clock of 100 Hz, 4 ms; beside what leaves it a quarter of the engine, its queue is always full: of one or of eight
seq 0 999 | sed 's/.*/work exec_ns=4000000 at_ns=&0000000 lag=0/; s/=00000000 /=0 /' |
	application light 10000 1000 4 "rcs0 doubts=unlimited open=1 depth=4 contexts=1 piece_ns=0 kind=1 least_depth=1 period_ns=10000000"
echo 'work exec_ns=12000000 at_ns=0 lag=1' | application heavy 10000 833 12 "rcs0 open=0 depth=1 contexts=1 piece_ns=0"
for depth in 1 8; do
	predicted light.profile heavy.profile heavy.profile --vgpu 1:depth=$depth
	value 1 latency_mean_ns >"$tmp/depth-$depth"
done
predicted light.profile heavy.profile heavy.profile
is 'a limit that was never reached may be one or eight' 'true true' \
	"$(within 1 latency_mean_ns "$(cat "$tmp/depth-1")") $(within 1 latency_mean_ns "$(cat "$tmp/depth-8")")"
is 'that is said' true "$(is_not_shown)"
# what may be a loop, or by a clock without a known limit
{ cat "$tmp/light.profile" | sed 's/doubts=unlimited open=1 depth=4/doubts=ambiguous open=0 depth=1/; s/ kind=1 least_depth=1 period_ns=10000000/ kind=0/; /^work/d'
  echo 'work exec_ns=4000000 at_ns=6000000 lag=1'
  echo 'or open=1 depth=4 contexts=1 piece_ns=0 kind=1 least_depth=1 period_ns=10000000'; grep '^work' "$tmp/light.profile"; } >"$tmp/either.profile"
predicted either.profile heavy.profile heavy.profile
is 'also of what may be a clock as well' true "$(within 1 latency_mean_ns "$(cat "$tmp/depth-8")")"

# 30 ms of which preemption points are guessed, beside others of two: its worst is that only the others cannot be preempted
for name in short long; do
	sed "s/stream rcs0/stream rcs0 doubts=guessed-pieces/" "$tmp/batch.profile" >"$tmp/$name.profile"
done
sed -i 's/^work.*/work exec_ns=40000000 at_ns=0 lag=1/; s/completed=1000/completed=250/; s/_ns=10000000/_ns=40000000/g' "$tmp/long.profile"
sed -i 's/^work.*/work exec_ns=10000000 at_ns=30000000 lag=1/; s/completed=1000/completed=250/; s/exec_ns=10000000000/exec_ns=2500000000/' "$tmp/short.profile"
sed -i 's/policy fair/policy work-conserving/; s/dispatch exclusive/dispatch preemptive/' "$tmp/short.profile" "$tmp/long.profile"
predicted short.profile long.profile long.profile --vgpu 2:pieces_us=0 --vgpu 3:pieces_us=0 --vgpu 1:pieces_us=1000
value 1 latency_mean_ns >"$tmp/others-uncut"
predicted short.profile long.profile long.profile
is 'that only the others cannot be preempted' true "$(within 1 latency_mean_ns "$(cat "$tmp/others-uncut")")"

# alternative PROFILE WORDS: once more what it does, with these words, as something else that it may do
alternative() { echo "or $2"; grep '^work' "$tmp/$1.profile"; }

# two by the same clock, of which one may also be by the same clock: nothing more is unknown
predicted clock.profile clock.profile --set dispatch=per-engine
ranges() { jq -c '[.predicted[] | {least, most}]' "$tmp/out.json"; }
once=$(ranges)
{ sed 's/rcs0/& doubts=ambiguous/' "$tmp/clock.profile"; alternative clock "$clock"; } >"$tmp/same.profile"
predicted same.profile clock.profile --set dispatch=per-engine
is 'an alternative that is no different changes nothing' "false $once" "$(is_not_shown) $(ranges)"

# what the user tells rules out the others only
predicted either.profile heavy.profile heavy.profile --vgpu 1:open
is 'a clock, as told, without a known limit' true "$(within 1 latency_mean_ns "$(cat "$tmp/depth-8")")"
predicted either.profile heavy.profile heavy.profile --vgpu 1:closed
is 'or a loop, which has one' false "$(within 1 latency_mean_ns "$(cat "$tmp/depth-8")")"
{ sed 's/rcs0/& doubts=ambiguous/' "$tmp/deep.profile"; alternative clock "$clock"; alternative batch "$closed"; } >"$tmp/loops.profile"
predicted batch.profile batch.profile
shallow=$(value 1 latency_mean_ns)
predicted loops.profile batch.profile --vgpu 1:closed
is 'a loop, as told, of two or of one' true "$(jq -n "$(value 1 latency_mean_ns least) <= $shallow * 1.02 and $(value 1 latency_mean_ns) > $shallow * 1.5")"

# more alternatives than are simulated leave room for preemption points
predicted short.profile long.profile --vgpu 1:pieces_us=1000 --vgpu 2:pieces_us=0
uncut=$(value 1 latency_mean_ns)
for name in short long; do
	{
		sed 's/doubts=/&ambiguous,/' "$tmp/$name.profile"
		for _ in 1 2 3 4 5 6 7 8; do
			alternative $name 'open=0 depth=1 contexts=1 piece_ns=1000000'
		done
	} >"$tmp/many-$name.profile"
done
predicted many-short.profile many-long.profile
is 'many alternatives, and preemption points' true "$(jq -n "$(value 1 latency_mean_ns most) >= $uncut * 0.98 and $(value 1 latency_mean_ns) < $uncut * 0.9")"

finish
