# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC3043,SC2154	# local; what gvt_lib.sh sets
#
# The three vGPUs of a scenario at work while what comes next changes all the time; for scripts
# in the host VM, after gvt_lib.sh.

# shellcheck source-path=SCRIPTDIR/../../bench source=vm-lib disable=SC1091
. "$DIR/vm-lib"

# What comes next on the engine changes, without new work
change_order() {
	local mdev
	while :; do
		for mdev in /sys/bus/mdev/devices/*; do
			echo -20 >"$mdev/intel_vgpu/nice"
			echo work-conserving >"$SCHED/policy"
			echo 19 >"$mdev/intel_vgpu/nice"
			echo fair >"$SCHED/policy"
		done
	done
}

# play_restless COMMAND... - for as long as that takes; all three get something done
play_restless() {
	local load changer code=0
	timeout 60 rig-load --scenario /rig/scenario.conf --uuids "$(vgpu_uuids)" >"$TMP/played" 2>&1 &
	load=$!
	change_order &
	changer=$!
	"$@" || code=1
	kill $changer
	wait $load || code=1
	cat "$TMP/played"
	[ "$(grep -c '^RESULT.* done=[1-9]' "$TMP/played")" -eq 3 ] || code=1
	return $code
}
