# SPDX-License-Identifier: GPL-2.0-or-later
"""Run test functions and print TAP."""

import signal
import traceback

TIMEOUT_S = 120


class Skip(Exception):
    """Raised by a test that cannot run here; says why."""


def check_equal(got, want, what):
    """Compare two values; numbers are shown in hexadecimal too."""
    if got == want:
        return
    shown = [f"{v} ({v:#x})" if isinstance(v, int) else repr(v)
             for v in (got, want)]
    raise AssertionError(f"{what}: got {shown[0]}, want {shown[1]}")


def _too_long(*_):
    raise TimeoutError(f"no answer for {TIMEOUT_S} s")


def run(tests):
    """Run the functions; their docstrings are the test names.

    Returns the exit code.
    """
    failed = 0
    signal.signal(signal.SIGALRM, _too_long)
    print(f"1..{len(tests)}", flush=True)
    for number, test in enumerate(tests, 1):
        name = f"{number} - {test.__doc__.strip()}"
        signal.alarm(TIMEOUT_S)
        try:
            test()
            print(f"ok {name}", flush=True)
        except Skip as reason:
            print(f"ok {name} # SKIP {reason}", flush=True)
        except Exception as error:  # a test that dies has failed
            failed += 1
            print(f"not ok {name}", flush=True)
            lines = [str(error)]
            if not isinstance(error, AssertionError):
                lines = traceback.format_exc().splitlines()
            for line in lines:
                print(f"# {line}", flush=True)
    return 1 if failed else 0
