# SPDX-License-Identifier: GPL-2.0-or-later
# The experiments of paper 000, section 5, as data. The figure's name has the paper's own figure.

include "table";

def needs: {
	"5.1": ["plain:solo", "plain:idle-neighbour"],
	"5.2": ["plain:solo", "plain:small-vs-large"],
	"5.2-pieces": ["plain:solo", "plain:small-vs-pieces"],
	"5.3": ["vcpus:bench/cpu-beside-cpu", "vcpus:bench/cpu-beside-gpu"]
};

# One unit beside the other: no plot
def is_plotted: false;

# Its workloads of a given number take that many times as long as alone
def times_alone($run): .["plain:solo"].vgpus.small.streams.render.done / .[$run].vgpus.small.streams.render.done;

def beside($run; $what):
	figure("Gaussian (18 ms) beside Hotspot (\($what)): takes, of alone"; "x"; 2; times_alone($run); no_goal),
	figure("Gaussian: GPU use beside Hotspot (paper: below 20)"; "%"; 1; .[$run].vgpus.small.exec_percent; no_goal),
	figure("both: GPU use"; "%"; 1; .[$run].busy_percent; no_goal);

# The scenario's first VM, which computes
def vcpu: .vcpus | min_by(.vgpu_id);
def preempted_percent($run): .[$run] | 100 * vcpu.preempted_ns / .window_ns;
def preempted_by_vms($run): .[$run] | vcpu.tid as $tid
	| [.preemptions[] | select(.tid == $tid and .by_vm != null).count] | add // 0;

def rows: {
	"5.1": [
		figure("Gaussian (18 ms) beside an idle VM: takes, of alone (paper: 2.19)"; "x"; 2;
			times_alone("plain:idle-neighbour"); no_goal),
		figure("GPU use alone (paper: near 80)"; "%"; 1; .["plain:solo"].busy_percent; no_goal),
		figure("GPU use beside the idle VM (paper: about 45)"; "%"; 1; .["plain:idle-neighbour"].busy_percent; no_goal)],
	"5.2": [beside("plain:small-vs-large"; "800 ms in one command")],
	"5.2-pieces": [beside("plain:small-vs-pieces"; "800 ms of 1 ms commands")],
	"5.3": [
		figure("VM that computes, beside another one: its vCPU is preempted, of the time"; "%"; 1;
			preempted_percent("vcpus:bench/cpu-beside-cpu"); no_goal),
		figure("the same beside a VM that uses the GPU"; "%"; 1; preempted_percent("vcpus:bench/cpu-beside-gpu"); no_goal),
		figure("times by the other VM's vCPU, before (paper: 23125)"; ""; 0;
			preempted_by_vms("vcpus:bench/cpu-beside-cpu"); no_goal),
		figure("and after (paper: 15087)"; ""; 0; preempted_by_vms("vcpus:bench/cpu-beside-gpu"); no_goal)]
};
