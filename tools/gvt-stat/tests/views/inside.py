# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the programs beside this file in the process of who asks."""
import contextlib
import io
import os
import runpy
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))


def run(program, *arguments):
    """What it prints, and what it says to standard error, as lines; what went wrong is printed.

    Else most of its time were Python's to start, and gvt-stat's to tell what it told the
    program before.
    """
    out, err = io.StringIO(), io.StringIO()
    sys.argv = [program, *arguments]
    failed = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(os.path.join(HERE, program))
        except SystemExit as end:
            failed = end.code
        except Exception:  # whatever it is, it is a complaint
            failed = traceback.format_exc()
    said = err.getvalue().splitlines()
    return out.getvalue().splitlines() + ([str(failed), *said] if failed else []), said
