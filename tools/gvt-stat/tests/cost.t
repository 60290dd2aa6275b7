#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What exports cost, over 'report' of the same trace.

Instructions are counted by valgrind: they are the same on every machine that has the same
libraries, so their limits are a little above what there is. CPU time is of the program and the
system, with a file that is written, and the least of several runs, alternately of the export and
of report, until it is within the goal: a busy machine makes single runs slower, never quicker. Where
much else runs none may be, so the limit is wider.
The trace has the events of GVT-g alone, workloads and scheduler: exports draw other events, too,
which report passes over.
Documentation/gvt-stat-views.md has figures of a machine with nothing else to do.

Set by the Makefile: GVT_STAT, MKTRACE.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "views"))
import perfetto  # noqa: E402

EVENTS, COUNTED_EVENTS = 400_000, 40_000
# times report
INSTRUCTIONS = {"csv": 1, "perfetto": 1.14, "ctf": 1.17, "html": 1.35}
CPU_GOAL, CPU_MOST = 1.5, 2
RUNS = 12
PACKETS_PER_S, EVENTS_PER_S = 2e6, 1.5e6


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, good, name):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}", flush=True)

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")


def write_trace(work, events):
    path, formats = os.path.join(work, f"{events}.dat"), os.path.join(HERE, "../../traceevent/formats")
    with open(f"{path}.txt", "w+b") as text:
        subprocess.run([os.path.join(HERE, "views", "busy"), str(events), "sched"], stdout=text, check=True)
        text.seek(0)
        subprocess.run([os.environ["MKTRACE"], "-F", formats, "-o", path], stdin=text, check=True)
    os.unlink(text.name)
    return path


def command(form, trace, out):
    return ["report", "-i", trace] if form == "report" else ["export", "-f", form, "-i", trace, "-o", out]


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)


def seconds(form, trace, out):
    """Of the CPU; a file that is there already would cost more."""
    remove(out)
    pid = os.posix_spawn(os.environ["GVT_STAT"], ["gvt-stat", *command(form, trace, out)], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"Bail out! {form} fails")
    return usage.ru_utime + usage.ru_stime


def least(form, trace, out):
    """(of the export, of report) in s, once their ratio is within the goal, or after all runs"""
    export = report = float("inf")
    for run in range(RUNS):
        export = min(export, seconds(form, trace, out))
        report = min(report, seconds("report", trace, out + ".none"))
        if run >= 3 and export <= CPU_GOAL * report:
            break
    return export, report


def check_cpu(tap, work):
    trace = write_trace(work, EVENTS)
    for form in INSTRUCTIONS:
        out = os.path.join(work, f"out.{form}")
        export, report = least(form, trace, out)
        tap.result(export <= CPU_MOST * report,
                   f"{form}: {1000 * export:.0f} ms of the CPU, {export / report:.2f} times report "
                   f"(at most {CPU_MOST}; {CPU_GOAL} with nothing else to do)")
        if form == "perfetto":
            rate = len(perfetto.packets(out)) / max(export - report, 1e-6)
            tap.result(rate >= PACKETS_PER_S, f"perfetto: {rate / 1e6:.1f} M packets/s beside report (at least 2)")
        if form == "ctf":
            rate = EVENTS / export
            tap.result(rate >= EVENTS_PER_S, f"ctf: {rate / 1e6:.1f} M events/s (at least 1.5)")
        remove(out)


def instructions(form, trace, out):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.environ["GVT_STAT"],
                          *command(form, trace, out), "--in-process"], capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def check_instructions(tap, work):
    if not shutil.which("valgrind"):
        for form in INSTRUCTIONS:
            tap.skip(f"{form}: instructions", "valgrind is not installed")
        return
    trace, out = write_trace(work, COUNTED_EVENTS), os.path.join(work, "out")
    report = instructions("report", trace, out)
    for form, limit in INSTRUCTIONS.items():
        remove(out)
        ratio = instructions(form, trace, out) / report
        tap.result(ratio <= limit, f"{form}: {ratio:.2f} times the instructions of report (at most {limit})")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        check_instructions(tap, work)
        check_cpu(tap, work)
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
