#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What a guest is where events were lost, or a CPU's ring does not cover the recording: clocks, bursts,
loops and arrivals at random that are known, with none, 1, 5 and 20 % of the time missing, in one or several holes. What
gvt-stat says of when it submits, and the period of a clock, is right, or it says that it cannot be
told; a hole is no pause of the guest.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import environment  # noqa: F401: what the tests run

US, MS, SEC = 1000, 10**6, 10**9
START, END = 10 * MS, 8 * SEC
# of a period, that is off
MOST_OFF = 0.005
PARTS, COUNTS = (0.01, 0.05, 0.2), (1, 5, 20)
INFO = "gvt_sched_info tick_ns=1000000 period_ns=100000000 policy=strict dispatch=exclusive"


class Gpu:
    """Serves whoever comes first. Guests queue on CPU 0, all else is on CPU 1."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.events, self.count, self.free, self.turn = [], 0, 0, 0

    def work(self, queue, exec_ns, vgpu=1):
        """When it completed."""
        self.count += 1
        of = f"vgpu_id={vgpu} workload_id={self.count}"
        submit = max(queue + 4 * US, self.free + 6 * US)
        start, stop = submit + 6 * US, submit + 6 * US + exec_ns
        self.free = stop + 20 * US + self.rng.randrange(2 * US)
        if self.turn != vgpu:
            self.tell(submit - US, 1, f"gvt_sched_switch prev_vgpu_id={self.turn} next_vgpu_id={vgpu} "
                      "class=-1 instance=-1 reason=1 next_left_ns=50000000 next_slice_ns=50000000")
            self.turn = vgpu
        self.tell(queue, 0, f"gvt_workload_queue {of} guest_lrca=1")
        self.tell(submit, 1, f"gvt_workload_submit {of} ctx=1 seqno={self.count}")
        self.tell(start, 1, f"gvt_workload_start {of} ctx=1 seqno={self.count}")
        self.tell(stop, 1, f"gvt_workload_stop {of} completed=1")
        self.tell(self.free, 1, f"gvt_workload_complete {of}")
        return self.free

    def tell(self, ns, cpu, text):
        self.events.append((ns, cpu, text))

    def all(self):
        """With what tells on each CPU where the recording begins and ends."""
        last = max(ns for ns, _, _ in self.events)
        ends = [(1000, 0, INFO), (2000, 1, INFO), (last + 1000, 0, INFO), (last + 2000, 1, INFO)]
        return sorted(self.events + ends, key=lambda event: event[0])


class Clock:
    """Due so often; late by up to a part of the period, and by 3 us."""
    kind = "timetable"

    def __init__(self, hz, jitter):
        self.name = f"{hz} Hz, late by up to {jitter:.0%} of the period"
        self.hz, self.jitter, self.period = hz, max(jitter * SEC / hz, 3 * US), SEC / hz

    def play(self, gpu):
        number = 0
        while (due := START + round(number * self.period)) < END:
            gpu.work(due + gpu.rng.randrange(int(self.jitter)), min(int(1.5 * MS), int(0.3 * self.period)))
            number += 1


class Held(Clock):
    """The same, whose guest has so many queued at most, beside a loop of long workloads."""

    def __init__(self, hz, exec_ms, other_ms, depth):
        super().__init__(hz, 0.02)
        self.name = f"{hz} Hz, {depth} of {exec_ms} ms in flight at most, beside workloads of {other_ms} ms"
        self.exec_ns, self.other_ns, self.depth = exec_ms * MS, other_ms * MS, depth

    def play(self, gpu):
        ends, other = [], START
        while (due := START + round(len(ends) * self.period)) < END:
            queue = due + gpu.rng.randrange(int(self.jitter))
            if len(ends) >= self.depth:
                queue = max(queue, ends[-self.depth] + 30 * US + gpu.rng.randrange(3 * US))
            while other <= queue:
                other = gpu.work(other, self.other_ns + gpu.rng.randrange(20 * US), 2) + \
                    40 * US + gpu.rng.randrange(30 * US)
            ends.append(gpu.work(queue, self.exec_ns))


class Full(Held):
    """More is due than is served: what its guest would queue is unknown."""
    kind = "served"


class Bursts:
    """One after the other, and a pause after so many."""
    kind, period = "loop", None

    def __init__(self, count):
        self.name = f"bursts of {count}"
        self.count = count

    def play(self, gpu):
        queue = START
        while queue < END:
            end = gpu.work(queue, int(2.5 * MS) + gpu.rng.randrange(8 * US))
            pause = 70 * MS if gpu.count % self.count == 0 else 0
            queue = end + 26 * US + gpu.rng.randrange(2 * US) + pause


class AtRandom:
    """So many per second, whatever becomes of the others."""
    kind, period = "random", None

    def __init__(self, rate, exec_ms):
        self.name = f"{rate} per second at random, of {exec_ms} ms"
        self.rate, self.exec_ns = rate, exec_ms * MS

    def play(self, gpu):
        queue = START
        while queue < END:
            gpu.work(int(queue), self.exec_ns)
            queue += gpu.rng.expovariate(self.rate) * SEC


class Loop:
    """With pauses from 3 to 9 ms."""
    kind, period, name = "loop", None, "a loop"

    def play(self, gpu):
        queue = START
        while queue < END:
            queue = gpu.work(queue, 5 * MS) + 3 * MS + gpu.rng.randrange(6 * MS)


def holes_of(rng, part, count):
    """So many, together such a part of the time, one anywhere in each part of it."""
    slot, length = (END - START) / count, part * (END - START) / count
    begins = [START + nr * slot + rng.random() * (slot - length) for nr in range(count)]
    return [(begin, begin + length) for begin in begins]


def lose(events, holes, of):
    """Lines without what these CPUs told in the holes. What one stream of events lacks is told."""
    lines, lost = [] if of == {0, 1} else ["cpus 2"], 0
    for ns, cpu, text in events:
        if cpu in of and any(begin <= ns < end for begin, end in holes):
            lost += 1
            continue
        where = 0 if of == {0, 1} else cpu
        if lost and cpu in of:
            lines.append(f"lost {where} {lost}")
            lost = 0
        lines.append(f"{ns} {where} {text}")
    return lines


def cut(events, cpu, part, late):
    """Lines of which the ring of a CPU lacks a part at the begin or at the end, as the kernel counted."""
    length = part * events[-1][0]
    def is_missing(event):
        return event[1] == cpu and (event[0] < length if late else event[0] > events[-1][0] - length)
    kept = [event for event in events if not is_missing(event)]
    count = {one: sum(event[1] == one for event in events) for one in (0, 1)}
    stats = [f"stat {one} read={count[one]}" for one in (0, 1)]
    if not late:
        missing = sum(map(is_missing, events))
        oldest = next(event[0] for event in events if is_missing(event)) / SEC
        stats[cpu] = f"stat {cpu} read={count[cpu] - missing} entries={missing} oldest={oldest:.6f}"
    return ["cpus 2", *stats] + [f"{ns} {one} {text}" for ns, one, text in kept]


def recordings(guest):
    """(name, lines)"""
    def play(name):
        gpu = Gpu(f"{guest.name} {name}")
        guest.play(gpu)
        return gpu.all(), gpu.rng
    yield "whole", lose(play("whole")[0], [], {0, 1})
    for part in PARTS:
        for count in COUNTS:
            for cpus in ({0, 1}, {0}, {1}):
                if cpus != {0, 1} and count != 5:
                    continue
                name = f"{part:.0%} lost in {count} holes of {'all' if len(cpus) > 1 else f'CPU {min(cpus)}'}"
                events, rng = play(name)
                yield name, lose(events, holes_of(rng, part, count), cpus)
    for cpu in (0, 1):
        for late in (True, False):
            name = f"the ring of CPU {cpu} {'begins late' if late else 'ends early'}"
            yield name, cut(play(name)[0], cpu, 0.2, late)


def kinds_of(work, lines):
    """(kind, period) of all that it may be."""
    path = os.path.join(work, "trace.dat")
    subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", path],
                   input="\n".join(lines) + "\n", text=True, check=True)
    out = subprocess.run([os.environ["GVT_STAT"], "simulate", "--json", "--windows", "1", "-i", path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    streams = [stream for stream in json.loads(out)["streams"] if stream["vgpu_id"] == 1]
    return [(one["kind"], one.get("period_ns")) for stream in streams for one in [stream, *stream.get("or", [])]]


def is_right(guest, found):
    kinds = [kind for kind, _ in found]
    if guest.kind not in kinds:
        return False
    return guest.kind != "timetable" or all(period and abs(period / guest.period - 1) < MOST_OFF
                                            for kind, period in found if kind == "timetable")


def main():
    guests = [Clock(hz, jitter) for hz in (24, 60, 144) for jitter in (0, 0.1, 0.3)]
    guests += [Clock(5, 0.1), Clock(300, 0.1), Held(24, 10, 40, 3), Held(60, 3, 100, 8), Held(60, 8, 12, 3),
               Full(60, 5, 40, 3), Full(60, 5, 40, 2), Full(144, 2, 10, 2), Bursts(1), Bursts(3), Bursts(8), Loop(),
               AtRandom(20, 1), AtRandom(50, 3), AtRandom(100, 2), AtRandom(200, 1)]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for nr, guest in enumerate(guests, 1):
            wrong = [(name, found) for name, lines in recordings(guest)
                     if not is_right(guest, found := kinds_of(work, lines))]
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {nr} - {guest.name}")
            for name, found in wrong:
                print(f"# {name}: {found}")
    print(f"1..{len(guests)}")
    sys.exit(bool(failed))


main()
