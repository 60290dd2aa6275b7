#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sums that do not hold are told, and what depends on them is unknown. Those that only an
# error of gvt-stat can break are in unit.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# two workloads on one engine at once for 10 ms: 150 % of its time
mktrace both <<'END'
0ms  0 queue    v=1 w=1
0ms  0 queue    v=2 w=2
1ms  0 submit   v=1 w=1
1ms  0 start    v=1 w=1
10ms 0 submit   v=2 w=2
10ms 0 start    v=2 w=2
20ms 0 stop     v=1 w=1 done=1
20ms 0 complete v=1 w=1
30ms 0 stop     v=2 w=2 done=1
30ms 0 complete v=2 w=2
30ms 0 queue    v=3 c=2 w=3
30ms 0 submit   v=3 c=2 w=3
30ms 0 start    v=3 c=2 w=3
40ms 0 stop     v=3 c=2 w=3 done=1
END
told='[.contradictions[] | [.sum, .dev, .vgpu_id, .engine, .at_ns]]'
for window in "," +0.010,+0.020 +0.012,+0.013; do
	is "report: two workloads at once are told, with the moment ($window)" \
		'[["execution",0,null,"rcs0",10000000]]' "$(json both "$told" --time $window)"
	is "report: utilisation and execution are unknown then ($window)" '[null,null,null,null]' \
		"$(values '.gpus[0].engines[] | select(.engine == "rcs0") |
			[.utilization_percent, .utilization_percent_max, .exec_ns, .exec_ns_max]' "$tmp/out.json")"
done
is "report: also shares" '[null,null,null]' "$(json both '[.vgpus[].exec_share_percent]')"
is "report: other engines are not concerned" '[[25,10000000]]' "$(values \
	'[.gpus[0].engines[] | select(.engine == "vcs0") | [.utilization_percent, .exec_ns]]' "$tmp/out.json")"
is "report --interval: nor is a part of it" '[null,null,null,null]' "$("$GVT_STAT" report --json \
	--interval 10ms -i "$tmp/both.dat" | values '[.intervals[] |
	select(.vgpu_id == null and .engine == "rcs0").exec_ns_max]')"
matches "report: told below the tables" \
	"*Contradictions; what depends on them is not shown.*at 0.010000 s rcs0 of GPU 0 executes two workloads at once*" \
	"$("$GVT_STAT" report -v -i "$tmp/both.dat")"
"$GVT_STAT" report --csv -i "$tmp/both.dat" >"$tmp/out" 2>"$tmp/err"
matches "report --csv: told on stderr" "*contradiction: at 0.010000 s rcs0 of GPU 0 executes two workloads at once*" \
	"$(cat "$tmp/err")"
is "check: no rule goes by it" '[]' "$("$GVT_STAT" check --json --threshold unfair=0 -i "$tmp/both.dat" |
	values '[.findings[] | select(.engine == "rcs0").rule]')"

# With two CPUs' clocks, and where one takes the engine from the other, they overlap a little:
# that is nobody's error, and still an engine has no more time than there is.
mktrace clocks <<'END'
cpus 2
0ms     0 queue    v=1 w=1
0ms     0 queue    v=2 w=2
0ms     0 submit   v=1 w=1
0ms     0 start    v=1 w=1
9990us  1 start    v=2 w=2
10ms    0 stop     v=1 w=1 done=1
10ms    0 complete v=1 w=1
20ms    0 stop     v=2 w=2 done=1
20ms    0 complete v=2 w=2
END
is "an overlap of microseconds is no contradiction" '[[],100,20000000]' \
	"$(json clocks '[.contradictions, .gpus[0].engines[0].utilization_percent, .gpus[0].engines[0].exec_ns]')"
is "nor does it make more than all of the time" '[100,100]' \
	"$(json clocks '.gpus[0].engines[0] | [.utilization_percent, .utilization_percent_max]' --time +0.00999,+0.01)"
is "nor for vGPUs together" '20000000' "$(json clocks '[.vgpus[].engines[].exec_ns] | add')"

# What losses can explain is uncertain, not a contradiction.
mktrace lossy <<'END'
0ms  0 queue    v=1 w=1
1ms  0 submit   v=1 w=1
1ms  0 start    v=1 w=1
lost 0 3
10ms 0 start    v=2 w=2
20ms 0 stop     v=1 w=1 done=1
30ms 0 stop     v=2 w=2 done=1
30ms 0 complete v=2 w=2
END
is "with losses there is none" '[[],true]' \
	"$(json lossy '[.contradictions, (.gpus[0].engines[0].utilization_percent_max <= 100)]')"
is "compare: and no engine has more than all of the time" '[]' \
	"$("$GVT_STAT" compare --json --block 0.005 "$tmp/lossy.dat" "$tmp/lossy.dat" 2>"$tmp/err" |
		values '[.metrics[] | select((.metric | startswith("utili")) and (.a == null or .a > 100)) | .a]')"

finish
