# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the corpus consists of: histories whose cause is known from how they were made, and
what 'gvt-stat check' is to find on each, nothing more and nothing less.

A finding is "RULE VGPU ENGINE [COMMAND]"; - where it is about none. COMMAND is what
'gvt-stat policy' is to set by the first remedy, and stands only where the point of the
history is that remedy; after a | another one that a simulation may find to be better.
"""
from simulate import Own, Simulation, Stream, Vgpu


class History:
    def __init__(self, name, vgpus, *findings, **settings):
        self.name, self.vgpus, self.findings, self.settings = name, vgpus, findings, settings

    def lines(self):
        return Simulation(self.vgpus, **self.settings).run()


def r(length, **more):
    return Stream("rcs0", length, **more)


def v(length, **more):
    return Stream("vcs0", length, **more)


def own(length, engine="rcs0", **more):
    return {"own": [Own(engine, length, **more)]}


HZ_30, HZ_60, HZ_144 = 1000 / 30, 1000 / 60, 1000 / 144


def host_causes():
    """The host's own work, which delays vGPUs or is delayed by one."""
    wc, fair, pe = ({"policy": "work-conserving"}, {"policy": "fair"}, {"dispatch": "per-engine"})
    pre = {"dispatch": "preemptive"}
    busy = Vgpu(1, r(4, depth=2))

    work = [("desktop", [busy], own(8, period=HZ_60)),
            ("desktop-strict", [busy, Vgpu(2, r(4, depth=2))], own(8, period=HZ_60)),
            ("desktop-fair", [busy, Vgpu(2, r(4, think=60))], own(8, period=HZ_60) | fair),
            ("transcoder", [Vgpu(1, v(4, depth=2))], own(6, "vcs0", think=2)),
            ("game", [busy], own(3, period=HZ_144) | wc),
            ("video", [Vgpu(1, r(2, depth=2))], own(16, period=HZ_30) | fair),
            ("compute", [busy], own(100, think=100) | wc),
            ("short-commands", [Vgpu(1, r(1, depth=2))], own(0.5, think=0.1) | fair),
            ("desktop-per-engine", [busy], own(8, period=HZ_60) | fair | pe),
            ("desktop-preemptive", [busy, Vgpu(2, r(6, think=60))], own(8, period=HZ_60) | fair | pre)]
    for name, vgpus, settings in work:
        engine = settings["own"][0].engine
        # nor has the host, which wants most of the engine, what it wants
        delayed = [f"host-delayed 1 {engine} dispatch=preemptive"] if name in ("game", "short-commands") else []
        yield History(f"own-{name}", vgpus, f"host-work 1 {engine} host-gpu", *delayed,
                      **({"length": 1500} | settings))

    waits = [("30", [Vgpu(1, r(30, depth=2))], "dispatch=preemptive", wc),
             ("50", [Vgpu(1, r(50, depth=2))], "dispatch=preemptive", fair),
             ("90", [Vgpu(1, r(90, depth=2))], "dispatch=preemptive", fair | pe),
             ("strict", [Vgpu(1, r(40, depth=2))], "dispatch=preemptive", {}),
             ("two", [Vgpu(1, r(2, depth=2)), Vgpu(2, r(40, depth=2))], "dispatch=preemptive", fair),
             ("video-engine", [Vgpu(1, v(60, depth=2))], "dispatch=preemptive", wc),
             ("idle-neighbour", [Vgpu(1, r(25, depth=2)), Vgpu(2)], "dispatch=preemptive", wc),
             ("pauses", [Vgpu(1, r(45, think=45))], "dispatch=preemptive", fair),
             ("cannot-be-preempted", [Vgpu(1, r(60, depth=2), preempt=False)], "batches", fair | pre),
             ("not-allowed", [Vgpu(1, r(60, depth=2), allow=False)], "--vgpu 1 preempt=1", fair | pre)]
    for name, vgpus, command, settings in waits:
        engine = "vcs0" if name == "video-engine" else "rcs0"
        yield History(f"own-waits-{name}", vgpus,
                      f"host-waits {2 if name == 'two' else 1} {engine} {command}",
                      **({"length": 1500} | own(1, engine, period=HZ_60) | settings))


def host_healthy():
    """The host has work of its own, and that is no cause of anything."""
    wc, fair, pe = ({"policy": "work-conserving"}, {"policy": "fair"}, {"dispatch": "per-engine"})
    busy = Vgpu(1, r(4, depth=2))
    idle = [Vgpu(n) for n in range(2, 8)]

    yield History("own-none", [busy], own=[])
    yield History("own-light", [busy], **own(1, period=HZ_60), **fair)
    yield History("own-other-engine", [busy], **own(8, "bcs0", period=HZ_60))
    yield History("own-other-engine-all-the-time", [busy], **own(10, "vcs0"), **fair, **pe)
    yield History("own-alone", [Vgpu(1), Vgpu(2)], **own(8, think=1))
    yield History("own-and-rarely-a-vgpu", [Vgpu(1, r(2, think=150))], **own(8, period=HZ_60))
    yield History("own-beside-long-preempted", [Vgpu(1, r(100, depth=2))], **own(1, period=HZ_60),
                  **fair, dispatch="preemptive")
    yield History("own-beside-three", [Vgpu(n, r(4, depth=2)) for n in (1, 2, 3)],
                  **own(1, period=HZ_60), **fair, length=1500)
    # the cause is another one
    yield History("own-light-and-a-cap", [Vgpu(1, r(2, depth=2), cap=30), Vgpu(2)],
                  "capped 1 rcs0 --vgpu 1 cap=", **own(0.5, period=HZ_60), **fair)
    yield History("own-light-and-no-slice", [busy] + idle[:1], "throttled 1 rcs0 work-conserving",
                  **own(0.5, period=HZ_60))
    yield History("own-light-and-slow-cpus", [Vgpu(1, r(0.5, depth=2)), Vgpu(2, r(0.5, depth=2))],
                  "host - rcs0 dispatch=per-engine", length=300, host=100, **own(0.3, period=HZ_60),
                  **fair)
    yield History("own-light-and-short-beside-long",
                  [Vgpu(1, r(1, think=0.2)), Vgpu(2, r(18, depth=2))], "unfair 1 rcs0 fair",
                  "host-delayed 2 rcs0 dispatch=preemptive", length=2000, **own(0.5, period=HZ_60), **wc)


def causes():
    """Histories with something to find."""
    idle = [Vgpu(n) for n in range(2, 8)]
    wc, fair, pe = ({"policy": "work-conserving"}, {"policy": "fair"}, {"dispatch": "per-engine"})

    # Slices of idle vGPUs are nobody's: with every number of them.
    for n in range(1, 7):
        yield History(f"idle-neighbours-{n}", [Vgpu(1, r(4, depth=2))] + idle[:n],
                      "throttled 1 rcs0 work-conserving")
    yield History("idle-neighbour-thinks", [Vgpu(1, r(18, think=4.7)), Vgpu(2)],
                  "throttled 1 rcs0 work-conserving", length=2000)
    yield History("idle-neighbour-heavy", [Vgpu(1, r(4, depth=2)), Vgpu(2, weight=8)],
                  "throttled 1 rcs0 work-conserving")
    yield History("idle-neighbour-per-engine", [Vgpu(1, r(4, depth=2)), Vgpu(2)],
                  "throttled 1 rcs0 work-conserving", **pe)
    yield History("light-neighbour", [Vgpu(1, r(4, depth=2)), Vgpu(2, r(4, think=60))],
                  "throttled 1 rcs0 work-conserving")
    yield History("light-neighbour-nice", [Vgpu(1, r(4, depth=2), nice=5), Vgpu(2, r(4, think=60))],
                  "throttled 1 rcs0 work-conserving|work-conserving dispatch=per-engine")
    yield History("light-neighbour-of-other-length", [Vgpu(1, r(2, depth=2)), Vgpu(2, r(20, think=300))],
                  "throttled 1 rcs0 fair", length=1500)
    yield History("two-of-four-idle", [Vgpu(1, r(4, depth=2)), Vgpu(2, r(4, think=6))] + idle[1:3],
                  "throttled 1 rcs0 work-conserving")

    # Long workloads overrun slices, and pay.
    yield History("debt-alone", [Vgpu(1, r(150, think=1)), Vgpu(2)],
                  "debt 1 - work-conserving", length=3000)
    yield History("debt-beside-idle-three", [Vgpu(1, r(80, think=1))] + idle[:3],
                  "debt 1 - work-conserving", length=3000)

    # A cap that is reached while nobody else wants the GPU.
    for cap in (10, 30, 50, 70, 90):
        for policy in ("work-conserving", "fair"):
            yield History(f"cap-{cap}-{policy}", [Vgpu(1, r(2, depth=2), cap=cap), Vgpu(2)],
                          "capped 1 rcs0 --vgpu 1 cap=", policy=policy)
    yield History("cap-two", [Vgpu(1, r(2, depth=2), cap=20), Vgpu(2, r(2, depth=2), cap=20)],
                  "capped 1 rcs0", "capped 2 rcs0", **fair)

    # One long workload, and nothing that preempts it.
    for length in (150, 250, 400):
        for policy in ("work-conserving", "fair"):
            yield History(f"long-{length}-{policy}",
                          [Vgpu(1, r(4, think=1)), Vgpu(2, r(length))],
                          "blocked 1 rcs0 fair dispatch=preemptive" if policy != "fair" else
                          "blocked 1 rcs0 dispatch=preemptive",
                          *(["drain 2 -", "unfair 1 rcs0 fair"] if policy != "fair" else
                            ["held - rcs0"]),
                          policy=policy, length=8000)
    yield History("long-cannot-be-preempted",
                  [Vgpu(1, r(4, think=2)), Vgpu(2, r(250), preempt=False)],
                  "blocked 1 rcs0 batches", "drain 2 - batches", "held - rcs0", policy="fair", dispatch="preemptive", length=4000)

    yield History("long-not-allowed",
                  [Vgpu(1, r(4, think=2)), Vgpu(2, r(250), allow=False)],
                  "blocked 1 rcs0 --vgpu 2 preempt=1", "drain 2 - --vgpu 2 preempt=1", "held - rcs0",
                  policy="fair", dispatch="preemptive", length=4000)

    # Two seconds in somebody else's one workload: the guest gives up, or not yet.
    yield History("starved-behind-one", [Vgpu(1, r(4, think=2)), Vgpu(2, r(1800, think=1))],
                  "starved 1 rcs0 fair dispatch=preemptive", "blocked 1 rcs0", "drain 2 -",
                  "unfair 1 rcs0", length=12000, **wc)
    yield History("resets-behind-one",
                  [Vgpu(1, r(4, think=2), patience=1700), Vgpu(2, r(1900, think=1))],
                  "resets 1 rcs0 fair dispatch=preemptive", "starved 1 rcs0", "blocked 1 rcs0",
                  "drain 2 -", "unfair 1 rcs0", length=8000, **wc)
    yield History("resets-of-a-hasty-guest",
                  [Vgpu(1, r(4, think=2), patience=5), Vgpu(2, r(8, depth=2))],
                  "resets 1 rcs0 reset", "held - rcs0", length=600, **fair)
    yield History("hang", [Vgpu(1, r(2, think=3, fail=200)), Vgpu(2, r(2, think=3))],
                  "failed 1 rcs0 failed", "starved 2 rcs0 hang", "blocked 2 rcs0 hang",
                  "drain 1 - hang", length=7000, **wc)

    # Shares: work-conserving favours who has the longer workloads.
    yield History("short-beside-long", [Vgpu(1, r(1, think=0.2)), Vgpu(2, r(30, depth=2))],
                  "unfair 1 rcs0 fair", length=2000, **wc)
    yield History("short-beside-long-and-idle",
                  [Vgpu(1, r(1, think=0.2)), Vgpu(2, r(30, depth=2))] + idle[1:],
                  "unfair 1 rcs0 fair", length=2000, **wc)
    yield History("heavy-beside-long", [Vgpu(1, r(1, think=0.2), weight=8), Vgpu(2, r(20, depth=2))],
                  "unfair 1 rcs0 fair", length=2000, **wc)
    yield History("favoured-beside-long", [Vgpu(1, r(2, think=0.2), nice=-10), Vgpu(2, r(4, depth=2))],
                  "unfair 1 rcs0 fair", length=2000, **wc)
    yield History("three-lengths",
                  [Vgpu(1, r(1, think=0.2)), Vgpu(2, r(8, think=0.2)), Vgpu(3, r(30, depth=2))],
                  "unfair 1 rcs0 fair", length=3000, **wc)
    yield History("short-beside-long-per-engine", [Vgpu(1, r(1, think=0.2)), Vgpu(2, r(30, depth=2))],
                  "unfair 1 rcs0 fair", length=2000, **wc, **pe)

    # Turns of all engines together.
    for policy in ("strict", "work-conserving", "fair"):
        command = "work-conserving dispatch=per-engine" if policy == "strict" else "dispatch=per-engine"
        yield History(f"two-engines-{policy}", [Vgpu(1, r(4, depth=2)), Vgpu(2, v(5, depth=2))],
                      f"stranded - rcs0 {command}", f"stranded - vcs0 {command}", policy=policy)
        yield History(f"shared-and-not-{policy}",
                      [Vgpu(1, r(4, depth=2), v(4, depth=2)), Vgpu(2, r(5, depth=2))],
                      f"stranded - vcs0 {command}", policy=policy)
    yield History("three-engines",
                  [Vgpu(1, r(4, depth=2)), Vgpu(2, v(5, depth=2)), Vgpu(3, Stream("vecs0", 3, depth=2))],
                  "stranded - rcs0", "stranded - vcs0", "stranded - vecs0", **fair)
    yield History("two-engines-slices", [Vgpu(1, r(4, depth=2)), Vgpu(2, v(5, depth=2))],
                  "throttled 1 rcs0 work-conserving", "throttled 2 vcs0 work-conserving", **pe)

    # Strict looks every millisecond.
    yield History("tick", [Vgpu(1, r(0.3, think=0.1)), Vgpu(2, r(0.3, think=0.1))],
                  "switching - rcs0 work-conserving|dispatch=per-engine", length=300, host=2)
    yield History("tick-per-engine", [Vgpu(1, r(0.3, think=0.1)), Vgpu(2, r(0.3, think=0.1))],
                  "switching - rcs0 work-conserving", length=300, host=2, **pe)

    # Many short workloads in a row: it is the slice that is long.
    for period in (1000, 500):
        yield History(f"period-{period}",
                      [Vgpu(1, r(0.99, depth=2)), Vgpu(2, r(0.99, depth=2), weight=8)],
                      "blocked 1 rcs0 period_ms=",
                      length=2200, period=period)
    yield History("period-1000-three",
                  [Vgpu(1, r(0.99, depth=2)), Vgpu(2, r(0.99, depth=2)),
                   Vgpu(3, r(0.99, depth=2), weight=16)],
                  "blocked 1 rcs0", "blocked 2 rcs0", length=2200, period=1000)

    # One that needs little, and waits for several.
    yield History("desktop-beside-batches",
                  [Vgpu(1, r(3, period=37)), Vgpu(2, r(5, depth=4))],
                  "delayed 1 rcs0 fair", length=1500, stay=20, **wc)

    # Kept idle for who comes late, or not at all.
    yield History("held", [Vgpu(1, r(4, think=18)), Vgpu(2, r(4, depth=2))],
                  "held - rcs0 anticipation_ms=0", length=1000, **fair)

    yield from host_causes()

    # The host's CPUs are slow.
    for host in (60, 150):
        yield History(f"host-{host}", [Vgpu(1, r(0.5, depth=2)), Vgpu(2, r(0.5, depth=2))],
                      "host - rcs0 dispatch=per-engine", length=300, host=host, **fair)
    yield History("host-one-vgpu", [Vgpu(1, r(1, depth=2))], "host - rcs0 dispatch=per-engine",
                  length=300, host=100, **fair)


def healthy():
    """Histories with nothing to find."""
    pe, pre = {"dispatch": "per-engine"}, {"dispatch": "preemptive"}

    yield from host_healthy()
    yield History("nobody", [Vgpu(1), Vgpu(2)])
    for policy in ("strict", "work-conserving", "fair"):
        same = {"policy": policy}
        yield History(f"alone-{policy}", [Vgpu(1, r(4, depth=2))], **same)
        yield History(f"alone-idle-{policy}", [Vgpu(1, r(4, think=20))], **same)
        yield History(f"two-alike-{policy}", [Vgpu(1, r(4, depth=2)), Vgpu(2, r(4, depth=2))], **same)
        yield History(f"weights-{policy}",
                      [Vgpu(1, r(2, depth=2)), Vgpu(2, r(2, depth=2), weight=4),
                       Vgpu(3, r(2, depth=2), weight=8)], length=1400,
                      policy="strict" if policy == "work-conserving" else policy)
        yield History(f"light-{policy}", [Vgpu(1, r(3, think=30)), Vgpu(2, r(3, think=40))], **same)
        yield History(f"per-engine-{policy}", [Vgpu(1, r(4, depth=2)), Vgpu(2, r(4, depth=2))],
                      **same, **pe)
    yield History("nice-fair", [Vgpu(1, r(2, depth=2)), Vgpu(2, r(2, depth=2), nice=5)],
                  policy="fair", length=1500)
    yield History("seven-alike", [Vgpu(n, r(2, depth=2)) for n in range(1, 8)], policy="fair",
                  length=1500)
    yield History("idle-beside-fair", [Vgpu(1, r(4, depth=2))] + [Vgpu(n) for n in range(2, 8)],
                  policy="fair")
    yield History("engines-of-their-own", [Vgpu(1, r(4, depth=2)), Vgpu(2, v(5, depth=2))],
                  policy="fair", **pe)
    yield History("long-preempted", [Vgpu(1, r(4, think=2)), Vgpu(2, r(400))], policy="fair",
                  length=3000, **pre)
    yield History("cap-not-reached", [Vgpu(1, r(4, think=20), cap=50), Vgpu(2)], policy="fair")
    yield History("cap-while-shared", [Vgpu(1, r(2, depth=2), cap=30), Vgpu(2, r(2, depth=2))],
                  policy="fair")
    yield History("two-engines-taking-turns", [Vgpu(1, r(4, think=16)), Vgpu(2, v(4, think=16, start=10))],
                  policy="fair")
    yield History("desktop-beside-batch", [Vgpu(1, r(3, period=50)), Vgpu(2, r(5, depth=2))],
                  policy="fair", length=1500)
    yield History("unequal-lengths-fair", [Vgpu(1, r(1, depth=2)), Vgpu(2, r(10, depth=2))],
                  policy="fair", length=2000)
