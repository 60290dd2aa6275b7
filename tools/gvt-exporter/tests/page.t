#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page for operators: its configuration is valid, its joins join, and it has each alert
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"
page=$top/Documentation/gvt-exporter.md
rules=$top/tools/gvt-exporter/rules/gvt.yml

# code FIRST-LINE: the block of the page that begins so
code() {
	awk -v first="    $1" 'index($0, first) == 1 { on = 1 } !/^    / { on = 0 } on { print substr($0, 5) }' "$page"
}
for alert in $(sed -n 's/.*- alert: //p' "$rules"); do
	check "$alert is on the page" grep -q "\`$alert\`" "$page"
done
command -v promtool >/dev/null || {
	skip "promtool reads its configuration and expressions" "no promtool; install prometheus"
	finish
}
code rule_files | sed "s|/usr/share/gvt-exporter/gvt.yml|$rules|" >"$tmp/prometheus.yml"
check "the configuration is valid" promtool check config "$tmp/prometheus.yml"
{
	cat <<-'END_TEST'
		evaluation_interval: 30s
		tests:
		- interval: 30s
		  input_series:
		  - { series: 'gvt_vgpu_info{instance="a",vgpu="1",uuid="00000001-0000-0000-0000-000000000107",vm="web",type="t"}', values: '1x20' }
		  - { series: 'gvt_vgpu_info{instance="a",vgpu="2",uuid="00000000-0000-0000-0000-000000000170",vm="other",type="t"}', values: '1x20' }
		  - { series: 'gvt_vgpu_busy_seconds_total{instance="a",vgpu="1",uuid="00000001-0000-0000-0000-000000000107"}', values: '0+3x20' }
		  - { series: 'libvirt_domain_info_cpu_time_seconds_total{instance="b",domain="web",uuid="d"}', values: '0+6x20' }
		  - { series: 'pve_guest_info{instance="c",id="qemu/107",name="web",node="n",type="qemu"}', values: '1x20' }
		  promql_expr_test:
	END_TEST
	{ code 'rate('; code 'label_replace(gvt_vgpu_info'; } | while read -r expression; do
		printf "  - { expr: 'count(%s)', eval_time: 9m, exp_samples: [{ labels: '{}', value: 1 }] }\n" "$expression"
	done
} >"$tmp/joins.yml"
is "there are four joins" 4 "$(grep -c 'expr:' "$tmp/joins.yml")"
check "each finds the VM that has both" promtool test rules "$tmp/joins.yml"
finish
