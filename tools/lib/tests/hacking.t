#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# HACKING.md: the map is that of the code, and the files that it names are there, in the
# tree of 'make tree', too. README stays small.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

"$(dirname "$0")/arrows" --map "$top/tools" >"$tmp/map"
sed -n '/^flowchart/,/^```/p' "$top/HACKING.md" | sed '1d;$d' >"$tmp/drawn"
check "the map is that of the code (else: tools/lib/tests/arrows --map tools)" diff -u "$tmp/drawn" "$tmp/map"

check "README has 1,200 words at most" test "$(wc -w <"$top/README.md")" -le 1200

# of names in the text, NAME stands for any, and *.h for that of the same file
find "$top" -path "$top/build" -prune -o -path "$top/.git" -prune -o -type f -print >"$tmp/files"
named() {
	# shellcheck disable=SC2016 # backquotes of Markdown
	grep -o '`[^` ]*\.\(c\|h\|t\|sh\|rst\|1\)`' "$top/HACKING.md" | tr -d '`' | grep -v -e NAME -e '^\.' | sort -u
}
# there FILES: prints what is named and not among them
missing_of() {
	named | while read -r name; do
		grep -q "/$(sed 's/[.]/\\./g; s/\*/[^\/]*/g' <<<"${name#../}")$" "$1" || echo "$name"
	done
}
if source=$("$top/scripts/kernel-source" 2>"$tmp/why"); then
	mkdir -p "$tmp/tree/drivers/gpu/drm"
	cp -aL "$source/drivers/gpu/drm/i915" "$tmp/tree/drivers/gpu/drm/"
	chmod -R u+w "$tmp/tree"
	check "the series applies" "$top/scripts/apply-series" "$tmp/tree" 6.12
	find "$tmp/tree" -type f >>"$tmp/files"
	check "the caller is where it says" grep -q intel_gvt_exec_submit "$tmp/tree/drivers/gpu/drm/i915/gvt/scheduler.c"
	missing_of "$tmp/files" >"$tmp/missing"
	check "files that it names are there" diff /dev/null "$tmp/missing"
else
	skip "files that it names are there" "no source of the kernel: $(tail -n 1 "$tmp/why")"
fi
finish
