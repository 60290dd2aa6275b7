# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads traces of Perfetto as its own trace processor would, as far as gvt-stat writes them.

What Perfetto drops, or draws wrong, without a word is a complaint here.
"""
import gzip
import re
import struct

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            return value, at


def fields(data):
    """(number, value) of a message: numbers, bytes of 8-byte fields as int, texts as bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif tag & 7 == 2:
            size, at = varint(data, at)
            if at + size > len(data):
                raise ValueError("the file is cut off")
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def double(value):
    return struct.unpack("<d", value.to_bytes(8, "little"))[0]


def packets(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return [value for number, value in fields(data) if number == 1]


class Slice:
    def __init__(self, begin, name, category, arguments, flows):
        self.begin, self.end, self.name, self.category = begin, None, name, category
        self.arguments, self.flows = arguments, flows


class Trace:
    def __init__(self, packet_list):
        self.complaints = []
        self.tracks = {}		# uuid: (name, uuid of parent)
        self.slices = {}		# uuid: [Slice]
        self.open = {}			# uuid: those that have no end yet
        self.samples = {}		# uuid: [(time, value)]
        self.flows = {}			# id: [(time, uuid)]
        self.ftrace = []		# (time, cpu, kind)
        self.attributes = {}
        self.texts = {1: {}, 2: {}, 3: {}}
        self.state = False
        events = []
        for packet in packet_list:
            events.extend(self._packet(list(fields(packet))))
        # by time, and as in the file where that is the same
        events.sort(key=lambda event: event[0])
        for time, event in events:
            self._event(time, event)
        for uuid, list_of in self.slices.items():
            if any(one.end is None for one in list_of):
                self._complain(f"{self.name(uuid)}: a slice has no end")

    def _complain(self, text):
        self.complaints.append(text)

    def name(self, uuid):
        name, parent = self.tracks.get(uuid, ("?", None))
        return f"{self.tracks[parent][0]}: {name}" if parent else name

    def owner(self, uuid):
        """(dev, vgpu or None, engine, kind) of a track, by its name and its parent's."""
        name, parent = self.tracks[uuid]
        text = self.tracks[parent][0] if parent else ""
        name = name.removeprefix(text).strip()
        vgpu = re.match(r"vGPU (\d+)", text)
        engine = re.match(r"(\w+\d)\b ?(.*)", name)
        gpu = re.search(r"\bGPU (\d+)$", text)
        return (int(gpu[1]) if gpu else 0, int(vgpu[1]) if vgpu else None,
                *(engine.groups() if engine else ("", name)))

    def of_kind(self, kind, of_vgpu):
        """(dev, vgpu, engine, slice) of the tracks of engines, or of vGPUs on engines."""
        for uuid, all_of in self.slices.items():
            dev, vgpu, engine, what = self.owner(uuid)
            if what == kind and (vgpu is not None) == of_vgpu and engine:
                for one in all_of:
                    yield dev, vgpu, engine, one

    def executed(self):
        """ns by (dev, vgpu, engine)."""
        sums = {}
        for dev, _, engine, one in self.of_kind("", False):
            key = (dev, int(re.match(r"vGPU (\d+)", one.name)[1]), engine)
            sums[key] = sums.get(key, 0) + one.end - one.begin
        return sums

    def late_known(self):
        """Queues with work from before the trace that is told late, without gvt_workload_state: until when."""
        late = {}
        for dev, vgpu, engine, one in self.of_kind("workloads", True):
            if one.arguments.get("begin") == "cut" and "queued_before_ns" not in one.arguments:
                key = dev, vgpu, engine
                late[key] = max(late.get(key, 0), one.end)
        return late

    def _packet(self, packet):
        one = dict(packet)
        if 10 not in one:
            self._complain("a packet has no sequence id")
            return
        if 58 in one:
            self._complain("a packet has a clock that nothing tells of")
        self.state = self.state or one.get(13) == 1
        if one.get(13) == 2 and not self.state:
            self._complain("a packet needs a state that was not begun")
            return
        for kind, entry in fields(one.get(12, b"")):
            text = dict(fields(entry))
            self.texts[kind][text[1]] = text[2].decode()
        if 60 in one:
            track = dict(fields(one[60]))
            self.tracks[track[1]] = (track.get(2, b"").decode(), track.get(5))
        for number, value in fields(one.get(1, b"")):
            if number == 2:
                self.ftrace.append((dict(fields(value))[1], dict(fields(one[1])).get(1, 0),
                                    [n for n, _ in fields(value) if n > 2]))
        for _, entry in fields(one.get(126, b"")):
            pair = dict(fields(entry))
            self.attributes[pair[1].decode()] = pair[3].decode() if 3 in pair else pair[2]
        if 11 in one:
            yield one[8], self._decode(list(fields(one[11])))

    def _decode(self, event):
        one = dict(event)
        arguments = {}
        for number, value in event:
            if number == 4:
                pair = dict(fields(value))
                arguments[self.texts[3][pair[1]]] = pair[6].decode() if 6 in pair else signed(pair[4])
        return one, self.texts[2].get(one.get(10)), self.texts[1].get(one.get(3)), arguments

    def _event(self, time, event):
        one, name, category, arguments = event
        uuid = one[11]
        if uuid not in self.tracks:
            self._complain("an event is on no track")
        for flow in (one[number] for number in (47, 48) if number in one):
            self.flows.setdefault(flow, []).append((time, uuid))
        if one[9] == COUNTER:
            value = double(one[44]) if 44 in one else signed(one[30])
            self.samples.setdefault(uuid, []).append((time, value))
        elif one[9] == BEGIN:
            self._begin(uuid, Slice(time, name, category, arguments, [one[n] for n in (47, 48) if n in one]))
        elif one[9] == END:
            self._end(uuid, time)

    def _begin(self, uuid, one):
        if self.open.get(uuid):
            self._complain(f"{self.name(uuid)}: slices overlap at {one.begin}")
        self.slices.setdefault(uuid, []).append(one)
        self.open.setdefault(uuid, []).append(one)

    def _end(self, uuid, time):
        if not self.open.get(uuid):
            self._complain(f"{self.name(uuid)}: an end without a beginning at {time}")
            return
        # of several that are open, Perfetto ends the last one
        self.open[uuid].pop().end = time
