#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From nothing to the VM that is to blame: the packages and Prometheus in a clean Debian, a host of the
# rig with three VMs, an alert, the trace that the alert keeps, and what gvt-stat says of it. Needs root,
# and what the rig needs.
#
#   SUITE=trixie PACKAGES=DIR packaging/tests/fleet.t     DIR: with gvt-exporter_*.deb and gvt-stat_*.deb
#
# The rig's host has neither a network nor the time of this machine, and is the same in each run. So it
# runs twice with the programs of the packages: Prometheus and Alertmanager get what gvt-exporter
# answered in the first run, with its times, and what they post goes to the flight recorder of the second
# one, byte for byte, when they posted it.
set -u
# shellcheck source=scripts/tests/lib.sh
. "$(dirname "$0")/../../scripts/tests/lib.sh"
# shellcheck source=packaging/root.sh
. "$top/packaging/root.sh"
! why=$(no_root) || skip_all "$why"
in_namespace "$0" "$@"
need ip iproute2

packages=${PACKAGES:-$(packages_of "$suite")}
compgen -G "$packages/gvt-exporter_*.deb" >/dev/null || bail "no packages in $packages; run 'make packages SUITE=$suite'"
version=$("$top/scripts/version")
fleet=$top/packaging/tests/fleet
# what Alertmanager posts here at most
most_bytes=65536
seconds=32
# other load on the machine must not end a run
export RIG_TIMEOUT=2400

# Both programs with their libraries, for a machine that has neither
take_programs() {
	# shellcheck disable=SC2016 # for the shell in there
	in_root sh -c 'mkdir /fleet && cd /usr/bin && cp gvt-stat gvt-exporter /fleet &&
		ldd gvt-stat gvt-exporter | sed -n "s/.*=> \([^ ]*\).*/\1/p" | sort -u | xargs cp -L -t /fleet &&
		cp -L /lib64/ld-linux-x86-64.so.2 /fleet/ld.so'
}

# run_host NAME SECOND REQUEST: leaves what it has seen in $tmp/NAME; in that second the recorder gets the
# file. Until then the host reads the same in each run, so that it is the same to the instruction.
run_host() {
	mkdir -p "$tmp/post"
	seq 1 $seconds | sed "s/.*/&=/; s/^$2=/post/; s/.*=/wait/" >"$tmp/post/plan"
	printf '%-5s\n' "$(wc -c <"$3")" >"$tmp/post/bytes"
	cat "$3" /dev/zero | head -c "$most_bytes" >"$tmp/post/request"
	"$top/tools/rig/rig" exec "$fleet/host" --scenario "$fleet/fleet.conf" --add "$root/fleet:/fleet" \
		--add "$tmp/post:/post" --out "$tmp/$1"
}

# Minutes are too long for the rig: the windows and delays of the rules are seconds
configure() {
	cp "$fleet"/*.yml "$root/etc/prometheus/"
	sed -E 's/\[5m\]/[10s]/g; s/for: 5m/for: 5s/' "$root/usr/share/gvt-exporter/gvt.yml" >"$root/etc/prometheus/gvt.yml"
}

operate() {
	unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$fleet/operator" "$root" "$tmp/first" >"$tmp/verdict" 2>"$tmp/servers" ||
		{ tail -n 20 "$tmp/servers"; return 1; }
}

verdict() {
	jq -r "$1" "$tmp/verdict"
}

# same_until NS: what was scraped until then in both runs
same_until() {
	local file
	for file in "$tmp"/first/*.prom; do
		[ "$(basename "$file" .prom)" -gt "$1" ] || cmp "$file" "$tmp/second/${file##*/}" || return 1
	done
}

# shows COMMAND...: in the root, with the transcript
shows() {
	echo "# # $*"
	in_root "$@" >"$tmp/screen" 2>&1
	sed 's/^/# /' "$tmp/screen"
}

check "a clean $suite" make_root "$tmp/root"
mkdir "$root/packages" && cp "$packages"/gvt-{exporter,stat}_*.deb "$root/packages"
check "apt install ./gvt-exporter_*.deb ./gvt-stat_*.deb prometheus prometheus-alertmanager" \
	apt install /packages/gvt-exporter_"$version"_amd64.deb /packages/gvt-stat_"$version"_amd64.deb prometheus prometheus-alertmanager
[ -x "$root/usr/bin/prometheus" ] || bail "nothing to go on with"
check "the programs of the packages go to the rig's host" take_programs
: >"$tmp/none"
check "three VMs on it, scraped every second" run_host first never "$tmp/none"
check "configure Prometheus" configure
check "an alert fires and is posted" operate
[ -s "$tmp/first/request" ] || bail "there is no alert"
verdict '.alerts[] | "# \(.alertname): \(.summary)"'
has "it is about a VM that starves" ",desktop," ",$(verdict '[.alerts[].vm] | join(",")'),"
is "and not about the one that is to blame" "" "$(verdict '.alerts[] | select(.vm == "batch")')"

RIG_RUNS='' check "the same host again, with what was posted" run_host second "$(verdict .post_second)" "$tmp/first/request"
check "it is the same until then" same_until "$(verdict .to_ns)"
sed 's/^/# /' "$tmp/second/recorder.log"
set -- "$tmp"/second/trace-*-POST.dat
check "the recorder has kept a trace" [ -e "$1" ]
[ -e "$1" ] || finish
cp "$1" "$root/kept.dat"

window=$(verdict '"\(.from_ns / 1e9),\(.to_ns / 1e9)"')
in_root gvt-stat report --json --time="$window" -i /kept.dat >"$tmp/report"
check "the dashboard shows what gvt-stat reports of the same seconds, to 0.1 points" "$fleet/compare" "$tmp/verdict" "$tmp/report"
sed 's/^/# /' "$tmp/output"
shows gvt-stat why --vgpu desktop --no-pager -i /kept.dat
is "and why names the culprit" "the turn of vGPU 3 (batch)" \
	"$(sed -n '/BECAUSE OF$/{ n; s/.* \(the turn of .*\)/\1/p; }' "$tmp/screen")"
finish
