#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The answers to the eight questions of the tutorial, each on a screen of 80 columns; and
# texts go by the width of the screen, whoever tells it.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"

here=$(dirname "$0")
tutorial=$here/../../../Documentation/gvt-stat-tutorial.md
tsc="--tsc-khz 1000000"

every_kind_of_state
two_gpus
seven_vgpus
for name in small-vs-large small-vs-large-fair; do
	xz -dc "$here/rig/$name.trace.xz" | mktrace "$name"
done

# widest FILE: of its lines, in characters
widest()
{
	LC_ALL=C.UTF-8 wc -L <"$1"
}

# fits NAME COLUMNS COMMAND...: no line of what it prints there is longer, and it prints some
fits()
{
	local name=$1 columns=$2 status=0
	shift 2
	# shellcheck disable=SC2086 # several words
	(cd "$tmp" && COLUMNS=$columns "$GVT_STAT" "$@" $tsc >"$tmp/output" 2>&1) || status=$?
	[ "$status" -le 2 ] && [ "$status" -ne 1 ] && [ -s "$tmp/output" ] &&
		[ "$(widest "$tmp/output")" -le "$columns" ]
	result $? "$name, in $columns columns"
}

GVT_STAT=$(realpath "$GVT_STAT")
for name in small-vs-large all two seven; do
	fits "$name: who uses it" 80 report -i "$name.dat"
	fits "$name: who waits" 80 report --histogram=wait --vgpu 1 --gpu 0 -i "$name.dat"
	fits "$name: why" 80 why -i "$name.dat"
	fits "$name: since when" 80 report --interval 10ms -i "$name.dat"
	fits "$name: what is wrong" 80 check -i "$name.dat"
done
# in two, a workload is overtaken in its queue: something is missing in each of its blocks
for name in small-vs-large all seven; do
	fits "$name: did it help" 80 compare --block 0.002 --vgpu 1 "$name.dat" "$name.dat"
done
# a column for each vGPU
for name in small-vs-large all; do
	fits "$name: for whom" 80 why waits -i "$name.dat"
done
fits "did it help, of two that differ" 80 compare --vgpu 1 small-vs-large.dat small-vs-large-fair.dat
fits "why, on a small screen" 72 check -i small-vs-large.dat

evidence="3086.8 ms in total; workloads of vGPU 2 execute"
in_one_line()
{
	# shellcheck disable=SC2086 # several words
	"$GVT_STAT" check -i "$tmp/small-vs-large.dat" $tsc | grep -q "$evidence"
}
unset COLUMNS
in_one_line
result $? "lines are whole where there is no screen"
for columns in '' 0 -80 19 80x 99999999999999999999; do
	COLUMNS=$columns in_one_line
	result $? "a width of '$columns' is none"
done

# on_terminal COLUMNS COMMAND: what it prints on a terminal of that width
on_terminal()
{
	script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' >"$tmp/typed"
}
on_terminal 80 "$GVT_STAT check -i $tmp/small-vs-large.dat $tsc"
[ "$(widest "$tmp/typed")" -le 80 ] && grep -q '^   Evidence' "$tmp/typed"
result $? "the terminal tells its width"
on_terminal 300 "$GVT_STAT check -i $tmp/small-vs-large.dat $tsc"
grep -q "$evidence" "$tmp/typed"
result $? "a wide one has room for all"

# the tutorial's screens: made by the same commands, see rig-examples. The smallest terminal has
# 24 lines; what a command prints, behind the one that it is on, is not longer, blank lines at
# the end aside.
awk -v out="$tmp/screen" '
	/^## / { nr = ($2 ~ /^[1-8]\.$/) ? int($2) : 0 }
	/^```/ { blank = 0; inside = inside ? 0 : $0 == "```" ? 1 : 2; next }
	inside == 1 && nr && !NF { blank++; next }
	inside == 1 && nr { while (blank && blank--) print "" >(out "." nr); print >(out "." nr) }' "$tutorial"
for nr in 1 2 3 4 5 6 7 8; do
	[ "$(wc -l <"$tmp/screen.$nr")" -le 25 ] && [ "$(widest "$tmp/screen.$nr")" -le 80 ]
	status=$?
	cp "$tmp/screen.$nr" "$tmp/output"
	result $status "question $nr of the tutorial is answered on one screen: $(wc -l <"$tmp/screen.$nr") lines, $(widest "$tmp/screen.$nr") columns"
done

finish
