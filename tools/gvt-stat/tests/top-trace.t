#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat top --trace: live, on this machine's tracefs. Events of GVT-g are made with
# uprobes in a program that does what it is told (events.c) and tells when it did.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

tracing=/sys/kernel/tracing

"$GVT_STAT" top --trace --sysroot "$tmp/none" -n 1 >"$tmp/out" 2>"$tmp/err"
is "no tracefs: status" 1 $?
matches "no tracefs: told" "gvt-stat: $tmp/none/sys/kernel/tracing: No such file*" "$(cat "$tmp/err")"

# only one at a time can make events of these names
exec 9>"${TMPDIR:-/tmp}/gvt-stat-uprobes.lock"
flock 9
if ! [ -w $tracing/uprobe_events ] || [ -e $tracing/events/gvt ] || ! command -v readelf >/dev/null; then
	skip "top --trace" "uprobes, root and readelf are needed, and no events of GVT-g"
	finish
fi

# probe EVENT FUNCTION ARGUMENTS
probe()
{
	offset=$(readelf -Ws "$EVENTS" | awk -v name="event_$2" '$8 == name { print "0x" $2; exit }')
	# the file's offset of what is at that address
	offset=$(readelf -Wl "$EVENTS" | awk -v at="$offset" '
	function number(hex,   i, n) {
		hex = tolower(substr(hex, 3))
		for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n }
	$1 == "LOAD" && number(at) >= number($3) && number(at) < number($3) + number($6) {
		printf "0x%x", number(at) - number($3) + number($2) }')
	echo "p:gvt/$1 $EVENTS:$offset $3" >>$tracing/uprobe_events
}
# all that were made; the program's instance must be gone before
remove()
{
	for event in queue submit start stop complete; do
		echo "-:gvt/gvt_workload_$event" >>$tracing/uprobe_events
	done
	echo "-:gvt/gvt_sched_switch" >>$tracing/uprobe_events
} 2>/dev/null
trap 'remove; rm -rf "$tmp"' EXIT

engine="class=%cx:u16 instance=%r8:u16"
workload="dev=%di:u32 vgpu_id=%si:u32 workload_id=%dx:u64 $engine"
probe gvt_workload_queue queue "$workload guest_lrca=%r9:u32"
probe gvt_workload_submit submit "$workload"
probe gvt_workload_start start "$workload"
probe gvt_workload_stop stop "$workload completed=%r9:u32"
probe gvt_workload_complete complete "$workload status=%r9:s32"
probe gvt_sched_switch switch "dev=%di:u32 prev_vgpu_id=%si:u32 next_vgpu_id=%dx:u32 class=%cx:s16 instance=%r8:s16 reason=%r9:u32"
if ! [ -e $tracing/events/gvt/gvt_workload_queue ]; then
	skip "top --trace" "this kernel makes no events of these uprobes"
	finish
fi

host
vgpu 1
vgpu 2
ln -s $tracing "$root/sys/kernel/tracing" 2>/dev/null || { mkdir -p "$root/sys/kernel" && ln -s $tracing "$root/sys/kernel/tracing"; }

state()
{
	for file in tracing_on set_event trace_clock current_tracer buffer_size_kb events/enable; do
		echo "$file: $(cat $tracing/$file)"
	done
	for instance in "$tracing"/instances/gvt-stat.*; do
		[ ! -e "$instance" ] || kill -0 "${instance##*.}" 2>/dev/null || echo "$instance"
	done
}

# until_it COMMAND...: wait until it succeeds, however slow the machine is, but not for ever
until_it()
{
	tries=0
	while ! "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ] || return 1
		sleep 0.1
	done
}
is_gone()
{
	! [ -e "$tracing/instances/gvt-stat.$pid" ]
}
# its first look is over: it sleeps until the next one
has_looked()
{
	grep -q nanosleep "/proc/$pid/wchan" 2>/dev/null
}
# has_lines COUNT: it has printed so many
has_lines()
{
	[ "$(wc -l <"$tmp/live")" -ge "$1" ]
}

# background OPTION...: $pid traces
background()
{
	"$GVT_STAT" top --trace --sysroot "$root" "$@" >"$tmp/live" 2>"$tmp/err" &
	pid=$!
	until_it has_looked
}

before=$(state)
# on rcs0: w 1 waits for 100 ms and executes for 200, w 2 waits for all that; on vcs0, w 3 fails
background --json -n 1 --interval 3
"$EVENTS" >"$tmp/truth" <<'END'
switch 0 1 0 0
queue 1 1 0 0
sleep 100
submit 1 1 0 0
start 1 1 0 0
queue 1 2 0 0
queue 1 3 2 0
sleep 200
stop 1 1 0 1
complete 1 1 0 0
submit 1 2 0 0
start 1 2 0 0
submit 1 3 2 0
start 1 3 2 0
sleep 100
stop 1 2 0 1
complete 1 2 0 0
stop 1 3 2 1
complete 1 3 2 5
END
wait $pid
is "it ends well" 0 $?
matches "what this kernel lacks is told" "*lacks events of preset gvt: gvt:gvt_workload_cancel*" "$(cat "$tmp/err")"

# truth QUERY: from the program's own times, in ns
truth()
{
	awk -v want="$1" '
	{ at[$2 " " $3] = $1; first = first ? first : $1 }
	function since(a, b) { return at[b] - at[a] }
	END {
		l1 = since("queue 1", "complete 1"); l2 = since("queue 2", "complete 2"); l3 = since("queue 3", "complete 3")
		if (want == "max") r = l1 > l2 ? l1 : l2
		if (want == "mean") r = (l1 + l2) / 2
		if (want == "exec") r = since("start 1", "stop 1") + since("start 2", "stop 2")
		if (want == "queue") r = since("queue 1", "start 1") + since("queue 2", "start 2")
		if (want == "vcs") r = l3
		printf "%.0f\n", r }' "$tmp/truth"
}
# near NAME TRUTH QUERY: within 20 ms; the program and its probes are not the same moment
near()
{
	got=$(values "$3" "$tmp/live")
	is "$1" yes "$(awk -v a="$2" -v b="$got" 'BEGIN { d = a - b; print (b + 0 && d < 2e7 && d > -2e7 ? "yes" : a " " b) }')"
}
rcs='.vgpus[0].engines[] | select(.engine == "rcs0") |'
near "latency: the worst" "$(truth max)" "$rcs .latency_max_ns"
near "latency: the mean" "$(truth mean)" "$rcs .latency_mean_ns"
near "latency of another engine" "$(truth vcs)" '.vgpus[0].engines[] | select(.engine == "vcs0") | .latency_max_ns'
near "queue length: integral over the interval" "$(truth queue)" \
	".vgpus[0].interval_ns as \$i | $rcs .queue_len_mean * \$i"
is "the longest queue, and what most of the time was" '[1,"exec"]' "$(values "[$rcs .queue_len_max, .mostly]" "$tmp/live")"
is "an idle vGPU had no queue" '[0,0,null]' "$(values '.vgpus[1] | [.queue_len_mean, .queue_len_max, .latency_max_ns]' "$tmp/live")"
is "traced, and nothing lost" '[true,0]' "$(values '[.traced, .lost_events]' "$tmp/live")"
is "tracing is as before" "$before" "$(state)"

background --interval 0.2 --plain --engine rcs0
until_it has_lines 3
matches "columns for people" "*VGPU VM ENGINE UTIL% DONE/s QUEUE QMAX WAIT-ms LATENCY-ms MAX-ms MOSTLY*" "$(tr -s ' ' <"$tmp/live")"
kill -KILL $pid
wait $pid 2>/dev/null
until_it is_gone
is "SIGKILL: the instance is removed all the same" "0 $before" "$? $(state)"
background --interval 0.2 --csv --columns time_ns,vgpu_id,queue_len_mean
until_it has_lines 3
kill -TERM $pid
wait $pid 2>/dev/null
until_it is_gone
is "SIGTERM: too" "0 $before" "$? $(state)"
is "CSV: one header, then lines" "time_ns,vgpu_id,queue_len_mean 1" \
	"$(tr -d '\r' <"$tmp/live" | head -n 1) $(grep -c time_ns "$tmp/live")"

# counters are not needed when tracing
for id in 1 2; do
	rm -r "$(vgpu_file $id exec_ns)" "$(vgpu_file $id engine/rcs0)" "$(vgpu_file $id engine/vcs0)"
done
background --json -n 1 --interval 1
printf '%s\n' 'queue 1 9 0 0' 'submit 1 9 0 0' 'start 1 9 0 0' 'sleep 300' 'stop 1 9 0 1' 'complete 1 9 0 0' |
	"$EVENTS" >"$tmp/truth"
wait $pid
is "a kernel without counters: execution from the trace" "yes" \
	"$(jq '.vgpus[0] | if .exec_percent > 20 and .exec_percent < 60 then "yes" else .exec_percent end' -r "$tmp/live")"

finish
