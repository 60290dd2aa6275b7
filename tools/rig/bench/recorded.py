# SPDX-License-Identifier: GPL-2.0-or-later
"""Kept runs of the rig, and results of gvt-stat on their traces."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..", "..")
RIG = os.path.join(HERE, "../rig")
# Number of recordings of a scenario; in each, its streams begin further apart by this time
STARTS = 3
STEP_US = 6370
GVT_STAT = os.environ.get("GVT_STAT", os.path.join(TOP, "build/gvt-stat/gvt-stat"))


def record(out, scenario, mode, run=True, options=()):
    """Runs a scenario's file under POLICY/DISPATCH, unless the result is in OUT, and returns the path of its trace; None if it may
    not run and there is none."""
    policy, dispatch = mode.split("/")
    command = [RIG, "run", scenario, "--out", out, "--set", f"gvt_sched/policy={policy}", "--set",
               f"gvt_sched/dispatch={dispatch}", *options]
    trace, kept = os.path.join(out, "trace.dat"), os.path.join(out, "digest")
    if not run:
        return trace if os.path.exists(trace) else None
    digest = subprocess.run(command + ["--digest"], check=True, capture_output=True, text=True).stdout
    if os.path.exists(trace) and os.path.exists(kept) and open(kept).read() == digest:
        return trace
    print(f"recording {os.path.basename(out)}", file=sys.stderr)
    subprocess.run(command, check=True, stdout=sys.stderr)
    with open(kept, "w") as file:
        file.write(digest)
    return trace


def scenario(vgpus, mode, duration, settings=(), gpu=(), warmup="1500ms"):
    """The text of a scenario: its vGPUs' types and streams ("word = value|word = value") by their names, POLICY/DISPATCH, and pairs
    of further settings and of properties of the GPU. New vGPUs go first for a while unless a setting says otherwise: here they do not."""
    policy, dispatch = mode.split("/")
    lines = ['description = "made by a benchmark"', "aperture-mb = 1024", f'warmup = "{warmup}"', f'duration = "{duration}"']
    for path, value in (("gvt_sched/policy", policy), ("gvt_sched/boost_ms", 0), ("gvt_sched/dispatch", dispatch), *settings):
        lines += [f'setting "{path}" {{', f"value = {value}", "}"]
    for name, value in gpu:
        lines += [f'gpu "{name}" {{', f"value = {value}", "}"]
    for name, (kind, streams) in vgpus.items():
        lines += [f'vgpu "{name}" {{', f"type = {kind}"]
        for nr, stream in enumerate(streams):
            lines += [f'stream "work{nr}" {{', *stream.split("|"), "}"]
        lines.append("}")
    return "\n".join(lines) + "\n"


def record_all(out, runs, run=True, gpu=()):
    """Runs scenarios, texts by their names, one after the other in one boot, unless those are in OUT already; OUT/NAME has
    trace.dat and load.log of each."""
    if not run:
        return
    subprocess.run(["make", "-s", "-C", os.path.join(HERE, "../scenario")], check=True)
    directory = out + "-runs"
    os.makedirs(directory, exist_ok=True)
    for file in os.listdir(directory):
        os.unlink(os.path.join(directory, file))
    for name, text in runs.items():
        conf = os.path.join(directory, name + ".conf")
        with open(conf, "w") as file:
            file.write(text)
        with open(conf[:-5] + ".plan", "w") as file:
            subprocess.run([os.path.join(TOP, "build/rig-scenario/rig-scenario"), "plan", conf], check=True, stdout=file)
    boot = out + "-boot"
    os.makedirs(boot, exist_ok=True)
    with open(os.path.join(boot, "boot.conf"), "w") as file:
        file.write(scenario({"idle": ("V5_8", ())}, "fair/per-engine", "1s", gpu=gpu))
    # the name is in the digest, so that kept runs do not depend on the directory
    command = [os.path.abspath(RIG), "exec", os.path.join(HERE, "recorded-vm"), "--scenario", "./boot.conf", "--add",
               directory + ":/runs", "--out", out, "--timeout", "7200"]
    digest = subprocess.run(command + ["--digest"], cwd=boot, check=True, capture_output=True, text=True).stdout
    kept = os.path.join(out, "digest")
    if os.path.exists(kept) and open(kept).read() == digest:
        return
    print(f"recording {len(runs)} runs for {os.path.basename(out)}", file=sys.stderr)
    subprocess.run(command, cwd=boot, check=True, stdout=sys.stderr)
    with open(kept, "w") as file:
        file.write(digest)


def moved(stream, nr, start):
    """The NRth stream ("word = value|word = value") of a scenario, with another start time, so that streams meet in another phase, and
    with other random arrivals; START 0 leaves it unchanged."""
    words = [f"seed = {int(word.split()[-1]) + start}" if word.startswith("seed") else word for word in stream.split("|")]
    return "|".join(words + ([f'start = "{start * (nr + 1) * STEP_US}us"'] if start else []))


def write_rows(out, rows):
    """Writes rows for the table of all benchmarks (accuracy)."""
    with open(os.path.join(out, "rows.json"), "w") as file:
        json.dump(list(rows), file, indent=1)


def ask(command, *options, statuses=(0,)):
    """The JSON document of a command of gvt-stat."""
    run = subprocess.run([GVT_STAT, command, "--json", *options], capture_output=True, text=True)
    if run.returncode not in statuses:
        sys.exit(f"gvt-stat {command}: {run.stderr.strip()}")
    return json.loads(run.stdout)
