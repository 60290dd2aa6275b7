# SPDX-License-Identifier: GPL-2.0-or-later
"""What gvt-stat ought to print of a history, from its definitions and not from events.

Everything is told of a window. Reasons for waiting and for idleness are looked up moment by
moment: between two neighbouring times at which anything changes, all is constant.
"""
import functools
import math
from collections import defaultdict

from history import NOBODY

PARTS = ["other", "throttled", "capped", "held", "switching", "own", "dispatch", "i915", "exec",
         "preempted", "completion", "unknown", "host"]


def overlap(start, stop, window):
    """Length of the common part; an open end reaches to the window's."""
    stop = window[1] if stop is None else min(stop, window[1])
    return max(0, stop - max(start, window[0]))


def own_row(gpu, engine, window):
    """The host's own work on an engine."""
    waits = [overlap(start, stop, window) for on, start, stop, _ in gpu.own_waits if on == engine]
    return {"exec_ns": sum(overlap(start, stop, window) for start, stop in gpu.own[engine]),
            "host_wait_ns": sum(waits), "host_waits": sum(ns > 0 for ns in waits)}


def quantile(values, q):
    """Linear between the neighbours, as numpy's and GSL's default."""
    place = q * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def summary(values):
    values = sorted(values)
    if not values:
        return {"count": 0}
    return {"count": len(values), "mean_ns": sum(values) / len(values), "max_ns": values[-1],
            "p50_ns": quantile(values, 0.5), "p95_ns": quantile(values, 0.95),
            "p99_ns": quantile(values, 0.99)}


# --- one workload -------------------------------------------------------------

def executed(w):
    return sum(stop - start for start, stop in w.pieces if stop is not None)


def waiting_times(w):
    """[(from, to)] in which it is in the queue and not on the engine; an open end is None."""
    times, since = [], w.queue
    for start, stop in w.pieces:
        times.append((since, start))
        since = stop
    running = w.pieces and w.pieces[-1][1] is None
    if not running and not w.finished and not w.dead:
        times.append((since, w.end))
    return times


def seemed_waiting(w):
    """The same as it looked before it was told that it will not come back."""
    return waiting_times(w) + ([(w.pieces[-1][1], w.end)] if w.dead else [])


def pending_time(w):
    """From queueing until submitted, or dropped; an open end is None."""
    return w.queue, w.submit if w.submit is not None else w.end


def closed(span):
    """An open end is later than all."""
    start, stop = span
    return start, math.inf if stop is None else stop


def known_life(w, window):
    return w.end is not None and window[0] <= w.end <= window[1]


# --- rows of the report -------------------------------------------------------

def counts(works, window):
    row = {"queued": sum(window[0] <= w.queue <= window[1] for w in works),
           "completed": 0, "failed": 0, "cancelled": 0, "open": 0}
    for w in works:
        if known_life(w, window):
            row["cancelled" if w.cancelled else "failed" if w.status else "completed"] += 1
        elif w.queue <= window[1] and (w.end is None or w.end > window[1]):
            row["open"] += 1
    return row


def queue_length(works, window, times=waiting_times):
    """Mean over time, and the greatest length, of those that wait."""
    changes = defaultdict(int)
    for w in works:
        for since, until in times(w):
            changes[max(since, window[0])] += 1 if since <= window[1] else 0
            if until is not None and since <= window[1]:
                changes[max(until, window[0])] -= 1
    area = length = greatest = 0
    last = window[0]
    for ts in sorted(changes):
        if ts > window[1]:
            break
        area += length * (ts - last)
        length += changes[ts]
        greatest = max(greatest, length)
        last = ts
    area += length * (window[1] - last)
    return area / (window[1] - window[0]), greatest


def durations(works, window):
    done = [w for w in works if known_life(w, window) and not w.cancelled and not w.status]
    rows = {"exec": [executed(w) for w in done],
            "latency": [w.pieces[-1][1] - w.queue for w in done],
            "turnaround": [w.end - w.queue for w in done]}
    rows["wait"] = [l - e for l, e in zip(rows["latency"], rows["exec"])]
    return {f"{name}_{key}": value for name, values in rows.items()
            for key, value in summary(values).items()}


def engine_row(works, window):
    """One engine of one vGPU or of the GPU."""
    row = counts(works, window) | durations(works, window)
    row["exec_ns"] = sum(overlap(start, stop, window) for w in works for start, stop in w.pieces)
    row["utilization_percent"] = 100 * row["exec_ns"] / (window[1] - window[0])
    row["queue_len_mean"] = queue_length(works, window)[0]
    row["queue_len_max"] = queue_length(works, window, seemed_waiting)[1]
    return row


# --- reasons ------------------------------------------------------------------

class Engine:
    """Why work for one engine of one GPU waits, and why the engine is idle, at any moment."""

    def __init__(self, history, gpu, engine):
        self.gpu = gpu
        self.engine = engine
        scope = gpu.scope_of(engine)
        self.turns = gpu.turns[scope]
        self.holds = gpu.holds[scope]
        self.left = {v: gpu.left.get((v, scope), []) for v in gpu.vgpus}
        self.works = {v: [w for w in history.workloads if w.where == (gpu.dev, v, engine)]
                      for v in gpu.vgpus}
        self.pending = {v: [(*closed(pending_time(w)), w) for w in works] for v, works in self.works.items()}
        self.in_flight = {v: [(*closed((w.submit, w.end)), w) for w in works if w.submit is not None]
                          for v, works in self.works.items()}
        self.own = [closed(span) for span in gpu.own[engine]] if gpu.own else []
        self.strict = gpu.policy == "strict"
        # each workload asks for the same moments again
        for method in (self.times, self.pending_at, self.in_flight_at, self.waits_for, self.idle_of):
            setattr(self, method.__name__, functools.cache(method))

    def times(self):
        """At all of these, and only then, anything may change."""
        times = set()
        for turn in self.turns:
            times |= {turn.start, turn.start - turn.drain}
        for hold in self.holds:
            times |= {hold.start, hold.end}
        for told in self.left.values():
            times |= {at for at, _ in told}
        times |= {ts for span in self.own for ts in span if ts < math.inf}
        for works in self.works.values():
            for w in works:
                times |= {w.queue, w.submit, w.end}
                times |= {ts for piece in w.pieces for ts in piece}
        return sorted(times - {None})

    def turn_at(self, ts):
        return max((t for t in self.turns if t.start <= ts), key=lambda t: t.start)

    def next_turn(self, ts):
        return min((t for t in self.turns if t.start > ts), key=lambda t: t.start, default=None)

    def left_at(self, vgpu, ts):
        told = [left for at, left in self.left[vgpu] if at <= ts]
        return told[-1] if told else None

    def pending_at(self, vgpu, ts):
        return [w for start, stop, w in self.pending[vgpu] if start <= ts < stop]

    def in_flight_at(self, vgpu, ts):
        return [w for start, stop, w in self.in_flight[vgpu] if start <= ts < stop]

    def own_at(self, ts):
        return any(start <= ts < stop for start, stop in self.own)

    def place_of(self, w, ts):
        """Of a workload in flight: submitted, running, preempted or finishing."""
        place = "submitted"
        for start, stop in w.pieces:
            if start <= ts:
                place = "running"
            if stop is not None and stop <= ts:
                place = "preempted"
        last = w.pieces[-1][1] if w.pieces else None
        if place == "preempted" and last is not None and last <= ts and (w.finished or w.dead):
            return "finishing"
        return place

    def hold_at(self, ts):
        return next((h for h in self.holds if h.start <= ts < h.end), None)

    def draining_for(self, vgpu, ts):
        """The next turn, if the engine is empty of @vgpu's work and drained for it; or None."""
        following = self.next_turn(ts)
        if not following or ts < following.start - following.drain:
            return None
        return following if not self.in_flight_at(vgpu, ts) else None

    def idle_wait(self, vgpu, left, until):
        """Nobody's turn: the reason, and @until is when this turn ends (None: never)."""
        if not self.strict:
            return "switching"
        if left is None:
            return "unknown"
        return "switching" if left > 0 else "throttled"

    def waits_for(self, vgpu, ts):
        """(reason, culprit) of what @vgpu has in its queue, or None."""
        places = {self.place_of(w, ts) for w in self.in_flight_at(vgpu, ts)}
        reason = self.without_host(vgpu, ts, places)
        if not self.own_at(ts) or reason == ("throttled", None):
            return reason
        return ("host", None) if reason or "submitted" in places else None

    def without_host(self, vgpu, ts, places):
        """The same, if the host had no work; @places: of what is in flight."""
        if "preempted" in places:
            return "preempted", None
        if not self.pending_at(vgpu, ts):
            return None
        hold = self.hold_at(ts)
        if hold and hold.expected != vgpu:
            return "held", hold.expected
        turn = self.turn_at(ts)
        if turn.vgpu not in (vgpu, NOBODY):
            return "other", turn.vgpu
        if turn.vgpu == NOBODY:
            return self.idle_wait(vgpu, self.left_at(vgpu, ts), self.next_turn(ts)), None
        following = self.draining_for(vgpu, ts)
        if following and following.vgpu:
            return "other", following.vgpu
        if following:
            return self.idle_wait(vgpu, following.left.get(vgpu), None), None
        return "own", None

    def part_of(self, w, ts):
        """What a pending workload's time goes to."""
        reason, _ = self.waits_for(w.vgpu, ts)
        if reason == "preempted":
            return "other"
        if reason != "own":
            return reason
        first = self.pending_at(w.vgpu, ts)[0] is w
        return "dispatch" if first and not self.in_flight_at(w.vgpu, ts) else "own"

    def idle_at(self, ts):
        """Why the engine is idle, or "busy"."""
        places = {self.place_of(w, ts) for v in self.works for w in self.in_flight_at(v, ts)}
        if "running" in places:
            return "busy"
        if self.own_at(ts):
            return "host"
        if places & {"submitted", "preempted"}:
            return "i915"
        if "finishing" in places:
            return "completion"
        reasons = {self.idle_of(v, ts) for v in self.works if self.pending_at(v, ts)}
        order = ["dispatch", "switching", "stranded", "throttled", "unknown"]
        reason = min(reasons, key=order.index, default="empty")
        if reason != "empty" and self.hold_at(ts):
            return "held"
        following = self.next_turn(ts)
        if following and ts >= following.start - following.drain and \
                reason in ("dispatch", "stranded"):
            return "switching"
        return reason

    def idle_of(self, vgpu, ts):
        """What keeps the work of one vGPU from an engine without any."""
        turn = self.turn_at(ts)
        left = self.left_at(vgpu, ts)
        if turn.vgpu == vgpu:
            return "dispatch"
        if turn.vgpu == NOBODY:
            return self.idle_wait(vgpu, left, None)
        if not self.strict:
            return "stranded"
        return "unknown" if left is None else "stranded" if left > 0 else "throttled"


def moments(times, window):
    """Neighbouring times inside the window."""
    inside = sorted({window[0], window[1], *(t for t in times if window[0] < t < window[1])})
    return zip(inside, inside[1:])


def blame(engine, window):
    """{(vgpu, reason, culprit): ns}"""
    rows = defaultdict(int)
    for start, stop in moments(engine.times(), window):
        for vgpu in engine.works:
            waits = engine.waits_for(vgpu, start)
            if waits:
                rows[(vgpu, *waits)] += stop - start
    return rows


def gaps(engine, window):
    """{reason: ns}"""
    rows = defaultdict(int)
    for start, stop in moments(engine.times(), window):
        rows[engine.idle_at(start)] += stop - start
    return rows


def split(engine, w):
    """{part: ns} of a workload whose whole life was seen."""
    parts = dict.fromkeys(PARTS if engine.gpu.own else PARTS[:-1], 0)
    for start, stop in moments(engine.times(), pending_time(w)):
        parts[engine.part_of(w, start)] += stop - start
    if w.submit is None:
        return parts
    flight = {"i915": [(w.submit, w.pieces[0][0] if w.pieces else w.end)],
              "preempted": [(a[1], b[0]) for a, b in zip(w.pieces, w.pieces[1:])]}
    for part, spans in flight.items():
        kept = sum(overlap(*own, span) for own in engine.own for span in spans)
        parts[part] = sum(stop - start for start, stop in spans) - kept
        if engine.own:
            parts["host"] += kept
    if not w.pieces:
        return parts
    parts["exec"] = executed(w)
    parts["completion"] = w.end - w.pieces[-1][1]
    return parts
