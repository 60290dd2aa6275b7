#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two hostile guests at once, on one engine or on two, and up to five at random, beside a good
# one: in the default setting of the emulated GPU and in a harsh one, where it takes 0.1 ms to
# change from one vGPU to another.
#
# Environment:
#   HOSTILE_SEEDS	of the random plays, in each setting (default: 4 11)
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/hostile
# for a stop; the good guest's part
seconds=10 per_cent=85
seeds=${HOSTILE_SEEDS:-4 11}

pairs() {
	cat <<-END
		fair preemptive rcs0:close,rcs0:alternate
		fair preemptive rcs0:engine-reset,rcs0:device-reset
		fair preemptive rcs0:engine-stop,vcs0:close
		fair per-engine rcs0:close,rcs0:engine-reset
	END
	# shellcheck disable=SC2086	# a list
	printf 'seed %s\n' $seeds
}

# neighbours SETTING OPTION...: all plays with this setting of the emulated GPU
neighbours() {
	local prefix="$1: " out=$work/$1
	shift
	check "${prefix}the machine runs to its end" "$rig" exec "$work/run" --scenario "$here/hostile.conf" \
		--add "$work/selftests:/selftests" --out "$out" "$@"
	[ -e "$out/output.log" ] || bail "no output"
	show_ktap
}

install_selftests "$here/plays" "$here/guests.sh"
pairs >"$work/selftests/list"
printf '#!/bin/sh\nexec /selftests/plays /selftests/list %s %s\n' $seconds $per_cent >"$work/run"
neighbours default
# as in bench/never-worse
neighbours harsh --gpu ctx-save-ns=10000 --gpu ctx-restore-ns=10000 --gpu switched-reg-ns=700
finish
