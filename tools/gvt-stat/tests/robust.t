#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bad input, odd input, and what gvt-stat says about it.
#
# shellcheck disable=SC2016 # jq has variables, too
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

row='.vgpus[0].engines[0]'

# fails NAME STATUS PATTERN ARGUMENT...: exit status, nothing on stdout, one line on stderr
fails()
{
	name=$1 want=$2 pattern=$3
	shift 3
	"$GVT_STAT" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ "$status" -ne "$want" ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
		is "$name" "status $want, nothing on stdout, one line on stderr" \
			"status $status, $(wc -c <"$tmp/out") bytes on stdout, stderr: $(cat "$tmp/err")"
		return
	fi
	matches "$name" "gvt-stat: $pattern" "$(cat "$tmp/err")"
}

# usage NAME PATTERN ARGUMENT...: status 129 and argp's hint
usage()
{
	name=$1 pattern=$2
	shift 2
	"$GVT_STAT" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	matches "usage: $name" "129 gvt-stat*: $pattern*" "$status $(head -n 1 "$tmp/err")"
}

one_workload='1000ms 0 queue    v=1 w=1
1004ms 0 start    v=1 w=1 lrca=0x1000
1014ms 0 stop     v=1 w=1 lrca=0x1000 done=1
1015ms 0 complete v=1 w=1'
echo "$one_workload" | mktrace good

# --- files that are no trace -----------------------------------------------------
fails "no such file" 1 "*nothere.dat: cannot open: No such file*name a trace*" report -i "$tmp/nothere.dat"
fails "a directory" 1 "*: not a regular file*" report -i "$tmp"
mkfifo "$tmp/fifo"
for file in "$tmp/fifo" /dev/tty /dev/zero /dev/null; do
	code=0
	timeout 10 "$GVT_STAT" report -v -i "$file" >"$tmp/out" 2>"$tmp/err" || code=$?
	is "${file##*/} is refused at once" 1 "$code"
done
fails "a FIFO" 1 "*fifo: not a regular file*saved*" report -i "$tmp/fifo"
exec 3<>"$tmp/fifo"
fails "a pipe" 1 "*/dev/fd/3: not a regular file*saved*" report -i /dev/fd/3
exec 3>&-
: >"$tmp/empty"
fails "an empty file" 1 "*empty: not a trace.dat file (0 bytes)*record*" report -i "$tmp/empty"
fails "some text" 1 "*lib.sh: not a trace.dat file*record*" report -i "$(dirname "$0")/lib.sh"
head -c 11 "$tmp/good.dat" >"$tmp/header"
fails "only the magic" 1 "*truncated or corrupted: the file header*" report -i "$tmp/header"
sed '1s/tracing6/tracing9/' "$tmp/good.dat" >"$tmp/version"
fails "an unknown version" 1 "*version '9' is not known, nor can libtracecmd*" report -i "$tmp/version"
# 10 bytes of magic, "6\0", byte order, long size: the page size is at 14
{ head -c 14 "$tmp/good.dat"; printf '\1\0\0\0'; tail -c +19 "$tmp/good.dat"; } >"$tmp/pagesize"
fails "an impossible page size" 1 "*corrupted: the page size is 1 bytes*" report -i "$tmp/pagesize"
printf '\027\010\104tracing\033[2J\n\000\000\010\000\020\000\000' >"$tmp/escape"
"$GVT_STAT" report -v -i "$tmp/escape" 2>"$tmp/err"
is "control characters of a file stay out of messages" 1 \
	"$(grep -c "'?\[2J?' is no version of trace.dat" "$tmp/err")"
size=$(wc -c <"$tmp/good.dat")
head -c $((size - 1)) "$tmp/good.dat" >"$tmp/short"
fails "the last byte missing" 1 "*short: truncated or corrupted: the events of a CPU at byte*record*" \
	report -i "$tmp/short"
fails "workloads: the same" 1 "*truncated or corrupted*" list workloads -i "$tmp/short"

# Every length must end in one line and status 1; steps of a prime number visit all parts.
bad=0 tried=0 cut=0
while [ "$cut" -lt "$size" ]; do
	head -c "$cut" "$tmp/good.dat" >"$tmp/cut"
	"$GVT_STAT" report -v -i "$tmp/cut" >"$tmp/out" 2>"$tmp/err"
	if [ $? -ne 1 ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
		bad=$((bad + 1))
		echo "# cut at $cut: $(cat "$tmp/err")"
	fi
	tried=$((tried + 1))
	cut=$((cut + 211))
done
is "truncated at $tried lengths: always a clean error" 0 "$bad"

# --- traces without what is needed -------------------------------------------------
mkdir -p "$tmp/none/sched"
sed 's/^name: .*/name: sched_other/' "$(dirname "$0")/formats/gvt/spt_free.format" \
	>"$tmp/none/sched/sched_other.format"
echo "0ms 0 sched_other id=1" | "$MKTRACE" -F "$tmp/none" -o "$tmp/nogvt.dat"
fails "no gvt events" 1 "*has no gvt events: record with*" report -i "$tmp/nogvt.dat"
echo "0ms 0 sched_switch prev_pid=1 next_pid=2" |
	"$MKTRACE" -F "$(dirname "$0")/formats" -o "$tmp/cpu.dat"
fails "no gvt events, but those of the CPU" 1 "*has no gvt events: record with*" report -i "$tmp/cpu.dat"
"$GVT_STAT" why vcpus -i "$tmp/cpu.dat" >"$tmp/out" 2>"$tmp/err"
is "which some commands can do with" "0 " "$? $(cat "$tmp/err")"
echo "cpus 1" | mktrace noevents
fails "no events at all" 1 "*holds no events*" report -i "$tmp/noevents.dat"

# formats DIRECTORY: a copy of the event formats, to be changed
copy_formats()
{
	rm -rf "${tmp:?}/$1"
	mkdir -p "$tmp/$1/gvt"
	for dir in $FORMATS; do
		[ ! -d "$dir/gvt" ] || cp "$dir"/gvt/*.format "$tmp/$1/gvt"
	done
}

# with NAME: $one_workload in the formats of directory NAME
with()
{
	echo "$one_workload" | expand | "$MKTRACE" -F "$tmp/$1" -o "$tmp/$1.dat"
}

copy_formats nofield
sed -i '/field:u64 workload_id/d' "$tmp/nofield/gvt/gvt_workload_start.format"
echo "0ms 0 gvt_workload_start vgpu_id=1" | "$MKTRACE" -F "$tmp/nofield" -o "$tmp/nofield.dat"
fails "a needed field is missing" 1 \
	"*event gvt:gvt_workload_start has no field 'workload_id'*" report -i "$tmp/nofield.dat"

copy_formats badsize
sed -i '/field:u32 vgpu_id/s/size:4/size:3/' "$tmp/badsize/gvt/gvt_workload_queue.format"
with badsize
fails "a field of impossible size" 1 \
	"*field 'vgpu_id' of event gvt:gvt_workload_queue is not a number (offset 12, size 3)*" \
	report -i "$tmp/badsize.dat"

copy_formats array
sed -i '/field:u32 vgpu_id/s/vgpu_id/vgpu_id[1]/' "$tmp/array/gvt/gvt_workload_queue.format"
with array
fails "an array where a number should be" 1 "*'vgpu_id' of event gvt:gvt_workload_queue is not a number*" \
	report -i "$tmp/array.dat"

copy_formats optional
sed -i '/ lrca;/d' "$tmp/optional/gvt/gvt_workload_start.format" \
	"$tmp/optional/gvt/gvt_workload_stop.format"
echo "$one_workload" | sed 's/ lrca=0x1000//' | expand |
	"$MKTRACE" -F "$tmp/optional" -o "$tmp/optional.dat"
is "a field that can be done without: its value is unknown" "1,,10000000,complete" \
	"$(workloads optional workload_id,lrca,exec_ns,state)"

# dev grows to 64 bits, everything moves on, a new field comes last
copy_formats wider
awk -F'[:;]' -v OFS= '
	/field:u32 dev;/ { print "\tfield:u64 dev;\toffset:8;\tsize:8;\tsigned:0;"; next }
	/field:/ && $4 >= 12 && !/common_/ { sub(/offset:[0-9]+/, "offset:" ($4 + 8)) }
	/^print fmt/ { print "\tfield:u64 fresh;\toffset:64;\tsize:8;\tsigned:0;\n" }
	{ print }' "$tmp/optional/gvt/gvt_workload_queue.format" >"$tmp/wider/gvt/gvt_workload_queue.format"
with wider
is "wider, moved and added fields" "1,1,rcs0,10000000,complete" \
	"$(workloads wider workload_id,vgpu_id,engine,exec_ns,state)"

printf '%s\n' "$one_workload" '2000ms 0 queue v=1 w=2 !24' | mktrace shortrecord
fails "a record shorter than its format" 1 \
	"*a gvt:gvt_workload_queue record at byte * is 24 bytes long, its format needs 32*" \
	report -i "$tmp/shortrecord.dat"

# --- missing events ------------------------------------------------------------------
copy_formats nostart
rm "$tmp/nostart/gvt/gvt_workload_start.format" "$tmp"/nostart/gvt/spt_*.format
echo "$one_workload" | sed /start/d | expand | "$MKTRACE" -F "$tmp/nostart" -o "$tmp/nostart.dat"
is "start is not in the file: execution and waits are unknown, counts known" \
	'[null,null,null,null,null,1,1]' "$(json nostart "$row |
	[.utilization_percent, .exec_ns, .queue_len_mean, .wait_mean_ns, .wait_count, .queued, .completed]")"
is "start is not in the file: told with what follows" \
	'["not in the file",["utilisation, execution","queue length, wait, latency","what the latency is made of"]]' \
	"$(json nostart '.missing_events[] | select(.event == "gvt:gvt_workload_start") | [.why, .unknown]')"
matches "start is not in the file: told in the table" \
	"*gvt:gvt_workload_start: not in the file; unknown: utilisation, execution; queue length*" \
	"$("$GVT_STAT" report -v -i "$tmp/nostart.dat")"
is "no sched_switch recorded: slices are unknown, not 0" '["none recorded",null,null]' \
	"$(json good '[(.missing_events[] | select(.event == "gvt:gvt_sched_switch") | .why),
	.vgpus[0].slices, .vgpus[0].scheduled_percent]')"
is "no info recorded: weight and memory are unknown" '[null,null,null,null]' \
	"$(json good '.vgpus[0] | [.weight, .aperture_bytes, .uuid, .weight_share_percent]')"
is "no memory events in the file" '[null,null]' \
	"$(json nostart '[.vgpus[0].spt_bytes_min, .gpus[0].gem_created]')"
printf '%s\n%s\n' "$one_workload" "$one_workload" |
	sed -e '/start/d' -e '5,$s/^1/2/; 5,$s/w=1/w=2/' | mktrace off
is "start described but off: proven by the stops" '"none recorded"' \
	"$(json off '.missing_events[] | select(.event == "gvt:gvt_workload_start") | .why')"
is "unknown is a dash in the table" "1 rcs0 - - - - - - - 2 0 0 0" \
	"$("$GVT_STAT" report -v -i "$tmp/off.dat" | awk '/^1 +rcs0/ { $1 = $1; print; exit }')"

# --- contradictions ---------------------------------------------------------------------
printf '%s\n' "$one_workload" '1016ms 0 complete v=1 w=1' '1017ms 0 queue v=1 w=2' |
	mktrace twice
is "a second completion is told and not counted" '[1,1]' \
	"$(json twice "[.contradicting_events, $row.completed]")"

awk 'BEGIN { for (i = 1; i < 2000; i++) print i "us 0 queue v=" i " w=" i }' | mktrace vgpus
fails "more vGPUs than can be" 1 "the trace names more than 1024 vGPUs: it is corrupted*" \
	report -i "$tmp/vgpus.dat"
awk 'BEGIN { for (i = 1; i < 2000; i++) print i "us 0 queue v=1 c=" i " w=" i }' | mktrace engines
fails "more engines than can be" 1 "the trace names more than 256 engines: it is corrupted*" \
	report -i "$tmp/engines.dat"

# --- clocks ---------------------------------------------------------------------------------
# one workload of 10 Mcycles, as good.dat but at 2.5 GHz: 4 ms
printf '%s\n' 'clock x86-tsc' "$one_workload" | mktrace tsc
fails "x86-tsc without a rate" 1 "*counts cycles: give the rate with --tsc-khz*" report -i "$tmp/tsc.dat"
is "--tsc-khz" '[4000000,400000000]' "$(json tsc "[$row.exec_ns, .window_start_ns]" --tsc-khz 2500000)"
is "--tsc-khz: one cycle per nanosecond" '[10000000,1000000000]' \
	"$(json tsc "[$row.exec_ns, .window_start_ns]" --tsc-khz 1000000)"
fails "--tsc-khz for a clock in nanoseconds" 1 "*only for traces with the x86-tsc clock*local*" \
	report --tsc-khz 1000 -i "$tmp/good.dat"
# 2^30 >> 31 = half a nanosecond per cycle
printf '%s\n' 'clock x86-tsc' 'tsc2nsec 0x40000000 31' "$one_workload" | mktrace tsc2nsec
is "x86-tsc with its rate in the file" 5000000 "$(json tsc2nsec "$row.exec_ns")"
# trace-cmd split converts the times, names the clock, and leaves out that it has converted
if trace-cmd convert --file-version 7 -i "$tmp/tsc2nsec.dat" -o "$tmp/whole.dat" >/dev/null 2>&1 &&
	trace-cmd split -i "$tmp/whole.dat" -o "$tmp/split.dat" >/dev/null 2>&1; then
	[ -e "$tmp/split.dat" ] || mv "$tmp/split.dat.1" "$tmp/split.dat"
	fails "what trace-cmd split wrote" 1 "*rate with --tsc-khz*; 1000000 if trace-cmd split has written it*" \
		report -i "$tmp/split.dat"
	is "what trace-cmd split wrote, and that it is in ns" 5000000 "$(json split "$row.exec_ns" --tsc-khz 1000000)"
else
	skip "what trace-cmd split wrote" "trace-cmd cannot split"
	skip "what trace-cmd split wrote, and that it is in ns" "trace-cmd cannot split"
fi
printf '%s\n' 'clock x86-tsc' '0ms 0 print buf=gvt-stat-meta~tsc_khz~2500000' "$one_workload" | mktrace rate
is "x86-tsc with its rate in a mark" '[4000000,400000000,2500000]' \
	"$(json rate "[$row.exec_ns, .window_start_ns + 400000000, .recorded.tsc_khz]")"
is "x86-tsc with its rate in a mark: --tsc-khz holds" 10000000 "$(json rate "$row.exec_ns" --tsc-khz 1000000)"
printf '%s\n' 'clock x86-tsc' '0ms 0 print buf=gvt-stat-meta~tsc_khz~much' "$one_workload" | mktrace rate
fails "x86-tsc with a rate that is none" 1 "*counts cycles: give the rate with --tsc-khz*" report -i "$tmp/rate.dat"
printf '%s\n' 'clock counter' "$one_workload" | mktrace counter
fails "a clock that measures no time" 1 "*only counts events*" report -i "$tmp/counter.dat"

# 2^63 ns and more are no times: they would be negative
printf '%s\n' "$one_workload" 'page 0' '9223372036854775807 0 queue v=1 w=2' | mktrace last
json last "$row.open" >"$tmp/out"
is "the last moment that there is" '"end_ns": 9223372036854775807' \
	"$(grep -m 1 -o '"end_ns": [0-9]*' "$tmp/out.json")"
printf '%s\n' "$one_workload" 'page 0' '9223372036854775808 0 queue v=1 w=2' | mktrace late
fails "a time of 2^63 ns" 1 "*late.dat: corrupted: an event of CPU 0 is at 9223372036854775808, which is no time*" \
	report -i "$tmp/late.dat"
printf '%s\n' "$one_workload" 'page 0' '18446744073709551615 0 queue v=1 w=2' | mktrace late
fails "a time of 2^64 - 1 ns" 1 "*times are before the zero of its clock (an event of CPU 0 is at -0.000000001 s)*" list workloads -i "$tmp/late.dat"
printf '%s\n' 'clock x86-tsc' "$one_workload" 'page 0' '9223372036854775807 0 queue v=1 w=2' | mktrace late
fails "so many cycles" 1 "*corrupted: an event of CPU 0 is at 9223372036854775807,*" \
	report -i "$tmp/late.dat" --tsc-khz 1000
printf '%s\n' "$one_workload" 'page 0' '900ms 0 queue v=1 w=2' | mktrace back
fails "a clock that was set back" 1 \
	"*back.dat: time runs backwards on CPU 0, from 1.015000000 to 0.900000000 s: its clock was set*" report -i "$tmp/back.dat"

# --- names of files ---
name=$(printf 'evil\033[31m\nname.dat')
cp "$tmp/good.dat" "$tmp/$name"
for command in report "list workloads" "list turns" "why idle" "why waits" check why "why vcpus"; do
	is "$command: control characters of a file's name stay out of the output" 0 \
		"$("$GVT_STAT" $command -i "$tmp/$name" 2>&1 | tr -cd '\033' | wc -c)"
done
is "compare: also" 0 "$("$GVT_STAT" compare --block 0.001 "$tmp/$name" "$tmp/$name" 2>&1 | tr -cd '\033' | wc -c)"
for words in "report" "compare a b" "top" ""; do
	# shellcheck disable=SC2086 # several words
	is "'$words' and a name too many: also" 0 "$("$GVT_STAT" $words "$name" 2>&1 | tr -cd '\033' | wc -c)"
done

# --- other kinds of files --------------------------------------------------------------------
# convert KIND OPTION...: good.dat and its buffers, written anew by trace-cmd
printf 'cpus 2\nbuffer top\n%s\nbuffer gvt\n2000ms 1 queue v=2 w=2\n2001ms 1 start v=2 w=2\n2003ms 1 stop v=2 w=2 done=1\n2004ms 1 complete v=2 w=2\n' \
	"$one_workload" | mktrace pair
all='[.trace.events, .trace.buffers, [.vgpus[].engines[].exec_ns], .lost.gaps]'
expected=$(json pair "$all")
is "two buffers, as written" '[8,2,[10000000,2000000],0]' "$expected"
convert()
{
	kind=$1
	shift
	if trace-cmd convert "$@" -i "$tmp/pair.dat" -o "$tmp/$kind.dat" >"$tmp/convert" 2>&1; then
		is "$kind: the same report" "$expected" "$(json "$kind" "$all")"
	else
		skip "$kind: the same report" "trace-cmd convert cannot: $(tail -n 1 "$tmp/convert")"
	fi
}
convert v7-zstd --file-version 7 --compression zstd
convert v7-zlib --file-version 7 --compression zlib
convert v7-none --file-version 7 --compression none
# lost events, of known and unknown number, also before the first event; with a page
# without events
gaps='cpus 2
lost 1
0ms 0 queue v=1 w=1
1ms 1 start v=1 w=1
lost 1 5
2ms 1 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
lost 0 3
9ms 0 queue v=1 w=2'
echo "$gaps" | mktrace gaps
# of a ring buffer with larger sub-buffers, some larger than what is read at once
for size in 16384 131072 524288 1048576; do
	echo "$gaps" | FORMATS="$FORMATS -P $size" mktrace large
	is "pages of $size bytes: the same report" "$(json gaps 'del(.trace.file)')" "$(json large 'del(.trace.file)')"
	is "and trace-cmd reads them" 5 "$(trace-cmd report -N -i "$tmp/large.dat" 2>&1 | grep -c gvt_workload)"
done
for kind in zstd none; do
	if trace-cmd convert --file-version 7 --compression $kind -i "$tmp/gaps.dat" \
		-o "$tmp/gaps-$kind.dat" >"$tmp/convert" 2>&1; then
		is "lost events, $kind: as in the original" "$(json gaps 'del(.trace.file)')" \
			"$(json gaps-$kind 'del(.trace.file)')"
	else
		skip "lost events, $kind: as in the original" "trace-cmd convert cannot: $(tail -n 1 "$tmp/convert")"
	fi
done
is "lost events: counted, each gap by itself" '{"gaps":3,"gaps_of_unknown_size":1,"events_min":9}' \
	"$(json gaps .lost)"

# the last page's commit word says that it holds more than a page; the first page is
# looked at by libtracecmd when it opens the file
awk 'BEGIN { for (i = 1; i < 400; i++) print i "us 0 queue v=1 w=" i }' | mktrace pages
size=$(wc -c <"$tmp/pages.dat")
{ head -c $((size - 4096 + 8)) "$tmp/pages.dat"; printf '\377\177\0\0'; tail -c $((4096 - 12)) "$tmp/pages.dat"; } >"$tmp/page"
fails "a damaged page of events" 1 "*corrupted: the page of events at byte $((size - 4096)) is damaged*" \
	report -i "$tmp/page"
# data that ends on the page, a count of lost events behind it that does not
{ head -c $((size - 4096 + 8)) "$tmp/pages.dat"; printf '\360\017\0\300'; tail -c $((4096 - 12)) "$tmp/pages.dat"; } >"$tmp/stored"
fails "a count of lost events beyond its page" 1 "*corrupted: the page of events at byte $((size - 4096)) is damaged*" \
	report -i "$tmp/stored"
# padding (29) whose length leads back to itself
{ head -c $((size - 4096 + 16)) "$tmp/pages.dat"; printf '\035\0\0\0\374\377\377\377'; tail -c $((4096 - 24)) "$tmp/pages.dat"; } >"$tmp/circle"
fails "an event that leads back" 1 "*corrupted: the page of events at byte $((size - 4096)) is damaged*" \
	report -i "$tmp/circle"
# and one that leads back to the event before, in a file that libtracecmd reads
{ printf '%s\n' 'clock x86-tsc' 'tsc2nsec 0x40000000 31'; awk 'BEGIN { for (i = 1; i < 400; i++) print i "us 0 queue v=1 w=" i }'; } |
	mktrace cycles
cycles=$(wc -c <"$tmp/cycles.dat")
{ head -c $((cycles - 4096 + 52)) "$tmp/cycles.dat"; printf '\035\0\0\0\330\377\377\377'; tail -c $((4096 - 60)) "$tmp/cycles.dat"; } >"$tmp/again"
fails "an event that comes again and again" 1 "*corrupted: the events of CPU 0 at byte * lead back to themselves*" \
	report -i "$tmp/again"
# an event on it that reaches beyond: its length is in the five low bits, 0 for a word behind
{ head -c $((size - 4096 + 16)) "$tmp/pages.dat"; printf '\0\0\0\0\0\0\001\0'; tail -c $((4096 - 24)) "$tmp/pages.dat"; } >"$tmp/length"
fails "an event longer than its page" 1 "*corrupted: the page of events at byte $((size - 4096)) is damaged*" \
	report -i "$tmp/length"
if [ -s "$tmp/v7-none.dat" ]; then
	LC_ALL=C sed 's/gvt\x00local\x00/gvt\x00other\x00/' "$tmp/v7-none.dat" >"$tmp/clocks"
	fails "buffers with different clocks" 1 "*different clocks, local and other*one clock*" \
		report -i "$tmp/clocks"
	# libtracecmd would go round for ever; no CPU time for that
	for ring in options-ring sizes-ring; do
		"$(dirname "$0")/sections" "$ring" "$tmp/v7-none.dat" >"$tmp/$ring"
	done
	fails "options that lead back to themselves" 1 "*corrupted: its option sections form a ring*" \
		report -i "$tmp/options-ring"
	fails "sections that lead back to themselves" 1 \
		"*corrupted: its section at byte * claims 184467440737* bytes*" report -i "$tmp/sizes-ring"
	"$(dirname "$0")/sections" strings "$tmp/v7-none.dat" 4294967240 >"$tmp/strings"
	fails "strings of a length below zero" 1 \
		"*corrupted: its section at byte * claims 4294967240 bytes*" report -i "$tmp/strings"
fi
if [ -s "$tmp/v7-zstd.dat" ]; then
	size=$(wc -c <"$tmp/v7-zstd.dat")
	head -c $((size - size / 4)) "$tmp/v7-zstd.dat" >"$tmp/cut7"
	# what they would unpack to, and no more than a trace may have
	"$(dirname "$0")/sections" bomb "$tmp/v7-zstd.dat" 1000000000 1000000000 >"$tmp/bomb"
	fails "tables that unpack to a gigabyte" 1 "*bomb: corrupted: its tables at byte $size claim to unpack to 1000000000 bytes*" \
		report -i "$tmp/bomb"
	"$(dirname "$0")/sections" bomb "$tmp/v7-zstd.dat" 1000000000 33554432 >"$tmp/bomb"
	fails "tables that unpack to more than they say" 1 "*bomb: *corrupted*" report -i "$tmp/bomb"
	fails "compressed and truncated" 1 "*cut7: truncated or corrupted*" report -i "$tmp/cut7"
fi
is "trace-cmd reads what mktrace writes" 8 \
	"$(trace-cmd report -N -i "$tmp/pair.dat" 2>"$tmp/err" | grep -c gvt_workload)"
is "trace-cmd reads it without complaint" "" "$(cat "$tmp/err")"

# --- options --------------------------------------------------------------------------------------
fails "no trace named: ./trace.dat" 1 "trace.dat: cannot open: *name a trace*" report
is "options without a command are a report's" "$("$GVT_STAT" report -i "$tmp/good.dat")" \
	"$("$GVT_STAT" -i "$tmp/good.dat")"
is "help COMMAND is COMMAND --help" "$("$GVT_STAT" why idle --help)" "$("$GVT_STAT" help why idle)"
for command in "" report top record policy status learn simulate export; do
	# shellcheck disable=SC2086 # none, or one word
	is "-h is --help: $command" "0 $("$GVT_STAT" $command --help)" "$("$GVT_STAT" $command -h >"$tmp/out"; echo "$? $(cat "$tmp/out")")"
done
is "help is --help" "$("$GVT_STAT" --help)" "$("$GVT_STAT" help)"
usage "help on what is no command" "'nothing' is no command" help nothing
usage "two forms at once" "--json and --csv: the output has one form" report --json --csv -i "$tmp/good.dat"
usage "two forms at once, of the host" "--json and --csv: the output has one form" top --csv --json
for command in report "list workloads" "list turns" "why idle" "why waits" check why "why vcpus" "why path --workload 1"; do
	# shellcheck disable=SC2086 # several words
	fails "$command: a column that is not there" 129 "--columns nothing: no such column*" \
		$command --columns nothing -i "$tmp/good.dat"
done
usage "an unknown command" "'nothing' is no command" nothing
usage "a detail without its command" "'turns' is no command; did you mean list turns?" turns
usage "an unknown list" "'turnz' is no trace, and none of these commands: list workloads, list turns" list turnz
is "help on a detail" "$("$GVT_STAT" list turns --help)" "$("$GVT_STAT" help list turns)"
is "list is list workloads" "$("$GVT_STAT" list workloads "$tmp/good.dat" 2>&1)" "$("$GVT_STAT" list "$tmp/good.dat" 2>&1)"
usage "an unknown option" "unrecognized option '--nonsense'" report --nonsense
usage "a second trace" "'b.dat' is a second trace" report a.dat b.dat
usage "a trace with and without -i" "'b.dat' is a second trace" report -i a.dat b.dat
usage "a typing error" "'reprot' is no command; did you mean report?" reprot
usage "letters in the wrong order" "'tpo' is no command; did you mean top?" tpo
usage "another word" "'blame' is no command" blame
usage "--time without comma" "--time 5: give FROM,TO" report --time 5
usage "--time with letters" "--time 1x,2: give FROM,TO" report --time 1x,2
usage "--time with ten decimals" "--time 0.1234567891,2: give FROM,TO" report --time 0.1234567891,2
usage "--tsc-khz 0" "--tsc-khz 0: give a whole number" report --tsc-khz 0
usage "--vgpu with an empty item" "--vgpu 1,,2: an item" report --vgpu 1,,2
fails "--time before the trace" 129 "--time: ends before it begins*" report --time 0.1,0.2 -i "$tmp/good.dat"
fails "--time after the trace" 129 "--time: begins after the trace, which ends at 1.015000000 s" \
	report --time 5,6 -i "$tmp/good.dat"
fails "--time backwards" 129 "--time: ends before it begins*" report --time +0.01,+0.001 -i "$tmp/good.dat"
fails "--vgpu that is not there" 1 "--vgpu 9: no such vGPU in the trace; there is 1" \
	report --vgpu 9 -i "$tmp/good.dat"
fails "--engine that is not there" 1 "--engine vcs7: no work on such an engine in the trace; there is rcs0" \
	report --engine vcs7 -i "$tmp/good.dat"
"$GVT_STAT" --help >"$tmp/out" && "$GVT_STAT" report --usage >>"$tmp/out" && "$GVT_STAT" --version >>"$tmp/out"
is "--help, --usage and --version end well" 0 $?

# --- output ----------------------------------------------------------------------------------------
if [ -w /dev/full ]; then
	"$GVT_STAT" report -v -i "$tmp/good.dat" >/dev/full 2>"$tmp/err"
	matches "a full disk" "1 gvt-stat: cannot write the output*" "$? $(cat "$tmp/err")"
fi
awk 'BEGIN { for (i = 1; i < 5000; i++) print i "us 0 queue v=1 w=" i }' | mktrace many
"$GVT_STAT" list workloads -i "$tmp/many.dat" 2>"$tmp/err" | head -n 1 >"$tmp/out"
is "a reader that has seen enough is no error" "0 " "$(wc -l <"$tmp/err") $(cat "$tmp/err")"
"$GVT_STAT" report --json -i "$tmp/good.dat" | jq -e . >"$tmp/out" 2>&1
is "report --json is one document" 0 $?
is "its schema" '"gvt-stat/1"' "$(json good .schema)"
"$GVT_STAT" list workloads --json -i "$tmp/pair.dat" 2>"$tmp/err" | jq -c '[.schema, (.workloads | length)]' >"$tmp/out"
is "workloads --json is one document" '["gvt-stat/1",2]' "$(cat "$tmp/out")"
is "an empty list is a document, too" '[]' "$("$GVT_STAT" list workloads --json --time 1.5,1.6 \
	-i "$tmp/pair.dat" 2>"$tmp/err" | jq -c .workloads)"
is "report --csv: every line has as many fields" 1 "$("$GVT_STAT" report --csv -i "$tmp/pair.dat" |
	awk -F, '{ print NF }' | sort -u | wc -l)"
is "report --csv: lines end as all other text does" 0 "$("$GVT_STAT" report --csv -i "$tmp/pair.dat" |
	grep -c "$(printf '\r')")"
printf '0ms 0 gvt_vgpu_info v=1 weight=1 type=a,"b uuid=u,v\n5ms 0 queue v=1 w=1\n' | mktrace quote
is "report --csv: quotes what must be" 1 "$("$GVT_STAT" report --csv -i "$tmp/quote.dat" |
	grep -c '^vgpu,0,1,"u,v","a,""b",1,')"
printf '0ms 0 gvt_sched_info policy=\033[31mred\n5ms 0 queue v=1 w=1\n' | mktrace colour
is "no control characters of a trace in tables" 0 "$("$GVT_STAT" report -v -i "$tmp/colour.dat" |
	grep -c "$(printf '\033')")"
is "no colours without a terminal" 0 "$("$GVT_STAT" report -v -i "$tmp/good.dat" |
	grep -c "$(printf '\033')")"

finish
