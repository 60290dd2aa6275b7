#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rows of many hosts: DuckDB and ClickHouse read them, and the SQL questions have the answers of report,
# list, why waits and check on both; bad names, places and times.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
export GVT_STAT PYTHONDONTWRITEBYTECODE=1
GVT_STAT=$(realpath "$GVT_STAT")
noon=2026-11-30T12:00:00Z noon_ns=1796040000000000000

# parquet NAME HOST [OPTION...]: adds $tmp/NAME.dat to $tmp/fleet
parquet()
{
	local name=$1 host=$2
	shift 2
	"$GVT_STAT" export -f parquet -i "$tmp/$name.dat" -o "$tmp/fleet" --host "$host" --begin $noon "$@"
}

# parts: the files in the fleet
parts()
{
	(cd "$tmp/fleet" && find . -type f | sort | xargs)
}

# refused NAME MESSAGE STATUS OPTION...
refused()
{
	local name=$1 message=$2 wanted=$3 said status=0
	shift 3
	said=$("$GVT_STAT" export -f parquet "$@" 2>&1) || status=$?
	matches "$name" "$message" "$(echo "$said" | head -n 1)"
	is "$name: status" "$wanted" "$status"
}

mktrace one <<'END'
0ms 0 print buf=gvt-stat-meta~kernel~Linux~rack/7~6.12
0ms 0 print buf=gvt-stat-meta~boot~c0ffee
1ms 0 print buf=gvt-stat-meta~unix_ns~1796040000001000000
1ms 0 gvt_vgpu_info v=1 weight=2 owner_pid=100 uuid=aa-1
1ms 0 queue v=1 w=1
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
END
"$GVT_STAT" export -f parquet -i "$tmp/one.dat" -o "$tmp/fleet"
is "host and time as the trace tells them" "./day=2026-11-30/host=rack%2F7/part-$noon_ns.parquet" "$(parts)"
part="$tmp/fleet/$(parts)"
is "the magic number at both ends" "PAR1 PAR1" "$(head -c 4 "$part") $(tail -c 4 "$part")"
cp "$part" "$tmp/first"
"$GVT_STAT" export -f parquet -i "$tmp/one.dat" -o "$tmp/fleet"
check "exported again, it replaces its file with the same one" cmp "$part" "$tmp/first"
"$GVT_STAT" export -f parquet -i "$tmp/one.dat" -o "$tmp/fleet" --begin 2026-12-01T00:30:00+01:00 --host b
is "or as they are given" "./day=2026-11-30/host=b/part-1796081400000000000.parquet ./day=2026-11-30/host=rack%2F7/part-$noon_ns.parquet" "$(parts)"
rm -r "$tmp/fleet"

printf '0ms 0 queue v=1 w=1\n1ms 0 start v=1 w=1\n' | mktrace silent
refused "no host" "gvt-stat: $tmp/silent.dat: it does not name its host: give --host NAME" 1 -i "$tmp/silent.dat" -o "$tmp/fleet"
refused "no time" "gvt-stat: $tmp/silent.dat: it has no time of recording: give --begin TIME, *" 1 \
	-i "$tmp/silent.dat" -o "$tmp/fleet" --host a
refused "a time that is none" "gvt-stat*: --begin noon: give a time as *" 129 -i "$tmp/silent.dat" --host a --begin noon
refused "a time before 1970" "gvt-stat*: --begin 1969-*: give a time as *" 129 -i "$tmp/silent.dat" --begin 1969-01-01T00:00:00Z
refused "no name" "gvt-stat*: --host '': give a name *" 129 -i "$tmp/silent.dat" --host ''
refused "standard output" "gvt-stat*: --output -: --format parquet makes a directory: *" 129 -i "$tmp/silent.dat" -o -
refused "a file in the way" "gvt-stat: $tmp/first: cannot write: *" 1 -i "$tmp/silent.dat" --host a --begin $noon -o "$tmp/first"
check "nothing is left of what was refused" test ! -e "$tmp/fleet"
"$GVT_STAT" export -f csv -i "$tmp/silent.dat" --host a -o "$tmp/csv" 2>"$tmp/err"
is "only parquet tells a host" 129 $?

# many rows: several row groups; and what fills the disk
"$here/views/busy" 400000 | mktrace busy
(ulimit -f 16; parquet busy a) >"$tmp/said" 2>&1
is "a full disk: status" 1 $?
is "a full disk: one line" "gvt-stat: $tmp/fleet: cannot write: File too large" "$(cat "$tmp/said")"
is "a full disk: nothing is left" "" "$(parts)"

mktrace huge <<'END'
0ms 0 gvt_vgpu_info v=1 weight=2 uuid=aa-1
1ms 0 queue v=1 w=1
9223372036854775000 0 start v=1 w=1
9223372036854775805 0 stop v=1 w=1 done=1
9223372036854775806 0 complete v=1 w=1
END
printf '0ms 0 gvt_sched_info policy=fair\n' | mktrace none
# as a flight recorder writes it: who they are comes last
mktrace kept <<'END'
0ms 0 switch prev=0 next=1
0ms 0 queue v=1 w=1
0ms 0 submit v=1 w=1
0ms 0 start v=1 w=1
1ms 0 queue v=2 w=2
2ms 0 gvt_vgpu_info v=1 weight=2 owner_pid=100 uuid=aa-1
2ms 0 gvt_vgpu_info v=2 weight=2 owner_pid=200 uuid=bb-2
3ms 0 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
3ms 0 switch prev=1 next=2
3ms 0 submit v=2 w=2
3ms 0 start v=2 w=2
5ms 0 stop v=2 w=2 done=1
5ms 0 complete v=2 w=2
6ms 0 print buf=gvt-stat-meta~kernel~Linux~kept~6.12
6ms 0 print buf=gvt-stat-meta~unix_ns~1796040000006000000
7ms 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm=first
8ms 0 print buf=gvt-stat-meta~vgpu~bb-2~id=2~pid=200~vm=second
END
{
	echo "0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm='\";DROP~TABLE~gvt;--/../x"
	echo "0 0 gvt_vgpu_info v=1 weight=2 owner_pid=100 uuid=aa-1"
	printf '1ms 0 queue v=1 w=1\n1ms 0 submit v=1 w=1\n2ms 0 start v=1 w=1\n3ms 0 stop v=1 w=1 done=1\n3ms 0 complete v=1 w=1\n'
} | mktrace names
hosts=("a/b" ".." "q'x\"y" $'line\nend' $'bad\xff' "a%2Fb" "x=y" "*?[" "ü")
for host in "${hosts[@]}"; do
	parquet names "$host" || bail "cannot export names"
done
parquet huge huge && parquet none none && "$GVT_STAT" export -f parquet -i "$tmp/kept.dat" -o "$tmp/fleet"
result $? "times up to the end of the clock, and no workload"
is "no name leaves its place" "$((${#hosts[@]} + 3)) 0" \
	"$(find "$tmp/fleet" -path '*/day=2026-11-30/host=*/part-*.parquet' | wc -l) $(find "$tmp" -newer "$tmp/names.dat" -name '*.parquet' ! -path "$tmp/fleet/day=2026-11-30/host=*/*" | wc -l)"

engines=$("$here/views/get-engines" 2>"$tmp/why") || {
	skip "answers of DuckDB and ClickHouse" "$(tail -n 1 "$tmp/why")"
	finish
}
# ask ENGINE TEXT: rows of the SQL, without the view's name
ask()
{
	printf '%s;\n' "$2" >"$tmp/asked.sql"
	(cd "$tmp" && node "$here/views/ask-engines.js" "$engines" "$1" "$here/../sql/$1.sql" "$tmp/asked.sql" | jq -c '.rows[] | map(tostring) | join(" ")')
}
sql=$here/../sql
for engine in duckdb clickhouse; do
	(cd "$tmp" && node "$here/views/ask-engines.js" "$engines" $engine "$sql/$engine.sql" "$sql"/[!cd]*.sql "$sql/did-it-help.sql" >"$tmp/output" 2>&1)
	is "$engine: every question is answered over hostile names and times" "0 12" "$? $(grep -c '"rows":' "$tmp/output")"
	is "$engine: hosts are as they were called" \
		"$(printf '%s\n' "${hosts[@]/$'bad\xff'/$'bad\xef\xbf\xbd'}" huge kept none | jq -R . | LC_ALL=C sort | grep -v 'line\|end' | xargs -d '\n')" \
		"$(ask $engine "SELECT DISTINCT host FROM gvt" | LC_ALL=C sort | grep -v 'line' | xargs -d '\n')"
	is "$engine: a name with a line's end" '"line\nend 1"' \
		"$(ask $engine "SELECT host, count(*) AS n FROM gvt WHERE kind = 'workload' AND host LIKE 'line%' GROUP BY host")"
	is "$engine: the VM's name" "\"'\\\";DROP TABLE gvt;--/../x\"" "$(ask $engine "SELECT DISTINCT vm FROM gvt WHERE host = '..' AND vm IS NOT NULL")"
	is "$engine: names that are told at the end are those of all rows" '"wait second first" "workload first null" "workload second null"' \
		"$(ask $engine "SELECT DISTINCT kind, vm, culprit_vm FROM gvt WHERE host = 'kept' AND (kind = 'workload' OR culprit_uuid IS NOT NULL) ORDER BY kind, vm" | xargs -d '\n')"
	is "$engine: what is not known is NULL" '"null null 0"' \
		"$(ask $engine "SELECT max(start_ns) AS a, sum(exec_ns) AS b, count(start_ns) AS c FROM gvt WHERE kind <> 'workload'")"
done

# the questions, over recordings of the rig; one of them lost events, and the last has a full row group
rm -r "$tmp/fleet"
"$here/../../kernelshark/tests/variants" "$tmp"
seconds=1796040000 traces=()
for path in rig/small-vs-large rig/three-guests rig/record-full corpus/rig/hang corpus/rig/engines-strict \
	corpus/rig/weights-fair corpus/rig/nice-fair corpus/rig/small-vs-pieces-fair-preemptive; do
	xz -dc "$here/$path.trace.xz" | sed '/^clock/d' | mktrace "${path##*/}"
done
for name in small-vs-large three-guests record-full hang engines-strict weights-fair nice-fair \
	small-vs-pieces-fair-preemptive lossy busy; do
	seconds=$((seconds + 1799))
	"$GVT_STAT" export -f parquet -i "$tmp/$name.dat" -o "$tmp/fleet" --host "$name" --begin "$(date -u -d @$seconds +%FT%TZ)" 2>>"$tmp/err" ||
		bail "cannot export $name"
	traces+=("$name=${seconds}000000000=$tmp/$name.dat")
done
"$here/views/agree-fleet" "$engines" "$tmp" "${traces[@]}" >"$tmp/output" 2>"$tmp/size" && [ ! -s "$tmp/output" ]
result $? "both engines answer as report, list, why waits and check: $(tail -n 1 "$tmp/size")"

finish
