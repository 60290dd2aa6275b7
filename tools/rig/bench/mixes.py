# SPDX-License-Identifier: GPL-2.0-or-later
"""Random scenarios, to avoid a biased choice."""
import random

# Closed loops, periodic and random arrivals, bursts, and unpreemptible loops; frequency of each
KINDS = {"loop": 5, "clock": 2, "random": 2, "burst": 1, "uncut": 1}
GRAINS_MS = (0.5, 1, 1, 1, 3)
PERIODS_MS = (16.667, 20, 33.333, 41.667)


class Stream:
    """a vGPU's stream on an engine: words of a scenario, and facts that a trace cannot show"""
    def __init__(self, rng, engine):
        self.kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        self.depth = None               # of a guest that submits by a clock or at random
        exec_ms = round(2 * 25 ** rng.random(), 1)
        if rng.random() < .15:
            exec_ms = rng.choice([100., 200., 300.])
        grain_ms = rng.choice(GRAINS_MS)
        if self.kind in ("clock", "random", "burst"):
            exec_ms = round(min(exec_ms, 12), 1)
        self.words = [f"engine = {engine}"] + self.come(rng, exec_ms, grain_ms)

    def come(self, rng, exec_ms, grain_ms):
        how = {"clock": self.clock, "random": self.random, "burst": self.burst}
        return how.get(self.kind, self.loop)(rng, exec_ms, grain_ms)

    def executes(self, exec_ms, grain_ms):
        pieces = 1 if self.kind == "uncut" else max(1, int(exec_ms / grain_ms))
        self.uncut = pieces == 1
        return [f'exec = "{exec_ms}ms"', f"pieces = {pieces}"]

    def loop(self, rng, exec_ms, grain_ms):
        if rng.random() < .3:
            return self.executes(exec_ms, grain_ms) + ["depth = 2"]
        return self.executes(exec_ms, grain_ms) + [f'think = "{round(exec_ms * rng.uniform(.1, 1.2), 1)}ms"']

    def clock(self, rng, exec_ms, grain_ms):
        period_ms = rng.choice(PERIODS_MS)
        self.depth = rng.choice([2, 3])
        return self.executes(round(float(min(exec_ms, period_ms * .4)), 1), grain_ms) + \
            ["arrival = periodic", f'period = "{period_ms}ms"', f"depth = {self.depth}"]

    def random(self, rng, exec_ms, grain_ms):
        self.depth = 4
        return self.executes(exec_ms, grain_ms) + \
            ["arrival = poisson", f'period = "{round(exec_ms * rng.uniform(4, 8), 1)}ms"', "depth = 4", f"seed = {rng.randrange(1000)}"]

    def burst(self, rng, exec_ms, grain_ms):
        return self.executes(exec_ms, grain_ms) + [f"burst = {rng.randint(2, 5)}", f'think = "{rng.randint(40, 150)}ms"']


def mix(seed):
    """the streams of two to four vGPUs, by their names"""
    rng = random.Random(seed)
    count = rng.choices([2, 3, 4], [5, 3, 1])[0]
    several = rng.random() < .3
    return {"abcd"[nr]: Stream(rng, "vcs0" if several and nr % 2 else "rcs0") for nr in range(count)}
