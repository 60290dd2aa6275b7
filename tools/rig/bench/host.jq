# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of the host beside VMs as data: the run that a row of the table needs, its
# figures, and their goals.
#
# A run is "beside:SCENARIO". A figure that a run does not hold is null, which means unknown.

include "table";

def loads: ["30hz", "60hz", "144hz", "busy", "short", "long", "linux", "uncut"];

def needs: loads | map({key: ., value: ["beside:bench/host-\(.)"]}) | from_entries;

# all that write a trace
def ours: {name: "ours", columns: ([("strict", "wc", "fair") as $policy
	| ("exclusive", "per-engine", "preemptive") as $dispatch | "\($policy)-\($dispatch)"]
	+ ["fair-per-engine-first", "fair-preemptive-first"])};

def desktop($run): $run.own_work.streams.desktop;

# Largest difference between the recording and the device's log for stays of the host
def exact($run): [$run.compared.host | .worst_ns, .unseen_ns] | max;

def is_plotted: .unit == "%";

def row($run):
	figure("host: frame, mean"; "ms"; 1; desktop($run).latency_mean_ns | ms; no_goal),
	figure("host: frame, p99"; "ms"; 1; desktop($run).latency_p99_ns | ms; no_goal),
	figure("host: frames"; "/s"; 1; desktop($run).done * 1e9 / ($run.end_ns - $run.begin_ns); no_goal),
	figure("host: of the engine"; "%"; 1; $run.own_work.engines_percent.rcs0; no_goal),
	figure("vGPU with 18 ms workloads"; "%"; 1; $run.vgpus.small.exec_percent; no_goal),
	figure("vGPU with 60 ms workloads"; "%"; 1; $run.vgpus.large.exec_percent; no_goal),
	figure("host, traced: of the engine off by"; "points"; 2;
		$run.compared.host | (.traced_ms - .truth_ms | magnitude) * 1e8 / ($run.end_ns - $run.begin_ns);
		goal(ours; "<="; 0.1)),
	figure("host, traced against executed: worst stay off by"; "us"; 0; exact($run) | us; goal(ours; "<="; 50)),
	figure("vGPUs, the same: worst piece off by"; "us"; 0; $run.compared.execution_piece_max_ns | us;
		goal(ours; "<="; 50));

def rows: . as $runs | loads | map({key: ., value: [row($runs["beside:bench/host-\(.)"])]}) | from_entries;
