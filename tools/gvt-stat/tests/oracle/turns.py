# SPDX-License-Identifier: GPL-2.0-or-later
"""The turns of vGPUs as they were, beside 'list turns'."""
from truth import overlap

TURN = ["start_ns", "end_ns", "run_ns", "vgpu_id", "exec_ns", "workloads", "wait_ns", "drain_ns"]


def scheduled(gpu, vgpu, window):
    """For how many ns it was the turn of @vgpu, summed over the engines whose turns are told."""
    return sum(overlap(turn.start, following.start if following else None, window)
               for turns in gpu.turns.values() if len(turns) > 1 and turns[1].start <= window[1]
               for turn, following in zip(turns, turns[1:] + [None]) if turn.vgpu == vgpu)


def scheduled_times(c, history, window, report):
    """Those of report are as they were, or where events were lost within its bounds."""
    told = [(f"vGPU {v['dev'], v['vgpu_id']} scheduled", history.gpus[v["dev"]], v["vgpu_id"], v,
             "scheduled_ns") for v in report["vgpus"]]
    # of which engines have turns of their own only their switches tell
    told += [(f"GPU {g['dev']} idle", history.gpus[g["dev"]], 0, g, "idle_ns")
             for g in report["gpus"] if len(history.gpus[g["dev"]].turns) == 1 or not report["lost"]["gaps"]]
    for what, gpu, vgpu, values, key in told:
        true = scheduled(gpu, vgpu, window)
        if not report["lost"]["gaps"]:
            c.same(what, true, values[key])
        elif values[f"{key}_min"] is not None:
            c.between(what, values[f"{key}_min"], true, values[f"{key}_max"])
            c.known(what, true, values[key])


def works_of(history, gpu, vgpu, scope):
    return [w for w in history.workloads if w.dev == gpu.dev and w.vgpu == vgpu and
            (scope is None or w.engine == scope)]


def oldest_wait(works, ts):
    """For how long the oldest of them has waited to be submitted; None: none has."""
    waiting = [w.queue for w in works if w.queue <= ts and
               not any(at is not None and at <= ts for at in (w.submit, w.end))]
    return ts - min(waiting) if waiting else None


def true_turn(history, gpu, scope, turn, following, last):
    end = following.start if following else None
    within = turn.start, end or last
    works = works_of(history, gpu, turn.vgpu, scope)
    done = [w for w in works if w.end is not None and not w.cancelled]
    return {"start_ns": turn.start or None, "end_ns": end, "vgpu_id": turn.vgpu,
            "run_ns": end - turn.start if end and turn.start else None,
            "exec_ns": sum(overlap(*piece, within) for w in works for piece in w.pieces),
            "workloads": sum(within[0] <= w.end <= within[1] for w in done),
            "wait_ns": oldest_wait(works, turn.start), "drain_ns": following and following.drain}


def true_turns(history, last):
    """{(dev, engine or "all"): turns}, of which the first began before the trace"""
    return {(dev, scope or "all"): [
        true_turn(history, gpu, scope, turn, following, last)
        for turn, following in zip(turns, turns[1:] + [None])]
            for dev, gpu in history.gpus.items() for scope, turns in gpu.turns.items()}


def all_turns(c, history, last, told):
    """Every one, to the nanosecond; of the first nothing is known."""
    for (dev, engine), turns in true_turns(history, last).items():
        got = [t for t in told if (t["dev"], t["engine"]) == (dev, engine)]
        c.same(f"turns of {dev, engine}", len(turns), len(got))
        for true, turn in list(zip(turns, got))[1:]:
            for column in TURN:
                c.same(f"turn {dev, engine} at {true['start_ns']} {column}", true[column],
                       turn[column])


def known_turns(c, history, last, told):
    """What is known of those that are told was so; of the first nothing is known."""
    turns = true_turns(history, last)
    for turn in told:
        which = turns[turn["dev"], turn["engine"]]
        ends = "end_ns" if turn["end_ns"] is not None else "start_ns"
        true = next((t for t in which if t[ends] == turn[ends]), None)
        if turn[ends] is None or true is which[0]:
            continue
        if true is None:
            c.wrong.append(f"turn {turn}: there was none")
            continue
        for column in TURN:
            c.known(f"turn {turn['dev'], turn['engine']} at {turn[ends]} {column}", true[column],
                    turn[column])
