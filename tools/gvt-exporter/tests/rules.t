#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rules for Prometheus and the dashboard for Grafana: promtool parses and tests them, and every
# metric that they ask for is one that gvt-exporter has
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need jq jq

rules=$here/../rules
host
full_vgpu 1
host_counters
echo 40 >"$(vgpu_file 1 cap)"
"$GVT_EXPORTER" --sysroot "$root" --textfile "$tmp/gvt.prom"
sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$tmp/gvt.prom" | sort >"$tmp/metrics"

# Grafana's own variables stand for what it puts in; one expression a line
jq -r '.panels[].targets[].expr' "$rules/gvt-grafana.json" |
	sed 's/\$__rate_interval/5m/g; s/\$__range/1h/g; s/\$instance/.*/g' >"$tmp/expressions"
check "the dashboard has expressions" test -s "$tmp/expressions"
for file in "$rules/gvt.yml" "$rules/gvt-test.yml" "$tmp/expressions"; do
	is "metrics of $(basename "$file") are there" "" "$(grep -oE '\bgvt_[a-z_]+' "$file" | sort -u | comm -23 - "$tmp/metrics")"
done

if command -v promtool >/dev/null; then
	check "promtool finds no fault in the rules" promtool check rules "$rules/gvt.yml"
	check "they fire where they must, and only there" promtool test rules "$rules/gvt-test.yml"
	# and each would be missed
	cp "$rules"/gvt*.yml "$tmp"
	for alert in $(sed -n 's/.*- alert: //p' "$rules/gvt.yml"); do
		sed "/- alert: $alert\$/,/expr:/s/expr: .*/expr: vector(0) > 1/; /- alert: $alert\$/,/labels:/{ /^          /d }" \
			"$rules/gvt.yml" >"$tmp/gvt.yml"
		promtool check rules "$tmp/gvt.yml" >"$tmp/output" 2>&1 && ! promtool test rules "$tmp/gvt-test.yml" >"$tmp/output" 2>&1 &&
			grep -q "alertname: *$alert" "$tmp/output"
		result $? "the test sees whether $alert fires"
	done
	{
		printf 'groups:\n- name: dashboard\n  rules:\n'
		awk '{ gsub(/\047/, "\047\047"); printf "  - { record: a%d, expr: \047%s\047 }\n", NR, $0 }' "$tmp/expressions"
	} >"$tmp/dashboard.yml"
	check "promtool parses the dashboard's expressions" promtool check rules "$tmp/dashboard.yml"
else
	skip "promtool finds no fault in the rules and the dashboard" "no promtool; install prometheus"
fi
finish
