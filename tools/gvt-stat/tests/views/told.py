# SPDX-License-Identifier: GPL-2.0-or-later
"""What gvt-stat's other commands tell of a trace, in the form in which views are compared."""
import csv
import functools
import json
import os
import subprocess
import tempfile

import perfetto


@functools.lru_cache(maxsize=None)
def gvt_stat(*arguments):
    """What a command prints; each is asked once."""
    command = [os.environ["GVT_STAT"], *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def together(pairs, add=lambda one, other: one + other):
    """A dictionary; what has the same key, as vGPUs with one number after the other, is added up."""
    sums = {}
    for key, value in pairs:
        sums[key] = add(sums[key], value) if key in sums else value
    return sums


def only_one(pairs):
    """A dictionary of what cannot be added up: None where several have a key."""
    return together(pairs, lambda one, other: None)


def executed(trace, *options):
    """(least, most) ns by (dev, vgpu, engine), without those that did nothing."""
    report = json.loads(gvt_stat("report", "--json", "-i", trace, *options))
    return together((((vgpu["dev"], vgpu["vgpu_id"], engine["engine"]),
                      (engine["exec_ns_min"], engine["exec_ns_max"]))
                     for vgpu in report["vgpus"] for engine in vgpu["engines"] if engine["exec_ns_max"]),
                    lambda one, other: (one[0] + other[0], one[1] + other[1]))


def add_waits(one, other):
    """Of (ns, count, longest, ...): what belongs to the longest stays with it."""
    longest = max(one[2:], other[2:], key=lambda rest: rest[0])
    return (one[0] + other[0], one[1] + other[1], *longest)


def waits(trace, *options):
    """(ns, count, longest) by (dev, vgpu, engine, reason, culprit)."""
    blame = json.loads(gvt_stat("why", "waits", "--json", "-i", trace, *options))
    return together((((row["dev"], row["vgpu_id"], row["engine"], row["reason"], row["culprit_vgpu_id"]),
                      (row["wait_ns"], row["count"], row["worst_ns"])) for row in blame["blame"]), add_waits)


def pieces(trace, *options):
    """(dev, workload, start, stop), of those with both ends."""
    text = gvt_stat("list", "workloads", "--pieces", "--csv", "-i", trace, *options)
    return sorted((int(row["dev"]), int(row["workload_id"]), int(row["start_ns"]), int(row["stop_ns"]))
                  for row in csv.DictReader(text.splitlines()) if row["start_ns"] and row["stop_ns"])


def workloads(trace, *options):
    """Each workload's row."""
    return list(csv.DictReader(gvt_stat("list", "workloads", "--csv", "-i", trace, *options).splitlines()))


def latencies(trace, until_ns, *options):
    """ns by (dev, workload) of those that are complete by then; None: not known."""
    return {(int(row["dev"]), int(row["workload_id"])): int(row["latency_ns"]) if row["latency_ns"] else None
            for row in workloads(trace, *options)
            if row["state"] == "complete" and int(row["complete_ns"]) <= until_ns}


def completed_later(trace, until_ns, *options):
    """(dev, workload) of those that are complete only then."""
    return {(int(row["dev"]), int(row["workload_id"])) for row in workloads(trace, *options)
            if row["complete_ns"] and int(row["complete_ns"]) > until_ns}


def left(trace, *options):
    """{(dev, vgpu, engine): [(time, ns)]}: what was left of its slice, as Perfetto gets it."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "left.pftrace")
        gvt_stat("export", "-f", "perfetto", "-i", trace, "-o", path, *options)
        drawn = perfetto.Trace(perfetto.packets(path))
    owners = {uuid: drawn.owner(uuid) for uuid in drawn.samples}
    return together((owner[:3], drawn.samples[uuid]) for uuid, owner in owners.items() if owner[3] == "slice left")
