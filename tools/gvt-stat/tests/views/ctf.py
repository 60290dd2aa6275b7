# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what gvt-stat export --format ctf writes, by libbabeltrace2's own reader."""
import os

import bt2


def plain(field):
    """A field of bt2 as a number or text."""
    return str(field) if isinstance(field, bt2._StringFieldConst) else int(field)


class Event:
    def __init__(self, message):
        event = message.event
        self.name, self.ns = event.name, message.default_clock_snapshot.value
        self.cpu, self.tid = int(event.packet.context_field["cpu_id"]), int(event.common_context_field["tid"])
        self.fields = {name: plain(field) for name, field in event.payload_field.items()}
        self.workload = self.fields.get("dev"), self.fields.get("workload_id")
        self.queue = self.fields.get("dev"), self.fields.get("vgpu_id"), self.fields.get("engine")


class Workload:
    """What its events tell."""

    def __init__(self):
        self.queued, self.pieces, self.start, self.wait, self.begun = None, [], None, None, False

    def add(self, event):
        fields, name = event.fields, event.name
        if name == "gvt_workload_queue":
            self.queued = event.ns
        elif name == "gvt_workload_state" and self.queued is None and "age_ns" in fields:
            self.queued = event.ns - fields["age_ns"]
        elif name == "gvt_workload_start":
            self.start = event.ns
        elif name == "gvt_workload_submit" and self.start is not None and self.queued is not None:
            # clocks of CPUs differ: the model has what was seen queued start when it is submitted
            self.start = event.ns
        elif name == "gvt_workload_stop":
            if self.start is not None:
                self.pieces.append((self.start, event.ns))
            self.start = None
        if fields.get("wait_ns", -1) >= 0:
            self.wait = fields["wait_ns"]


class Trace:
    def __init__(self, path):
        self.events, self.lost, self.streams, self.last = [], [], set(), {}
        self.environment = {}
        for message in bt2.TraceCollectionMessageIterator(str(path)):
            self.take(message)

    def take(self, message):
        if isinstance(message, bt2._EventMessageConst):
            self.events.append(Event(message))
        elif isinstance(message, bt2._DiscardedEventsMessageConst):
            self.lost.append((os.path.basename(message.stream.name), message.beginning_default_clock_snapshot.value,
                              message.end_default_clock_snapshot.value, message.count))
        elif isinstance(message, bt2._StreamBeginningMessageConst):
            self.streams.add(os.path.basename(message.stream.name))
            self.environment = dict(message.stream.trace.environment.items())

    def told(self):
        """Of the trace itself, without what we add."""
        return [event for event in self.events if event.name != "gvt_stat_told"]

    def executed(self):
        """ns by (dev, vgpu, engine)."""
        sums = {}
        for event in self.events:
            if event.name in ("gvt_workload_stop", "gvt_stat_told"):
                sums[event.queue] = sums.get(event.queue, 0) + event.fields["exec_ns"]
        return {queue: ns for queue, ns in sums.items() if ns}

    def workloads(self):
        """Workload by (dev, id) by queue."""
        queues = {}
        for event in self.events:
            if event.workload[1]:
                queues.setdefault(event.queue, {}).setdefault(event.workload, Workload()).add(event)
        return queues

    def pieces(self):
        return sorted((dev, number, *piece) for queue in self.workloads().values()
                      for (dev, number), one in queue.items() for piece in one.pieces)
