# SPDX-License-Identifier: GPL-2.0-or-later
"""Sets the variables that name what the tests run, where they are not set: see environment."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "../../..")


def set_defaults():
    build = os.environ.get("GVT_STAT_BUILD", os.path.join(TOP, "build/gvt-stat"))
    with open(os.path.join(HERE, "environment"), encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                variable, path = line.split()
                os.environ.setdefault(variable, os.path.normpath(os.path.join(build, path)))
    os.environ.setdefault("FORMATS", f"-F {TOP}/tools/traceevent/formats -F {HERE}/formats")


set_defaults()
