#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An oracle in another language: random histories, and whether gvt-stat tells what was.

On perfect traces all values are equal to the nanosecond. On imperfect ones they are equal, or
within the bounds that gvt-stat prints, and never impossible.

ORACLE_COUNT histories of each kind are tried (default 20), from ORACLE_SEED on (default 1), and
some that once were wrong; a line of a failure names the seed. ORACLE_KEEP=1 leaves the traces that
failed in the directory that is named.
"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))

import environment  # noqa: E402,F401: what the tests run
import kinds  # noqa: E402


# seeds of histories of which something was told wrongly once, by kind
KEPT = {"two_losses": [11103, 31096], "all_at_once": [9013, 9073, 11224, 21001, 31089, 50092, 50191],
        "cut_ends": [21004], "own_work_cut": [77033, 78340], "covered": [
            1032, 1123, 1187, 50001, 7000299, 7000407, 7000437, 10000202, 10000636],
        "uncounted": [68, 105, 108, 110, 8000187, 8000191, 8000264, 8000360, 8000484, 8000748, 9000132, 9000608], "skew": [11014, 20016, 21091, 21095, 21143]}


def tools():
    formats = os.environ["FORMATS"].split()
    return [os.environ["GVT_STAT"]], os.environ["MKTRACE"], formats


def seeds(kind):
    first = int(os.environ.get("ORACLE_SEED", "1"))
    count = int(os.environ.get("ORACLE_COUNT", "20"))
    return [*KEPT.get(kind.__name__, []), *range(first, first + count)]


def show(seed, wrong, path):
    print(f"# seed {seed}, {path}: {len(wrong)} wrong")
    for line in wrong[:8]:
        print(f"#   {line}")


def try_kind(kind, directory):
    """(values, wrong) over all seeds."""
    values = wrong = 0
    for seed in seeds(kind):
        path = os.path.join(directory, f"{kind.__name__}-{seed}.dat")
        comparison = kind(random.Random(f"{kind.__name__} {seed}"), path, *tools())
        values += comparison.values
        wrong += len(comparison.wrong)
        if comparison.wrong:
            show(seed, comparison.wrong, path)
        if not (comparison.wrong and os.environ.get("ORACLE_KEEP")):
            os.unlink(path)
    return values, wrong


def main():
    failed = 0
    wanted = sys.argv[1:]
    chosen = [k for k in kinds.ALL
              if k.__name__ in wanted or not wanted]
    directory = tempfile.mkdtemp()
    for nr, kind in enumerate(chosen, 1):
        values, wrong = try_kind(kind, directory)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {nr} - {kind.__doc__.splitlines()[0]} "
              f"({len(seeds(kind))} histories, {values} values)", flush=True)
    if not os.environ.get("ORACLE_KEEP"):
        os.rmdir(directory)
    print(f"1..{len(chosen)}")
    return bool(failed)


sys.exit(main())
