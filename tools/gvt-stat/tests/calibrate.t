#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat calibrate: gvt-sim plays an application whose sensitivity curve is known, alone and beside a load;
# calibrate has to find that curve, and predict has to tell what gvt-sim plays of it beside others. Then what is
# doubtful, and recordings that tell nothing.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

export command=calibrate

# 5 ms with pauses of 2 ms, and how much longer it takes beside others; 8 ms back to back, on another engine
application='stream 1 rcs0 piece_ns=1000000 mbps=4000
beside mbps=3000 ppm=1050000
beside mbps=6000 ppm=1200000
beside mbps=9000 ppm=1500000
work exec_ns=5000000 at_ns=2000000 lag=1'
other='stream 2 vcs0 piece_ns=1000000 mbps=6000
beside mbps=3000 ppm=1100000
beside mbps=6000 ppm=1300000
beside mbps=9000 ppm=1600000
work exec_ns=8000000 at_ns=0 lag=1'

# load MBPS [PAUSE_NS]: on the copy engine
load()
{
	printf 'vgpu 3\nstream 3 bcs0 piece_ns=1000000 mbps=%s\nwork exec_ns=5000000 at_ns=%s lag=1\n' "$1" "${2:-0}"
}

printf 'vgpu 1\n%s\n' "$application" | played alone fair per-engine
printf 'vgpu 1\n%s\n' "$(echo "$other" | sed 's/stream 2/stream 1/')" | played other-alone fair per-engine
for mbps in 3000 6000 9000; do
	{ printf 'vgpu 1\n%s\n' "$application"; load $mbps; } | played "beside-$mbps" fair per-engine
	{ printf 'vgpu 2\n%s\n' "$other"; load $mbps; } | played "other-$mbps" fair per-engine
done

# with_demand MBPS PROFILE: its streams ask for so much
with_demand()
{
	sed -i "s/^solo .*/&\nmemory mbps=$1/" "$tmp/$2.profile"
}

"$GVT_STAT" profile -i "$tmp/alone.dat" -o "$tmp/app.profile" --pieces 1ms 2>"$tmp/output" || bail 'no profile'
"$GVT_STAT" profile -i "$tmp/other-alone.dat" -o "$tmp/other.profile" --pieces 1ms 2>"$tmp/output" || bail 'no profile'
with_demand 4000 app
with_demand 6000 other
cp "$tmp/app.profile" "$tmp/alone.profile"

# curve PROFILE: slowdowns in it, in thousandths
curve()
{
	sed -n 's/^beside mbps=\([0-9]*\) ppm=\([0-9]*\)/\1 \2/p' "$tmp/$1.profile" |
		awk '{ printf "%s%d:%d", sep, $1, $2 / 1000 + 0.5; sep = " " }'
}

# --- what it finds ------------------------------------------------------------------------
# the order of recordings does not matter
"$GVT_STAT" calibrate "$tmp/app.profile" --beside "$tmp/beside-9000.dat=9000" --beside "$tmp/beside-3000.dat=3000" \
	--beside "$tmp/beside-6000.dat=6000" >"$tmp/table" 2>"$tmp/output"
result $? 'it calibrates'
is 'the curve, in the profile' '3000:1050 6000:1200 9000:1500' "$(curve app)"
is 'and nothing else is changed there' '' "$(grep -v '^beside' "$tmp/app.profile" | diff - "$tmp/alone.profile")"
matches 'a table' '*BESIDE MB/s*SLOWDOWN*rcs0*3000*1.05*9000*1.50*' "$(tr '\n' ' ' <"$tmp/table")"
"$GVT_STAT" calibrate "$tmp/other.profile" --beside "$tmp/other-9000.dat=9000" --beside "$tmp/other-3000.dat=3000" \
	--beside "$tmp/other-6000.dat=6000" -o "$tmp/curved.profile" >"$tmp/table" 2>"$tmp/output"
is 'with -o, in another file' '3000:1100 6000:1300 9000:1600 ' "$(curve curved) $(curve other)"
"$GVT_STAT" calibrate "$tmp/app.profile" --beside "$tmp/beside-6000.dat=6000" -o - >"$tmp/one.profile" 2>"$tmp/output"
is 'or on the standard output, alone; what was there before is gone' '6000:1200' "$(curve one)"

# a load that is there for 10 of 11 ms, or of 15: nearly the same curve
{ printf 'vgpu 1\n%s\n' "$application"; load 9000 500000; } | played pauses fair per-engine
"$GVT_STAT" calibrate "$tmp/alone.profile" --beside "$tmp/pauses.dat=9000" -o "$tmp/pauses.profile" >"$tmp/table" 2>"$tmp/output"
near 'a load that pauses' 1500 "$(curve pauses | cut -d : -f 2)" 1
{ printf 'vgpu 1\n%s\n' "$application"; load 9000 2500000; } | played pauses fair per-engine
"$GVT_STAT" calibrate "$tmp/alone.profile" --beside "$tmp/pauses.dat=9000" -o "$tmp/pauses.profile" >"$tmp/table" 2>"$tmp/output"
near 'and one that pauses for long' 1500 "$(curve pauses | cut -d : -f 2)" 3

# --- what predict makes of it ------------------------------------------------------------------
# predicted PROFILE... [OPTION...]: the document into $tmp/out.json
predicted()
{
	"$GVT_STAT" predict --json "$@" >"$tmp/out.json" 2>"$tmp/output"
}

# value VGPU METRIC
value()
{
	jq -r ".predicted[] | select(.vgpu_id == $1 and .metric == \"$2\").predicted" "$tmp/out.json"
}

# doubts: all, of contention
doubts()
{
	jq -r '.doubts[] | select(.what | test("memory")) | "\(.vgpu_id) \(.what)"' "$tmp/out.json"
}

printf 'vgpu 1\nvgpu 2\n%s\n%s\n' "$application" "$other" | played both fair per-engine
"$GVT_STAT" simulate --json --windows 1 -i "$tmp/both.dat" >"$tmp/real.json" 2>"$tmp/output"
real()
{
	jq ".simulated[] | select(.vgpu_id == $1 and .metric == \"latency_mean_ns\").now" "$tmp/real.json"
}

for dispatch in per-engine preemptive; do
	predicted "$tmp/app.profile" "$tmp/curved.profile" --set dispatch=$dispatch
	near "$dispatch: the application beside the other one" "$(real 1)" "$(value 1 latency_mean_ns)" 1
	near "$dispatch: and that beside it" "$(real 2)" "$(value 2 latency_mean_ns)" 1
	is "$dispatch: nothing doubtful about it" '' "$(doubts)"
done
[ "$(value 1 degradation_percent | cut -d . -f 1)" -ge 15 ]
result $? 'which is not little'
predicted "$tmp/alone.profile" "$tmp/other.profile"
near 'without curves it has what it had alone' 0.001 "$(value 1 degradation_percent | awk '{ print ($1 < 1) / 1000 }')" 1
matches 'and that is told of both' '1 its sensitivity to memory*2 its sensitivity to memory*' "$(doubts | tr '\n' ' ')"
predicted "$tmp/alone.profile" "$tmp/other.profile" --set dispatch=exclusive
is 'but not where one vGPU has all engines' '' "$(doubts)"
predicted "$tmp/alone.profile" "$tmp/alone.profile"
is 'nor on one engine' '' "$(doubts)"
sed '/^memory/d' "$tmp/curved.profile" >"$tmp/quiet.profile"
predicted "$tmp/app.profile" "$tmp/quiet.profile"
matches 'one that does not tell what it asks for' '2 its memory demand*' "$(doubts)"
near 'as if that was nothing' 0.001 "$(value 1 degradation_percent | awk '{ print ($1 < 1) / 1000 }')" 1
sed 's/memory mbps=.*/memory mbps=9500/' "$tmp/curved.profile" >"$tmp/greedy.profile"
predicted "$tmp/app.profile" "$tmp/greedy.profile"
matches 'one that asks for more than was tried' '1 others may demand 9500 MB/s of the memory at once*up to 9000' "$(doubts)"
near 'the curve goes on as steep as it was' 1.55 "$(value 1 utilization_percent | awk -v n="$(value 1 completed_per_second)" '{ print $1 / n * 2 }')" 2

# --- the demand, from the memory controller's counter -----------------------------------------------
# marked NAME MARK...: the trace alone, with the counter at its begin and every 5 s
marked()
{
	name=$1
	shift
	{
		at=0
		for mark; do
			echo "$at 0 print buf=gvt-stat-meta~gt_requests~$mark"
			at=$((at + 5000000000))
		done
		"$GVT_SIM" "$tmp/model"
	} | sort -s -n -k 1,1 | mktrace "$name"
}

printf 'set policy fair\nset dispatch per-engine\nvgpu 1\n%s\n' "$application" >"$tmp/model"
# 5 of 7 ms in 20 s at 4000 MB/s are 57142 MB, 892857142 requests; the counter runs over after a half
marked counted 4000000000 4223214286 151461275 374675561 597889847
"$GVT_STAT" profile -i "$tmp/counted.dat" -o "$tmp/counted.profile" 2>"$tmp/output"
near 'what an application asks for' 4000 "$(sed -n 's/^memory mbps=//p' "$tmp/counted.profile")" 1
"$GVT_STAT" profile -i "$tmp/counted.dat" --time +1,+3 -o "$tmp/counted.profile" 2>"$tmp/output"
is 'of a part of the recording it is not known' '' "$(grep memory "$tmp/counted.profile")"
marked once 4000000000
"$GVT_STAT" profile -i "$tmp/once.dat" -o "$tmp/counted.profile" 2>"$tmp/output"
is 'nor from one mark' '' "$(grep memory "$tmp/counted.profile")"
marked odd 1 -5 99999999999 1e5 1
"$GVT_STAT" profile -i "$tmp/odd.dat" -o "$tmp/counted.profile" 2>"$tmp/output"
is 'marks that are none are no marks' 'memory mbps=0' "$(grep memory "$tmp/counted.profile")"
"$GVT_STAT" calibrate "$tmp/quiet.profile" --beside "$tmp/other-3000.dat=3000" -o /dev/null >"$tmp/table" 2>"$tmp/output"
matches 'a profile without it: a warning' '*lacks what the application asks of the memory*' "$(cat "$tmp/output")"

# --- output ---------------------------------------------------------------------------------------
"$GVT_STAT" calibrate "$tmp/app.profile" --beside "$tmp/beside-3000.dat=3000" --beside "$tmp/beside-9000.dat=9000" -o /dev/null --json \
	>"$tmp/out.json" 2>"$tmp/output"
is 'JSON' '["app",[3000,9000],[1.05,1.5]]' \
	"$(jq -c '[.profile, [.calibrated[].beside_mbps], [.calibrated[].slowdown * 1000 | round / 1000]]' "$tmp/out.json")"
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	is 'JSON is as the schema says' '' "$(/usr/bin/python3 "$(dirname "$0")/validate" \
		"$(dirname "$0")/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
else
	skip 'JSON is as the schema says' 'python3-jsonschema is not installed'
fi
is 'CSV' 'rcs0,3000' "$("$GVT_STAT" calibrate "$tmp/app.profile" --beside "$tmp/beside-3000.dat=3000" -o /dev/null --csv \
	--columns engine,beside_mbps 2>"$tmp/output" | tail -n 1 | tr -d '\r')"

# --- what cannot be ---------------------------------------------------------------------------------
good="--beside $tmp/beside-3000.dat=3000"
refused 'no profile' 129 'give a profile'
refused 'nothing beside' 129 'give recordings of it beside a known load' "$tmp/app.profile"
# shellcheck disable=SC2086 # two words
{
	refused 'two profiles' 129 'one profile is calibrated at a time' "$tmp/app.profile" "$tmp/app.profile" $good
	refused 'the same load twice' 129 'there are two of 3000 MB/s' "$tmp/app.profile" $good $good
	refused 'a profile that is none' 1 'this is no profile' "$tmp/alone.dat" $good
	refused 'a profile that is not there' 1 'No such file' "$tmp/nothing.profile" $good
	refused 'a vGPU that is not there' 1 'no vGPU in it works on the engines' "$tmp/app.profile" $good --vgpu 7
	refused 'a vGPU that cannot be' 129 'is no id of a vGPU' "$tmp/app.profile" $good --vgpu 0
	refused 'an output that cannot be' 1 'cannot write' "$tmp/app.profile" $good -o "$tmp/nowhere/x"
}
for bad in "$tmp/alone.dat" "$tmp/alone.dat=" "$tmp/alone.dat=0" "$tmp/alone.dat=1e4" "$tmp/alone.dat=1000001" '=3000'; do
	refused "a load of '${bad##*/}'" 129 'give FILE=N' "$tmp/app.profile" --beside "$bad"
done
refused 'a recording that is not there' 1 'nothing.dat' "$tmp/app.profile" --beside "$tmp/nothing.dat=5"
refused 'a profile for a recording' 1 'app.profile' "$tmp/app.profile" --beside "$tmp/app.profile=5"
refused 'a recording of it alone' 1 'nothing works beside vGPU 1' "$tmp/app.profile" --beside "$tmp/alone.dat=5"
refused 'of another application' 1 'no vGPU in it works on the engines' "$tmp/app.profile" --beside "$tmp/other-3000.dat=3000"
{ printf 'vgpu 1\nvgpu 2\n%s\n%s\n' "$application" "$other"; load 3000; } | played three fair per-engine
refused 'two loads' 1 'more than one load' "$tmp/app.profile" --beside "$tmp/three.dat=3000"
{ printf 'vgpu 1\n%s\n' "$application"; load 3000; } | played turns fair exclusive
refused 'where vGPUs take turns' 1 'dispatch exclusive' "$tmp/app.profile" --beside "$tmp/turns.dat=3000"
{ printf 'vgpu 1\n%s\n' "$application"; load 3000 20000000; } | played rests fair per-engine
refused 'a load that hardly works' 1 'a load should never pause' "$tmp/app.profile" --beside "$tmp/rests.dat=3000"
{ printf 'vgpu 1\n%s\n' "$application"; load 3000 | sed 's/bcs0/rcs0/'; } | played same fair per-engine
refused 'both on one engine: which is it?' 129 'both work on the engines' "$tmp/app.profile" --beside "$tmp/same.dat=3000"
refused 'both on one engine' 1 'as the application does' "$tmp/app.profile" --beside "$tmp/same.dat=3000" --vgpu 1
{ printf 'vgpu 1\n%s\n' "$(echo "$application" | sed 's/exec_ns=5000000/exec_ns=6000000000/')"; load 3000; } | played changed fair per-engine
refused 'an application that does something else' 1 'it does something else' "$tmp/app.profile" --beside "$tmp/changed.dat=3000"

# bad NAME PART SCRIPT: what sed's script makes of a calibrated profile is refused, with the place
bad()
{
	sed "$3" "$tmp/app.profile" >"$tmp/bad.profile"
	refused "$1" 1 "$2" "$tmp/bad.profile" --beside "$tmp/beside-3000.dat=3000"
}

bad 'a demand twice' 'memory: it is given twice' '/^memory/p'
bad 'a demand of nobody' 'memory: it is of a stream' '2s/.*/&\nmemory mbps=5/'
bad 'a demand that is too large' "mbps: '1000001' is no whole number" 's/^memory.*/memory mbps=1000001/'
bad 'a point of nobody' 'beside: it is of a stream' '2s/.*/&\nbeside mbps=5 ppm=1000000/'
bad 'a point without its place' 'mbps: it is missing' 's/^beside mbps=3000/beside/'
bad 'faster beside others' "ppm: '999999' is no whole number" 's/^\(beside mbps=3000 ppm=\).*/\1999999/'
bad 'points out of order' 'mbps: it is not more than in the line before' 's/^\(beside mbps=\)9000/\16000/'
bad 'too many points' 'beside: a stream has more than 7' 's/^beside mbps=9000.*/&\nbeside mbps=9001 ppm=1000000\nbeside mbps=9002 ppm=1000000\nbeside mbps=9003 ppm=1000000\nbeside mbps=9004 ppm=1000000\nbeside mbps=9005 ppm=1000000/'

finish
