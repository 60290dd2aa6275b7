#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nobody gains by resets: a guest that resets its GPU all the time has what it would have
# anyway, and a guest beside it its share.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
here=$top/tools/rig/tests/resets
out=$work/out

# policy, dispatch, cap of the guest that resets, load; what the other one has at least, and
# that one at most, in per cent of the GPU
plays='
strict exclusive 0 short.conf 45 52
work-conserving exclusive 0 short.conf 45 52
fair exclusive 0 short.conf 45 52
fair exclusive 30 short.conf 45 33
fair exclusive 0 long.conf 45 52
fair preemptive 0 short.conf 45 52
fair preemptive 30 short.conf 45 33
fair preemptive 0 long.conf 45 52'

# per_cent FILE VGPU: of the window, that it executed workloads which it got done
per_cent() {
	awk -v vgpu="vgpu=$2" '
		$1 == "RESULT" && $2 == vgpu {
			for (i = 3; i <= NF; i++) {
				split($i, word, "=")
				value[word[1]] = word[2]
			}
			printf "%.0f\n", value["done"] * value["exec_ns"] / value["window_ns"] * 100
		}' "$1"
}

# is_fair LINE LEAST MOST
is_fair() {
	local good resets
	good=$(per_cent "$out/$1" good) resets=$(per_cent "$out/$1" resets)
	echo "good: $good % of at least $2, resets: $resets % of at most $3"
	[ "$good" -ge "$2" ] && [ "$resets" -le "$3" ]
}

mkdir "$work/resets"
cp "$here"/*.conf "$work/resets/"
awk 'NF { print $1, $2, $3, $4 }' <<<"$plays" >"$work/resets/list"
check "the machine runs to its end" "$rig" exec "$here/play" --scenario "$here/short.conf" \
	--add "$work/resets:/resets" --out "$out"
while read -r policy dispatch cap file least most; do
	check "$policy, $dispatch, cap $cap, $file" is_fair "$policy $dispatch $cap $file" "$least" "$most"
	sed 's/^/# /' "$tmp/output"
done < <(sed '/^$/d' <<<"$plays")
finish
