# SPDX-License-Identifier: GPL-2.0-or-later
# Plot of a benchmark: gnuplot -e "data='FILE'; out='FILE'; heading='TEXT'" bars.gp
set terminal svg size 1100,1500 dynamic background 'white'
set output out
set datafile separator "\t"
set datafile missing '-'
stats data skip 1 using 0 nooutput
figures = STATS_records
columns = system(sprintf("head -n 1 '%s' | awk -F '\t' '{ print NF - 1 }'", data)) + 0
title_of(i) = system(sprintf("head -n 1 '%s' | cut -f %d", data, i + 1))
thick = 0.8 / columns
set title heading.' on the emulated GPU (virtual time)'
set xlabel 'per cent'
set xrange [0:105]
set yrange [figures - 0.4:-0.6]
set grid xtics
set ytics nomirror scale 0
set key outside bottom center horizontal
set style fill solid 0.8 noborder
set lmargin 58
plot for [i = 1:columns] data skip 1 \
	using (0):($0 - 0.4 + thick * (i - 0.5)):(0):(column(i + 1)):($0 - 0.4 + thick * (i - 1)):($0 - 0.4 + thick * i) \
	with boxxyerror linecolor i title title_of(i), \
	data skip 1 using (0):0:ytic(1) with dots linecolor 'black' notitle
