#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# The counters of vGPUs in sysfs never decrease, whatever the policy, and agree with
# the load afterwards.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

ENGINES="rcs0 bcs0"
COUNTERS="intel_vgpu/exec_ns"
ENGINE_COUNTERS="exec_ns wait_ns workloads failed cancelled preempted preempted_ns"

# of UUID NAME - a vGPU's attribute
of() {
	cat "/sys/bus/mdev/devices/$1/$2"
}

# All counters by name, in a fixed order.
counters() {
	local engine name
	echo "$COUNTERS"
	for engine in $ENGINES; do
		for name in $ENGINE_COUNTERS; do
			echo "engine/$engine/$name"
		done
	done
}

# follow UUID - print a line of its counters repeatedly, under each policy and dispatch mode
follow() {
	local names policy dispatch i
	names=$(counters)
	cd "/sys/bus/mdev/devices/$1" || return
	for policy in $(tr -d '[]' <"$SCHED/policy"); do
		echo "$policy" >"$SCHED/policy"
		for dispatch in $(tr -d '[]' <"$SCHED/dispatch"); do
			echo "$dispatch" >"$SCHED/dispatch"
			i=0
			while [ $i -lt 4 ]; do
				# shellcheck disable=SC2086	# a list
				cat $names | tr '\n' ' '
				echo
				i=$((i + 1))
				sleep 0.02
			done
		done
	done
}

never_decrease() {
	(follow "$1") >"$TMP/counters"
	awk '
		{
			for (i = 1; i <= NF; i++) {
				if ($i !~ /^[0-9]+$/ || NR > 1 && $i + 0 < last[i] + 0) {
					print "column " i ": " last[i] " then " $i
					bad = 1
				}
				if ($i + 0 > last[i] + 0)
					grown = 1
				last[i] = $i
			}
		}
		END {
			if (!grown)
				print "nothing was counted"
			exit bad || !grown
		}' "$TMP/counters"
}

# modes - only coarse utilization is world-readable
modes() {
	local uuid name file
	for uuid in $VGPUS; do
		for name in intel_vgpu/exec_ns intel_vgpu/left_ns intel_vgpu/queued engine/rcs0/exec_ns engine/rcs0/waited_for_ns engine/rcs0/workloads; do
			file=/sys/bus/mdev/devices/$uuid/$name
			[ "$(stat -c %a "$file")" = 440 ] || { stat -c '%a %n' "$file"; return 1; }
		done
		[ "$(stat -c %a "$(vgpu_dir "$uuid")/exec_percent")" = 444 ] || return
	done
}

# use - compare the utilization in per cent with the counter of the same vGPU
use() {
	local uuid before after percent start ms
	uuid=$(echo "$VGPUS" | awk '{ print $1 }')
	sleep 1.1
	cat "$(vgpu_dir "$uuid")/exec_percent" >/dev/null
	start=$(uptime_ms)
	before=$(of "$uuid" intel_vgpu/exec_ns)
	sleep 1.1
	percent=$(cat "$(vgpu_dir "$uuid")/exec_percent")
	after=$(of "$uuid" intel_vgpu/exec_ns)
	ms=$(($(uptime_ms) - start))
	echo "$percent % beside $((after - before)) ns in $ms ms"
	echo "$((after - before)) $percent $ms" | awk '{ d = $1 / ($3 * 1e4) - $2; exit $2 < 5 || d * d > 25 }'
}

# done_by UUID ENGINE - number of workloads reported by the load
done_by() {
	sed -n "s/^RESULT vgpu=$1 engine=$2 done=\([0-9]*\) .*/\1/p" "$TMP/load"
}

# is NAME GOT EXPECTED
is() {
	[ "$2" -eq "$3" ] && return
	echo "$1 is $2 instead of $3"
	return 1
}

agree_with_load() {
	local uuid engine
	for uuid in $VGPUS; do
		for engine in $ENGINES; do
			is "$uuid $engine/workloads" "$(of "$uuid" "engine/$engine/workloads")" \
				"$(done_by "$uuid" "$engine")" || return
			is "$uuid $engine/failed" "$(of "$uuid" "engine/$engine/failed")" 0 || return
			is "$uuid $engine/cancelled" "$(of "$uuid" "engine/$engine/cancelled")" 0 || return
		done
		is "$uuid queued" "$(of "$uuid" intel_vgpu/queued)" 0 || return
	done
}

# waited_for UUID ENGINE NAME
waited_for() {
	of "$1" "engine/$2/waited_for_ns" | awk -v name="$3" '$1 == name { print $2 }'
}

# Who had the engine meanwhile adds up to the wait; each of two vGPUs waits most for the other
waits_add_up() {
	local uuid engine other
	for uuid in $VGPUS; do
		for engine in $ENGINES; do
			of "$uuid" "engine/$engine/waited_for_ns"
			is "sum of $uuid $engine/waited_for_ns" \
				"$(of "$uuid" "engine/$engine/waited_for_ns" | awk '{ ns += $2 } END { printf "%.0f", ns }')" \
				"$(of "$uuid" "engine/$engine/wait_ns")" || return
		done
		other=$(echo "$VGPU_IDS" | tr ' ' '\n' | grep -vx "$(vgpu_id "$uuid")" | tr -d '\n')
		[ "$(waited_for "$uuid" rcs0 "vgpu$other")" -gt 0 ] || return
	done
}

# Execution on any engine takes as long as the busiest engine at least, as all at most.
exec_is_plausible() {
	local uuid
	for uuid in $VGPUS; do
		echo "$(of "$uuid" intel_vgpu/exec_ns) $(of "$uuid" engine/rcs0/exec_ns) $(of "$uuid" engine/bcs0/exec_ns)"
	done | awk '
		{ print "exec " $1 ", rcs0 " $2 ", bcs0 " $3 }
		$1 <= 0 || $1 < $2 || $1 < $3 || $1 > $2 + $3 { bad = 1 }
		END { exit bad }'
}

gvt_begin device load sched
vgpus_create 2
ktap_set_plan 9

# shellcheck disable=SC2086	# a list
load_start -e rcs0,bcs0 -d 2 -x 1000 -t 60 $VGPUS
for uuid in $VGPUS; do
	check "counters of vGPU $(vgpu_id "$uuid") never decrease" never_decrease "$uuid"
done
check "precise counters are not world-readable" modes
check "utilization in per cent is world-readable" use
check "the load did its work" load_stop
check "the counters agree with the load" agree_with_load
check "who had the engine adds up to the wait" waits_add_up
check "execution is at least the busiest engine's" exec_is_plausible
check "the kernel has not complained" no_new_complaints
ktap_finished
