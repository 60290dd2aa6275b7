# SPDX-License-Identifier: GPL-2.0-or-later
# The scheduler's benchmark as data: the runs that a row of the table needs, its
# figures, and their goals.
#
# A run is "plain:SCENARIO" (nothing is traced) or "traced:SCENARIO". The input
# of rows is an object of one column's figures by run; a figure that they do not
# hold is null, which means unknown.

include "table";

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

# The columns of a goal
def every_policy: {name: "every policy", columns: ["strict", "strict-nocarry", "work-conserving", "work-conserving-nocarry", "fair"]};
def working: {name: "work-conserving, fair", columns: ["work-conserving", "work-conserving-nocarry", "fair"]};
def fair: {name: "fair", columns: ["fair"]};

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

def is_plotted: .row != "switch" and .row != "instructions";

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
		figure("0.5 to 50 ms, seven vGPUs: least / most service"; ""; 3; $run.least_to_most; no_goal),
		figure("the same, with the gaps before the workloads"; ""; 3; $run.had_least_to_most;
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
