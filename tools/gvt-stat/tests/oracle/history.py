# SPDX-License-Identifier: GPL-2.0-or-later
"""Random histories of GPUs that vGPUs share: what really happened, to the nanosecond.

A history is played by a small event loop. It keeps to the rules of kvmgt: a vGPU's
work is submitted in its turn only, in the order of its queue, one workload per vGPU and
engine at a time; a turn ends when its engines are drained. It knows nothing of gvt-stat.
"""
import heapq
from dataclasses import dataclass, field

ENGINES = {"rcs0": (0, 0), "bcs0": (1, 0), "vcs0": (2, 0), "vecs0": (3, 0)}
NOBODY = 0
US = 1000
MS = 1000 * US


@dataclass(eq=False)
class Workload:
    dev: int
    id: int
    vgpu: int
    engine: str
    queue: int
    submit: int = None
    pieces: list = field(default_factory=list)  # [start, stop or None]
    end: int = None
    status: int = None
    cancelled: bool = False
    finished: bool = False      # the last stop was its end
    dead: bool = False          # or the engine was reset, and it never came back
    flight: tuple = None

    @property
    def where(self):
        return self.dev, self.vgpu, self.engine


@dataclass
class Turn:
    """From @start on it is the turn of @vgpu, 0 for nobody's, on one engine or, None, all."""
    start: int
    vgpu: int
    drain: int = 0          # for how long engines were drained before @start
    left: dict = None       # of which vGPU which slice was left, as told at @start


@dataclass
class Hold:
    start: int
    end: int
    expected: int


@dataclass
class Event:
    ts: int
    cpu: int
    name: str
    fields: dict


class Gpu:
    """One GPU's part of a history; turns, holds and slices are by engine, or by None."""

    def __init__(self, dev, rng):
        self.dev = dev
        self.vgpus = list(range(1, rng.randint(1, 4) + 1))
        self.engines = rng.sample(sorted(ENGINES), rng.randint(1, 3))
        self.dispatch = rng.choice(["exclusive", "exclusive", "per-engine", "preemptive"])
        self.policy = rng.choice(["strict", "work-conserving", "fair"])
        self.scopes = [None] if self.dispatch == "exclusive" else list(self.engines)
        self.pending = {(v, e): [] for v in self.vgpus for e in self.engines}
        self.flight = {(v, e): None for v in self.vgpus for e in self.engines}
        self.on_engine = {e: None for e in self.engines}
        self.turns = {scope: [Turn(0, self.vgpus[0])] for scope in self.scopes}
        self.holds = {scope: [] for scope in self.scopes}
        self.left = {}          # (vgpu, scope) -> [(time, left)]
        self.deciding = {scope: None for scope in self.scopes}
        self.own = None         # the host's work: engine -> [[start, stop or None]]; None: not told
        self.own_waits = []     # (engine, from, to, holder)
        self.last_id = rng.randint(0, 1000)
        self.load = rng.choice([0.3, 1.0, 3.0])

    def scope_of(self, engine):
        return engine if engine in self.scopes else None

    def turn_of(self, engine):
        return self.turns[self.scope_of(engine)][-1].vgpu

    def engines_of(self, scope):
        return [scope] if scope else self.engines

    def is_taken(self, engine):
        own = self.own[engine] if self.own else None
        return self.on_engine[engine] or (own and own[-1][1] is None)

    def drained(self, scope):
        vgpu = self.turns[scope][-1].vgpu
        return not vgpu or all(not self.flight[vgpu, e] for e in self.engines_of(scope))


def info_of(gpu, vgpu):
    """What the kernel tells of a vGPU."""
    return {"dev": gpu.dev, "vgpu_id": vgpu, "weight": 1, "nice": 0, "cap": 0, "type": "V",
            "uuid": f"u-{gpu.dev}-{vgpu}"}


class History:
    """Plays; afterwards @events, @workloads and @gpus tell what was."""

    def __init__(self, rng, gpus=1, length=60 * MS, own=False, late=0):
        """@own: the host has work of its own, too; i915 sees it up to @late ns late"""
        self.rng = rng
        self.own = own
        self.late = late
        self.lateness = 0       # in sum
        self.length = length
        self.now = 0
        self.due = []
        self.serial = 0
        self.events = []
        self.workloads = []
        self.gpus = {dev: Gpu(dev, rng) for dev in rng.sample(range(4), gpus)}
        for gpu in self.gpus.values():
            self.begin(gpu)
        self.play()

    # --- the loop -------------------------------------------------------------

    def after(self, delay, call, *args):
        self.serial += 1
        heapq.heappush(self.due, (self.now + max(1, int(delay)), self.serial, call, args))

    def play(self):
        while self.due and self.due[0][0] < self.length:
            time, _, call, args = heapq.heappop(self.due)
            self.now = max(time, self.now)
            call(*args)

    def some(self, mean):
        return self.rng.expovariate(1 / mean) + 1

    def emit(self, cpu, name, **fields):
        """No two events have the same time: their order is certain."""
        self.now += 1
        self.events.append(Event(self.now, cpu, name, fields))
        return self.now

    def emit_of(self, w, cpu, name, **fields):
        cls, instance = ENGINES[w.engine]
        return self.emit(cpu, "gvt_workload_" + name, dev=w.dev, vgpu_id=w.vgpu,
                         workload_id=w.id, **{"class": cls}, instance=instance, **fields)

    # CPU 0 has the scheduler and the vCPUs of odd vGPUs, 1 the other vCPUs, 2 the
    # engines' threads, 3 interrupts
    def begin(self, gpu):
        for vgpu in gpu.vgpus:
            self.emit(0, "gvt_vgpu_info", **info_of(gpu, vgpu))
        self.emit(0, "gvt_sched_info", dev=gpu.dev, vgpus=len(gpu.vgpus), policy=gpu.policy,
                  dispatch=gpu.dispatch)
        if self.own:
            self.begin_own(gpu)
        for scope in gpu.scopes:
            for vgpu in gpu.vgpus:
                self.balance(gpu, scope, vgpu)
            self.turn(gpu, scope, gpu.vgpus[0], NOBODY, 0)
            self.decide(gpu, scope)
        for vgpu, engine in gpu.pending:
            if self.rng.random() < 0.8:
                self.after(self.some(2 * MS), self.guest, gpu, vgpu, engine)

    # --- the host's own work ----------------------------------------------------

    def begin_own(self, gpu):
        gpu.own = {engine: [] for engine in gpu.engines}
        for engine in gpu.engines:
            self.own_event(gpu, engine, "state", running=0)
            if self.rng.random() < 0.8:
                self.after(self.some(2 * MS), self.own_arrives, gpu, engine)

    def own_event(self, gpu, engine, name, **fields):
        cls, instance = ENGINES[engine]
        return self.emit(3, "gvt_host_" + name, dev=gpu.dev, **{"class": cls}, instance=instance,
                         **fields)

    def own_arrives(self, gpu, engine):
        self.own_begins(gpu, engine, self.now, NOBODY)

    def own_begins(self, gpu, engine, since, holder):
        if gpu.is_taken(engine):
            holder = gpu.on_engine[engine].vgpu if gpu.on_engine[engine] else holder
            self.after(self.some(10 * US), self.own_begins, gpu, engine, since, holder)
            return
        at = self.now + 1
        if holder:
            gpu.own_waits.append((engine, since, at, holder))
        gpu.own[engine].append([at, None])
        late = self.late and self.rng.random() < 0.5
        self.later(late, self.own_start_seen, gpu, engine, since, holder, late)

    def own_start_seen(self, gpu, engine, since, holder, late):
        self.own_event(gpu, engine, "start", waited_ns=self.now + 1 - since if holder else 0,
                       holder=holder)
        self.after(10 * US + self.some(self.rng.choice([20, 300, 3000]) * US), self.own_ends, gpu, engine, late)

    def own_ends(self, gpu, engine, late):
        self.later(self.late and not late, self.own_stop_seen, gpu, engine, self.now + 1)

    def own_stop_seen(self, gpu, engine, ended):
        span = gpu.own[engine][-1]
        span[1] = ended
        self.own_event(gpu, engine, "stop", exec_ns=ended - span[0])
        self.after(self.some(3 * MS / gpu.load), self.own_arrives, gpu, engine)

    def later(self, late, call, *args):
        """When i915 sees what an engine has done. With both of a stay late nobody could place it."""
        if late:
            delay = self.rng.randint(1, self.late)
            self.lateness += delay
            self.after(delay, call, *args)
        else:
            call(*args)

    # --- guests ---------------------------------------------------------------

    def guest(self, gpu, vgpu, engine):
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            self.queue(gpu, vgpu, engine)
        if self.rng.random() < 0.03:
            self.after(self.some(1 * MS), self.reset, gpu, vgpu, engine)
        self.after(self.some(3 * MS / gpu.load), self.guest, gpu, vgpu, engine)

    def queue(self, gpu, vgpu, engine):
        gpu.last_id += 1
        w = Workload(gpu.dev, gpu.last_id, vgpu, engine, 0)
        w.queue = self.emit_of(w, 1 - vgpu % 2, "queue", guest_lrca=4096 * vgpu)
        self.workloads.append(w)
        gpu.pending[vgpu, engine].append(w)
        self.kick(gpu, engine)

    def reset(self, gpu, vgpu, engine):
        """Not while engines drain: what has ended before that is told counts as "own"."""
        if gpu.deciding[gpu.scope_of(engine)] is None:
            self.drop(gpu, vgpu, engine)

    def drop(self, gpu, vgpu, engine):
        waiting = gpu.pending[vgpu, engine]
        while waiting:
            w = waiting.pop(0)
            w.cancelled = True
            w.end = self.emit_of(w, 1 - vgpu % 2, "cancel", reason=1)

    # --- engines' threads and engines -------------------------------------------

    def kick(self, gpu, engine):
        self.after(self.some(15 * US), self.submit, gpu, engine)

    def submit(self, gpu, engine):
        vgpu = gpu.turn_of(engine)
        if not vgpu or gpu.deciding[gpu.scope_of(engine)] is not None:
            return
        if gpu.flight[vgpu, engine] or not gpu.pending[vgpu, engine]:
            return
        w = gpu.pending[vgpu, engine].pop(0)
        if self.rng.random() < 0.03:
            w.status = -22
            w.end = self.emit_of(w, 2, "complete", status=-22)
            self.kick(gpu, engine)
            return
        gpu.flight[vgpu, engine] = w
        w.flight = w.id * 7, w.id % 1000
        w.submit = self.emit_of(w, 2, "submit", ctx=w.flight[0], seqno=w.flight[1])
        if self.rng.random() < 0.03:
            self.after(self.some(50 * US), self.fail, gpu, w)
        else:
            self.after(self.some(4 * US), self.start, gpu, w)

    def start(self, gpu, w):
        if gpu.is_taken(w.engine):
            self.after(self.some(10 * US), self.start, gpu, w)
            return
        gpu.on_engine[w.engine] = w
        w.pieces.append([self.emit_of(w, 3, "start", ctx=w.flight[0], seqno=w.flight[1], lrca=64),
                         None])
        self.after(30 * US + self.some(600 * US), self.stop, gpu, w, self.rng.random() > 0.15)

    def stop(self, gpu, w, completed):
        gpu.on_engine[w.engine] = None
        w.pieces[-1][1] = self.emit_of(w, 3, "stop", ctx=w.flight[0], seqno=w.flight[1], lrca=64,
                                       completed=int(completed))
        w.finished = completed
        if completed:
            self.after(self.some(20 * US), self.complete, gpu, w)
        elif self.rng.random() < 0.2:
            self.after(self.some(200 * US), self.fail, gpu, w)
        else:
            self.after(self.some(200 * US), self.start, gpu, w)

    def fail(self, gpu, w):
        """The engine was reset; maybe the guest drops what is behind it."""
        if self.rng.random() < 0.3:
            self.drop(gpu, w.vgpu, w.engine)
            self.after(self.some(50 * US), self.die, gpu, w)
        else:
            self.die(gpu, w)

    def die(self, gpu, w):
        w.dead = bool(w.pieces)
        self.end(gpu, w, -5)

    def complete(self, gpu, w):
        self.end(gpu, w, self.rng.choice([0] * 30 + [-5]))

    def end(self, gpu, w, status):
        w.status = status
        w.end = self.emit_of(w, 2, "complete", status=w.status)
        gpu.flight[w.vgpu, w.engine] = None
        self.kick(gpu, w.engine)

    # --- the scheduler ----------------------------------------------------------

    def scope_fields(self, scope):
        cls, instance = ENGINES[scope] if scope else (-1, -1)
        return {"class": cls, "instance": instance}

    def balance(self, gpu, scope, vgpu, left=None):
        if left is None:
            left = self.rng.randint(-30 * MS, 50 * MS)
        at = self.emit(0, "gvt_sched_balance", dev=gpu.dev, vgpu_id=vgpu, stage=1, weight=1,
                       slice_ns=50 * MS, left_ns=left, **self.scope_fields(scope))
        gpu.left.setdefault((vgpu, scope), []).append((at, left))

    def decide(self, gpu, scope):
        self.after(self.some(2 * MS), self.drain, gpu, scope)

    def drain(self, gpu, scope):
        if self.rng.random() < 0.2:
            self.balance(gpu, scope, self.rng.choice(gpu.vgpus))
        gpu.deciding[scope] = self.now
        self.switch_if_drained(gpu, scope)

    def switch_if_drained(self, gpu, scope):
        if not gpu.drained(scope):
            self.after(20 * US, self.switch_if_drained, gpu, scope)
        elif self.rng.random() < 0.15 and len(gpu.vgpus) > 1:
            self.after(self.some(300 * US), self.held, gpu, scope, self.now)
        else:
            self.switch(gpu, scope)

    def held(self, gpu, scope, since):
        expected, other = self.rng.sample(gpu.vgpus, 2)
        length = self.now + 1 - since
        end = self.emit(0, "gvt_sched_hold", dev=gpu.dev, vgpu_id=expected, held_vgpu_id=other,
                        held_ns=length, window_ns=5 * MS, result=1, **self.scope_fields(scope))
        gpu.holds[scope].append(Hold(since, end, expected))
        gpu.deciding[scope] = end
        self.switch(gpu, scope)

    def switch(self, gpu, scope):
        prev = gpu.turns[scope][-1].vgpu
        following = self.rng.choice([v for v in gpu.vgpus + [NOBODY] if v != prev])
        if following and gpu.left[following, scope][-1][1] <= 0:
            self.balance(gpu, scope, following, self.rng.randint(1, 50 * MS))
        self.turn(gpu, scope, prev, following, self.now + 1 - gpu.deciding[scope])
        gpu.deciding[scope] = None
        for engine in gpu.engines_of(scope):
            self.kick(gpu, engine)
        self.decide(gpu, scope)

    def turn(self, gpu, scope, prev, following, drain):
        prev_left = self.rng.randint(-20 * MS, 40 * MS)
        next_left = self.rng.randint(1, 50 * MS)
        at = self.emit(0, "gvt_sched_switch", dev=gpu.dev, prev_vgpu_id=prev,
                       next_vgpu_id=following, prev_left_ns=prev_left, next_left_ns=next_left,
                       prev_slice_ns=50 * MS, next_slice_ns=50 * MS, drain_ns=drain, reason=1,
                       **self.scope_fields(scope))
        told = {prev: prev_left, following: next_left}
        told.pop(NOBODY, None)
        for vgpu, left in told.items():
            gpu.left.setdefault((vgpu, scope), []).append((at, left))
        gpu.turns[scope].append(Turn(at, following, drain, told))
