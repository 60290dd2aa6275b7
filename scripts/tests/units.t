#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The units of systemd: valid, and services have no more rights than they need
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need systemd-analyze systemd

# of 10; systemd calls up to 2 safe
most=2.0
tools=$top/tools

# unit DIRECTORY NAME PROGRAM: a service with its socket
unit() {
	sed "s|@bindir@|$tmp|" "$tools/$1/$2.service.in" >"$tmp/$2.service"
	cp "$tools/$1/$2.socket" "$tmp"
	printf '#!/bin/sh\n' >"$tmp/$3"
	chmod +x "$tmp/$3"
	systemd-analyze verify --man=no "$tmp/$2".s* 2>&1 | grep "$2" >"$tmp/faults"
	is "$2: systemd-analyze finds no fault" "" "$(cat "$tmp/faults")"
	if systemd-analyze security --offline=yes "$tmp/$2.service" >"$tmp/security" 2>&1; then
		exposure=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' "$tmp/security")
		check "$2: exposure $exposure, of $most at most" awk -v e="$exposure" -v most=$most 'BEGIN { exit !(e != "" && e <= most) }'
	else
		skip "$2: exposure" "$(tail -n 1 "$tmp/security")"
	fi
}

# listens NAME: where
listens() {
	sed -n 's/^ListenStream=//p' "$tmp/$1.socket"
}

unit gvt-exporter gvt-exporter gvt-exporter
is "the port is the one that gvt-exporter listens on by itself" \
	"$(sed -n 's/^#define LISTEN_DEFAULT.*"\(.*\)"/\1/p' "$tools/gvt-exporter/src/main.c")" "$(listens gvt-exporter)"
unit gvt-stat gvt-flight gvt-stat
has "Alertmanager posts to the port that is in the man page" "http://$(listens gvt-flight)/keep" "$(cat "$tools/gvt-stat/gvt-stat-record.1")"
# wrong options end it with 129, and here it finds no tracefs
options=$(sed -n 's/^Environment="OPTIONS=\(.*\)"/\1/p' "$tmp/gvt-flight.service" | sed 's/%%/%/g')
gvt_stat=${GVT_STAT:-${O:-$top/build}/gvt-stat/gvt-stat}
if [ -x "$gvt_stat" ]; then
	mkdir -p "$tmp/host/sys"
	# shellcheck disable=SC2086 # words, as systemd makes them
	"$gvt_stat" record $options --sysroot "$tmp/host" -o "$tmp/trace.dat" >"$tmp/output" 2>&1
	is "gvt-stat takes the options of the service" 1 $?
else
	skip "gvt-stat takes the options of the service" "gvt-stat is not built"
fi
finish
