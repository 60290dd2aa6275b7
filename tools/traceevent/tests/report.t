#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The plugin in trace-cmd report, with and without its options.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need trace-cmd trace-cmd

mktrace "$tmp/one.dat" <<'END'
1000us 0 gvt_workload_queue vgpu_id=1 workload_id=7 guest_lrca=0x1000
1200us 0 gvt_workload_submit vgpu_id=1 workload_id=7 ctx=3 seqno=4
1250us 0 gvt_workload_start vgpu_id=1 workload_id=7 ctx=3 seqno=4 lrca=0x2119
3250us 0 gvt_workload_stop vgpu_id=1 workload_id=7 ctx=3 seqno=4 lrca=0x2119 completed=1
3300us 0 gvt_workload_complete vgpu_id=1 workload_id=7 status=-5
3400us 0 gvt_sched_switch prev_vgpu_id=1 prev_left_ns=-5000000 prev_slice_ns=50000000 drain_ns=1500 reason=2 class=2 instance=0
END

is "with the plugin" \
"dev=0, vgpu=1, workload=7, engine=rcs0, guest_lrca=0x00001000
dev=0, vgpu=1, workload=7, engine=rcs0, ctx=3, seqno=4, since_queue=200.000us
dev=0, vgpu=1, workload=7, engine=rcs0, ctx=3, seqno=4, lrca=0x00002119, since_queue=250.000us, since_submit=50.000us
dev=0, vgpu=1, workload=7, engine=rcs0, ctx=3, seqno=4, lrca=0x00002119, completed?=1, since_queue=2250.000us, since_submit=2050.000us, since_start=2000.000us
dev=0, vgpu=1, workload=7, engine=rcs0, status=-EIO (hang), since_queue=2300.000us, since_submit=2100.000us, since_start=2050.000us
dev=0, prev=1, next=idle, prev_left=-5.000ms (-10.0%), prev_slice=50.000ms, next_left=0.000ms, next_slice=0.000ms, drain=1.500us, reason=slice, engine=vcs0" \
	"$(report "$tmp/one.dat")"

kernel="dev=0, vgpu=1, workload=7, engine=0:0, guest_lrca=0x00001000
dev=0, vgpu=1, workload=7, engine=0:0, ctx=3, seqno=4
dev=0, vgpu=1, workload=7, engine=0:0, ctx=3, seqno=4, lrca=0x00002119
dev=0, vgpu=1, workload=7, engine=0:0, ctx=3, seqno=4, lrca=0x00002119, completed?=1
dev=0, vgpu=1, workload=7, engine=0:0, status=-5
dev=0, prev=1, next=0, prev_left_ns=-5000000, prev_slice_ns=50000000, next_left_ns=0, next_slice_ns=0, drain_ns=1500, reason=slice, engine=2:0"
is "without plugins" "$kernel" "$(report "$tmp/one.dat" -N)"
is "gvt:raw" "$kernel" "$(report "$tmp/one.dat" -O gvt:raw)"
is "gvt:raw=1" "$kernel" "$(report "$tmp/one.dat" -O gvt:raw=1)"
has "gvt:engine=numbers" "engine=0:0" "$(report "$tmp/one.dat" -O gvt:engine=numbers | head -n 1)"
is "gvt:durations=off" "dev=0, vgpu=1, workload=7, engine=rcs0, ctx=3, seqno=4" \
	"$(report "$tmp/one.dat" -O gvt:durations=off | sed -n 2p)"
has "gvt:unit=ms" "since_queue=0.200000ms" "$(report "$tmp/one.dat" -O gvt:unit=ms | sed -n 2p)"
is "two options" "dev=0, vgpu=1, workload=7, engine=0:0, ctx=3, seqno=4, since_queue=0.200000ms" \
	"$(report "$tmp/one.dat" -O gvt:unit=ms -O gvt:engine=numbers | sed -n 2p)"
has "the value of an option is wrong: reported as without" "since_queue=200.000us" \
	"$(report "$tmp/one.dat" -O gvt:unit=ns | sed -n 2p)"
report "$tmp/one.dat" -O gvt:unit=ns >/dev/null
is "and said once" "plugin_gvt: option gvt:unit=ns: use us or ms; taking us" \
	"$(grep plugin_gvt "$tmp/stderr")"

{ echo "clock x86-tsc"; cat <<'END'; } | mktrace "$tmp/tsc.dat"
2400000 0 gvt_workload_queue vgpu_id=1 workload_id=7
4800000 0 gvt_workload_submit vgpu_id=1 workload_id=7
END
has "gvt:tsc-khz" "since_queue=1000.000us" "$(report "$tmp/tsc.dat" -O gvt:tsc-khz=2400000 | sed -n 2p)"

# a switch must not be turned back by the second file or instance
mktrace "$tmp/two.dat" <<'END'
buffer first
1000us 0 gvt_workload_queue vgpu_id=1 workload_id=7
1100us 0 gvt_workload_submit vgpu_id=1 workload_id=7
buffer second
1000us 0 gvt_workload_queue vgpu_id=2 workload_id=8
1300us 0 gvt_workload_submit vgpu_id=2 workload_id=8
END
is "two instances" "since_queue=100.000us since_queue=300.000us" \
	"$(report "$tmp/two.dat" | grep -o 'since_queue.*' | sort | xargs)"
is "two instances, gvt:raw" "" "$(report "$tmp/two.dat" -O gvt:raw | grep since)"
is "two files" 2 "$(report "$tmp/one.dat" -i "$tmp/two.dat" | grep -c -e since_queue=200.000us -e since_queue=300.000us)"
is "two files, gvt:raw" "" "$(report "$tmp/one.dat" -i "$tmp/two.dat" -O gvt:raw | grep -e since -e rcs0)"

# a kernel that has other formats
mkdir -p "$tmp/formats/gvt"
sed -e '/ guest_lrca;/d' -e 's/ vgpu_id;/ vm_id;/' -e 's/, REC->vgpu_id//; s/, vgpu=%u//' \
	-e 's/, guest_lrca=0x%08x//; s/, REC->guest_lrca//' \
	"$formats/gvt/gvt_workload_queue.format" >"$tmp/formats/gvt/gvt_workload_queue.format"
echo "1000us 0 gvt_workload_queue vm_id=3 workload_id=7" | mktrace "$tmp/other.dat" "$tmp/formats"
is "missing and renamed fields" "dev=0, vgpu=!, workload=7, engine=rcs0, guest_lrca=!, vm_id=3" \
	"$(report "$tmp/other.dat")"

has "trace-cmd list -P names the plugin" "$PLUGIN_DIR/plugin_gvt.so" \
	"$(TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd list -P)"
is "trace-cmd list -O lists its options" "durations engine raw tsc-khz unit" \
	"$(TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd list -O | grep -A 1 'plugin:.*gvt$' |
		sed -n 's/.*option:[[:space:]]*//p' | sort | xargs)"

missing=
for option in $(TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd list -O | grep -A 1 'plugin:.*gvt$' |
		sed -n 's/.*option:[[:space:]]*//p'); do
	grep -q "^\.B[IR]* $option" "$here/plugin_gvt.7" || missing="$missing $option"
done
is "the manual page describes them all" "" "$missing"

# not the plugin's to mend, but it must not make it worse
for size in 0 100 1000 9000; do
	head -c $size "$tmp/one.dat" >"$tmp/cut.dat"
	TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd report -i "$tmp/cut.dat" >/dev/null 2>&1
	with=$?
	trace-cmd report -N -i "$tmp/cut.dat" >/dev/null 2>&1
	is "file cut at $size bytes: as without plugins" $? $with
done
finish
