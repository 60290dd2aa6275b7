# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh disable=SC2034	# the tests use these variables
#
# Common part of the shell tests. From the Makefile: PLUGIN_DIR, MKTRACE.

set -u
export LC_ALL=C
# no plugins of the user's
export HOME=/nonexistent

here=$(cd "$(dirname "$0")/.." && pwd)
formats=$here/formats
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0

ok() {
	number=$((number + 1))
	echo "ok $number - $1"
}

not_ok() {
	number=$((number + 1))
	echo "not ok $number - $1"
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# is NAME EXPECTED GOT
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
		return
	fi
	not_ok "$1"
	echo "$2" | sed 's/^/# expected: /'
	echo "$3" | sed 's/^/# got:      /'
}

# has NAME TEXT GOT - the text is a part of it
has() {
	case $3 in
	*"$2"*) ok "$1" ;;
	*) is "$1" "...$2..." "$3" ;;
	esac
}

finish() {
	echo "1..$number"
}

need() {
	command -v "$1" >/dev/null || skip_all "no $1; install $2"
}

# mktrace FILE [FORMATS] < description
mktrace() {
	"$MKTRACE" -F "${2:-$formats}" -o "$1" || {
		echo "Bail out! cannot make $1"
		exit 1
	}
}

# report FILE [OPTION]... - the events' text only, by trace-cmd with the plugin
report() {
	file=$1
	shift
	TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd report -i "$file" "$@" 2>"$tmp/stderr" |
		sed -n 's/^.*: gvt_[a-z_]*: *//p'
}
