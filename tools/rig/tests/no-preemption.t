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
out=$work/out
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}

# With i915's source as it is where kvmgt is built
build_module() {
	"$top/scripts/build-kvmgt" "$kver" || return
	mkdir -p "$work/module"
	cp "$here"/Kbuild "$here"/*.c "$work/module/"
	"$top/scripts/kernel-make" "$kver" "M=$work/module" CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF_MODULES= \
		"I915=${O:-$top/build}/kvmgt/$kver/tree/drivers/gpu/drm/i915" modules
}

check "the module can be built" build_module
install_selftests "$here/stops" "$work/module/no_preemption.ko" "$top"/tools/rig/scenario/scenarios/hostile/endless-*.conf
printf '#!/bin/sh\nGVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/stops\n' >"$work/run"
check "the machine runs to its end" "$rig" exec "$work/run" --add "$work/selftests:/selftests" --out "$out"
show_ktap
finish
