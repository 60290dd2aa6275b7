#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What KernelShark's library has of a trace with the plugin is what the commands of gvt-stat
# tell; bad traces and names change nothing else. What the program makes of it on a screen is
# in screen.t.
#
# Set by the Makefile: KERNELSHARK (the plugin and the test programs), GVT_STAT, MKTRACE, FORMATS.
#
# shellcheck source-path=SCRIPTDIR/../../gvt-stat/tests source=lib.sh
. "$(dirname "$0")/../../gvt-stat/tests/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
traces=$here/../../gvt-stat/tests
[ -n "${KERNELSHARK-}" ] || skip_all "no library of KernelShark; install libkshark-dev libjson-c-dev libglu1-mesa-dev"
need trace-cmd trace-cmd
# what the libraries keep, without the plugin, too
export ASAN_OPTIONS=fast_unwind_on_malloc=0 LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"
export GVT_STAT KERNELSHARK PYTHONDONTWRITEBYTECODE=1

# load COMMAND... [NAME.dat]: by the sanitized build
load() {
	"$KERNELSHARK/sanitize/load" "$KERNELSHARK/sanitize/plugin-gvt.so" "$@" 2>&1
}

agree() {
	python3 "$here/agree" "$tmp/$1.dat" 2>"$tmp/size" >"$tmp/output"
	status=$?
	[ $status -eq 0 ] || cat "$tmp/size" >>"$tmp/output"
	[ $status -eq 0 ] && [ ! -s "$tmp/output" ]
	result $? "as report, why waits and list, to the ns: $1, $(tail -n 1 "$tmp/size")"
}

for trace in small-vs-pieces-fair-preemptive seven-sizes-fair two-engines-strict hang; do
	xz -dc "$traces/corpus/rig/$trace.trace.xz" | mktrace $trace
	agree $trace
done

# the traces that people have: of two GPUs, begun in the middle, with events lost
"$here/variants" "$tmp"
for way in lossy skewed second-gpu cut; do
	agree $way
done

# the same questions to all views of a trace, as a table: README's demo, pieces under preemption, three real
# guests, real guests with their vCPUs, and one with losses
xz -dc "$traces/rig/small-vs-large.trace.xz" | sed "/^clock/d" | mktrace demo
xz -dc "$traces/rig/three-guests.trace.xz" | mktrace three-guests
xz -dc "$traces/rig/guests-full.trace.xz" | mktrace guests-full
xz -dc "$traces/rig/record-full.trace.xz" | mktrace record-full
for name in demo three-guests guests-full record-full; do
	agree $name
done
for name in demo small-vs-pieces-fair-preemptive three-guests guests-full record-full lossy second-gpu; do
	views=()
	for form in html perfetto csv ctf; do
		[ $form != ctf ] || /usr/bin/python3 -c 'import bt2' || continue
		"$GVT_STAT" export --format $form -i "$tmp/$name.dat" -o "$tmp/$name.$form"
		views+=("${form/html/page}=$tmp/$name.$form")
		[ $form != perfetto ] || views+=("sql=$tmp/$name.$form")
	done
	"$traces/views/side-by-side" "$tmp/$name.dat" "${views[@]}" "kernelshark=$tmp/$name.dat" >"$tmp/output" 2>"$tmp/said"
	result $? "side by side: report, page, Perfetto, SQL, lines, CTF and KernelShark: $name"
	sed 's/^/# /' "$tmp/output"
done

# the clock counts cycles: KernelShark shows them as they are, the plugin draws in them
printf '%s\n' 'clock x86-tsc' '0ms 0 print buf=gvt-stat-meta~tsc_khz~2500000' '2ms 0 queue v=1 w=1' \
	'2ms 0 submit v=1 w=1' '3ms 0 start v=1 w=1' '5ms 0 stop v=1 w=1 done=1' '5ms 0 complete v=1 w=1' | mktrace cycles
is "cycles: intervals are in KernelShark's own time" "3000000 5000000 " "$(load times "$tmp/cycles.dat" | grep '^[0-9]' | tr '\n' ' ')"
is "cycles: and so are the plugin's" "3000000 5000000 " \
	"$(load intervals "$tmp/cycles.dat" | awk -F'\t' '$3 == 3 { print $4; print $5 }' | tr '\n' ' ')"

# the rows have names, of VMs, too, and come GPU by GPU
mktrace named <<'END'
0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm="a,b",</script>
0 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
0 0 gvt_sched_info policy=fair
1ms 0 queue v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
4ms 0 queue v=2 w=2 dev=1
4ms 0 start v=2 w=2 dev=1
5ms 0 stop v=2 w=2 dev=1 done=1
END
names() {
	load rows "$tmp/$1.dat" | awk -F'\t' 'NF == 8 { printf "%s|", $8 }'
}
is "names: of VMs, whatever they hold, and of GPUs" \
	'GPU 0 rcs0|vGPU 1 ("a,b",</script>) rcs0|vGPU 1 ("a,b",</script>) rcs0 #1|GPU 1 rcs0|vGPU 2 of GPU 1 rcs0|vGPU 2 of GPU 1 rcs0 #1|' \
	"$(names named)"
is "tasks that do not exist have numbers that no task has" "10000100 10102101" \
	"$(load rows "$tmp/named.dat" | awk -F'\t' 'NF == 8 { print $1 }' | sed -n '1p;$p' | tr '\n' ' ' | sed 's/ $//')"

is "and the same ones in each trace: GPU, vGPU, engine, workload" "10000100 10000300 10001100 10002300" \
	"$(load rows "$tmp/two-engines-strict.dat" | awk -F'\t' '$5 == -1 && $4 != "" { print $1 }' | tr '\n' ' ' | sed 's/ $//')"
mktrace many <<'END'
0 0 queue v=1 w=1 dev=10
1ms 0 start v=1 w=1 dev=10
2ms 0 stop v=1 w=1 dev=10 done=1
2ms 0 queue v=123 w=2
2ms 0 start v=123 w=2
3ms 0 stop v=123 w=2 done=1
END
is "what has no such number has another one" "2 vGPU 1 of GPU 10 rcs0|2 vGPU 123 rcs0|" \
	"$(load tasks "$tmp/many.dat" | awk -F'\t' '$1 >= 11000000 && $2 { print $2 " " $3 }' | tr '\n' '|')"

# as many boxes as intervals, or as bins
boxes() {
	load boxes "$2" "$tmp/$1.dat" | awk -F'\t' -v row="$3" '$1 == row { print $2 }'
}
pieces=$(load intervals "$tmp/small-vs-pieces-fair-preemptive.dat" |
	awk -F'\t' '$1 == 10000100 && $2 == 0' | wc -l)
is "boxes: one for each interval of an engine" "$pieces" "$(boxes small-vs-pieces-fair-preemptive 4000 "GPU 0 rcs0")"
few=$(boxes small-vs-pieces-fair-preemptive 50 "GPU 0 rcs0")
check "boxes: at most one for each bin, and one that reaches into it ($few of $pieces in 50)" test "$few" -ge 49 -a "$few" -le 100

# KernelShark loads a trace without waiting for gvt-stat, and lists all rows by then
cat >"$tmp/later" <<END
#!/bin/bash
for ((nr = 0; nr < 300; nr++)); do [ ! -e "$tmp/loaded" ] || exec "$GVT_STAT" "\$@"; sleep 0.1; done
END
printf '#!/bin/sh\necho $$ >%s/pid\nexec sleep 1000\n' "$tmp" >"$tmp/never"
chmod +x "$tmp/later" "$tmp/never"
GVT_STAT=$tmp/later load early "$tmp/loaded" "$tmp/three-guests.dat" >"$tmp/output"
is "loading: gvt-stat is waited for when it has ended" 0 "$(grep -c 'no rows' "$tmp/output")"
grep -v '[^0-9]' "$tmp/output" | sort >"$tmp/early"
load tasks "$tmp/three-guests.dat" | awk -F'\t' 'NF == 3 { print $1 }' | sort >"$tmp/rows"
is "loading: the rows are listed before it has" "" "$(comm -13 "$tmp/early" "$tmp/rows")"
check "loading: those that there are not are withdrawn ($(wc -l <"$tmp/rows") of $(wc -l <"$tmp/early") remain)" \
	test "$(wc -l <"$tmp/rows")" -lt "$(wc -l <"$tmp/early")" -a -s "$tmp/rows"
GVT_STAT=$tmp/never timeout 60 "$KERNELSHARK/sanitize/load" "$KERNELSHARK/sanitize/plugin-gvt.so" close "$tmp/three-guests.dat" >"$tmp/output" 2>&1
result $? "a trace that is closed while gvt-stat reads is closed at once"
check "and gvt-stat is ended" bash -c "! kill -0 $(cat "$tmp/pid") 2>/dev/null"

# several streams, with and without events of ours; all memory is freed (LeakSanitizer)
FORMATS="-F $traces/formats" mktrace other <<'END'
0 0 sched_switch prev_pid=1 next_pid=2
1ms 0 sched_switch prev_pid=2 next_pid=1
END
load rows "$tmp/two-engines-strict.dat" "$tmp/other.dat" "$tmp/named.dat" >"$tmp/output"
result $? "three streams at once, one of them without events of gvt"
is "the one without events has no rows" 1 "$(grep -c 'no rows' "$tmp/output")"

# gvt-stat that is not there, or fails, or says something else: KernelShark goes on without rows
without() {
	GVT_STAT=$2 load rows "$tmp/named.dat" >"$tmp/output"
	status=$?
	has "$1: one line says so, and there are no rows" "$3" "$(cat "$tmp/output")"
	is "$1: nothing else happens" "0 1" "$status $(grep -c 'no rows' "$tmp/output")"
}
printf '#!/bin/sh\nprintf "%%s\\n" kind,slot\nexit 0\n' >"$tmp/older"
printf '#!/bin/sh\necho "gvt-stat: the file is corrupted" >&2\nexit 1\n' >"$tmp/fails"
printf '#!/bin/sh\n"%s" "$@" | head -n 3 | cut -c 1-200\necho engine,0,0\n' "$GVT_STAT" >"$tmp/garbled"
printf '#!/bin/sh\n"%s" "$@"; kill -SEGV $$\n' "$GVT_STAT" >"$tmp/crashes"
chmod +x "$tmp/older" "$tmp/fails" "$tmp/garbled" "$tmp/crashes"
without "no gvt-stat" "$tmp/nothing" "plugin-gvt: $tmp/nothing: cannot be started: No such file or directory"
without "another version" "$tmp/older" "is of another version"
without "a line that is cut off" "$tmp/garbled" "cannot be read: engine,0,0"
without "gvt-stat fails" "$tmp/fails" "gvt-stat: the file is corrupted"
without "gvt-stat crashes" "$tmp/crashes" "no rows"
is "gvt-stat crashes: what was moved by then is under the vGPUs' plain names" "2 vGPU 1 rcs0|2 vGPU 2 of GPU 1 rcs0|" \
	"$(GVT_STAT=$tmp/crashes load tasks "$tmp/named.dat" | awk -F'\t' 'NF == 3 { print $2 " " $3 }' | tr '\n' '|')"

# damaged lines: read by the same code, with sanitizers
"$GVT_STAT" export -f csv -i "$tmp/lossy.dat" -o "$tmp/lines.csv"
python3 "$here/damage" "$KERNELSHARK/sanitize/read" "$tmp/lines.csv" 100 >"$tmp/output" 2>&1
result $? "100 damaged copies of what gvt-stat says: rows, or one line that says what is wrong"

# traces that are cut off or damaged end as they do without the plugin
python3 "$here/damage" --traces "$KERNELSHARK/load" "$KERNELSHARK/plugin-gvt.so" "$tmp/lossy.dat" 30 >"$tmp/output" 2>&1
result $? "30 damaged traces: as without the plugin, $(tail -n 1 "$tmp/output")"

is "it needs no library whose name changes with each version" 0 \
	"$(readelf -d "$KERNELSHARK/plugin-gvt.so" | grep -c 'NEEDED.*kshark-')"

finish
