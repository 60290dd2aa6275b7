# SPDX-License-Identifier: GPL-2.0-or-later
# p99 latency of two clients against the length of a neighbour's commands.
# data: kind setting length per-engine [half] preemptive [half]
set terminal svg size 900,420 font "sans,12" background "white"
set output out
set multiplot layout 1,2
set logscale xy
set xlabel "length of the neighbour's commands (ms)"
set ylabel "p99 latency (ms)"
set key top left
do for [kind in "short burst"] {
	set title sprintf("%s, device: %s", kind eq "short" ? "2 ms, pauses of 3 ms" : "16 x 1 ms, pauses of 230 ms", setting)
	plot sprintf("<awk '$1 == \"%s\" && $2 == \"%s\"' %s", kind, setting, data) using 3:4:5 with yerrorlines title "per-engine", \
	     "" using 3:6:7 with yerrorlines title "preemptive"
}
