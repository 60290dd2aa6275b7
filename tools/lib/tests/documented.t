#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every symbol of the library's headers is documented.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

here=$(dirname "$0")
mapfile -t headers < <(grep -L 'Private to this room' "$here"/../*/*.h)

check "every symbol is documented" "$here/documented" "${headers[@]}"

# sees NAME PATTERN HEADER
sees() {
	printf '%b' "/* SPDX */\n$3" >"$tmp/x.h"
	"$here/documented" "$tmp/x.h" >"$tmp/output"
	[ $? -eq 1 ] && grep -q "$2" "$tmp/output"
	result $? "$1"
}

about='/*\n * About.\n */\n'
sees "a function without comment" 'g() is not' \
	"$about/**\n * f - does it\n */\nint f(int a);\n\nint g(int a,\n      int b);\n"
sees "a function whose comment is no kernel-doc" 'f() is not' "$about/* does it */\nint f(int a);\n"
sees "a struct" 's is not' "$about\nstruct s {\n\tint a;\n};\n"
sees "a header without purpose" 'what it is for' 'int f(int a);\n'

finish
