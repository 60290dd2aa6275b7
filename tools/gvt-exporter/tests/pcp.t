#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# PCP's openmetrics PMDA reads gvt-exporter: what its tools show is what the exporter answers. Its
# daemon runs as the user of the test, with files of its own.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Debian's Python, whatever else is called so
export PATH=/usr/bin:$PATH
pcp_file() {
	sed -n "s/^$1=//p" /etc/pcp.conf
}
[ -r /etc/pcp.conf ] || skip_all "no pmcd; install pcp"
[ -x "$(pcp_file PCP_BINADM_DIR)/pmcd" ] || skip_all "no pmcd; install pcp"
pmda=$(pcp_file PCP_PMDAS_DIR)/openmetrics/pmdaopenmetrics.python
[ -e "$pmda" ] || skip_all "no $pmda; install pcp (and pcp-pmda-openmetrics where there is one)"
/usr/bin/python3 -c 'import pcp, requests' 2>/dev/null || skip_all "its Python packages are missing; install python3-pcp and python3-requests"

host
full_vgpu 1
full_vgpu 2
host_counters
echo 5123456789 >"$(vgpu_file 1 exec_ns)"
echo 223456789 >"$(vgpu_file 2 exec_ns)"
printf '%s\n' "host 7" "vgpu1 0" "vgpu2 60123456789" "nobody 10" >"$(vgpu_file 1 engine/rcs0/waited_for_ns)"
start "$GVT_EXPORTER"
scrape >"$tmp/open"

pcp=$tmp/pcp
mkdir -p "$pcp"/{config,run,log,tmp}
echo "$url/metrics" >"$pcp/config/gvt.url"
cat >"$pcp/pmcd.conf" <<-END_CONF
	openmetrics	144	pipe	binary notready		/usr/bin/python3 $pmda -c $pcp/config -l $pcp/log/pmda -u $(id -un)
END_CONF
printf 'root {\n\topenmetrics\t144:*:*\n}\n' >"$pcp/names"
sed "s|^\(PCP_RUN_DIR\)=.*|\1=$pcp/run|; s|^\(PCP_LOG_DIR\)=.*|\1=$pcp/log|; s|^\(PCP_TMP_DIR\)=.*|\1=$pcp/tmp|" \
	/etc/pcp.conf >"$pcp/pcp.conf"
export PCP_CONF=$pcp/pcp.conf
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$(pcp_file PCP_BINADM_DIR)/pmcd" -f -A -i 127.0.0.1 -p "$port" -s "$pcp/run/socket" -n "$pcp/names" -c "$pcp/pmcd.conf" \
	-l "$pcp/log/pmcd" -x "$pcp/log/fatal" >"$pcp/output" 2>&1 &
pmcd=$!

# ask PROGRAM ARGUMENT...
ask() {
	local program=$1
	shift
	"$program" -h "unix://$pcp/run/socket" "$@" 2>&1
}
# it tells its names only after it has asked for the first time
tries=1500
until ask pminfo openmetrics.gvt | grep -q gvt_vgpu_busy_seconds_total; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] && kill -0 $pmcd 2>/dev/null && ! grep -q 'Cleanup "openmetrics"' "$pcp/log/pmcd" ||
		bail "pmcd or its PMDA has ended: $(cat "$pcp/output" "$pcp/log"/*)"
	sleep 0.2
done

# a line for each value: metric, labels in order, value
ask pminfo -f openmetrics.gvt | awk -v CONVFMT=%.15g '
	/^openmetrics\.gvt\./ { name = substr($0, length("openmetrics.gvt.") + 1) }
	/^ *inst / { labels = $0; sub(/^[^"]*"[0-9]+ /, " ", labels); sub(/"\].*/, "", labels); print name labels, $NF + 0 "" }
	/^ *value / { print name, $NF + 0 "" }' | sort >"$tmp/shown"
# the exposition, with the labels as PCP writes them
"$here/samples" "$tmp/open" | sed "s/^[^ ]* [^ ]* //; s/{/ /; s/}//; s/='\([^']*\)',*/:\1 /g; s/  */ /g" |
	awk -v CONVFMT=%.15g '{ $NF = $NF + 0 ""; print }' | sort >"$tmp/exposed"
is "a VM's busy time is what the exporter says" "5.123456789 0.223456789" \
	"$(awk '$1 == "gvt_vgpu_busy_seconds_total" { print $NF }' "$tmp/shown" | xargs)"
is "and so is everything else ($(wc -l <"$tmp/exposed") values)" "" "$(diff "$tmp/exposed" "$tmp/shown")"
has "with its unit, as a counter" "Semantics: counter  Units: sec" "$(ask pminfo -d openmetrics.gvt.gvt_vgpu_busy_seconds_total)"
is "pmrep shows it, too" "5.123456789 0.223456789" \
	"$(ask pmrep -r -s 1 -H -P 9 openmetrics.gvt.gvt_vgpu_busy_seconds_total | xargs)"
kill $pmcd
wait $pmcd 2>/dev/null
stop
finish
