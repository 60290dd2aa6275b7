#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trace is opened once, however often it is read from its beginning: that costs more than to
# read a short one. From the Makefile: OPENS, which counts; MKTRACE.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
tests=$top/tools/gvt-stat/tests
FORMATS="-F $top/tools/traceevent/formats -F $tests/formats"
# its short names of events and fields; mktrace NAME
# shellcheck source=tools/gvt-stat/tests/lib.sh
. "$tests/lib.sh"

# work, whose vGPU is named late, with two vCPUs; events were lost
describe() {
	cat <<-'END'
	1ms 0 queue    v=1 w=2
	2ms 0 complete v=1 w=1
	2ms 0 submit   v=1 w=2
	3ms 0 start    v=1 w=2
	4ms 0 stop     v=1 w=2 done=1
	4ms 0 complete v=1 w=2
	5ms 0 gvt_vgpu_info v=1 uuid=aa-1
	6ms 0 kvm_entry common_pid=7
	lost 0 3
	7ms 0 kvm_entry common_pid=8
	END
}

describe | mktrace plain
is "all is found, and the trace opened once" "opened 1 times, 9 events, 1 losses, 2 vCPUs" \
	"$("$OPENS" "$tmp/plain.dat" aa-1)"

{ echo "clock x86-tsc"; echo "0 0 print buf=gvt-stat-meta~tsc_khz~1000000"; describe; } |
	mktrace cycles
is "also if the rate of its clock is a mark in it" "opened 1 times, 10 events, 1 losses, 2 vCPUs" \
	"$("$OPENS" "$tmp/cycles.dat" aa-1)"

# what adds an offset, even of 0, to every time is libtracecmd, which has one place in a file
{ describe; echo "option 1 0x0"; } | mktrace library
is "what only libtracecmd reads is opened for each" "opened 5 times, 9 events, 1 losses, 2 vCPUs" \
	"$("$OPENS" "$tmp/library.dat" aa-1)"

finish
