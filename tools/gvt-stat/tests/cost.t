#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What exports cost, over 'report' of the same trace.

Instructions are counted by valgrind: they are the same on every machine that has the same
libraries, so the limits are a little above what there is. The time that the CPU takes is not judged:
it is the machine's, and that of what else runs there.
The trace has the events of GVT-g alone, workloads and scheduler: exports draw other events, too,
which report passes over.
Documentation/gvt-stat-views.md has figures of a machine with nothing else to do.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import environment  # noqa: F401: what the tests run

HERE = os.path.dirname(os.path.abspath(__file__))

EVENTS = 40_000
# times report
INSTRUCTIONS = {"csv": 1, "perfetto": 1.14, "ctf": 1.17, "html": 1.35}


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
    return ["report", "-v", "-i", trace] if form == "report" else ["export", "-f", form, "-i", trace, "-o", out]


def program(form):
    """Valgrind does not follow gvt-stat to gvt-view, which exports."""
    return os.environ["GVT_STAT"] if form == "report" else os.path.join(os.path.dirname(os.environ["GVT_STAT"]), "gvt-view")


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)


def instructions(form, trace, out):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program(form),
                          *command(form, trace, out), "--in-process"], capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def check_instructions(tap, work):
    if not shutil.which("valgrind"):
        for form in INSTRUCTIONS:
            tap.skip(f"{form}: instructions", "valgrind is not installed")
        return
    trace, out = write_trace(work, EVENTS), os.path.join(work, "out")
    report = instructions("report", trace, out)
    for form, limit in INSTRUCTIONS.items():
        remove(out)
        ratio = instructions(form, trace, out) / report
        tap.result(ratio <= limit, f"{form}: {ratio:.2f} times the instructions of report (at most {limit})")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        check_instructions(tap, work)
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
