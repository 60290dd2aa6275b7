#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat simulate: the trace that it writes, and the vGPUs of other traces. The traces are made
# by gvt-sim itself, so that what really would have been is known.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

# simulated NAME [OPTION...]: the JSON document into $tmp/out.json
simulated()
{
	file=$1
	shift
	"$GVT_STAT" simulate --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" 2>"$tmp/output" ||
		bail "cannot simulate $file"
}

# less for vGPU 3 than strict leaves it: how long a queue gets that is just too long for its share
# depends on how long it was at first
echo "$mix" | sed 's/^vgpu 2.*/& nice=-3/; s/^vgpu 3.*/& cap=40/; s/exec_ns=2000000/exec_ns=1700000/' |
	played mix strict exclusive

# --- the trace that is written ------------------------------------------------------------
# what report says of a trace in the words of simulate, to the nanosecond
reported()
{
	"$GVT_STAT" report --json -i "$1" | jq -c '[.vgpus[] | .vgpu_id as $id | .engines[] |
		[$id, .engine, .utilization_percent, .latency_mean_ns, .latency_p50_ns, .latency_p95_ns,
		 .latency_p99_ns, .latency_max_ns] | map(if type == "number" then . * 1e6 | round else . end)]'
}
told='[.simulated | group_by([.vgpu_id, .engine])[] | [.[0].vgpu_id, .[0].engine] +
	[(map({(.metric): .then}) | add) | .utilization_percent, .latency_mean_ns, .latency_p50_ns,
	 .latency_p95_ns, .latency_p99_ns, .latency_max_ns] | map(if type == "number" then . * 1e6 | round else . end)]'

for to in strict/exclusive work-conserving/exclusive fair/exclusive fair/per-engine fair/preemptive; do
	simulated mix --set policy="${to%/*}" --set dispatch="${to#*/}" -o "$tmp/what.dat"
	is "$to: report of the trace says what simulate says" "$(jq -c "$told" "$tmp/out.json")" \
		"$(reported "$tmp/what.dat")"
	is "$to: and so do the settings" "${to%/*} ${to#*/}" \
		"$("$GVT_STAT" report --json -i "$tmp/what.dat" | jq -r '.gpus[0] | .policy + " " + .dispatch')"
	is "$to: it has no contradiction" 0 \
		"$("$GVT_STAT" report -v -i "$tmp/what.dat" 2>&1 | grep -ci 'contradict\|cannot be\|lost')"
done

simulated mix --windows 1 -o "$tmp/same.dat"
is 'it is as long as what was recorded' "$("$GVT_STAT" report --json -i "$tmp/mix.dat" | jq .window_ns)" \
	"$("$GVT_STAT" report --json -i "$tmp/same.dat" | jq .window_ns)"
"$GVT_STAT" compare --json "$tmp/mix.dat" "$tmp/same.dat" >"$tmp/compared" 2>"$tmp/output"
is 'nothing changes if nothing is changed' 0 \
	"$(jq '[.metrics[] | select(.verdict == "higher" or .verdict == "lower")] | length' "$tmp/compared")"
for reader in report check "why idle" "why waits" "list turns" "list workloads"; do
	"$GVT_STAT" "$reader" -i "$tmp/same.dat" >"$tmp/out" 2>"$tmp/output"
	got=$?
	[ -s "$tmp/out" ] && { [ $got = 0 ] || [ "$reader $got" = 'check 2' ]; }
	result $? "$reader reads it"
done
for form in html perfetto csv; do
	"$GVT_STAT" export -f $form -o "$tmp/exported" -i "$tmp/same.dat" 2>"$tmp/output" && [ -s "$tmp/exported" ]
	result $? "export to $form reads it"
done
"$GVT_STAT" simulate --json -i "$tmp/same.dat" >"$tmp/again" 2>"$tmp/output"
is 'and simulate itself' "$(jq -c '[.streams[] | [.vgpu_id, .engine, .kind]]' "$tmp/out.json")" \
	"$(jq -c '[.streams[] | [.vgpu_id, .engine, .kind]]' "$tmp/again")"
has 'it says that it was simulated' 'no GPU: simulated by gvt-stat' "$("$GVT_STAT" report -v -i "$tmp/same.dat")"
is 'vGPUs are who they were' "$("$GVT_STAT" report --json -i "$tmp/mix.dat" | jq -c '[.vgpus[] | [.vgpu_id, .uuid, .weight, .nice, .cap]]')" \
	"$("$GVT_STAT" report --json -i "$tmp/same.dat" | jq -c '[.vgpus[] | [.vgpu_id, .uuid, .weight, .nice, .cap]]')"
trace-cmd report -i "$tmp/same.dat" >"$tmp/out" 2>"$tmp/output"
is 'trace-cmd reads it' 1 "$(grep -c 'gvt_sched_info' "$tmp/out")"

# the number of a GPU, a name and a UUID that gvt-sim does not know
sed -e 's/\bdev=0\b/dev=3/' -e 's/uuid=00000000/uuid=12345678/' -e 's/owner_pid=0/owner_pid=77/' "$tmp/events" >"$tmp/other"
{ echo '0 0 print buf=gvt-stat-meta~vgpu~12345678-0000-0000-0000-000000000002~id=2~gpu=0000:00:02.0~preempt=1~vm=a~name'
	cat "$tmp/other"; } | mktrace named
simulated named --windows 1 --vgpu 2:preempt=0 -o "$tmp/named-then.dat"
is 'GPU, UUID, name, process and preempt of a vGPU are told' \
	'[3,"12345678-0000-0000-0000-000000000002","a name",77,0]' \
	"$("$GVT_STAT" report --json -i "$tmp/named-then.dat" | jq -c '.vgpus[] | select(.vgpu_id == 2) | [.dev, .uuid, .vm, .owner_pid, .preempt]')"
is 'it can be chosen by its address' 3 "$("$GVT_STAT" report --json --gpu 0000:00:02.0 -i "$tmp/named-then.dat" | jq '.gpus[0].dev')"

# what cannot be written leaves nothing
"$GVT_STAT" simulate -i "$tmp/mix.dat" --windows 1 -o "$tmp/none/what.dat" >/dev/null 2>"$tmp/output"
is 'a directory that is none' 1 $?
has 'is told in a line' 'cannot write there' "$(cat "$tmp/output")"
printf 'before' >"$tmp/kept"
"$GVT_STAT" simulate -i "$tmp/mix.dat" --set policy=lottery -o "$tmp/kept" >/dev/null 2>"$tmp/output"
is 'a simulation that fails leaves the file as it was' before "$(cat "$tmp/kept")"
is 'and nothing beside it' 0 "$(find "$tmp" -name 'gvt-stat.*' | wc -l)"

# --- vGPUs of other traces --------------------------------------------------------------------
echo 'vgpu 1
stream 1 rcs0
work exec_ns=18000000 at_ns=4700000 lag=1' | played small fair exclusive
echo 'vgpu 1 weight=4
stream 1 rcs0
work exec_ns=30000000 at_ns=50000 lag=2' | played large fair exclusive
echo 'vgpu 1
vgpu 2 weight=4
stream 1 rcs0
work exec_ns=18000000 at_ns=4700000 lag=1
stream 2 rcs0
work exec_ns=30000000 at_ns=50000 lag=2' | played both fair exclusive

# then_of VGPU METRIC: of the last simulation
then_of()
{
	jq -r ".simulated[] | select(.vgpu_id == $1 and .metric == \"$2\") | .then" "$tmp/out.json"
}
simulated both
recorded=$(jq -c '[.simulated[] | .now]' "$tmp/out.json")
simulated small --with "$tmp/large.dat"
for nr in 0 1 2; do
	metric=$(echo 'utilization_percent completed_per_second latency_mean_ns' | cut -d ' ' -f $((nr + 1)))
	for vgpu in 1 2; do
		near "together: $metric of vGPU $vgpu" "$(echo "$recorded" | jq ".[$((nr + 7 * (vgpu - 1)))]")" \
			"$(then_of $vgpu "$metric")" 2
	done
done
is 'what was is what was alone' 18 "$(jq '.simulated[] | select(.vgpu_id == 1 and .metric == "latency_mean_ns") | .now / 1e6 | round' "$tmp/out.json")"
has 'the table says who it is' "vGPU 2 is vGPU 1 of $tmp/large.dat" \
	"$("$GVT_STAT" simulate -i "$tmp/small.dat" --with "$tmp/large.dat")"
simulated small --with "$tmp/both.dat:2"
is 'one of the vGPUs of a trace' '[1,2]' "$(jq -c '[.streams[].vgpu_id]' "$tmp/out.json")"
near 'it is this one' 30 "$(jq '.simulated[] | select(.vgpu_id == 2 and .metric == "utilization_percent") | .now / 2.3' "$tmp/out.json")" 20
simulated small --with "$tmp/both.dat" --with "$tmp/large.dat" --vgpu 4:cap=10
is 'several traces, with ids of their own' '[1,2,3,4]' "$(jq -c '[.streams[].vgpu_id]' "$tmp/out.json")"
near 'whose settings can be changed' 10 "$(then_of 4 utilization_percent)" 5
simulated small --with "$tmp/large.dat" -o "$tmp/what.dat"
is 'all of them are in the trace' "$(jq -c "$told" "$tmp/out.json")" "$(reported "$tmp/what.dat")"

# Two clocks of 60 Hz: alone it is a matter of when they were started. The windows are such times.
for at in 0 8; do
	echo "vgpu 1
stream 1 rcs0 open=1 depth=8 span_ns=50000000
work exec_ns=6000000 at_ns=${at}000000
work exec_ns=6000000 at_ns=$((at + 16))666667
work exec_ns=6000000 at_ns=$((at + 33))333333" | played clock$at fair exclusive
done
simulated clock0 --with "$tmp/clock8.dat" --windows 30
is 'clocks, both' '[true,true]' "$(jq -c '[.streams[].open]' "$tmp/out.json")"
near 'all phases: somebody waits in some' 12.0 "$(jq '[.simulated[] | select(.metric == "latency_mean_ns") | .most / 1e6] | max' "$tmp/out.json")" 15
near 'and nobody in others' 6.0 "$(jq '[.simulated[] | select(.metric == "latency_mean_ns") | .least / 1e6] | max' "$tmp/out.json")" 3

# refused NAME STATUS PART OPTION...
refused 'a trace that is not there' 1 nowhere -i "$tmp/small.dat" --with "$tmp/nowhere.dat"
refused 'a vGPU that is not in it' 129 'vGPU 5 is not in' -i "$tmp/small.dat" --with "$tmp/both.dat:5"
refused 'too many' 1 'more than the 7 vGPUs' -i "$tmp/both.dat" --with "$tmp/both.dat" --with "$tmp/both.dat" --with "$tmp/both.dat"
refused 'no trace' 129 'give a trace' -i "$tmp/small.dat" --with :3
refused 'what is no trace' 1 trace -i "$tmp/small.dat" --with "$tmp/events"

finish
