#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command lines of the rig's README are true: a run is checked as far as its digest, which builds all
# that it boots; what reads results reads those of the smallest scenario.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

build=$(realpath -m "${O:-$top/build}")
[ -x "$build/gvt-stat/gvt-stat" ] || bail "gvt-stat is not built: make build-tools"
kver=$("$top/scripts/kernel-version")
package=$("$top/scripts/kernel-image" "$kver") || bail "no kernel"

# What the lines name: a checkout, results, a kernel that somebody has built, a home
stage() {
	mkdir -p "$work/build/rig" "$work/arch/x86/boot" "$work/home"
	ln -s "$package/boot/vmlinuz-$kver" "$work/arch/x86/boot/bzImage"
	printf '#!/bin/sh\n' >"$work/probe"
	ln -s "$build/gvt-stat" "$work/build/gvt-stat"
	sed -n '/^`joules` plays/,/^`rig verify/p' "$top/tools/rig/README.md" | sed '/^```$/d; /^`/d; /./,$!d' >"$work/joules"
	export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache}
	export O=$build HOME=$work/home PATH=$build/gvt-stat:$PATH EDITOR=cat
}

# lines: those of examples, without what is said of them
lines() {
	sed -n 's/^    \([$a-z]\)/\1/p' "$top/tools/rig/README.md" | sed 's/  *#.*//'
}

# try LINE
try() {
	local line=${1//\/tmp\/modules/$package}
	case $line in
	"tools/rig/rig run "*) line+=" --digest" ;;
	tools/rig/soak/hard*) line+=" --help" ;;
	esac
	(cd "$work" && eval "$(sed -E "s#(^|[ (])(tools|scripts)/#\1$top/\2/#g" <<<"$line")")
}

stage
check "the smallest scenario" "$rig" run "$(dirname "$0")/quick.conf" --out "$work/build/rig/two-guests"
while read -r line; do
	check "$line" try "$line"
done < <(lines)
check "there are lines" [ "$(lines | wc -l)" -gt 12 ]

# targets: what the text says of make, but for the kernel's own
targets() {
	grep -o '`make [^`]*`' "$top/tools/rig/README.md" | tr -d '`' | grep -v modules_install | sort -u
}

dry_make() {
	(cd "$top" && eval "${1/make/make -n}")
}

while read -r line; do
	check "$line" dry_make "$line"
done < <(targets)
finish
