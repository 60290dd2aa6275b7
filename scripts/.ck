#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Print which kernels the series serve; see usage() below.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=die.sh
. "$top/scripts/die.sh"

MIXTURES=4

usage() {
	cat <<-END
	usage: check-kernels [--boot] [--trees DIR] [KERNEL]...

	Tries every kernel with GVT-g that Debian offers for 12, 13, its backports and sid
	(or each KERNEL), and prints a table: which base's series served it, whether the series
	applies to the kernel's own source, whether kvmgt.ko builds, how many symbol versions are
	the kernel's, and whether the rig booted it. Then the releases of Linux that no package
	of Debian has: those whose source is at hand, and of the others some mixtures of the
	releases before and after (mix-trees). "n/a" stands for what cannot be tried
	(no headers, no source in that version, no symbol versions in that kernel), "-" for
	what was not tried.

	Fails if a kernel that can be tried is not served. What was built before and has not
	changed is not built again. The first time, sources of some gigabytes are downloaded.

	  --boot       boot each kernel on the rig, too
	  --trees DIR  try the source trees DIR/RELEASE (6.17, 6.18 ...) for the second part; without
	               it, what the series' "# serves:" lines have is printed in brackets
	  --help       show this text
	END
}

# Prints the releases of kernels: stock ones, not those for real time or the cloud (which has
# no GVT-g).
offered() {
	local other
	for other in '' --other; do
		"$top/scripts/apt-for" $other linux-source "$top/scripts/apt-query" search --names-only '^linux-headers-[0-9].*-amd64$'
	done | sed -n 's/^linux-headers-\([0-9.]*[-+][^ ]*-amd64\) .*/\1/p' | grep -vE -- '-(rt|cloud)-' | sort -Vu
}

# Prints the column of a boot.
boot() {
	if [ -z "$boot" ]; then
		echo -
	elif RIG_KERNEL=$1 "$top/tools/rig/tests/boot.t" >"$work/boot" 2>&1 && ! grep -q '^not ok' "$work/boot"; then
		echo yes
	else
		echo NO
	fi
}

# row KERNEL: prints its line
row() {
	local kernel=$1 version source base symbols
	version=$("$top/scripts/kernel-headers" --version "$kernel" 2>"$work/log") || {
		echo "$kernel n/a - n/a n/a n/a n/a"
		return
	}
	source=$("$top/scripts/kernel-source" --module "$(cut -d. -f1,2 <<<"$kernel")=$version" 2>"$work/log") || {
		echo "$kernel $version - n/a n/a n/a n/a"
		return
	}
	base=$("$top/scripts/apply-series" --find "$source" 2>"$work/log" | head -n 1)
	[ -n "$base" ] || {
		echo "check-kernels: $kernel: $(tail -n 1 "$work/log")" >&2
		echo "$kernel $version - NO - - -"
		return
	}
	"$top/scripts/build-kvmgt" "$kernel" >"$work/log" 2>&1 || {
		echo "check-kernels: $kernel: $(tail -n 1 "$work/log")" >&2
		echo "$kernel $version $base yes NO - -"
		return
	}
	symbols=$(cat "${O:-$top/build}/kvmgt/$kernel/symbols")
	[ "$symbols" != 0 ] || symbols=n/a
	echo "$kernel $version $base yes yes $symbols $(boot "$kernel")"
}

# fitting TREE: prints the base that serves it, or says why none does
fitting() {
	"$top/scripts/apply-series" --find "$1" 2>"$work/log" | head -n 1 | grep . ||
		{ echo "check-kernels: $release: $(tail -n 1 "$work/log")" >&2; return 1; }
}

# tree RELEASE: prints where its source is, if it is at hand
tree() {
	if [ -d "$trees/$1" ]; then
		echo "$trees/$1"
	elif grep -qx "# serves: $1 tested" "$top"/patches/linux-*/series; then
		"$top/scripts/kernel-source" --module "$1" 2>/dev/null
	else
		return 1
	fi
}

# In 6.1 is what 6.2 has of the first patches of the series: then the mixtures can be
# what was released.
prepare() {
	local patch
	if [ "$1" != 6.1 ] || [ -d "$work/prepared" ]; then
		return
	fi
	mkdir -p "$work/prepared/drivers/gpu/drm/i915"
	cp -Lr "$2/drivers/gpu/drm/i915/gvt" "$work/prepared/drivers/gpu/drm/i915/"
	"$top/scripts/base-series" 6.1 "$work/6.1"
	for patch in "$work"/6.1/only-000[23]-*; do
		patch -s -p1 -d "$work/prepared" <"$patch"
	done
}

# mixed OLDER NEWER: tries mixtures of the two releases, prints the base of the first and how
# many there is a series for
mixed() {
	local older newer nr count=0 base one
	older=$(tree "$1") && newer=$(tree "$2") || return
	prepare "$1" "$older"
	[ "$1" != 6.1 ] || older=$work/prepared
	for ((nr = 1; nr <= MIXTURES; nr++)); do
		rm -rf "$work/mixed"
		# others for each release
		"$top/scripts/mix-trees" "${release/./}$nr" "$older" "$newer" "$work/mixed"
		one=$(fitting "$work/mixed") || continue
		base=${base:-$one}
		count=$((count + 1))
	done
	echo "${base:--} $([ "$count" -eq "$MIXTURES" ] || echo NO:)$count/$MIXTURES"
}

# neighbours RELEASE: the ones before and after that have been tried themselves
neighbours() {
	awk -v release="$1" '
		$2 == release { found = 1 }
		$3 == "between" { next }
		found { print older, $2; exit }
		{ older = $2 }' "$work/serves"
}

# Prints the lines of releases of Linux that Debian does not have.
upstream() {
	local release base how older newer
	grep -H '^# serves: ' "$top"/patches/linux-*/series | sed 's:.*/linux-\(.*\)/series.# serves\: :\1 :' |
		sort -V -k 2,2 >"$work/serves"
	while read -r base release how; do
		[ "$how" != tested ] || continue
		read -r older newer < <(neighbours "$release")
		if [ -d "$trees/$release" ]; then
			echo "Linux-$release $release $(fitting "$trees/$release" | sed 's/$/ yes/' | grep . || echo "- NO") n/a n/a n/a"
		elif [ "$how" = between ] && [ -d "$trees" ] && base=$(mixed "$older" "$newer"); then
			echo "Linux-$release $older..$newer $base n/a n/a n/a"
		else
			echo "Linux-$release $release $base ($how) n/a n/a n/a"
		fi
	done <"$work/serves"
}

boot=
trees=/nonexistent
while [ $# -gt 0 ]; do
	case $1 in
	--help) usage; exit 0 ;;
	--boot) boot=y ;;
	--trees) shift; trees=${1:?check-kernels: --trees needs a directory} ;;
	-*) die "unknown option '$1'; see --help" ;;
	*) break ;;
	esac
	shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	echo "KERNEL VERSION BASE APPLIES BUILDS SYMBOLS BOOTED"
	if [ $# -gt 0 ]; then
		for kernel; do
			row "$kernel"
		done
	else
		for kernel in; do
			row "$kernel"
		done
		upstream
	fi
} | tee "$work/table" | while read -r kernel version base applies builds symbols booted; do
	printf '%-26s %-24s %-6s %-9s %-7s %-8s %s\n' "$kernel" "$version" "$base" "$applies" "$builds" "$symbols" "$booted"
done
! grep -q ' NO' "$work/table"
