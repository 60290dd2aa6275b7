#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# policy and top on hosts whose files hold anything: status 0, or 1 with one
# line on stderr, and no report of a sanitizer
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

export ASAN_OPTIONS=detect_leaks=0
hosts=${HOSTS:-12}

# what files of sysfs may hold, and what they may not; printf's escapes
texts='
[
]
[]
[] [] []
[a] [b]
-
-9223372036854775808
9223372036854775807
99999999999999999999999999
0x10
1e9
%s%n%d
\033[2J\007
\377\376\300\200
\000\000\000
a\nb\nc
   
'

# a number below $1 from a sequence that is the same on every machine
random()
{
	state=$(((state * 1103515245 + 12345) % 2147483648))
	echo $((state / 65536 % $1))
}

# line N of stdin, the last one if there are fewer
pick()
{
	sed -n "$1{p;q}"
}

# damage a file: a text of the list, many bytes, empty, a directory, or gone
damage()
{
	case $2 in
	0) rm -f "$1" ;;
	1) : >"$1" ;;
	2) head -c 70000 /dev/zero | tr '\0' '[' >"$1" ;;
	3) rm -f "$1" && mkdir -p "$1" ;;
	*)
		# shellcheck disable=SC2059 # the text is a format
		printf "$(printf '%s\n' "$texts" | pick "$(($2 - 2))")" >"$1" 2>/dev/null
		;;
	esac
}

# tell COMMAND...: a line for whatever is wrong
tell()
{
	"$GVT_STAT_SANITIZED" "$@" --sysroot "$root" >"$tmp/stdout" 2>"$tmp/stderr"
	status=$?
	lines=$(wc -l <"$tmp/stderr")
	case $status,$lines in
	0,0 | 1,1) ;;
	*)
		echo "host $nr: $*: status $status: $(head -n 3 "$tmp/stderr")"
		return
		;;
	esac
	if [ $status -eq 0 ] && [ "$2" = --json ]; then
		jq . "$tmp/stdout" >/dev/null 2>&1 || echo "host $nr: $*: no JSON"
	fi
	if LC_ALL=C grep -q '[[:cntrl:]]' "$tmp/stdout" "$tmp/stderr"; then
		echo "host $nr: $*: unprintable"
	fi
}

state=1
bad=$(for nr in $(seq "$hosts"); do
	host
	vgpu 1
	vgpu 2
	process 4711 qemu qemu -name guest=a -device "vfio-pci,sysfsdev=$(uuid 1)"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		state=$((state + nr))
		file=$(find "$root" -type f | sort | pick "$((1 + $(random 45)))")
		state=$(((state * 1103515245 + 12345) % 2147483648))
		[ -z "$file" ] || damage "$file" "$(random 22)"
		state=$(((state * 1103515245 + 12345) % 2147483648))
	done
	# what is told before and after a change has all of the later texts
	damage "$pci/gvt_sched/carry_over" "$((10 + nr % 13))"
	tell policy --json
	tell policy fair carry_over=0
	tell policy --vgpu 2 nice=1
	tell status --json --interval 0.01
	tell top --json -n 1 --interval 0.01
	tell top --plain -n 1 --interval 0.01
done)
is "$hosts hosts with damaged files" "" "$bad"

finish
