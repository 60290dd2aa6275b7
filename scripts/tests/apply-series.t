#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# apply-series applies all or nothing, and says what is in the way.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
keep "$("$top/scripts/kernel-source")"

apply=$top/scripts/apply-series
source_tree=$("$top/scripts/kernel-source") || exit 1
gvt=drivers/gpu/drm/i915/gvt

# new_tree: a clean partial tree in $tree
new_tree() {
	tree=$tmp/tree
	rm -rf "$tree"
	mkdir -p "$tree/drivers/gpu/drm/i915"
	cp -a "$source_tree/$gvt" "$tree/drivers/gpu/drm/i915/"
	cp "$source_tree/Makefile" "$tree/"
}

contents() {
	(cd "$tree" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

# refused NAME PATTERN [ARGUMENT]...: fails as fails() does, and leaves $tree as
# it was
refused() {
	local before
	before=$(contents)
	fails "$1" "$2" "$apply" "$tree" "${@:3}"
	[ "$before" = "$(contents)" ]
	result $? "$1: nothing was changed"
}

new_tree
check "applies to a clean partial tree" "$apply" "$tree"
missing=$(cd "$tree" && "$apply" --list . | xargs ls -d 2>&1 >/dev/null)
[ -z "$missing" ]
result $? "everything that --list names is there"
unnamed=$(cd "$top" && find drivers -type f | sort | comm -23 - <(
	for base in patches/linux-*; do
		"$apply" --mail --list . "${base#*linux-}"
	done | sort -u))
echo "$unnamed" >"$tmp/output"
[ -z "$unnamed" ]
result $? "the series name every new file"
cmp -s "$top/$gvt/workload_trace.h" "$tree/$gvt/workload_trace.h"
result $? "new files are copied as they are"
grep -q trace_gvt_workload_queue "$tree/$gvt/scheduler.c"
result $? "existing files are changed"
! find "$tree" -name '*.orig' -o -name '*.rej' -o -name '*.gvt-new' | grep -q .
result $? "nothing is left over"
refused "a second time" "already has .*gvt/.*without the series"

new_tree
contents | sort >"$tmp/stock"
check "--fixes applies, too" "$apply" --fixes "$tree"
diff <(contents | sort | comm -13 "$tmp/stock" - | sed 's:^[0-9a-f]*  \./::' | sort) <("$apply" --fixes --list "$tree") >"$tmp/output"
result $? "just what --list names has changed"
grep -q 'spin_lock_irq(&scheduler->mmio_context_lock)' "$tree/$gvt/scheduler.c" && ! grep -rq trace_gvt_workload "$tree"
result $? "fixes are applied, and nothing else"

new_tree
sed -i 's/^	unsigned long period;$/	unsigned int period;/' "$tree/$gvt/sched_policy.c"
refused "a changed line" "^apply-series: no series fits $tree; the nearest, series of Linux 6\.12: [^ ]*.patch does not fit $gvt/sched_policy.c:[0-9]+ is \"	unsigned int period;\", the patch has \"	unsigned long period;\"$"

new_tree
# three lines away from what the last patch adds: only fuzz would get over it
sed -i 's/^	intel_gvt_debugfs_init(gvt);$/	intel_gvt_debugfs_start(gvt);/; s/^	gvt_dbg_core("gvt device initialization is done.*/	gvt_dbg_core("done");/' "$tree/$gvt/kvmgt.c"
refused "a context line that only the last patch needs" "[^ ]*.patch does not fit $gvt/kvmgt.c:[0-9]+ is "

new_tree
grep -B 1 -A 8 '^void intel_vgpu_queue_workload(' "$tree/$gvt/scheduler.c" >"$tmp/twice"
cat "$tmp/twice" >>"$tree/$gvt/scheduler.c"
refused "lines that stand there twice" "the nearest, series of Linux 6\.12: [^ ]*.patch fits in several places of $gvt/scheduler.c: @@ "

new_tree
rm "$tree/$gvt/sched_policy.h"
refused "a missing file" "has no $gvt/sched_policy.h"

# What a release in between has of later ones: each line that the series meets, as upstream
# has spelled it since
spell() {
	case $1 in
	typo) sed -i 's/free the unsubmited workloads/free the unsubmitted workloads/' "$tree/$gvt/scheduler.c" ;;
	dot) sed -i 's/^\(.*\* directly\)$/\1./' "$tree/$gvt/scheduler.c" ;;
	quotes) sed -i 's/^MODULE_IMPORT_NS(\(.*\));/MODULE_IMPORT_NS("\1");/' "$tree/$gvt/kvmgt.c" ;;
	drm_print) sed -i 's:^#include <drm/drm_edid.h>:&\n#include <drm/drm_print.h>:' "$tree/$gvt/kvmgt.c" ;;
	wakeref) perl -0 -pi -e 's/(RING_TIMESTAMP_UDW\(engine->mmio_base\)\)\) \{\n)\t\t(mmio_hw_access_pre\(gvt->gt\);\n)/$1\t\tintel_wakeref_t wakeref;\n\n\t\twakeref = $2/; s/mmio_hw_access_post\(gvt->gt\);/mmio_hw_access_post(gvt->gt, wakeref);/g' "$tree/$gvt/handlers.c" ;;
	put) perl -0 -pi -e 's/(void intel_vgpu_stop_schedule.*?enum intel_engine_id id;\n)/$1\tintel_wakeref_t wakeref;\n/s; s/\tintel_runtime_pm_get\(&/\twakeref = intel_runtime_pm_get(&/; s/put_unchecked\(&dev_priv->runtime_pm\)/put(&dev_priv->runtime_pm, wakeref)/' "$tree/$gvt/sched_policy.c" ;;
	timer) perl -0 -pi -e 's/\thrtimer_init\(&data->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS\);\n\tdata->timer.function = tbs_timer_fn;\n/\thrtimer_setup(&data->timer, tbs_timer_fn, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);\n/' "$tree/$gvt/sched_policy.c" ;;
	*) return 1 ;;
	esac
}
spellings=(typo dot quotes drm_print wakeref put timer)

# takes BASE SPELLING...: the series that is found for them, and that it applies
takes() {
	local spelling
	new_tree
	for spelling in "${@:2}"; do
		before=$(contents)
		spell "$spelling"
		[ "$before" != "$(contents)" ] || { echo "$spelling changes nothing"; return 1; }
	done
	"$apply" "$tree" 2>"$tmp/said" && grep -qx "apply-series: taking the series of Linux $1" "$tmp/said"
}

check "the newest spelling of everything" takes '6.12~' "${spellings[@]}"
check "lines that no patch meets" takes 6.12 quotes drm_print
check "the newest spelling of some" takes '6.12~' dot timer

# What may have been released between two that are known
new_tree
rm -rf "$tmp/older" && mv "$tree" "$tmp/older"
new_tree
for spelling in "${spellings[@]}"; do
	spell "$spelling"
done
rm -rf "$tmp/newer" && mv "$tree" "$tmp/newer"
mix() {
	rm -rf "$tree"
	"$top/scripts/mix-trees" "$1" "$tmp/older" "$tmp/newer" "$tree"
}
check "a mixture of the two" mix 1
first=$(contents)
[ -n "$first" ] && mix 1 && [ "$first" = "$(contents)" ]
result $? "is the same each time"
"$apply" --find "$tree" >"$tmp/output" 2>&1 && ! diff -rq "$tree/$gvt" "$tmp/older/$gvt" >/dev/null && ! diff -rq "$tree/$gvt" "$tmp/newer/$gvt" >/dev/null
result $? "is neither, and there is a series for it"
fails "a mixture where something is already" "exists already" "$top/scripts/mix-trees" 1 "$tmp/older" "$tmp/newer" "$tree"
fails "a mixture with no kernel" "has no source of GVT-g" "$top/scripts/mix-trees" 1 "$tmp/older" "$tmp" "$tmp/mixed"

new_tree
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 3/' "$tree/Makefile"
[ "$("$apply" --find "$tree")" = 6.12 ]
result $? "what a tree calls itself decides only which series is tried first"
rm "$tree/Makefile"
[ "$("$apply" --find "$tree")" = 6.12 ]
result $? "a part of a tree that does not have its version"

new_tree
rm "$tree/$gvt/sched_policy.h"
refused "a missing file" "has no $gvt/sched_policy.h"

new_tree
refused "a base without patches" "no patches for Linux 5\.10; there are: 6\.1 6\.12 6\.6 " 5.10
fails "no kernel tree" "has no drivers/gpu/drm/i915" "$apply" "$tmp"
fails "an unknown option" "unknown option '--fuzz'" "$apply" --fuzz "$tree"
check "--help" "$apply" --help
finish
