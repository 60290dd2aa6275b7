#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-kernel refuses early what it cannot build. Building takes too long for
# a test.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

build=$top/scripts/build-kernel

fails "a base without patches" "no patches for Linux 5\.10; there are: 6\.1 6\.12 " "$build" 5.10
fails "a base without a configuration" "no small configuration for Linux 6\.1; give one" "$build" 6.1
fails "a missing configuration" "no configuration file $tmp/none" "$build" --config "$tmp/none"
fails "the same from the environment" "no configuration file $tmp/none" env CONFIG="$tmp/none" "$build"
fails "an unknown option" "unknown option '-x'" "$build" -x
mkdir -p "$tmp/top/patches/linux-1.0" "$tmp/top/scripts" && cp "$build" "$top/scripts/die.sh" "$tmp/top/scripts/" && touch "$tmp/top/patches/linux-1.0/series" "$tmp/top/patches/linux-1.0/config"
fails "a base without debug configuration" "no debug configuration for Linux 1\.0" "$tmp/top/scripts/build-kernel" --debug 1.0
check "--help" "$build" --help
finish
