#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Errors in the use of memory, on whole and on damaged traces.
# Also set by the Makefile: GVT_STAT_SANITIZED, MUTATE, MUTATE_SECONDS.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(dirname "$0")

# every kind of state: whole, preempted, cancelled, open, lost, two buffers, memory
mktrace all <<'END'
clock x86-tsc
cpus 2
0ms  0 gvt_vgpu_info v=1 weight=1 aperture_bytes=1048576 type=V5_8 uuid=aa-1
0ms  0 gvt_sched_info vgpus=2 tick_ns=1000000 policy=strict
0ms  0 print buf=gvt-stat-meta~kernel~Linux
0ms  0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=4711~vm=a
1ms  0 submit   v=1 w=1
1ms  0 kvm_entry    common_pid=101
2ms  0 kvm_exit     common_pid=101
2ms  0 queue    v=1 w=2 common_pid=101
2ms  0 sched_waking common_pid=101 pid=50
2ms  0 sched_wakeup common_pid=101 pid=50
2ms  0 sched_switch prev_pid=101 prev_comm=qemu next_pid=50 next_comm=gvt:rcs0
3ms  0 sched_switch prev_pid=50 prev_state=1 next_pid=101
3ms  1 start    v=1 w=2 lrca=0x1000
4ms  1 stop     v=1 w=2 lrca=0x1000 done=0
5ms  0 queue    v=2 w=3 c=1
6ms  0 cancel   v=2 w=3 c=1 reason=1
7ms  0 switch   prev=1 next=2 reason=2
8ms  0 i915_gem_object_create obj=1 size=65536
9ms  0 spt_alloc id=1 spt=0xa type=1
lost 1 3
20ms 1 start    v=1 w=2 lrca=0x1000
29ms 1 irq_handler_entry irq=1
29ms 1 hrtimer_expire_entry
29ms 1 sched_waking pid=50
29ms 1 hrtimer_expire_exit
29ms 1 irq_handler_exit irq=1
29ms 1 softirq_entry vec=1
29ms 1 softirq_exit vec=1
29ms 1 sched_switch prev_pid=0 next_pid=50
30ms 1 complete v=1 w=2 common_pid=50
31ms 1 stop     v=1 w=2 lrca=0x1000 done=1
40ms 0 queue    v=1 w=4
41ms 0 start    v=1 w=4
buffer other
35ms 1 queue    v=2 w=5 c=2
36ms 1 complete v=2 w=5 c=2 status=-5
END
files="$tmp/all.dat"
for compression in none zstd; do
	if trace-cmd convert --file-version 7 --compression "$compression" -i "$tmp/all.dat" \
		-o "$tmp/$compression.dat" >"$tmp/convert" 2>&1; then
		files="$files $tmp/$compression.dat"
	fi
done

# clean NAME COMMAND...: no output of the tool that watches
clean()
{
	name=$1
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	# check has found something
	[ "$status" -ne 2 ] || status=0
	is "$name" "0 " "$status $(grep -v '^gvt-stat: warning:' "$tmp/err")"
}

# libtracecmd 1.3.1 itself leaks: the files name its allocations only. To find
# it in a call chain takes the slow way through it.
export ASAN_OPTIONS=fast_unwind_on_malloc=0
export LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"
for form in "report" "report --json" "report --csv" "workloads" "workloads --json" \
	"workloads --csv --pieces" "timehist --idle" "map" "gaps" \
	"blame" "blame --json" "check --json" "vcpu" "vcpu --json" \
	"critical --workload 2 --segments" "critical --thread 101 --json"; do
	for file in $files; do
		# shellcheck disable=SC2086 # several words
		clean "sanitizers: $form of $(basename "$file")" "$GVT_STAT_SANITIZED" $form \
			--tsc-khz 1000000 --in-process -i "$file"
	done
done

clean "sanitizers: compare" "$GVT_STAT_SANITIZED" compare --block 0.01 --in-process --tsc-khz 1000000 "$tmp/all.dat" "$tmp/all.dat"

if command -v valgrind >/dev/null; then
	for form in report "workloads --json" check blame vcpu "critical --workload 2"; do
		# shellcheck disable=SC2086 # several words
		clean "valgrind: $form" valgrind -q --leak-check=full --error-exitcode=9 \
			--suppressions="$here/valgrind.supp" "$GVT_STAT" $form \
			--tsc-khz 1000000 --in-process -i "$tmp/all.dat"
	done
else
	skip "valgrind: report" "valgrind is not installed"
fi

# --- damaged copies --------------------------------------------------------------
mkdir "$tmp/mutate"
export ASAN_OPTIONS="abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:log_path=$tmp/mutate/asan"
export UBSAN_OPTIONS="abort_on_error=1:log_path=$tmp/mutate/asan"
# shellcheck disable=SC2086 # several files
if "$MUTATE" "$GVT_STAT_SANITIZED" "$MUTATE_SECONDS" 1 "$tmp/mutate" $files >"$tmp/out"; then
	result 0 "$(sed -n 's/^ok 1 - //p' "$tmp/out")"
else
	result 1 "mutated traces"
	sed 's/^/# /' "$tmp/out"
	kept=$(mktemp) && cp "$tmp/mutate/mutated.dat" "$kept" && echo "# kept: $kept"
fi

finish
