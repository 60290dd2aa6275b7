#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Precision and recall of 'gvt-stat check' on histories whose cause is known: corpus/.

    corpus.t             TAP: each history as it is and in one of its other variants, in turn
    corpus.t --all       TAP: in all
    corpus.t --table     the table of Documentation, of all; exit status 1 unless all is 100 %
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus"))
import environment  # noqa: E402,F401: what the tests run
from corpus import judge_all  # noqa: E402


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def result(self, name, missing, extra, wrong):
        self.count += 1
        bad = missing or extra or wrong
        self.failed += bool(bad)
        print(f"{'not ok' if bad else 'ok'} {self.count} - {name}")
        for what, texts in (("missing", missing), ("too much", extra), ("wrong", wrong)):
            for text in texts:
                print(f"# {what}: {text}")


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def print_table(scores):
    print("| rule | right | missed | false | precision % | recall % |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rule, score in sorted(scores.items()):
        print(f"| {rule} | {score.right} | {score.missed} | {score.false} |"
              f" {percent(score.right, score.right + score.false)} |"
              f" {percent(score.right, score.right + score.missed)} |")


def main():
    if sys.argv[1:] == ["--table"]:
        scores = judge_all(lambda *result: None)
        print_table(scores)
        sys.exit(any(score.missed or score.false for score in scores.values()))
    tap = Tap()
    judge_all(tap.result, every=sys.argv[1:] == ["--all"])
    print(f"1..{tap.count}")
    sys.exit(bool(tap.failed))


main()
