#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat energy: what vGPUs drew is what who made the trace has integrated, sums are those of
# the counter whatever is missing, and what cannot be known is not told.
#
# shellcheck disable=SC2154 # root is of host.sh
# shellcheck source-path=SCRIPTDIR source=lib.sh source=host.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/host.sh"
here=$(dirname "$0")

# trace NAME [WORD=VALUE...]
trace()
{
	file=$1
	shift
	/usr/bin/python3 "$here/energy-trace" "$tmp/$file.truth" "$@" >"$tmp/$file.txt"
	mktrace "$file" <"$tmp/$file.txt"
}

# energy NAME QUERY [OPTION...]: what jq finds in the document
energy()
{
	file=$1 query=$2
	shift 2
	"$GVT_STAT" energy --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" 2>"$tmp/err" && values "$query" "$tmp/out.json"
}

# worst NAME [OPTION...]: the largest deviation of a vGPU, in percent of what it drew
worst()
{
	file=$1
	shift
	[ -e "$tmp/$file.truth" ] || cp "$tmp/linear.truth" "$tmp/$file.truth"
	energy "$file" . "$@" >/dev/null
	jq -n --slurpfile told "$tmp/out.json" --slurpfile truth "$tmp/$file.truth" '
		def sum(rows; id): [rows[] | select(.vgpu_id == id and .kind != "total") | .joules] | add;
		[1, 2, 3 | . as $id | sum($told[0].shares; $id) as $j | sum($truth[0].drawn | map(.kind = "vgpu"); $id) as $t |
			(100 * ($j / $t - 1) | fabs)] | max'
}

# at_most NAME VALUE LIMIT
at_most()
{
	awk -v value="$2" -v limit="$3" 'BEGIN { exit !(value != "" && value <= limit) }'
	result $? "$1: $2, $3 at most"
}

# conserved NAME FILE [OPTION...]: the sum over engines, and over vGPUs, is the counter's
conserved()
{
	name=$1
	shift
	file=$1
	shift
	is "$name: shares sum up to the counter" true "$(energy "$file" '. as $d | [.shares, .engines] | map(
		(map(select(.kind != "total") | .joules) | add) as $sum | ($sum - $d.counter.joules | fabs) < 1e-9) | all' "$@")"
}

# inside NAME FILE: how many rows are farther off than twice their bounds, which are those of 95 of 100
inside()
{
	is "$1: bounds hold" 0 "$(jq -n --slurpfile told "$tmp/out.json" --slurpfile truth "$tmp/$2.truth" '
		[$truth[0].drawn[] as $t | $told[0].engines[] | select(.vgpu_id == $t.vgpu_id and .engine == $t.engine) |
			select((.joules - $t.joules | fabs) > 2 * .bound_joules)] | length')"
}

for law in linear overlap; do
	trace $law law=$law seconds=8
	conserved $law $law
	at_most "$law: worst vGPU in percent" "$(worst $law)" 1
	inside $law $law
	is "$law: the host has its part" true "$(energy $law '.shares[] | select(.kind == "host") | .joules > 1')"
	at_most "$law: idle time, off by J" "$(jq -n --slurpfile told "$tmp/out.json" --slurpfile truth "$tmp/$law.truth" \
		'$told[0].shares[] | select(.kind == "idle") | .joules - $truth[0].idle | fabs')" 0.05
done
is "nothing is unknown" 0 "$(energy linear '[.shares[] | select(.kind == "unknown")] | length')"
is "nor is anything the same" 0 "$(energy linear '.fit.same | length')"
is "samples are all used" "[800,true,0]" "$(energy linear '[.counter | (.samples / 10 | round * 10 | if . > 780 and . < 830 then 800 else . end), .samples == .on_edges, .not_used]')"

# the counter
trace wrap start=4294960000 seconds=8
is "the counter wraps around, nothing else is different" "$(energy linear '[.shares[] | [.vgpu_id, .joules]]')" \
	"$(energy wrap '[.shares[] | [.vgpu_id, .joules]]')"
sed 's/range=4294967296/range=0/' "$tmp/wrap.txt" | mktrace anew
conserved "a counter that began anew" anew
is "what it counted there is not covered, the rest is" true "$(energy anew '.counter.covered_ns > 7.9e9 and .counter.joules > 10')"
matches "and that is told" "*The counter began anew 1 times*" "$("$GVT_STAT" energy -i "$tmp/anew.dat")"
# a fall is none of the largest number, however small the unit and long the gap
{ grep -v gvt_energy: "$tmp/linear.txt"
  echo "10s 0 print buf=gvt_energy:~counter=5~unit_nj=1e-6~source=other"
  echo "50s 0 print buf=gvt_energy:~counter=4~unit_nj=1e-6~source=other"; } | mktrace fell
is "a count that is less after 40 s" "0 0" "$(energy fell '.counter.joules | round') $(energy fell .counter.covered_ns)"
trace silent silent=2,3 seconds=8
conserved "a second without samples" silent
at_most "a second without samples: worst vGPU in percent" "$(worst silent)" 1.5
inside "a second without samples" silent
# Energy that was drawn in this second is not counted; vGPU 3 executes only in the midst of it.
awk '{ inside = $1 > 2000000000 && $1 < 3000000000 } / v=3 / && ($1 < 2300000000 || $1 > 2700000000) { next }
	match($0, /counter=[0-9]+/) {
		now = substr($0, RSTART + 8, RLENGTH - 8)
		if (inside) gone += now - before
		before = now
		sub(/counter=[0-9]+/, sprintf("counter=%d", now - gone))
	} 1' "$tmp/linear.txt" | mktrace stands
conserved "a counter that stands for a second" stands
is "it takes no other energy with it" "true" "$(energy stands '([.shares[] | select(.kind == "unknown")] | length == 0) and
	([.shares[] | select(.vgpu_id == 1 or .vgpu_id == 2) | .joules > 1] | all)')"

# events
trace lost lost=2,2.5 seconds=8
conserved "half a second without events" lost
is "what was drawn meanwhile is unknown" true "$(energy lost '.shares[] | select(.kind == "unknown") | .joules > 0.5')"
inside "half a second without events" lost
is "bounds are as wide as what is unknown" true "$(energy lost '.shares as $s | ($s[] | select(.kind == "unknown") | .joules) as $u |
	[$s[] | select(.kind == "vgpu") | .bound_joules >= $u] | all')"
matches "and that is told" "*Events were lost: *gvt-stat record -b*" "$("$GVT_STAT" energy -i "$tmp/lost.dat")"

awk '/ v=3 / && ($1 < 1900000000 || $1 > 2100000000) { next } /gvt_energy/ && $1 > 1800000000 && $1 < 2600000000 { next } 1' \
	"$tmp/lost.txt" | mktrace only
is "who executed only where events were lost, has unknown energy" "null true" \
	"$(energy only '.shares[] | select(.vgpu_id == 3) | .joules') $(energy only '.shares[] | select(.vgpu_id == 3) | .exec_ns > 0')"
conserved "nor has it a part of what all have" only --static equal

awk '/gvt_host_start c=0/ && $1 > 1000000000 && !at { at = $1; print; printf "%d 0 gvt_host_stop c=0 exec_ns=19000\n", at + 19000 } !/gvt_host_(start|stop)/' \
	"$tmp/linear.txt" | sort -n -s -k 1,1 | mktrace scarce
is "who executed for less than the counter can show, has unknown energy" "null 19000" \
	"$(energy scarce '.shares[] | select(.kind == "host") | .joules') $(energy scarce '.shares[] | select(.kind == "host") | .exec_ns')"
conserved "nor does that take any from others" scarce

# columns
trace twins twins=1 seconds=8
is "engines that always execute together have one power" '["vGPU 1 on rcs0 = vGPU 1 on vcs0"]' "$(energy twins .fit.same)"
conserved "twins" twins
at_most "twins: the vGPU's sum in percent" "$(jq -n --slurpfile told "$tmp/out.json" --slurpfile truth "$tmp/twins.truth" '
	([$truth[0].drawn[] | select(.vgpu_id == 1) | .joules] | add) as $t |
	($told[0].shares[] | select(.vgpu_id == 1) | .joules) as $j | 100 * ($j / $t - 1) | fabs')" 1
inside "twins" twins
matches "and that is told" "*Indistinguishable*vGPU 1 on rcs0 = vGPU 1 on vcs0*" \
	"$("$GVT_STAT" energy -i "$tmp/twins.dat" | tr '\n' ' ' | tr -s ' ')"

# static energy
for rule in busy none equal; do
	conserved "--static $rule" linear --static "$rule"
done
is "busy is what is taken" "$(energy linear .shares)" "$(energy linear .shares --static busy)"
is "none: vGPUs have less, equal: nobody has any" "true 0" "$(
	more=$(energy linear '[.shares[] | select(.kind == "vgpu") | .joules] | add')
	less=$(energy linear '[.shares[] | select(.kind == "vgpu") | .joules] | add' --static none)
	awk "BEGIN { printf \"%s \", $less < $more ? \"true\" : \"false\" }"
	energy linear '.shares[] | select(.kind == "idle") | .joules | . * 1e9 | round' --static equal)"
is "usage: --static" 129 "$("$GVT_STAT" energy --static all -i "$tmp/linear.dat" 2>/dev/null; echo $?)"

grep -v gvt_energy "$tmp/linear.txt" | mktrace none
awk '!/gvt_energy/ || seen++ < 5' "$tmp/linear.txt" | mktrace few
awk '!/gvt_energy/ || $1 > 2000000000' "$tmp/linear.txt" | mktrace late

# workloads
# all NAME [OPTION...]: of all workloads whose energy is told, as [told, truth, range]
all()
{
	file=$1
	shift
	energy "$file" . --workloads=100000 "$@" >/dev/null
	jq -n --slurpfile told "$tmp/out.json" --slurpfile truth "$tmp/$file.truth" '
		($truth[0].works | INDEX(.workload_id)) as $of | [$told[0].workloads[] | [.joules, $of[.workload_id | tostring].joules, .bound_joules]]'
}

for law in linear overlap; do
	all $law >"$tmp/works.json"
	echo "# $law, a workload's energy is off by: $(jq -c 'map(100 * (.[0] / .[1] - 1) | fabs) | sort |
		"\(.[length / 2 | floor] * 1000 | round | . / 1000) % (median), \(.[length * 0.99 | floor] * 1000 | round | . / 1000) % (p99)"' "$tmp/works.json")"
	at_most "$law: 99 of 100 workloads are off by percent" \
		"$(jq 'map(100 * (.[0] / .[1] - 1) | fabs) | sort | .[length * 0.99 | floor]' "$tmp/works.json")" 1
	is "$law: 95 of 100 are within their ranges" true \
		"$(jq 'map((.[0] - .[1] | fabs) <= .[2]) | (map(select(.)) | length) >= 0.95 * length' "$tmp/works.json")"
done
is "all that are between samples are told" true "$(jq -n --slurpfile told "$tmp/works.json" --slurpfile truth "$tmp/overlap.truth" '
	($truth[0].works | length) as $all | ($told[0] | length) as $seen | $seen <= $all and $seen >= $all - 4')"
is "they and nothing else are a vGPU's joules, but for those at the ends" true "$(energy linear '.workloads as $w | [.shares[] | select(.kind == "vgpu") |
	.vgpu_id as $id | ([$w[] | select(.vgpu_id == $id) | .joules] | add) as $sum | .joules - $sum | . >= -1e-6 and . < 0.2] | all' --workloads=100000)"
is "the dearest are first" true "$(energy linear '.workloads | length == 10 and . == sort_by(-.joules)' --workloads)"
is "the mean is theirs" true "$(energy linear '[.workloads[] | select(.vgpu_id == 2) | .joules] as $j | .shares[] | select(.vgpu_id == 2) |
	(.workload_mean_joules - ($j | add / length) | fabs) < 1e-9' --workloads=100000)"
is "joules of a workload are the vGPU's by the number" true "$(energy linear '.shares[] | select(.vgpu_id == 2) |
	(.joules_per_workload * .completed - .joules | fabs) < 1e-9')"
is "the product with the delay has joules and seconds" true "$(energy linear '.shares[] | select(.vgpu_id == 2) |
	(.joules_per_workload * .turnaround_mean_ns / 1e9 - .energy_delay_joule_seconds | fabs) < 1e-12')"
is "nobody else has workloads" '[null,null]' "$(energy linear '[.shares[] | select(.kind != "vgpu") | .completed, .workload_mean_joules] | unique' |
	sed 's/^\[null\]$/[null,null]/')"
is "lines have the decimals of small numbers, too" true "$("$GVT_STAT" energy --csv --columns energy_delay_joule_seconds -i "$tmp/linear.dat" |
	tr -d '\r' | sed -n 2p | jq --argjson told "$(energy linear '.engines[0].energy_delay_joule_seconds')" '(. / $told - 1 | fabs) < 1e-3')"
is "as lists have" true "$("$GVT_STAT" energy --columns energy_delay_joule_seconds -i "$tmp/linear.dat" |
	sed -n 2p | jq --argjson told "$(energy linear '.engines[0].energy_delay_joule_seconds')" '(. / $told - 1 | fabs) < 0.01')"
is "CSV has workloads in place of vGPUs" 4 "$("$GVT_STAT" energy --workloads=3 --csv -i "$tmp/linear.dat" | wc -l)"
is "without samples of its execution, a workload's energy is not known" true "$(
	all=$(energy linear '.workloads | length' --workloads=100000)
	[ "$(energy late '.workloads | length' --workloads=100000)" -lt "$all" ] &&
		[ "$(energy anew '.workloads | length' --workloads=100000)" -lt "$all" ] && echo true)"
trace ramp ramp=2,2.03
all ramp >"$tmp/works.json"
at_most "while the power rises, workloads that are told are off by percent" \
	"$(jq 'map(100 * (.[0] / .[1] - 1) | fabs) | max' "$tmp/works.json")" 2
is "and others are unknown" '[true,true]' "$(energy ramp '[.shares[] | select(.kind == "vgpu") | .completed - .workloads_known] | add | [. >= 3, . <= 30]')"
# every tenth sample is not at an update, and has what the counter had before
trace fast hz=1000 seconds=2
awk '/gvt_energy/ { match($0, /counter=[0-9]+/); now = substr($0, RSTART, RLENGTH)
	if (n++ % 10 == 5) { sub(/counter=[0-9]+/, before); sub(/edge_ns=[0-9]+/, "edge_ns=0") } before = now } 1' "$tmp/fast.txt" | mktrace vague
cp "$tmp/fast.truth" "$tmp/vague.truth"
all vague >"$tmp/works.json"
at_most "samples of a millisecond ago: 99 of 100 workloads are off by percent" \
	"$(jq 'map(100 * (.[0] / .[1] - 1) | fabs) | sort | .[length * 0.99 | floor]' "$tmp/works.json")" 3
is "nor with too few samples" '[0,null,null]' "$(energy few '[(.workloads | length), (.shares[] | select(.vgpu_id == 2) |
	.workload_mean_joules, .energy_delay_joule_seconds)]' --workloads)"
sed '/ complete /d' "$tmp/linear.txt" | mktrace open
is "without completions, none is counted" '[null,null]' "$(energy open '[.shares[] | select(.vgpu_id == 2) | .completed, .joules_per_workload]')"
is "usage: --workloads=0" 129 "$("$GVT_STAT" energy --workloads=0 -i "$tmp/linear.dat" 2>/dev/null; echo $?)"
is "usage: --workloads and --interval" 129 "$("$GVT_STAT" energy --workloads --interval 1s -i "$tmp/linear.dat" 2>/dev/null; echo $?)"

# over time
# adds_up FILE OPTION...: each interval is what was counted in it, all of them are each one's energy
adds_up()
{
	file=$1
	shift
	is "$file $*: intervals sum up" true "$(energy "$file" '. as $d |
		([.intervals | group_by(.from_ns)[] | (map(select(.kind != "total") | .joules) | add) - (map(select(.kind == "total") | .joules) | add) | fabs] |
			all(. < 1e-9)) and
		([.shares[] as $s | ([$d.intervals[] | select(.kind == $s.kind and .vgpu_id == $s.vgpu_id) | .joules] | add) - $s.joules | fabs] |
			all(. < 1e-9))' "$@")"
}
for rule in busy none equal; do
	adds_up overlap --interval 100ms --static $rule
done
adds_up lost --interval 70ms
adds_up linear --interval 1s --time 1,3.5
adds_up linear --interval 100s
is "an interval without samples: unknown" '[true,false]' "$(energy late '[[.intervals[] | select(.from_ns < 1.8e9)], [.intervals[] |
	select(.from_ns > 2.1e9)] | all(.watts == null)]' --interval 100ms)"
is "a window in intervals" 3 "$(energy linear '[.intervals[].from_ns] | unique | length' --interval 1s --time 1,3.5)"
is "too few samples: only the total is known" '["total","unknown"]' "$(energy few '[.intervals[] | select(.joules != null) | .kind] | unique' --interval 10ms)"
matches "tables have a line for each vGPU" "*Over time, in * intervals of 1000.000 ms*
VGPU  MIN-W MAX-W WATTS, 0 TO MAX
1 *" "$("$GVT_STAT" energy --interval 1s -i "$tmp/linear.dat")"
is "usage: too many intervals" 129 "$(sed 's/^9s/9s/' "$tmp/linear.txt" | { cat; echo "20s 0 print buf=x"; } | mktrace long
	"$GVT_STAT" energy --interval 1ms -i "$tmp/long.dat" >/dev/null 2>&1; echo $?)"

# compared
trace more seconds=8 more=2
# compared FILE QUERY: what jq finds in the comparison of linear with it
compared()
{
	"$GVT_STAT" compare --json "$tmp/linear.dat" "$tmp/$1.dat" >"$tmp/compared.json" 2>"$tmp/err"
	values "$2" "$tmp/compared.json"
}
is "compare: vGPU 2 draws 2 W more" '["higher","higher"]' "$(compared more '[.metrics[] | select(.vgpu_id == 2 and
	(.metric == "joules_per_workload" or .metric == "watts")) | .verdict]')"
told=$(compared more '[.metrics[] | select(.metric == "joules_per_workload" and .vgpu_id == 2)][0].a')
truth=$(energy linear '.shares[] | select(.vgpu_id == 2) | .joules_per_workload')
at_most "compare: a workload's joules are those of energy, off by percent" \
	"$(awk -v told="$told" -v truth="$truth" 'BEGIN { off = 100 * (told / truth - 1); print off < 0 ? -off : off }')" 3
is "compare: without samples in one, nothing of energy" '[false,0]' "$(compared none \
	'[(.metrics | length == 0), ([.metrics[] | select(.metric == "watts" or .metric == "joules_per_workload")] | length)]')"
is "compare: a vGPU whose energy is unknown" '[null,true]' "$("$GVT_STAT" compare --json "$tmp/lost.dat" "$tmp/only.dat" 2>/dev/null |
	values '[.metrics[] | select(.metric == "watts" and .vgpu_id == (3, 2)) | .b] | [.[1], .[0] > 0]')"
is "compare: a condition on it holds" "2 0 3" "$(for file in more linear none; do
	"$GVT_STAT" compare --fail-if 'energy>+20%' "$tmp/linear.dat" "$tmp/$file.dat" >/dev/null 2>&1
	echo $?
done | paste -sd ' ')"

# a VM that was restarted, as another vGPU with its UUID
{ echo "0 0 gvt_vgpu_info v=1 uuid=aa-1"; echo "0 0 gvt_vgpu_info v=2 uuid=aa-1"
  echo "0 0 gvt_vgpu_info v=3 uuid=aa-3"; cat "$tmp/linear.txt"; } | mktrace again
check "its coefficients are saved" "$GVT_STAT" energy -i "$tmp/again.dat" --save-coef "$tmp/coef.json"
is "and can be read: what it drew then and now" true "$(energy again '[.shares[] | select(.kind == "vgpu" or .kind == "host") | .joules] | add' \
	--coef "$tmp/coef.json" >"$tmp/told"; energy again '[.shares[] | select(.kind == "vgpu" or .kind == "host") | .joules] | add' |
	jq --slurpfile told "$tmp/told" '100 * ($told[0] / . - 1) | fabs < 0.5')"
is "its range holds both powers" true "$("$GVT_STAT" energy -i "$tmp/linear.dat" --json |
	jq --slurpfile coef "$tmp/coef.json" '$coef[0].powers["aa-1/rcs0"] as $power |
		[.engines[] | select(.engine == "rcs0" and (.vgpu_id == 1 or .vgpu_id == 2)) | .running_watts] |
		$power.watts > min and $power.watts < max and $power.bound_watts > (max - min) / 2')"

# parts of a trace
is "rows of one vGPU, and the whole" '["vgpu","idle","total"]' "$(energy linear '[.shares[].kind]' --vgpu 2)"
conserved "a window" linear --time 1,2
is "of one second" true "$(energy linear '.counter.covered_ns | . > 0.98e9 and . <= 1e9' --time 1,2)"
is "CSV has the same" "$(energy linear '[.engines[].joules | . * 1e6 | round] | add')" \
	"$("$GVT_STAT" energy --csv --columns joules -i "$tmp/linear.dat" | tr -d '\r' | awk 'NR > 1 { sum += sprintf("%.0f", $1 * 1e6) } END { print sum }')"

# no trace of it
# fails NAME FILE PATTERN [OPTION...]
fails()
{
	name=$1 file=$2 pattern=$3
	shift 3
	text=$("$GVT_STAT" energy -i "$tmp/$file.dat" "$@" 2>&1)
	is "$name: exit status" 1 $?
	matches "$name" "gvt-stat: $tmp/$file.dat: $pattern" "$text"
}
fails "no samples" none "has no samples of the GPU's energy counter: record with 'gvt-stat record --energy'"
awk '!/gvt_energy/ || !seen++' "$tmp/linear.txt" | mktrace one
fails "one sample" one "has only one sample *"
is "a few samples: nobody's energy is known, the sum is" '[null,null,null,null]' \
	"$(energy few '[.shares[] | select(.kind == "vgpu" or .kind == "host") | .joules]')"
is "nor that of idle time" null "$(energy few '.shares[] | select(.kind == "idle") | .joules')"
conserved "a few samples" few
sed 's/counter=[0-9]*/counter=77777/; s/edge_ns=[0-9]*/edge_ns=0/' "$tmp/linear.txt" | mktrace same
is "a counter that never changes: nobody has 0 J" '[null,null,null,null,null]' \
	"$(energy same '[.shares[] | select(.kind != "total") | .joules]')"
matches "and that is told" "*The counter did not change*" "$("$GVT_STAT" energy -i "$tmp/same.dat")"
matches "and that is told" "*too few intervals*" "$("$GVT_STAT" energy -i "$tmp/few.dat" | tr '\n' ' ' | tr -s ' ')"

sed 's/ v=3 / dev=1&/' "$tmp/linear.txt" | mktrace gpus
matches "several GPUs" "gvt-stat: */gpus.dat is of several GPUs: give one by --gpu, that whose energy was counted" \
	"$("$GVT_STAT" energy -i "$tmp/gpus.dat" 2>&1)"
is "one of them" '["host","idle","total","vgpu"]' "$(energy gpus '[.shares[].kind] | unique' --gpu 0)"
is "which alone has powers: one and three pairs less" "13 9" "$(energy linear .fit.powers) $(energy gpus .fit.powers --gpu 0)"

# lines of anybody
for word in counter=-1 counter=99999999999999999999 unit_nj=0 unit_nj=-3 unit_nj=nan unit_nj=1e400 unit_nj=1e-250 source= source=a/b \
	source=averyveryverylongname age_ns=-5 age_ns=99999999999999 counter=4294967296; do
	key=${word%%=*}
	sed "s|\(gvt_energy.*\)$key=[^~]*|\1$word|" "$tmp/linear.txt" | mktrace bad
	fails "$word" bad "has no samples of the GPU's energy counter, but damaged marks *"
done
{ cat "$tmp/linear.txt"; echo "9s 0 print buf=gvt_energy:~"; echo "9s 0 print buf=gvt_energy:~counter=5"
  echo "9s 0 print buf=gvt_energy:~counter=5~unit_nj=1000~source=other"; } | mktrace some
is "bad ones among them are not used, and told" "3 true" "$(energy some .counter.not_used) $(
	[ "$(energy some .shares)" = "$(energy linear .shares)" ] && echo true)"
{ echo "0 0 print buf=gvt_energy:~counter=5~unit_nj=1000~source=other"; cat "$tmp/linear.txt"; } | mktrace first
is "nor does the first one decide which counter it is" "1 true" "$(energy first .counter.not_used) $(
	[ "$(energy first .shares)" = "$(energy linear .shares)" ] && echo true)"
sed 's/~range=4294967296/&~new_word=7/' "$tmp/linear.txt" | mktrace newer
is "words of the future are" "$(energy linear .shares)" "$(energy newer .shares)"

# i915's counters: of 8 s, the first half in RC6, the other at 600 MHz
awk '/gvt_energy/ && !(n++ % 10) {
	at = $1 / 1e9
	$0 = $0 sprintf("~rc6_ns=%.0f~awake_ns=%.0f~mhz_s=%.0f", (at < 4 ? at : 4) * 1e9, (at < 4 ? 0 : at - 4) * 1e9, at < 4 ? 0 : (at - 4) * 600)
} 1' "$tmp/linear.txt" >"$tmp/gpu.txt"
mktrace gpu <"$tmp/gpu.txt"
is "RC6, awake and frequency" "[50,50,600]" "$(energy gpu '.gpu | map(round)')"
is "and nothing else is different" "$(energy linear .shares)" "$(energy gpu .shares)"
matches "for people, too" "*GPU: in RC6 for 50.* % of the time, kept awake by i915 for 49.* %, then at * MHz on average*" \
	"$("$GVT_STAT" energy -i "$tmp/gpu.dat" | tr '\n' ' ' | tr -s ' ')"
is "without them, unknown" "[null,null,null]" "$(energy linear '.gpu | map(.)')"
sed 's/rc6_ns=4000000000/rc6_ns=9000000000000000000/; s/~awake_ns=[0-9]*//' "$tmp/gpu.txt" | mktrace gpu
is "impossible ones are left out, and what depends on what is missing is unknown" "[true,null,null]" "$(energy gpu '.gpu | [(.rc6_percent < 51), .awake_percent, .mean_mhz]')"

# a tree per VM
tree=$tmp/tree
domain=$tree/vgpu-1/intel-rapl:0:1
"$GVT_STAT" energy --powercap "$tree" -i "$tmp/linear.dat" >/dev/null
is "--powercap: the domain of each vGPU" "uncore 9223372036854775807 3" \
	"$(cat "$domain/name") $(cat "$domain/max_energy_range_uj") $(find "$tree" -name energy_uj | wc -l)"
is "nothing that lacks what readers of powercap need" "energy_uj max_energy_range_uj name " \
	"$(find "$tree/vgpu-1" -type f -printf '%f\n' | sort | tr '\n' ' ')"
is "its joules" "$(energy linear '.shares[0].joules | . * 1e6 | round')" "$(cat "$domain/energy_uj")"
"$GVT_STAT" energy --powercap "$tree" -i "$tmp/linear.dat" >/dev/null
is "another recording adds to them" "$(energy linear '.shares[0].joules | . * 1e6 | round * 2')" "$(cat "$domain/energy_uj")"
before=$(cat "$domain/energy_uj")
matches "what is not known adds nothing" "*nothing is added for 'vgpu-1'*" \
	"$("$GVT_STAT" energy --powercap "$tree" --time 1,1.03 -i "$tmp/linear.dat" 2>&1)"
is "nothing at all" "$before" "$(cat "$domain/energy_uj")"
echo much >"$domain/energy_uj"

# a guest may write there: what it leaves is its own harm
harmed()
{
	before=$(cat "$tree/vgpu-2/intel-rapl:0:1/energy_uj")
	text=$(timeout 20 "$GVT_STAT" energy --powercap "$tree" -i "$tmp/linear.dat" 2>&1 >/dev/null)
	is "$1: exit status" 1 $?
	matches "$1: told" "gvt-stat: warning: --powercap: $domain: * J are not added: $2" "$text"
	is "$1: others have theirs" "$((before + one))" "$(cat "$tree/vgpu-2/intel-rapl:0:1/energy_uj")"
}
one=$(energy linear '.shares[] | select(.vgpu_id == 2) | .joules | . * 1e6 | round')
harmed "no number" "energy_uj is no number of uJ: remove it*"
rm "$domain/energy_uj"
mkfifo "$domain/energy_uj"
harmed "a pipe" "energy_uj is no number of uJ: remove it*"
rm "$domain/energy_uj"
echo 7 >"$tmp/elsewhere"
ln -s "$tmp/elsewhere" "$domain/energy_uj"
harmed "a link" "*"
rm -r "$domain"
mkdir "$tmp/outside"
ln -s "$tmp/outside" "$domain"
harmed "a link to another directory" "*"
is "which stays as it is" "" "$(ls "$tmp/outside")"
rm "$domain"

rm -r "$tree"
for _ in 1 2 3 4 5 6 7 8; do
	"$GVT_STAT" energy --powercap "$tree" -i "$tmp/linear.dat" >/dev/null &
done
wait
is "eight at once" "$((8 * one))" "$(cat "$tree/vgpu-2/intel-rapl:0:1/energy_uj")"
is "nothing else is left there" 9 "$(find "$tree" -type f | wc -l)"
rm -r "$tree"
"$GVT_STAT" energy --powercap "$tree" --save-coef "$tmp/none/coef" -i "$tmp/linear.dat" >/dev/null 2>&1
is "a call that fails adds nothing" 1 "$([ -e "$tree" ]; echo $?)"
for name in ../../up:_._.._up ..:_.; do
	rm -rf "$tree"
	{ echo "0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm=${name%:*}"
	  echo "0 0 gvt_vgpu_info v=1 weight=1 type=V5_8 uuid=aa-1 owner_pid=100"; cat "$tmp/linear.txt"; } | mktrace named
	"$GVT_STAT" energy --powercap "$tree" -i "$tmp/named.dat" >/dev/null 2>&1
	is "a VM named ${name%:*} stays inside" "${name#*:} vgpu-2 vgpu-3 " "$(find "$tree" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' ')"
done

# reads of the register by others, two for each update
awk 'NR == 1 { print; print "0 0 read_msr msr=1542 val=658947"; print "0 0 read_msr msr=1601 val=3 failed=1"; next }
	match($0, /counter=[0-9]+/) {
		count = substr($0, RSTART + 8, RLENGTH - 8)
		printf "%.0f 0 read_msr msr=1601 val=%.0f\n", $1 - 5000, count - 1
		printf "%.0f 0 read_msr msr=1601 val=%.0f\n", $1 - 1000, count + 4294967296 * 3
		next
	} 1' "$tmp/linear.txt" | sort -s -n -k 1,1 >"$tmp/reads.txt"
mktrace reads <"$tmp/reads.txt"
conserved "reads by others" reads
at_most "reads by others: worst vGPU in percent" "$(worst reads)" 1
is "they are told from our own" '"msr:read_msr"' "$(energy reads .counter.source)"
{ cat "$tmp/reads.txt"; echo "9s 0 print buf=gvt_energy:~counter=5~unit_nj=1~source=msr"; } | mktrace both
is "one mark of our own is none" '"msr:read_msr"' "$(energy both .counter.source)"
sort -s -n -k 1,1 "$tmp/linear.txt" "$tmp/reads.txt" | uniq | mktrace both
is "several are believed" "$(energy linear .shares)" "$(energy both .shares)"
grep -v msr=1542 "$tmp/reads.txt" | mktrace unit
fails "reads without a unit" unit "has reads of register 0x641, but none of 0x606, *"
{ grep -v msr=1542 "$tmp/reads.txt"; echo "9s 0 read_msr msr=1542 val=658947"; } | mktrace late
is "the unit may come last" "$(energy reads .shares)" "$(energy late .shares)"

# where record would read
# refuses PATTERN: record --energy says so, of a host of files
refuses()
{
	matches "record --energy: $1" "gvt-stat: --energy: the GPU's energy counter cannot be read: $1" \
		"$("$GVT_STAT" record --energy --sysroot "$root" none -e sched -o "$tmp/none.dat" 2>&1)"
}
host
refuses "perf: *has no event energy-gpu in joules (modprobe rapl*; powercap: *has no zone uncore (modprobe intel_rapl_msr); msr: */dev/cpu/0/msr: No such file or directory (modprobe msr, run as root)"
zone=$root/sys/class/powercap/intel-rapl:0:1
mkdir -p "$zone"
echo uncore >"$zone/name"
echo many >"$zone/max_energy_range_uj"
refuses "*powercap: */max_energy_range_uj is no number*"
echo 262143328850 >"$zone/max_energy_range_uj"
refuses "*powercap: */energy_uj: No such file or directory (run as root*"
echo much >"$zone/energy_uj"
refuses "*powercap: its counter cannot be read*"
mkdir -p "$root/dev/cpu/0"
truncate -s 4096 "$root/dev/cpu/0/msr"
refuses "*msr: *has no register 0x641, or it is 0*"
is "usage: --energy=0" 129 "$("$GVT_STAT" record --energy=0 2>/dev/null; echo $?)"
is "usage: --energy=1001" 129 "$("$GVT_STAT" record --energy=1001 2>/dev/null; echo $?)"

finish
