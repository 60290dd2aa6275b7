#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Errors in the use of memory.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"

here=$(dirname "$0")

every_kind_of_state
files=$(versions_of all)

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
export LSAN_OPTIONS="suppressions=$here/../../lib/tests/lsan.supp:print_suppressions=0"
for form in "report" "report --json" "report --csv" "list workloads" "list workloads --json" \
	"list workloads --csv --pieces" "list turns --idle" "why idle" \
	"why waits" "why waits --json" "check --json" "why vcpus" "why vcpus --json" \
	"why path --workload 2 --segments" "why path --thread 101 --json" \
	"export -f parquet --host a --begin 2026-11-30T12:00:00Z -o $tmp/fleet"; do
	for file in $files; do
		# shellcheck disable=SC2086 # several words
		clean "sanitizers: $form of $(basename "$file")" "$GVT_STAT_SANITIZED" $form \
			--tsc-khz 1000000 --in-process -i "$file"
	done
done

for words in law=overlap twins=1 lost=0.2,0.4; do
	/usr/bin/python3 "$here/energy-trace" "$tmp/truth" seconds=1 $words >"$tmp/energy.txt"
	mktrace energy <"$tmp/energy.txt"
	clean "sanitizers: energy, $words" "$GVT_STAT_SANITIZED" energy --workloads --in-process -i "$tmp/energy.dat"
	clean "sanitizers: energy over time, $words" "$GVT_STAT_SANITIZED" energy --interval 70ms --in-process -i "$tmp/energy.dat"
done

# the largest numbers that the fields of events hold
largest="dev=4294967295 v=4294967295 w=9223372036854775807 c=65535 instance=65535"
{
	echo "cpus 2"
	echo "0ms 0 queue $largest common_pid=101"
	echo "1ms 0 submit $largest common_pid=2147483647"
	echo "2ms 0 start $largest"
	echo "3ms 0 sched_switch prev_pid=101 prev_state=1 next_pid=2147483647"
	echo "3ms 0 sched_wakeup pid=101"
	echo "4ms 0 stop $largest done=1"
	echo "5ms 0 complete $largest common_pid=101"
	# what critical paths need, too
	echo "6ms 0 kvm_entry common_pid=101"
	echo "7ms 0 kvm_exit common_pid=101"
	woken_by_interrupt
} | mktrace largest
# turns of 146 years on each of several engines, and as much lost
{
	for class in 0 1 2 3; do echo "1ms 0 switch class=$class instance=0 prev=0 next=1"; done
	echo "2ms 0 queue v=1 w=1"
	echo "page 0"
	for class in 0 1 2 3; do echo "4611686018427387904 0 switch class=$class instance=0 prev=1 next=0"; done
	echo "page 0"
	echo "lost 0 3"
	echo "9223372036854775807 0 switch class=0 instance=0 prev=0 next=1"
} | mktrace turns
clean "sanitizers: turns longer than all time" "$GVT_STAT_SANITIZED" report --json --in-process -i "$tmp/turns.dat"

for form in "report --json" "why waits" "check --json" "why path --workload 9223372036854775807" \
	"why path --thread 101 --json" "export -f parquet --host a --begin 2026-11-30T12:00:00Z -o $tmp/fleet"; do
	# shellcheck disable=SC2086 # several words
	clean "sanitizers: $form of the largest numbers" "$GVT_STAT_SANITIZED" $form --in-process -i "$tmp/largest.dat"
done
clean "sanitizers: compare" "$GVT_STAT_SANITIZED" compare --block 0.01 --in-process --tsc-khz 1000000 "$tmp/all.dat" "$tmp/all.dat"

if command -v valgrind >/dev/null; then
	for form in report "list workloads --json" check "why waits" "why vcpus" "why path --workload 2"; do
		# shellcheck disable=SC2086 # several words
		clean "valgrind: $form" valgrind -q --leak-check=full --error-exitcode=9 \
			--suppressions="$here/valgrind.supp" "$GVT_STAT" $form \
			--tsc-khz 1000000 --in-process -i "$tmp/all.dat"
	done
else
	skip "valgrind: report" "valgrind is not installed"
fi

finish
