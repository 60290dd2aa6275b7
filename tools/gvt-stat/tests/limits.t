#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What a trace tells and gvt-sim cannot simulate: 'simulate' and 'check --simulate' say so in words
of the trace, with the option that helps; gvt-sim itself has nothing to complain of.

Every number that a trace tells of settings, vGPUs and engines goes through 0, -1, both ends of
its range, what is beside them, and ends of types; what is within the range of 'policy --list'
has to be simulated, which holds gvt-sim's ranges to those.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import environment  # noqa: F401: what the tests run

GVT_STAT = os.environ["GVT_STAT"]
MODEL = """set policy fair
set dispatch preemptive
vgpu 1
vgpu 2
run duration_ns=100000000
stream 1 rcs0
work exec_ns=4000000 lag=2
stream 2 rcs0 open=1 depth=4 span_ns=20000000
work exec_ns=4000000
work exec_ns=4000000 at_ns=5000000
"""
# Each has an engine of its own, and dispatch keeps one of them waiting
ENGINES = """set policy strict
set dispatch exclusive
vgpu 1
vgpu 2
run duration_ns=1000000000
stream 1 rcs0
work exec_ns=2000000 at_ns=20000 lag=2
stream 2 vcs0
work exec_ns=5000000 at_ns=20000 lag=2
"""
MS = 1000000
ENDS = [-1, 0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1]


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, good, name, *said):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        for text in () if good else said:
            print("# " + str(text).strip().replace("\n", "\n# "))


def run(*words):
    done = subprocess.run([GVT_STAT, *words], text=True, errors="replace", check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


class Traces:
    def __init__(self, work, model):
        self.path = os.path.join(work, "trace.dat")
        self.lines = subprocess.run([os.environ["GVT_SIM"]], input=model, text=True, check=True,
                                    stdout=subprocess.PIPE).stdout.splitlines()

    def write(self, lines):
        subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", self.path],
                       input="\n".join(lines) + "\n", text=True, check=True)

    def change(self, event, field, value):
        """The same, with another value of a field; None: of an event that does not tell it."""
        def changed(line):
            if f" {event} " not in line + " ":
                return line
            line = re.sub(rf" {field}=\S*", "", line)
            return line if value is None else f"{line} {field}={value}"
        self.write([changed(line) for line in self.lines])


def ranges():
    """Of each setting: scope, least and most."""
    found = {}
    for line in run("policy", "--list")[1].splitlines():
        numbers = re.match(r"(\S+) +(GPU|vGPU) +(-?\d+)(?:\.\.|, )(\d+)", line)
        if numbers:
            found[numbers[1]] = numbers[2], int(numbers[3]), int(numbers[4])
    return found


def in_own_words(status, err):
    """It ends well, or with one line of gvt-stat's own."""
    return status in (0, 2) or (status in (1, 129) and err.count("\n") == 1 and
                                err.startswith("gvt-stat: ") and "gvt-sim:" not in err)


def sweep(tap, traces, event, field, values, remedy):
    """@values: of the field, and whether that can be simulated; @remedy: named otherwise"""
    for value, good in values:
        traces.change(event, field, value)
        status, _, err = run("simulate", "--windows=1", "-i", traces.path)
        tap.result((not good or not status) and in_own_words(status, err) and
                   (not status or remedy in err), f"{event} {field}={value}", status, err)
        status, _, err = run("check", "--simulate", "--json", "-i", traces.path)
        tap.result(in_own_words(status, err) and status != 1, f"check: {event} {field}={value}",
                   status, err)


def sweep_told(tap, traces, name, values):
    """A setting of a vGPU as gvt_sched_setting tells it."""
    for value, good in values:
        traces.write(traces.lines + ["200000000 0 gvt_sched_setting dev=0 vgpu_id=1 "
                                     f"setting={name} old_value=0 new_value={value}"])
        status, _, err = run("simulate", "--windows=1", "-i", traces.path)
        tap.result((not good or not status) and in_own_words(status, err) and
                   (not status or f"--vgpu=1:{name}=N" in err), f"{name}={value} is set",
                   status, err)


def around(least, most, unit=1):
    """A 0 where none may be is not told, and what is not told is as if it were usual."""
    values = ENDS + [least * unit - 1, least * unit, most * unit, (most + 1) * unit]
    return [(value, not value or least <= value // unit <= most)
            for value in dict.fromkeys(values)] + [(None, True)]


def sweep_settings(tap, traces):
    for name, (scope, least, most) in ranges().items():
        if scope == "vGPU":
            sweep_told(tap, traces, name, around(least, most)[:-1])
            if name in ("nice", "cap"):
                sweep(tap, traces, "gvt_vgpu_info", name, around(least, most),
                      f"--vgpu=1:{name}=N")
            continue
        field, unit = (name[:-3] + "_ns", MS) if name.endswith("_ms") else (name, 1)
        sweep(tap, traces, "gvt_sched_info", field, around(least, most, unit),
              f"--set={name}=VALUE")
    sweep(tap, traces, "gvt_vgpu_info", "weight", around(1, 16), "--vgpu=1:weight=N")
    for name, words in (("policy", ("strict", "work-conserving", "fair")),
                        ("dispatch", ("exclusive", "per-engine", "preemptive"))):
        sweep(tap, traces, "gvt_sched_info", name,
              [(word, True) for word in words] + [(word, False) for word in ("lottery", "-1", None)],
              f"--set={name}=VALUE")


def change_all(traces, field, value):
    """Of the second vGPU"""
    traces.write([re.sub(rf" {field}=\S*", f" {field}={value}", line)
                  if re.search(r" vgpu_id=2( |$)", line) else line for line in traces.lines])


def sweep_ids(tap, traces):
    for value in (0, 3, 7, 8, 63, 2**31):
        change_all(traces, "vgpu_id", value)
        status, _, err = run("simulate", "--windows=1", "-i", traces.path)
        tap.result(not status if value in (3, 7) else f"--without={value}" in err,
                   f"vgpu_id={value}", status, err)
        status, _, err = run("simulate", "--windows=1", f"--without={value}", "-i", traces.path)
        tap.result(not status, f"without={value}", status, err)
    for field, known in (("class", range(4)), ("instance", [0])):
        for value in (0, 1, 2, 3, 4, 255, 65535):
            change_all(traces, field, value)
            status, _, err = run("simulate", "--windows=1", "-i", traces.path)
            tap.result(not status if value in known else
                       "--without=2" in err and in_own_words(status, err),
                       f"{field}={value}", status, err)


def moved(lines, time):
    return [re.sub(r"^\d+", lambda number: str(time(int(number[0]))), line) for line in lines]


def sweep_times(tap, traces):
    """As long as a fly lives, and a star."""
    for name, time, remedy in (("one moment", lambda ns: 5, "record for longer"),
                               ("a tenth", lambda ns: ns // 10, None),
                               ("a millionth", lambda ns: ns // 10**6, "--without"),
                               ("a day", lambda ns: ns * 864000, "--time"),
                               ("years", lambda ns: ns * 10**9, "--time"),
                               ("a leap", lambda ns: ns + 10**17 * (ns > 50 * MS), "--time")):
        traces.write(moved(traces.lines, time))
        status, _, err = run("simulate", "-i", traces.path)
        tap.result(in_own_words(status, err) and (not status or (remedy and remedy in err)), name,
                   status, err)
        status, _, err = run("check", "--simulate", "-i", traces.path)
        tap.result(in_own_words(status, err), f"check: {name}", status, err)
    traces.write(traces.lines)
    for options in (["--speed=0.001"], ["--speed=1000"], ["--windows=1", "--vgpu=1:pieces_us=1000000"],
                    ["--vgpu=1:depth=1000"], ["--vgpu=2:depth=1000,nice=19"]):
        status, _, err = run("simulate", *options, "-i", traces.path)
        tap.result(not status, " ".join(options), status, err)


def options_and_ranges(tap, traces):
    """What --set and --vgpu take is what gvt-sim takes."""
    traces.write(traces.lines)
    for name, (scope, least, most) in ranges().items():
        if name == "arbitration":
            continue
        option = f"--set={name}=" if scope == "GPU" else f"--vgpu=1:{name}="
        for value in (least - 1, least, most, most + 1):
            status, _, err = run("simulate", "--windows=1", option + str(value), "-i", traces.path)
            tap.result(status == (0 if least <= value <= most else 129) and "gvt-sim" not in err,
                       option + str(value), status, err)


def not_proved(tap, traces):
    """check goes on without what cannot be simulated, and says why."""
    traces.write(traces.lines + [f"{1000 * MS} 0 gvt_vgpu_info vgpu_id=9 weight=2"])
    _, out, _ = run("check", "--simulate", "--json", "-i", traces.path)
    found = [remedy["simulation"]["problem"] for finding in json.loads(out)["findings"]
             for remedy in finding["remedies"] if remedy["simulation"]]
    tap.result(found and all("vGPU 9" in (problem or "") for problem in found),
               "check says why it proves nothing", out)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        traces = Traces(work, MODEL)
        sweep_settings(tap, traces)
        sweep_ids(tap, traces)
        sweep_times(tap, traces)
        options_and_ranges(tap, traces)
        not_proved(tap, Traces(work, ENGINES))
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
