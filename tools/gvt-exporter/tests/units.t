#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The units of systemd: valid, and the service has no more rights than it needs
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"
need systemd-analyze systemd

# of 10; systemd calls up to 2 safe
most=2.0
sed "s|@bindir@|$tmp|" "$top/tools/gvt-exporter/gvt-exporter.service.in" >"$tmp/gvt-exporter.service"
cp "$top/tools/gvt-exporter/gvt-exporter.socket" "$tmp"
printf '#!/bin/sh\n' >"$tmp/gvt-exporter"
chmod +x "$tmp/gvt-exporter"
systemd-analyze verify --man=no "$tmp"/gvt-exporter.s* 2>&1 | grep gvt-exporter >"$tmp/faults"
is "systemd-analyze finds no fault" "" "$(cat "$tmp/faults")"
if systemd-analyze security --offline=yes "$tmp/gvt-exporter.service" >"$tmp/security" 2>&1; then
	exposure=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' "$tmp/security")
	check "exposure $exposure, of $most at most" awk -v e="$exposure" -v most=$most 'BEGIN { exit !(e != "" && e <= most) }'
else
	skip "exposure" "$(tail -n 1 "$tmp/security")"
fi
is "the port is the one that gvt-exporter listens on by itself" \
	"$(sed -n 's/^#define LISTEN_DEFAULT.*"\(.*\)"/\1/p' "$top/tools/gvt-exporter/src/main.c")" \
	"$(sed -n 's/^ListenStream=//p' "$tmp/gvt-exporter.socket")"
finish
