# SPDX-License-Identifier: GPL-2.0-or-later
"""Mixes played by gvt-sim instead of the rig: in seconds instead of minutes, and with guests whose lengths and pauses vary, as the
rig's do not. The scheduler is the driver's, but the model of engines is the one that 'gvt-stat simulate' uses, too."""
import math
import os
import random
import re
import subprocess
import sys

from recorded import GVT_STAT, TOP

BUILD = os.path.dirname(os.path.dirname(GVT_STAT))
FORMATS = [word for place in ("tools/traceevent/formats", "tools/gvt-stat/tests/formats") for word in ("-F", os.path.join(TOP, place))]
WEIGHTS = {"V5_4": 4, "V5_8": 2}
# deviations of a guest's execution times and pauses, and of the mean pauses of recordings
EXEC, PAUSE, DRIFT = .03, .08, .03
# least CPU time of a loop between two workloads
SUBMIT_NS = 30000
# played by gvt-sim before the recording begins
WARMUP_NS = 3e9
UNITS = {"us": 1e3, "ms": 1e6, "s": 1e9}


def ns(words, name, default=0):
    number, unit = re.match(r"([\d.]+)(\w+)", words.get(name, f"{default}us")).groups()
    return float(number) * UNITS[unit]


def varied(rng, length_ns, by):
    return max(1, round(length_ns * max(.3, rng.gauss(1, by))))


def closed(rng, words, span_ns):
    """Bursts of workloads, of which so many are in flight, and a pause after the last. As many as an engine could execute: what
    repeats to the nanosecond tells more of a guest than any real one does."""
    count = math.ceil((span_ns + WARMUP_NS) / ns(words, "exec"))
    depth, burst = int(words.get("depth", 1)), int(words.get("burst", 1))
    pause_ns = max(ns(words, "think"), SUBMIT_NS) * rng.uniform(1 - DRIFT, 1 + DRIFT)
    for _ in range(max(1, count // burst)):
        for nr in range(burst):
            first = nr == 0
            at_ns = varied(rng, pause_ns if first else SUBMIT_NS, PAUSE)
            lag = depth if burst == 1 else 1 if first or depth == 1 else 0
            yield varied(rng, ns(words, "exec"), EXEC), at_ns, lag


def arrivals(rng, words, span_ns):
    at_ns, period_ns = 0, ns(words, "period")
    phase_ns = rng.random() * period_ns
    while True:
        if words["arrival"] == "poisson":
            at_ns += rng.expovariate(1 / period_ns)
            came_ns = at_ns
        else:
            at_ns += period_ns
            came_ns = at_ns - phase_ns + abs(rng.gauss(0, 200000))
        if came_ns >= span_ns:
            return
        yield varied(rng, ns(words, "exec"), EXEC), int(came_ns), 0


def stream_lines(rng, vgpu, text, span_ns):
    words = dict(word.split(" = ") for word in text.replace('"', "").split("|"))
    pieces = int(words.get("pieces", 1))
    head = f"stream {vgpu} {words['engine']} piece_ns={round(ns(words, 'exec') / pieces) if pieces > 1 else 0}"
    if "arrival" in words:
        work = sorted(arrivals(rng, words, span_ns), key=lambda one: one[1])
        head += f" open=1 depth={words['depth']} span_ns={round(span_ns)}"
    else:
        work = closed(rng, words, span_ns)
    return [head] + [f"work exec_ns={exec_ns} at_ns={at_ns} lag={lag}" for exec_ns, at_ns, lag in work]


def model(rng, vgpus, mode, duration, settings):
    policy, dispatch = mode.split("/")
    span_ns = ns({"duration": duration}, "duration")
    lines = [f"set policy {policy}", f"set dispatch {dispatch}", "set boost_ms 0", f"run warmup_ns={round(WARMUP_NS)} duration_ns={round(span_ns)}"]
    lines += [f"set {path.split('/')[1]} {value}" for path, value in settings]
    for nr, (kind, streams, own) in enumerate(vgpus.values(), 1):
        words = "".join(f" {path.split('/')[1]}={value}" for path, value in own)
        lines.append(f"vgpu {nr} weight={WEIGHTS[kind]}{words}")
        for text in streams:
            lines += stream_lines(rng, nr, text, span_ns)
    return "\n".join(lines) + "\n"


def play_all(out, runs, duration):
    """Plays runs, (vGPUs, mode, settings) by their names: OUT/NAME/trace.dat. Each has lengths and arrivals of its own."""
    for name, (vgpus, mode, settings) in runs.items():
        directory = os.path.join(out, name)
        os.makedirs(directory, exist_ok=True)
        rng = random.Random(f"{os.path.basename(out)} {name}")
        played = subprocess.run([os.path.join(BUILD, "gvt-sim/gvt-sim")], capture_output=True, text=True,
                                input=model(rng, vgpus, mode, duration, settings))
        if played.returncode:
            sys.exit(f"gvt-sim: {name} of {out}: {played.stderr.strip()}")
        subprocess.run([os.path.join(BUILD, "gvt-stat/mktrace"), *FORMATS, "-o", os.path.join(directory, "trace.dat")], check=True,
                       input="0 0 gvt_host_state running=0\n" + played.stdout, text=True)
