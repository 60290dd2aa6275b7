# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what a page of gvt-stat export --format html holds, without a browser."""
import base64
import bisect
import json
import re
import zlib

LIMITS = "|~?"			# seen, cut, lost
NEW, FAILED = 8, 16
COMPLETES = 3


class Interval:
    """One interval; times from the window's beginning."""

    def __init__(self, begin, end, code, workload):
        self.begin, self.end = begin, end
        self.what, self.limits = code >> 4, LIMITS[code >> 2 & 3] + LIMITS[code & 3]
        self.workload = workload


class Numbers:
    """The packed numbers, one after the other."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return value

    def signed(self):
        value = self.next()
        return -((value + 1) >> 1) if value & 1 else value >> 1


class Referring:
    """Times that are told as places among those of workloads: ../../src/cmd/page-times.h."""

    def __init__(self, times):
        self.times, self.time, self.place = times, 0, 0

    def next(self, number):
        if number & 1:
            self.time += number >> 1
            self.place = bisect.bisect_left(self.times, self.time, self.place)
        else:
            self.place += number >> 1
            self.time = self.times[self.place]
        return self.time


class Counting:
    """Times that are told by what is between them."""

    def __init__(self):
        self.time = 0

    def next(self, number):
        self.time += number
        return self.time


def times_of(lanes):
    """All at which something happens to a workload."""
    times = []
    for lane in lanes:
        end = None
        for one in lane:
            times.extend([one.end] if one.begin == end else [one.begin, one.end])
            end = one.end
    return sorted(times)


def read_lane(head, numbers, times):
    gaps, lengths, codes = ([numbers.next() for _ in range(head["count"])] for _ in range(3))
    clock = Referring(times) if head["kind"] in ("turns", "engine", "waits") else Counting()
    workload = 0
    intervals = []
    for gap, length, code in zip(gaps, lengths, codes):
        begin, end = clock.next(gap), clock.next(length)
        if head["kind"] == "workloads" and code >> 4 & NEW:
            workload += numbers.signed()
        intervals.append(Interval(begin, end, code, workload))
    return intervals


def read_marks(head, numbers):
    """(time, kind, workload) of what a vCPU thread did: 0, it queued it; 1, it was woken up for it."""
    at = workload = 0
    marks = []
    for _ in range(head.get("marks", 0)):
        at += numbers.signed()
        kind = numbers.next()
        workload += numbers.signed()
        marks.append((at, kind, workload))
    return marks


def read_bins(head, numbers):
    """{meaning: [(begin, end, busy time)]}, of what is not there as single intervals."""
    bins, ends = {}, {}
    for _ in range(head["bins"]):
        what = numbers.next()
        begin = ends.get(what, 0) + numbers.next()
        length = numbers.next()
        ends[what] = begin + length
        bins.setdefault(what, []).append((begin, ends[what], length - numbers.next()))
    return bins


def read_latencies(head, numbers):
    """[(end, count, sum, longest)] of workloads that are not there as single intervals."""
    end, bins = 0, []
    for _ in range(head["latency_bins"]):
        end += numbers.next()
        bins.append((end, numbers.next(), numbers.next(), numbers.next()))
    return bins


class Page:
    """A page: its text, its document, and lanes as (head, [Interval])."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.document_text = self._island("document")
        self.document = json.loads(self.document_text)
        data = zlib.decompress(base64.b64decode(self._island("lanes")), wbits=-15)
        lanes = self._read(data, "workloads", None)
        lanes.update(self._read(data, None, times_of(lanes.values())))
        self.lanes = [(head, lanes[nr]) for nr, head in enumerate(self.document["lanes"])]

    def _read(self, data, kind, times):
        """The lanes of this kind, or None: all others, by their number."""
        lanes, start = {}, 0
        for nr, head in enumerate(self.document["lanes"]):
            if (head["kind"] == "workloads") == (kind == "workloads"):
                numbers = Numbers(data, start)
                lanes[nr] = read_lane(head, numbers, times)
                head["marked"] = read_marks(head, numbers)
                head["binned"] = read_bins(head, numbers)
                head["latencies"] = read_latencies(head, numbers)
                assert numbers.at - start == head["bytes"], "a lane is not as long as it says"
            start += head["bytes"]
        return lanes

    def _island(self, name):
        return re.search(f'<script [^>]*id="{name}">(.*?)</script>', self.text, re.S).group(1)

    def vgpu(self, number):
        vgpu = self.document["numbered_vgpus"][number]
        return vgpu["dev"], vgpu["id"]

    def of_kind(self, kind):
        return [(head, lane) for head, lane in self.lanes if head["kind"] == kind]

    def executed(self):
        """ns by (dev, vgpu, engine)."""
        sums = {}
        for head, lane in self.of_kind("engine"):
            for one in lane:
                key = (*self.vgpu(one.what), head["engine"])
                sums[key] = sums.get(key, 0) + one.end - one.begin
        return sums

    def waits(self):
        """(ns, count, longest) by (dev, vgpu, engine, reason, culprit)."""
        sums = {}
        reasons = self.document["names"]["reasons"]
        for head, lane in self.of_kind("waits"):
            for one in lane:
                culprit = self.vgpu((one.what >> 4) - 1)[1] if one.what >> 4 else None
                key = (*self.vgpu(head["vgpu"]), head["engine"], reasons[one.what & 15], culprit)
                ns, count, longest = sums.get(key, (0, 0, 0))
                length = one.end - one.begin
                sums[key] = (ns + length, count + 1, max(longest, length))
        return sums

    def pieces(self):
        """(dev, workload, start, stop), of those with both ends, in the trace's time."""
        start = self.document["window_start_ns"]
        return sorted((head["dev"], one.workload, one.begin + start, one.end + start)
                      for head, lane in self.of_kind("workloads") for one in lane
                      if one.what & 7 == 1 and one.limits == "||")

    def ages(self):
        """ns by (dev, workload): for how long those were queued that are older than the window."""
        return {(dev, number): ns for dev, number, ns in self.document["older"]}

    def latencies(self):
        """ns by (dev, workload), of those that left the engine for good and whose beginning is known."""
        ages, found = self.ages(), {}
        for head, lane in self.of_kind("workloads"):
            begin = None
            for one in lane:
                key = head["dev"], one.workload
                if one.what & NEW:
                    age = 0 if one.limits[0] == "|" else ages.get(key)
                    begin = None if age is None else one.begin - age
                if one.what & 7 == COMPLETES and begin is not None:
                    found[key] = one.begin - begin
        return found

    def busy_between(self, begin, end):
        """executed(), of a part of the window; the plain way, not the page's."""
        sums = {}
        for head, lane in self.of_kind("engine"):
            for one in lane:
                both = min(one.end, end) - max(one.begin, begin)
                if both > 0:
                    key = (*self.vgpu(one.what), head["engine"])
                    sums[key] = sums.get(key, 0) + both
        return sums

    def overlaps(self):
        return sum(1 for _, lane in self.lanes for a, b in zip(lane, lane[1:]) if b.begin < a.end)
