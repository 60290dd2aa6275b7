# SPDX-License-Identifier: GPL-2.0-or-later
"""A number that is given to another vGPU, and what a filter leaves out."""

from history import MS, History

# a VM is removed, and the next one started
PAUSE = (30 * MS, 120 * MS)


def remove_all(history):
    """All VMs are stopped: what is queued is dropped, what is in flight fails."""
    history.now = max(history.now, history.length)
    for w in history.workloads:
        if w.end is not None:
            continue
        if w.submit is None:
            w.cancelled = True
            w.end = history.emit_of(w, 2, "cancel", reason=2)
            continue
        if w.pieces and w.pieces[-1][1] is None:
            w.pieces[-1][1] = history.emit_of(w, 3, "stop", ctx=w.flight[0], seqno=w.flight[1], lrca=64,
                                              completed=0)
        w.dead = bool(w.pieces)
        w.status = -5
        w.end = history.emit_of(w, 2, "complete", status=-5)
    for gpu in history.gpus.values():
        for scope in gpu.scopes:
            history.turn(gpu, scope, gpu.turns[scope][-1].vgpu, 0, 0)


def later(history, by, ids, generation):
    """The same so much later, of other vGPUs, and with other ids."""
    for e in history.events:
        e.ts += by
        if "workload_id" in e.fields:
            e.fields["workload_id"] += ids
        if "uuid" in e.fields:
            e.fields["uuid"] = uuid_of(e.fields["dev"], e.fields["vgpu_id"], generation)
    for w in history.workloads:
        w.id += ids
        w.queue += by
        w.submit = w.submit and w.submit + by
        w.end = w.end and w.end + by
        w.pieces = [[a + by, b and b + by] for a, b in w.pieces]


def uuid_of(dev, vgpu, generation):
    return f"u-{dev}-{vgpu}" if not generation else f"v{generation}-{dev}-{vgpu}"


def generations(rng):
    """Histories of the same GPU, one after the other, and their events: each is of other VMs."""
    histories, events, at, ids = [], [], 0, 0
    dev = rng.randint(0, 3)
    for generation in range(rng.choice([2, 2, 3])):
        history = History(rng, 1, 40 * MS)
        (old, gpu), = history.gpus.items()
        for e in history.events:
            e.fields["dev"] = dev
        for w in history.workloads:
            w.dev = dev
        gpu.dev = dev
        history.gpus = {dev: gpu}
        remove_all(history)
        for e in history.events:
            e.fields["dev"] = dev
        # the kernel leaves out no number
        first = min([w.id for w in history.workloads], default=1)
        later(history, at, ids + 1 - first if ids else 0, generation)
        histories.append(history)
        events += history.events
        at = events[-1].ts + rng.randint(*PAUSE)
        ids = max([w.id for w in history.workloads], default=ids)
    return dev, histories, events


def filtered(rng, history):
    """Without the workloads of a vGPU, as -f 'vgpu_id!=N' records: (dev, vgpu, events)."""
    dev = rng.choice(sorted(history.gpus))
    vgpu = rng.choice(history.gpus[dev].vgpus)
    return dev, vgpu, [e for e in history.events if not (
        "workload_id" in e.fields and (e.fields["dev"], e.fields["vgpu_id"]) == (dev, vgpu))]


def left_out(history, dev, vgpu):
    """Does it show in the ids that workloads are not there?"""
    ids = {d: sorted(w.id for w in history.workloads if w.dev == d) for d in history.gpus}
    kept = {d: [w.id for w in history.workloads if w.dev == d and (d, w.vgpu) != (dev, vgpu)]
            for d in history.gpus}
    span = sum(max(which) - min(which) + 1 for which in kept.values() if which)
    missing = span - sum(map(len, kept.values()))
    return bool(ids) and missing > 8 and missing > span / 20
