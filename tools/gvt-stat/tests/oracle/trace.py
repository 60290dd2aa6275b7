# SPDX-License-Identifier: GPL-2.0-or-later
"""From the events of a history to trace.dat, as perfect or imperfect as is asked for."""
import subprocess
from dataclasses import replace

from history import ENGINES, Event, info_of

CPUS = 4


def line(event):
    fields = " ".join(f"{key}={value}" for key, value in event.fields.items())
    return f"{event.ts} {event.cpu} {event.name} {fields}"


def lose(rng, events):
    """[(cpu, from, to)] with events in them and after them."""
    gaps = []
    for cpu in rng.sample(range(CPUS), rng.randint(1, 2)):
        times = [e.ts for e in events if e.cpu == cpu]
        if len(times) < 10:
            continue
        first = rng.randrange(2, len(times) - 4)
        last = min(len(times) - 2, first + rng.randint(1, 6))
        gaps.append((cpu, times[first], times[last]))
    return gaps


def lose_twice(rng, events):
    """The same with two gaps of one CPU."""
    cpu = rng.randrange(CPUS)
    times = [e.ts for e in events if e.cpu == cpu]
    if len(times) < 20:
        return lose(rng, events)
    second = rng.randrange(10, len(times) - 4)
    first = rng.randrange(2, second - 6)
    return [(cpu, times[at], times[at + rng.randint(1, 3)]) for at in (first, second)]


def lose_first(rng, events):
    """The same with the first queue event of a CPU."""
    cpu = rng.randrange(2)
    times = [e.ts for e in events if e.cpu == cpu]
    first = next((nr for nr, e in enumerate(e for e in events if e.cpu == cpu)
                  if e.name == "gvt_workload_queue" and nr), None)
    if first is None or first + 4 >= len(times):
        return lose(rng, events)
    return [(cpu, times[first], times[first + rng.randint(1, 3)])]


def gap_times(events, lost):
    """(from, to) as a reader sees them: between the events of that CPU that are left."""
    times = []
    for cpu, since, until in lost:
        left = [e.ts for e in events if e.cpu == cpu and not since <= e.ts < until]
        times.append((max(ts for ts in left if ts < since), min(ts for ts in left if ts >= until)))
    return times


def crop(rng, events):
    """{cpu: (from, to)}: what the rings of some CPUs cover; at least one is whole.

    A ring may hold the end only (trace-cmd record -m), or the beginning (its recorder died), or
    nothing.
    """
    start, stop = events[0].ts, events[-1].ts
    covers = {}
    for cpu in rng.sample(range(CPUS), rng.randint(1, 2)):
        since = rng.randint(start, stop) if rng.random() < 0.6 else start
        until = rng.randint(since, stop) if rng.random() < 0.4 or since == start else stop
        covers[cpu] = (since, until) if rng.random() < 0.85 else (stop + 1, stop + 1)
    return covers


def shown_without(events, kept):
    """[(step, when)] of what @events have and @kept have not: that it was shows in what is kept."""
    told, left = (lives_of(which) for which in (events, kept))
    served = {}                 # of each queue: the last number of those that came to i915
    numbers = {}                # of each GPU: those that were seen when they were queued
    for (dev, number), steps in left.items():
        queue = steps["queue"]
        if {"submit", "start", "stop"} & steps.keys():
            served[queue] = max(number, served.get(queue, number))
        if "queued" in steps:
            numbers.setdefault(dev, []).append(number)
    when = []
    # what has a number below the first one that was seen queued may have been queued before the trace
    for (dev, number), steps in told.items():
        seen = left.get((dev, number), {})
        queued = numbers.get(dev, [number])
        if "queued" in steps and "queued" not in seen and min(queued) < number and (
                seen or number < max(queued)):
            when.append(("queue", steps["queued"]))
        later = {"start": ("stop", "complete"), "submit": ("start", "stop", "complete")}
        for step, following in later.items():
            if step in steps and step not in seen and seen.keys() & set(following):
                when.append((step, steps[step]))
        if "complete" in steps and seen and "complete" not in seen and number < served.get(steps["queue"], number):
            when.append(("complete", steps["complete"]))
    return when


def lives_of(events):
    """{(dev, id): {"queue": whose, step: when}} of workloads"""
    lives = {}
    for e in events:
        if e.name.startswith("gvt_workload_"):
            f = e.fields
            life = lives.setdefault((f["dev"], f["workload_id"]), {
                "queue": (f["dev"], f["vgpu_id"], f["class"], f["instance"])})
            step = e.name[len("gvt_workload_"):]
            life["queued" if step == "queue" else step] = e.ts
    return lives


def shown_missing(events, covers, least):
    """Without the ends of rings of which nothing shows that they are missing, or less than @least."""
    shown = set(shown_without(events, cropped(events, covers)))
    told = {}
    for cpu, (since, until) in covers.items():
        when = [e.ts for e in events if e.cpu == cpu and (e.name[len("gvt_workload_"):], e.ts) in shown]
        if sum(ts < since for ts in when) < least:
            since = events[0].ts
        if sum(ts > until for ts in when) < least:
            until = max(until, events[-1].ts)
        told[cpu] = since, until
    return told


def cropped(events, covers):
    return [e for e in events if e.cpu not in covers or
            covers[e.cpu][0] <= e.ts <= covers[e.cpu][1]]


def silences(events, covers, whole, window):
    """(from, to) of what a reader does not know of CPUs: before the first and after the last event."""
    times = []
    for cpu, (since, until) in covers.items():
        left = [e.ts for e in events if e.cpu == cpu]
        if since > whole[0]:
            times.append((window[0], left[0] if left else window[1]))
        if until < whole[1] and left:
            times.append((left[-1], window[1]))
    return times


def micros(ns):
    return f"{ns // 10**9}.{ns % 10**9 // 1000:06}"


def stats(rng, events, covers):
    """What the kernel counted of each CPU's ring, which is not read to its end at once."""
    lines = []
    for cpu in range(CPUS):
        times = [e.ts for e in events if e.cpu == cpu]
        since, until = covers.get(cpu, (0, events[-1].ts))
        behind = [ts for ts in times if ts > until]
        # the last events may be read just after they were counted
        unread = times[len(times) - (len(behind) or rng.choice([0, 0, len(times) // 3])):]
        if since > events[-1].ts:
            unread = []
        lines.append(f"stat {cpu} entries={len(unread)} read={len(times) - len(unread)} "
                     f"oldest={micros(unread[0]) if unread else '0.000000'}")
    return lines


def describe(events, lost=(), counts=()):
    """mktrace's input; of each (cpu, from, to) in @lost, events of that CPU were lost."""
    lines = ["clock mono", f"cpus {CPUS}", *counts]
    gone = {gap: 0 for gap in lost}
    for event in sorted(events, key=lambda e: e.ts):    # stable
        gap = next((g for g in lost if g[0] == event.cpu and g[1] <= event.ts < g[2]), None)
        if gap:
            gone[gap] += 1
            continue
        for gap in [g for g, count in gone.items() if g[0] == event.cpu and count and
                    g[2] <= event.ts]:
            lines.append(f"lost {event.cpu} {gone.pop(gap)}")
        lines.append(line(event))
    return "\n".join(lines) + "\n"


def cut(events, start, stop):
    return [e for e in events if start <= e.ts <= stop]


def state_of(w, ts):
    """What gvt_workload_state tells: 0 queued, 1 submitted, 2 running; None: it is not there."""
    if w.queue > ts or (w.end is not None and w.end <= ts):
        return None
    if w.submit is None or w.submit > ts:
        return 0
    return 2 if any(a <= ts and (b is None or b > ts) for a, b in w.pieces) else 1


def state_event(w, state, ts):
    cls, instance = ENGINES[w.engine]
    ran = sum(min(b or ts, ts) - a for a, b in w.pieces if a <= ts)
    return Event(ts, 3, "gvt_workload_state", {
        "dev": w.dev, "vgpu_id": w.vgpu, "workload_id": w.id, "class": cls, "instance": instance,
        "state": state, "age_ns": ts - w.queue, "exec_ns": ran})


def snapshot(history, ts):
    """By what the kernel tells what is queued and in flight, in its order: of each GPU its vGPUs,
    their workloads, the scheduler. Last of the events at @ts."""
    events = []
    for dev, gpu in history.gpus.items():
        for vgpu in gpu.vgpus:
            events.append(Event(ts, 3, "gvt_vgpu_info", info_of(gpu, vgpu)))
        for w in sorted(history.workloads, key=lambda w: (w.vgpu, w.engine)):   # stable
            state = state_of(w, ts) if w.dev == dev else None
            if state is not None:
                events.append(state_event(w, state, ts))
        for engine, spans in (gpu.own or {}).items():
            cls, instance = ENGINES[engine]
            events.append(Event(ts, 3, "gvt_host_state", {
                "dev": dev, "class": cls, "instance": instance,
                "running": int(any(a <= ts and (b is None or b > ts) for a, b in spans))}))
        events.append(Event(ts, 3, "gvt_sched_info", {
            "dev": dev, "vgpus": len(gpu.vgpus), "policy": gpu.policy,
            "dispatch": gpu.dispatch}))
    return events


def skewed(events, offsets):
    """Each CPU's clock is off by so much; on one CPU the order stays."""
    return [replace(e, ts=e.ts + offsets[e.cpu]) for e in events]


def make(mktrace, formats, path, text):
    subprocess.run([mktrace, *formats, "-o", path], input=text, text=True, check=True)
