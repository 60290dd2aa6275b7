# SPDX-License-Identifier: GPL-2.0-or-later
"""What gvt-stat prints, as {key: value}, beside the truth in the same form."""
import csv
import io
import itertools
import json
import math
import subprocess
from collections import defaultdict
from copy import copy
from dataclasses import replace

import truth

ROW = ["queued", "completed", "failed", "cancelled", "open", "exec_ns", "utilization_percent",
       "queue_len_mean", "queue_len_max"] + [
           f"{name}_{what}" for name in ("exec", "wait", "latency", "turnaround")
           for what in ("count", "mean_ns", "max_ns", "p50_ns", "p95_ns", "p99_ns")]
BOUNDS = [("utilization_percent", "utilization_percent_min", "utilization_percent_max"),
          ("exec_ns", "exec_ns_min", "exec_ns_max"),
          ("queue_len_mean", "queue_len_mean_min", "queue_len_mean_max")]
# what an engine's time goes to that shows at once
SEEN = ["busy", "host", "i915", "completion", "empty"]


class Trace:
    """A trace.dat and the gvt-stat that reads it."""

    def __init__(self, gvt_stat, path, *options):
        self.gvt_stat = gvt_stat
        self.path = path
        self.options = options      # of all commands

    def run(self, *words):
        done = subprocess.run([*self.gvt_stat, *words, "-i", self.path, *self.options],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"gvt-stat {' '.join(words)}: {done.stderr}")
        return done.stdout

    def json(self, *words):
        document = json.loads(self.run(*words, "--json"))
        if document["contradictions"]:
            raise RuntimeError(f"gvt-stat {' '.join(words)}: {document['contradictions']}")
        return document

    def turns(self):
        """a list, which is told as it is read"""
        return json.loads(self.run("list", "turns", "--idle", "--json"))["turns"]

    def csv(self, *words):
        return list(csv.DictReader(io.StringIO(self.run(*words, "--csv"))))


def of_two(gvt_stat, one, other, block):
    """What compare prints of two traces; None: too much is lost."""
    done = subprocess.run([*gvt_stat, "compare", "--json", f"--block={block / 1e9}", one, other], capture_output=True,
                          text=True)
    if done.returncode == 1 and "two others are the least" in done.stderr:
        return None
    return json.loads(done.stdout)


def number(text):
    return int(text) if text not in ("", None) else None


# --- as printed -----------------------------------------------------------------

def printed_rows(report):
    """{(dev, vgpu or "gpu", engine): row}"""
    rows = {}
    for gpu in report["gpus"]:
        rows |= {(gpu["dev"], "gpu", e["engine"]): e for e in gpu["engines"]}
    for vgpu in report["vgpus"]:
        rows |= {(vgpu["dev"], vgpu["vgpu_id"], e["engine"]): e for e in vgpu["engines"]}
    return rows


def rows_by_time(lines):
    """{(from, to): [line]} of report --interval"""
    rows = defaultdict(list)
    for line in lines:
        rows[int(line["from_ns"]), int(line["to_ns"])].append(line)
    return rows


def printed_blame(document):
    return {(r["dev"], r["vgpu_id"], r["engine"], r["reason"], r["culprit_vgpu_id"]): r["wait_ns"]
            for r in document["blame"]}


def printed_gaps(document):
    return {(r["dev"], r["engine"], r["reason"]): r["time_ns"] for r in document["gaps"]}


def printed_works(lines):
    return {(int(l["dev"]), int(l["workload_id"])): l for l in lines}


# --- as it was ------------------------------------------------------------------

def engines_of(history):
    """Those that events tell of."""
    engines = [truth.Engine(history, gpu, engine) for gpu in history.gpus.values()
               for engine in gpu.engines]
    return [e for e in engines if any(e.works.values()) or e.gpu.scope_of(e.engine) or e.own]


def cut_workload(w, end):
    """As it was at @end."""
    pieces = [[a, b if b is not None and b <= end else None] for a, b in w.pieces if a <= end]
    over = w.end is not None and w.end <= end
    whole = bool(pieces) and pieces[-1][1] is not None and len(pieces) == len(w.pieces)
    return replace(w, submit=w.submit if w.submit is not None and w.submit <= end else None,
                   pieces=pieces, end=w.end if over else None, status=w.status if over else None,
                   cancelled=w.cancelled and over, finished=w.finished and whole,
                   dead=w.dead and over)


def cut_gpu(gpu, end):
    """Without turns and holds that are told after @end."""
    cut = copy(gpu)
    cut.turns = {scope: [t for t in turns if t.start <= end] for scope, turns in gpu.turns.items()}
    cut.holds = {scope: [h for h in holds if h.end <= end] for scope, holds in gpu.holds.items()}
    if gpu.own:
        cut.own = {engine: [[a, b if b is not None and b <= end else None] for a, b in spans if a <= end]
                   for engine, spans in gpu.own.items()}
        cut.own_waits = [wait for wait in gpu.own_waits if wait[2] <= end]
    return cut


def cut_history(history, window):
    """Without what was over before the window or came after it."""
    cut = copy(history)
    cut.gpus = {dev: cut_gpu(gpu, window[1]) for dev, gpu in history.gpus.items()}
    cut.workloads = [cut_workload(w, window[1]) for w in history.workloads
                     if w.queue <= window[1] and (w.end is None or w.end >= window[0])]
    return cut


def true_rows(history, window):
    rows = {}
    for engine in engines_of(history):
        where = engine.gpu.dev, engine.engine
        works = {"gpu": sum(engine.works.values(), [])} | engine.works
        for who, which in works.items():
            if which or who == "gpu":
                rows[where[0], who, where[1]] = truth.engine_row(which, window)
    return rows


def own_rows(history, window, report):
    """{(dev, engine): row}: (as it was, as printed)"""
    true = {(e.gpu.dev, e.engine): truth.own_row(e.gpu, e.engine, window)
            for e in engines_of(history) if e.gpu.own}
    return true, {(gpu["dev"], e["engine"]): e for gpu in report["gpus"]
                  for e in (gpu["host"] or {"engines": []})["engines"]}


def true_blocks(history, blocks):
    """{(dev, vgpu, engine): [(executed ns, completed) of each block]}"""
    rows = defaultdict(list)
    for engine in engines_of(history):
        for vgpu, works in engine.works.items():
            for start, stop in blocks if works else []:
                executed = sum(truth.overlap(*piece, (start, stop)) for w in works for piece in w.pieces)
                completed = sum(start <= w.end < stop for w in works if w.end is not None and w.status == 0)
                rows[engine.gpu.dev, vgpu, engine.engine].append((executed, completed))
    return rows


def sums_to(blocks, least, percent, rate, length):
    """Do so many of these blocks have that utilisation, and so many completions per second?"""
    for count in range(len(blocks), least - 1, -1):
        for some in itertools.combinations(blocks, count):
            executed, completed = (sum(values) for values in zip(*some))
            if math.isclose(percent, 100 * executed / (count * length), abs_tol=1e-5) and \
                    math.isclose(rate, completed / (count * length) * 1e9, abs_tol=1e-5):
                return True
    return False


def true_blame(history, window):
    return {(e.gpu.dev, vgpu, e.engine, reason, culprit): ns for e in engines_of(history)
            for (vgpu, reason, culprit), ns in truth.blame(e, window).items()}


def merge_strict(history, gaps):
    """Which of two reasons counts where several vGPUs wait for a slice is for waits.t to try."""
    merged = dict(gaps)
    for dev, engine, reason in gaps:
        if gaps[dev, engine, reason] is not None and history.gpus[dev].policy == "strict" and reason == "throttled":
            key = dev, engine, "switching"
            merged[key] = merged.get(key, 0) + merged.pop((dev, engine, reason))
    return merged


def merge_kept_out(gpu, parts):
    """
    Why a vGPU was kept out, holds and drains, is told when it is over. Where clocks differ, what
    ends just then may be told before that; and where work can be submitted ahead of its turn, a
    submission may be.
    """
    one, others = ("other", ("other", "held", "switching", "throttled")) if gpu.ahead else (
        "switching", ("switching", "held"))
    merged = dict(parts)
    merged[one] = sum(merged.pop(r, None) or 0 for r in others)
    return merged


def merge_blame(history, blame):
    """{(dev, vgpu, engine, reason): ns}, merged"""
    queues = defaultdict(lambda: defaultdict(int))
    for (*queue, reason, _), ns in blame.items():
        queues[tuple(queue)][reason] += ns
    return {(*queue, reason): ns for queue, parts in queues.items()
            for reason, ns in merge_kept_out(history.gpus[queue[0]], parts).items()}


def true_gaps(history, window):
    return {(e.gpu.dev, e.engine, reason): ns for e in engines_of(history)
            for reason, ns in truth.gaps(e, window).items()}


def true_life(w):
    complete = [piece for piece in w.pieces if piece[1] is not None]
    life = {"queue_ns": w.queue, "submit_ns": w.submit, "complete_ns": w.end, "status": w.status,
            "start_ns": w.pieces[0][0] if w.pieces else None, "pieces": len(complete),
            "stop_ns": complete[-1][1] if complete else None, "exec_ns": None, "latency_ns": None,
            "wait_ns": None}
    if w.finished or w.dead and w.end is not None:
        life["exec_ns"] = truth.executed(w)
        life["latency_ns"] = life["stop_ns"] - w.queue
        life["wait_ns"] = life["latency_ns"] - life["exec_ns"]
    elif w.end is not None:
        life["exec_ns"] = 0
    return life


def told_within(column, skewed, largest, window):
    """By how much a row's value may be off if @skewed of its workloads are."""
    part = skewed * largest / (window[1] - window[0])
    sums = {"queue_len_max": skewed, "exec_ns": skewed * largest, "utilization_percent": 100 * part,
            "queue_len_mean": 2 * part}
    if column in sums:
        return sums[column]
    return largest if skewed and column.endswith("_ns") else 0


# --- beside each other ------------------------------------------------------------

class Comparison:
    """Counts values and notes those that differ."""

    def __init__(self, slack=0):
        """@slack: by so much may values differ that should be the same"""
        self.slack = slack
        self.values = 0
        self.wrong = []

    def same(self, what, expected, got, within=0):
        self.values += 1
        if expected is None or got is None:
            good = expected == got
        else:
            good = math.isclose(expected, got, rel_tol=1e-9, abs_tol=within + self.slack)
        if not good:
            self.wrong.append(f"{what}: expected {expected}, got {got}")

    def between(self, what, low, value, high, within=0):
        self.values += 1
        if low is None or not low - within <= value * (1 + 1e-9) or \
                high is not None and value * (1 - 1e-9) > high + within:
            self.wrong.append(f"{what}: {value} is not in {low}..{high}")

    def at_most(self, what, value, most, within=0):
        self.values += 1
        if value is not None and value > (most or 0) + within:
            self.wrong.append(f"{what}: {value} is more than {most} + {within}")

    def paths(self, what, expected, got):
        self.values += len(expected)
        for one, other in zip(expected, got):
            if one != other:
                self.wrong.append(f"{what}: expected {one}, got {other}")
                return
        if len(expected) != len(got):
            self.wrong.append(f"{what}: expected {len(expected)} segments, got {len(got)}")

    def right(self, what, values, wrong):
        self.values += values
        self.wrong += [f"{what}: {text}" for text in wrong]

    def known(self, what, expected, got, within=0):
        """Unknown is always right."""
        if got is not None:
            self.same(what, expected, got, within)

    def cut_rows(self, expected, got, hung):
        """What lived before the trace may be unknown; queues are known, but for those of which a
        reset ended work (@hung) that was not seen before."""
        for key, row in got.items():
            true, what = expected[key], f"report {key}"
            for column in ("queued", "completed", "failed", "cancelled", "open", "exec_ns"):
                self.same(f"{what} {column}", true[column], row[column])
            self.between(f"{what} queue", row["queue_len_mean_min"], true["queue_len_mean"],
                         row["queue_len_mean_max"], 1e-9)
            if key not in hung:
                self.same(f"{what} queue is known", row["queue_len_mean_min"], row["queue_len_mean_max"])
            # what has left the engine for good before the trace seems to wait at first
            most = true["queue_len_max"] + (1 if key[1] != "gpu" else 4)
            if row["queue_len_max"] is not None:
                self.between(f"{what} longest", true["queue_len_max"], row["queue_len_max"], most)
            self.at_most(f"{what} wait", row["wait_count"], true.get("wait_count"))

    def blame_totals(self, expected, got, unseen):
        """For how long a queue waited is known, but for @unseen; why may not be for what was
        before. While it is not known whose turn it is, nor is it whether what was submitted ahead
        of its turn waits for that or for i915."""
        for key in {key[:3] for key in expected | got}:
            true, told = (sum(ns for k, ns in rows.items() if k[:3] == key)
                          for rows in (expected, got))
            unknown = got.get((*key, "unknown", None), 0)
            self.between(f"blame {key}", true - unseen[key], told, true + unknown)

    def told_rows(self, expected, got, skewed, largest, window):
        """@skewed: {row: how many of its workloads are told in another order}"""
        for key in self.same_keys("report", expected, got):
            for column in ROW:
                self.same(f"report {key} {column}", expected[key].get(column), got[key][column],
                          told_within(column, skewed[key], largest, window))

    def told_works(self, history, told, got, clocks):
        """As told, to the nanosecond; if told in another order, as far off as clocks are."""
        for true, w in zip(history.workloads, told.workloads):
            line, within = got[w.dev, w.id], 0
            if clocks.out_of_order(history.gpus[w.dev], true):
                within = clocks.largest
            for column, value in true_life(w).items():
                self.same(f"workload {w.dev, w.id} {column}", value, number(line[column]),
                          within if column.endswith("_ns") else 0)

    def told_splits(self, history, told, got, clocks):
        early = [w for w in history.workloads if clocks.came_early(history.gpus[w.dev], w)]
        switched = defaultdict(list)
        for w in early:
            switched[w.where].append((w, clocks.switched_late(history.gpus[w.dev], w)))
        ids = {(w.dev, w.id) for w in early}
        for engine in engines_of(told):
            for w in sum(engine.works.values(), []):
                if w.end is None or w.cancelled:
                    continue
                parts = truth.split(engine, w) | {"completion": max(0, w.end - w.pieces[-1][1])
                                                  if w.pieces else 0}
                line = {part: number(got[w.dev, w.id][f"{part}_ns"]) for part in parts}
                line = merge_kept_out(engine.gpu, line)
                # as if it had been submitted in a turn before, it was not kept out in between
                within = 2 * clocks.largest + (
                    parts["switching"] + parts["held"] if (w.dev, w.id) in ids else 0)
                # nor was what waited behind it
                within += sum(drain for first, drain in switched[w.where] if first.id < w.id)
                for part, ns in merge_kept_out(engine.gpu, parts).items():
                    self.same(f"workload {w.dev, w.id} {part}", ns, line[part], within)

    def told_sums(self, what, expected, got, within):
        """@within: of a key"""
        for key in expected.keys() | got.keys():
            self.same(f"{what} {key}", expected.get(key, 0), got.get(key, 0), within(key))

    def bounded_rows(self, expected, got, off=0, window=None, some=False):
        """Clocks are @off at most. @some: what needs an event of which none is there is unknown."""
        for key, row in got.items():
            self.bounded_row(f"report {key}", expected[key], row, off, window, some)

    def bounded_row(self, what, true, row, off, window, some):
        alive = sum(true[count] for count in ("completed", "failed", "cancelled", "open"))
        for value, low, high in BOUNDS:
            within = off and told_within(value, alive, off, window)
            if some and row[low] is None and row[high] is None and row[value] is None:
                continue
            self.between(f"{what} {value}", row[low], true[value], row[high], within)
            self.known(f"{what} {value}", true[value], row[value], within)
        self.at_most(f"{what} utilisation", row["utilization_percent_max"], 100, 1e-9)
        for count in ("queued", "completed", "failed", "cancelled"):
            self.at_most(f"{what} {count}", row[count], true[count])
        self.known(f"{what} open", true["open"], row["open"])
        for name in ("exec", "wait", "latency", "turnaround"):
            self.at_most(f"{what} {name} count", row[f"{name}_count"], true.get(f"{name}_count"))
            self.at_most(f"{what} {name} max", row[f"{name}_max_ns"], true.get(f"{name}_max_ns"),
                         off)

    def known_works(self, expected, got, off=0):
        for key, line in got.items():
            if line["state"] == "open" and expected[key].end is not None:
                self.wrong.append(f"workload {key}: open, though it ended")
            for column, value in true_life(expected[key]).items():
                self.known(f"workload {key} {column}", value, number(line[column]),
                           off if column.endswith("_ns") else 0)

    def known_splits(self, history, got, late):
        """@late: so much of what is told when it is over is lost."""
        for engine in engines_of(history):
            for w in sum(engine.works.values(), []):
                line = got.get((w.dev, w.id))
                if w.end is None or w.cancelled or not line or line["unknown_ns"] == "":
                    continue
                unknown = number(line["unknown_ns"])
                for part, ns in truth.split(engine, w).items():
                    told = number(line[f"{part}_ns"])
                    if part != "unknown":
                        self.between(f"workload {w.dev, w.id} {part}", told, ns, told + unknown, late)

    def no_more_blame(self, expected, got, within):
        for key, ns in got.items():
            if key[3] != "unknown":
                self.at_most(f"blame {key}", ns, expected.get(key, 0), within)

    def bounded_gaps(self, expected, got, window, within=0, late=0):
        """@late: so much of what is told when it is over is lost."""
        for dev, engine, reason in got:
            # what the truth does not know may be told, as it is found out later
            unknown, never, true, told = (rows.get((dev, engine, name), 0) for rows, name in (
                (got, "unknown"), (expected, "unknown"), (expected, reason), (got, reason)))
            if reason != "unknown" and told is not None:
                off = within + (late if reason not in SEEN else 0)
                self.between(f"gaps {dev, engine} {reason}", told - never, true, told + unknown, off)
        for dev, engine in {key[:2] for key in got} - {key[:2] for key, ns in got.items() if ns is None}:
            self.same(f"gaps {dev, engine} sum", window[1] - window[0],
                      sum(ns for key, ns in got.items() if key[:2] == (dev, engine)))

    def interval(self, window, alone, lines):
        for line in lines:
            key = int(line["dev"]), int(line["vgpu_id"]) if line["vgpu_id"] else "gpu", line["engine"]
            for column in ("exec_ns", "exec_ns_min", "exec_ns_max", "queue_len_mean"):
                told = float(line[column]) if line[column] else None
                self.same(f"interval {window} {key} {column}", alone[key][column] if key in alone else 0, told, 1e-6)

    def blocks(self, expected, metrics, known, length):
        """@known: was nothing lost in a block?"""
        told = defaultdict(dict)
        for line in metrics:
            told[line["dev"], line["vgpu_id"], line["engine"]][line["metric"]] = line["b"]
        for key, blocks in expected.items():
            percent, rate = (told[key].get(metric) for metric in ("utilization_percent", "completed_per_second"))
            self.values += 2
            if percent is None:
                # after a loss, all blocks of an engine may be left out
                if all(known):
                    self.wrong.append(f"compare {key}: unknown, and nothing was lost")
                continue
            left = [block for block, whole in zip(blocks, known) if whole]
            # after a loss, some more of an engine are left out, until it shows what it does
            if not sums_to(left, len(left) if all(known) else 1, percent, rate, length):
                self.wrong.append(f"compare {key}: {percent} %, {rate} per s are not of {left}")

    def thread(self, name, expected, line, lossy):
        unknown = number(line["unknown_ns"])
        for column, ns in expected.items():
            told = number(line[column])
            if not lossy:
                self.same(f"thread {name} {column}", ns, told)
            elif column != "unknown_ns":
                self.between(f"thread {name} {column}", told, ns, told + unknown)
        self.same(f"thread {name}: all of the time", sum(expected.values()), sum(number(line[key]) for key in expected))

    def same_keys(self, what, expected, got):
        self.same(f"{what}: rows", len(expected), len(got))
        for key in expected.keys() ^ got.keys():
            self.wrong.append(f"{what}: {key} only {'expected' if key in expected else 'printed'}")
        return sorted(expected.keys() & got.keys(), key=str)

    def rows(self, expected, got):
        for key in self.same_keys("report", expected, got):
            for column in ROW:
                self.same(f"report {key} {column}", expected[key].get(column), got[key][column])

    def own(self, expected, got):
        for key in self.same_keys("the host", expected, got):
            for column, value in expected[key].items():
                self.same(f"the host {key} {column}", value, got[key][column])

    def bounded_own(self, expected, got):
        for key, row in got.items():
            true = expected[key]
            self.between(f"the host {key}", row["exec_ns_min"], true["exec_ns"], row["exec_ns_max"])
            self.known(f"the host {key} exec_ns", true["exec_ns"], row["exec_ns"])
            self.at_most(f"the host {key} waits", row["host_waits"], true["host_waits"])

    def sums(self, what, expected, got):
        """Rows of 0 may be left out."""
        for key in expected.keys() | got.keys():
            self.same(f"{what} {key}", expected.get(key, 0), got.get(key, 0))

    def works(self, expected, got):
        for key in self.same_keys("workloads", expected, got):
            for column, value in true_life(expected[key]).items():
                self.same(f"workload {key} {column}", value, number(got[key][column]))

    def splits(self, history, got):
        for engine in engines_of(history):
            for w in sum(engine.works.values(), []):
                if w.end is None or w.cancelled:
                    continue
                for part, ns in truth.split(engine, w).items():
                    self.same(f"workload {w.dev, w.id} {part}", ns,
                              number(got[w.dev, w.id][f"{part}_ns"]))
