#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-bases tells what does not apply; the finding of packages refuses what it cannot
# do. Other bases than 6.12 are not tried here, as their sources would have to be fetched:
# make check-bases.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

mkdir "$tmp/copy"
cp -r "$top"/{scripts,patches,drivers,Documentation,selftests} "$tmp/copy/"
check=$tmp/copy/scripts/check-bases
patches=$tmp/copy/patches
first=$(grep -m1 -E '^[^#+=<[:space:]]' "$patches/linux/series")

# says CODE PATTERN...: check-bases of 6.12 exits with CODE and prints all of it
says() {
	local code=$1 pattern status=0
	shift
	"$check" 6.12 >"$tmp/output" 2>&1 || status=$?
	[ "$status" -eq "$code" ] || return
	for pattern; do
		grep -qE "$pattern" "$tmp/output" || return
	done
}

says 0 '^ok 1 - Linux 6\.12: a series applies to 6\.12\.[0-9]' '^#   that of base 6\.12$' '^# 6\.12 +6\.12 +tested$' '^1\.\.1$'
result $? "the series applies"
sed -i '/^--- a/,$s/^-\([^-]\)/-other \1/' "$patches/linux/$first"
says 1 '^not ok 1 - ' "^# apply-series: no series fits .*: $first does not fit drivers/gpu/drm/i915/gvt/"
result $? "a patch that does not apply is named, with the file"
cp "$top/patches/linux/$first" "$patches/linux/$first"

fails "no package" "usage: apt-for" "$top/scripts/apt-for" linux-source-6.12
[ "$("$top/scripts/apt-for" linux-source-6.12 printenv APT_CONFIG || true)" = "${APT_CONFIG-}" ]
result $? "the machine's own apt is asked for what it has"
printf '#!/bin/sh\necho "$*" >>%s/asked\n' "$tmp" >"$tmp/copy/scripts/apt-for"
fails "a package that the machine's sources do not have" "no package 'none' in this machine's apt sources; try 'apt-get update'" \
	"$tmp/copy/scripts/fetch-deb" none
fails "one that no other release has" "no package 'none' in Debian's other releases; try" "$tmp/copy/scripts/fetch-deb" --other none
is "they are asked only if they are to be" "none,--other none" "$(sed 's/ [^ ]*apt-query .*//' "$tmp/asked" | paste -s -d ,)"
fails "an unknown option" "unknown option '-x'" "$check" -x
check "--help" "$check" --help
finish
