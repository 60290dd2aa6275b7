#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gvt-sim and gvt-stat have the driver's limits of settings, and 'gvt-stat advise' tries no
# values beyond them.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

top=$(dirname "$0")/../../..
gvt=$top/drivers/gpu/drm/i915/gvt
search=$top/tools/gvt-stat/src/advise/search.c

# NAME LEAST MOST of each number, as the driver has it
sed -n 's/^\tNUMBER(\([a-z_]*\), PLACE([a-z_]*), \([0-9]*\), \([0-9]*\));$/\1 \2 \3/p' \
	"$gvt/sched_settings.c" >"$tmp/limits"

# takes SETTING VALUE: whether gvt-sim does
takes()
{
	{
		echo "set $1 $2"
		echo 'run warmup_ns=0 duration_ns=1000'
		echo 'vgpu 1'
		echo 'stream 1 rcs0'
		echo 'work exec_ns=100 at_ns=100 lag=1'
	} | "$GVT_SIM" - >"$tmp/output" 2>&1
}

# same_limits NAME LEAST MOST: whether gvt-sim takes what is in them, and nothing else
same_limits()
{
	takes "$1" "$2" && takes "$1" "$3" && ! takes "$1" $(($3 + 1)) && ! takes "$1" $(($2 - 1))
}

# tried NAME: the values that advise tries
tried()
{
	sed -n "s/^\t{ \"$1\", (const char \*const \[\]){ \(.*\), NULL }, .*/\1/p" "$search" | tr -d '",'
}

# all_within NAME LEAST MOST: checks all values tried
all_within()
{
	for value in $(tried "$1"); do
		[ "$value" -ge "$2" ] && [ "$value" -le "$3" ] || {
			echo "$1 = $value is beyond $2 to $3" >"$tmp/output"
			return 1
		}
	done
}

[ "$(wc -l <"$tmp/limits")" -eq 7 ]
result $? 'the driver has seven numbers'
names=
while read -r name least most; do
	same_limits "$name" "$least" "$most"
	result $? "gvt-sim takes $name from $least to $most"
	"$GVT_STAT" policy --list | grep -E "^$name +GPU +($least\.\.$most|$least, $most) " >"$tmp/output"
	result $? "and gvt-stat tells that"
	[ -z "$(tried "$name")" ] || names="$names $name"
	all_within "$name" "$least" "$most"
	result $? "advise tries no other $name"
done <"$tmp/limits"
[ "$(wc -w <<<"$names")" -eq "$(grep -c '(const char \*const \[\]){' "$search")" ]
result $? 'what advise tries was found, and nothing else is tried'

# words WHAT OPS: the names that the driver gives to policies or ways of dispatching
words()
{
	sed -n "/^const struct gvt_$1_ops /,/^}/s/^\t\.name = \"\(.*\)\",/\1/p" "$gvt"/*.c | sort
}

# known NAME: the words of gvt-stat's table, which advise tries
known()
{
	tr -d '\t\n\\' <"$top/tools/lib/trace/settings.h" | sed "s/.*X(TEXT, $1, \"$1\", *\"\([^\"]*\)\".*/\1/;s/, /\n/g" | sort
}

for setting in policy dispatch; do
	words $setting >"$tmp/words"
	known $setting >"$tmp/known"
	[ -s "$tmp/words" ] && diff "$tmp/words" "$tmp/known" >"$tmp/output"
	result $? "each $setting of the driver is tried"
done

finish
