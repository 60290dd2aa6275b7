# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of histories and of imperfection that the oracle tries."""
import os
import trace
from collections import defaultdict
from copy import copy
from dataclasses import replace

import clocks
import compare
import paths
import tenants
import turns
from history import History, US


# of compare, ns
BLOCK = 5000 * US


def window_of(events):
    return events[0].ts, events[-1].ts


def check_all(history, shown, window):
    """Everything, of a trace in which all was recorded."""
    c = compare.Comparison(history.lateness)
    report = shown.json("report")
    c.wrong += [f"contradicts itself: {line}" for line in report["contradictions"]]
    c.rows(compare.true_rows(history, window), compare.printed_rows(report))
    c.own(*compare.own_rows(history, window, report))
    turns.scheduled_times(c, history, window, report)
    c.sums("blame", compare.true_blame(history, window),
           compare.printed_blame(shown.json("why", "waits")))
    c.sums("gaps", *gaps_of(history, shown, window))
    works = compare.printed_works(shown.csv("list", "workloads"))
    c.works({(w.dev, w.id): w for w in history.workloads}, works)
    c.splits(history, works)
    turns.all_turns(c, history, window[1], shown.turns())
    return c


def perfect(rng, path, gvt_stat, mktrace, formats, gpus=1):
    """perfect traces: equal to the nanosecond"""
    history = History(rng, gpus)
    trace.make(mktrace, formats, path, trace.describe(history.events))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def own_work(rng, path, gvt_stat, mktrace, formats):
    """the host's own work: equal to the nanosecond"""
    history = History(rng, rng.choice([1, 2]), own=True)
    trace.make(mktrace, formats, path, trace.describe(history.events))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def own_work_late(rng, path, gvt_stat, mktrace, formats):
    """the host's own work, seen late by i915: off by no more than that, and no contradictions"""
    history = History(rng, rng.choice([1, 2]), own=True, late=10 * US)
    trace.make(mktrace, formats, path, trace.describe(history.events))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def own_work_windows(rng, path, gvt_stat, mktrace, formats):
    """--time with the host's own work: equal to the nanosecond"""
    history = History(rng, rng.choice([1, 2]), own=True)
    return check_window(rng, history, path, gvt_stat, mktrace, formats)


def own_work_lost(rng, path, gvt_stat, mktrace, formats):
    """the host's own work, and lost events: within bounds"""
    history = History(rng, rng.choice([1, 2]), own=True)
    return check_lossy(history, trace.lose(rng, history.events), path, gvt_stat, mktrace, formats)


def own_work_cut(rng, path, gvt_stat, mktrace, formats):
    """the host's own work, and recording begun and ended under load: what was before is known"""
    return check_cut(rng, History(rng, rng.choice([1, 2]), own=True), path, gvt_stat, mktrace, formats)


def with_snapshots(rng, history):
    """What the kernel tells of all that is queued and in flight, four times."""
    times = [rng.choice(history.events[:-1]).ts for _ in range(4)]
    return sorted(history.events + [e for ts in times for e in trace.snapshot(history, ts)],
                  key=lambda e: e.ts)


def told_again(rng, path, gvt_stat, mktrace, formats):
    """what is queued is told again: equal to the nanosecond; after losses, within bounds"""
    history = History(rng, rng.choice([1, 2]))
    history.events = with_snapshots(rng, history)
    lost = trace.lose(rng, history.events) if rng.random() < 0.5 else []
    if lost:
        return check_lossy(history, lost, path, gvt_stat, mktrace, formats)
    trace.make(mktrace, formats, path, trace.describe(history.events))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def two_gpus(*args):
    """two GPUs with the same numbers: equal to the nanosecond"""
    return perfect(*args, gpus=2)


def one_of_two_gpus(rng, path, gvt_stat, mktrace, formats):
    """--gpu: one of two GPUs is as if the other one were not there"""
    both = History(rng, 2)
    trace.make(mktrace, formats, path, trace.describe(both.events))
    dev = rng.choice(sorted(both.gpus))
    one = copy(both)
    one.gpus = {dev: both.gpus[dev]}
    one.workloads = [w for w in both.workloads if w.dev == dev]
    return check_all(one, compare.Trace(gvt_stat, path, "--gpu", str(dev)),
                     window_of(both.events))


def seconds(ns):
    return f"{ns // 10**9}.{ns % 10**9:09}"


def part_of(rng, window):
    """A part of the window, and how it is asked for."""
    ends = sorted(rng.sample(range(window[0], window[1]), 2))
    return ends, ("--time", ",".join(seconds(ns) for ns in ends))


def windows(rng, path, gvt_stat, mktrace, formats):
    """--time: parts of perfect traces, equal to the nanosecond"""
    history = History(rng, rng.choice([1, 2]))
    return check_window(rng, history, path, gvt_stat, mktrace, formats)


def check_window(rng, history, path, gvt_stat, mktrace, formats):
    trace.make(mktrace, formats, path, trace.describe(history.events))
    window, option = part_of(rng, window_of(history.events))
    shown = compare.Trace(gvt_stat, path, *option)
    c = compare.Comparison()
    report = shown.json("report")
    c.rows(compare.true_rows(history, window), compare.printed_rows(report))
    c.own(*compare.own_rows(history, window, report))
    turns.scheduled_times(c, history, window, report)
    c.sums("blame", compare.true_blame(history, window),
           compare.printed_blame(shown.json("why", "waits")))
    c.sums("gaps", *gaps_of(history, shown, window))
    return c


def told_too_late(history, gaps):
    """Drains and holds are told at their ends: for how long gvt-stat knew nothing of those."""
    spans = [(t.start - t.drain, t.start) for gpu in history.gpus.values()
             for turns in gpu.turns.values() for t in turns]
    spans += [(h.start, h.end) for gpu in history.gpus.values()
              for holds in gpu.holds.values() for h in holds]
    return sum(gap[0] - span[0] for gap in gaps for span in spans
               if span[0] < gap[0] <= span[1])


def turn_unknown(history, gaps):
    """After each gap, until a switch tells whose turn it was, where that comes last. A submission
    tells, too, and by a clock that is ahead the next one's may come before the switch: then it is
    taken for its turn."""
    told = [[turn.start for turn in turns] for gpu in history.gpus.values()
            for turns in gpu.turns.values()]
    return sum(max(min((start for start in starts if start > gap[1]), default=gap[1])
                   for starts in told) - gap[0] for gap in gaps)


def losses(rng, path, gvt_stat, mktrace, formats):
    """lost events: known values are right, the others within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    return check_lossy(history, trace.lose(rng, history.events), path, gvt_stat, mktrace, formats)


def two_losses(rng, path, gvt_stat, mktrace, formats):
    """events lost twice on one CPU: within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    return check_lossy(history, trace.lose_twice(rng, history.events), path, gvt_stat, mktrace,
                       formats)


def first_lost(rng, path, gvt_stat, mktrace, formats):
    """the first queue event of a CPU lost: within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    return check_lossy(history, trace.lose_first(rng, history.events), path, gvt_stat, mktrace,
                       formats)


def losses_of_one_gpu(rng, path, gvt_stat, mktrace, formats):
    """two GPUs, and lost events of one of them"""
    history = History(rng, 2)
    first = min(history.gpus)
    history.events = [replace(e, cpu=e.cpu % 2 + 2 * (e.fields["dev"] != first))
                      for e in history.events]
    lost = [gap for gap in trace.lose(rng, history.events) if gap[0] < 2]
    return check_lossy(history, lost, path, gvt_stat, mktrace, formats)


def lossy_windows(rng, path, gvt_stat, mktrace, formats):
    """--time: windows that begin or end where events were lost, within bounds"""
    history = History(rng, rng.choice([1, 2]))
    lost = trace.lose(rng, history.events)
    trace.make(mktrace, formats, path, trace.describe(history.events, lost))
    window, option = part_of(rng, window_of(history.events))
    inside = [ns for gap in trace.gap_times(history.events, lost)
              for ns in ((gap[0] + gap[1]) // 2,) if window[0] < ns < window[1]]
    if inside:
        window[rng.randrange(2)] = rng.choice(inside)
        option = "--time", ",".join(seconds(ns) for ns in window)
    shown = compare.Trace(gvt_stat, path, *option)
    c = compare.Comparison()
    report = shown.json("report")
    c.bounded_rows(compare.true_rows(history, window), compare.printed_rows(report))
    turns.scheduled_times(c, history, window, report)
    c.bounded_gaps(*gaps_of(history, shown, window), window, 0,
                   told_too_late(history, trace.gap_times(history.events, lost)))
    return c


def gaps_of(history, shown, window):
    """(as it was, as printed)"""
    return (compare.merge_strict(history, gaps) for gaps in (
        compare.true_gaps(history, window), compare.printed_gaps(shown.json("why", "idle"))))


def check_lossy(history, lost, path, gvt_stat, mktrace, formats):
    """What can be said of a trace with losses."""
    trace.make(mktrace, formats, path, trace.describe(history.events, lost))
    shown = compare.Trace(gvt_stat, path)
    window = window_of(history.events)
    late = told_too_late(history, trace.gap_times(history.events, lost))
    c = compare.Comparison()
    report = shown.json("report")
    c.bounded_rows(compare.true_rows(history, window), compare.printed_rows(report))
    c.bounded_own(*compare.own_rows(history, window, report))
    turns.scheduled_times(c, history, window, report)
    works = compare.printed_works(shown.csv("list", "workloads"))
    c.known_works({(w.dev, w.id): w for w in history.workloads}, works)
    c.known_splits(history, works, late)
    c.no_more_blame(compare.true_blame(history, window),
                    compare.printed_blame(shown.json("why", "waits")), late)
    c.bounded_gaps(*gaps_of(history, shown, window), window, 0, late)
    turns.known_turns(c, history, window[1], shown.turns())
    return c


def count_rows(history, what):
    """{row: of how many of its workloads @what holds}"""
    counts = defaultdict(int)
    for w in history.workloads:
        for who in (w.vgpu, "gpu"):
            counts[w.dev, who, w.engine] += what(history.gpus[w.dev], w)
    return counts


def skew(rng, path, gvt_stat, mktrace, formats):
    """clocks of CPUs that differ by 1 to 50 us: as told, or as far off as they are"""
    history = History(rng, rng.choice([1, 1, 2]))
    differ = clocks.some(rng, history, trace.CPUS)
    events = differ.events(history.events)
    trace.make(mktrace, formats, path, trace.describe(events))
    shown = compare.Trace(gvt_stat, path)
    told = differ.history(history)
    window = min(e.ts for e in events), max(e.ts for e in events)
    skewed = count_rows(history, differ.out_of_order)
    early = count_rows(history, differ.came_early)
    report = shown.json("report")
    c = compare.Comparison()
    c.told_rows(compare.true_rows(told, window), compare.printed_rows(report), skewed,
                differ.largest, window)
    c.at_most("difference of clocks", report["skew"]["max_ns"], differ.largest)
    works = compare.printed_works(shown.csv("list", "workloads"))
    c.told_works(history, told, works, differ)
    c.told_splits(history, told, works, differ)
    c.told_sums("blame", *(compare.merge_blame(told, blame) for blame in (
        compare.true_blame(told, window), compare.printed_blame(shown.json("why", "waits")))),
        lambda key: differ.largest * (2 + skewed[key[:3]] + early[key[:3]]))
    c.told_sums("gaps", *(compare.merge_strict(told, gaps) for gaps in (
        compare.true_gaps(clocks.until_stopped(told), window),
        compare.printed_gaps(shown.json("why", "idle")))),
        lambda key: differ.largest * (1 + sum(count for of in (skewed, early)
                                         for row, count in of.items() if row[:2] == (key[0], "gpu"))))
    return c


# without an event of each kind, nothing shows that it is recorded, and what needs it is unknown
NEEDED = {"gvt_sched_switch"} | {f"gvt_workload_{step}" for step in (
    "queue", "submit", "start", "stop", "complete")}


def some_cut(rng, events):
    """A part of the events that has all kinds; all events where none is to be found."""
    for _ in range(100):
        start = events[-1].ts * rng.uniform(0.1, 0.5) // 1
        part = trace.cut(events, start, events[-1].ts * rng.uniform(0.6, 1))
        if NEEDED <= {e.name for e in part}:
            return part
    return list(events)


def off_at_first(history, start, shot_ns):
    """{queue: for how long at first work was off the engine that starts, and has ended when the
    kernel tells what is there}: nothing shows that it had not just been submitted."""
    times = defaultdict(int)
    for w in history.workloads:
        if w.end is None or w.end > shot_ns:
            continue
        for before, after in zip(w.pieces, w.pieces[1:]):
            if before[1] <= start < after[0]:
                times[w.where] = after[0] - start
    return times


def hung_before(history, start):
    """Queues, of vGPUs and of all on an engine, that had at @start what a reset ended."""
    ended = [w for w in history.workloads if w.status == -5 and w.queue < start <= w.end]
    return {(w.dev, vgpu, w.engine) for w in ended for vgpu in (w.vgpu, "gpu")}


def cut_ends(rng, path, gvt_stat, mktrace, formats):
    """recording begun and ended under load: what was queued before is known"""
    return check_cut(rng, History(rng, rng.choice([1, 1, 2])), path, gvt_stat, mktrace, formats)


def check_cut(rng, history, path, gvt_stat, mktrace, formats):
    events = some_cut(rng, history.events)
    window = window_of(events)
    shot_ns = events[min(rng.randint(0, 30), len(events) - 1)].ts
    events += trace.snapshot(history, shot_ns)
    trace.make(mktrace, formats, path, trace.describe(events))
    shown = compare.Trace(gvt_stat, path)
    c = compare.Comparison()
    seen = compare.cut_history(history, window)
    report = shown.json("report")
    c.cut_rows(compare.true_rows(seen, window), compare.printed_rows(report),
               hung_before(history, window[0]))
    c.bounded_own(*compare.own_rows(seen, window, report))
    c.known_works({(w.dev, w.id): w for w in seen.workloads},
                  compare.printed_works(shown.csv("list", "workloads")))
    blamed = compare.printed_blame(shown.json("why", "waits"))
    c.blame_totals(compare.true_blame(seen, window), blamed, off_at_first(seen, window[0], shot_ns))
    c.no_more_blame(compare.true_blame(seen, window), blamed, 0)
    return c


def all_at_once(rng, path, gvt_stat, mktrace, formats):
    """two GPUs, clocks that differ, lost events, and begun under load: within bounds"""
    history = History(rng, 2)
    differ = clocks.some(rng, history, trace.CPUS)
    start = history.events[-1].ts * rng.uniform(0.1, 0.4) // 1
    events = trace.cut(history.events, start, history.events[-1].ts)
    shot = trace.snapshot(history, events[0].ts)
    lost = trace.lose(rng, differ.events(events))
    events = sorted(differ.events(events[:1] + shot + events[1:]), key=lambda e: e.ts)
    lost = [gap for gap in lost if gap[1] > max(e.ts for e in differ.events(shot))]
    trace.make(mktrace, formats, path, trace.describe(events, lost))
    shown = compare.Trace(gvt_stat, path)
    window = window_of(events)
    told = compare.cut_history(differ.history(history), window)
    off = differ.largest
    c = compare.Comparison()
    c.bounded_rows(compare.true_rows(told, window), compare.printed_rows(shown.json("report")),
                   off, window)
    c.known_works({(w.dev, w.id): w for w in told.workloads},
                  compare.printed_works(shown.csv("list", "workloads")), off)
    # at the beginning it is not known, either, whose turn it is
    gaps = trace.gap_times(events, lost) + [(window[0], window[0])]
    late = told_too_late(told, gaps) + turn_unknown(told, gaps)
    c.no_more_blame(compare.true_blame(told, window), compare.printed_blame(shown.json("why", "waits")),
                    late + off * len(told.workloads))
    c.bounded_gaps(*gaps_of(clocks.until_stopped(told), shown, window), window,
                   off * len(told.workloads), late)
    return c


def counted(rng, path, gvt_stat, mktrace, formats):
    """the kernel's counts say that quiet CPUs are whole: equal to the nanosecond"""
    history = History(rng, rng.choice([1, 2]))
    places = rng.choices(range(trace.CPUS), k=trace.CPUS)
    history.events = [replace(e, cpu=places[e.cpu]) for e in history.events]
    counts = trace.stats(rng, history.events, {})
    trace.make(mktrace, formats, path, trace.describe(history.events, (), counts))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def check_covered(history, events, covers, counts, path, gvt_stat, mktrace, formats):
    """What can be said where rings of CPUs hold less than the trace: what they do not is unknown.

    Without counts, nothing shows that only switches are missing.
    """
    trace.make(mktrace, formats, path, trace.describe(events, (), counts))
    shown = compare.Trace(gvt_stat, path)
    window = window_of(sorted(events, key=lambda e: e.ts))
    seen = compare.cut_history(history, window)
    # before a ring begins, and after it ends, nothing is known; without counts it may be any
    doubtful = covers if counts else dict.fromkeys(range(trace.CPUS), (window[0] + 1, window[1] - 1))
    gaps = trace.silences(events, doubtful, window_of(history.events), window) + [(window[0], window[0])]
    late = told_too_late(seen, gaps) + turn_unknown(seen, gaps)
    c = compare.Comparison()
    report = shown.json("report")
    c.bounded_rows(compare.true_rows(seen, window), compare.printed_rows(report), some=True)
    if counts:
        turns.scheduled_times(c, seen, window, report)
    works = compare.printed_works(shown.csv("list", "workloads"))
    c.known_works({(w.dev, w.id): w for w in seen.workloads}, works)
    c.no_more_blame(compare.true_blame(seen, window),
                    compare.printed_blame(shown.json("why", "waits")), late)
    c.bounded_gaps(*gaps_of(seen, shown, window), window, 0, late)
    return c


def covered(rng, path, gvt_stat, mktrace, formats):
    """rings of CPUs that hold less than the trace, by the kernel's counts: within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    covers = trace.crop(rng, history.events)
    events = trace.cropped(history.events, covers)
    if len(events) < 20:
        events, covers = history.events, {}
    return check_covered(history, events, covers, trace.stats(rng, history.events, covers), path,
                         gvt_stat, mktrace, formats)


# a few steps that are missing may be by chance
SHOWN = 4


def uncounted(rng, path, gvt_stat, mktrace, formats):
    """the same without counts, as of a recording that was killed, where it shows: within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    covers = trace.shown_missing(history.events, trace.crop(rng, history.events), SHOWN)
    events = trace.cropped(history.events, covers)
    if len(events) < 20:
        events, covers = history.events, {}
    return check_covered(history, events, covers, (), path, gvt_stat, mktrace, formats)


def restarted(rng, path, gvt_stat, mktrace, formats):
    """VMs that are started again, with numbers that others had: each is told by itself"""
    dev, histories, events = tenants.generations(rng)
    trace.make(mktrace, formats, path, trace.describe(events))
    window = window_of(events)
    c = compare.Comparison()
    whole = compare.Trace(gvt_stat, path).json("report")
    for generation, history in enumerate(histories):
        rows = compare.true_rows(history, window)
        for vgpu in history.gpus[dev].vgpus:
            uuid = tenants.uuid_of(dev, vgpu, generation)
            shown = compare.Trace(gvt_stat, path, "--vgpu", uuid)
            told = [v for v in shown.json("report")["vgpus"]]
            c.same(f"rows of {uuid}", 1, len(told))
            c.same(f"rows of {uuid} in the whole report", 1, sum(v["uuid"] == uuid for v in whole["vgpus"]))
            works = {w.id for w in history.workloads if w.vgpu == vgpu}
            c.same(f"workloads of {uuid}", len(works), len(works & {
                int(line["workload_id"]) for line in shown.csv("list", "workloads")}))
            for engine in told[0]["engines"] if told else []:
                true = rows[dev, vgpu, engine["engine"]]
                for column in ("queued", "completed", "failed", "cancelled", "open", "exec_ns",
                               "queue_len_mean", "latency_max_ns"):
                    c.same(f"{uuid} {engine['engine']} {column}", true.get(column), engine[column], 1e-6)
    return c


def filtered(rng, path, gvt_stat, mktrace, formats):
    """the workloads of a vGPU are filtered out: within bounds, and nothing is told of it"""
    history = History(rng, rng.choice([1, 1, 2]))
    dev, vgpu, events = tenants.filtered(rng, history)
    trace.make(mktrace, formats, path, trace.describe(events))
    window = window_of(events)
    c = compare.Comparison()
    if not tenants.left_out(history, dev, vgpu):
        return c
    seen = compare.cut_history(history, window)
    report = compare.Trace(gvt_stat, path).json("report")
    true = compare.true_rows(seen, window)
    for key, row in compare.printed_rows(report).items():
        for value, low, high in compare.BOUNDS:
            c.between(f"filter {key} {value}", row[low], true[key][value], row[high])
            c.known(f"filter {key} {value}", true[key][value], row[value])
        for count in ("queued", "completed", "failed", "cancelled"):
            c.at_most(f"filter {key} {count}", row[count], true[key][count])
    for told in report["vgpus"]:
        if (told["dev"], told["vgpu_id"]) == (dev, vgpu):
            c.same(f"filter: execution of {dev, vgpu}", None, told["vgpu_exec_ns"])
            c.same(f"filter: engines of {dev, vgpu}", 0, len(told["engines"]))
    return c


def intervals(rng, path, gvt_stat, mktrace, formats):
    """report --interval: each as report tells of it alone"""
    history = History(rng, rng.choice([1, 2]))
    lost = trace.lose(rng, history.events) if rng.random() < 0.5 else []
    trace.make(mktrace, formats, path, trace.describe(history.events, lost))
    shown = compare.Trace(gvt_stat, path)
    c = compare.Comparison()
    rows = compare.rows_by_time(shown.csv("report", "--interval", f"{rng.choice([7, 10, 20])}ms"))
    for window in rng.sample(sorted(rows), min(4, len(rows))):
        alone = compare.Trace(gvt_stat, path, "--time", ",".join(seconds(ns) for ns in window))
        c.interval(window, compare.printed_rows(alone.json("report")), rows[window])
    return c


def compared(rng, path, gvt_stat, mktrace, formats):
    """compare: what it leaves of a trace with lost events is as it was"""
    history = History(rng, rng.choice([1, 2]))
    lost = trace.lose(rng, history.events)
    whole = f"{path}.whole"
    trace.make(mktrace, formats, whole, trace.describe(history.events))
    trace.make(mktrace, formats, path, trace.describe(history.events, lost))
    c = compare.Comparison()
    for other, gaps in ((path, trace.gap_times(history.events, lost)), (whole, [])):
        document = compare.of_two(gvt_stat, whole, other, BLOCK)
        if document:
            first = document["b"]["window_start_ns"]
            blocks = [(first + nr * BLOCK, first + (nr + 1) * BLOCK) for nr in range(document["a"]["blocks"])]
            known = [not any(since < stop and until > start for since, until in gaps) for start, stop in blocks]
            c.blocks(compare.true_blocks(history, blocks), document["metrics"], known, BLOCK)
    os.unlink(whole)
    return c


def vcpu_times(rng, path, gvt_stat, mktrace, formats):
    """vcpu: equal to the nanosecond, also of a part; after losses, within what is unknown"""
    play = paths.Play(rng, rng.choice([1, 2]))
    window, option, lost = window_of(play.events), (), []
    if rng.random() < 0.4:
        lost = trace.lose(rng, play.events)
    elif rng.random() < 0.5:
        window, option = part_of(rng, window)
    trace.make(mktrace, formats, path, trace.describe(play.events, lost))
    told = {int(row["tid"]): row for row in compare.Trace(gvt_stat, path, *option).csv("why", "vcpus") if row["tid"]}
    c = compare.Comparison()
    for worker in play.vcpus:
        if worker.tid in told:
            c.thread(worker.name, paths.thread_times(worker, *window), told[worker.tid], bool(lost))
    return c


def told_paths(play, path, gvt_stat, rng):
    """(worker, from, to, path as told) of some threads, and of workloads that ended."""
    since, until = window_of(sorted(play.events, key=lambda e: e.ts))
    seen = [w for w in play.threads if w.marks and w.marks[0][0] < until]
    for worker in rng.sample(seen, min(4, len(seen))):
        shown = compare.Trace(gvt_stat, path).csv("why", "path", f"--thread={worker.tid}")
        yield worker, since, until, paths.printed_path(shown)
    ended = [w for w in play.workloads if "ended" in w and w["queued"] >= since]
    for w in rng.sample(ended, min(3, len(ended))):
        shown = compare.Trace(gvt_stat, path, "--gpu", str(w["dev"])).csv(
            "why", "path", f"--workload={w['id']}")
        yield w["thread"], w["queued"], w["ended"], paths.printed_path(shown)


def critical(rng, path, gvt_stat, mktrace, formats):
    """critical: threads and engines of one or two GPUs, equal to the nanosecond"""
    play = paths.Play(rng, rng.choice([1, 2]))
    trace.make(mktrace, formats, path, trace.describe(play.events))
    c = compare.Comparison()
    for worker, since, until, got in told_paths(play, path, gvt_stat, rng):
        c.paths(f"path of {worker.name}", paths.true_path(play, worker, since, until), got)
    return c


def critical_imperfect(rng, path, gvt_stat, mktrace, formats):
    """critical: after losses, and begun in the middle: what is told was so"""
    play = paths.Play(rng, rng.choice([1, 2]))
    lost = trace.lose(rng, play.events) if rng.random() < 0.7 else []
    if not lost or rng.random() < 0.3:
        start = play.events[-1].ts * rng.uniform(0.1, 0.5)
        play.events = trace.cut(play.events, start, play.events[-1].ts)
        lost = [gap for gap in lost if gap[1] > start + 1000]
    trace.make(mktrace, formats, path, trace.describe(play.events, lost))
    shown = compare.Trace(gvt_stat, path)
    since, until = window_of(play.events)
    c = compare.Comparison()
    for worker in rng.sample(play.threads, 4):
        try:
            got = paths.printed_path(shown.csv("why", "path", f"--thread={worker.tid}"))
        except RuntimeError as error:
            if "is not in the trace" not in str(error) and "not recorded" not in str(error):
                raise
            continue
        c.right(f"path of {worker.name}", len(got),
                paths.wrong_parts(play, worker, got, since, until))
    return c


def critical_skew(rng, path, gvt_stat, mktrace, formats):
    """critical: clocks of CPUs that differ: each part was so then, as far as they differ"""
    play = paths.Play(rng, 1)
    largest = rng.choice([1, 5, 20])
    offsets = [100 + rng.randint(0, largest) for _ in range(trace.CPUS)]
    events = trace.skewed(play.events, offsets)
    trace.make(mktrace, formats, path, trace.describe(events))
    shown = compare.Trace(gvt_stat, path)
    since, until = window_of(play.events)
    c = compare.Comparison()
    worker = rng.choice([w for w in play.threads if w.marks])
    got = paths.printed_path(shown.csv("why", "path", f"--thread={worker.tid}"))
    c.same(f"length of the path of {worker.name}", until - since, got[-1][1] - got[0][0],
           2 * largest + 200)
    c.right(f"path of {worker.name}", len(got),
            paths.skewed_parts(play, worker, got, min(offsets), max(offsets)))
    return c


ALL = [perfect, own_work, own_work_late, own_work_windows, own_work_lost, own_work_cut, told_again, two_gpus, one_of_two_gpus, windows, losses, two_losses,
       first_lost, losses_of_one_gpu, lossy_windows, counted, covered, uncounted, restarted, filtered, skew, cut_ends, all_at_once,
       critical, critical_imperfect, critical_skew, intervals, compared, vcpu_times]
