#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
With 64 vGPUs that all have work for four engines, nothing in 'blame' and 'check' grows with
the square of the queues: they take about twice the CPU time of 'report --json', which applies
no rule, and less than that of 'report', which does. The limit allows for a busy machine; what
is quadratic takes far longer on longer traces.

Set by the Makefile: GVT_STAT, MKTRACE, FORMATS.
"""
import os
import resource
import subprocess
import sys
import tempfile

VGPUS, ENGINES = 64, 4
LIMIT = 4


def lines(events):
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


def cpu_seconds(command, trace):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.environ["GVT_STAT"], command, "--json", "-i", trace],
                   stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        trace = os.path.join(work, "trace.dat")
        subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", trace],
                       input="\n".join(lines(150000)) + "\n", text=True, check=True)
        report = cpu_seconds("report", trace)
        for number, command in enumerate(("blame", "check"), 1):
            seconds = cpu_seconds(command, trace)
            bad = seconds > LIMIT * report
            failed += bad
            print(f"{'not ok' if bad else 'ok'} {number} - {command} at {VGPUS} x {ENGINES}: "
                  f"{seconds / report:.2f} times report --json")
    print("1..2")
    sys.exit(bool(failed))


main()
