#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apt-query remembers what apt-cache said, no longer than it may.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# apt WORD: an apt-cache that says WORD and its arguments, or fails
apt() {
	cat >"$tmp/bin/apt-cache" <<-END
		#!/bin/sh
		echo asked >>"$tmp/asked"
		echo "$1 \$*"
		[ "$1" != broken ]
	END
	chmod +x "$tmp/bin/apt-cache"
	: >"$tmp/asked"
}

# says TEXT TIMES ARGUMENT...: the answer, and how often apt-cache was asked by then
says() {
	local text=$1 times=$2
	shift 2
	[ "$(PATH="$tmp/bin:$PATH" XDG_CACHE_HOME="$tmp/cache" "$top/scripts/apt-query" "$@" 2>&1)" = "$text" ] &&
		[ "$(wc -l <"$tmp/asked")" -eq "$times" ]
}

fails_clean() {
	! PATH="$tmp/bin:$PATH" XDG_CACHE_HOME="$tmp/cache" "$top/scripts/apt-query" "$@" 2>/dev/null &&
		[ -z "$(find "$tmp/cache" -type f -name 'part.*')" ]
}

mkdir "$tmp/bin"
apt one
check "the first answer is apt-cache's" says "one policy a" 1 policy a
check "the second one is remembered" says "one policy a" 1 policy a
check "another question is asked" says "one policy b" 2 policy b
check "arguments are told apart" says "one policy b" 3 "policy b"
apt other
check "nothing is remembered when apt has changed" says "other policy a" 1 policy a
apt broken
check "a failure is passed on" fails_clean policy a
check "and not remembered" says "" 2 policy a
finish
