#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What people read on a terminal goes through the pager, and nothing else does.
#
# shellcheck disable=SC2086 # $tsc is two words
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"
command -v script >/dev/null || skip_all "script(1) is missing"
unset PAGER LESS NO_COLOR COLUMNS

tsc="--tsc-khz 1000000"
every_kind_of_state
# long enough that the pipe to a reader who has quit fills up
for id in $(seq 2000); do
	printf '%dus 0 queue v=1 w=%d\n%dus 0 start v=1 w=%d\n%dus 0 stop v=1 w=%d done=1\n' \
		"${id}1" "$id" "${id}2" "$id" "${id}3" "$id"
done | mktrace long
cat >"$tmp/pager" <<'END'
#!/bin/sh
echo "LESS=$LESS $*" >"$(dirname "$0")/options"
cat >"$(dirname "$0")/paged"
END
chmod +x "$tmp/pager"

# on_terminal PAGER ARGUMENT...: the exit status; $tmp/typed is what comes to the terminal, of 70 columns,
# and $tmp/paged what comes to the pager
on_terminal()
{
	pager=$1
	shift
	rm -f "$tmp/paged" "$tmp/options"
	[ "$pager" = unset ] || export PAGER="$pager"
	TERM=xterm timeout 20 script -qec "stty cols 70 rows 24; $GVT_STAT $*" /dev/null </dev/null >"$tmp/typed"
	status=$?
	unset PAGER
	touch "$tmp/paged"
}

on_terminal "$tmp/pager -x 'a b'" report -v -i "$tmp/all.dat" $tsc
is "report -v goes through PAGER, with its arguments" "0 LESS=FRX -x a b 0" \
	"$status $(cat "$tmp/options") $(wc -c <"$tmp/typed")"
matches "bold is kept" "*$(printf '\033')?1m*" "$(cat "$tmp/paged")"
sed "s/$(printf '\033')[^m]*m//g" "$tmp/paged" >"$tmp/plain"
COLUMNS=70 "$GVT_STAT" report -v -i "$tmp/all.dat" $tsc | cmp - "$tmp/plain" >"$tmp/output"
result $? "the width is the terminal's"
on_terminal "$tmp/pager" list workloads -i "$tmp/all.dat" $tsc
is "and so do lists" "$("$GVT_STAT" list workloads -i "$tmp/all.dat" $tsc 2>/dev/null | wc -l)" "$(wc -l <"$tmp/paged")"
LESS=M on_terminal "$tmp/pager" report -i "$tmp/all.dat" $tsc
is "who has set LESS keeps it" "LESS=M " "$(cat "$tmp/options")"
on_terminal "$tmp/pager" check -i "$tmp/all.dat" $tsc
is "the exit status is the command's" 2 "$status"
on_terminal "$tmp/pager" report -i "$tmp/nosuch.dat"
is "an error does not come through it" "1 0" "$status $(wc -c <"$tmp/paged")"
on_terminal "head -n 1" list workloads -i "$tmp/long.dat"
is "a reader who quits is no error" "0 1" "$status $(wc -l <"$tmp/typed")"

# direct NAME PAGER ARGUMENT...: the pager gets nothing
direct()
{
	name=$1
	shift
	on_terminal "$@"
	[ -s "$tmp/typed" ] && [ ! -s "$tmp/paged" ]
	result $? "no pager: $name"
}
direct "--json" "$tmp/pager" report --json -i "$tmp/all.dat" $tsc
direct "--csv" "$tmp/pager" list workloads --csv -i "$tmp/all.dat" $tsc
direct "--no-pager" "$tmp/pager" report --no-pager -i "$tmp/all.dat" $tsc
direct "--help" "$tmp/pager" report --help
direct "PAGER is cat" cat report -i "$tmp/all.dat" $tsc
direct "PAGER is empty" "" report -i "$tmp/all.dat" $tsc
direct "PAGER is not there" "$tmp/nosuch" report -i "$tmp/all.dat" $tsc
matches "which is said" "gvt-stat: warning: PAGER=$tmp/nosuch: there is no such program; *" "$(cat "$tmp/typed")"
export PAGER="$tmp/pager"
"$GVT_STAT" report -i "$tmp/all.dat" $tsc >"$tmp/out"
is "no pager: a file" 0 "$(wc -c <"$tmp/paged")"
unset PAGER
if command -v less >/dev/null; then
	on_terminal unset list workloads -n 2 -i "$tmp/all.dat" $tsc
	is "less does not wait for a key where all fits on the screen" 0 "$status"
else
	skip "less does not wait for a key" "less is missing"
fi
finish
