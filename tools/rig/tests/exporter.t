#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The figures of gvt-exporter, asked over HTTP on the host before and after a load, are those that
# gvt-stat reports of a recording of the same time.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
scenario=$top/tools/gvt-stat/tests/energy.conf
build=${O:-$top/build}
gvt_stat=${GVT_STAT:-$build/gvt-stat/gvt-stat} exporter=${GVT_EXPORTER:-$build/gvt-exporter/gvt-exporter}

pkg-config --exists libmicrohttpd || skip_all "no libmicrohttpd; install libmicrohttpd-dev"
[ -x "$gvt_stat" ] && [ -x "$exporter" ] || bail "gvt-stat or gvt-exporter is not built: make build-tools"
/usr/bin/python3 -c 'import prometheus_client' 2>/dev/null || skip_all "no prometheus_client; install python3-prometheus-client"

mkdir "$work/gvt"
for program in "$gvt_stat" "$exporter"; do
	ldd "$program" | sed -n 's/.*=> \(\S*\).*/\1/p' | xargs cp -L -t "$work/gvt" "$program" || bail "cannot copy $program"
done
cat >"$work/run" <<'END'
#!/bin/sh
uuids=$(awk '$3 == "client" { printf "%s%s=%s", sep, $1, $2; sep = "," }' /run.vgpus)
busybox ifconfig lo 127.0.0.1 up
export LD_LIBRARY_PATH=/gvt
/gvt/gvt-exporter &
# its answer to a first request is only for waiting until it is there
until busybox wget -q -O /dev/null http://127.0.0.1:9853/; do sleep 0.1; done
busybox wget -q -O /out/before http://127.0.0.1:9853/metrics || exit
/gvt/gvt-stat record -C x86-tsc -o /out/trace.dat -- rig-load --scenario /rig/scenario.conf --uuids "$uuids" || exit
busybox wget -q -O /out/after http://127.0.0.1:9853/metrics
END
chmod +x "$work/run"

# compare: a line for each figure, and what of them differs
cat >"$work/compare" <<'END'
import json
import sys
from prometheus_client.parser import text_string_to_metric_families

# the recording begins and ends a little within the scrapes; the driver begins to count a wait
# about a microsecond after the event
MOST_POINTS, MOST_WORKLOADS, MOST_WAIT_NS = 0.1, 1, 5000


def read(path):
    with open(path, encoding="utf-8") as file:
        return {(sample.name, sample.labels.get("vgpu"), sample.labels.get("engine")): sample.value
                for family in text_string_to_metric_families(file.read()) for sample in family.samples}


before, after = read(sys.argv[1] + "/before"), read(sys.argv[1] + "/after")
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
compared = bad = 0
for vgpu in report["vgpus"]:
    for engine in vgpu["engines"]:
        def grown(name):
            key = (f"gvt_vgpu_engine_{name}_total", str(vgpu["vgpu_id"]), engine["engine"])
            return after[key] - before[key]

        if not engine["completed"]:
            continue
        points = 100e9 * grown("busy_seconds") / report["window_ns"] - engine["utilization_percent"]
        workloads = grown("workloads") - engine["completed"]
        wait_ns = 1e9 * grown("wait_seconds") / engine["completed"] - engine["wait_mean_ns"]
        print(f"vGPU {vgpu['vgpu_id']} {engine['engine']}: {engine['utilization_percent']:.3f} % {points:+.4f} points, "
              f"{engine['completed']} workloads {workloads:+.0f}, mean wait {engine['wait_mean_ns']:.0f} ns {wait_ns:+.0f} ns")
        compared += 1
        bad += abs(points) > MOST_POINTS or abs(workloads) > MOST_WORKLOADS or abs(wait_ns) > MOST_WAIT_NS
sys.exit(bad or compared != 3)
END

check "a load between two scrapes" "$rig" exec "$work/run" --scenario "$scenario" --add "$work/gvt:/gvt" --out "$work/out"
check "a report of its recording" "$gvt_stat" report --tsc-khz 1000000 --json -i "$work/out/trace.dat"
cp "$work/output" "$work/report"
check "prometheus_client reads what was scraped" "$top/tools/gvt-exporter/tests/samples" "$work/out/after"
check "time, workloads and waits of vGPUs are those of the report" /usr/bin/python3 "$work/compare" "$work/out" "$work/report"
sed 's/^/# /' "$work/output"
finish
