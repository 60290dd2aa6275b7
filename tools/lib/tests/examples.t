#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of README.md print what it says. From the Makefile: EXAMPLES, where they
# were compiled; MKTRACE.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=scripts/tap.sh
. "$top/scripts/tap.sh"

"$MKTRACE" -F "$top/tools/traceevent/formats" -o "$tmp/trace.dat" <<'END' || exit 1
0ms 0 gvt_sched_switch next_vgpu_id=1 class=-1 instance=-1
0ms 0 gvt_workload_queue vgpu_id=1 workload_id=1
0ms 0 gvt_workload_submit vgpu_id=1 workload_id=1
0ms 0 gvt_workload_start vgpu_id=1 workload_id=1
1ms 0 gvt_workload_queue vgpu_id=1 workload_id=2
1500us 0 gvt_workload_queue vgpu_id=2 workload_id=3
2ms 0 gvt_workload_stop vgpu_id=1 workload_id=1 completed=1
2ms 0 gvt_workload_complete vgpu_id=1 workload_id=1
2ms 0 gvt_workload_submit vgpu_id=1 workload_id=2
2ms 0 gvt_workload_start vgpu_id=1 workload_id=2
4ms 0 gvt_workload_stop vgpu_id=1 workload_id=2 completed=1
4ms 0 gvt_workload_complete vgpu_id=1 workload_id=2
4ms 0 gvt_workload_cancel vgpu_id=2 workload_id=3
END

for expected in "$EXAMPLES"/*.expected; do
	"${expected%.expected}" "$tmp/trace.dat" >"$tmp/printed" 2>&1
	diff "$expected" "$tmp/printed" >"$tmp/output"
	result $? "example $(basename "$expected" .expected) of README.md"
done

finish
