# SPDX-License-Identifier: GPL-2.0-or-later
"""SQL over a trace of Perfetto, in tables such as Perfetto makes of it.

SQLite asks, over our reader of the file; Perfetto itself, if TRACE_PROCESSOR names its
trace_processor_shell, or PERFETTO_WASM the directory of get-processor.
"""
import csv
import json
import os
import re
import sqlite3
import subprocess
import tempfile

import perfetto

SCHEMA = """
CREATE TABLE track (id, name, parent_id);
CREATE TABLE counter_track (id, name, parent_id);
CREATE TABLE slice (id, ts, dur, track_id, name, category, arg_set_id);
CREATE TABLE counter (id, ts, track_id, value);
CREATE TABLE flow (id, slice_out, slice_in);
CREATE TABLE metadata (name, int_value, str_value);
"""


def tables(trace):
    """A database with what the questions are about."""
    base, arguments = sqlite3.connect(":memory:"), []
    slices = [(uuid, one) for uuid, all_of in trace.slices.items() for one in all_of]
    samples = [(uuid, *sample) for uuid, all_of in trace.samples.items() for sample in all_of]
    base.executescript(SCHEMA)
    base.create_function("EXTRACT_ARG", 2, lambda nr, key: arguments[nr].get(key.removeprefix("debug.")))
    # numbers of their own: those of the file are too large for SQLite
    numbers = {uuid: nr for nr, uuid in enumerate(trace.tracks)}
    for uuid, (name, parent) in trace.tracks.items():
        row = numbers[uuid], name, numbers.get(parent)
        base.execute("INSERT INTO track VALUES (?, ?, ?)", row)
        if uuid in trace.samples:
            base.execute("INSERT INTO counter_track VALUES (?, ?, ?)", row)
    for nr, (uuid, one) in enumerate(slices):
        arguments.append(one.arguments)
        base.execute("INSERT INTO slice VALUES (?, ?, ?, ?, ?, ?, ?)",
                     (nr, one.begin, one.end - one.begin, numbers[uuid], one.name, one.category, nr))
    for nr, (uuid, time, count) in enumerate(samples):
        base.execute("INSERT INTO counter VALUES (?, ?, ?, ?)", (nr, time, numbers[uuid], float(count)))
    for key, value in trace.attributes.items():
        number = isinstance(value, int)
        base.execute("INSERT INTO metadata VALUES (?, ?, ?)",
                     (f"trace_attribute.{key}", value if number else None, None if number else value))
    for nr, (out, into) in enumerate(pair for steps in trace.flows.values() for pair in zip(steps, steps[1:])):
        base.execute("INSERT INTO flow VALUES (?, ?, ?)", (nr, str(out), str(into)))
    return base


def statements(text):
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def is_question(statement):
    return "CREATE PERFETTO VIEW" not in statement


def ask_sqlite(views, questions, path):
    base = tables(perfetto.Trace(perfetto.packets(path)))
    for view in views:
        base.execute(view.replace("CREATE PERFETTO VIEW", "CREATE VIEW"))
    for question in questions:
        cursor = base.execute(question)
        yield [dict(zip([column[0] for column in cursor.description], row)) for row in cursor]


def value(text):
    """As trace_processor_shell prints it."""
    if text == "[NULL]":
        return None
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?", text) else text


def ask_perfetto(views, questions, path):
    for question in questions:
        with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as file:
            file.write("".join(views) + question)
            file.flush()
            run = subprocess.run([os.environ["TRACE_PROCESSOR"], "-q", file.name, path],
                                 stdout=subprocess.PIPE, text=True, check=True)
        yield [{key: value(text) for key, text in row.items()} for row in csv.DictReader(run.stdout.splitlines())]


def ask_wasm(asked, path):
    """(ms of CPU that it took to load it, the rows of each statement)"""
    here = os.path.dirname(os.path.abspath(__file__))
    run = subprocess.run(["node", os.path.join(here, "processor.js"), os.environ["PERFETTO_WASM"], path],
                         input=json.dumps(asked), capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    told = json.loads(run.stdout)
    return told["load_cpu_ms"], told["answers"]


def answers(text, path):
    """The rows of each question of a text, in its order; with the names of columns as keys."""
    all_of = list(statements(text))
    views, questions = ([one for one in all_of if is_question(one) == wanted] for wanted in (False, True))
    if os.environ.get("PERFETTO_WASM"):
        return ask_wasm(views + questions, path)[1][len(views):]
    ask = ask_perfetto if os.environ.get("TRACE_PROCESSOR") else ask_sqlite
    return list(ask(views, questions, path))


def owner(row, track):
    """(dev, vgpu or None, engine) of texts such as "vGPU 1 (name) of GPU 0" and "rcs0 waits"."""
    vgpu, gpu = re.match(r"vGPU (\d+)", row), re.search(r"\bGPU (\d+)$", row)
    engine = re.search(r"\b([a-z]+\d+)\b", track.removeprefix(row))
    return int(gpu[1]) if gpu else 0, int(vgpu[1]) if vgpu else None, engine[1] if engine else ""
