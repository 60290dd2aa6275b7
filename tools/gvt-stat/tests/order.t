#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -s and -n in every form of output, and tables that fit.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# vGPU v executes (v * 7) % 10 ms; the workload of vGPU 5 never ends
awk 'BEGIN { for (v = 1; v <= 5; v++) { t = 100 * v; e = v * 7 % 10
	printf "%dms 0 queue v=%d w=%d\n%dms 0 submit v=%d w=%d\n%dms 0 start v=%d w=%d lrca=%d\n", t, v, v, t, v, v, t + v, v, v, v
	if (v < 5) printf "%dms 0 stop v=%d w=%d lrca=%d done=1\n%dms 0 complete v=%d w=%d\n", t + v + e, v, v, v, t + v + e, v, v } }' | mktrace five

csv()
{
	"$GVT_STAT" list workloads --csv --columns workload_id -i "$tmp/five.dat" "$@" 2>"$tmp/err" | sed 1d | xargs
}
json()
{
	"$GVT_STAT" list workloads --json --columns workload_id -i "$tmp/five.dat" "$@" 2>"$tmp/err" |
		jq -c '[.workloads[].workload_id]'
}

is "as they come" "1 2 3 4 5" "$(csv)"
is "by a number, unknown ones last" "4 1 2 3 5" "$(csv -s exec_ns)"
is "the first two" "1 2" "$(csv -n 2)"
is "the two largest" "4 1" "$(csv -s exec_ns -n 2)"
is "0 is all" "4 1 2 3 5" "$(csv -s exec_ns -n 0)"
is "more than there are" "4 1 2 3 5" "$(csv -s exec_ns -n 99)"
is "JSON: the same" "[4,1]" "$(json -s exec_ns -n 2)"
is "JSON: none asked for" "[1,2,3,4,5]" "$(json)"
is "text: the same" "4 1" "$("$GVT_STAT" list workloads --columns workload_id -s exec_ns -n 2 -i "$tmp/five.dat" 2>"$tmp/err" |
	sed 1d | xargs)"
is "by a text" "complete complete complete complete open" \
	"$("$GVT_STAT" list workloads --csv --columns state -s state -i "$tmp/five.dat" 2>"$tmp/err" | sed 1d | xargs)"
is "report --csv" "4 1 2 3 5" "$("$GVT_STAT" report --csv --columns scope,vgpu_id -s exec_ns -i "$tmp/five.dat" |
	awk -F, '$1 == "vgpu" { print $2 }' | xargs)"
is "tables" "4 1 2 3 5" "$("$GVT_STAT" report -v -s exec_share_percent -i "$tmp/five.dat" |
	awk '/^Slices/ { on = 1; next } /^$/ { on = 0 } on && $1 != "VGPU" { print $1 }' | xargs)"
is "lines of tables" 2 "$("$GVT_STAT" report -v -n 2 -i "$tmp/five.dat" | awk '/^Distribution/ { on = 1; next } on && /rcs0/ { n++ } /^$/ { on = 0 } END { print n }')"
matches "what is cut is told" "*more lines: -n 0 prints all)*" "$("$GVT_STAT" report -v -n 2 -i "$tmp/five.dat")"
awk 'BEGIN { for (i = 1; i <= 3000; i++) printf "%dus 0 queue v=1 w=%d\n", i * i % 7919, i }' | sort -n | mktrace many
is "of many, the right ones" "$("$GVT_STAT" list workloads --csv --columns queue_ns,workload_id -i "$tmp/many.dat" 2>"$tmp/err" |
	sed 1d | sort -t, -k1,1nr -s | head -n 5)" \
	"$("$GVT_STAT" list workloads --csv --columns queue_ns,workload_id -s queue_ns -n 5 -i "$tmp/many.dat" 2>"$tmp/err" | sed 1d)"
# a day after the clock began, times of which 24 bits do not tell which one is later
awk 'BEGIN { for (i = 1; i <= 5; i++) printf "%.0f 0 queue v=1 w=%d\n", 86400e9 + 100 * i, i }' | mktrace late
is "times that hardly differ" "5 4 3 2 1" "$("$GVT_STAT" list workloads --csv --columns workload_id -s queue_ns -i "$tmp/late.dat" 2>"$tmp/err" |
	sed 1d | xargs)"

usage()
{
	name=$1 pattern=$2
	shift 2
	"$GVT_STAT" "$@" -i "$tmp/five.dat" >"$tmp/out" 2>"$tmp/err"
	matches "$name" "129 gvt-stat*: $pattern*" "$? $(head -n 1 "$tmp/err")"
}
usage "a column that is not there" "-s nothing: no such column; --list" report -s nothing
usage "a number that is none" "-n many: give a whole number" report -n many
usage "a negative number" "-n -1: give a whole number" list workloads -n -1

# --- tables that fit ------------------------------------------------------------------
# widest REPORT: its longest line, headings and notes aside
widest()
{
	awk '/^VGPU/ { on = 1 } /^$|^\(|^GEM/ { on = 0 } on && length > most { most = length } END { print most }'
}
"$GVT_STAT" report -v -i "$tmp/five.dat" >"$tmp/out"
is "no table is wider than 120 columns" yes "$([ "$(widest <"$tmp/out")" -le 120 ] && echo yes)"
awk 'BEGIN { t = 0; for (v = 1; v <= 64; v++) for (c = 0; c < 4; c++) { w++
	printf "%dus 0 queue v=%d c=%d w=%d\n%dus 0 start v=%d c=%d w=%d\n%dus 0 stop v=%d c=%d w=%d done=1\n%dus 0 complete v=%d c=%d w=%d\n",
		t, v, c, w, t + 1, v, c, w, t + 2, v, c, w, t + 3, v, c, w; t += 4 } }' | mktrace large
matches "64 vGPUs x 4 engines: how to have less" "*lines: -s COLUMN with -n N prints the largest*" \
	"$("$GVT_STAT" report -v -i "$tmp/large.dat")"
is "and with it, one has" yes "$([ "$("$GVT_STAT" report -v -n 5 -i "$tmp/large.dat" | wc -l)" -lt 90 ] && echo yes)"

finish
