#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What lies between the points that corpus.t tries: each rule of 'gvt-stat check' along a
ramp of what it is about. What it measures is what the ramp says, it speaks from its
threshold on and at no point before, and it is silent where all get what is theirs.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus"))
import environment  # noqa: E402,F401: what the tests run
from causes import r, v  # noqa: E402
from corpus import check, plain, write_trace  # noqa: E402
from simulate import MS, Simulation, Vgpu  # noqa: E402

THRESHOLDS = {"unfair": 15, "throttled": 5, "capped": 3, "stranded": 5, "host": 5,
              "blocked": 100, "starved": 1500, "switching": 5, "held": 5, "debt": 3,
              "drain": 100, "delayed": 1.5, "resets": 0, "failed": 0, "preempted": 5,
              "host-work": 10, "host-blocks": 100, "host-waits": 20}


class Sweep:
    def __init__(self):
        self.count = self.failed = 0
        self.work = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.work.name, "trace.dat")

    def result(self, name, problems):
        self.count += 1
        self.failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {self.count} - {name}")
        for problem in problems:
            print(f"# {problem}")

    def values(self, lines, rule, engine="rcs0"):
        """By vGPU what the rule measures, as if it spoke at once; and who it speaks of."""
        write_trace(self.path, plain(lines))
        def of(findings):
            return {f["vgpu_id"]: f["value"] for f in findings
                    if f["rule"] == rule and f["engine"] in (engine, None)}
        return of(check(self.path, "--threshold", f"{rule}=0")), of(check(self.path))

    def ramp(self, name, rule, points, lines_of, expected, vgpu=1, tolerance=0.05, engine="rcs0"):
        """@expected: what it is to measure, 0: nothing. @tolerance: of the threshold's unit."""
        problems, threshold = [], THRESHOLDS[rule]
        for point in points:
            measured, spoken = self.values(lines_of(point), rule, engine)
            want, value = expected(point), measured.get(vgpu, 0)
            if abs(value - want) > tolerance:
                problems.append(f"at {point}: {value:.2f} instead of {want:.2f}")
            if (vgpu in spoken) != (value > threshold):
                problems.append(f"at {point}: {value:.2f} is {'' if vgpu in spoken else 'not '}told")
            problems += [f"at {point}: also vGPU {other}" for other in spoken if other != vgpu]
        self.result(f"{rule}: {name}", problems)


def with_host(part, waited=0, every=1):
    """Of each 10 ms, or @every so many, the host's own work executes for @part per cent, for which work
    of vGPU 1 waits; it has waited for that of vGPU 1 for @waited ms before."""
    lines = [(0, "gvt_vgpu_info v=1 weight=2 uuid=a-1"), (0, "gvt_host_state running=0"),
             (0, "gvt_sched_info tick_ns=1000000 period_ns=100000000 stages=10 policy=fair"
                 " dispatch=exclusive"), (0, "switch prev=0 next=1 next_left_ns=50000000")]
    for number in range(1, 101):
        begin = number * 10 * MS
        leaves = begin + part * MS // 10
        lines += [(begin, f"queue v=1 w={number}"), (begin, f"submit v=1 w={number}")]
        if number % every == 0:
            lines += [(begin, f"gvt_host_start waited_ns={waited * MS} holder=1"),
                      (leaves, f"gvt_host_stop exec_ns={leaves - begin}")]
        lines += [(leaves, f"start v=1 w={number}"),
                  (begin + 10 * MS, f"stop v=1 w={number} done=1"),
                  (begin + 10 * MS, f"complete v=1 w={number}")]
    return lines


def with_one_stay(length):
    """Workloads of 10 ms, and once the host's own work executes for @length ms, for which one waits."""
    lines = with_host(0)[:4]
    begin = 10 * MS
    for number in range(1, 501):
        leaves = begin + (length * MS if number == 50 else 0)
        lines += [(begin, f"queue v=1 w={number}"), (begin, f"submit v=1 w={number}")]
        if leaves > begin:
            lines += [(begin, "gvt_host_start"), (leaves, f"gvt_host_stop exec_ns={leaves - begin}")]
        begin = leaves + 10 * MS
        lines += [(leaves, f"start v=1 w={number}"), (begin, f"stop v=1 w={number} done=1"),
                  (begin, f"complete v=1 w={number}")]
    return lines


def shared(part, count=1, weight=2, nice=0, cap=0, policy="work-conserving"):
    """Each 10 ms, vGPU 1 has the GPU for @part per cent and vGPU 2 for the rest; both always
    have work, and @count more have none."""
    lines = [(0, f"gvt_vgpu_info v={n} weight={weight if n == 1 else 2} "
                 f"nice={nice if n == 1 else 0} cap={cap if n == 1 else 0} uuid=a-{n}")
             for n in range(1, 3 + count)]
    lines.append((0, "gvt_sched_info tick_ns=1000000 period_ns=100000000 stages=10 "
                     f"policy={policy} dispatch=exclusive"))
    number, queued = 0, {1: 0, 2: 0}
    for turn in range(0, 1000 * MS, 10 * MS):
        begin = turn
        for vgpu, length in ((1, part * MS // 10), (2, (100 - part) * MS // 10)):
            number += 1
            last = begin + length
            lines += [(begin, f"switch prev={0 if number == 1 else 3 - vgpu} next={vgpu} reason=1 "
                              "next_left_ns=50000000"),
                      (queued[vgpu], f"queue v={vgpu} w={number}"),
                      (begin, f"submit v={vgpu} w={number}"), (begin, f"start v={vgpu} w={number}"),
                      (last, f"stop v={vgpu} w={number} done=1"),
                      (last, f"complete v={vgpu} w={number}")]
            queued[vgpu] = begin = last
    return [lines[i] for i in sorted(range(len(lines)), key=lambda i: (lines[i][0], i))]


def one_blocks(length):
    """vGPU 1 waits for one workload of vGPU 2 that executes for @length ms."""
    return Simulation([Vgpu(1, r(2, think=300, start=1)), Vgpu(2, r(length, think=300))],
                      policy="work-conserving", length=4 * length + 700).run()


def told(policy, dispatch="exclusive", cap=0):
    """What all of the histories below begin with: two vGPUs."""
    return [(0, f"gvt_vgpu_info v={n} weight=2 nice=0 cap={cap} uuid=a-{n} owner_pid={1000 + n}")
            for n in (1, 2)] + [
        (0, f"gvt_sched_info tick_ns=1000000 period_ns=100000000 stages=10 policy={policy} "
            f"dispatch={dispatch} anticipation_ns=20000000")]


def life(queued, begin, end, vgpu, number, status=0):
    """One workload that is on the engine from submission to completion."""
    return [(queued, f"queue v={vgpu} w={number}"), (begin, f"submit v={vgpu} w={number}"),
            (begin, f"start v={vgpu} w={number}"), (end, f"stop v={vgpu} w={number} done=1"),
            (end, f"complete v={vgpu} w={number} status={status}")]


def by_time(lines):
    return [lines[i] for i in sorted(range(len(lines)), key=lambda i: (lines[i][0], i))]


def turns_of_one(waits, cycle, count, policy, before="", left=50 * MS, debt=0):
    """In each @cycle, vGPU 1's work waits @waits ns while it is nobody's turn, and then has it.
    @before: an event at the end of the wait, for what the GPU was kept idle."""
    lines = told(policy)
    for n in range(count):
        begin = n * cycle
        lines += [(begin + waits, before)] if before and waits else []
        lines += [(begin + waits, f"switch prev=0 next=1 next_left_ns={left}")]
        lines += life(begin, begin + waits, begin + cycle, 1, n + 1)
        lines += [(begin + cycle, f"switch prev=1 next=0 prev_left_ns={-debt} prev_slice_ns={left} "
                                  "reason=0"),
                  (begin + cycle, f"balance v=1 slice_ns={left} left_ns={-debt} weight=2")]
    return by_time(lines)


def drained(length):
    """vGPU 1's workload runs on for @length ms when it is vGPU 2's turn, whose work waits."""
    end = (length + 10) * MS
    lines = told("work-conserving") + [(0, "switch prev=0 next=1 next_left_ns=50000000")]
    lines += life(0, 0, end, 1, 1)
    lines += [(end, f"switch prev=1 next=2 drain_ns={length * MS} next_left_ns=50000000 reason=1")]
    return by_time(lines + life(10 * MS, end, end + 2 * MS, 2, 2))


def behind(waits):
    """Each 50 ms, a workload of 2 ms of vGPU 1 waits @waits ms for those of 5 ms of vGPU 2."""
    lines = told("work-conserving") + [(0, "switch prev=0 next=2 next_left_ns=50000000")]
    number, free, due = 0, 0, 25 * MS
    for n in range(40):
        begin = due + waits * MS
        while free < begin:
            number, end = number + 1, min(free + 5 * MS, begin)
            lines += life(max(free - 5 * MS, 0), free, end, 2, number)
            free = end
        number, free = number + 1, begin + 2 * MS
        lines += [(begin, "switch prev=2 next=1 next_left_ns=50000000 reason=1")]
        lines += life(due, begin, free, 1, number)
        lines += [(free, "switch prev=1 next=2 next_left_ns=50000000 reason=1")]
        due = (n + 1) * 50 * MS + 25 * MS
    return by_time(lines)


def cancelled(count):
    """A guest resets its GPU so often, each time with two workloads in the queue."""
    lines = told("work-conserving")
    for n in range(10):
        begin = n * 20 * MS
        lines += life(begin, begin, begin + MS, 1, 10 * n + 1)
        for number in (10 * n + 2, 10 * n + 3):
            lines += [(begin + 2 * MS, f"queue v=1 w={number}")] if n < count else []
            lines += [(begin + 3 * MS, f"cancel v=1 w={number} reason=1")] if n < count else []
    return by_time(lines)


def failing(count):
    lines = told("work-conserving")
    for n in range(10):
        lines += life(n * 20 * MS, n * 20 * MS, n * 20 * MS + MS, 1, n + 1, -5 if n < count else 0)
    return by_time(lines)


def vcpus(part):
    """In each 10 ms, the vCPU of vGPU 1 is kept off the CPU for @part per cent by vGPU 2's."""
    lines = told("work-conserving")
    for n in range(50):
        begin, back = n * 10 * MS, n * 10 * MS + part * MS // 10
        lines += [(begin, "sched_switch prev_pid=1001 prev_state=0 prev_comm=CPU next_pid=1002"),
                  (begin, "kvm_entry common_pid=1002 vcpu_id=0"),
                  (back, "kvm_exit common_pid=1002"),
                  (back, "sched_switch prev_pid=1002 prev_state=1 prev_comm=CPU next_pid=1001"),
                  (back, "kvm_entry common_pid=1001 vcpu_id=0")]
        for vgpu in (1, 2):
            at = back + vgpu * MS // 100
            lines += [(at if vgpu == 1 else begin, f"queue common_pid={1000 + vgpu} v={vgpu} w={2 * n + vgpu}"),
                      (at, f"cancel v={vgpu} w={2 * n + vgpu} reason=0")]
    return by_time(lines)


def missing(part, weight=2, nice=0):
    share = weight * 1.25 ** -nice
    due = 100 * share / (share + 2)
    return max(100 * (due - part) / due, 0)


def main():
    sweep = Sweep()
    for count in (0, 1, 5):
        sweep.ramp(f"from 5 to 50 % of the time, beside {count} idle vGPUs", "unfair",
                   range(5, 55, 5), lambda part, count=count: shared(part, count), missing,
                   tolerance=1)
    sweep.ramp("weight 2 to 8 with half of the time", "unfair", (2, 3, 4, 6, 8),
               lambda weight: shared(50, weight=weight),
               lambda weight: missing(50, weight), tolerance=1)
    sweep.ramp("nice -10 to 10 with half of the time", "unfair", range(-10, 1, 2),
               lambda nice: shared(50, nice=nice), lambda nice: missing(50, 2, nice), tolerance=1)
    sweep.ramp("a cap is no injustice", "unfair", (10, 20, 30, 40),
               lambda cap: shared(cap, cap=cap), lambda cap: 0)
    for count in range(1, 7):
        sweep.ramp(f"{count} idle of {count + 1}", "throttled", (count,),
                   lambda n: Simulation([Vgpu(1, r(1, depth=2))] + [Vgpu(i) for i in range(2, n + 2)],
                                        host=1, length=1000).run(),
                   lambda n: 100 - 100 / (n + 1), tolerance=3)
    sweep.ramp("pauses from 0 to 6 ms beside an idle one", "throttled", (0, 1, 2, 3, 4, 5, 6),
               lambda think: Simulation([Vgpu(1, r(4, think=think)), Vgpu(2)], host=1,
                                        length=1500).run(),
               # of each 4 ms, a pause and then what is left of the scheduler's tick
               lambda think: max(50 - 50 * (think + bool(think)) / 4, 0), tolerance=2)
    sweep.ramp("from 10 to 100 %", "capped", range(10, 110, 10),
               lambda cap: Simulation([Vgpu(1, r(1, depth=2), cap=cap), Vgpu(2)], policy="fair",
                                      host=1, length=1000).run(),
               lambda cap: 100 - cap, tolerance=3)
    sweep.ramp("the other engine's pauses, 0 to 40 ms", "stranded", (0, 5, 10, 20, 40),
               lambda think: Simulation([Vgpu(1, r(4, depth=2)), Vgpu(2, v(4, think=think))],
                                        policy="fair", anticipation=0, host=1, length=1000).run(),
               lambda think: 100 * 4 / (8 + think), vgpu=None, tolerance=4)
    sweep.ramp("from 1 to 90 % of the time", "host-work", (1, 5, 9, 11, 30, 60, 90), with_host,
               lambda part: part * 1000 / 1010, tolerance=0.05)
    sweep.ramp("one stay of 1 to 400 ms", "host-blocks", (1, 20, 60, 99, 101, 150, 400), with_one_stay,
               lambda length: length, tolerance=0.05)
    sweep.ramp("from 1 to 100 ms", "host-waits", (0, 1, 10, 19, 21, 50, 100),
               lambda waited: with_host(5, waited, every=15), lambda waited: waited)
    sweep.ramp("from 2 to 100 us for 1 ms of work", "host", (2, 10, 20, 30, 50, 100),
               lambda host: Simulation([Vgpu(1, r(1, depth=2))], policy="fair", host=host,
                                       length=300).run(),
               lambda host: 100 * (2 * host + 3) / (1003 + 2 * host), vgpu=None, tolerance=0.5)
    sweep.ramp("by one workload of 20 to 400 ms", "blocked", (20, 60, 90, 110, 150, 400),
               one_blocks, lambda length: length, tolerance=3)
    sweep.ramp("by one workload of 1 to 3 s", "starved", (1000, 1400, 1600, 3000),
               one_blocks, lambda length: length, tolerance=3)
    sweep.ramp("1 to 50 % of each 10 ms", "switching", (1, 4, 6, 11, 20, 50),
               lambda part: turns_of_one(part * MS // 10, 10 * MS, 60, "work-conserving"),
               # why the first one waited is not known before the first switch
               lambda part: part * 59 / 60, vgpu=None)
    sweep.ramp("1 to 50 % of each 10 ms", "held", (1, 4, 6, 21, 50),
               lambda part: turns_of_one(part * MS // 10, 10 * MS, 60, "fair",
                                         f"gvt_sched_hold v=2 held_vgpu_id=1 held_ns={part * MS // 10} "
                                         "window_ns=20000000 result=1"),
               lambda part: part, vgpu=None)
    sweep.ramp("1 to 60 % of each 100 ms, with debt of a slice", "debt", (1, 2, 4, 10, 30, 60),
               lambda part: turns_of_one(part * MS, 100 * MS, 20, "strict", debt=50 * MS),
               lambda part: part * 19 / 20, tolerance=0.1)
    sweep.ramp("10 to 90 ms of debt with slices of 50", "debt", (10, 30, 49, 50, 70, 90),
               lambda debt: turns_of_one(30 * MS, 100 * MS, 20, "strict", debt=debt * MS),
               lambda debt: 30 * 19 / 20 if debt >= 50 else 0, tolerance=0.1)
    sweep.ramp("by 20 to 400 ms", "drain", (20, 60, 99, 101, 150, 400), drained,
               lambda length: length, engine=None)
    sweep.ramp("by 2 to 20 ms, four workloads of another one", "delayed", (2, 5, 7, 8, 10, 20),
               behind, lambda waits: waits / 5, tolerance=0.01)
    sweep.ramp("0 to 10 times", "resets", (0, 1, 2, 5, 10), cancelled, lambda count: count)
    sweep.ramp("0 to 10 workloads", "failed", (0, 1, 2, 5, 10), failing, lambda count: count)
    # who is a vCPU is not known before it has run
    sweep.ramp("1 to 50 % of the time", "preempted", (1, 3, 4, 6, 20, 50), vcpus,
               lambda part: 100 * 49 * part / (4900 + part), engine=None)
    print(f"1..{sweep.count}")
    sys.exit(bool(sweep.failed))


main()
