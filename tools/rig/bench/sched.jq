# SPDX-License-Identifier: GPL-2.0-or-later
# The scheduler's benchmark as data: which runs a row of the table needs, which
# figures it shows, and what they should be.
#
# A run is "plain:SCENARIO" (nothing is traced) or "traced:SCENARIO". The input
# of rows is an object of one column's figures by run; a figure that they do not
# hold is null, which means unknown.

def needs: {
	"idle-neighbour": ["plain:solo", "plain:idle-neighbour"],
	"small-vs-large": ["plain:small-vs-large"],
	"small-small": ["plain:small-small"],
	"weights": ["plain:bench/weights"],
	"seven-sizes": ["plain:bench/seven-sizes"],
	"interactive": ["plain:bench/interactive", "traced:bench/interactive"],
	"switch": ["traced:small-small", "traced:bench/interactive", "traced:small-vs-large"],
	"idle-timers": ["plain:bench/two-idle"],
	"instructions": ["plain:small-small"],
	"three-long": ["plain:bench/three-long"],
	"bursty": ["plain:bench/bursty"],
	"engines": ["plain:bench/engines"]
};

# Whom a goal is for
def every_policy: {name: "every policy", columns: ["strict", "strict-nocarry", "work-conserving", "work-conserving-nocarry", "fair"]};
def working: {name: "work-conserving, fair", columns: ["work-conserving", "work-conserving-nocarry", "fair"]};
def fair: {name: "fair", columns: ["fair"]};

# The limit is a number, or "stock" for the figure of that column
def goal(whom; $op; $limit): whom + {op: $op, limit: $limit};
def no_goal: null;

def figure($name; $unit; $digits; value; $goal):
	{figure: $name, unit: $unit, digits: $digits, goal: $goal, value: (try value catch null)};

def ms: if . == null then null else . / 1e6 end;
def us: if . == null then null else . / 1e3 end;
def magnitude: if . < 0 then -. else . end;

# p99 latency of a vGPU of a traced run, by its place in the scenario
def traced_latency_ms($n): [.vgpus[] | select(.uuid | endswith("-\("000000000000\($n)"[-12:])"))
	| .engines[].latency_p99_ns] | max | ms;

def instructions: .host.busy_ns / ([.vgpus[].streams[].done] | add);

def switch_figures($run; $name):
	figure("\($name): idle with work pending, p99"; "us"; 0; .[$run].gaps.pending.p99_ns | us;
		goal(working; "<="; 150)),
	figure("\($name): kept idle on purpose at a switch, p99"; "ms"; 3; .[$run].gaps.held.p99_ns | ms; no_goal),
	figure("\($name): kept idle on purpose, of the time"; "%"; 1;
		100 * .[$run].gaps.holds_sum_ns / .[$run].window_ns; no_goal);

def rows: {
	"idle-neighbour": [
		figure("18 ms beside an idle vGPU: done, of solo"; "%"; 1;
			100 * .["plain:idle-neighbour"].vgpus.small.streams.render.done
				/ .["plain:solo"].vgpus.small.streams.render.done;
			goal(working; ">="; 99))],
	"small-vs-large": [.["plain:small-vs-large"] as $run |
		figure("18 ms in closed loop: of the time"; "%"; 1; $run.vgpus.small.exec_percent;
			goal(fair; ">="; 42)),
		figure("800 ms back to back: of the time"; "%"; 1; $run.vgpus.large.exec_percent;
			goal(fair; ">="; 42)),
		figure("total"; "%"; 1; $run.busy_percent; goal(fair; ">="; 86))],
	"small-small": [
		figure("0.5 ms, two vGPUs: total"; "%"; 1; .["plain:small-small"].busy_percent;
			goal(every_policy; ">="; "stock"))],
	"weights": [.["plain:bench/weights"] as $run |
		figure("weights 2:4:8: share off the weight by at most"; "points"; 2;
			[$run.vgpus[] | .share_percent - .weight_percent | magnitude] | max;
			goal(fair; "<="; 1)),
		figure("total"; "%"; 1; $run.busy_percent; goal(fair; ">="; "stock"))],
	"seven-sizes": [.["plain:bench/seven-sizes"] as $run |
		figure("0.5 to 50 ms, seven vGPUs: least / most service"; ""; 3; $run.least_to_most;
			goal(fair; ">="; 0.97)),
		figure("the same in the worst 1 s"; ""; 3; $run.worst_window.least_to_most; no_goal),
		figure("its bound without preemption"; ""; 3; $run.worst_window.bound; no_goal),
		figure("total"; "%"; 1; $run.busy_percent; no_goal)],
	"interactive": [.["plain:bench/interactive"] as $run |
		figure("5 ms at 60 Hz beside 10 ms: p99 latency"; "ms"; 2;
			.["traced:bench/interactive"] | traced_latency_ms(1); goal(fair; "<="; 17)),
		figure("p99 from arrival, as the client sees it"; "ms"; 2;
			$run.vgpus.interactive.streams.frames.latency_p99_ns | ms; no_goal),
		figure("60 Hz: done"; "per s"; 1;
			$run.vgpus.interactive.streams.frames.done * 1e9 / ($run.end_ns - $run.begin_ns); no_goal),
		figure("10 ms: of the time"; "%"; 1; $run.vgpus.batch.exec_percent; no_goal),
		figure("total"; "%"; 1; $run.busy_percent; goal(fair; ">="; "stock"))],
	"switch": [
		switch_figures("traced:small-small"; "0.5 ms"),
		switch_figures("traced:bench/interactive"; "60 Hz"),
		switch_figures("traced:small-vs-large"; "18 and 800 ms")],
	"idle-timers": [.["plain:bench/two-idle"].host as $host |
		figure("two idle vGPUs: kvmgt's timers"; "per s"; 1; $host.kvmgt_timers * 1e9 / $host.window_ns;
			goal(every_policy; "<="; 0)),
		figure("timer interrupts of any kind"; "per s"; 1;
			$host.timer_interrupts * 1e9 / $host.window_ns; no_goal)],
	"instructions": [
		(figure("0.5 ms, two vGPUs: host instructions per workload, of stock"; ""; 3;
			.["plain:small-small"] | instructions; goal(every_policy; "<="; 1.02))
			| .relative = true),
		figure("the same"; "instructions"; 0; .["plain:small-small"] | instructions; no_goal)],
	"three-long": [.["plain:bench/three-long"] as $run |
		figure("three vGPUs with 800 ms: longest latency"; "ms"; 0;
			[$run.vgpus[].streams[].latency_max_ns] | max | ms; no_goal),
		figure("least / most service"; ""; 3; $run.least_to_most; no_goal),
		figure("total"; "%"; 1; $run.busy_percent; no_goal)],
	"bursty": [.["plain:bench/bursty"] as $run |
		figure("100 ms after 900 ms of sleep beside 5 ms: p99 latency"; "ms"; 1;
			$run.vgpus.bursty.streams.burst.latency_p99_ns | ms; no_goal),
		figure("bursty: of the time"; "%"; 1; $run.vgpus.bursty.exec_percent; no_goal),
		figure("5 ms: of the time"; "%"; 1; $run.vgpus.batch.exec_percent; no_goal),
		figure("total"; "%"; 1; $run.busy_percent; no_goal)],
	"engines": [.["plain:bench/engines"] as $run |
		figure("two engines against one: the two, of the time"; "%"; 1;
			$run.vgpus["two-engines"].exec_percent; no_goal),
		figure("the two, sum of both engines"; "%"; 1;
			[$run.vgpus["two-engines"].engines_percent[]] | add; no_goal),
		figure("the one, of the time"; "%"; 1; $run.vgpus["one-engine"].exec_percent; no_goal),
		figure("total"; "%"; 1; $run.busy_percent; no_goal)]
};

# --- from the runs to the table ---------------------------------------------

def rounded($digits): if . == null then null else
	([range($digits)] | reduce .[] as $i (1; . * 10)) as $scale | (. * $scale | round) / $scale end;

# A column "fair+anticipation_ms=50" has the goals of "fair".
def policy: split("+")[0];

# Judged as it is printed, so that the last digit of a float decides nothing
def meets($goal; $limit): if . == null or $limit == null then null
	elif $goal.op == ">=" then . >= $limit else . <= $limit end;

def judge: . as $line | .goal as $goal
	| (if $goal == null then null elif $goal.limit == "stock" then .values.stock else $goal.limit end) as $limit
	| .met = (if $goal == null then {} else
		[$line.values | to_entries[] | select([.key | policy] | inside($goal.columns))
			| .value |= meets($goal; $limit)] | from_entries end);

def relative_to_stock: if .relative then .values.stock as $stock
	| .values |= map_values(if . == null or $stock == null then null else . / $stock end) else . end;

# Input: {columns: [{name, ...}], rows: [NAME], runs: {COLUMN: {RUN: figures}}}
# Output: one line for each figure, with the values of all columns
def lines: . as $in
	| ($in.columns | map(.name)) as $columns
	| ($columns | map({key: ., value: ($in.runs[.] // {} | rows)}) | from_entries) as $figures
	| [$in.rows[] as $row | ($figures[$columns[0]][$row] | to_entries[]) as $first
		| $first.value | del(.value) | .row = $row
		| .values = ($columns | map({key: ., value: $figures[.][$row][$first.key].value}) | from_entries)
		| relative_to_stock | .digits as $digits | .values |= map_values(rounded($digits)) | judge];

# --- the table as text ------------------------------------------------------

def fixed($digits): if $digits == 0 then tostring else
	(if . < 0 then "-" else "" end) as $sign | magnitude
	| ([range($digits)] | reduce .[] as $i (1; . * 10)) as $scale | (. * $scale | round) as $n
	| ($n % $scale | tostring) as $fraction
	| "\($sign)\($n / $scale | floor).\("0" * ($digits - ($fraction | length)) // "")\($fraction)" end;

def unit: if .unit == "" then "" else ", \(.unit)" end;

def goal_text: if .goal == null then "-" else "\(.goal.name) \(.goal.op) \(.goal.limit)" end;

def cell($name; $available): if ($available | not) then "n/a"
	elif .values[$name] == null then "unknown"
	else (.digits as $digits | .values[$name] | fixed($digits))
		+ (if .met[$name] == true then " ok" elif .met[$name] == false then " MISS" else "" end) end;

def table: .columns as $columns
	| ["row", "figure", "goal"] + ($columns | map(.name)),
	  (.lines[] | . as $line | [.row, "\(.figure)\(unit)", goal_text]
		+ [$columns[] | .name as $name | .available as $available | $line | cell($name; $available)]);

def text: table | @tsv;

def markdown: [table] | (.[0], (.[0] | map("---")), .[1:][]) | "| " + join(" | ") + " |";

# For the plot: shares and ratios in per cent, one line each, "-" for what is unknown
def in_percent: if . == null then "-" else . * 100 end;

def plotted: (.columns | map(select(.available) | .name)) as $columns
	| ["figure"] + $columns,
	  (.lines[] | select(.row != "switch" and .row != "instructions" and (.unit == "%" or .unit == "")) | . as $line
		| ["\(.row): \(.figure)"]
		+ [$line.values[$columns[]] | if $line.unit == "" then in_percent else . // "-" end])
	| @tsv;
