#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rooms of tools/ use only those below them, and no file includes itself by a detour.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

arrows=$top/tools/lib/tests/arrows

check "no circle and no upward arrow in tools/" "$arrows" "$top/tools"

# and it would see one
mkdir "$tmp/tree"
mkdir -p "$tmp/tree/drivers/gpu/drm/i915"
cp -r "$top/selftests" "$top/tools" "$tmp/tree"
cp -r "$top/drivers/gpu/drm/i915/gvt" "$tmp/tree/drivers/gpu/drm/i915"
copy=$tmp/tree/tools

# sees NAME PATTERN FILE INCLUDE: with that line before the others
sees() {
	cp "$copy/$3" "$tmp/kept"
	sed -i "1i #include \"$4\"" "$copy/$3"
	"$arrows" "$copy" >"$tmp/output"
	[ $? -eq 1 ] && grep -q "$2" "$tmp/output"
	result $? "$1"
	mv "$tmp/kept" "$copy/$3"
}

sees "an arrow from the library to gvt-stat" "must not use" lib/trace/recorded.c output/column.h
sees "an upward arrow in the library" "must not use" lib/model/model.c analysis/idle.h
sees "an arrow from output to cmd" "must not use" gvt-stat/src/output/list.c cmd/options.h
sees "a circle within a room" "circle" lib/trace/events.h reader.h
sees "a file that is not there" "is not there" lib/trace/events.c host/column.h
sees "a header of another room" "private to its room" lib/analysis/idle.c model/turns.h
sees "a program that looks into the library" "private to the library" gvt-stat/src/read/report.c trace/reader.h
sees "a header that is not public" "not listed" gvt-stat/src/read/report.c analysis/facts.h
sees "a private header through a public one" "not listed" lib/analysis/idle.h facts.h
cp "$copy/lib/model/model.h" "$tmp/kept"
yes '/* grew */' | head -50 >>"$copy/lib/model/model.h"
"$arrows" "$copy" >"$tmp/output"
[ $? -eq 1 ] && grep -q "lines of headers, more than" "$tmp/output"
result $? "public headers that grow"
mv "$tmp/kept" "$copy/lib/model/model.h"
touch "$copy"/gvt-stat/src/read/one-more-{1..9}.c
"$arrows" "$copy" >"$tmp/output"
[ $? -eq 1 ] && grep -q "read: has .* files, more than" "$tmp/output"
result $? "a room that grows"
rm "$copy"/gvt-stat/src/read/one-more-*.c
mkdir "$copy/lib/attic" && touch "$copy/lib/attic/old.c"
"$arrows" "$copy" >"$tmp/output"
result $((! $?)) "a room without a place"

finish
