#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What grows with what.

With 64 vGPUs that all have work for four engines, nothing in 'why waits' and 'check' grows with
the square of the queues: they take at most twice the CPU time of 'report', which applies the
rules of 'check', too. The limit allows for a busy machine; what is quadratic takes far longer
on longer traces.

The memory of no command grows with the length of a trace. Measured at 10^7 events, in MB: report,
why, check 8; why vcpus 10; export 8 to 9, a page 15; profile 20; simulate, advise 60.

A trace is read twice, however long it is: what it holds of each CPU is found together with who had
which number.

SCALE_EVENTS is the length of the longer
trace of each pair, 400000 events if it is not set.
"""
import os
import subprocess
import sys
import tempfile

import environment  # noqa: F401: what the tests run

VGPUS, ENGINES = 64, 4
LIMIT = 4
EVENTS = int(os.environ.get("SCALE_EVENTS", "400000"))
MAX_MB, MAX_GROWTH_MB = 64, 5
MAX_READINGS = 2.1
# of what a page shows, so much is in memory before any of it is in a file
STASH_MB = 8
# what 'check' takes to try remedies, which it does once there are enough workloads
TRIED_MB = 4
# what 'profile' keeps of streams, up to as many workloads as it looks at: 3.4 to 4.0 MB were measured
KEPT_MB = 1

COMMANDS = ["report", "report --json", "report --csv", "report --interval=100ms",
            "report --histogram", "list", "list workloads --json", "list --csv --pieces",
            "list -s latency_ns", "list -s exec_ns -n 5", "list turns", "list turns --idle",
            "why idle", "why idle --json", "why waits", "why waits --json", "check",
            "check --json", "why", "export -f perfetto -o /dev/null", "why vcpus", "why vcpus --json",
            "compare --block=0.0001", "compare --json --block=0.001"]
# These need the events of guests. Thread 50 never waits, as far as it shows; 101 does; 77 comes
# at the end.
PATHS = ["export -f html -o /dev/null", "simulate --windows=1",
         "advise --goal=p99:1=10ms --windows=1",
         "why path --workload=101", "why path --workload=101 --segments --json",
         "why path --thread=50 --segments", "why path --thread=77", "why path --thread=101",
         "why path --thread=101 --segments", "why path --thread=101 --json",
         "why path --thread=101 --csv", "why path --thread=101 --csv -s to_ns"]


def queues(events):
    """Turns of 100 us of each vGPU, in which it executes on all engines; the others wait."""
    for vgpu in range(1, VGPUS + 1):
        yield f"0 0 gvt_vgpu_info vgpu_id={vgpu} weight=2"
    yield f"0 0 gvt_sched_info vgpus={VGPUS} policy=fair dispatch=exclusive"
    time, number, waiting, previous, count = 1000, 0, {}, 0, 0
    while count < events:
        for vgpu in range(1, VGPUS + 1):
            yield (f"{time} 0 gvt_sched_switch prev_vgpu_id={previous} next_vgpu_id={vgpu} "
                   "reason=1 class=-1 instance=-1")
            previous = vgpu
            for engine in range(ENGINES):
                of = f"vgpu_id={vgpu} workload_id={waiting.get((vgpu, engine), 0)} class={engine}"
                if (vgpu, engine) in waiting:
                    yield f"{time} 0 gvt_workload_submit {of}"
                    yield f"{time + 10} 0 gvt_workload_start {of}"
                    yield f"{time + 20} 0 gvt_workload_stop {of} completed=1"
                    yield f"{time + 30} 0 gvt_workload_complete {of}"
                number += 1
                waiting[vgpu, engine] = number
                yield (f"{time + 40} 0 gvt_workload_queue vgpu_id={vgpu} workload_id={number} "
                       f"class={engine}")
                time += 50
                count += 5
            time += 100000


def guests(events):
    """Two guests whose vCPUs, and a thread of the host, take the CPU from each other; each
    queues a workload in between, and some are cancelled. Events are lost now and then."""
    yield "cpus 2"
    for vgpu in (1, 2):
        yield f"0 0 gvt_vgpu_info vgpu_id={vgpu} weight=2 owner_pid={100 * vgpu}"
    yield "0 0 gvt_sched_info vgpus=2 policy=fair dispatch=exclusive"
    for event in ("irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit",
                  "hrtimer_expire_entry", "hrtimer_expire_exit"):
        yield f"0 0 {event}"
    time, count, number = 1000, 0, 0
    while count < events:
        for vgpu in (1, 2):
            number += 1
            pid, other = 100 * vgpu + 1, 300 + number % 5
            of = f"vgpu_id={vgpu} workload_id={number}"
            yield (f"{time} 0 gvt_sched_switch prev_vgpu_id={3 - vgpu} next_vgpu_id={vgpu} "
                   "reason=1 class=-1 instance=-1")
            yield f"{time} 0 kvm_entry common_pid={pid} vcpu_id=0"
            yield f"{time + 100} 0 kvm_exit common_pid={pid} vcpu_id=0"
            yield f"{time + 110} 0 gvt_workload_queue {of} common_pid={pid}"
            yield (f"{time + 120} 0 sched_switch prev_pid={pid} prev_state=0 prev_comm=guest{vgpu} "
                   f"next_pid={other} next_comm=cc{other}")
            yield f"{time + 130} 0 sched_waking pid=50 common_pid={other}"
            yield f"{time + 140} 0 sched_wakeup pid=50 common_pid={other}"
            yield f"{time + 150} 0 gvt_workload_submit {of} common_pid=50"
            if number % 100:
                yield f"{time + 160} 1 gvt_workload_start {of}"
                yield f"{time + 400} 1 gvt_workload_stop {of} completed=1"
                yield f"{time + 410} 0 gvt_workload_complete {of} common_pid=50"
            else:
                yield f"{time + 410} 0 gvt_workload_cancel {of} reason=1"
            if number % 10000 == 0:
                yield "lost 1 3"
            yield (f"{time + 420} 0 sched_switch prev_pid={other} prev_state=0 prev_comm=cc{other} "
                   f"next_pid={100 * (3 - vgpu) + 1} next_comm=guest{3 - vgpu}")
            count += 12
            time += 5000
    yield f"{time} 0 sched_switch prev_pid=0 prev_state=0 next_pid=77 next_comm=late"


def alone(events):
    """One vGPU, of which a profile can be made."""
    yield "0 0 gvt_vgpu_info vgpu_id=1 weight=2"
    yield "0 0 gvt_sched_info vgpus=1 policy=fair dispatch=exclusive"
    time = 1000
    for number in range(1, events // 5):
        of = f"vgpu_id=1 workload_id={number}"
        yield f"{time} 0 gvt_workload_queue {of}"
        yield f"{time + 20} 0 gvt_workload_submit {of}"
        yield f"{time + 30} 0 gvt_workload_start {of}"
        yield f"{time + 300 + number % 97} 0 gvt_workload_stop {of} completed=1"
        yield f"{time + 410} 0 gvt_workload_complete {of}"
        time += 1000 + number * 7919 % 400


def counted(events):
    """The same on two CPUs, of which the kernel has counted what they told."""
    told = [0, 0]
    yield "cpus 2"
    for nr, line in enumerate(alone(events)):
        time, _, event = line.split(maxsplit=2)
        told[nr % 2] += 1
        yield f"{time} {nr % 2} {event}"
    for cpu in (0, 1):
        yield f"stat {cpu} read={told[cpu]}"


def uncounted(events):
    """And those of which it has not: what may be missing is looked for where they begin and end."""
    return (line for line in counted(events) if not line.startswith("stat"))


def write_trace(work, lines, events):
    path = os.path.join(work, f"{lines.__name__}-{events}.dat")
    with subprocess.Popen([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", path],
                          stdin=subprocess.PIPE, text=True) as mktrace:
        for line in lines(events):
            print(line, file=mktrace.stdin)
    if mktrace.returncode:
        sys.exit("Bail out! cannot make a trace")
    return path


def run(command, trace):
    """What it used: struct rusage of the command and its child, the larger one's memory. It
    begins with that of this program, so that it is never less."""
    words = command.split()
    traces = [trace, trace] if words[0] == "compare" else ["-i", trace]
    pid = os.posix_spawn(os.environ["GVT_STAT"], ["gvt-stat", *words, *traces], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0)
                                       for fd in (1, 2)])
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 2):
        print(f"# {command} ended with {os.waitstatus_to_exitcode(status)}")
        return None
    return usage


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, good, name):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")


def check_time(tap, trace):
    def seconds(command):
        usage = run(command, trace)
        return usage.ru_utime + usage.ru_stime if usage else float("inf")
    report = seconds("report")
    for command in ("why waits", "check"):
        ratio = seconds(command) / report
        tap.result(ratio <= LIMIT, f"{command} at {VGPUS} x {ENGINES}: {ratio:.2f} times report")


def check_page(tap, work):
    """What a page will show is not all in memory; 64 vGPUs and four engines have the most of it."""
    trace = write_trace(work, queues, EVENTS)
    usage = run("export -f html -o /dev/null", trace)
    used = usage.ru_maxrss / 1024 if usage else float("inf")
    tap.result(used <= MAX_MB, f"export -f html at {VGPUS} x {ENGINES}: {used:.1f} MB")
    os.unlink(trace)


def check_memory(tap, work, lines, commands):
    traces = [write_trace(work, lines, events) for events in (EVENTS // 4, EVENTS)]
    for command in commands:
        usages = [run(command, trace) for trace in traces]
        few, many = [usage.ru_maxrss / 1024 if usage else float("inf") for usage in usages]
        growth = MAX_GROWTH_MB + (STASH_MB if "html" in command else 0)
        growth += TRIED_MB if command.startswith("check") else 0
        growth += KEPT_MB if command.startswith("profile") else 0
        tap.result(many <= MAX_MB and many - few <= growth,
                   f"{command}, {lines.__name__}: {few:.1f} MB at {EVENTS // 4} events, "
                   f"{many:.1f} at {EVENTS}")
    for trace in traces:
        os.unlink(trace)


def bytes_read():
    """of this program and of those that it has waited for"""
    with open("/proc/self/io") as io:
        return int(next(line for line in io if line.startswith("rchar")).split()[1])


def check_readings(tap, work, lines):
    traces = [write_trace(work, lines, events) for events in (EVENTS // 4, EVENTS)]
    read = []
    for trace in traces:
        before = bytes_read()
        run("report", trace)
        read.append(bytes_read() - before)
    sizes = [os.path.getsize(trace) for trace in traces]
    readings = (read[1] - read[0]) / (sizes[1] - sizes[0])
    tap.result(1 <= readings <= MAX_READINGS, f"report, {lines.__name__}: read {readings:.2f} times")
    for trace in traces:
        os.unlink(trace)


def check_sorted(tap, work):
    """So many lines that they are sorted on disk."""
    def lines(*options):
        out = subprocess.run([os.environ["GVT_STAT"], "list", "workloads", "--csv", "-i", trace,
                              "--columns=latency_ns,workload_id", *options], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        return [line.split(",") for line in out.splitlines()[1:]]
    trace = write_trace(work, queues, EVENTS)
    want = sorted(lines(), key=lambda line: -float(line[0]) if line[0] else 0)
    tap.result(want == lines("-s", "latency_ns") and len(want) > EVENTS // 8,
               f"{len(want)} lines are in order")
    tap.result(want[:1000] == lines("-s", "latency_ns", "-n", "1000"), "the first 1000 of them")
    os.unlink(trace)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        trace = write_trace(work, queues, 150000)
        check_time(tap, trace)
        check_page(tap, work)
        for lines in (alone, counted, uncounted):
            check_readings(tap, work, lines)
        check_memory(tap, work, queues, COMMANDS)
        check_memory(tap, work, guests, COMMANDS + PATHS)
        check_memory(tap, work, alone, ["profile -o /dev/null"])
        # makes this program large
        check_sorted(tap, work)
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
