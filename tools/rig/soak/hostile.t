#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hostile guests: the scenarios of tests/hostile.t, in each way of dispatching, each pair of
# kinds, on one CPU on one engine and on two CPUs on two, and up to five guests at random. This
# kernel is too slow to ask how well the good one is served.
#
#   hostile.t [CPUS]
#
# Environment:
#   HOSTILE_SEEDS	of the random plays (default: four of the time)
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
hostile=$top/tools/rig/tests/hostile
# shellcheck source-path=SCRIPTDIR/../tests/hostile source=guests.sh
. "$hostile/guests.sh"
cpus=${1:-1}
# two of these run at once
out=$out-$cpus
second_engine=$([ "$cpus" -eq 1 ] && echo rcs0 || echo vcs0)
# what a stop may take; this kernel gets a second more
seconds=11

scenarios() {
	local conf
	for conf in "$top"/tools/rig/scenario/scenarios/hostile/*.conf; do
		conf=${conf##*/}
		echo "fair preemptive $conf"
		# the others leave a batch alone for longer than anybody waits here
		case $conf in
		endless.conf | alternate.conf) continue ;;
		esac
		echo "strict exclusive $conf"
		echo "fair per-engine $conf"
	done
}

# Each kind with itself and each later one
pairs() {
	local kinds="$KINDS hang" first second
	for first in $kinds; do
		for second in $kinds; do
			echo "fair preemptive rcs0:$first,$second_engine:$second"
		done
		kinds=${kinds#* }
	done
}

seeds() {
	local first
	first=$(($(date +%s) % 1000000))
	# shellcheck disable=SC2086	# a list
	printf 'seed %s\n' ${HOSTILE_SEEDS:-$(seq $first $((first + 3)))}
}

debug_kernel
install_selftests "$hostile/plays" "$hostile/guests.sh" "$top"/tools/rig/scenario/scenarios/hostile/*.conf
{ scenarios && pairs && seeds; } >"$work/selftests/list"
sed "s/^aperture-mb/cpus = $cpus\n&/" "$here/soak.conf" >"$work/hostile.conf"
check "the machine runs to the end" run_machine "$work/hostile.conf" 2400 "/selftests/plays /selftests/list $seconds"
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
finish
