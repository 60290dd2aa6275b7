#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two hostile guests at once, on one engine or on two, and up to five at random, beside a good
# one: in the default setting of the emulated GPU and in a harsh one, where it takes 0.1 ms to
# change from one vGPU to another. All pairs are for soak/hostile.t.
#
# Environment:
#   HOSTILE_SEEDS	of random plays, in both settings, instead of what is played otherwise
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/hostile
# for a stop; the good guest's part
seconds=10 per_cent=85

declare -A plays=(
	[default]='
		fair preemptive rcs0:close,rcs0:alternate
		fair preemptive rcs0:engine-stop,vcs0:close
		fair per-engine rcs0:close,rcs0:engine-reset
		seed 11'
	[harsh]='
		fair preemptive rcs0:engine-reset,rcs0:device-reset
		seed 4'
)

# plays_of SETTING: its list
plays_of() {
	# shellcheck disable=SC2086	# a list
	[ -z "${HOSTILE_SEEDS-}" ] || { printf 'seed %s\n' $HOSTILE_SEEDS; return; }
	sed '/^$/d' <<<"${plays[$1]}"
}

# begin SETTING OPTION...: all plays with this setting of the emulated GPU
begin() {
	local setting=$1
	shift
	plays_of "$setting" >"$work/selftests/$setting.list"
	printf '#!/bin/sh\nexec /selftests/plays /selftests/%s.list %s %s\n' "$setting" $seconds $per_cent >"$work/$setting.run"
	"$rig" exec "$work/$setting.run" --scenario "$here/hostile.conf" --add "$work/selftests:/selftests" \
		--out "$work/$setting" "$@" >"$work/$setting.log" 2>&1 &
}

# end SETTING PID: what has come of it
end() {
	local prefix="$1: " out=$work/$1 code=0
	wait "$2" || code=$?
	cp "$work/$1.log" "$work/output"
	result $code "${prefix}the machine runs to its end"
	[ -e "$out/output.log" ] || bail "no output"
	show_ktap
}

install_selftests "$here/plays" "$here/guests.sh"
begin default
default=$!
# as in bench/never-worse
begin harsh --gpu ctx-save-ns=10000 --gpu ctx-restore-ns=10000 --gpu switched-reg-ns=700
harsh=$!
end default $default
end harsh $harsh
finish
