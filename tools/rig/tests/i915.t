#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A custom i915: from a source tree, or a module; and refusals.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
unset RIG_RUNS
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
package=$("$top/scripts/kernel-image" "$kver") || bail "no kernel"

# stock MODULE: Debian's, unpacked
stock() {
	local file
	file=$(find "$package/lib/modules/$kver" -name "$1.ko*")
	case $file in
	*.xz) xz -dc "$file" ;;
	*) cat "$file" ;;
	esac
}

stock i915 >"$work/i915.ko"
check "no such file" says "--i915: no '/nowhere'; give an i915.ko or a source tree ('scripts/build-kvmgt --i915 /nowhere'" \
	"$rig" run solo --i915 /nowhere
check "another module" says "is not an i915.ko" "$rig" run solo --i915 <(stock kvmgt)
mkdir "$work/other" "$work/changed" "$work/tree"
sed "s/vermagic=./vermagic=9/" "$work/i915.ko" >"$work/other/i915.ko"
check "one of another kernel" says "is built for 9${kver:1}, but the kernel is $kver; build it with" \
	"$rig" run solo --i915 "$work/other/i915.ko"
check "a directory without source" says "cannot build i915.ko for $kver" "$rig" run solo --i915 "$work/tree"
check "and why" grep -q "is not a kernel source tree with GVT-g" "$work/err"

# Some kernels have no versions of symbols
objcopy -O binary --only-section=__kcrctab_gpl "$work/i915.ko" "$work/versions"
tr '\0-\377' '\1-\377\0' <"$work/versions" >"$work/other-versions"
if [ -s "$work/versions" ]; then
	objcopy --update-section "__kcrctab_gpl=$work/other-versions" "$work/i915.ko" "$work/changed/i915.ko"
	check "one that our kvmgt.ko does not fit" says "build both from one source ('scripts/build-kvmgt --i915 TREE $kver')" \
		"$rig" run solo --i915 "$work/changed/i915.ko"
	check "nor the stock one" says "needs another version of i915's symbol" \
		"$rig" run solo --no-trace --i915 "$work/changed/i915.ko" --kvmgt stock
else
	skip "a kvmgt.ko that does not fit" "$kver has no symbol versions"
fi

digest_with() {
	"$rig" exec /bin/true --digest --kvmgt stock "$@"
}
digests() {
	objcopy --add-section "x=$0" "$work/i915.ko" "$work/changed/i915.ko"
	digest_with >"$work/digest.none" && digest_with --i915 "$work/i915.ko" >"$work/digest.stock" &&
		digest_with --i915 "$work/changed/i915.ko" >"$work/digest.other" && [ "$(cat "$work"/digest.* | sort -u | wc -l)" -eq 3 ]
}
check "the digest is of its content" digests

# The kernel shows the sections of the module that it has loaded
printf '#!/bin/sh\n[ -e /sys/module/i915/sections/.marked ] && [ -d /sys/module/kvmgt ]\n' >"$work/script"
marked() {
	mkdir "$work/marked"
	objcopy --add-section ".marked=$0" --set-section-flags .marked=alloc,load,readonly,contents \
		"$work/i915.ko" "$work/marked/i915.ko"
	"$rig" exec "$work/script" --i915 "$work/marked/i915.ko" --out "$work/booted"
}
check "a module is what is booted, and our kvmgt.ko loads" marked

changed_source() {
	rmdir "$work/tree"
	"$top/scripts/build-kvmgt" --i915 "$work/tree" "$kver" || return
	sed -i '/^int i915_driver_probe(/,/^}/s/^\ti915 = i915_driver_create/\tpr_info("i915 of our own\\n");\n&/' \
		"$work/tree/drivers/gpu/drm/i915/i915_driver.c"
	"$rig" run "$(dirname "$0")/quick.conf" --i915 "$work/tree" --append loglevel=8 --out "$work/run" && grep 'i915 of our own' "$work/run/console.log"
}
check "a source tree is built, and what it prints is on the console" changed_source
# and what modpost makes of the module
is "only the change is compiled" i915_driver.o "$(sed -n 's/^  CC .*\///p' "${O:-$top/build}/kvmgt/$kver/i915/i915.log" | grep -v '\.mod\.o$')"
check "the trace is the device's" "$rig" verify "$work/run"
check "the run says which i915 it is" grep -qxE 'i915_sha256=[0-9a-f]{64}' "$work/run/meta"
check "the tree has no more files than before" [ -z "$(find "$work/tree" -name '*.o')" ]
check "a mistake is shown where it is" bash -c "
	echo nonsense >>'$work/tree/drivers/gpu/drm/i915/i915_driver.c'
	! '$top/scripts/build-kvmgt' --i915 '$work/tree' '$kver' >'$work/log' 2>&1 &&
		grep '^$work/tree/drivers/gpu/drm/i915/i915_driver.c:[0-9]*:.*error' '$work/log'"
finish
