#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every JSON document against schema/gvt-stat-1.schema.json.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh source=host.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"
. "$(dirname "$0")/host.sh"

here=$(dirname "$0")
schema=$here/../schema/gvt-stat-1.schema.json
if ! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	skip "JSON against its schema" "python3-jsonschema is not installed"
	finish
fi

# valid NAME COMMAND...: what it prints is as the schema says
valid()
{
	name=$1
	shift
	"$GVT_STAT" "$@" --json >"$tmp/json" 2>"$tmp/err"
	is "$name" "" "$(/usr/bin/python3 "$here/validate" "$schema" "$tmp/json" 2>&1)"
}

every_kind_of_state
# nothing but workloads; times that cannot be; texts that are none
printf '0ms 0 queue v=1 w=1\n1ms 0 start v=1 w=1\n2ms 0 stop v=1 w=1 done=1\n' | mktrace little
printf '0ms 0 gvt_vgpu_info v=1 weight=-1 type=\377 uuid=a-1\n5ms 0 queue v=1 w=-1\n6ms 0 cancel v=1 w=-1\n' |
	mktrace odd
for file in all little odd; do
	case $file in
	all) rate=--tsc-khz=1000000 ;;
	*) rate=--in-process ;;
	esac
	for command in report "report --interval 10ms" "report --histogram" "list workloads" "list --pieces" "list turns --idle" "why idle" "why waits" why "why 1" \
		check "why vcpus" "why path --workload 2 --segments" "why path --thread 101"; do
		case $file$command in
		little*path* | odd*path*) continue ;;
		esac
		# shellcheck disable=SC2086 # several words
		valid "$file: $command" $command $rate -i "$tmp/$file.dat"
	done
	valid "$file: compare" compare --block 0.001 $rate "$tmp/$file.dat" "$tmp/$file.dat"
done
/usr/bin/python3 "$here/energy-trace" "$tmp/energy.truth" seconds=1 >"$tmp/energy.txt"
mktrace energy <"$tmp/energy.txt"
awk '!/gvt_energy/ || seen++ < 3' "$tmp/energy.txt" | mktrace energy-few
valid "energy" energy -i "$tmp/energy.dat"
valid "energy, workloads" energy --workloads -i "$tmp/energy.dat"
valid "energy, over time" energy --interval 100ms -i "$tmp/energy.dat"
valid "energy, with too few samples" energy -i "$tmp/energy-few.dat"
valid "only some columns" report --columns vm,engine,exec_ns --tsc-khz=1000000 -i "$tmp/all.dat"

host
vgpu 1
vgpu 2
# shellcheck disable=SC2154 # host.sh sets root
valid "policy" policy --sysroot "$root"
valid "policy, with changes" policy --sysroot "$root" fair period_ms=50
valid "status" status --sysroot "$root" --interval 0.01
valid "top" top --sysroot "$root" -n 2 --interval 0.01

# the test can fail
"$GVT_STAT" report --json -i "$tmp/little.dat" | sed 's/"exec_ns": [0-9]*/"exec_ns": "long"/' >"$tmp/json"
matches "a text for a number is found" "*'long' is not of type*" \
	"$(/usr/bin/python3 "$here/validate" "$schema" "$tmp/json" 2>&1)"
"$GVT_STAT" report --json -i "$tmp/little.dat" | sed 's/"exec_ns"/"executed"/' >"$tmp/json"
matches "a member that the schema does not have is found" "*'executed'*" \
	"$(/usr/bin/python3 "$here/validate" "$schema" "$tmp/json" 2>&1)"

finish
