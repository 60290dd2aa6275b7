#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files of other byte order, of other versions and with options that we do not know tell the
# same as one of our own, whoever reads them: gvt-stat itself or libtracecmd.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(dirname "$0")/rig

# a rig's trace, then what it has none of: a second CPU and buffer, texts, losses of known and
# unknown number, a pause that needs a time extend, a mark
describe()
{
	echo "cpus 2"
	xz -dc "$here/two-engines.trace.xz" | sed '/^clock/d'
	cat <<-END
	lost 0 7
	30s 0 gvt_vgpu_info v=1 weight=3 type=i915-GVTg_V5_4 uuid=a-b
	30s 0 print buf=gvt-stat-meta~kernel~6.12
	lost 1
	31s 1 queue v=2 w=9000
	page 1
	32s 1 start v=2 w=9000 lrca=5
	33s 1 stop v=2 w=9000 lrca=5 done=1
	34s 1 complete v=2 w=9000 status=-5
	buffer gvt
	31s 0 queue v=2 w=9000
	35s 0 gvt_sched_info policy=fair dispatch=per-engine tick_ns=1000000
	END
}

# tells NAME: all that commands say of $tmp/NAME.dat, but for its name and clock
tells()
{
	"$GVT_STAT" report --json -i "$tmp/$1.dat" | jq -S 'del(.trace.file, .trace.clock)'
	"$GVT_STAT" list workloads --csv --pieces -i "$tmp/$1.dat"
	"$GVT_STAT" list turns --csv -i "$tmp/$1.dat"
} 2>"$tmp/err"

# same NAME FILE: as in the original
same()
{
	tells "$2" >"$tmp/told"
	diff "$tmp/expected" "$tmp/told" >"$tmp/diff"
	result $? "$1"
	sed 's/^/# /' "$tmp/diff" | head -n 20
}

# other VERSION FILE: writes it as this version, which only libtracecmd is asked to read
other()
{
	sed "1s/tracing6/tracing$1/" "$tmp/$2.dat" >"$tmp/$2-$1.dat"
}

describe | mktrace little
tells little >"$tmp/expected"
is "a trace with losses, two buffers and texts" '[2,"fair","00000000-0000-4000-8000-000000000001","a-b","6.12","local"]' \
	"$("$GVT_STAT" report --json -i "$tmp/little.dat" | jq -c '[.lost.gaps, .gpus[0].policy,
		(.vgpus[] | select(.vgpu_id == 1) | .uuid), .recorded.kernel, .trace.clock]')"

# shellcheck disable=SC2086 # FORMATS holds several options
describe | expand | "$MKTRACE" -B $FORMATS -o "$tmp/big.dat"
is "of big byte order: its numbers are the other way round" 1 "$(cmp -s "$tmp/little.dat" "$tmp/big.dat"; echo $?)"
same "of big byte order" big

{ describe; echo "option 4242 something"; } | mktrace option
same "with an option that nobody knows" option
# an offset of 0 to every time: libtracecmd knows what to do with it
{ describe; echo "option 1 0x0"; } | mktrace date
same "with an option that libtracecmd knows" date

for file in little big; do
	other 5 $file
	same "of another version that libtracecmd reads, $file" $file-5
	is "of another version, $file: its clock is not known" '"unknown"' \
		"$(json $file-5 .trace.clock)"
done
matches "the unknown clock is told" "*Clock unknown: times are taken as ns*--tsc-khz*" \
	"$("$GVT_STAT" report -v -i "$tmp/little-5.dat")"
printf '%s\n' 'clock x86-tsc' '0 0 queue v=1 w=1' '5000 0 start v=1 w=1' '15000 0 stop v=1 w=1 done=1' | mktrace cycles
other 5 cycles
is "a clock that is not known may count cycles" 5000 \
	"$(json cycles-5 '.vgpus[0].engines[0].exec_ns' --tsc-khz 2000000)"

other 8 little
"$GVT_STAT" report -v -i "$tmp/little-8.dat" >"$tmp/out" 2>"$tmp/err"
matches "a version that libtracecmd does not read, either" \
	"1 0 gvt-stat: *little-8.dat: trace.dat version '8' is not known, nor can libtracecmd read it: *convert*" \
	"$? $(wc -c <"$tmp/out") $(cat "$tmp/err")"
head -c 20000 "$tmp/little-5.dat" >"$tmp/cut.dat"
"$GVT_STAT" report -v -i "$tmp/cut.dat" >"$tmp/out" 2>"$tmp/err"
is "another version, cut off: one line" "1 0 1" "$? $(wc -c <"$tmp/out") $(wc -l <"$tmp/err")"

"$GVT_STAT" report --csv -i "$tmp/little.dat" >"$tmp/expected" 2>"$tmp/err"
is "-i -: the file that is standard input" "$(cat "$tmp/expected")" \
	"$("$GVT_STAT" report --csv -i - <"$tmp/little.dat" 2>"$tmp/err")"
COLUMNS=80 "$GVT_STAT" report -v -i "$tmp/little.dat" >"$tmp/told" 2>"$tmp/err"
is "what is told below a table keeps to the screen's width" 0 "$(grep '^(' "$tmp/told" | awk 'length > 80' | wc -l)"

finish
