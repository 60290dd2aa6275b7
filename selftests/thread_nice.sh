#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043
#
# An engine's thread keeps a nice value that the administrator has set, whatever it works
# on; otherwise the driver sets the nice value.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

PREFERRED=-5

need_renice() {
	command -v renice >/dev/null || skip_all "there is no renice"
}

# thread ENGINE - the id of the engine's thread
thread() {
	local dir
	for dir in /proc/[0-9]*; do
		[ "$(cat "$dir/comm" 2>/dev/null)" != "gvt:$1" ] || echo "${dir#/proc/}"
	done
}

# nice_of ID - behind the name, which has no space, it is the 19th
nice_of() {
	cut -d ' ' -f 19 "/proc/$1/stat"
}

workloads() {
	cat "/sys/bus/mdev/devices/$1/engine/rcs0/workloads"
}

# worked UUID COUNT
worked() {
	[ "$(workloads "$1")" -ge "$2" ]
}

# has_nice DISPATCH NICE - after ten workloads with this dispatch mode
has_nice() {
	local uuid="${VGPUS##* }"
	echo "$1" >"$SCHED/dispatch" || return
	wait_for 20 worked "$uuid" $(($(workloads "$uuid") + 10)) || return
	echo "nice $(nice_of "$THREAD") with $1 dispatch"
	[ "$(nice_of "$THREAD")" -eq "$2" ]
}

# without -n, whose meaning differs between implementations
keeps_nice() {
	local dispatch
	renice "$1" -p "$THREAD" >/dev/null || return
	[ "$(nice_of "$THREAD")" -eq "$1" ] || { echo "renice has set $(nice_of "$THREAD")"; return 1; }
	for dispatch in exclusive per-engine exclusive; do
		has_nice $dispatch "$1" || return
	done
}

gvt_begin device load sched renice
vgpus_create 1
THREAD=$(thread rcs0)
[ -n "$THREAD" ] || skip_all "there is no thread gvt:rcs0"
ktap_set_plan 6

# shellcheck disable=SC2086	# one UUID
load_start -e rcs0 -x 1000 -d 2 -t 120 $VGPUS
check "the default: 0 with exclusive dispatch" has_nice exclusive 0
check "the default: preferred with per-engine dispatch" has_nice per-engine $PREFERRED
check "and back" has_nice exclusive 0
check "the administrator's value is kept" keeps_nice 7
check "the load went on" load_stop
check "the kernel has not complained" no_new_complaints
renice 0 -p "$THREAD" >/dev/null
ktap_finished
