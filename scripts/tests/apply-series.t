#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# apply-series applies all or nothing, and says what is in the way.
set -u
. "$(dirname "$0")/lib.sh"

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
refused "a changed line" "^apply-series: [^ ]*.patch does not apply to $gvt/sched_policy.c;"

new_tree
# three lines away from what the last patch adds: only fuzz would get over it
sed -i 's/^	intel_gvt_debugfs_init(gvt);$/	intel_gvt_debugfs_start(gvt);/; s/^	gvt_dbg_core("gvt device initialization is done.*/	gvt_dbg_core("done");/' "$tree/$gvt/kvmgt.c"
refused "a context line that only the last patch needs" "^apply-series: [^ ]*.patch does not apply to $gvt/kvmgt.c;"

new_tree
grep -B 1 -A 8 '^void intel_vgpu_queue_workload(' "$tree/$gvt/scheduler.c" >"$tmp/twice"
cat "$tmp/twice" >>"$tree/$gvt/scheduler.c"
refused "lines that stand there twice" "^apply-series: [^ ]*.patch fits in several places of $gvt/scheduler.c: @@ "

new_tree
rm "$tree/$gvt/sched_policy.h"
refused "a missing file" "has no $gvt/sched_policy.h"

new_tree
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 1/' "$tree/Makefile"
refused "another kernel version" "is Linux 6\.1, but the patches are for 6\.12"

new_tree
refused "a base without patches" "no patches for Linux 5\.10; there are: 6\.1 6\.12 " 5.10
fails "no kernel tree" "has no drivers/gpu/drm/i915" "$apply" "$tmp"
fails "an unknown option" "unknown option '--fuzz'" "$apply" --fuzz "$tree"
check "--help" "$apply" --help
finish
