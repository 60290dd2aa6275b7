#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# The scheduler's settings in sysfs exist, have the documented defaults and ranges,
# refuse all other values, and changes are traced.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

# name minimum maximum default
gpu_numbers() {
	cat <<-'EOF'
	carry_over 0 1 1
	leftover_max_ms 0 1000 1000
	period_ms 10 1000 100
	boost_ms 0 10000 2000
	max_wait_ms 100 1900 1000
	anticipation_ms 0 100 20
	host_first 0 1 0
	EOF
}

vgpu_numbers() {
	cat <<-'EOF'
	nice -20 19 0
	cap 0 100 0
	preempt 0 1 1
	arbitration 0 1 1
	EOF
}

# refuses FILE VALUE - the file refuses the value with EINVAL, and keeps its own
refuses() {
	local before after
	before=$(cat "$1")
	# cat prints the error, a shell's echo may not
	if echo "$2" | LC_ALL=C cat 2>"$TMP/error" >"$1"; then
		echo "$1 takes '$2'"
		return 1
	fi
	after=$(cat "$1")
	if [ "$before" != "$after" ]; then
		echo "'$2' was refused, but $1 went from '$before' to '$after'"
		return 1
	fi
	grep -q "Invalid argument" "$TMP/error" && return
	echo "'$2' for $1: $(cat "$TMP/error")"
	return 1
}

# takes FILE VALUE
takes() {
	echo "$2" >"$1" || return
	[ "$(cat "$1")" = "$2" ] && return
	echo "'$2' was written to $1, which reads '$(cat "$1")'"
	return 1
}

# has_range FILE MINIMUM MAXIMUM - leaves the setting at its maximum
has_range() {
	local value
	for value in "$(($2 - 1))" "$(($3 + 1))" 99999999999 x "$2x" "" "1 2"; do
		refuses "$1" "$value" || return
	done
	takes "$1" "$2" && takes "$1" "$3"
}

# has_default FILE DEFAULT
has_default() {
	[ "$(cat "$1")" = "$2" ] && return
	echo "$1 reads '$(cat "$1")' instead of '$2'"
	return 1
}

# The settings of the GPU may have been changed in sysfs or by a module parameter.
check_gpu_default() {
	if [ "$(cat "/sys/module/kvmgt/parameters/sched_$1" 2>/dev/null)" = "$2" ]; then
		check "$1: default" has_default "$SCHED/$1" "$2"
	else
		ktap_print_msg "kvmgt was given sched_$1"
		ktap_test_skip "$1: default"
	fi
}

one_word_in_brackets() {
	cat "$1"
	[ "$(tr ' ' '\n' <"$1" | grep -c '^\[[a-z-]*\]$')" -eq 1 ] &&
		[ "$(tr ' ' '\n' <"$1" | grep -c -v -e '^\[[a-z-]*\]$' -e '^[a-z-]*$')" -eq 0 ]
}

# Each word written is then in brackets, and the others stay.
words_can_be_chosen() {
	local word words
	words=$(tr -d '[]' <"$1")
	for word in $words; do
		echo "$word" >"$1" || return
		one_word_in_brackets "$1" || return
		grep -q -F "[$word]" "$1" || return
		[ "$(tr -d '[]' <"$1")" = "$words" ] || return
	done
}

other_words_are_refused() {
	local word
	for word in fairly fai "[fair]" "strict fair" "" 1; do
		refuses "$1" "$word" || return
	done
}

# has_words FILE WORD...
has_words() {
	local word file="$1"
	shift
	for word; do
		tr -d '[]' <"$file" | tr ' ' '\n' | grep -q -x -F -e "$word" || return
	done
}

# check_words NAME WORD... - test a setting that is one of several words
check_words() {
	local name="$1"
	shift
	check "$name: has the documented words" has_words "$SCHED/$name" "$@"
	check "$name: one word is in brackets" one_word_in_brackets "$SCHED/$name"
	check "$name: can be chosen" words_can_be_chosen "$SCHED/$name"
	check "$name: refuses other words" other_words_are_refused "$SCHED/$name"
}

# settings_traced TEXT - number of setting events with this text since the last call
settings_traced() {
	grep -F ": gvt_sched_setting: " "$INSTANCE/trace" | grep -c -F -e "$1"
	trace_clear
}

# is_traced FILE OLD NEW VGPU - a write causes one event, a refused write none
is_traced() {
	local count text="vgpu=$4, setting=${1##*/}, old=$2, new=$3"
	echo "$2" >"$1" || return
	trace_clear
	echo "$3" >"$1" || return
	count=$(settings_traced "$text")
	if [ "$count" -ne 1 ]; then
		echo "$count events with '$text'"
		return 1
	fi
	(echo nonsense >"$1") 2>/dev/null
	count=$(settings_traced "setting=")
	[ "$count" -eq 0 ] && return
	echo "$count events for a value that was refused"
	return 1
}

# traced_first FILE VALUE - the writing task emits the event of the setting before the events of
# its effects: new slices, at least. Events of other tasks do not count.
traced_first() {
	trace_clear
	echo "$2" >"$1" || return
	awk 'NR == FNR && /: gvt_sched_setting: / { writer = $1 }
		NR == FNR || $1 != writer { next }
		/: gvt_sched_setting: / { seen = 1 }
		/: gvt_sched_(switch|balance): / && !seen { print "before it: " $0; bad = 1 }
		/: gvt_sched_balance: .* stage=0,/ { follows = 1 }
		END { exit bad || !seen || !follows }' "$INSTANCE/trace" "$INSTANCE/trace"
}

cannot_be_written() {
	local name
	for name in vgpu_id weight exec_ns left_ns queued ../engine/rcs0/exec_ns; do
		if (echo 1 >"$VGPU/$name") 2>/dev/null; then
			echo "$name can be written"
			return 1
		fi
	done
}

gvt_begin events device load sched
vgpus_create 1
VGPU=/sys/bus/mdev/devices/${VGPUS# }/intel_vgpu
ktap_set_plan $(($(gpu_numbers | wc -l) * 2 + $(vgpu_numbers | wc -l) * 2 + 18))

check_words policy strict work-conserving fair
check_words dispatch exclusive per-engine preemptive
gpu_numbers >"$TMP/numbers"
while read -r name min max default; do
	check_gpu_default "$name" "$default"
	check "$name: $min to $max" has_range "$SCHED/$name" "$min" "$max"
done <"$TMP/numbers"
vgpu_numbers >"$TMP/numbers"
while read -r name min max default; do
	check "vGPU's $name: default" has_default "$VGPU/$name" "$default"
	check "vGPU's $name: $min to $max" has_range "$VGPU/$name" "$min" "$max"
done <"$TMP/numbers"
check "read-only files cannot be written" cannot_be_written

trace_open 1
trace_events 1 gvt_sched_setting
check "policy is traced" is_traced "$SCHED/policy" strict fair 0
check "dispatch is traced" is_traced "$SCHED/dispatch" exclusive preemptive 0
check "numbers are traced" is_traced "$SCHED/period_ms" 100 50 0
check "a vGPU's nice is traced" is_traced "$VGPU/nice" 0 -5 "${VGPU_IDS# }"
check "a vGPU's cap is traced" is_traced "$VGPU/cap" 0 60 "${VGPU_IDS# }"

# Slices are handed out to vGPUs with work
echo work-conserving >"$SCHED/policy"
# shellcheck disable=SC2086	# one UUID
load_start -e rcs0 -x 1000 -d 4 -t 120 $VGPUS
trace_events 1 gvt_sched_switch gvt_sched_balance
check "dispatch is traced before slices are handed out" traced_first "$SCHED/dispatch" per-engine
check "the policy is traced before slices are handed out" traced_first "$SCHED/policy" strict
check "the load went on" load_stop
trace_events 0 gvt_sched_setting gvt_sched_switch gvt_sched_balance
check "the kernel has not complained" no_new_complaints
ktap_finished
