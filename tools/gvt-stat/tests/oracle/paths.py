# SPDX-License-Identifier: GPL-2.0-or-later
"""Random threads, interrupts and engines that wait for each other, and what they waited for.

Threads take CPUs, sleep and are woken up by threads, interrupts and timers; those of kvmgt wait
for the engines. What everybody did is noted as it is played, not read from the events; the
critical path is followed moment by moment.
"""
from bisect import bisect_right

from history import ENGINES, Event

CPUS = 4
IDLE_TASK = 0
BLOCKED, RUNNABLE, PREEMPTED, RUNS, GUEST = "blocked runnable preempted runs guest".split()
MAX_DEPTH = 64


class Worker:
    """A thread or an engine, and what it did: @marks are (time, what, detail) from then on."""

    def __init__(self, tid=None, dev=None, engine=None):
        self.tid, self.dev, self.engine = tid, dev, engine
        self.name = (dev, engine) if engine else tid
        self.marks = []
        self.wakeups = []           # when it is told that it has been woken up
        self.state, self.cpu = BLOCKED, None
        self.workload = None        # submitted, and not completed
        self.schedules = False

    def begin(self, time, what, detail=None):
        self.marks.append([time, what, detail])

    def at(self, time):
        nr = bisect_right(self.marks, time, key=lambda mark: mark[0])
        return self.marks[nr - 1][1:] if nr else ["unknown", None]

    def between(self, earliest, latest):
        """All that it did, at both ends, too."""
        nr = bisect_right(self.marks, earliest, key=lambda mark: mark[0])
        end = bisect_right(self.marks, latest, key=lambda mark: mark[0])
        return [self.at(earliest)] + [mark[1:] for mark in self.marks[nr:end]]


class Wait:
    """What ended it, and for which engine it was, whoever brought the news."""

    def __init__(self, why, engine):
        self.why, self.engine = why, engine


class Gpu:
    def __init__(self, rng, dev, first_tid):
        self.dev = dev
        self.turn = None
        self.engines = {name: Worker(dev=dev, engine=name)
                        for name in rng.sample(sorted(ENGINES), rng.randint(1, 2))}
        self.threads = {name: Worker(first_tid + nr) for nr, name in enumerate(self.engines)}
        self.scheduler = Worker(first_tid + 9)
        self.on_engine = {name: None for name in self.engines}
        self.queue = []             # workloads that wait
        self.flight = {}            # engine -> its workload
        self.last_id = rng.randint(0, 50)


class Play:
    """Plays @steps; then @events, @workers and @workloads tell what was."""

    def __init__(self, rng, gpus=1, steps=600):
        self.rng, self.now = rng, 1000
        self.events, self.workloads = [], []
        self.gpus = [Gpu(rng, dev, 200 + 100 * nr)
                     for nr, dev in enumerate(rng.sample(range(4), gpus))]
        self.vcpus = [Worker(101 + nr) for nr in range(2)]
        self.others = [Worker(501)]
        mine = [w for gpu in self.gpus for w in [*gpu.threads.values(), gpu.scheduler]]
        self.threads = self.vcpus + self.others + mine
        self.workers = {w.name: w for w in self.threads}
        self.workers |= {e.name: e for gpu in self.gpus for e in gpu.engines.values()}
        self.running = [None] * CPUS
        for gpu in self.gpus:
            self.emit(0, "gvt_sched_info", None, dev=gpu.dev, policy="fair", dispatch="exclusive")
        acts = [self.switch] * 8 + [self.guest] * 3 + [self.wake] * 6 + [self.interrupt] * 5 + \
            [self.enqueue] * 2 + [self.submit] * 8 + [self.engine] * 10 + [self.complete] * 8 + \
            [self.turn] * 4
        for cpu in range(CPUS):
            self.switch()
        for _ in range(steps):
            rng.choice(acts)()

    def emit(self, cpu, name, context, **fields):
        self.now += 1 + self.rng.choice([0, 0, 1, 50, 400])
        common = {} if context is None else {"common_pid": context}
        self.events.append(Event(self.now, cpu, name, common | fields))
        return self.now

    def pid_on(self, cpu):
        return self.running[cpu].tid if self.running[cpu] else IDLE_TASK

    def some(self, threads, *states):
        fit = [w for w in threads if w.state in states]
        return self.rng.choice(fit) if fit else None

    # --- threads ----------------------------------------------------------------

    def switch(self):
        cpu = self.rng.randrange(CPUS)
        prev = self.running[cpu]
        if prev and prev.state == GUEST:
            return
        following = self.some(self.threads, RUNNABLE, PREEMPTED)
        if not following and (not prev or self.rng.random() < 0.5):
            # who sleeps since before the trace shows up when it runs
            following = next((w for w in self.threads if not w.marks), None)
        if not prev and not following:
            return
        sleeps = prev and self.rng.random() < 0.7
        at = self.emit(cpu, "sched_switch", self.pid_on(cpu), prev_pid=self.pid_on(cpu),
                       prev_state=int(bool(sleeps)), prev_comm="a",
                       next_pid=following.tid if following else IDLE_TASK, next_comm="b")
        if prev:
            prev.state = BLOCKED if sleeps else PREEMPTED
            prev.begin(at, prev.state)
        if following:
            following.state = RUNS
            following.cpu = cpu
            following.begin(at, RUNS)
        self.running[cpu] = following

    def guest(self):
        vcpu = self.some(self.vcpus, RUNS, GUEST)
        if not vcpu:
            return
        entry = vcpu.state == RUNS
        at = self.emit(vcpu.cpu, "kvm_entry" if entry else "kvm_exit", vcpu.tid)
        vcpu.state = GUEST if entry else RUNS
        vcpu.begin(at, vcpu.state)

    def end_wait(self, worker, cpu, pid, why):
        """@why: a waker, "interrupt" or "timer"; who waits for an engine waits for that."""
        at = self.emit(cpu, "sched_waking", pid, pid=worker.tid)
        if why == "timer" and worker.schedules:
            gpu = next(g for g in self.gpus if g.scheduler is worker)
            why = ("turn", gpu.turn) if gpu.turn else why
        engine = worker.workload["engine"] if worker.workload else None
        worker.marks[-1][2] = Wait(why, engine)
        worker.state = RUNNABLE
        worker.begin(at, RUNNABLE)
        if self.rng.random() < 0.5:
            worker.wakeups.append(self.emit(self.rng.randrange(CPUS), "sched_wakeup", pid, pid=worker.tid))

    def wake(self):
        waker, worker = self.some(self.threads, RUNS), self.sleeper()
        if waker and worker:
            self.end_wait(worker, waker.cpu, waker.tid, waker)

    def sleeper(self):
        """Nobody but its engine ends the wait of who has submitted: that has stopped."""
        fit = [w for w in self.threads if w.state == BLOCKED and w.marks and
               (not w.workload or w.workload["stopped"])]
        return self.rng.choice(fit) if fit else None

    def interrupt(self):
        cpu, worker = self.rng.randrange(CPUS), self.sleeper()
        pid, timer = self.pid_on(cpu), self.rng.random() < 0.4
        around = self.rng.choice([("irq_handler_entry", "irq_handler_exit", {"irq": 3}),
                                  ("softirq_entry", "softirq_exit", {"vec": 1})])
        self.emit(cpu, around[0], pid, **around[2])
        if timer:
            self.emit(cpu, "hrtimer_expire_entry", pid)
        if worker:
            self.end_wait(worker, cpu, pid, "timer" if timer else "interrupt")
        if timer:
            self.emit(cpu, "hrtimer_expire_exit", pid)
        self.emit(cpu, around[1], pid, **around[2])

    # --- GPUs -------------------------------------------------------------------

    def emit_of(self, w, cpu, name, pid, **fields):
        cls, instance = ENGINES[w["engine"].engine]
        return self.emit(cpu, "gvt_workload_" + name, pid, dev=w["dev"], vgpu_id=w["vgpu"],
                         workload_id=w["id"], **{"class": cls}, instance=instance, **fields)

    def enqueue(self):
        gpu, vcpu = self.rng.choice(self.gpus), self.some(self.vcpus, RUNS)
        if not vcpu:
            return
        gpu.last_id += 1
        w = {"dev": gpu.dev, "id": gpu.last_id, "vgpu": self.rng.randint(1, 2), "stopped": False,
             "engine": self.rng.choice(list(gpu.engines.values()))}
        w["queued"] = self.emit_of(w, vcpu.cpu, "queue", vcpu.tid)
        gpu.queue.append(w)
        self.workloads.append(w)

    def submit(self):
        gpu = self.rng.choice(self.gpus)
        for w in gpu.queue:
            thread = gpu.threads[w["engine"].engine]
            if w["vgpu"] == gpu.turn and not thread.workload and thread.state == RUNS:
                break
        else:
            return
        gpu.queue.remove(w)
        at = self.emit_of(w, thread.cpu, "submit", thread.tid)
        w["submitted"] = at
        thread.workload = gpu.flight[w["engine"].engine] = w
        if not w["engine"].marks:
            w["engine"].begin(at, "idle")

    def engine(self):
        gpu = self.rng.choice(self.gpus)
        name = self.rng.choice(list(gpu.engines))
        w, engine = gpu.flight.get(name), gpu.engines[name]
        if not w or w["stopped"]:
            return
        if gpu.on_engine[name]:
            done = self.rng.random() < 0.8
            at = self.emit_of(w, self.rng.randrange(CPUS), "stop", None, completed=int(done))
            gpu.on_engine[name], w["stopped"] = None, done
            engine.begin(at, "idle")
        else:
            at = self.emit_of(w, self.rng.randrange(CPUS), "start", None)
            gpu.on_engine[name] = w
            engine.begin(at, "executes", (w["id"], w["vgpu"]))

    def complete(self):
        gpu = self.rng.choice(self.gpus)
        for name, thread in gpu.threads.items():
            w = thread.workload
            if w and w["stopped"] and thread.state == RUNS:
                w["ended"], w["thread"] = self.emit_of(w, thread.cpu, "complete", thread.tid), thread
                thread.workload = gpu.flight[name] = None

    def turn(self):
        """Engines are drained before: nothing is submitted."""
        gpu = self.rng.choice(self.gpus)
        if gpu.scheduler.state != RUNS or any(gpu.flight.values()):
            return
        following = self.rng.choice([v for v in (None, 1, 2) if v != gpu.turn])
        self.emit(gpu.scheduler.cpu, "gvt_sched_switch", gpu.scheduler.tid, dev=gpu.dev,
                  prev_vgpu_id=gpu.turn or 0, next_vgpu_id=following or 0, reason=1,
                  **{"class": -1}, instance=-1)
        gpu.turn, gpu.scheduler.schedules = following, True


# --- the path -------------------------------------------------------------------

def ends(wait, unseen):
    """What a wait may be told to be for: @unseen: also if its submission is not in the trace."""
    if not wait:
        return ["unexplained"]
    if not wait.engine:
        return [wait.why]
    return [wait.engine, wait.why] if unseen else [wait.engine]


def told_of(worker, what, detail, unseen, depth, further):
    """[(worker, what, vGPU, workload)] that may be on the path: @further: of who ends a wait."""
    if what != BLOCKED:
        workload, vgpu = detail if what == "executes" else (None, None)
        return [(worker.name, what, vgpu, workload)]
    told = []
    for end in ends(detail, unseen):
        if isinstance(end, Worker) and depth < MAX_DEPTH:
            told += further(end)
        elif isinstance(end, tuple):
            told.append((worker.name, *end, None))
        else:
            told.append((worker.name, end, None, None))
    return told


def all_at(worker, time, unseen, depth=0):
    """What may be on the path of @worker at that moment."""
    return told_of(worker, *worker.at(time), unseen, depth,
                   lambda end: all_at(end, time, unseen, depth + 1))


def moments(play, since, until):
    """Between these, nothing changes."""
    times = {mark[0] for worker in play.workers.values() for mark in worker.marks}
    return sorted({since, until} | {time for time in times if since < time < until})


def true_path(play, worker, since, until):
    """[(from, to, *all_at())], neighbours differ."""
    path, times = [], moments(play, since, until)
    for begin, end in zip(times, times[1:]):
        now, = all_at(worker, begin, False)
        if path and path[-1][2:] == now:
            path[-1] = (path[-1][0], end, *now)
        else:
            path.append((begin, end, *now))
    return path


def number(text):
    return int(text) if text else None


def printed_path(lines):
    def name(line):
        return int(line["tid"]) if line["tid"] else (int(line["dev"]), line["worker"])
    return [(int(l["from_ns"]), int(l["to_ns"]), name(l), l["what"], number(l["vgpu_id"]),
             number(l["workload_id"])) for l in lines]


def weaker(shown, truth):
    """Less than the truth, but not another one: of what is not in an imperfect trace."""
    if shown[1] in ("unknown", "unexplained"):
        return True
    return shown[1] == "timer" and truth[1] == "turn" and shown[0] == truth[0]


def all_near(worker, earliest, latest, depth=0):
    """What may be on the path between these, each worker's part of it told by another clock."""
    told = []
    for what, detail in worker.between(earliest, latest):
        told += told_of(worker, what, detail, True, depth,
                        lambda end: all_near(end, earliest, latest, depth + 1))
    return told


def skewed_parts(play, worker, path, least, most):
    """Where a path says what was not, with clocks that are @least to @most ahead of the truth.

    Who is waited for is told by another CPU's clock than when.
    """
    wrong, apart = [], most - least
    for begin, end, *shown in path:
        changes = [begin, *(time + most for time in moments(play, begin - most, end - most)), end]
        for time in sorted({t for t in changes if begin <= t < end}):
            truths = all_near(worker, time - most - apart, time - least + apart)
            if not any(tuple(shown) == truth or weaker(shown, truth) for truth in truths):
                wrong.append(f"at {time}: {shown} instead of {truths}")
    return wrong


def wrong_parts(play, worker, path, since, until):
    """Where a path of an imperfect trace says what was not."""
    wrong, told = [], since
    for begin, end, *shown in path:
        if begin != told or end <= begin:
            wrong.append(f"a segment from {begin} to {end} after {told}")
        told = end
        for time in moments(play, begin, end)[:-1]:
            truths = all_at(worker, time, True)
            if not any(tuple(shown) == truth or weaker(shown, truth) for truth in truths):
                wrong.append(f"at {time}: {shown} instead of {truths}")
    return wrong if told == until else wrong + [f"it ends at {told} instead of {until}"]


# --- what vcpu tells ------------------------------------------------------------

def awake_from(worker, since, until):
    """From when on it waits for a CPU, as vcpu has it: sched_wakeup, not sched_waking, tells."""
    return next((time for time in worker.wakeups if since <= time < until), until)


def thread_times(worker, since, until):
    """{column of vcpu: ns}, of a vCPU thread; before its first event nothing is known."""
    columns = {GUEST: "guest_ns", RUNS: "vmm_ns", PREEMPTED: "preempted_ns", RUNNABLE: "runnable_ns",
               BLOCKED: "blocked_ns"}
    times = dict.fromkeys([*columns.values(), "unknown_ns"], 0)
    ends = [mark[0] for mark in worker.marks[1:]] + [until]
    spans = [(since, worker.marks[0][0] if worker.marks else until, "unknown_ns")]
    for (begin, what, _), end in zip(worker.marks, ends):
        awake = awake_from(worker, begin, end) if what == RUNNABLE else begin
        spans += [(begin, awake, "blocked_ns"), (awake, end, columns[what])]
    for begin, end, column in spans:
        times[column] += max(0, min(end, until) - max(begin, since))
    return times
