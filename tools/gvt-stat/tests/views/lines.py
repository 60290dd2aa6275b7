# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the lines of gvt-stat export --format csv."""
import csv


def number(text):
    return int(text) if text else None


class Line:
    def __init__(self, row):
        self.kind, self.state, self.reason, self.edge = (row[key] for key in ("kind", "state", "reason", "edge"))
        self.start, self.end = int(row["start_ns"]), int(row["end_ns"])
        self.queue = number(row["dev"]), number(row["vgpu_id"]), row["engine"]
        self.lane = self.kind, row["slot"], row["tid"], row["dev"], row["engine"], \
            row["vgpu_id"] if self.kind in ("waits", "workloads", "lost") else None
        self.culprit, self.workload = number(row["culprit_vgpu_id"]), number(row["workload_id"])
        self.begins, self.ends, self.status = row["start"], row["end"], row["status"]
        self.seen = self.begins == self.ends == "seen"


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [Line(row) for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def executed(lines):
    sums = {}
    for one in lines:
        if one.kind == "engine":
            sums[one.queue] = sums.get(one.queue, 0) + one.end - one.start
    return {queue: ns for queue, ns in sums.items() if ns}


def waits(lines):
    sums = {}
    for one in lines:
        if one.kind == "waits":
            key = *one.queue, one.reason, one.culprit
            ns, count, longest = sums.get(key, (0, 0, 0))
            length = one.end - one.start
            sums[key] = ns + length, count + 1, max(longest, length)
    return sums


def pieces(lines):
    return sorted((one.queue[0], one.workload, one.start, one.end) for one in lines
                  if one.state == "executes" and one.seen)


def overlaps(lines):
    ends, count = {}, 0
    for one in lines:
        # a moment, not an interval
        if one.kind != "vcpu" or one.start < one.end:
            count += one.start < ends.get(one.lane, one.start)
            ends[one.lane] = one.end
    return count
