#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Everything that can be done to GVT-g, at the same time and for long, on a kernel
# with detectors of errors: nothing is reported, and the device has executed each
# workload that the kernel and the clients know of, once.
#
#   soak.t [SECONDS [CPUS]]     of virtual time, default: 1800 on one CPU
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../tests source=lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
seconds=${1:-1800}
cpus=${2:-1}
# a round that began before, booting and the search for what has leaked
end_s=450
# two of these run at once
out=$out-$cpus

# The life of each workload in the trace of a round, in the form of tracefs.
lives_are_right() {
	trace-cmd report -N -i "$1/trace.dat" 2>/dev/null |
		sed -E 's/ \[[0-9]+\]/& /; s/: +(gvt_[a-z_]+): +/: \1: /' |
		awk -v vgpus="1 2 3 4 5 6 7" -f "$top/selftests/workloads.awk"
}

# With its detectors the kernel takes up to some 10 ms to look at what the engines have reported.
device_agrees() {
	ln -sf ../truth.log "$1/truth.log"
	"$rig" verify "$1" --limit-us 20000
}

count() {
	cat "$out"/round-*/load.* | grep -o " $1=[0-9]*" | awk -F = '{ n += $2 } END { print n + 0 }'
}

summary() {
	local removed changes
	removed=$(sed -n 's/^# \([0-9]*\) vGPUs removed.*/\1/p' "$out/output.log" | awk '{ n += $1 } END { print n + 0 }')
	changes=$(sed -n 's/^# \([0-9]*\) settings changed.*/\1/p' "$out/output.log" | awk '{ n += $1 } END { print n + 0 }')
	echo "# $(sed -n 's/^# \([0-9]*\) s since.*/\1/p' "$out/output.log") s of virtual time, $(sed -n 's/^host_wall_s=//p' "$out/meta") s outside"
	echo "# $(find "$out" -name 'round-*' | wc -l) times kvmgt loaded, $removed vGPUs removed under load, $changes settings changed"
	echo "# workloads of the clients: $(count "done") checked, $(count "lost") lost to resets and hangs"
}

debug_kernel
make -s -C "$top/tools/rig/load" all "O=${O:-$top/build}" >&2 || bail "cannot build the host's client"
install_selftests "$here/soak" "${O:-$top/build}/rig-load/rig-i915-load"
sed "s/^aperture-mb/cpus = $cpus\n&/" "$here/soak.conf" >"$work/soak.conf"
check "the machine runs to the end" run_machine "$work/soak.conf" $((seconds + end_s)) "/selftests/soak $seconds"
[ -e "$out/output.log" ] || bail "no output; see $out/console.log"
show_ktap
for round in "$out"/round-*; do
	check "${round##*/}: each workload's events are in order and it ends once" lives_are_right "$round"
	tail -n 1 "$work/output" | sed 's/^/# /'
	check "${round##*/}: the device has executed the same, once" device_agrees "$round"
	grep '^#' "$work/output" | head -n 3
done
summary
finish
