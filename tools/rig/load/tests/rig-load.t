#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines of rig-load and rig-i915-load, and what they say where
# there is no GPU; RIG_LOAD and RIG_I915_LOAD are the programs.
set -uo pipefail

scenarios=$(dirname "$0")/../../scenario/scenarios
rig_load=${RIG_LOAD:?path of rig-load}
i915_load=${RIG_I915_LOAD:?path of rig-i915-load}
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../../../../scripts/tap.sh"

# fails_with TEXT PROGRAM ARGUMENT...: exit code 1, nothing on stdout, and the
# first line on stderr contains TEXT
fails_with() {
	local text=$1 rc
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	cat "$tmp/out" "$tmp/err" - >"$tmp/output" <<<"exit code $rc"
	[ $rc = 1 ] && [ ! -s "$tmp/out" ] && head -n 1 "$tmp/err" | grep -qF -e "$text"
	result $? "${1##*/}: $text"
}

fails_with '--scenario FILE is missing' "$rig_load"
fails_with "unexpected argument 'x'" "$rig_load" --scenario "$scenarios/solo.conf" x
fails_with "cannot read: No such file or directory; give the path of a scenario file" "$rig_load" --scenario "$tmp/none"
fails_with "vgpu 'small' has no UUID; add small=UUID to --uuids" "$rig_load" --scenario "$scenarios/solo.conf"
fails_with "vgpu 'small' has no UUID" "$rig_load" --scenario "$scenarios/solo.conf" --uuids smaller=1,xsmall=2,smal=3
fails_with "rig-load: vgpu 'small': " "$rig_load" --scenario "$scenarios/solo.conf" \
	--uuids small=00000000-0000-4000-8000-00000000dead

fails_with "--perturb: '-1' is not a number" "$rig_load" --scenario "$scenarios/solo.conf" --perturb -1

fails_with '--engine is missing' "$i915_load"
fails_with '--exec is missing' "$i915_load" --engine rcs0
fails_with '--count or --seconds is missing' "$i915_load" --engine rcs0 --exec 1ms
fails_with '--period is missing' "$i915_load" --engine rcs0 --exec 1ms --count 1 --arrival periodic
fails_with "--arrival: unknown word 'open'; use closed, periodic or poisson" "$i915_load" --arrival open
fails_with "--exec: '18' is invalid" "$i915_load" --engine rcs0 --exec 18
fails_with "--depth: '17' is invalid; use 1 to 16" "$i915_load" --depth 17
fails_with "--count: '-1' is invalid" "$i915_load" --count -1
fails_with '--pieces: pieces are shorter than 1us each' "$i915_load" --engine rcs0 --exec 5us --pieces 6 --count 1
fails_with 'engine rcs7: Invalid argument' "$i915_load" --engine rcs7 --exec 1ms --count 1
fails_with "open $tmp/none: No such file or directory" "$i915_load" --engine rcs0 --exec 1ms --count 1 --device "$tmp/none"
fails_with 'DRM_IOCTL_I915_GEM_CREATE: Inappropriate ioctl for device' \
	"$i915_load" --engine rcs0 --exec 1ms --count 1 --device /dev/null

finish
