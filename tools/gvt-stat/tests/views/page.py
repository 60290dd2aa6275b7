# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what a page of gvt-stat export --format html holds, without a browser."""
import base64
import json
import re
import zlib

LIMITS = "|~?"			# seen, cut, lost
NEW, FAILED = 8, 16


class Interval:
    """One interval; times from the window's beginning."""

    def __init__(self, begin, end, code, workload):
        self.begin, self.end = begin, end
        self.what, self.limits = code >> 4, LIMITS[code >> 2 & 3] + LIMITS[code & 3]
        self.workload = workload


class Numbers:
    """The packed numbers, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

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


def read_lane(head, numbers):
    gaps, lengths, codes = ([numbers.next() for _ in range(head["count"])] for _ in range(3))
    at = workload = 0
    intervals = []
    for gap, length, code in zip(gaps, lengths, codes):
        if head["kind"] == "workloads" and code >> 4 & NEW:
            workload += numbers.signed()
        intervals.append(Interval(at + gap, at + gap + length, code, workload))
        at += gap + length
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


class Page:
    """A page: its text, its document, and lanes as (head, [Interval])."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.document_text = self._island("document")
        self.document = json.loads(self.document_text)
        data = zlib.decompress(base64.b64decode(self._island("lanes")), wbits=-15)
        numbers = Numbers(data)
        self.lanes = []
        for head in self.document["lanes"]:
            start = numbers.at
            self.lanes.append((head, read_lane(head, numbers)))
            head["marked"] = read_marks(head, numbers)
            assert numbers.at - start == head["bytes"], "a lane is not as long as it says"

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
