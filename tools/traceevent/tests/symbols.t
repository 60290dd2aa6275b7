#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the plugin takes from and gives to the programs that load it: plugins are
# loaded into one name space, and perf exports only a part of libtraceevent.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need nm binutils
plugin=$PLUGIN_DIR/plugin_gvt.so

is "exports its two entry points only" "tep_plugin_loader tep_plugin_unloader" \
	"$(nm -D --defined-only "$plugin" | awk '{ print $3 }' | sort | xargs)"
is "is not linked with a libtraceevent of its own" "" "$(readelf -d "$plugin" | grep 'NEEDED.*traceevent')"

nm -D --undefined-only "$plugin" | awk '{ print $2 }' | grep -e '^tep_' -e '^trace_seq_' | sort >"$tmp/needs"
if perf=$(command -v perf) && nm -D --defined-only "$perf" 2>/dev/null | grep -q tep_; then
	nm -D --defined-only "$perf" | awk '{ print $3 }' | sort >"$tmp/has"
	is "needs nothing that perf does not export" "" "$(comm -23 "$tmp/needs" "$tmp/has")"
else
	skip "needs nothing that perf does not export" "no perf with a libtraceevent of its own; install linux-perf"
fi
finish
