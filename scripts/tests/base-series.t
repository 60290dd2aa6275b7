#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# base-series puts a base's series together from what all bases have and what is its own,
# and port-series adapts the one to the other. The base of the tests is 6.12's source with
# changes, so that no other has to be fetched.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
keep "$("$top/scripts/kernel-source")"

mkdir "$tmp/copy"
cp -r "$top"/{scripts,patches,drivers,Documentation,selftests} "$tmp/copy/"
series=$tmp/copy/scripts/base-series
port=$tmp/copy/scripts/port-series
common=$tmp/copy/patches/linux
own=$tmp/copy/patches/linux-9.9
gvt=drivers/gpu/drm/i915/gvt
export O=$tmp/o

named() {
	grep -E '^[^#+=<[:space:]]' "$1/series"
}

has_patches() {
	diff <(cd "$1" && find . -name '*.patch' -printf '%P\n' | sort) <(named "$1" | sort)
}

# Keeps the fixes and a few other patches, one of which changes code that differs in the base:
# more patches make each run of port-series longer
shorten() {
	local patch
	awk '/^[^#+=<[:space:]]/ { keep = /^00(0[0-9]|1[0-5])-/ || /^0069-/ } keep || /^#/' \
		"$common/series" >"$tmp/series"
	mv "$tmp/series" "$common/series"
	(cd "$common" && find . -name '*.patch' -printf '%P\n') | grep -vxF -f <(named "$common") | while read -r patch; do
		rm "$common/$patch"
	done
}

# What base 9.9 is: 6.12 with another first member of a structure, other texts next
# to what the series adds, and one of its fixes
new_base() {
	local other
	other=$tmp/linux-source-9.9_9.9.1-1
	mkdir -p "$own"
	printf '# base: linux-source-9.9 9.9.0\n' >"$own/series"
	cp -a "$("$top/scripts/kernel-source")" "$other"
	sed -i 's/^SUBLEVEL = .*/SUBLEVEL = 1/; s/^PATCHLEVEL = .*/PATCHLEVEL = 9/; s/^VERSION = .*/VERSION = 9/' "$other/Makefile"
	sed -i 's:^#define GVT_MAX_VGPU 8$:& /* here, too */:' "$other/$gvt/gvt.h"
	patch -s -d "$other" -p1 <"$(compgen -G "$common/0012-*.patch")"
	mv "$tmp/copy/scripts/kernel-source" "$tmp/copy/scripts/kernel-source.real"
	cat >"$tmp/copy/scripts/kernel-source" <<-END
	#!/bin/sh
	case \$1 in 9.9) echo "$other" ;; *) exec "\$0.real" "\$@" ;; esac
	END
	chmod +x "$tmp/copy/scripts/kernel-source"
}

applies() {
	rm -rf "$tmp/tree"
	cp -a "$tmp/linux-source-9.9_9.9.1-1" "$tmp/tree"
	"$tmp/copy/scripts/apply-series" --mail "$tmp/tree" 9.9
}

lines=$(find "$top/patches" -type f -print0 | xargs -0 cat | wc -l)
echo "$lines lines" >"$tmp/output"
[ "$lines" -le 12000 ]
result $? "patches/ has at most 12,000 lines"
for base in "$top"/patches/linux-*; do
	base=${base##*/linux-}
	check "Linux $base: has a series" "$top/scripts/base-series" "$base" "$tmp/$base"
	check "Linux $base: of just the patches that it names" has_patches "$tmp/$base"
done
for base in 6.1 6.6; do
	diff <(named "$tmp/6.12") <(named "$tmp/$base" | grep -vE '^(mail/)?only-') >"$tmp/output"
	result $? "$base has all of 6.12's, and its own"
done

shorten
new_base
check "port-series adapts a new base" "$port" 9.9
diff -u <(printf '%s\n' '# base: linux-source-9.9 9.9.1' "- $(cd "$common" && echo 0012-*.patch)") "$own/series" >"$tmp/output"
result $? "the series has its version, and not what it has already"
find "$own/adapt" -type f | wc -l >"$tmp/output"
[ "$(cat "$tmp/output")" -eq 1 ] && grep -q '^+ #define GVT_MAX_VGPU 8 /. here, too' "$own"/adapt/*.patch
result $? "one patch is adapted: the one that adds to where the base differs"
check "the series applies" applies
cp -r "$own" "$tmp/before"
check "port-series again" "$port" --fresh 9.9
diff -r "$tmp/before" "$own" >"$tmp/output"
result $? "changes nothing"


# A line that only this base adds
adapted=$(cd "$own/adapt" && echo *.patch)
perl -pi -e 's/^(@@ .* \+\d+,)(\d+) @@/$1 . ($2 + 1) . " @@"/e; s/^ \+#include "workload_exec.h"\n/$&++#include <linux\/only.h>\n/' "$own/adapt/$adapted"
check "a line of this base only can be added" applies
grep -q 'linux/only.h' "$tmp/tree/$gvt/gvt.h"
result $? "it is in the tree"
check "port-series, fresh" "$port" --fresh 9.9
grep -q '^++#include <linux/only.h>' "$own/adapt/$adapted"
result $? "keeps the line"
sed -i 's/^+#include "workload_exec.h"/& \/* changed *\//' "$common/$adapted"
fails "a common patch that an adaptation does not fit any more" \
	"^base-series: adapt/$adapted of Linux 9\.9 does not fit patches/linux any more; run scripts/port-series 9\.9" \
	"$series" 9.9 "$tmp/unfit"
cp -r "$own" "$tmp/before-loss"
! "$port" 9.9 >"$tmp/output" 2>&1 && grep -q '^  ++#include <linux/only.h>' "$tmp/output" && diff -r "$own" "$tmp/before-loss" >>"$tmp/output"
result $? "port-series does not lose the line: it names it and changes nothing"
rm "$own/adapt/$adapted"
check "and goes on when it is not needed" "$port" 9.9
check "the series applies again" applies
grep -q 'workload_exec.h" /\* changed' "$tmp/tree/$gvt/gvt.h"
result $? "with what the common patch says now"

mv "$own/adapt/$adapted" "$own/adapt/0000-none.patch"
fails "an adaptation of nothing" "adapts a patch that is not there" "$series" 9.9 "$tmp/nothing"
fails "a base without series" "no .*patches/linux-5\.10/series; for a new base" "$port" 5.10
fails "the base that patches are written for" "written for 6\.12; there is nothing to adapt" "$port" 6.12
fails "an unknown option" "unknown option '-x'" "$port" -x
check "--help" "$port" --help
check "base-series --help" "$series" --help
finish
