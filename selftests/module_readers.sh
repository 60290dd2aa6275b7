#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043,SC2034	# VGPU_IDS is for gvt_lib.sh
#
# kvmgt is unloaded and loaded while others read all that it shows: the settings, the
# types of vGPUs, each vGPU's attributes, and debugfs.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

# emulated hosts, where a round takes a minute of a loaded machine, may do with fewer
ROUNDS=${ROUNDS:-30}
READERS='settings types vgpus debugfs'
DEBUGFS=/sys/kernel/debug
READER_PIDS=

# What a reader reads: patterns, as any of it may be gone by now.
files_of() {
	case $1 in
	settings) echo "$SCHED/*" ;;
	types) echo "$MDEV_TYPES/[!c]*" ;;
	vgpus) echo "/sys/bus/mdev/devices/*/intel_vgpu/* /sys/bus/mdev/devices/*/engine/*/*" ;;
	debugfs) echo "$DEBUGFS/dri/*/gvt/* $DEBUGFS/dri/*/gvt/*/*" ;;
	esac
}

# read_on NAME - leaves in $TMP/read.NAME how many files it could read; starts no
# process but one to sleep, lest the readers keep each other from reading
read_on() {
	local patterns file line count=0
	patterns=$(files_of "$1")
	while :; do
		for file in $patterns; do
			[ -f "$file" ] && read -r line <"$file" && count=$((count + 1))
		done 2>/dev/null
		echo "$count" >"$TMP/read.$1"
		sleep 0.002
	done
}

readers_start() {
	local name
	for name in $READERS; do
		read_on "$name" &
		READER_PIDS="$READER_PIDS $!"
	done
}

readers_stop() {
	# shellcheck disable=SC2086	# a list
	[ -z "$READER_PIDS" ] || kill $READER_PIDS
	READER_PIDS=
}

readers_cleanup() {
	readers_stop
	gvt_cleanup
}

reload_in_rounds() {
	local i=0
	while [ $i -lt "$ROUNDS" ]; do
		vgpus_create 2
		# at another moment of what the readers do each time
		sleep "0.0$(((i * 7) % 10))"
		# an open file in debugfs keeps the module
		wait_for 60 rmmod kvmgt || return
		VGPUS=
		VGPU_IDS=
		load_module || return
		wait_for 10 device_is_there || return
		i=$((i + 1))
	done
}

each_has_read() {
	local name read code=0
	for name in $READERS; do
		read=$(cat "$TMP/read.$name")
		echo "$name: $read files"
		[ "$read" -ge "$ROUNDS" ] || code=1
	done
	return $code
}

gvt_begin device sched module
trap readers_cleanup EXIT
[ -d $DEBUGFS/dri ] || mount -t debugfs nodev $DEBUGFS || skip_all "no debugfs"
ktap_set_plan 3

readers_start
check "unloaded and loaded $ROUNDS times while others read" reload_in_rounds
readers_stop
check "each of them has read something" each_has_read
check "the kernel has not complained" no_new_complaints
ktap_finished
