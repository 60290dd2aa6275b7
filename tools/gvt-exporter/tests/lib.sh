# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests share: a host of plain files, an exporter on a free port, and what it says.
# The Makefile sets GVT_EXPORTER and GVT_EXPORTER_SANITIZED.

export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/tap.sh
. "$here/../../../scripts/tap.sh"
# shellcheck source=tools/gvt-stat/tests/host.sh
. "$here/../../gvt-stat/tests/host.sh"

build=$here/../../../build/gvt-exporter
: "${GVT_EXPORTER=$build/gvt-exporter}" "${GVT_EXPORTER_SANITIZED=$build/sanitize/gvt-exporter}"
[ -n "$GVT_EXPORTER" ] || skip_all "no libmicrohttpd; install libmicrohttpd-dev"
[ -x "$GVT_EXPORTER" ] || bail "$GVT_EXPORTER is missing: make -C tools/gvt-exporter"
need curl curl
# Debian's, whatever else is called so
/usr/bin/python3 -c 'import prometheus_client' 2>/dev/null || skip_all "no prometheus_client; install python3-prometheus-client"

# full_vgpu ID: one with all engines, all that the driver counts, and a VM
full_vgpu() {
	local dir engine name
	vgpu "$1"
	dir=$(dirname "$(vgpu_file "$1" vgpu_id)")
	printf '%s\n' "bad_entries 3" "reused_roots 0" "refused_submits 0" "refused_workloads 0" "hangs 1" \
		"engine_resets 0" "device_resets 2" "failsafe_entries 0" "failsafe no" >"$dir/health"
	echo 33 >"$dir/exec_percent"
	for engine in rcs0 bcs0 vcs0 vcs1 vecs0; do
		mkdir -p "$dir/../engine/$engine"
		for name in exec_ns wait_ns workloads failed cancelled preempted preempted_ns; do
			echo 0 >"$dir/../engine/$engine/$name"
		done
		printf '%s 0\n' host vgpu1 vgpu2 vgpu3 vgpu4 vgpu5 vgpu6 vgpu7 nobody >"$dir/../engine/$engine/waited_for_ns"
	done
	process $((4710 + $1)) qemu-system-x86 qemu-system-x86_64 -name "guest=vm$1,debug-threads=on" \
		-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid "$1")"
}

# host_counters: what the driver counts of the host, and the GPU's frequency
host_counters() {
	local engine
	mkdir -p "$pci/gvt_host" "$pci/drm/card0"
	for engine in rcs0 bcs0 vcs0 vcs1 vecs0; do
		echo 0 >"$pci/gvt_host/${engine}_exec_ns"
		echo 0 >"$pci/gvt_host/${engine}_wait_ns"
	done
	echo 450 >"$pci/drm/card0/gt_act_freq_mhz"
	echo 1150 >"$pci/drm/card0/gt_max_freq_mhz"
}

# start PROGRAM [OPTION...]: an exporter of the host; sets $pid and $url
start() {
	local program=$1
	shift
	"$here/activate" "$tmp/port" "$program" --sysroot "$root" "$@" 2>"$tmp/stderr" &
	pid=$!
	until [ -s "$tmp/port" ]; do sleep 0.05; done
	url=http://127.0.0.1:$(cat "$tmp/port")
	rm "$tmp/port"
}

stop() {
	kill "$pid"
	wait "$pid" 2>/dev/null
}

# scrape [CURL-ARGUMENT...]: as Prometheus would
scrape() {
	curl -sS --max-time 60 -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' "$@" "$url/metrics"
}

# value FILE SAMPLE: of a sample, as prometheus_client reads it
value() {
	"$here/samples" "$1" | grep -F -- "$2" | sed 's/.* //'
}

# expressions_of_dashboard: one a line, with something in place of Grafana's variables
expressions_of_dashboard() {
	jq -r '.panels[].targets[].expr' "$here/../rules/gvt-grafana.json" |
		sed 's/\$__rate_interval/5m/g; s/\$__range/1h/g; s/\$instance/.*/g'
}
