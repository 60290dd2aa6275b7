#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Traces that end too early, and traces that change while they are read.

Whatever is missing, a command ends with status 1 and one line on stderr that says so: it does
not crash, hang, or print a part. A trace.dat of each version is cut at every place around what
the format knows (headers, tables, sections of options, pages), and at steps of a prime number
between. What grows meanwhile is read as far as its tables go; what becomes shorter is told, and
so is what trace-cmd has not finished: it is stopped again and again while it writes.
"""
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import environment  # noqa: F401: what the tests run

STEP = 1597
AROUND = 5
COMMANDS = [["report"], ["list", "workloads"], ["check"], ["why", "path", "--thread=50"],
            ["report", "--json"], ["list", "turns"]]
EVERY = COMMANDS + [["why", "waits"], ["why", "idle"], ["why"], ["why", "vcpus"], ["simulate"],
                    ["export", "-f", "html", "-o", "/dev/null"],
                    ["export", "-f", "perfetto", "-o", "/dev/null"],
                    ["export", "-f", "csv", "-o", "/dev/null"]]
# what sections and tables begin with, in any version
MARKS = re.compile(rb"tracing\d|header_page|header_event|options  |flyrecord|ftrace|gvt\0|"
                   rb"none\0|zstd\0|name: gvt|\[local\]")


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, good, name):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")


def lines(events):
    yield "cpus 2"
    yield "0 0 gvt_vgpu_info vgpu_id=1 weight=2 type=i915-GVTg_V5_4 uuid=a-b"
    yield "0 0 gvt_sched_info vgpus=2 policy=fair dispatch=exclusive"
    for number in range(1, events // 5 + 1):
        of = f"vgpu_id={1 + number % 2} workload_id={number}"
        for step, event in enumerate(("queue", "submit", "start", "stop", "complete")):
            more = " completed=1" if event == "stop" else ""
            yield f"{number * 1000 + step * 100} {number % 2} gvt_workload_{event} {of}{more}"


def write_trace(path, events):
    subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", path],
                   input="\n".join(lines(events)) + "\n", text=True, check=True)


def run(command, path):
    return subprocess.run([os.environ["GVT_STAT"], *command, "-i", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, check=False)


def is_clean(result, name):
    """One line of ours. Lists print as they read: of those, what came before may be there."""
    text = result.stderr.decode()
    return (result.returncode == 1 and text.count("\n") == 1 and
            text.startswith(f"gvt-stat: {name}: ") and "libtracecmd" not in text)


def places(data):
    """Where it is cut: around what has a meaning, and steps between."""
    marks = {0, len(data)} | {match.start() for match in MARKS.finditer(data)}
    marks |= {match.end() for match in MARKS.finditer(data)}
    marks |= {page + part for page in range(0, len(data), 4096) for part in (0, 8, 16)}
    cuts = {mark + delta for mark in marks for delta in (-AROUND, -1, 0, 1, AROUND)}
    cuts |= set(range(0, len(data), STEP)) | set(range(len(data) - 40, len(data)))
    return sorted(cut for cut in cuts if 0 <= cut < len(data))


def same(result, expected):
    def printed(text):
        return re.sub(rb'"bytes": \d+', b"", text)
    return (result.returncode == expected.returncode and
            printed(result.stdout) == printed(expected.stdout))


def check_cuts(tap, work, kind, data):
    path = os.path.join(work, f"cut-{kind}.dat")
    cuts, bad, unneeded = places(data), 0, 0
    whole = {}
    for command in COMMANDS:
        with open(path, "wb") as file:
            file.write(data)
        whole[tuple(command)] = run(command, path)
    for nr, cut in enumerate(cuts):
        command = COMMANDS[nr % len(COMMANDS)]
        os.truncate(path, 0)
        with open(path, "wb") as file:
            file.write(data[:cut])
        result, expected = run(command, path), whole[tuple(command)]
        if is_clean(result, path):
            continue
        # version 7 ends with strings that are not needed
        if cut > len(data) - 200 and same(result, expected):
            unneeded += 1
            continue
        bad += 1
        print(f"# {kind} cut at {cut}: status {result.returncode}: {result.stderr[:200]}")
    tap.result(not bad and len(cuts) - unneeded > 50,
               f"{kind}: truncated at {len(cuts)} places of {len(data)} bytes")


def converted(work, trace, compression):
    """As trace-cmd writes version 7; None if this one cannot."""
    path = os.path.join(work, f"v7-{compression}.dat")
    done = subprocess.run(["trace-cmd", "convert", "--file-version", "7", "--compression",
                           compression, "-i", trace, "-o", path], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path if done.returncode == 0 and os.path.getsize(path) else None


def while_read(path, change):
    """Let a list be read up to where nobody takes more of it, change the file, read the rest."""
    with subprocess.Popen([os.environ["GVT_STAT"], "list", "workloads", "--csv", "-i", path],
                          bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        first = child.stdout.readline()
        change()
        rest, err = child.communicate(timeout=60)
    return child.returncode, (first + rest).count(b"\n"), err.decode()


def check_changes(tap, work):
    path = os.path.join(work, "long.dat")
    write_trace(path, 200000)
    size = os.path.getsize(path)

    def grow():
        with open(path, "ab") as file:
            file.write(os.urandom(1 << 20))
    status, count, err = while_read(path, grow)
    tap.result((status, count) == (0, 40001), f"a trace that grows is read as it was: status {status}, {count} lines")
    os.truncate(path, size)
    status, count, err = while_read(path, lambda: os.truncate(path, size // 2))
    tap.result(status == 1 and err.count("\n") == 1 and "became shorter while it was read" in err,
               f"a trace that becomes shorter: {err.strip()}")


def check_growth(tap, work, data):
    """Written piece by piece as a copy would be, read after each, and no reader waits."""
    path = os.path.join(work, "growing.dat")
    bad, last = 0, None
    with open(path, "wb") as file:
        for at in range(0, len(data), 4096):
            file.write(data[at:at + 4096])
            file.flush()
            last = run(["report"], path)
            whole = at + 4096 >= len(data)
            bad += last.returncode != 0 if whole else not is_clean(last, path)
    tap.result(not bad, "a copy that is not complete yet is refused, then read")


def check_tables_last(tap, work, data):
    """
    trace-cmd writes the places of the events first as 0, and after the events of each CPU that
    CPU's: who believed the table then would miss the other CPU's events, and not know it.
    """
    path = os.path.join(work, "unfinished.dat")
    at, bad, states = data.index(b"flyrecord\0") + 10, 0, 0
    first, size, second = struct.unpack_from("<3Q", data, at)
    for known, end in ((0, at + 32), (0, first), (0, first + size), (1, first + size),
                       (1, second + 4096), (1, len(data))):
        with open(path, "wb") as file:
            file.write(data[:at + 16 * known] + bytes(32 - 16 * known) + data[at + 32:end])
        for command in EVERY:
            result = run(command, path)
            states += 1
            if not is_clean(result, path) or b"not finished" not in result.stderr:
                bad += 1
                print(f"# {command} of {known} CPUs, {end} bytes: {result.returncode} {result.stderr}")
    tap.result(not bad, f"tables that are still 0: {states} times told that it is not finished")


def stopped_writes(work, trace, options):
    """trace-cmd writes a file, and is stopped each time that it has gone on a little."""
    path = os.path.join(work, "written.dat")
    if os.path.exists(path):
        os.unlink(path)
    with subprocess.Popen(["trace-cmd", "convert", *options, "-i", trace, "-o", path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as writer:
        while True:
            writer.send_signal(signal.SIGSTOP)
            # a stop that has not come yet would be undone by SIGCONT
            if writer.returncode is not None or \
               os.waitid(os.P_PID, writer.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT).si_code != \
               os.CLD_STOPPED:
                break
            os.waitid(os.P_PID, writer.pid, os.WSTOPPED)
            if os.path.exists(path):
                yield path
            writer.send_signal(signal.SIGCONT)
            time.sleep(0.0005)
    yield path


def check_writer(tap, work, trace, options):
    """What trace-cmd itself is writing: told, or the right answer."""
    name = "read while trace-cmd writes it, " + " ".join(options)
    if not shutil.which("trace-cmd") or not convert(work, trace, options):
        tap.skip(name, "trace-cmd cannot write it here")
        return
    whole = os.path.join(work, "whole.dat")
    expected = {tuple(command): run(command, whole) for command in EVERY}
    states = bad = told = 0
    for path in stopped_writes(work, trace, options):
        for command in EVERY[states % len(EVERY):][:3]:
            result = run(command, path)
            if is_clean(result, path):
                told += 1
                continue
            right = expected[tuple(command)]
            if (result.returncode, result.stdout.count(b"\n")) != \
               (right.returncode, right.stdout.count(b"\n")):
                bad += 1
                print(f"# {command}: status {result.returncode}: {result.stderr[:200]}")
        states += 1
    tap.result(not bad, f"{name}: {states} states, {told} times told")


def convert(work, trace, options):
    return not subprocess.run(["trace-cmd", "convert", *options, "-i", trace, "-o",
                               os.path.join(work, "whole.dat")], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        trace = os.path.join(work, "v6.dat")
        write_trace(trace, 2000)
        with open(trace, "rb") as file:
            data = file.read()
        check_cuts(tap, work, "version 6", data)
        for compression in ("none", "zstd"):
            name = f"version 7, {compression}"
            path = converted(work, trace, compression) if shutil.which("trace-cmd") else None
            if not path:
                tap.skip(name, "trace-cmd cannot write it here")
                continue
            with open(path, "rb") as file:
                check_cuts(tap, work, name, file.read())
        check_growth(tap, work, data)
        check_tables_last(tap, work, data)
        check_changes(tap, work)
        write_trace(trace, 20000)
        for options in (["--file-version", "6", "--compression", "none"],
                        ["--file-version", "7", "--compression", "none"],
                        ["--file-version", "7", "--compression", "zstd"]):
            check_writer(tap, work, trace, options)
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
