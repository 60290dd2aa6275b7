# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs of the rig that are kept, and what gvt-stat says of their traces."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..", "..")
RIG = os.path.join(HERE, "../rig")
GVT_STAT = os.environ.get("GVT_STAT", os.path.join(TOP, "build/gvt-stat/gvt-stat"))


def record(out, scenario, mode, run=True, options=()):
    """Runs a scenario's file under POLICY/DISPATCH, unless that is in OUT already, and tells where its trace is; None if it may
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


def ask(command, *options, statuses=(0,)):
    """The JSON document of a command of gvt-stat."""
    run = subprocess.run([GVT_STAT, command, "--json", *options], capture_output=True, text=True)
    if run.returncode not in statuses:
        sys.exit(f"gvt-stat {command}: {run.stderr.strip()}")
    return json.loads(run.stdout)
