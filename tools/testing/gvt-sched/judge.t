#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A few random mixes of all kinds, judged by what vGPUs get; README.md names what is missed.
set -eu
mixes=60
"${O:?}/gvt-sched/judge" -n $mixes -t 5 | awk -v mixes=$mixes '
{
	match($0, /missed in +[0-9]+/)
	missed = substr($0, RSTART + 9, RLENGTH - 9) + 0
	printf "%sok %d - %s\n", missed <= mixes / 20 ? "" : "not ", NR, $0
}
END { print "1.." NR; exit NR != 21 }'
