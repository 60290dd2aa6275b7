#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# KernelShark itself, on a display without a screen: the rows are drawn in the vGPUs' colours.
#
# shellcheck source-path=SCRIPTDIR/../../gvt-stat/tests source=lib.sh
. "$(dirname "$0")/../../gvt-stat/tests/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${KERNELSHARK-}" ] || skip_all "no library of KernelShark; install libkshark-dev libjson-c-dev libglu1-mesa-dev"
need kernelshark kernelshark
need xvfb-run "xvfb xauth"
need import imagemagick
need runuser util-linux
export GVT_STAT

xz -dc "$here/../../gvt-stat/tests/corpus/rig/small-vs-pieces-fair-preemptive.trace.xz" | mktrace shown
# nobody reads it, and runs what is built here
chmod 755 "$tmp"
cp "$KERNELSHARK/plugin-gvt.so" "$GVT_STAT" "$(dirname "$GVT_STAT")/gvt-view" "$tmp"
export GVT_STAT=$tmp/gvt-stat

# share PICTURE COLOUR: in thousandths of its pixels
share() {
	convert "$tmp/$1.png" -format %c histogram:info: |
		awk -v colour="$2" '{ n = $1; sub(":", "", n); all += n } $0 ~ colour { of += n } END { printf "%d", of * 1000 / all }'
}

"$here/shoot" "$tmp/with.png" "#0072B2" 120 -i "$tmp/shown.dat" -p "$tmp/plugin-gvt.so" \
	--pid 10000000,10000100,10001100,10002100 >"$tmp/output" 2>&1
result $? "with the plugin"
"$here/shoot" "$tmp/without.png" "#0072B2" 20 -i "$tmp/shown.dat" --cpu 0 >"$tmp/output" 2>&1
result $? "without it"
for colour in 0072B2 E69F00; do
	with=$(share with "#$colour") without=$(share without "#$colour")
	check "colour $colour of a vGPU: $with of 1000 pixels, at least 10; $without without the plugin" \
		test "$with" -ge 10 -a "$without" -eq 0
done
# PICTURE=FILE keeps the first one
[ -z "${PICTURE-}" ] || cp "$tmp/with.png" "$PICTURE"
finish
