# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# How scripts end with an error; to be sourced.

# die MESSAGE...: one line on stderr that begins with the program's name, and status 1
die() {
	echo "${0##*/}: $*" >&2
	exit 1
}
