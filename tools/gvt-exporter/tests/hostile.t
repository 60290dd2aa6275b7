#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-exporter with clients that mean harm, and on hosts whose files hold anything, with sanitizers
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "$GVT_EXPORTER_SANITIZED" ] || bail "$GVT_EXPORTER_SANITIZED is missing: make -C tools/gvt-exporter check"
# what lives until the program ends is no leak
export ASAN_OPTIONS=detect_leaks=0

host
full_vgpu 1
full_vgpu 2
host_counters
start "$GVT_EXPORTER_SANITIZED"
check "clients that mean harm" "$here/clients" "${url#http://127.0.0.1:}" "$pid"
scrape >"$tmp/open"
check "and it answers as before" "$here/samples" "$tmp/open"
stop
is "no report of a sanitizer" "" "$(cat "$tmp/stderr")"

# the same without sanitizers, whose memory is what it needs
start "$GVT_EXPORTER"
scrape >"$tmp/open"
anon() {
	awk '/^RssAnon/ { print $2 }' "/proc/$pid/status"
}
before=$(anon)
check "the same without sanitizers" "$here/clients" "${url#http://127.0.0.1:}" "$pid"
for _ in $(seq 50); do scrape >"$tmp/open"; done
check "it takes at most 2 MB more ($before kB, then $(anon) kB)" [ $(($(anon) - before)) -le 2048 ]
stop

check "hosts with damaged files" "$here/damaged" "$root" "$GVT_EXPORTER_SANITIZED" "$here/samples"

finish
