# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests share: traces from short descriptions, and what gvt-stat says of them.

set -u
export LC_ALL=C PAGER=cat

# set_environment TOP: names what the tests run, where the environment does not: see environment
set_environment()
{
	formats="-F $1/tools/traceevent/formats -F $1/tools/gvt-stat/tests/formats"
	: "${FORMATS:=$formats}" "${GVT_STAT_BUILD:=$1/build/gvt-stat}"
	export FORMATS
	while read -r variable path; do
		case $variable in
		'#'*) ;;
		*)
			path=$(realpath -m -s "$GVT_STAT_BUILD/$path")
			eval "export $variable=\"\${$variable:-\$path}\""
			;;
		esac
	done <"$1/tools/gvt-stat/tests/environment"
}
set_environment "$(CDPATH='' cd "$(dirname "$0")/../../.." && pwd)"

# shellcheck source-path=SCRIPTDIR/../../../scripts source=tap.sh
. "$(dirname "$0")/../../../scripts/tap.sh"

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
	[ -x "$MKTRACE" ] || bail "$MKTRACE is missing: make -C tools/gvt-stat test-programs"
	# shellcheck disable=SC2086 # FORMATS holds several options
	if ! expand | "$MKTRACE" $FORMATS -o "$tmp/$1.dat"; then
		bail "cannot make $1.dat"
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
	"$GVT_STAT" list workloads --csv -i "$tmp/$file.dat" "$@" 2>"$tmp/err" | tr -d '\r' |
		awk -F, -v want="$columns" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, names, ","); next }
		{ line = $at[names[1]]; for (i = 2; i <= n; i++) line = line "," $at[names[i]]; print line }'
}
