# SPDX-License-Identifier: GPL-2.0-or-later
"""
Histories of a shared GPU for the corpus of check: what a scheduler with these settings
would do, as lines for mktrace.

This is no model of the driver: it has its policies and modes of dispatch in their
simplest form, so that the cause of what happens is known from the settings alone. What
the driver really does is in the recordings of the rig.
"""
import collections
import heapq

US, MS, SEC = 1000, 1000000, 1000000000
TICK = MS
ENGINES = {"rcs0": 0, "bcs0": 1, "vcs0": 2, "vecs0": 3}


class Stream:
    """Workloads of one kind; times in ms. Closed loop, or one every @period."""

    def __init__(self, engine, length, think=0, period=0, depth=1, start=0, fail=0):
        self.engine = engine
        self.length = int(length * MS)
        self.think = int(think * MS)
        self.period = int(period * MS)
        self.depth = depth
        self.start = int(start * MS)
        self.fail = fail                # this workload of its never ends by itself
        self.count = 0
        self.vgpu = None


class Vgpu:
    def __init__(self, number, *streams, weight=2, nice=0, cap=0, patience=0, preempt=True, allow=True):
        self.number = number
        self.streams = streams
        self.weight = weight
        self.nice = nice
        self.cap = cap
        self.patience = int(patience * MS)  # after which the guest resets its GPU; 0: never
        self.preempt = preempt and allow    # can its workloads be preempted?
        self.allow = allow                  # the setting
        self.share = weight * 1.25 ** -nice


class Own:
    """The host's own commands, which nothing takes off; times in ms."""

    def __init__(self, engine, length, think=0, period=0, start=0):
        self.engine = engine
        self.length = int(length * MS)
        self.think = int(think * MS)
        self.period = int(period * MS)
        self.start = int(start * MS)


class Entity:
    """One vGPU in one lane."""

    def __init__(self, vgpu):
        self.vgpu = vgpu
        self.left = 0
        self.slice = 0
        self.had = 0.0                  # execution by share, for fair
        self.bucket = 0                 # of the cap
        self.turn = -1                  # when it had its last one


class Workload:
    def __init__(self, number, stream, now):
        self.number = number
        self.stream = stream
        self.left = stream.length
        self.queued = now
        self.started = None
        self.fails = stream.fail and stream.count == stream.fail


class Lane:
    """What has turns of its own: all engines together, or one."""

    def __init__(self, engines, scope):
        self.engines = engines
        self.scope = scope
        self.current = None
        self.next = None                # after the drain that goes on
        self.switching = None           # since when
        self.picked = 0
        self.hold = None                # since when it is kept idle for the current one


class Simulation:
    def __init__(self, vgpus, policy="strict", dispatch="exclusive", period=100, length=600,
                 anticipation=20, host=20, stay=0, carry_over=1, tell=True, own=None):
        self.vgpus = vgpus
        self.policy, self.dispatch = policy, dispatch
        self.period = int(period * MS)
        self.end = int(length * MS)
        self.anticipation = int(anticipation * MS)
        self.host = int(host * US)      # the CPU's part before and behind a workload
        self.stay = int(stay * MS)      # turns are at least so long, while there is work
        self.carry_over = carry_over
        self.tell = tell                # gvt_sched_info
        self.own = own                  # list of Own; None: not recorded
        self.own_queues = collections.defaultdict(collections.deque)
        self.own_since = {}             # engine -> since when the host's work executes there
        self.own_done = self.own_passed = 0     # its time; that by which periods were made longer
        self.delayed = {}               # engine -> workload that waits for that
        self.now = 0
        self.heap, self.order = [], 0
        self.lines = []
        self.number = 0
        self.queues = collections.defaultdict(collections.deque)
        self.flying = {}                # vGPU, engine -> workload
        self.running = {}               # engine -> workload
        self.since = {}                 # engine -> when that began
        self.stops = {}                 # engine -> token of its end
        self.starting = {}              # engine -> workload on its way there
        self.busy = None                # since when any engine is, with exclusive dispatch
        names = sorted({s.engine for v in vgpus for s in v.streams}, key=ENGINES.get)
        if dispatch == "exclusive":
            self.lanes = [Lane(names, None)]
        else:
            self.lanes = [Lane([name], name) for name in names]
        for lane in self.lanes:
            lane.entities = {v.number: Entity(v) for v in vgpus}
        self.lane_of = {name: lane for lane in self.lanes for name in lane.engines}

    # --- events ---------------------------------------------------------------------
    def at(self, when, call, *args):
        self.order += 1
        heapq.heappush(self.heap, (when, self.order, call, args))

    def emit(self, event, *fields):
        self.lines.append((self.now, f"{event} {' '.join(fields)}"))

    def of(self, w):
        return (f"v={w.stream.vgpu.number} w={w.number}",
                f"c={ENGINES[w.stream.engine]}" if w.stream.engine != "rcs0" else "")

    def info(self):
        for v in self.vgpus:
            if not v.allow:
                self.emit("print", f"buf=gvt-stat-meta~vgpu~a-{v.number}~id={v.number}~preempt=0")
            self.emit("gvt_vgpu_info", f"v={v.number} weight={v.weight} nice={v.nice} cap={v.cap}",
                      f"uuid=a-{v.number} owner_pid={1000 + v.number}")
        for engine in ENGINES:
            self.emit("gvt_host_state", f"class={ENGINES[engine]}",
                      f"running={int(engine in self.own_since)}")
        if self.tell:
            self.emit("gvt_sched_info", f"vgpus={len(self.vgpus)} tick_ns={TICK}",
                      f"period_ns={self.period} stages=10 boost_ns={2 * SEC}",
                      f"carry_over={self.carry_over} leftover_max_ns={SEC} max_wait_ns={SEC}",
                      f"anticipation_ns={self.anticipation} policy={self.policy}",
                      f"dispatch={self.dispatch}")

    # --- the host's own work --------------------------------------------------------
    def own_arrive(self, own):
        """It is with the engine, and waits until that is free."""
        if self.now >= self.end:
            return
        self.own_queues[own.engine].append((own, self.now))
        if own.period:
            self.at(self.now + own.period, self.own_arrive, own)
        w = self.running.get(own.engine)
        if not w:
            self.own_begin(own.engine)
        elif self.dispatch == "preemptive" and w.stream.vgpu.preempt and not w.fails:
            self.at(self.now + TICK, self.stop, own.engine, self.stops[own.engine], False)

    def own_begin(self, engine, holder=0):
        """Returns whether the host has the engine."""
        if engine in self.own_since or not self.own_queues[engine]:
            return engine in self.own_since
        own, since = self.own_queues[engine].popleft()
        self.own_since[engine] = self.now
        waited = self.now - since if holder else 0
        self.emit("gvt_host_start", f"class={ENGINES[engine]} waited_ns={waited} holder={holder}")
        self.at(self.now + own.length, self.own_end, own)
        return True

    def own_end(self, own):
        engine = own.engine
        exec_ns = self.now - self.own_since.pop(engine)
        self.own_done += exec_ns
        self.emit("gvt_host_stop", f"class={ENGINES[engine]}", f"exec_ns={exec_ns}")
        if not own.period:
            self.at(self.now + max(own.think, US), self.own_arrive, own)
        if engine in self.delayed:
            self.start(self.delayed.pop(engine))
        elif not self.own_begin(engine) and engine in self.lane_of and self.lane_of[engine].current:
            self.submit(self.lane_of[engine].current.vgpu.number, engine)

    # --- slices ---------------------------------------------------------------------
    def own_ns(self):
        """For how long the host has had an engine; where it has several, they are taken for one."""
        return self.own_done + sum(self.now - since for since in self.own_since.values())

    def balance(self, stage):
        passed = self.own_ns() - self.own_passed
        if self.dispatch != "exclusive" and passed:
            self.own_passed += passed
            self.at(self.now + passed, self.balance, stage)
            return
        total = sum(v.share for v in self.vgpus)
        for lane in self.lanes:
            for entity in lane.entities.values():
                entity.slice = int(self.period * entity.vgpu.share / total)
                entity.left = entity.slice + (entity.left if self.carry_over and stage else 0)
                scope = self.scope(lane)
                self.emit("balance", f"v={entity.vgpu.number} weight={entity.vgpu.weight}",
                          f"slice_ns={entity.slice} left_ns={entity.left}", scope)
        self.at(self.now + self.period, self.balance, (stage + 1) % 10)

    @staticmethod
    def scope(lane):
        return f"class={ENGINES[lane.scope]} instance=0" if lane.scope else ""

    def charge(self, lane, entity, time):
        entity.left -= time
        entity.had += time / entity.vgpu.share
        entity.bucket -= time

    # --- who is next ----------------------------------------------------------------
    def has_work(self, lane, number):
        return any(self.queues[number, e] or (number, e) in self.flying for e in lane.engines)

    def may_run(self, entity):
        return not entity.vgpu.cap or entity.bucket > 0

    def choose(self, lane):
        ready = [e for e in lane.entities.values()
                 if self.has_work(lane, e.vgpu.number) and self.may_run(e)]
        if self.policy == "fair":
            return self.choose_fair(lane, ready)
        funded = [e for e in ready if e.left > 0]
        if not funded and self.policy == "work-conserving":
            funded = ready
        if lane.current in ready and self.now - lane.picked < self.stay:
            return lane.current
        others = [e for e in funded if e is not lane.current]
        if not others:
            lane.picked = self.now
        if others:
            return min(others, key=lambda e: e.turn)
        return funded[0] if funded else None

    def choose_fair(self, lane, ready):
        if not ready:
            return None
        best = min(ready, key=lambda e: e.had)
        current = lane.current
        if current in ready and current.had <= best.had + 2 * MS / current.vgpu.share:
            return current
        if current and current not in ready and self.is_expected(current) and \
           current.had < best.had:
            lane.hold = lane.hold or self.now
            if self.now - lane.hold < self.anticipation:
                return current
        return best

    def is_expected(self, entity):
        return self.may_run(entity) and \
            any(s.think and s.think <= self.anticipation for s in entity.vgpu.streams)

    def end_hold(self, lane, result):
        if lane.hold is None:
            return
        held = self.now - lane.hold
        waiting = [n for n in lane.entities if lane.entities[n] is not lane.current and
                   self.has_work(lane, n)]
        lane.hold = None
        if held and waiting:
            self.emit("gvt_sched_hold", f"v={lane.current.vgpu.number} held_vgpu_id={waiting[0]}",
                      f"held_ns={held} window_ns={self.anticipation} result={result}",
                      self.scope(lane))

    def schedule(self, lane):
        """Another one's turn? It begins when the engines are drained."""
        following = self.choose(lane)
        if lane.switching is not None or following is lane.current:
            return
        self.end_hold(lane, 1)
        lane.next, lane.switching = following, self.now
        if self.dispatch == "preemptive":
            self.take_off(lane)
        self.try_switch(lane)

    def take_off(self, lane):
        for engine in lane.engines:
            w = self.running.get(engine)
            if w and w.stream.vgpu.preempt and not w.fails:
                self.stop(engine, self.stops[engine], False)

    def try_switch(self, lane):
        busy = [e for e in lane.engines if e in self.running or e in self.starting]
        if lane.scope is None:
            busy = [e for (n, e) in self.flying if e in lane.engines]
        if lane.switching is None or busy:
            return
        previous, lane.current = lane.current, lane.next
        drained, lane.switching = self.now - lane.switching, None
        self.emit("switch", f"prev={previous.vgpu.number if previous else 0}",
                  f"next={lane.current.vgpu.number if lane.current else 0}",
                  f"prev_left_ns={previous.left if previous else 0}",
                  f"next_left_ns={lane.current.left if lane.current else 0}",
                  f"drain_ns={drained} reason=1", self.scope(lane))
        if lane.current:
            lane.current.turn = self.now
            lane.picked = self.now
        self.submit_all(lane)

    # --- the life of a workload -----------------------------------------------------
    def arrive(self, stream):
        if self.now >= self.end:
            return
        self.number += 1
        stream.count += 1
        w = Workload(self.number, stream, self.now)
        self.emit("queue", *self.of(w))
        self.queues[stream.vgpu.number, stream.engine].append(w)
        if stream.period:
            self.at(self.now + stream.period, self.arrive, stream)
        if stream.vgpu.patience:
            self.at(self.now + stream.vgpu.patience, self.give_up, w)
        lane = self.lane_of[stream.engine]
        if lane.hold is not None and lane.current and lane.current.vgpu is stream.vgpu:
            self.end_hold(lane, 0)
        self.react(lane)

    def give_up(self, w):
        """The guest resets the engine: all that is queued goes."""
        number, engine = w.stream.vgpu.number, w.stream.engine
        if w not in self.queues[number, engine]:
            return
        gone = list(self.queues[number, engine])
        self.queues[number, engine].clear()
        for one in gone:
            self.emit("cancel", *self.of(one), "reason=1")
            self.again(one.stream)

    def again(self, stream):
        if not stream.period:
            self.at(self.now + max(stream.think, US), self.arrive, stream)

    def react(self, lane):
        """Under strict it takes a tick; the others look when something happens."""
        if self.policy != "strict":
            self.schedule(lane)
        self.submit_all(lane)

    def submit_all(self, lane):
        if lane.current is None or (lane.switching is not None and lane.scope is None):
            return
        number = lane.current.vgpu.number
        for engine in lane.engines:
            self.submit(number, engine)

    def submit(self, number, engine):
        lane = self.lane_of[engine]
        if lane.switching is not None or engine in self.running or engine in self.starting:
            return
        if (number, engine) in self.flying:
            w = self.flying[number, engine]
            if w.started is not None and w.left > 0:
                self.start(w)
            return
        if not self.queues[number, engine]:
            return
        w = self.queues[number, engine].popleft()
        self.flying[number, engine] = w
        # beyond exclusive dispatch, it has been got ready before
        wait = self.host if lane.scope is None else US
        self.starting[engine] = w
        self.at(self.now + wait, self.submitted, w)

    def submitted(self, w):
        self.emit("submit", *self.of(w))
        self.at(self.now + 3 * US, self.start, w)

    def start(self, w):
        engine = w.stream.engine
        if engine in self.own_since:
            self.starting[engine] = self.delayed[engine] = w
            return
        self.starting.pop(engine, None)
        self.emit("start", *self.of(w))
        w.started = self.now
        if not self.running:
            self.busy = self.now
        self.running[engine], self.since[engine] = w, self.now
        self.order += 1
        self.stops[engine] = self.order
        length = 4 * SEC if w.fails else w.left
        self.at(self.now + length, self.stop, engine, self.order, True)

    def stop(self, engine, token, done):
        if self.stops.get(engine) != token:
            return
        w = self.running.pop(engine)
        lane = self.lane_of[engine]
        ran = self.now - self.since[engine]
        self.stops[engine] = None
        w.left -= ran
        # a turn on all engines is charged once, however many of them it uses
        if lane.scope or not self.running:
            self.charge(lane, lane.entities[w.stream.vgpu.number],
                        ran if lane.scope else self.now - self.busy)
        self.emit("stop", *self.of(w), f"done={int(done)}")
        self.own_begin(engine, w.stream.vgpu.number)
        if done:
            self.at(self.now + (self.host if lane.scope is None else US), self.complete, w)

    def complete(self, w):
        number, engine = w.stream.vgpu.number, w.stream.engine
        self.emit("complete", *self.of(w), f"status={-5 if w.fails else 0}")
        del self.flying[number, engine]
        lane = self.lane_of[engine]
        self.again(w.stream)
        if lane.switching is not None:
            self.try_switch(lane)
        self.react(lane)

    def charge_running(self):
        for engine, w in self.running.items():
            lane = self.lane_of[engine]
            if lane.scope is None and self.busy == self.now:
                continue
            begin = self.since[engine] if lane.scope else self.busy
            self.charge(lane, lane.entities[w.stream.vgpu.number], self.now - begin)
            self.busy = self.now
            if lane.scope:
                w.left -= self.now - begin
                self.since[engine] = self.now

    def runs_on(self, lane):
        """Without preemption, fair decides when a workload ends."""
        return self.policy == "fair" and self.dispatch != "preemptive" and \
            any(engine in self.running for engine in lane.engines)

    def tick(self):
        self.charge_running()
        for lane in self.lanes:
            for entity in lane.entities.values():
                if entity.vgpu.cap:
                    entity.bucket = min(entity.bucket + TICK * entity.vgpu.cap // 100, 20 * MS)
            if not self.runs_on(lane):
                self.schedule(lane)
            self.submit_all(lane)
        self.at(self.now + TICK, self.tick)

    def run(self):
        self.info()
        self.balance(0)
        self.at(TICK, self.tick)
        for vgpu in self.vgpus:
            for stream in vgpu.streams:
                stream.vgpu, stream.count = vgpu, 0
                for slot in range(1 if stream.period else stream.depth):
                    self.at(stream.start + slot * 10 * US + vgpu.number * US, self.arrive, stream)
        for own in self.own or []:
            self.at(own.start, self.own_arrive, own)
        while self.heap and self.heap[0][0] <= self.end:
            self.now, _, call, args = heapq.heappop(self.heap)
            call(*args)
        self.now = self.end
        self.info()
        return self.lines
