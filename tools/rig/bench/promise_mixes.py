# SPDX-License-Identifier: GPL-2.0-or-later
"""Random mixes of all kinds, independent of gvt-stat's inferences: see 'promises'."""
import random

MODES = [f"{policy}/{dispatch}" for policy in ("strict", "work-conserving", "fair")
         for dispatch in ("exclusive", "per-engine", "preemptive")]
KINDS = {"loop": 4, "deep": 3, "barrier": 3, "timetable": 4, "random": 3}


def log_uniform(rng, least, most):
    return least * (most / least) ** rng.random()


def executes(rng, exec_ms):
    """how long, in how many commands: often in one"""
    pieces = 1 if rng.random() < .35 else max(1, round(exec_ms / log_uniform(rng, .2, 3)))
    return [f'exec = "{max(1, round(1000 * exec_ms))}us"', f"pieces = {min(pieces, 4096)}"]


def loop(rng):
    exec_ms = log_uniform(rng, .5, 80)
    think_ms = exec_ms * log_uniform(rng, .05, 3)
    return executes(rng, exec_ms) + [f'think = "{round(1000 * think_ms)}us"']


def deep(rng):
    words = executes(rng, log_uniform(rng, .5, 40)) + [f"depth = {rng.randint(2, 8)}"]
    return words + ([f'think = "{rng.randint(1, 20)}ms"'] if rng.random() < .3 else [])


def barrier(rng):
    burst = rng.randint(1, 16)
    depth = rng.choice([1, min(burst, 16)])
    return executes(rng, log_uniform(rng, .5, 15)) + \
        [f"burst = {burst}", f"depth = {depth}", f'think = "{round(1000 * log_uniform(rng, .02, 120))}us"']


def timetable(rng):
    hz = log_uniform(rng, 5, 300)
    load = log_uniform(rng, .05, 1.2)
    return executes(rng, 1000 / hz * load) + ["arrival = periodic", f'period = "{round(1e6 / hz)}us"', f"depth = {rng.randint(1, 4)}"]


def at_random(rng):
    exec_ms, load = log_uniform(rng, .5, 20), log_uniform(rng, .05, 1.5)
    return executes(rng, exec_ms) + ["arrival = poisson", f'period = "{round(1000 * exec_ms / load)}us"', f"depth = {rng.randint(2, 8)}",
                                     f"seed = {rng.randrange(1000)}"]


MAKERS = {"loop": loop, "deep": deep, "barrier": barrier, "timetable": timetable, "random": at_random}


def stream(rng, engine):
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    return kind, "|".join([f"engine = {engine}"] + MAKERS[kind](rng))


class Mix:
    """vGPUs by their names: type, streams, settings; the kinds of the streams; the setting it is recorded under, others, and a goal"""
    def __init__(self, seed):
        rng = random.Random(seed)
        count = rng.choices([2, 3, 4, 5, 6, 7], [6, 5, 3, 1, 1, 1])[0]
        several = rng.random() < .25
        self.vgpus, self.kinds = {}, []
        for name in "abcdefg"[:count]:
            streams = [stream(rng, rng.choice(["rcs0", "vcs0"]) if several else "rcs0")
                       for _ in range(2 if rng.random() < .2 else 1)]
            settings = []
            if rng.random() < .15:
                settings.append(("intel_vgpu/nice", rng.randint(-5, 5)))
            if rng.random() < .1:
                settings.append(("intel_vgpu/cap", rng.randint(20, 80)))
            self.kinds.append([kind for kind, _ in streams])
            self.vgpus[name] = ("V5_4" if count < 4 and rng.random() < .2 else "V5_8", [words for _, words in streams], settings)
        self.base, *self.targets = rng.sample(MODES, 4)
        self.goal = rng.choice(["fair", "throughput", "mean", "p95", "p95", "p99"])
        self.goal_vgpu, self.goal_part = rng.randint(1, count), rng.uniform(.5, .95)


def text(vgpus, mode, duration, settings=()):
    """the text of a scenario"""
    policy, dispatch = mode.split("/")
    lines = ['description = "made by a benchmark"', "aperture-mb = 1024", 'warmup = "1500ms"', f'duration = "{duration}"']
    for path, value in (("gvt_sched/policy", policy), ("gvt_sched/boost_ms", 0), ("gvt_sched/dispatch", dispatch), *settings):
        lines += [f'setting "{path}" {{', f"value = {value}", "}"]
    for name, (kind, streams, own) in vgpus.items():
        lines += [f'vgpu "{name}" {{', f"type = {kind}"]
        for path, value in own:
            lines += [f'setting "{path}" {{', f'value = "{value}"', "}"]
        for nr, words in enumerate(streams):
            lines += [f'stream "work{nr}" {{', *words.split("|"), "}"]
        lines.append("}")
    return "\n".join(lines) + "\n"
