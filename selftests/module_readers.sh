#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC3043,SC2034	# VGPU_IDS is for gvt_lib.sh
#
# kvmgt is unloaded and loaded while others read all its files: the settings, the
# types of vGPUs, each vGPU's attributes, and debugfs.

# shellcheck source-path=SCRIPTDIR source=gvt_lib.sh disable=SC1091
. "$(dirname "$(readlink -f "$0")")/gvt_lib.sh"

# fewer are enough on emulated hosts, where a round can take a minute
ROUNDS=${ROUNDS:-30}
SYSFS_READERS='types vgpus'
READ_FILES=${READ_FILES:-$DIR/read_files}
DEBUGFS=/sys/kernel/debug
READER_PIDS=

# The files of a reader, as patterns, since any file may have been removed.
files_of() {
	case $1 in
	settings) echo "$SCHED/*" ;;
	types) echo "$MDEV_TYPES/[!c]*" ;;
	vgpus) echo "/sys/bus/mdev/devices/*/intel_vgpu/* /sys/bus/mdev/devices/*/engine/*/*" ;;
	debugfs) echo "$DEBUGFS/dri/*/gvt/* $DEBUGFS/dri/*/gvt/*/*" ;;
	esac
}

# read_debugfs - writes the number of files read to $TMP/read.debugfs. An open file keeps
# the module loaded, so there is a pause between two passes.
read_debugfs() {
	local patterns file line count=0
	patterns=$(files_of debugfs)
	while :; do
		for file in $patterns; do
			[ -f "$file" ] && read -r line <"$file" && count=$((count + 1))
		done 2>/dev/null
		echo "$count" >"$TMP/read.debugfs"
		sleep 0.2
	done
}

readers_start() {
	local name
	for name in $SYSFS_READERS; do
		# shellcheck disable=SC2046	# patterns, which it expands each time
		(set -f && exec "$READ_FILES" $(files_of "$name") >"$TMP/read.$name") &
		READER_PIDS="$READER_PIDS $!"
	done
	read_debugfs &
	READER_PIDS="$READER_PIDS $!"
}

readers_are_gone() {
	local pid
	for pid in $READER_PIDS; do
		! kill -0 "$pid" 2>/dev/null || return
	done
}

# Readers print their counts when they end, unless they are stuck
readers_stop() {
	# shellcheck disable=SC2086	# a list
	[ -z "$READER_PIDS" ] || { kill $READER_PIDS && wait_for 10 readers_are_gone; } 2>/dev/null
	READER_PIDS=
}

readers_cleanup() {
	readers_stop
	gvt_cleanup
}

unloaded_or_worse() {
	! is_loaded || [ "$(kernel_complaints)" -ne "$COMPLAINTS" ]
}

# If a reader died while reading a file, rmmod waits forever, and so does each later user of
# the module
unload() {
	while ! rmmod kvmgt; do
		# an open file in debugfs keeps the module
		sleep 0.1
	done &
	wait_for 60 unloaded_or_worse
	! is_loaded && return
	VGPUS=
	rm -f "$TMP/settings"
	return 1
}

reload_in_rounds() {
	local i=0
	while [ $i -lt "$ROUNDS" ]; do
		vgpus_create 2
		# in another phase of the readers each time
		sleep "0.0$(((i * 7) % 10))"
		unload || return
		VGPUS=
		VGPU_IDS=
		load_module || return
		wait_for 10 device_is_there || return
		i=$((i + 1))
	done
}

each_has_read() {
	local name read code=0
	for name in $SYSFS_READERS debugfs; do
		read=$(cat "$TMP/read.$name")
		read=${read:-0}
		echo "$name: $read files"
		[ "$read" -ge "$ROUNDS" ] || code=1
	done
	return $code
}

gvt_begin device module
# a kvmgt without settings can be unloaded, too
# shellcheck disable=SC2086	# a pattern
if ls -d $SCHED_DIRS >/dev/null 2>&1; then
	need_sched
	SYSFS_READERS="settings $SYSFS_READERS"
fi
trap readers_cleanup EXIT
[ -d $DEBUGFS/dri ] || mount -t debugfs nodev $DEBUGFS || skip_all "no debugfs"
ktap_set_plan 3

readers_start
check "unloaded and loaded $ROUNDS times while others read" reload_in_rounds
readers_stop
check "each reader has read something" each_has_read
check "the kernel has not complained" no_new_complaints
ktap_finished
