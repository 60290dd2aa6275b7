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
# shellcheck source-path=SCRIPTDIR/../../../scripts source=tap.sh
. "$here/../../scripts/tap.sh"

# mktrace FILE [FORMATS] < description
mktrace() {
	"$MKTRACE" -F "${2:-$formats}" -o "$1" || {
		bail "cannot make $1"
	}
}

# report FILE [OPTION]... - the events' text only, by trace-cmd with the plugin
report() {
	file=$1
	shift
	TRACEEVENT_PLUGIN_DIR=$PLUGIN_DIR trace-cmd report -i "$file" "$@" 2>"$tmp/stderr" |
		sed -n 's/^.*: gvt_[a-z_]*: *//p'
}
