#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest writes to the memory of its page tables what it likes, as in intel/gvt-linux#153: its
# next good workload does what it should, others lose nothing, and nothing is used that was
# freed (slabs are poisoned). With our kvmgt, and with the fixes of the kernel as it is alone.
#
#   TABLES=stock tables.t    with stock kvmgt, each of the PLAYS in a machine of its own
#   TABLES=series tables.t   with our series alone
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/tables
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
built=${O:-$top/build}
all=(reused-root frame-0 other-level half-populated half-entry unaligned destroy-twice lri-twice reopened mode-again flood random)
# What takes a second or a minute under the vGPU's lock if tables are not looked at in parts, and what
# the fixes of the kernel as it is have no limits for
large=(tree cells many-loads many-roots shared-root full holes charged)

# play NAME KVMGT PLAY...
play() {
	local name=$1 kvmgt=$2
	shift 2
	out=$work/$name
	printf '#!/bin/sh\nexec /selftests/in-time 120 /selftests/plays %s\n' "$*" >"$work/run"
	check "$name: the machine runs to its end" "$rig" exec "$work/run" --scenario "$here/tables.conf" --kernel "$kver" \
		--kvmgt "$kvmgt" --add "$work/selftests:/selftests" --add "$built/rig-load/rig-tables:/bin/rig-tables" \
		--append 'slub_debug=FPZ,kmalloc-*' --out "$out"
	if [ -s "$out/output.log" ]; then
		prefix="$name: " show_ktap
	else
		result 1 "$name: has said something"
	fi
}

install_selftests "$here/plays" "$top/tools/rig/soak/in-time"
if [ "${TABLES:-}" = stock ]; then
	export RIG_TIMEOUT=${STOCK_TIMEOUT:-300}
	for one in ${PLAYS:-"${all[@]}"}; do
		play "stock-$one" stock "$one"
	done
else
	"$top/scripts/build-kvmgt" "$kver" >&2 || bail "cannot build kvmgt.ko"
	play series "$built/kvmgt/$kver/kvmgt.ko" "${all[@]}" "${large[@]}"
	if [ -z "${TABLES:-}" ]; then
		"$top/scripts/build-kvmgt" --fixes "$kver" >&2 || bail "cannot build kvmgt.ko"
		play fixes "$built/kvmgt/$kver/fixes/kvmgt.ko" "${all[@]}"
	fi
fi
finish
