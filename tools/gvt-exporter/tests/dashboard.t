#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each expression of the dashboard has an answer of a real Prometheus that holds what hosts of the rig
# said, and its figures are those of the recordings
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need jq jq
for program in prometheus promtool; do
	command -v $program >/dev/null || skip_all "no $program; install prometheus"
done

# what the rates of 5 minutes of a repeated recording may differ from that of all of it
most_points=0.03

"$here/recorded/series" openmetrics >"$tmp/series"
at=$(awk '$NF + 0 > last { last = $NF } END { print last }' "$tmp/series")
# the rig's GPU has no frequency
host
host_counters
"$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/gvt.prom"
{
	sed -n "s/^\(gvt_gpu_frequency[^{]*{\)\(.*\)/\1instance=\"files\",\2 $at/p" "$tmp/gvt.prom"
	cat "$tmp/series"
} >"$tmp/recorded.om"
check "promtool makes blocks of what was recorded" promtool tsdb create-blocks-from openmetrics "$tmp/recorded.om" "$tmp/tsdb"
echo 'global: { scrape_interval: 1h }' >"$tmp/prometheus.yml"

# free_port: by the kernel's choice; another may take it before Prometheus does
free_port() {
	/usr/bin/python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
for _ in 1 2 3 4 5; do
	address=127.0.0.1:$(free_port)
	prometheus --config.file="$tmp/prometheus.yml" --storage.tsdb.path="$tmp/tsdb" --storage.tsdb.retention.time=100y \
		--web.listen-address=$address >"$tmp/prometheus.log" 2>&1 &
	prometheus=$!
	until curl -sf -o "$tmp/ready" "http://$address/-/ready" || ! kill -0 $prometheus 2>/dev/null; do sleep 0.2; done
	! kill -0 $prometheus 2>/dev/null || break
done
kill -0 $prometheus 2>/dev/null || bail "prometheus has ended: $(tail -n 1 "$tmp/prometheus.log")"

# ask EXPRESSION: a line for each sample, of its labels and value
ask() {
	curl -sS --get "http://$address/api/v1/query" --data-urlencode "query=$1" --data "time=$at" |
		jq -r 'if .status != "success" then error(.error) else .data.result[] | "\(.metric | tojson) \(.value[1])" end'
}

expressions_of_dashboard >"$tmp/expressions"
while read -r expression; do
	ask "$expression" >"$tmp/answer" 2>"$tmp/output"
	check "$(wc -l <"$tmp/answer") answers, all of them numbers: $expression" \
		awk '$NF !~ /^[0-9.e+-]+$/ { print; bad = 1 } END { exit bad || !NR }' "$tmp/answer"
done <"$tmp/expressions"

ask 'rate(gvt_vgpu_busy_seconds_total[5m])' | jq -r -R 'capture("(?<labels>.*) (?<value>.*)") |
	(.labels | fromjson) as $of | "\($of.instance) \($of.vgpu) \(.value)"' | sort >"$tmp/rates"
"$here/recorded/series" rates gvt_vgpu_busy_seconds_total | sort >"$tmp/recorded"
is "GPU time is that of each vGPU of the recordings" "" "$(paste -d ' ' "$tmp/rates" "$tmp/recorded" |
	awk -v most=$most_points '$1 != $4 || $2 != $5 || $3 - $6 > most || $6 - $3 > most')"
kill $prometheus
wait $prometheus 2>/dev/null
finish
