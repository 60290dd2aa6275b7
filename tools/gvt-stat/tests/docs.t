#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option is in the man page, and every column of
# the machine-readable forms keeps its name: programs rely on it.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

top=$(dirname "$0")/..

commands=$("$GVT_STAT" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p' | grep -vx help)
# as "list turns", a line each
details=$(for command in $commands; do
	"$GVT_STAT" "$command" --help | sed -n '/^In detail:/,$s/^  \([a-z]* [a-z]*\) .*/\1/p'
done)

# page COMMAND: its man page
page()
{
	echo "$top/gvt-stat-${1%% *}.1"
}

printf '%s\n' "$commands" "$details" >"$tmp/every"
while read -r command; do
	for option in $("$GVT_STAT" "$command" --help | grep -o -- '--[a-z-]*' | sort -u); do
		word=${option#--}
		case $word in
		# what all commands that read a trace have in common is told once
		help | usage | version | input | time | gpu | engine | tsc-khz | csv | columns | list | sort | limit | \
			no-pager | in-process)
			page=$top/gvt-stat.1
			;;
		*) page=$(page "$command") ;;
		esac
		grep -q -e "Fl -$word" "$page"
		result $? "$command $option is in the man page"
	done
	case $command in
	*' '*) grep -q "^\.It Cm ${command#* }" "$(page "$command")" ;;
	*) grep -q "^\.It Cm $command" "$top/gvt-stat.1" ;;
	esac
	result $? "command $command is in the man page"
	# made by examples, from a run on the rig or from files
	awk '/^\.\\" (rig|files:) / { rig = 1 } rig && /^[$#] gvt-stat '"$command"'/ { found = 1 } /^\.Ed/ { rig = 0 }
		END { exit !found }' "$(page "$command")"
	result $? "command $command has an example in its man page that was run"

	# lists of columns and settings are those that the program prints: 'make lists' writes them
	"$GVT_STAT" "$command" --list >"$tmp/list" 2>"$tmp/err" || continue
	page=$(page "$command")
	cp "$page" "$tmp/page.1"
	"$top/tests/man-lists" "$tmp/page.1"
	diff "$page" "$tmp/page.1" >"$tmp/output" && grep -q "^$(head -n 1 "$tmp/list" | cut -d ' ' -f 1)" "$page"
	result $? "$command --list is in the man page (else: make lists)"
done <"$tmp/every"

# has NAME FILE NAMES: all names in the file are among these; more may be
has()
{
	echo "$3" | sort -u >"$tmp/names"
	is "$1" "" "$(sort -u "$2" | comm -23 - "$tmp/names")"
}

printf '0ms 0 queue v=1 w=1\n1ms 0 start v=1 w=1\n2ms 0 stop v=1 w=1 done=1\n' | mktrace small
# names of all members of all objects, as in schema gvt-stat/1
has "report --json has the members of its schema" "$top/tests/schema-report.txt" \
	"$("$GVT_STAT" report --json -i "$tmp/small.dat" |
		jq -r '[paths | map(select(type == "string")) | join(".")] | unique | .[]')"
has "report --csv has these columns" "$top/tests/schema-csv.txt" \
	"$("$GVT_STAT" report --csv -i "$tmp/small.dat" | head -n 1 | tr -d '\r' | tr , '\n')"

finish
