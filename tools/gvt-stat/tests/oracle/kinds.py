# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of histories and of imperfection that the oracle tries."""
import trace

import compare
from history import History, US


def window_of(events):
    return events[0].ts, events[-1].ts


def check_all(history, shown, window):
    """Everything, of a trace in which all was recorded."""
    c = compare.Comparison()
    c.rows(compare.true_rows(history, window), compare.printed_rows(shown.json("report")))
    c.sums("blame", compare.true_blame(history, window),
           compare.printed_blame(shown.json("blame")))
    c.sums("gaps", *(compare.merge_strict(history, gaps) for gaps in (
        compare.true_gaps(history, window), compare.printed_gaps(shown.json("gaps")))))
    works = compare.printed_works(shown.csv("workloads"))
    c.works({(w.dev, w.id): w for w in history.workloads}, works)
    c.splits(history, works)
    return c


def perfect(rng, path, gvt_stat, mktrace, formats, gpus=1):
    """perfect traces: equal to the nanosecond"""
    history = History(rng, gpus)
    trace.make(mktrace, formats, path, trace.describe(history.events))
    return check_all(history, compare.Trace(gvt_stat, path), window_of(history.events))


def two_gpus(*args):
    """two GPUs with the same numbers: equal to the nanosecond"""
    return perfect(*args, gpus=2)


def told_too_late(history, gaps):
    """Drains and holds are told at their ends: for how long gvt-stat knew nothing of those."""
    spans = [(t.start - t.drain, t.start) for gpu in history.gpus.values()
             for turns in gpu.turns.values() for t in turns]
    spans += [(h.start, h.end) for gpu in history.gpus.values()
              for holds in gpu.holds.values() for h in holds]
    return sum(gap[0] - span[0] for gap in gaps for span in spans
               if span[0] < gap[0] <= span[1])


def losses(rng, path, gvt_stat, mktrace, formats):
    """lost events: known values are right, the others within bounds"""
    history = History(rng, rng.choice([1, 1, 2]))
    lost = trace.lose(rng, history.events)
    trace.make(mktrace, formats, path, trace.describe(history.events, lost))
    shown = compare.Trace(gvt_stat, path)
    window = window_of(history.events)
    late = told_too_late(history, trace.gap_times(history.events, lost))
    c = compare.Comparison()
    c.bounded_rows(compare.true_rows(history, window), compare.printed_rows(shown.json("report")))
    c.known_works({(w.dev, w.id): w for w in history.workloads},
                  compare.printed_works(shown.csv("workloads")))
    c.no_more_blame(compare.true_blame(history, window),
                    compare.printed_blame(shown.json("blame")), late)
    c.bounded_gaps(compare.true_gaps(history, window), compare.printed_gaps(shown.json("gaps")),
                   window)
    return c


def skew(rng, path, gvt_stat, mktrace, formats):
    """clocks of CPUs that differ by microseconds: counts are right, times nearly"""
    history = History(rng, rng.choice([1, 1, 2]))
    largest = rng.choice([1, 5, 20]) * US
    offsets = [100 * US + rng.randint(0, largest) for _ in range(trace.CPUS)]
    events = trace.skewed(history.events, offsets)
    trace.make(mktrace, formats, path, trace.describe(events))
    shown = compare.Trace(gvt_stat, path)
    window = window_of(history.events)
    shift = max(offsets)
    c = compare.Comparison()
    c.close_rows(compare.true_rows(history, window), compare.printed_rows(shown.json("report")),
                 shift)
    works = compare.printed_works(shown.csv("workloads"))
    c.close_works({(w.dev, w.id): w for w in history.workloads}, works, shift)
    c.close_splits(history, works, largest)
    c.close_sums("gaps", *(compare.merge_strict(history, gaps) for gaps in (
        compare.true_gaps(history, window), compare.printed_gaps(shown.json("gaps")))),
        2 * largest * len(history.events))
    return c


def cut_ends(rng, path, gvt_stat, mktrace, formats):
    """recording begun and ended under load: what was queued before is known"""
    history = History(rng, rng.choice([1, 1, 2]))
    start = history.events[-1].ts * rng.uniform(0.1, 0.5) // 1
    events = trace.cut(history.events, start, history.events[-1].ts * rng.uniform(0.6, 1))
    window = window_of(events)
    events += trace.snapshot(history, events[min(rng.randint(0, 30), len(events) - 1)].ts)
    trace.make(mktrace, formats, path, trace.describe(events))
    shown = compare.Trace(gvt_stat, path)
    c = compare.Comparison()
    seen = compare.cut_history(history, window)
    c.cut_rows(compare.true_rows(seen, window), compare.printed_rows(shown.json("report")))
    c.known_works({(w.dev, w.id): w for w in seen.workloads},
                  compare.printed_works(shown.csv("workloads")))
    blamed = compare.printed_blame(shown.json("blame"))
    c.blame_totals(compare.true_blame(seen, window), blamed)
    c.no_more_blame(compare.true_blame(seen, window), blamed, 0)
    return c


ALL = [perfect, two_gpus, losses, skew, cut_ends]
