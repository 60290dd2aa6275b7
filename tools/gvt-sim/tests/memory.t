#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Engines that share the memory: workloads take as long as their sensitivity curves say

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# beside MBPS [DISPATCH] [LINE...]: a model of a workload of 4 ms every 10, and beside it, on another engine, one of
# 2 ms every 10 that comes a ms later and asks for so much of the memory; the lines are of the first one
beside()
{
	mbps=$1 dispatch=${2:-per-engine}
	shift 2
	printf '%s\n' 'run warmup_ns=0' 'set policy fair' "set dispatch $dispatch"
	at_once
	printf '%s\n' 'vgpu 1' 'stream 1 rcs0 open=1 depth=2 span_ns=10000000 piece_ns=1000000' "$@" \
		'work exec_ns=4000000 at_ns=0' \
		'vgpu 2' "stream 2 vcs0 open=1 depth=2 span_ns=10000000 mbps=$mbps" 'work exec_ns=2000000 at_ns=1000000'
}

# curve: others that ask for 3000 MB/s make it 1.5 times as long, for 6000 2, for 9000 3
curve='beside mbps=3000 ppm=1500000
beside mbps=6000 ppm=2000000
beside mbps=9000 ppm=3000000'

# the first one's ends, in us
ends()
{
	moments "$1" complete 1
}

beside 9000 per-engine | simulate none
is 'without a curve: as alone' '4000 14000 24000 34000 44000 54000 64000 74000' "$(ends none)"
beside 0 per-engine "$curve" | simulate nothing
is 'beside what asks for nothing: as alone' '4000 14000 24000 34000 44000 54000 64000 74000' "$(ends nothing)"

# 2 ms of it beside the other, in which it does 2 / f of its work
for point in 3000:4666 6000:5000 9000:5333 4500:4857 1500:4400 12000:5500; do
	beside "${point%:*}" per-engine "$curve" | simulate point
	is "beside ${point%:*} MB/s: 2 ms of it take longer" "${point#*:}" "$(ends point | cut -d ' ' -f 1)"
done
is 'and in each round' '5500 15500 25500 35500 45500 55500 65500 75500' "$(ends point)"
beside 6000 exclusive "$curve" | simulate exclusive
is 'where one vGPU has all engines it is alone' '4000 14000' "$(ends exclusive | cut -d ' ' -f 1-2)"
is 'and the other one has to wait' 6000 "$(moments exclusive complete 2 | cut -d ' ' -f 1)"

# two on other engines: what they ask for is added up; those of its own vGPU do not count
{ beside 3000 per-engine "$curve"
  printf '%s\n' 'vgpu 3' 'stream 3 bcs0 open=1 depth=2 span_ns=10000000 mbps=3000' 'work exec_ns=2000000 at_ns=1000000'
  printf '%s\n' 'stream 1 vecs0 open=1 depth=2 span_ns=10000000 mbps=9000' 'work exec_ns=9000000 at_ns=0'
} | simulate three
is 'beside two, and another engine of its own' 5000 "$(ends three | cut -d ' ' -f 1)"

# of a workload that is preempted no more is done than was: 4 ms at half the speed, points each 2 ms
{ printf '%s\n' 'run warmup_ns=0' 'set policy fair' 'set dispatch preemptive' 'set anticipation_ms 0'
  at_once
  printf '%s\n' 'vgpu 1' 'stream 1 rcs0 piece_ns=1000000' "$curve" 'work exec_ns=4000000 at_ns=0 lag=1' \
	'vgpu 2' 'stream 2 vcs0 open=1 depth=2 span_ns=1000000000 mbps=6000' 'work exec_ns=999000000 at_ns=0' \
	'vgpu 3' 'stream 3 rcs0' 'work exec_ns=1000000 at_ns=9000000 lag=1'; } | simulate taken
# shellcheck disable=SC2016 # awk's
check 'pieces of one workload add up to twice its length' awk '
	$3 == "gvt_workload_start" && / vgpu_id=1 / { since = $1 }
	$3 == "gvt_workload_stop" && / vgpu_id=1 / {
		exec += $1 - since; off += / completed=0$/
		if (/ completed=1$/) {
			ends++
			bad += $1 > 5e6 && $1 < 9e8 && (exec < 7999990 || exec > 8000010)
			if (bad)
				print $1, exec
			exec = 0
		}
	}
	END { print ends, off, bad; exit !(ends > 80 && off > 50 && !bad) }' "$tmp/taken.events"

# --- bad models -------------------------------------------------------------------------
good='vgpu 1
stream 1 rcs0
work exec_ns=1000000'

refused()
{
	printf '%s\n' "$3" | "$GVT_SIM_SANITIZED" >/dev/null 2>"$tmp/output"
	status=$?
	[ "$status" = 2 ] && [ "$(wc -l <"$tmp/output")" = 1 ] && grep -qF -- "$2" "$tmp/output"
	result $? "refused: $1"
}

refused 'a point of no stream' 'a point before any stream' 'beside mbps=1 ppm=1000000'
refused 'faster than alone' "a number out of its range: '999999'" "$good
beside mbps=1 ppm=999999"
refused 'a point without its place' 'a point needs both' "$good
beside ppm=1000000"
refused 'points out of order' 'not above the one before' "$good
beside mbps=5 ppm=1000000
beside mbps=5 ppm=1000000"
refused 'a demand that is none' "out of its range: '-1'" 'vgpu 1
stream 1 rcs0 mbps=-1'
refused 'more points than there may be' 'too many points' "$good
$(seq 65 | sed 's/.*/beside mbps=& ppm=1000001/')"

finish
