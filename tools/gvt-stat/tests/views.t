#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
All forms of export against report, why waits and list, to the nanosecond, on what the rig
recorded and as people's traces are: with losses, skew, a second GPU, begun in the middle; of
a part; without any vGPU. And on random histories of oracle.t, with all of that: of GPUs alone, and of
GPUs, threads and interrupts.

    views.t          each recording in one of these ways; as they are, export.t has some
    views.t --all    each in all of them, and as it is

HISTORIES histories are tried (default 6), from HISTORIES_SEED on (default 1), and some that once
were drawn wrongly; their names tell their seeds.
"""
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, name) for name in ("corpus", "views", "oracle")]
import clocks  # noqa: E402
import environment  # noqa: E402,F401: what the tests run
import inside  # noqa: E402
import paths  # noqa: E402
import told  # noqa: E402
import trace  # noqa: E402
from corpus import VARIANTS, recordings, write_trace  # noqa: E402
from history import History  # noqa: E402

SQL = os.path.join(HERE, "../../../Documentation/perfetto.sql")
# what compares each form with the commands
FORMS = {"html": [["agree-page"]], "perfetto": [["agree-perfetto"], ["agree-sql", SQL]],
         "csv": [["agree-csv"]], "ctf": [["agree-ctf"]]}
# of the beginning and the end of a window, in parts of the trace
PARTS = (0.3, 0.7)


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, name, complaints):
        self.count += 1
        self.failed += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {self.count} - {name}", flush=True)
        for text in complaints[:20]:
            print(f"# {text}")


def differences(form, path, options):
    """What a form tells in another way than the commands."""
    out = f"{path}.{form}"
    run = subprocess.run([os.environ["GVT_STAT"], "export", "-f", form, "-i", path, "-o", out, *options],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        return [run.stderr]
    complaints = []
    for program, *more in FORMS[form]:
        complaints += inside.run(program, *more, out, path, *options)[0]
    return complaints


def compare_forms(tap, name, path, options, forms=tuple(FORMS)):
    told.gvt_stat.cache_clear()
    for form in forms:
        tap.result(f"{form}: {name}", differences(form, path, options))


def compare(tap, name, events, path, options=()):
    write_trace(path, events)
    compare_forms(tap, name, path, options)


def between(times):
    return ["--time", ",".join(f"{time // 10**9}.{time % 10**9:09d}" for time in times)]


def window(events):
    """--time of a part in the middle."""
    first, last = events[0][0], events[-1][0]
    return between([first + round((last - first) * part) for part in PARTS])


# to markup, SQL, CSV, the metadata of CTF, printf() and a shell
HOSTILE = "</script><img~src=x~onerror=alert(1)>&amp;\"\'`${x};DROP~TABLE~slice;--,\\,%s%n"


def rounds(vgpus, count, name=None):
    """All take turns, so many times, with a workload each; @name: that of their VMs."""
    events, now, workload = [(0, 0, "gvt_sched_info policy=fair")], 1000, 0
    for vgpu in range(1, vgpus + 1):
        if name:
            events.append((0, 0, f"print buf=gvt-stat-meta~vgpu~aa-{vgpu}~id={vgpu}~pid={100 + vgpu}~vm={name}"))
        events.append((0, 0, f"gvt_vgpu_info v={vgpu} weight=2 uuid=aa-{vgpu} owner_pid={100 + vgpu}"))
    for vgpu in list(range(1, vgpus + 1)) * count:
        workload += 1
        of = f"v={vgpu} w={workload}"
        events += [(now, 0, f"switch prev={vgpu - 1 or vgpus} next={vgpu}"), (now, 0, f"queue {of}"),
                   (now + 100, 0, f"submit {of}"), (now + 130, 0, f"start {of}"),
                   (now + 900 + vgpu, 0, f"stop {of} done=1"), (now + 1000, 0, f"complete {of}")]
        now += 1000
    return events


def crowd(count):
    """All are queued before the first one is on the engine."""
    events = [(1000 + number, 0, f"queue v={number % 3 + 1} w={number + 1}") for number in range(count)]
    for number in range(count):
        now, of = 100_000 + 1000 * number, f"v={number % 3 + 1} w={number + 1}"
        events += [(now, 0, f"submit {of}"), (now + 10, 0, f"start {of}"), (now + 910, 0, f"stop {of} done=1"),
                   (now + 950, 0, f"complete {of}")]
    return events


def odd():
    """Traces that are not as most are."""
    yield "no vGPU", [(0, 0, "sched_switch prev_pid=1"), (10**6, 0, "gvt_sched_info vgpus=0")]
    life = ("queue", "submit", "start", "stop done=1", "complete")
    yield "no length", [(5, 0, f"{event} v=1 w=1") for event in life]
    yield "one vGPU", rounds(1, 5)
    yield "one event", [(5, 0, "queue v=1 w=1")]
    yield "64 vGPUs", rounds(64, 2)
    yield "700 workloads at once", crowd(700)
    # --time takes no later ones
    late = (2**63 // 10**9 - 2) * 10**9
    yield "near 2^63 ns", [(late + now, cpu, event) for now, cpu, event in rounds(2, 5)]
    first, second = rounds(1, 3, "one"), rounds(1, 3, "two")
    after = [(now + 10**6, cpu, event.replace("aa-", "bb-").replace(" w=", " w=100")) for now, cpu, event in second]
    yield "an id that another VM has later", first + after
    yield "names that are no text", rounds(2, 3, HOSTILE)


# seeds of histories and of plays of which something was drawn wrongly once
KEPT = [1131, 2184]
KEPT_PLAYS = [45]


def seeds(kept):
    first = int(os.environ.get("HISTORIES_SEED", "1"))
    return [*kept, *range(first, first + int(os.environ.get("HISTORIES", "6")))]


def compare_events(tap, name, rng, events, way, path):
    """Of all events, or with losses, or without beginning and end; and of these, or of a part."""
    lost, options = [], []
    if way == "lossy":
        lost = trace.lose(rng, events)
    elif way == "cut":
        events = trace.cut(events, events[-1].ts * 0.3, events[-1].ts * 0.9)
    if rng.random() < 0.3:
        options = between(sorted(rng.sample(range(events[0].ts, events[-1].ts), 2)))
    trace.make(os.environ["MKTRACE"], os.environ["FORMATS"].split(), path, trace.describe(events, lost))
    # in CTF, events have the times of their clocks
    forms = [form for form in FORMS if way != "skewed" or form != "ctf"]
    compare_forms(tap, " ".join([name, way, *options]), path, options, forms)


def compare_history(tap, seed, path):
    rng = random.Random(f"views {seed}")
    history = History(rng, rng.choice([1, 1, 2]))
    way, events = rng.choice(["whole", "lossy", "skewed", "cut"]), history.events
    if way == "skewed":
        events = sorted(clocks.some(rng, history, trace.CPUS).events(events), key=lambda event: event.ts)
    compare_events(tap, f"history {seed}", rng, events, way, path)


def compare_play(tap, seed, path):
    """With threads and interrupts."""
    rng = random.Random(f"play {seed}")
    play = paths.Play(rng, rng.choice([1, 2]))
    compare_events(tap, f"play {seed}", rng, play.events, rng.choice(["whole", "lossy", "cut"]), path)


def main():
    tap, everything = Tap(), sys.argv[1:] == ["--all"]
    ways = [*VARIANTS, "window"]
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "trace.dat")
        for nr, recording in enumerate(recordings()):
            for way in ways if everything else [ways[1 + nr % (len(ways) - 1)]]:
                lines = recording.lines()
                events = VARIANTS.get(way, VARIANTS["plain"])(lines)
                compare(tap, f"{recording.name} ({way})", events, path, window(events) if way == "window" else ())
        for name, events in odd():
            compare(tap, name, events, path)
        compare(tap, "a completion after the part", rounds(1, 3), path, between([1000, 3950]))
        for seed in seeds(KEPT):
            compare_history(tap, seed, path)
        for seed in seeds(KEPT_PLAYS):
            compare_play(tap, seed, path)
    print(f"1..{tap.count}")
    sys.exit(tap.failed != 0)


main()
