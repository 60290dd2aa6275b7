#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rules for Prometheus: on hosts of the rig, alerts fire where they must and nowhere else; every metric
# that they and the dashboard for Grafana ask for is one that gvt-exporter has
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

expressions_of_dashboard >"$tmp/expressions"
check "the dashboard has expressions" test -s "$tmp/expressions"
for file in "$rules/gvt.yml" "$rules/gvt-test.yml" "$tmp/expressions"; do
	is "metrics of $(basename "$file") are there" "" "$(grep -oE '\bgvt_[a-z_]+' "$file" | sort -u | comm -23 - "$tmp/metrics")"
done

recorded=$here/recorded
is "each cause is recorded" "$(sed -n 's/^\([^#[:space:]]*\)[[:space:]].*/\1/p' "$recorded/causes" | sort)" \
	"$(cd "$recorded" && ls -- *.prom.xz | sed 's/\.prom\.xz$//' | sort)"
is "'gvt-stat check' found in each what has to fire" "" "$("$recorded/series" misjudged 2>&1)"
if command -v promtool >/dev/null; then
	check "promtool finds no fault in the rules" promtool check rules "$rules/gvt.yml"
	check "alerts say what is the matter" promtool test rules "$rules/gvt-test.yml"
	check "a test of each recorded host" sh -c "'$recorded/series' test >'$tmp/recorded.yml'"
	check "on recorded hosts, alerts fire where they must, and only there" promtool test rules "$tmp/recorded.yml"
	# and each would be missed
	cp "$rules"/gvt*.yml "$tmp"
	for alert in $(sed -n 's/.*- alert: //p' "$rules/gvt.yml"); do
		sed "/- alert: $alert\$/,/expr:/s/expr: .*/expr: vector(0) > 1/; /- alert: $alert\$/,/labels:/{ /^          /d }" \
			"$rules/gvt.yml" >"$tmp/gvt.yml"
		promtool check rules "$tmp/gvt.yml" >"$tmp/output" 2>&1 && ! promtool test rules "$tmp/gvt-test.yml" >"$tmp/output" 2>&1 &&
			grep -q "alertname: *$alert" "$tmp/output"
		result $? "the test sees whether $alert fires"
	done
else
	skip "alerts fire where they must, and only there" "no promtool; install prometheus"
fi
finish
