# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what a page of gvt-stat export --format html holds, without a browser."""
import base64
import json
import re
import zlib

import told

LIMITS = "|~?"			# seen, cut, lost
NEW, FAILED = 8, 16
COMPLETES = 3
TOLD = 4			# a length is


class Interval:
    """One interval; times from the window's beginning."""

    def __init__(self, begin, end, sort, workload):
        self.begin, self.end, self.what, self.workload = begin, end, sort.what, workload
        self.limits = LIMITS[sort.limits >> 2] + LIMITS[sort.limits & 3]


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


class Bits:
    """Numbers in as few bits as they need: ../../src/export/bits.h."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        first, last = self.at >> 3, self.at + count + 7 >> 3
        value = int.from_bytes(self.data[first:last], "little") >> (self.at & 7) & (1 << count) - 1
        self.at += count
        return value

    def number(self, usual):
        zeros = 0
        while not self.take(1):
            zeros += 1
        more = -(zeros + 1 >> 1) if zeros & 1 else zeros >> 1
        count = (usual[0] + 4 >> 3) + more
        usual[0] += more
        return count if count < 2 else self.take(count - 1) | 1 << count - 1

    def signed(self, usual):
        value = self.number(usual)
        return -((value + 1) >> 1) if value & 1 else value >> 1


class Sort:
    """Intervals that are alike but for their times."""

    def __init__(self, code=0):
        self.what, self.sign, self.begin, self.limits = code >> 9, (0, 1, -1)[code >> 7 & 3], code >> 4 & 7, code & 15
        self.end, self.length = [0], [0]
        self.next = self.then = None    # what came after one of these: on its lane, and which lane


class Lane:
    """Of intervals, or a counter's of samples: (time, value)."""

    def __init__(self, head):
        self.head, self.until, self.workload, self.value = head, 0, 0, 0
        self.last = Sort()
        self.intervals, self.samples = [], []


class Intervals:
    """The single intervals of all lanes, and samples of counters: ../../src/export/page-intervals.h."""

    def __init__(self, data, heads):
        self.bits, self.sorts = Bits(data), []
        self.lanes = [Lane(head) for head in sorted(heads, key=lambda head: head["nr"])]
        self.usual_lane, self.usual_sort, self.usual_code, self.usual_id = [0], [0], [0], [0]
        self.last, self.clock, self.recent, self.earlier, self.workload = Sort(), 0, 0, 0, 0
        for _ in range(sum(head["count"] for head in heads)):
            self._read()
        assert all(len(lane.intervals) + len(lane.samples) == lane.head["count"] for lane in self.lanes), \
            "a lane is not as long as it says"
        assert self.bits.at + 7 >> 3 == len(data), "there are more bits"

    def _other_sort(self):
        number = self.bits.number(self.usual_sort)
        if number == len(self.sorts):
            self.sorts.append(Sort(self.bits.number(self.usual_code)))
        return self.sorts[number]

    def _begin(self, sort, until, before):
        if sort.begin == TOLD:
            self.earlier, self.recent = self.recent, self.clock - self.bits.number(sort.length)
            return self.recent
        return (until, before, self.recent, self.earlier)[sort.begin]

    def _read(self):
        both = self.bits.take(1)
        same_lane = both or self.bits.take(1)
        same_sort = both or (not same_lane and self.bits.take(1))
        lane = self.last.then if same_lane else self.lanes[self.bits.number(self.usual_lane)]
        sort = lane.last.next if same_sort else self._other_sort()
        self.last.then = lane
        lane.last.next = self.last = lane.last = sort
        before = self.clock
        self.clock += sort.sign * self.bits.number(sort.end) if sort.sign else 0
        if lane.head["kind"] == "slice left":
            self._sample(lane, sort)
            return
        begin = self._begin(sort, lane.until, before)
        lane.until = self.clock
        if lane.head["kind"] == "workloads" and sort.what & NEW:
            self.workload += self.bits.signed(self.usual_id)
            lane.workload = self.workload
        lane.intervals.append(Interval(begin, self.clock, sort, lane.workload))

    def _sample(self, lane, sort):
        ran_down = self.clock - lane.until if sort.what else 0
        lane.value += self.bits.signed(sort.length) - ran_down
        lane.until = self.clock
        lane.samples.append((self.clock, lane.value))


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
        heads = self.document["lanes"]
        single = Intervals(base64.b64decode(self._island("intervals")), heads + self.document["counters"])
        self._read_rest(zlib.decompress(base64.b64decode(self._island("lanes")), wbits=-15), heads)
        self.lanes = [(lane.head, lane.intervals) for lane in single.lanes if lane.head in heads]
        self.counters = [(lane.head, lane.samples) for lane in single.lanes if lane.head not in heads]

    @staticmethod
    def _read_rest(data, heads):
        start = 0
        for head in heads:
            numbers = Numbers(data, start)
            head["marked"] = read_marks(head, numbers)
            head["binned"] = read_bins(head, numbers)
            head["latencies"] = read_latencies(head, numbers)
            assert numbers.at - start == head["bytes"], "the rest of a lane is not as long as it says"
            start += head["bytes"]

    def _island(self, name):
        return re.search(f'<script [^>]*id="{name}">(.*?)</script>', self.text, re.S).group(1)

    def vgpu(self, number):
        """(dev, id), with the number that several may have had"""
        vgpu = self.document["numbered_vgpus"][number]
        return vgpu["dev"], vgpu["id"] & 0xffffffff

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

    def left(self, start=None):
        """{(dev, vgpu, engine): [(time, ns)]}, what was left of its slice; in the trace's time, or from a start on."""
        start = self.document["window_start_ns"] if start is None else start
        return told.together(((*self.vgpu(head["vgpu"]), head["engine"] or ""),
                              [(at + start, value) for at, value in samples])
                             for head, samples in self.counters if samples)

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
                if one.what & 7 == COMPLETES and begin is not None and one.limits[1] != "~":
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
