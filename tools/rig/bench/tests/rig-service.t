#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who got how much, computed by hand from a hand-made truth log; RIG_SERVICE is
# the program.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
rig_service=${RIG_SERVICE:?path of rig-service}

# inputs: in the window of 2 s from 10 s on, "small" (weight 2) does 4 workloads
# of 100 ms, the last cut by the end; "large" (weight 4) 2 of 500 ms on rcs0, the
# first cut by the beginning, and at the same time as the second 1 of 200 ms on
# vcs0. The host runs a context, too. Nobody tells which context is whose.
inputs() {
	cat >"$work/s.conf" <<-END
		aperture-mb = 512
		vgpu "small" { type = V5_8 stream "a" { engine = rcs0 exec = "100ms" } }
		vgpu "large" {
			type = V5_4
			stream "b" { engine = rcs0 exec = "500ms" }
			stream "c" { engine = vcs0 exec = "200ms" }
		}
		vgpu "idle" { type = V5_8 }
	END
	cat >"$work/truth" <<-END
		# gen9-truth 1
		# engine lrca ctx_id start_ns stop_ns busy_ns commands result head tail end
		rcs0 0x000ff000 0x00000001 9000000000 9000001000 1000 9 complete 0x0 0x80 0x80
		rcs0 0x00200000 0x00000040 9800000000 10300000000 500000000 9 complete 0x0 0x80 0x80
		rcs0 0x00100000 0x00000020 10300000000 10400000000 100000000 9 complete 0x0 0x80 0x80
		rcs0 0x00100000 0x00000020 10500000000 10600000000 100000000 9 complete 0x0 0x80 0x80
		rcs0 0x000ff000 0x00000001 10650000000 10650001000 1000 9 complete 0x0 0x80 0x80
		rcs0 0x00100000 0x00000020 10700000000 10800000000 100000000 9 complete 0x0 0x80 0x80
		rcs0 0x00200000 0x00000040 10900000000 11400000000 500000000 9 complete 0x0 0x80 0x80
		vcs0 0x00300000 0x00000060 11300000000 11500000000 200000000 9 complete 0x0 0x80 0x80
		rcs0 0x00100000 0x00000020 11950000000 12050000000 100000000 9 complete 0x0 0x80 0x80
	END
	cat >"$work/load" <<-END
		READY
		WINDOW begin_tsc=10000000000 end_tsc=12000000000
		DONE
		RESULT vgpu=small stream=a engine=rcs0 done=3 failed=0 hangs=0 exec_ns=100000000 latency_mean_ns=5 latency_p99_ns=7 latency_max_ns=9 window_ns=2000000000
		RESULT vgpu=large stream=b engine=rcs0 done=2 failed=1 hangs=1 exec_ns=500000000 latency_mean_ns=5 latency_p99_ns=7 latency_max_ns=9 window_ns=2000000000
		RESULT vgpu=host stream=d engine=rcs0 done=1 failed=0 hangs=0 exec_ns=1000 latency_mean_ns=3 latency_p99_ns=4 latency_max_ns=5 window_ns=2000000000
		RESULT vgpu=large stream=c engine=vcs0 done=1 failed=0 hangs=0 exec_ns=200000000 latency_mean_ns=unknown latency_p99_ns=unknown latency_max_ns=unknown window_ns=2000000000
	END
}

run() {
	"$rig_service" --truth "$work/truth" --load "$work/load" --scenario "$work/s.conf" >"$work/out" 2>"$work/err"
}

# holds FILTER: jq finds it true of the output
holds() {
	jq -e "$1" "$work/out" || { cat "$work/out"; return 1; }
}

# refuses TEXT: exit code 1, one line with TEXT, no document
refuses() {
	! run && cat "$work/err" && grep -qF "$1" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ]
}

inputs
check "a hand-made run" run
# 350 of 2000 ms
check "execution is what lies inside the window" holds '.vgpus.small.exec_percent == 17.5'
# 300 + 500 + 100 ms: two engines at once count once
check "of several engines at work it counts the time" holds '.vgpus.large.exec_percent == 45'
check "each engine has its own" holds '.vgpus.large.engines_percent == {rcs0: 40, vcs0: 10}'
check "the host's contexts belong to no vGPU" holds '.busy_percent == 62.5'
check "the host has what lies inside the window, in ns" holds '.own_work.engines_percent | map_values(. * 2e7 | round) == {rcs0: 1000}'
check "and its streams" holds '.own_work.streams == {d: {done: 1, failed: 0, hangs: 0, latency_mean_ns: 3, latency_p99_ns: 4, latency_max_ns: 5}}'
check "shares are of what all vGPUs got" holds '.vgpus.small.share_percent == 28'
check "weights are of those that have streams" \
	holds '(.vgpus.large.weight_percent * 3 | round) == 200 and .vgpus.idle.weight_percent == null'
# (350 / 2) / (900 / 4)
check "least over most service is per weight" holds '(.least_to_most * 9 * 1e6 | round) == 7e6'
# small: 350 ms and gaps of 100, 49.999 and 550; large: 900 ms and a gap of 100 on rcs0
check "an engine that idles until a workload begins counts, too" \
	holds '[.vgpus.small, .vgpus.large, .vgpus.idle | .had_percent * 2e7 | round] == [1049999000, 1000000000, 0]'
check "also in least over most" holds '(.had_least_to_most * 1049.999 * 2 | round) == 1000'
# from 10.9 s on: 50 of small to 600 of large would be least, but the window ends at 12 s
check "the worst second is found" holds '.worst_window | .least_to_most == 0 and .begin_ns == 10800000000'
# large is served 500 ms in 750 ms: 500 + 0 of 1000 ms, per weight 125, the other 250
check "and its bound" holds '.worst_window.bound == 0.5'
check "what rig-load says comes along" \
	holds '.vgpus.small.streams.a == {done: 3, failed: 0, hangs: 0, latency_mean_ns: 5, latency_p99_ns: 7, latency_max_ns: 9}
		and .vgpus.large.streams.c.latency_p99_ns == null'

# Two vGPUs with the same work: the one with more of it done has the context with more of it
sed -i 's/engine = rcs0 exec = "500ms"/engine = rcs0 exec = "100ms"/' "$work/s.conf"
sed -i '/0x00200000/d; $ a rcs0 0x00200000 0x00000040 11000000000 11100000000 100000000 9 complete 0x0 0x80 0x80' "$work/truth"
sed -i '/stream=b/s/done=2/done=1/' "$work/load"
check "equal work is told apart by counts" run
check "and goes to the right vGPU" holds '.vgpus.small.exec_percent == 17.5 and .vgpus.large.engines_percent.rcs0 == 5'

# An earlier run in the same log, with the addresses changed over: 100 workloads of 500 ms
# at small's, 100 of 100 ms at large's
inputs
for ((i = 0; i < 100; i++)); do
	echo "rcs0 0x00100000 0x00000020 $((i * 60000000)) $((i * 60000000 + 500000000)) 500000000 9 complete 0x0 0x80 0x80"
	echo "rcs0 0x00200000 0x00000040 $((i * 60000000)) $((i * 60000000 + 100000000)) 100000000 9 complete 0x0 0x80 0x80"
done >>"$work/truth"
check "a log of several runs" run
check "is that of this run only" holds '.vgpus.small.exec_percent == 17.5 and .vgpus.large.engines_percent.rcs0 == 40'

inputs
sed -i '/0x00100000/d' "$work/truth"
check "a vGPU whose context is missing" refuses 'vGPU "small" completed 3 workloads on rcs0, but no context in the truth log fits'
inputs
sed -i '/stream=a/s/done=3/done=90/' "$work/load"
check "counts that do not fit" refuses 'vGPU "small" completed 90 workloads'
inputs
sed -i '/WINDOW/d' "$work/load"
check "a run that ended early" refuses "no WINDOW line of rig-load"
inputs
sed -i '/stream=b/s/ latency_max_ns=9//' "$work/load"
check "a line cut short" refuses "load:5: a word is missing"
inputs
sed -i 's/window_ns/w/; /stream=a/s/done=3/done=x/' "$work/load"
check "a word that is no number" refuses "load:4: a word is missing or no number"
inputs
: >"$work/truth"
check "an empty truth log" refuses "no truth log"
inputs
rm "$work/load"
check "a file that is not there" refuses "No such file"
check "a missing option" bash -c "! '$rig_service' --truth x 2>'$work/err' && grep -q 'are needed' '$work/err'"

# An idle GPU: nothing is known of shares
inputs
sed -i '/^RESULT/d' "$work/load"
sed -i '/0x00[123]00000/d' "$work/truth"
cat >"$work/s.conf" <<-END
	vgpu "small" { type = V5_8 }
	vgpu "idle" { type = V5_8 }
END
check "nobody submits anything" run
check "shares of nothing are unknown" holds '.busy_percent == 0 and .least_to_most == null and .vgpus.small.share_percent == null'

finish
