#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The patches that mend the kernel as it is, alone: kvmgt with them and nothing else boots, works,
# can be unloaded while others read what it shows, and does not fail where stock kvmgt does
# (patches/README.md has a table).
#
#   FIXES=stock fixes.t    the same with stock kvmgt, to see what it fails
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
fixes=${FIXES:-fixes}
kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
base=$(cut -d . -f 1,2 <<<"$kver")
here=$(dirname "$0")
rounds=5
if [ "$fixes" = stock ]; then
	# what is to fail gets more chances, but need not hang for long
	export RIG_TIMEOUT=300
	rounds=30
fi
kvmgt=${O:-$top/build}/kvmgt/$kver/$fixes/kvmgt.ko
watched=$work/watched/kvmgt/$kver/stock/kvmgt.ko

# play NAME COMMAND [OPTION...]: in a machine of its own, as what fails there may stop all that
# follows, and for no longer than until a task is blocked
play() {
	local name=$1
	out=$work/$name
	cat >"$work/run" <<-END
		#!/bin/sh
		for mdev in /sys/bus/mdev/devices/*; do
			echo 1 >"\$mdev/remove"
		done
		GVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/in-time 900 $2
	END
	shift 2
	# a machine in which an engine's thread waits for ever does not go down
	check "$name: the machine runs to its end" "$rig" exec "$work/run" --scenario "$here/unload.conf" --kernel "$kver" \
		--kvmgt "$kvmgt" --add "$work/selftests:/selftests" --out "$out" "$@"
	if [ -s "$out/output.log" ]; then
		prefix="$name: " show_ktap
		sed -nE 's/^(\[[ 0-9.]*\] (WARNING|BUG|Oops|general protection).*)/# \1/p' "$out/dmesg.log" 2>/dev/null | head -n 3
	else
		result 1 "$name: has said something"
	fi
}

# run_scenario NAME
run_scenario() {
	"$rig" run "$here/fixes/$1.conf" --no-trace --kernel "$kver" --kvmgt "$kvmgt" --out "$work/$1"
}

# The test of soak/ for that, here on the stock kernel
build_race() {
	mkdir "$work/race"
	cp "$here"/../soak/notifier_race/* "$work/race/"
	"$top/scripts/kernel-make" "$kver" "M=$work/race" CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF_MODULES= modules &&
		cp "$work/race/notifier_race.ko" "$here/../soak/race" "$work/selftests/"
}

# kvmgt with what makes faults show, with and without the fixes: see fixes/watched
build_watched() {
	local version source=$work/source gvt=$work/source/drivers/gpu/drm/i915/gvt
	version=$("$top/scripts/kernel-headers" --version "$kver")
	cp -a "$("$top/scripts/kernel-source" "$base=$version")" "$source" || return
	[ "$fixes" = stock ] || "$top/scripts/apply-series" --fixes "$source" || return
	sed -i 's/^\tatomic_inc(&workload->vgpu->submission\.running_workload_num);$/\tmsleep(5);\n&/
		s/^\tintel_context_unpin(\(s->shadow.*\));$/\tWARN_ON(!intel_context_is_pinned(\1));\n&/
		s/SLAB_HWCACHE_ALIGN,$/SLAB_HWCACHE_ALIGN | SLAB_POISON | SLAB_CONSISTENCY_CHECKS,/' "$gvt/scheduler.c"
	sed -i 's/^\tatomic_dec_if_positive(&mm->pincount);$/\tWARN_ON(atomic_dec_if_positive(\&mm->pincount) < 0);/' "$gvt/gtt.c"
	[ "$(cat "$gvt"/{scheduler,gtt}.c | grep -cE 'msleep\(5\)|WARN_ON\(!intel_context_is_pinned|SLAB_POISON|WARN_ON\(atomic_dec')" -eq 4 ] || return
	O=$work/watched "$top/scripts/build-kvmgt" --stock --source "$source" "$kver"
}

# Of 133 workloads that there would be time for, stock gets 84 done, and ours 119
goes_on() {
	cat "$work/called-off/load.log"
	awk -F '[ =]' '/^RESULT vgpu=stays / { done = $9 } END { exit !(done > 105) }' "$work/called-off/load.log"
}

# The register is the one that is switched twice
finds_what_it_left() {
	! grep -m 3 '^# other-values rcs0 .* 0x002248 ' "$work/turns/truth.log" &&
		[ "$(grep -c '^rcs0 ' "$work/turns/truth.log")" -gt 100 ]
}

"$top/scripts/build-kvmgt" "--$fixes" "$kver" >&2 || bail "cannot build kvmgt.ko"
install_selftests "$here"/fixes/{plays,watched} "$here/../soak/in-time"
play plays /selftests/plays
# to a host that is set so, what a guest does must be no reason
play poke "env SEEDS='1 2' /selftests/vgpu_poke.sh" --append panic_on_warn=1
play unload "env ROUNDS=$rounds /selftests/module_readers.sh"
check "the module that holds the notifier up can be built" build_race
play race /selftests/race --symbols
check "called-off: runs" run_scenario called-off
check "called-off: the vGPU that stays goes on when a switch is called off" goes_on
check "turns: runs" run_scenario turns
check "turns: a vGPU finds CTX_PREEMPT as it left it" finds_what_it_left
check "kvmgt.ko that makes faults show can be built" build_watched
for when in queued dispatched closed; do
	kvmgt=$watched play $when "/selftests/watched $when"
done
finish
