#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Perfetto's own trace processor over what export writes: what it has is what our reader has, which the other
# tests go by, and the answers of its SQL are those of report, why waits and list. What is wrong with a trace
# in a way that it does not tell is seen.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
sql=$here/../../../Documentation/perfetto.sql
MAX_LOAD_MS=15000

PERFETTO_WASM=$("$here/views/get-processor" 2>"$tmp/why") ||
	skip_all "no trace processor of Perfetto: $(tail -n 1 "$tmp/why")"
export GVT_STAT PERFETTO_WASM PYTHONDONTWRITEBYTECODE=1

xz -dc "$here/rig/small-vs-large.trace.xz" | sed '/^clock/d' | mktrace demo
xz -dc "$here/corpus/rig/small-vs-pieces-fair-preemptive.trace.xz" | mktrace pieces
xz -dc "$here/rig/three-guests.trace.xz" | mktrace three-guests
xz -dc "$here/rig/record-full.trace.xz" | mktrace record-full
"$here/../../kernelshark/tests/variants" "$tmp"

for name in demo pieces three-guests record-full lossy; do
	"$GVT_STAT" export -f perfetto -i "$tmp/$name.dat" -o "$tmp/$name.pftrace" || bail "cannot export $name"
	"$here/views/agree-processor" "$tmp/$name.pftrace" >"$tmp/output" 2>"$tmp/size" && [ ! -s "$tmp/output" ]
	result $? "as our reader has it, without a complaint: $name, $(tail -n 1 "$tmp/size")"
	"$here/views/agree-sql" "$sql" "$tmp/$name.pftrace" "$tmp/$name.dat" >"$tmp/output" 2>"$tmp/size" &&
		[ ! -s "$tmp/output" ]
	result $? "perfetto.sql: answers as report, why waits and list: $name, $(tail -n 1 "$tmp/size")"
	"$here/views/side-by-side" "$tmp/$name.dat" "sql=$tmp/$name.pftrace" >"$tmp/output" 2>&1
	result $? "side by side: report and Perfetto's SQL: $name"
	sed 's/^/# /' "$tmp/output"
done

mkdir "$tmp/defects"
"$here/views/agree-perfetto" --make "$tmp/demo.pftrace" "$tmp/defects"
for file in "$tmp/defects"/*; do
	"$here/views/agree-processor" "$file" "$tmp/demo.pftrace" >"$tmp/output" 2>"$tmp/size" && [ -s "$tmp/output" ]
	result $? "seen: ${file##*/}: $(head -n 1 "$tmp/output")"
done

# no npm, no network, another package: one line
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "npm error network" >&2\nexit 1\n' >"$tmp/bin/npm"
chmod +x "$tmp/bin/npm"
matches "it cannot be got: one line says why" "npm has no *: npm error network" \
	"$(XDG_CACHE_HOME=$tmp/cache PATH=$tmp/bin:$PATH "$here/views/get-processor" 2>&1)"
is "and nothing is left of it" "" "$(find "$tmp/cache" -type f)"

"$here/views/busy" 1000000 | mktrace busy
"$GVT_STAT" export -f perfetto -i "$tmp/busy.dat" -o "$tmp/busy.pftrace"
read -r ms slices <<<"$("$here/views/agree-processor" --load "$tmp/busy.pftrace" 2>"$tmp/output")"
check "10^6 events: $slices slices in ${ms:-?} ms of the CPU (at most $MAX_LOAD_MS)" \
	test "${ms:-$MAX_LOAD_MS}" -lt $MAX_LOAD_MS -a "${slices:-0}" -gt 100000

finish
