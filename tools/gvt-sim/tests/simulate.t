#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is simulated: results that follow from the settings, arrivals, bad models

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# two LINE...: a model of two vGPUs that never pause, and these lines
two()
{
	printf '%s\n' "$@"
	at_once
	for vgpu in 1 2 3; do
		case " $vgpus " in *" $vgpu:"*) ;; *) continue ;; esac
		settings=${vgpus#*"$vgpu:"}
		echo "vgpu $vgpu ${settings%%;*}"
		echo "stream $vgpu rcs0 depth=2 piece_ns=${piece:-0}"
		echo "work exec_ns=4000000 at_ns=0 lag=2"
	done
}

# --- shares ------------------------------------------------------------------------
for dispatch in exclusive per-engine preemptive; do
	piece=500000
	vgpus='1:weight=2; 2:weight=4; 3:weight=8;'
	two 'set policy fair' "set dispatch $dispatch" | simulate weights
	is "fair, $dispatch: shares by weight" '14 29 57' "$(shares weights)"

	vgpus='1:nice=0; 2:nice=-5;'
	two 'set policy fair' "set dispatch $dispatch" | simulate nice
	is "fair, $dispatch: shares by nice" '25 75' "$(shares nice)"

	vgpus='1:cap=30; 2:cap=0;'
	two 'set policy fair' "set dispatch $dispatch" | simulate cap
	is "fair, $dispatch: a cap" '30 70' "$(shares cap)"

	vgpus='1:weight=2; 2:weight=2;'
	two 'set policy strict' "set dispatch $dispatch" | simulate strict
	is "strict, $dispatch: equal shares" '50 50' "$(shares strict)"
done

# a long workload does not take the engine in the gaps between short ones that follow each other at once:
# these cost 30 to 50 us each, so 0.2 ms is up to 43 % of the time and 0.05 ms 30
for length in 50 200; do
	{ echo 'set policy fair'; echo 'set dispatch preemptive'; echo 'vgpu 1'; echo 'vgpu 2'
	  echo 'stream 1 rcs0 piece_ns=100000'; echo "work exec_ns=${length}000 lag=4"
	  echo 'stream 2 rcs0 piece_ns=100000'; echo 'work exec_ns=20000000000 lag=2'; } | simulate gaps
	check "$length us back to back beside 20 s: $(shares gaps)" [ "$(shares gaps | cut -d ' ' -f 1)" -ge $((length == 50 ? 28 : 40)) ]
done

# nor do short workloads on one engine hide how long those on another one keep both
{ echo 'set policy fair'; echo 'vgpu 1'; echo 'vgpu 2'; echo 'stream 1 rcs0'; echo 'work exec_ns=4000000 at_ns=2000000 lag=1'
  echo 'stream 2 rcs0 depth=2'; echo 'work exec_ns=50000 lag=2'; echo 'stream 2 vcs0 depth=2'; echo 'work exec_ns=40000000 lag=2'
} | simulate hidden
check "4 ms and a pause beside 40 ms with a filler: $(shares hidden | cut -d " " -f 1)" [ "$(shares hidden | cut -d ' ' -f 1)" -ge 36 ]

# strict leaves the slice of an idle vGPU alone, work-conserving does not
idle='vgpu 2 weight=2'
for policy in strict work-conserving; do
	{ echo "set policy $policy"; at_once; echo 'vgpu 1 weight=2'; echo "$idle"
	  echo 'stream 1 rcs0 depth=2'; echo 'work exec_ns=1000000 lag=2'; } | simulate "$policy"
	expected=50
	[ "$policy" = strict ] || expected=100
	is "$policy beside an idle vGPU" "$expected" "$(shares "$policy")"
done

# --- the host's own work ------------------------------------------------------------------
# host NAME: when its first pieces began, in us, how long they waited, and for whom
host()
{
	awk '$3 == "gvt_host_start" && n++ < 3 {
		for (i = 4; i <= NF; i++) { split($i, field, "="); value[field[1]] = field[2] }
		printf("%s%d:%d:%d", (n > 1 ? " " : ""), $1 / 1000, value["waited_ns"] / 1000, value["holder"])
	}
	END { print "" }' "$tmp/$1.events"
}
# 2 ms back to back; the host's 4 ms come at 1, 11 and 21 ms and begin when a workload ends: 6 ms are left to these
uncut='vgpu 1
stream 1 rcs0 depth=2
work exec_ns=2000000 lag=2
host rcs0 span_ns=10000000
work exec_ns=4000000 at_ns=1000000'
for dispatch in exclusive per-engine preemptive; do
	{ echo "set dispatch $dispatch"; echo 'run warmup_ns=0'; at_once; echo "$uncut"; } | simulate host
	is "the host, $dispatch: it waits for what executes" '2000:1000:1 12000:1000:1 22000:1000:1' "$(host host)"
	is "the host, $dispatch: and the vGPU for it" '0 6000 8000 10000 16000 18000 20000 26000' "$(moments host start 1)"
	is "the host, $dispatch: shares" 60 "$(shares host)"
done
# with a preemption point every 700 us: at 1 ms it comes, at 2 ms i915's timeslice ends, at 2.1 ms is a point
# where dispatch is preemptive, or the guest has arbitration on
points()
{
	{ echo 'run warmup_ns=0'; echo "set dispatch $1"; echo "set host_first ${3-0}"; at_once; echo "latency tick ${4-0}"
	  echo "$uncut" | sed "s/depth=2/depth=2 piece_ns=700000 ${2-}/; s/exec_ns=2000000/exec_ns=${5-7}000000/"; } | simulate host
}
for how in preemptive: exclusive:always=1; do
	points "${how%:*}" "${how#*:}"
	is "the host, $how i915 preempts after a timeslice" '2100:1100:1' "$(host host | cut -d' ' -f1)"
	is "the host, $how what was preempted goes on behind it" '0 6100' "$(moments host start 1 | cut -d' ' -f1-2)"
done
# by a timer of the kernel with ticks of 4 ms it takes 4 to 8, and then until the next point
points preemptive '' 0 4000000 18
is "the host, preemptive: a timeslice ends with a tick of the kernel" 1 \
	"$(host host | cut -d' ' -f1 | awk -F: '{ print ($2 > 4000 && $2 < 8700) }')"
points preemptive '' 1
is 'the host first: i915 preempts at once' '1400:400:1' "$(host host | cut -d' ' -f1)"
points exclusive
is 'the host, exclusive: i915 cannot preempt' '7000:6000:1' "$(host host | cut -d' ' -f1)"
is 'the host: it is told as the driver has it' 4 "$(grep -c '^0 .*gvt_host_state' "$tmp/host.events")"
# pieces that come while one executes follow it; alone, nobody is waited for
{ echo 'run warmup_ns=0'; at_once; echo "$uncut" | sed 's/exec_ns=2000000/exec_ns=1/; s/lag=2/at_ns=90000000 lag=2/
	s/span_ns=.*/span_ns=20000000/'; echo 'work exec_ns=1000000 at_ns=2000000'; } | simulate host
is 'the host: one piece after the other' '1000:0:0 5000:0:0 21000:0:0' "$(host host)"

# --- when workloads come -------------------------------------------------------------
{ echo 'run warmup_ns=0'; at_once; echo 'vgpu 1 weight=2'
  echo 'stream 1 rcs0'; echo 'work exec_ns=2000000 at_ns=1000000 lag=1'; } | simulate closed
is 'a closed stream: after its pause' '1000 4000 7000 10000 13000 16000 19000 22000' \
	"$(moments closed queue 1)"
is 'and executes at once' '1000 4000 7000 10000 13000 16000 19000 22000' "$(moments closed start 1)"

{ echo 'set policy fair'; echo 'run warmup_ns=0'; at_once; echo 'vgpu 1 weight=2'
  echo 'stream 1 rcs0'; echo 'work exec_ns=2000000 at_ns=1000000 lag=1'
  echo 'work exec_ns=1000000 at_ns=500000 lag=0'; } | simulate lag
is 'a pair: the second after the first was queued, the first after it completed' \
	'1000 1500 5000 5500 9000 9500 13000 13500' "$(moments lag queue 1)"

{ echo 'set policy fair'; echo 'run warmup_ns=5000000'; at_once; echo 'vgpu 1 weight=2'
  echo 'stream 1 rcs0 open=1 depth=4 span_ns=10000000'
  echo 'work exec_ns=1000000 at_ns=2000000'; echo 'work exec_ns=1000000 at_ns=7000000'; } | simulate open
is 'an open stream: as recorded, again and again' '2000 7000 12000 17000 22000 27000 32000 37000' \
	"$(moments open queue 1)"

{ echo 'set policy fair'; echo 'run warmup_ns=0'; at_once; echo 'vgpu 1 weight=2'
  echo 'stream 1 rcs0 open=1 depth=1 span_ns=10000000'
  echo 'work exec_ns=3000000 at_ns=1000000'; echo 'work exec_ns=1000000 at_ns=2000000'; } | simulate full
is 'an open stream whose guest can queue one waits for that' '1000 4000 11000 14000 21000 24000 31000 34000' \
	"$(moments full queue 1)"

{ echo 'set policy fair'; echo 'run warmup_ns=0'; at_once; echo 'latency guest 500000'; echo 'vgpu 1 weight=2'
  echo 'stream 1 rcs0 open=1 depth=1 span_ns=20000000'
  echo 'work exec_ns=3000000 at_ns=1000000'; echo 'work exec_ns=1000000 at_ns=2000000'; echo 'work exec_ns=1000000 at_ns=4200000'
} | simulate reserved
is 'what arrives while the guest queues another one waits, too' '1000 4500 6000 21000 24500 26000 41000 44500' "$(moments reserved queue 1)"

# --- preemption -------------------------------------------------------------------------
piece=1000000 vgpus=''
{ printf '%s\n' 'set policy fair' 'set dispatch preemptive' 'set anticipation_ms 0' 'vgpu 1' 'vgpu 2' \
	'stream 1 rcs0' 'work exec_ns=1000000 at_ns=9000000 lag=1' \
	"stream 2 rcs0 piece_ns=$piece" 'work exec_ns=100000000 lag=1'; } >"$tmp/model"
simulate pieces <"$tmp/model"
sed 's/piece_ns=[0-9]*//' "$tmp/model" | simulate whole
is 'a workload that can be preempted lets others in' '9 91' "$(shares pieces)"
is 'one that cannot does not' '1 99' "$(shares whole)"
# shellcheck disable=SC2016 # awk's
check 'it goes on where it was' awk '
	$3 == "gvt_workload_stop" && / vgpu_id=2 / { off += / completed=0$/; end += / completed=1$/ }
	END { exit !(off > 5 * end && end > 100) }' "$tmp/pieces.events"

# what it costs: NAME VALUE is the only latency that is not 0
costs()
{
	{ at_once; echo "latency $1 $2"; cat "$tmp/model"; } | simulate "$1"
}

# executed NAME: by how much each workload of vGPU 2 executed longer than its 100 ms, by how often it was preempted, in us
executed()
{
	awk '
	/ vgpu_id=2 / && $3 == "gvt_workload_start" { since = $1 }
	/ vgpu_id=2 / && $3 == "gvt_workload_stop" && since { exec += $1 - since }
	/ vgpu_id=2 / && $3 == "gvt_workload_stop" && / completed=0$/ { off++ }
	/ vgpu_id=2 / && $3 == "gvt_workload_stop" && / completed=1$/ {
		if (n++)
			print (exec - 100000000) / off / 1000
		exec = off = 0
	}' "$tmp/$1.events" | sort -u
}

costs resume 0
is 'preempted for nothing' 0 "$(executed resume)"
costs resume 30000
is 'each time that it goes on costs' 30 "$(executed resume)"
costs hand_over 40000
is 'so late is it known who has the turn' 40 "$(awk '$3 == "gvt_workload_stop" && / completed=0$/ { off = $1 }
	$3 == "gvt_sched_switch" && off { print ($1 - off) / 1000; off = 0 }' "$tmp/hand_over.events" | sort -u)"

# On the rig, these two under strict, preemptive: the engine gets to know 0.002 ms after the end of the first of its pieces that
# vGPU 1's turn is over, so that it has two of them each time, which take 2.0451 ms
printf '%s\n' 'set policy strict' 'set dispatch preemptive' 'vgpu 1' 'vgpu 2' 'stream 1 rcs0 piece_ns=1017391' \
	'work exec_ns=23407826 at_ns=23700000 lag=1' 'stream 2 rcs0 open=1 depth=3 piece_ns=1117869 span_ns=16667000' \
	'work exec_ns=6707213 at_ns=0' | simulate rig
is 'what is preempted executes as long as on the rig' 2045 "$(awk '/ vgpu_id=1 / && $3 == "gvt_workload_start" { since = $1 }
	/ vgpu_id=1 / && $3 == "gvt_workload_stop" && / completed=0$/ { printf("%.0f\n", ($1 - since) / 1000) }' "$tmp/rig.events" |
	sort | uniq -c | sort -rn | awk '{ print $2; exit }')"

# --- what comes out -----------------------------------------------------------------------
simulate again <"$tmp/model"
check 'the same model, the same events' cmp "$tmp/pieces.events" "$tmp/again.events"
{ echo 'events gvt_workload_complete'; cat "$tmp/model"; } | simulate some
# --- phases ------------------------------------------------------------------------------
# phases STREAM...: when workloads are queued in the first 10 ms of each 25 ms, in us from the begin of these
phases()
{
	{ echo 'run warmup_ns=0 duration_ns=60000000 window_ns=10000000 gap_ns=15000000'; at_once; echo 'vgpu 1 weight=2'
	  printf '%s\n' "$@"; } | simulate phases
	awk '$3 == "gvt_workload_queue" && $1 % 25000000 < 10000000 { line[int($1 / 25000000)] = line[int($1 / 25000000)] " " int($1 % 25000000 / 1000) }
		END { for (nr = 0; nr < 3; nr++) print line[nr] }' "$tmp/phases.events"
}
work='work exec_ns=2000000 at_ns=3000000 lag=1'
is 'without a shift a loop is as it was in each window' 1 "$(phases 'stream 1 rcs0' "$work" | uniq | wc -l)"
is 'with one it is in another phase each time' 3 "$(phases 'stream 1 rcs0 shift_ns=5000000' "$work" | sort -u | wc -l)"
phases 'stream 1 rcs0 shift_ns=5000000' 'work exec_ns=100000 at_ns=3000000 lag=1' \
	'work exec_ns=100000 at_ns=20000 lag=1' 'work exec_ns=100000 at_ns=20000 lag=1' >"$tmp/output"
is 'a burst is not split: it goes on later after its long pause' '0 0 1' "$(awk '$3 == "gvt_workload_queue" {
		pause = $1 - last; last = $1
		if (pause > 1000000 && nr++) { torn += of != 3; late += pause > 3500000; of = 0 }
		uneven += pause < 1000000 && pause > 400000; of++
	} END { print torn + 0, uneven + 0, (late > 0) }' "$tmp/phases.events")"
is 'without gaps it never is' '3000 8000 13000 18000 23000 28000 33000 38000' \
	"$({ echo 'run warmup_ns=0 window_ns=10000000'; at_once; echo 'vgpu 1'; echo 'stream 1 rcs0 shift_ns=5000000'; echo "$work"; } |
		simulate phases; moments phases queue 1)"
# pauses VARY_PPM: a loop's distinct pauses in all windows, in us
pauses()
{
	phases "stream 1 rcs0 vary_ppm=$1" 'work exec_ns=1 at_ns=1000000 lag=1' |
		awk '{ for (nr = 2; nr <= NF; nr++) print $nr - $(nr - 1) }' | sort -n | uniq | tr '\n' ' '
}
is 'pauses are the same in each window' '1000 ' "$(pauses 0)"
pauses 50000 >"$tmp/output"
is 'or differ by up to a part, the longer and the shorter ones' '950 1050' \
	"$(awk '{ print ($1 >= 950 && $1 < 1000 ? 950 : $1), ($NF > 1000 && $NF <= 1050 ? 1050 : $NF) }' "$tmp/output")"
is 'those of the first window do not' 1000 \
	"$(phases 'stream 1 rcs0 vary_ppm=50000' 'work exec_ns=1 at_ns=1000000 lag=1' |
		awk 'NR == 1 { for (nr = 2; nr <= NF; nr++) print $nr - $(nr - 1) }' | sort -n | uniq | xargs)"
open='open=1 depth=9 span_ns=5000000 shift_ns=4000000'
is 'so are clocks' 3 "$(phases "stream 1 rcs0 $open" 'work exec_ns=1000000 at_ns=1000000' | sort -u | wc -l)"
phases "stream 1 rcs0 $open" 'work exec_ns=100000 at_ns=1000000' "stream 1 vcs0 $open" 'work exec_ns=100000 at_ns=1300000' >"$tmp/output"
is 'but as they were beside each other' 300 "$(awk '$3 == "gvt_workload_queue" { if (nr++ % 2) print ($1 - last) / 1000; last = $1 }' "$tmp/phases.events" | sort -u)"

# when in their 5 ms the clocks of two vGPUs tick, in each window: by how much the second one's is later
apart()
{
	{ phases "stream 1 rcs0 $open" 'work exec_ns=100000 at_ns=1000000' 'vgpu 2' "stream 2 rcs0 $open" 'work exec_ns=100000 at_ns=1000000'
	} >/dev/null
	awk '$3 == "gvt_workload_queue" && $1 % 25000000 < 10000000 {
			match($0, /vgpu_id=[0-9]+/); at[int($1 / 25000000), substr($0, RSTART + 8, 1)] = $1 % 5000000 }
		END { for (nr = 0; nr < 3; nr++) print (at[nr, 2] - at[nr, 1] + 5000000) % 5000000 }' "$tmp/phases.events"
}
apart >"$tmp/output"
is 'clocks of two vGPUs are as recorded in the first window, and elsewhere in others' '0 3' \
	"$(head -n 1 "$tmp/output") $(sort -u "$tmp/output" | wc -l)"
# the pauses of loop NR of eight in the last of three windows
pause_of()
{
	{ for nr in $(seq 2 "$1"); do printf '%s\n' 'stream 1 bcs0' "work exec_ns=$nr at_ns=9000000 lag=1"; done
	  printf '%s\n' 'stream 1 rcs0 vary_ppm=50000' 'work exec_ns=1 at_ns=1000000 lag=1'; } >"$tmp/loops"
	phases "$(cat "$tmp/loops")" >/dev/null
	awk '$3 == "gvt_workload_queue" && /rcs0|class=0 / && $1 > 50000000 { if (last) print $1 - last; last = $1 }' "$tmp/phases.events" | head -n 1
}
is 'no loop varies as the sixth after it' '' "$([ "$(pause_of 1)" != "$(pause_of 7)" ] || echo alike)"
is 'loops vary' 2 "$({ pause_of 1; pause_of 2; } | sort -u | wc -l)"

is 'only events that are wanted' gvt_workload_complete \
	"$(awk '!/^#/ { print $3 }' "$tmp/some.events" | sort -u)"

# shellcheck disable=SC2086 # FORMATS holds several options
if "$MKTRACE" $FORMATS -o "$tmp/pieces.dat" <"$tmp/pieces.events" >"$tmp/output" 2>&1; then
	"$GVT_STAT" report --json -i "$tmp/pieces.dat" >"$tmp/report.json" 2>"$tmp/output"
	result $? 'the events make a trace'
	is 'in which the shares are the same' "$(shares pieces)" "$(jq -r '[.vgpus[].engines[] |
		.utilization_percent | round | tostring] | join(" ")' "$tmp/report.json" 2>&1)"
	is 'that does not contradict itself' '' "$(grep -i contradict "$tmp/output")"
else
	result 1 'the events make a trace'
fi

# --- bad models ------------------------------------------------------------------------------
good='vgpu 1
stream 1 rcs0
work exec_ns=1000000'

# refused NAME PART MODEL: status 2, one line with PART
# refused WHAT MESSAGE MODEL [STATUS]
refused()
{
	printf '%s\n' "$3" | "$GVT_SIM_SANITIZED" >/dev/null 2>"$tmp/output"
	status=$?
	if [ "$status" = "${4:-2}" ] && [ "$(wc -l <"$tmp/output")" = 1 ] && grep -qF -- "$2" "$tmp/output"; then
		result 0 "refused: $1"
	else
		echo "status $status" >>"$tmp/output"
		result 1 "refused: $1"
	fi
}

refused 'nothing' 'there is no stream' ''
refused 'a shift of more than a second' 'out of its range' 'vgpu 1
stream 1 rcs0 shift_ns=1000000001'
refused 'pauses that vary by more than half' 'out of its range' 'vgpu 1
stream 1 rcs0 vary_ppm=500001'
refused 'a line that is none' "-:1: unknown line 'vgpus'" 'vgpus 1'
refused 'an event that the driver does not have' "-:1: unknown event 'gvt_workload_star'" \
	'events gvt_workload_stop,gvt_workload_star'
refused 'no vGPU' "a stream before its vGPU, on 'rcs0'" 'stream 1 rcs0'
refused 'vGPU 0' "a number out of its range: '0'" 'vgpu 0'
refused 'vGPU 8' "a number out of its range: '8'" 'vgpu 8'
refused 'weight 0' "a number out of its range: '0'" 'vgpu 1 weight=0'
refused 'a number with a unit' "not a number: '1ms'" "$good
work exec_ns=1ms"
refused 'a number that is too large' "'99999999999999999999'" "$good
work exec_ns=99999999999999999999"
refused 'a workload of no length' "without 'exec_ns'" "$good
work at_ns=5"
refused 'a workload of length 0' "out of its range: '0'" "$good
work exec_ns=0"
refused 'work of no stream' 'before any stream' 'work exec_ns=1'
refused 'a stream without work' 'stream 1 has no work' 'vgpu 1
stream 1 rcs0'
refused 'an engine that is none' "no engine 'rcs7'" 'vgpu 1
stream 1 rcs7'
refused 'a policy that is none' "there is no 'lottery'" 'set policy lottery'
refused 'a setting that is none' "unknown setting 'luck'" 'set luck 1'
refused 'a setting out of its limits' 'out of its range' 'set period_ms 1'
refused 'a line that goes on' 'more than is needed' 'set policy fair fair'
refused 'a word without a value' "not NAME=NUMBER: 'nice'" 'vgpu 1 nice'
refused 'arrivals out of order' 'before the one in front' 'vgpu 1
stream 1 rcs0 open=1 span_ns=100
work exec_ns=1 at_ns=9
work exec_ns=1 at_ns=8'
refused 'an arrival after its round' 'comes after its round' 'vgpu 1
stream 1 rcs0 open=1 span_ns=100
work exec_ns=1 at_ns=100'
refused 'two of the host on an engine' "two of the host's on 'rcs0'" 'host rcs0 span_ns=100
work exec_ns=1
host rcs0 span_ns=100'
refused 'the host on an engine that is not there' "there is no engine 'rcs9'" 'host rcs9'
refused 'what would never end' 'gave up after 1000 events' "run limit=1000
$good" 3
refused 'what queues faster than anything completes' 'gave up with 200000 workloads under way' "$good" 3
refused 'a workload that waits for more than there may be' 'gave up with 200000 workloads under way' "$good lag=200001" 3
printf '%s\n' "$good" >"$tmp/model"
# shellcheck disable=SC3045 # dash has it
(ulimit -v 262144 && "$GVT_SIM" "$tmp/model" >/dev/null 2>"$tmp/output")
grep -q 'gave up with' "$tmp/output"
result $? 'it needs less than 256 MB for that'
refused 'two vGPUs of one id' "-:2: there are two of vGPU '1'" 'vgpu 1
vgpu 1 weight=8'
printf '%s\n' "$good" | sed 's/$/\x00 lag=1/' | "$GVT_SIM_SANITIZED" >/dev/null 2>"$tmp/output"
[ $? -eq 2 ] && grep -qF -- "-:1: a NUL byte after 'vgpu 1'" "$tmp/output"
result $? 'refused: a line with a NUL byte'
refused 'bytes of any kind' '-:' "$(head -c 300 "$GVT_SIM" | tr -d '\0')"
"$GVT_SIM" /nowhere/model >"$tmp/output" 2>&1
is 'refused: a file that is not there' 2 $?
# shellcheck disable=SC2016
check 'as many streams as there may be' sh -c '
	{ echo "vgpu 1"; for i in $(seq 64); do echo "stream 1 vcs0"; echo "work exec_ns=1000000 lag=1"; done; } |
	"$GVT_SIM_SANITIZED" >/dev/null'

finish
