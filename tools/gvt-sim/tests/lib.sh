# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests of gvt-sim share

set -u
export LC_ALL=C

# What the tests run; where the Makefile sets nothing, as 'make -C tools/gvt-sim check' builds it
project=$(cd "$(dirname "$0")/../../.." && pwd)
: "${GVT_SIM:=$project/build/gvt-sim/gvt-sim}" "${GVT_SIM_SANITIZED:=$project/build/gvt-sim/sanitize/gvt-sim}" \
	"${GVT_STAT:=$project/build/gvt-stat/gvt-stat}" "${MKTRACE:=$project/build/gvt-stat/mktrace}" \
	"${FORMATS:=-F $project/tools/traceevent/formats -F $project/tools/gvt-stat/tests/formats}"
export GVT_SIM GVT_SIM_SANITIZED GVT_STAT MKTRACE FORMATS

# shellcheck source-path=SCRIPTDIR/../../../scripts source=tap.sh
. "$(dirname "$0")/../../../scripts/tap.sh"

for program in "$GVT_SIM" "$GVT_SIM_SANITIZED" "$GVT_STAT" "$MKTRACE"; do
	[ -x "$program" ] || bail "$program is missing: make -C tools/gvt-sim check"
done

# All that costs time takes none
at_once()
{
	for latency in service wake submit same start added finish shared_finish next barrier hand_over resume guest; do
		echo "latency $latency 0"
	done
}

# simulate NAME <model: leaves the events in $tmp/NAME.events
simulate()
{
	"$GVT_SIM" - >"$tmp/$1.events" 2>"$tmp/output" || bail "cannot simulate $1"
}

# shares NAME: percent of the time that each vGPU executed, rounded, in order
shares()
{
	awk '
	function field(name,    i) {
		for (i = 4; i <= NF; i++)
			if (index($i, name "=") == 1)
				return substr($i, length(name) + 2)
	}
	{ last = $1 }
	$3 == "gvt_workload_start" { since[field("vgpu_id")] = $1; busy[field("vgpu_id")] = 1 }
	$3 == "gvt_workload_stop" { v = field("vgpu_id"); exec[v] += $1 - since[v]; since[v] = 0; busy[v] = 0 }
	END {
		for (v = 1; v < 8; v++) {
			if (busy[v])
				exec[v] += 20e9 - since[v]
			if (v in exec)
				printf("%s%.0f", (v > 1 ? " " : ""), exec[v] / 20e7)
		}
		print ""
	}' "$tmp/$1.events"
}

# moments NAME EVENT VGPU: the first ones of these, in us
moments()
{
	awk -v event="gvt_workload_$2" -v vgpu="vgpu_id=$3" '
	$3 == event && index($0, " " vgpu " ") && n++ < 8 { printf("%s%d", (n > 1 ? " " : ""), $1 / 1000) }
	END { print "" }' "$tmp/$1.events"
}
