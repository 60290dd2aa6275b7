# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of the dispatch modes as data: the runs that a row of the table
# needs, its figures, and their goals.
#
# A run is "plain:SCENARIO" or "guests:SCENARIO", which has real guests; nothing
# is traced. A figure that a run does not hold is null, which means unknown.

include "table";

def needs: {
	"small-vs-pieces": ["plain:small-vs-pieces"],
	"arbitration-off": ["plain:bench/arbitration-off"],
	"guest-hog": ["guests:bench/guest-hog"],
	"walker": ["plain:bench/walker"],
	"one-command": ["plain:small-vs-large"],
	"small-small": ["plain:small-small"],
	"two-engines": ["plain:two-engines"],
	"weights": ["plain:bench/two-weights"],
	"solo": ["plain:solo"],
	"hang": ["plain:bench/hang-beside", "plain:bench/hang-gone"],
	"registers": ["plain:small-vs-pieces", "plain:small-small", "plain:bench/arbitration-off",
		"guests:bench/guest-hog", "plain:bench/three-pieces", "plain:bench/hot-engines"],
	"hand-overs": ["plain:small-vs-pieces"],
	"coarse-pieces": ["plain:bench/coarse-pieces"],
	"three-pieces": ["plain:bench/three-pieces"],
	"hot-engines": ["plain:bench/hot-engines"],
	"no-render-preemption": ["plain:bench/no-render-preemption"],
	"costly-switches": ["plain:bench/costly-switches"]
};

# The columns of a goal
def every_mode: {name: "every mode", columns: ["exclusive", "per-engine", "preemptive"]};
def engines: {name: "per-engine, preemptive", columns: ["per-engine", "preemptive"]};
def preemptive: {name: "preemptive", columns: ["preemptive"]};

def execution($run; $vgpu; $name; $goal):
	figure("\($name): of the time"; "%"; 1; $run.vgpus[$vgpu].exec_percent; $goal);

def on_engine($run; $vgpu; $engine; $name; $goal):
	figure("\($name): of the engine's time"; "%"; 1; $run.vgpus[$vgpu].engines_percent[$engine]; $goal);

def latency($run; $vgpu; $stream; $name; $mean_goal; $max_goal):
	figure("\($name): mean latency"; "ms"; 1; $run.vgpus[$vgpu].streams[$stream].latency_mean_ns | ms; $mean_goal),
	figure("\($name): longest latency"; "ms"; 1; $run.vgpus[$vgpu].streams[$stream].latency_max_ns | ms; $max_goal);

def total($run; $goal): figure("total"; "%"; 1; $run.busy_percent; $goal);

# Resets of the device while a context executed
def resets($run; $goal): figure("engine resets"; ""; 0; $run.resets.all; $goal);

# Two vGPUs called small and large with a stream each
def small_and_large($run; $large; $share; $mean; $max):
	execution($run; "small"; "18 ms in closed loop"; $share),
	execution($run; "large"; $large; $share),
	latency($run; "small"; "render"; "18 ms"; $mean; $max),
	total($run; no_goal),
	resets($run; goal(every_mode; "<="; "stock"));

# A figure of all runs of a row together, unknown if one of them is missing
def of_runs(value): [needs["registers"][] as $name | .[$name] | value] | if any(. == null) then null else add end;

def counted($run; $name): [$run.counters[] | .[$name]] | add;

def is_plotted: .row != "registers" and .row != "hand-overs";

def rows: {
	"small-vs-pieces": [.["plain:small-vs-pieces"] as $run
		| small_and_large($run; "800 ms of 1 ms commands"; goal(preemptive; ">="; 49);
			goal(preemptive; "<="; 32); goal(preemptive; "<="; 36))],
	"arbitration-off": [.["plain:bench/arbitration-off"] as $run
		| small_and_large($run; "the same without arbitration"; goal(preemptive; ">="; 49);
			goal(preemptive; "<="; 32); goal(preemptive; "<="; 36))],
	"guest-hog": [.["guests:bench/guest-hog"] as $run
		| small_and_large($run; "the same of a real guest, 4 ns per instruction"; goal(preemptive; ">="; 48);
			no_goal; goal(preemptive; "<="; 36))],
	"walker": [.["plain:bench/walker"] as $run
		| small_and_large($run; "800 ms of one walker, preempted inside"; goal(preemptive; ">="; 49);
			goal(preemptive; "<="; 32); goal(preemptive; "<="; 36))],
	"one-command": [.["plain:small-vs-large"] as $run
		| small_and_large($run; "800 ms of one command"; goal(every_mode; ">="; 42); no_goal; no_goal)],
	"small-small": [
		figure("0.5 ms, two vGPUs: total"; "%"; 1; .["plain:small-small"].busy_percent; goal(engines; ">="; 97))],
	"two-engines": [.["plain:two-engines"] as $run
		| on_engine($run; "render"; "rcs0"; "2 ms on rcs0"; goal(engines; ">="; 98)),
		on_engine($run; "video"; "vcs0"; "5 ms on vcs0"; goal(engines; ">="; 99))],
	"weights": [.["plain:bench/two-weights"] as $run
		| figure("weights 2:4, both backlogged: share off the weight by"; "points"; 2;
			[$run.vgpus[] | .share_percent - .weight_percent | magnitude] | max; goal(every_mode; "<="; 1)),
		total($run; no_goal)],
	"solo": [
		(figure("18 ms alone: done, of stock"; ""; 3; .["plain:solo"].vgpus.small.streams.render.done;
			goal(every_mode; ">="; 0.995)) | .relative = true)],
	"hang": [.["plain:bench/hang-beside"] as $run | .["plain:bench/hang-gone"].vgpus.innocent.streams.render as $calm
		| $run.vgpus.innocent.streams.render as $innocent
		| figure("18 ms beside a hang: failed"; ""; 0; $innocent.failed; goal(every_mode; "<="; 0)),
		figure("done, of what it is without the hang"; "%"; 1; 100 * $innocent.done / $calm.done; no_goal),
		figure("longest latency"; "ms"; 0; $innocent.latency_max_ns | ms; no_goal),
		figure("the same without the hang"; "ms"; 0; $calm.latency_max_ns | ms; no_goal),
		resets($run; no_goal)],
	"registers": [
		figure("switched while a vGPU executes, for another one"; ""; 0; of_runs(.switches.live_to_vgpu);
			goal(every_mode; "<="; 0)),
		figure("switched while a vGPU executes, for the host"; ""; 0; of_runs(.switches.live_to_host);
			goal(every_mode; "<="; "stock")),
		figure("vGPU began with other values than it had left"; ""; 0; of_runs(.switches.other); no_goal)],
	"hand-overs": [.["plain:small-vs-pieces"] as $run
		| figure("times that the 800 ms were preempted"; ""; 0; $run.counters.large.rcs0_preempted; no_goal),
		figure("hand-overs, with the wait for a preemption point: of the time"; "%"; 2;
			100 * counted($run; "rcs0_handover_ns") / ($run.end_ns - $run.begin_ns); no_goal),
		figure("hand-overs that did not make way in time"; ""; 0; counted($run; "rcs0_overruns"); no_goal)],
	"coarse-pieces": [.["plain:bench/coarse-pieces"] as $run
		| small_and_large($run; "800 ms of 100 ms commands"; no_goal; no_goal; no_goal)],
	"three-pieces": [.["plain:bench/three-pieces"] as $run
		| execution($run; "small"; "three: 18 ms in closed loop"; no_goal),
		execution($run; "large"; "800 ms of 1 ms commands"; no_goal),
		execution($run; "tiny"; "2 ms, pauses of 2 ms"; no_goal),
		latency($run; "tiny"; "render"; "2 ms"; no_goal; no_goal),
		latency($run; "small"; "render"; "18 ms"; no_goal; no_goal),
		total($run; no_goal)],
	"hot-engines": [.["plain:bench/hot-engines"] as $run
		| on_engine($run; "small"; "rcs0"; "18 ms on rcs0"; no_goal),
		on_engine($run; "draw"; "rcs0"; "800 ms on rcs0"; no_goal),
		on_engine($run; "video"; "vcs0"; "800 ms on vcs0"; no_goal),
		latency($run; "small"; "render"; "18 ms"; no_goal; no_goal)],
	"no-render-preemption": [.["plain:bench/no-render-preemption"] as $run
		| on_engine($run; "small"; "rcs0"; "18 ms on an rcs0 that cannot preempt"; no_goal),
		on_engine($run; "large"; "rcs0"; "400 ms on such an rcs0"; no_goal),
		on_engine($run; "small"; "vcs0"; "18 ms on vcs0"; no_goal),
		on_engine($run; "large"; "vcs0"; "400 ms on vcs0"; no_goal),
		latency($run; "small"; "decode"; "18 ms on vcs0"; no_goal; no_goal),
		resets($run; goal(every_mode; "<="; "stock"))],
	"costly-switches": [.["plain:bench/costly-switches"] as $run
		| small_and_large($run; "800 ms, 0.1 ms and more for a switch"; no_goal; no_goal; no_goal)]
};
