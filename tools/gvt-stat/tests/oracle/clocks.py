# SPDX-License-Identifier: GPL-2.0-or-later
"""A history as CPUs with clocks of their own tell it.

Each CPU's clock is off by a constant; the order on one CPU stays. What is told of a workload is
what its events say, but none comes before the one that it follows: a step that a clock puts too
early has the time of the step before. With exclusive dispatch, the switch to the vGPU is such a
step before a submission. That a workload completes before its last stop is told as it is.
"""
from copy import copy
from dataclasses import replace

from history import US

SCHEDULER, THREADS, INTERRUPTS = 0, 2, 3    # CPUs, as history.py uses them
BASE = 100 * US                             # no clock may begin below 0


def some(rng, history, cpus):
    """Clocks that differ by up to 50 us, but by less than a workload takes."""
    while True:
        clocks = Clocks(rng, rng.choice([1, 5, 20, 50]) * US, cpus)
        if clocks.readable(history):
            return clocks


class Clocks:
    """@offsets by CPU; @largest: two of them differ by so much at most."""

    def __init__(self, rng, largest, cpus):
        self.offsets = [BASE + rng.randint(0, largest) for _ in range(cpus)]
        self.largest = max(self.offsets) - min(self.offsets)

    def readable(self, history):
        """No workload is told to be completed before it started."""
        return all(w.end is None or not w.pieces or w.end + self.offsets[THREADS] >
                   w.pieces[0][0] + self.offsets[INTERRUPTS] for w in history.workloads)

    def events(self, events):
        return [replace(e, ts=e.ts + self.offsets[e.cpu]) for e in events]

    def guest_of(self, w):
        return self.offsets[1 - w.vgpu % 2]

    def end_of(self, w):
        return self.guest_of(w) if w.cancelled else self.offsets[THREADS]

    def turn_of(self, gpu, w):
        """When it is told that it was its vGPU's turn."""
        turns = [t.start for t in gpu.turns[gpu.scope_of(w.engine)]
                 if t.start <= taken(w) and t.vgpu == w.vgpu]
        return max(turns) + self.offsets[SCHEDULER] if turns else 0

    def came_early(self, gpu, w):
        """Its submission, or that it failed before it, is told to be before its turn."""
        return taken(w) is not None and taken(w) + self.offsets[THREADS] < self.turn_of(gpu, w)

    def switched_late(self, gpu, w):
        """For how long engines were drained for the switches that are told only after it was taken."""
        early = taken(w) + self.offsets[THREADS]
        return sum(t.drain for t in gpu.turns[gpu.scope_of(w.engine)]
                   if t.start <= taken(w) and t.start + self.offsets[SCHEDULER] > early)

    def out_of_order(self, gpu, w):
        """Its steps are told in another order than they came."""
        told = [w.queue + self.guest_of(w)]
        if w.submit is not None:
            told.append(w.submit + self.offsets[THREADS])
        told += [ts + self.offsets[INTERRUPTS] for piece in w.pieces for ts in piece
                 if ts is not None]
        return told != sorted(told) or (gpu.dispatch == "exclusive" and self.came_early(gpu, w))

    # --- the history as told ----------------------------------------------------

    def history(self, history):
        told = copy(history)
        told.gpus = {dev: self.gpu(gpu) for dev, gpu in history.gpus.items()}
        told.workloads = [self.workload(history.gpus[w.dev], w) for w in history.workloads]
        first = min((w for w in history.workloads if w.pieces), key=lambda w: w.pieces[0][0],
                    default=None)
        for gpu in told.gpus.values():
            # until the first one is seen, it is not known that submissions are recorded
            gpu.ahead = gpu.dispatch != "exclusive" or \
                first is not None and first.dev == gpu.dev and self.out_of_order(gpu, first)
        return told

    def gpu(self, gpu):
        off = self.offsets[SCHEDULER]
        told = copy(gpu)
        told.turns = {scope: [replace(t, start=t.start + off if t.start else 0) for t in turns]
                      for scope, turns in gpu.turns.items()}
        told.holds = {scope: [replace(h, start=h.start + off, end=h.end + off) for h in holds]
                      for scope, holds in gpu.holds.items()}
        told.left = {key: [(at + off, left) for at, left in value]
                     for key, value in gpu.left.items()}
        return told

    def workload(self, gpu, w):
        now = w.queue + self.guest_of(w)
        told = replace(w, queue=now)
        if w.submit is not None:
            turn = self.turn_of(gpu, w) if gpu.dispatch == "exclusive" else 0
            now = told.submit = max(now, w.submit + self.offsets[THREADS], turn)
        told.pieces = []
        for piece in w.pieces:
            told.pieces.append([])
            for ts in piece:
                now = max(now, ts + self.offsets[INTERRUPTS]) if ts is not None else now
                told.pieces[-1].append(now if ts is not None else None)
        if w.end is not None:
            told.end = max(told.submit or told.queue, w.end + self.end_of(w))
        if w.submit is None and taken(w) is not None and gpu.dispatch == "exclusive":
            told.end = max(told.end, self.turn_of(gpu, w))
        return told


def taken(w):
    """When it was taken from its queue in its vGPU's turn: submitted, or failed before that."""
    return w.end if w.submit is None and w.end is not None and not w.cancelled else w.submit


def until_stopped(history):
    """For engines: a workload is theirs until its last stop, completed or not."""
    told = copy(history)
    told.workloads = [replace(w, end=max(w.end, w.pieces[-1][1]))
                      if w.end is not None and w.pieces and w.pieces[-1][1] is not None else w
                      for w in history.workloads]
    return told
