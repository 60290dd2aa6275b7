#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/trace-cost-text on logs of which the instructions are known.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
count=$(dirname "$0")/../bench/trace-cost-text
text=ffffffffc0900000

# module FILE BODY [MORE]: the mark at 0x0, a helper with this BODY at 0x1000
module() {
	printf '%s\n' '.section __jump_table, "aw"' '.quad 0, 0' .text '.type intel_vgpu_queue_workload, @function' intel_vgpu_queue_workload: nop nop nop nop nop \
		'.size intel_vgpu_queue_workload, . - intel_vgpu_queue_workload' '.balign 4096' \
		'.type helper, @function' helper: "$2" '.size helper, . - helper' "${3-}" |
		gcc -x assembler -c -o "$1" -
}

# block POINTER OFFSET LENGTH: logs a translation, with instructions of one byte
block() {
	local i
	# shellcheck disable=SC2016 # so QEMU writes numbers
	printf 'OP:\n ld_i32 loc9,env,$0x0\n'
	for ((i = 0; i < $3; i++)); do
		printf ' ---- %016x 0000000000000000\n' $((($2 + i) & 0xfff))
	done
	run "$1" "$2"
}

# run POINTER OFFSET: logs an execution
run() {
	printf 'Trace 0: 0x7f000000%s [00000000/%x/00000000/ff000000] \n' "$1" $((16#$text + $2))
}

# first, next: a workload of 2 + 3 instructions in the mark and 4 in the helper
first() {
	block 1000 0 2
	block 2000 2 3
	block 3000 0x1000 4
}

next() {
	run 1000 0
	run 2000 2
	run 3000 0x1000
}

times() {
	local n=$1
	shift
	while [ $((n--)) -gt 0 ]; do
		"$@"
	done
}

# counts EXPECTED: of the log on stdin
counts() {
	"$count" "0x$text" "$work/module.ko" | sed "s/ [0-9a-f]\{32\}$//; ${hidden-}" | tr '\n' ' ' >"$work/counts"
	cat "$work/counts"
	[ "$(cat "$work/counts")" = "$1 " ]
}

# The static branches of which the tests know nothing
hidden='/^branches 0.00$/d'

plain() {
	{ first; times 12 next; } | counts "workloads 8 spread 0 total 9.00 helper 4.00 intel_vgpu_queue_workload 5.00"
}

one_dearer() {
	{ first; times 7 next; run 3000 0x1000; times 5 next; } |
		counts "workloads 8 spread 4 total 9.50 helper 4.50 intel_vgpu_queue_workload 5.00"
}

interrupted() {
	{
		first
		times 6 next
		run 1000 0
		run 2000 2
		echo "Stopped execution of TB chain before 0x7f0000002000 [ffffffffc0900002] "
		run 2000 2
		run 3000 0x1000
		times 5 next
	} | counts "workloads 8 spread 0 total 9.00 helper 4.00 intel_vgpu_queue_workload 5.00"
}

# The third instruction of the helper's block is executed by itself, then the rest.
rewound() {
	{
		first
		times 6 next
		next
		echo "cpu_io_recompile: rewound execution of TB to ffffffffc0901002"
		block 4000 0x1002 1
		block 5000 0x1003 1
		times 5 next
	} | counts "workloads 8 spread 0 total 9.00 helper 4.00 intel_vgpu_queue_workload 5.00"
}

# A block is translated anew at the same place, with another length.
translated_anew() {
	{ first; times 7 next; block 3000 0x1000 2; times 5 next; } |
		counts "workloads 8 spread 10 total 8.25 helper 3.25 intel_vgpu_queue_workload 5.00"
}

digest() {
	{ first; times 12 next; } | "$count" "0x$text" "$1" | sed -n 's/^helper 4.00 //p'
}

same_code() {
	module "$work/operand.ko" $'mov $2, %eax\nnop\nnop\nnop'
	module "$work/order.ko" $'nop\nmov $1, %eax\nnop\nnop'
	module "$work/module.ko" $'mov $1, %eax\nnop\nnop\nnop'
	digest "$work/operand.ko"
	[[ $(digest "$work/module.ko") =~ ^[0-9a-f]{32}$ ]] &&
		[ "$(digest "$work/module.ko")" = "$(digest "$work/operand.ko")" ] &&
		[ "$(digest "$work/module.ko")" != "$(digest "$work/order.ko")" ]
}

same_jumps() {
	module "$work/there.ko" $'jmp 1f\nnop\n1: nop\nnop'
	module "$work/elsewhere.ko" $'jmp 1f\nnop\nnop\n1: nop'
	[ "$(digest "$work/there.ko")" != "$(digest "$work/elsewhere.ko")" ]
}

# jump OFFSET KEY: an entry of the jump table for the helper's instruction there
jump() {
	printf '%s\n' '.pushsection __jump_table, "aw"' ".long .text + 0x1000 + $1 - ., .text - ." ".quad $2 - ." .popsection
}

# Two branches of events, one of another key.
disabled_events() {
	module "$work/module.ko" $'nop\nnop\nnop\nnop' \
		"$(jump 1 __tracepoint_gvt_workload_queue; jump 2 __tracepoint_spt_alloc; jump 3 __tracepoint_gvt_sched_switch)"
	{ first; times 12 next; } |
		counts "workloads 8 spread 0 total 9.00 branches 2.00 helper 4.00 intel_vgpu_queue_workload 5.00"
}

# The block is left before its second branch, which then executes in a new block.
disabled_events_rewound() {
	{
		first
		times 7 next
		echo "cpu_io_recompile: rewound execution of TB to ffffffffc0901003"
		block 4000 0x1003 1
		times 5 next
	} | counts "workloads 8 spread 0 total 9.00 branches 2.00 helper 4.00 intel_vgpu_queue_workload 5.00"
}

complains() {
	says "$@" "$count" "0x$text" "$work/module.ko"
}

module "$work/module.ko" $'nop\nnop\nnop\nnop'
check "instructions are counted for each workload and function" plain
check "a workload that costs more is told" one_dearer
check "a block that an interrupt kept from running is not counted" interrupted
check "a block that was left in its middle is counted in part" rewound
check "a block is translated anew" translated_anew
check "code with other operands is the same" same_code
check "code with other jumps is not" same_jumps
check "static branches of events are counted" disabled_events
check "in a block that was left, too" disabled_events_rewound
check "too few workloads" complains "too few workloads: 5 calls of intel_vgpu_queue_workload" < <(first; times 4 next)
check "a log without the translation" complains "executed, but never translated: Trace 0:" < <(next)
strip "$work/module.ko"
check "a module without symbols" complains "not stripped" </dev/null

finish
