# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of scripts share; to be sourced.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=tap.sh
. "$top/scripts/tap.sh"

# fails NAME PATTERN COMMAND...: the command must exit with 1 and print one line,
# which matches the extended regular expression.
fails() {
	local status=0
	"${@:3}" >"$tmp/output" 2>&1 || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/output")" -eq 1 ] && grep -qE "$2" "$tmp/output"
	result $? "$1"
}

# What such a test depends on
kept_inputs() {
	git --version
	patch --version
	printf '%s\n' "$@"
	sha256sum <"$0"
	(cd "$top" && find scripts/* patches drivers Documentation/{gpu,ABI} selftests Kbuild \
		-path scripts/tests/\*.t -prune -o -type f -print0 | sort -z | xargs -0 sha256sum)
}

# keep INPUT...: for a test of the series that takes minutes of a CPU's time: if it has
# passed with the same inputs, this prints what it said then, and ends. Call it first.
# FRESH= runs it again.
keep() {
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/gvt/tests kept
	[ -z "${keeping-}" ] || return 0
	kept=$cache/$(kept_inputs "$@" | sha256sum | cut -c 1-64)
	if [ -f "$kept" ] && [ -z "${FRESH+y}" ]; then
		cat "$kept"
		echo "# nothing has changed since the run of $(date -r "$kept" '+%F %T')"
		exit 0
	fi
	mkdir -p "$cache"
	keeping=y bash "$0" | tee "$tmp/tap"
	[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
	cp "$tmp/tap" "$kept.tmp"
	mv "$kept.tmp" "$kept"
	exit 0
}
