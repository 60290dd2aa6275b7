# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests share: TAP output, and traces from short descriptions.
# Set by the Makefile: GVT_STAT, MKTRACE, FORMATS (directories of event formats).

set -u
export LC_ALL=C

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

# result STATUS NAME: one TAP line
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=$((failed + 1))
	fi
}

skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# is NAME EXPECTED GOT
is()
{
	if [ "$2" = "$3" ]; then
		result 0 "$1"
		return
	fi
	result 1 "$1"
	printf '%s\n' "$2" | sed 's/^/# expected: /'
	printf '%s\n' "$3" | sed 's/^/# got:      /'
}

# matches NAME PATTERN TEXT: a shell pattern
matches()
{
	# shellcheck disable=SC2254 # a pattern is what is wanted
	case $3 in
	$2) result 0 "$1" ;;
	*) is "$1" "$2" "$3" ;;
	esac
}

finish()
{
	echo "1..$count"
	exit $((failed != 0))
}

# expand: short names of events and fields, to keep descriptions readable; the scheduler's
# events are about all engines unless they tell which
expand()
{
	sed -E -e 's/ (queue|submit|start|stop|complete|cancel)( |$)/ gvt_workload_\1\2/' \
	       -e 's/ (switch|balance)( |$)/ gvt_sched_\1\2/' \
	       -e 's/ v=/ vgpu_id=/; s/ w=/ workload_id=/; s/ c=/ class=/; s/ done=/ completed=/' \
	       -e 's/ prev=/ prev_vgpu_id=/; s/ next=/ next_vgpu_id=/' \
	       -e '/ gvt_sched_(switch|balance|hold) /{ / class=/!s/$/ class=-1 instance=-1/; }'
}

# mktrace NAME <description: makes $tmp/NAME.dat
mktrace()
{
	# shellcheck disable=SC2086 # FORMATS holds several options
	if ! expand | "$MKTRACE" $FORMATS -o "$tmp/$1.dat"; then
		echo "Bail out! cannot make $1.dat"
		exit 1
	fi
}

# values QUERY [FILE]: what jq finds, with numbers as numbers: jq 1.7 would print 30.0 as it
# was written, jq 1.6 as 30
values()
{
	filter=$1
	shift
	jq -c "($filter) | walk(if type == \"number\" then . + 0 else . end)" "$@"
}

# json NAME QUERY [OPTION...]: what jq finds in the report on $tmp/NAME.dat
json()
{
	file=$1 wanted=$2
	shift 2
	"$GVT_STAT" report --json -i "$tmp/$file.dat" "$@" >"$tmp/out.json" &&
		values "$wanted" "$tmp/out.json"
}

# workloads NAME COLUMNS [OPTION...]: these columns of the CSV list, header left out
workloads()
{
	file=$1 columns=$2
	shift 2
	"$GVT_STAT" workloads --csv -i "$tmp/$file.dat" "$@" 2>"$tmp/err" | tr -d '\r' |
		awk -F, -v want="$columns" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, names, ","); next }
		{ line = $at[names[1]]; for (i = 2; i <= n; i++) line = line "," $at[names[i]]; print line }'
}
