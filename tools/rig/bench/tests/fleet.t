#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of what operators' tools cost, from measurements that are made up: figures, and reasons for none.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../../tests/lib.sh
. "$(dirname "$0")/../../tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$work/fleet"

fleet() {
	"$here/../fleet" --recorded --out "$work/fleet" "$@" >"$work/out" 2>&1
}

# seen ROW TEXT: the table's only row says so
seen() {
	fleet "$1"
	cat "$work/out"
	[ "$(sed -n '3s/.* | \(.*\) |$/\1/p' "$work/out")" = "$2" ] && [ "$(wc -l <"$work/out")" -eq 3 ]
}

check "without measurements" fleet
check "each row has its reason" [ "$(grep -c '| not run: ' "$work/out")" -eq 8 ]
echo "no promtool; install prometheus" >"$work/fleet/rules.err"
check "the measurement's own, if there is one" seen rules "not run: no promtool; install prometheus"
echo "nothing known" >"$work/fleet/scrape"
check "what it does not know is no figure" seen scrape "not run: no figures but: nothing known"

printf '%s\n' "cpu_ns 1234567" "rss_kb 3900" >"$work/fleet/scrape"
check "a scrape" seen scrape "1.23 ms, 3.9 MB"
printf '%s\n' "state 1000000000 0 100 100" "state 2000000000 0 100000100 300000100" "state 4000000000 210 300000100 900000100" >"$work/fleet/shares"
check "shares" seen shares "25.00 % of two vGPUs' time without, 25.00 % with 105 scrapes/s"
printf '%s\n' "TAP version 13" "# vGPU 1: 990 beside 1000" "# vGPU 2: 1005 beside 1000" "ok 1 a" "not ok 2 b" >"$work/fleet/pmu"
check "the PMU" seen pmu "off by 1.00 % at most, of 2 vGPUs; 1 of 2 checks pass"
printf '%s\n' "host a" "host b" "alert a X 1" "Unit Testing:  x" "  SUCCESS" >"$work/fleet/rules"
check "alerts" seen rules "all 1, and none elsewhere, on 2 hosts"
sed -i 's/  SUCCESS/  FAILED:/' "$work/fleet/rules"
check "wrong ones" seen rules "others than the 1, on 2 hosts"
echo "ok 2 - with three conditions and three vGPUs it takes at most 0.1 % of a CPU (0.0523 %)" >"$work/fleet/flight"
check "the flight recorder" seen flight "0.052 %"
cat >"$work/fleet/sql" <<-'END_SQL'
	hosts traces rows MB bytes_per_workload rows_per_second
	1 1 10000 0 44 90000
	  duckdb who-waits 0.1 s, 3 rows
	10 10 110000 1 31 100000
	  duckdb who-waits 0.5 s, 3 rows
	  duckdb why 0.25 s, 3 rows
	  clickhouse who-waits 1.5 s, 3 rows
	  clickhouse why 2 s, 3 rows
END_SQL
check "rows, of the largest fleet" seen sql "31 bytes for a workload with its waits, 100000 rows/s written, of 110000"
check "its questions" seen asked "DuckDB 0.8 s, who-waits 0.5 s; ClickHouse 3.5 s, why 2.0 s; over 110000 rows"
printf '%s\n' "seconds 12.3" "placed 5000" "used 103" "bound 100" >"$work/fleet/place"
check "placement" seen place "12 s of CPU; 5000 VMs on 103 hosts, of which 100 are needed at least: +3.0 %"
check "an unknown option" says "unknown option '--fast'" "$here/../fleet" --fast
finish
