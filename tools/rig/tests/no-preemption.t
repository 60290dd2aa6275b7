#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where no engine can preempt, as on Gen8, each close and reset ends in time, too, though a vGPU's
# endless batch has the engine, in every way of dispatching. The emulated GPU is of Gen9: a
# module has i915 believe that its engines cannot.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/no_preemption

check "the module can be built" build_module "$here"
install_selftests "$here/stops" "$work/module/no_preemption.ko" "$top"/tools/rig/scenario/scenarios/hostile/endless-*.conf
among_selftests "GVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/stops"
finish
