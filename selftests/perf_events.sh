#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# The PMU counts what the counters in sysfs count, refuses what it does not have, and keeps kvmgt
# loaded while events are open.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

PERF_COUNT=${PERF_COUNT:-$DIR/perf_count}
PMUS=/sys/bus/event_source/devices
ACTIVE=2
TOTAL=3
COUNT_MS=1500
PMU=

need_pmu() {
	local dir
	for dir in "$PMUS"/gvt_*; do
		PMU=${dir##*/}
	done
	[ -d "$PMUS/$PMU" ] || skip_all "no PMU gvt_*: the kernel has no perf events, or this kvmgt none"
	[ -x "$PERF_COUNT" ] || skip_all "no program $PERF_COUNT (make, or set PERF_COUNT)"
}

# config EVENT FUNCTION [CLASS [INSTANCE]]
config() {
	echo $(($1 | ${4:-0} << 12 | ${3:-0} << 20 | $2 << 44))
}

is_described() {
	local file
	for file in format/event format/engine_class format/engine_instance format/function \
		events/engine-active-ticks events/engine-total-ticks cpumask; do
		echo "$file: $(cat "$PMUS/$PMU/$file")"
	done >"$TMP/description"
	diff "$TMP/description" - <<-END
		format/event: config:0-11
		format/engine_class: config:20-27
		format/engine_instance: config:12-19
		format/function: config:44-59
		events/engine-active-ticks: event=0x02
		events/engine-total-ticks: event=0x03
		cpumask: 0
	END
}

exec_ns() {
	cat "/sys/bus/mdev/devices/$1/engine/rcs0/exec_ns"
}

# count MS CONFIG... - in $TMP/counts
count() {
	"$PERF_COUNT" "$PMU" "$@" >"$TMP/counts" && cat "$TMP/counts"
}

# count_of CONFIG
count_of() {
	awk -v config="$1" '$1 == config { print $2 }' "$TMP/counts"
}

# near NAME GOT EXPECTED MS - within a twentieth; what is expected took MS rather than COUNT_MS
near() {
	echo "$1: $2 in $COUNT_MS ms beside $3 in $4 ms"
	echo "$2 $3 $4 $COUNT_MS" | awk '{ e = $2 * $4 / $3; d = $1 - e; exit e <= 0 || d * 20 > e || -d * 20 > e }'
}

# exec_ns of each vGPU
used() {
	local uuid
	for uuid in $VGPUS; do
		exec_ns "$uuid"
	done
}

counts_vgpus() {
	local uuid id before after start ms total
	start=$(uptime_ms)
	before=$(used)
	# shellcheck disable=SC2046	# a list
	count $COUNT_MS "$(config $TOTAL 0)" "$(config $ACTIVE 0)" \
		$(for id in $VGPU_IDS; do config $ACTIVE "$id"; done) || return
	total=$(count_of "$(config $TOTAL 0)")
	ms=$(($(uptime_ms) - start))
	after=$(used)
	# shellcheck disable=SC2086	# lists
	set -- $before $after
	for uuid in $VGPUS; do
		near "vGPU $(vgpu_id "$uuid")" "$(count_of "$(config $ACTIVE "$(vgpu_id "$uuid")")")" \
			$(($3 - $1)) $ms || return
		shift
	done
	[ "$total" -ge ${COUNT_MS}000000 ] || { echo "only $total ns passed in $COUNT_MS ms"; return 1; }
	[ "$(count_of "$(config $ACTIVE 0)")" -le "$total" ]
}

idle_vgpus_count_nothing() {
	local uuid id
	# shellcheck disable=SC2046	# a list
	count 100 $(for id in $VGPU_IDS; do config $ACTIVE "$id"; done) || return
	awk '$2 != 0 { bad = 1 } END { exit bad }' "$TMP/counts"
}

# refused CONFIG ERROR
refused() {
	count 1 "$1" || return
	[ "$(count_of "$1")" = "$2" ]
}

refuses() {
	refused "$(config 1 0)" ENOENT &&
		refused "$(config $ACTIVE 8)" EINVAL &&
		refused "$(config $ACTIVE 1 9)" ENODEV &&
		refused "$(config $ACTIVE 1 0 200)" ENODEV &&
		refused $(($(config $ACTIVE 1) | 1 << 28)) EINVAL
}

users() {
	awk '$1 == "kvmgt" { print $3 }' /proc/modules
}

keeps_module() {
	local before after pid
	is_loaded || { echo "kvmgt is built into the kernel"; return 0; }
	before=$(users)
	mkfifo "$TMP/hold"
	"$PERF_COUNT" "$PMU" 0 "$(config $ACTIVE 1)" <"$TMP/hold" >"$TMP/held" &
	pid=$!
	exec 9>"$TMP/hold"
	until grep -q open "$TMP/held"; do sleep 0.01; done
	after=$(users)
	exec 9>&-
	wait $pid || return
	echo "$before users of kvmgt, $after while an event is open, $(users) afterwards"
	[ "$after" -eq $((before + 1)) ] && [ "$(users)" -eq "$before" ]
}

gvt_begin device load sched pmu
# Else the vGPU that starts last runs alone for two seconds
echo 0 >"$SCHED/boost_ms"
vgpus_create 2
ktap_set_plan 7

check "sysfs describes the events and their parameters" is_described
check "idle vGPUs have no active ticks" idle_vgpus_count_nothing
# shellcheck disable=SC2086	# a list
load_start -e rcs0 -d 2 -x 1000 -t 60 $VGPUS
check "active ticks are the time that the engine worked for each vGPU" counts_vgpus
check "the load did its work" load_stop
check "events that do not exist are refused" refuses
check "kvmgt cannot be unloaded while an event is open" keeps_module
check "the kernel has not complained" no_new_complaints
ktap_finished
