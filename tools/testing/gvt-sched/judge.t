#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A few random mixes of all kinds, judged by the results of vGPUs; README.md names known misses.
set -eu
judge=${O:-$(dirname "$0")/../../../build}/gvt-sched/judge
{
	"$judge" -n 60 -t 5
	"$judge" -n 30 -t 5 --boot | sed 's/^/after a boot: /'
	# Where one vGPU has both engines, only the criterion "waits" is promised
	"$judge" -n 30 -t 5 --two-engines | grep -v '^[^w].* exclusive ' | sed 's/^/two engines: /'
} | awk '
{
	match($0, /missed in +[0-9]+ of [0-9]+/)
	split(substr($0, RSTART, RLENGTH), words, " ")
	printf "%sok %d - %s\n", words[3] <= words[5] / 20 ? "" : "not ", NR, $0
}
END { print "1.." NR; exit NR != 65 }'
