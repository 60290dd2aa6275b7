#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat profile: what it says of an application is what it was, and what is no profile is refused. The
# traces are made by gvt-sim, so that what an application does is known.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"

export command=profile

# lines WORD: those of $tmp/out.profile that begin with it
lines()
{
	grep "^$1 " "$tmp/out.profile"
}

# profiled NAME [OPTION...]: the profile of $tmp/NAME.dat is $tmp/out.profile
profiled()
{
	file=$1
	shift
	"$GVT_STAT" profile -i "$tmp/$file.dat" -o "$tmp/out.profile" "$@" 2>"$tmp/output" || cat "$tmp/output"
}

# --- what is in it ----------------------------------------------------------------------
played two-engines fair per-engine <<'END'
vgpu 1 weight=4 nice=-5 cap=80
vgpu 2
stream 1 rcs0 piece_ns=1000000
work exec_ns=18000000 at_ns=4700000 lag=1
stream 1 vcs0 open=1 depth=64 span_ns=100000000
work exec_ns=2000000 at_ns=0
work exec_ns=2000000 at_ns=20000000
work exec_ns=2000000 at_ns=40000000
work exec_ns=2000000 at_ns=60000000
work exec_ns=2000000 at_ns=80000000
END
profiled two-engines
is 'it begins with its version' 'gvt-stat-profile 2' "$(head -n 1 "$tmp/out.profile")"
is 'the settings of the recording' 'set policy fair,set dispatch per-engine' \
	"$(lines 'set' | grep 'policy\|dispatch' | paste -s -d ,)"
is 'those of the vGPU' 'vgpu weight=4 nice=-5 cap=80' "$(lines vgpu)"
matches 'a closed stream' 'stream rcs0*open=0 depth=1 contexts=1*kind=0*' "$(lines 'stream rcs0')"
matches 'and an open one' 'stream vcs0 doubts=ambiguous*open=1*kind=1*period_ns=20000000' "$(lines 'stream vcs0')"
matches 'which was alone, without jitter, and may be a loop as well' 'or open=0 *kind=0*' "$(lines or | tail -n 1)"
# 18 ms of 22.7 ms, for 20 s
near 'workloads of a stream alone' 880 "$(lines solo | sed -n '1s/.*completed=\([0-9]*\).*/\1/p')" 1
near 'their mean latency' 18000000 "$(lines solo | sed -n '1s/.*mean_ns=\([0-9]*\).*/\1/p')" 1
near 'their p95' 18000000 "$(lines solo | sed -n '1s/.*p95_ns=\([0-9]*\).*/\1/p')" 1
near 'a workload of the closed stream' 18000000 "$(lines work | sed -n '5s/.*exec_ns=\([0-9]*\).*/\1/p')" 1
near 'its pause' 4700000 "$(lines work | sed -n '5s/.*at_ns=\([0-9]*\).*/\1/p')" 1
near 'a period of the open one' 20000000 "$(sed -n '/^stream vcs0/,/^or/p' "$tmp/out.profile" | grep '^work' | tail -n 2 |
	sed 's/.*at_ns=\([0-9]*\).*/\1/' | paste -s -d ' ' | awk '{ print $2 - $1 }')" 1
"$GVT_STAT" profile -i "$tmp/two-engines.dat" >"$tmp/printed" 2>"$tmp/output"
is 'without -o it is printed' "$(cat "$tmp/out.profile")" "$(cat "$tmp/printed")"

# nothing preempts them while nobody else is there
matches 'how often workloads can be preempted is guessed' '*doubts=*guessed-pieces*piece_ns=1000000 *' "$(lines 'stream rcs0')"
profiled two-engines --pieces none
matches 'unless it is told: not at all' 'stream rcs0 *open=0 depth=1 contexts=1 piece_ns=0 *' "$(lines 'stream rcs0')"
profiled two-engines --pieces 250us
matches 'or so often' 'stream rcs0 *open=0 depth=1 contexts=1 piece_ns=250000 *' "$(lines 'stream rcs0')"
refused 'pieces that are none' 129 'or 1m, or none' -i "$tmp/two-engines.dat" --pieces often

# --- what cannot be -----------------------------------------------------------------------
played both fair exclusive <<'END'
vgpu 1
vgpu 2
stream 1 rcs0
work exec_ns=4000000 lag=1
stream 2 rcs0
work exec_ns=4000000 lag=1
END
refused 'a recording of two' 129 'vGPU 1 and vGPU 2 have work in it' -i "$tmp/both.dat"
refused 'one of the two' 1 'vGPU 2 has work in it, too' -i "$tmp/both.dat" --vgpu 1
refused 'a vGPU that has no work' 1 'no vGPU that is asked for has work' -i "$tmp/two-engines.dat" --vgpu 2
refused 'a vGPU that is not there' 1 'no such vGPU in the trace' -i "$tmp/two-engines.dat" --vgpu 7
refused 'another form' 129 'a profile has one form' --json -i "$tmp/two-engines.dat"
refused 'a place where nothing can be written' 1 'cannot write /nowhere/x' -i "$tmp/two-engines.dat" -o /nowhere/x
cp "$tmp/two-engines.dat" "$tmp/itself.dat"
refused 'the trace itself' 1 'is a trace that is read' -i "$tmp/two-engines.dat" -o "$tmp/two-engines.dat"
check 'and it is as it was' cmp "$tmp/two-engines.dat" "$tmp/itself.dat"
grep -v gvt_sched_info "$tmp/events" | mktrace unset
refused 'a trace without settings' 1 'gvt:gvt_sched_info' -i "$tmp/unset.dat"
awk '/gvt_workload_stop/ { exit } { print }' "$tmp/events" | mktrace endless
refused 'workloads that never end' 1 'record for longer' -i "$tmp/endless.dat"
rm -f "$tmp/none.profile"
"$GVT_STAT" profile -i "$tmp/both.dat" -o "$tmp/none.profile" 2>"$tmp/output"
[ ! -e "$tmp/none.profile" ]
result $? 'of what is refused nothing is left'

finish
