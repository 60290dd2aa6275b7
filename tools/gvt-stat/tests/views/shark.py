# SPDX-License-Identifier: GPL-2.0-or-later
"""What KernelShark has of a trace: its events, and the rows of our plugin.

By the library of KernelShark itself: see tools/kernelshark/tests/load.cpp. $KERNELSHARK is
where that is, with the plugin.
"""
import os
import subprocess

TURN, RUNS, WAITS, EXECUTES, PREEMPTED, COMPLETES, UNSEEN, LOST = range(8)
WORK, WAITING, DOUBT = range(3)


def load(path, *command):
    here = os.environ["KERNELSHARK"]
    run = subprocess.run([f"{here}/load", f"{here}/plugin-gvt.so", *command, path],
                         capture_output=True, text=True, check=True)
    return [line.split("\t") for line in run.stdout.splitlines() if "\t" in line or line.isdigit()]


def number(text):
    return None if text == "-" else int(text)


class Row:
    def __init__(self, pid, dev, vgpu, engine, slot, events, listed, name):
        self.pid, self.dev, self.vgpu, self.engine = int(pid), number(dev), number(vgpu), engine
        self.slot, self.events, self.listed, self.name = int(slot), int(events), listed == "1", name

    def queue(self):
        return self.dev, self.vgpu, self.engine


class Interval:
    def __init__(self, row, layer, state, start, end, limits, failed, workload, vgpu, culprit):
        self.row, self.layer, self.state = row, int(layer), int(state)
        self.start, self.end, self.limits, self.failed = int(start), int(end), limits, failed == "1"
        self.workload, self.vgpu, self.culprit = number(workload), number(vgpu), number(culprit)


class Trace:
    def __init__(self, path):
        self.path = path
        self.rows = {row.pid: row for row in (Row(*line) for line in load(path, "rows"))}
        self.intervals = [Interval(self.rows[int(pid)], *rest) for pid, *rest in load(path, "intervals")]
        times = [time for one in self.intervals for time in (one.start, one.end)]
        self.start, self.end = min(times, default=0), max(times, default=0)

    def times(self):
        """Of the events of starts and stops, as KernelShark has them."""
        return {int(time) for time, in load(self.path, "times")}

    def queues(self):
        """{queue: number of events that were moved to its row}."""
        return {row.queue(): row.events for row in self.rows.values() if row.vgpu is not None and row.slot < 0}

    def executed(self):
        """ns by (dev, vgpu, engine)."""
        sums = {}
        for one in self.intervals:
            if one.state == RUNS and one.row.vgpu is not None:
                sums[one.row.queue()] = sums.get(one.row.queue(), 0) + one.end - one.start
        return {key: ns for key, ns in sums.items() if ns}

    def waits(self):
        """ns by (dev, vgpu, engine, culprit)."""
        sums = {}
        for one in self.intervals:
            if one.layer == WAITING:
                key = (*one.row.queue(), one.culprit)
                sums[key] = sums.get(key, 0) + one.end - one.start
        return sums

    def pieces(self):
        """(dev, workload, start, stop), of those with both ends."""
        return sorted((one.row.dev, one.workload, one.start, one.end) for one in self.intervals
                      if one.state == EXECUTES and one.limits == "00")
