#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What 'make install' and the packages bring is complete, and says the same of
# itself everywhere.
set -u
# shellcheck source=scripts/tests/lib.sh
. "$(dirname "$0")/lib.sh"

version=$("$top/scripts/version")
# always the same place, which ccache knows
stage=${O:-$top/build}/packaging-test
rm -rf "$stage"
tree=$stage/usr/src/gvt-sched-$version
kver=$("$top/scripts/kernel-version") || exit 1
plugins=$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins
# as KernelShark's library says, if it is there
kshark=$(pkg-config --variable=libdir libkshark 2>/dev/null)/kernelshark/plugins
# make sets it for the suite that this test is part of
unset MAKEFLAGS MFLAGS MAKELEVEL O

make_install() {
	make -s -C "$top/$1" install DESTDIR="$stage" PREFIX="$2" "${@:3}"
}

# holds DIR PATTERN...: each matches files below the stage
holds() {
	local pattern
	for pattern in "${@:2}"; do
		compgen -G "$stage$1/$pattern" >/dev/null || { echo "no $1/$pattern"; return 1; }
	done
}

# Nothing but what belongs there
outside() {
	find "$stage" -type f ! -path "$stage/opt/gvt/*" ! -path "$stage$plugins/*" ! -path "$stage$kshark/*" ! -path "$stage/lib/modules/*" | grep . && return 1
	return 0
}

each_base() {
	local base
	for base in "$top"/patches/linux-*/series; do
		base=${base%/series}
		"$@" "${base##*/linux-}" || return 1
	done
}

# has_files TREE BASE: its series and what that names, as apply-series reads it ("+
# DESTINATION [SOURCE]")
has_files() {
	local file missing=0
	rm -rf "$tmp/series"
	"$1/scripts/base-series" "$2" "$tmp/series" || return 1
	for file in $(sed -n 's/^+ //p' "$tmp/series/series" | awk '{ print $NF }'); do
		[ -e "$1/$file" ] || { echo "no $file"; missing=1; }
	done
	return $missing
}

# has_scripts TREE: those that its own scripts call
has_scripts() {
	local script missing=0
	while read -r script; do
		[ -e "$1/scripts/$script" ] || { echo "no scripts/$script"; missing=1; }
	done < <(grep -rhoE 'top/scripts/[a-z.-]+' "$1" | sed 's|.*/||' | sort -u)
	return $missing
}

# takes_base BASE: dkms.conf lets DKMS build for a kernel of it
takes_base() {
	local pattern
	pattern=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"/\1/p' "$tree/dkms.conf")
	grep -qE "$pattern" <<<"$1.3+deb-amd64" && ! grep -qE "$pattern" <<<"${1}0.3-amd64" && ! grep -qE "$pattern" <<<"5.10.0-1-amd64"
}

# The installed tree builds alone: with its own scripts and files
applies() {
	local source
	source=$("$top/scripts/kernel-source") && mkdir -p "$tmp/linux" && cp -r "$source/." "$tmp/linux" &&
		"$tree/scripts/apply-series" "$tmp/linux"
}

# as gvt-sched-dkms does for a kernel that is not Debian's
builds() {
	O=$stage/out "$tree/scripts/build-kvmgt" --headers "$("$top/scripts/kernel-headers" "$kver")" \
		--source "$("$top/scripts/kernel-source")" --module-version "$version" "$kver" &&
		[ "$(/sbin/modinfo -F version "$stage/out/kvmgt/$kver/kvmgt.ko")" = "$version" ]
}

rig_lists() {
	[ "$("$tmp/rig/bin/gvt-rig" list | awk '{ print $1 }')" = "$("$top/tools/rig/rig" list | awk '{ print $1 }')" ]
}

# Prints file and licence by debian/copyright: the last paragraph that matches
declared() {
	perl -e '
		local $/ = "";
		open my $in, "<", shift or die; my @rules;
		while (<$in>) {
			next unless /^Files:\s*(.*?)\n(?=\S)/ms;
			my @globs = split " ", $1;
			my ($licence) = /^License: (\S+)/m;
			push @rules, [join("|", map { s/([.+])/\\$1/g; s/\*/.*/g; $_ } @globs), $licence];
		}
		$/ = "\n";
		while (<STDIN>) {
			chomp; my $file = $_; my $licence;
			$file =~ /^(?:$_->[0])$/ and $licence = $_->[1] for @rules;
			print "$file $licence\n";
		}' "$top/debian/copyright"
}

# Prints file and licence by the files themselves, in debian/copyright's words
said() {
	while read -r file; do
		sed -n '1,3s/.*SPDX-License-Identifier: \([A-Za-z0-9.-]*\).*/\1/p' "$top/$file" | head -n 1 |
			sed "s/-only//; s/-or-later/+/; s/\.0//; s|^|$file |"
	done
}

licences_agree() {
	git -C "$top" ls-files >"$tmp/files"
	said <"$tmp/files" >"$tmp/said"
	cut -d ' ' -f 1 "$tmp/said" | declared >"$tmp/declared"
	[ -s "$tmp/said" ] && diff "$tmp/said" "$tmp/declared"
}

build_depends() {
	local package
	for package in $("$top/scripts/deps" tools kernelshark); do
		case $package in gcc | g++ | make) continue ;; esac # build-essential
		sed -n '/^Build-Depends:/,/^[A-Z]/p' "$top/debian/control" | tail -n +2 |
			cat - <(sed -n 's/^Build-Depends://p' "$top/debian/control") | grep -qE "(^|[ ,])$package(,|\$)" ||
			{ echo "debian/control does not build-depend on $package"; return 1; }
	done
}

"$top/scripts/build-kvmgt" "$kver" >"$tmp/output" 2>&1
check "make install DESTDIR= PREFIX=" make_install . /opt/gvt "KVER=$kver"
check "gvt-stat with its man pages and completion" holds /opt/gvt bin/gvt-stat share/man/man1/gvt-stat.1 \
	share/bash-completion/completions/gvt-stat
pages=("$top"/tools/gvt-stat/gvt-stat*.1)
check "a man page for each command that has one here" holds /opt/gvt/share/man/man1 \
	"${pages[@]##*/}"
check "the plugin where libtraceevent looks, and its man page" holds "" "$plugins/plugin_gvt.so" \
	/opt/gvt/share/man/man7/plugin_gvt.7
if pkg-config --exists libkshark; then
	check "the plugin where KernelShark looks, and its man page" holds "" "$kshark/plugin-gvt.so" \
		/opt/gvt/share/man/man7/plugin-gvt.7
else
	skip "the plugin where KernelShark looks, and its man page" "no libkshark-dev"
fi
check "kvmgt.ko" holds "/lib/modules/$kver" updates/kvmgt.ko
check "nothing else outside PREFIX" outside

check "the source for DKMS" make_install packaging/dkms /usr
check "has all files of all series" each_base has_files "$tree"
check "takes kernels of all bases, and no others" each_base takes_base
check "its series applies to the kernel's source" applies
check "it builds kvmgt.ko by itself, which tells its version" builds
check "its command and man page" holds /usr sbin/gvt-sched-dkms share/man/man8/gvt-sched-dkms.8
check "its command starts" "$tree/gvt-sched-dkms" --help
fails "its command says what a kernel lacks" "9\.9\.9-none: no headers" "$tree/gvt-sched-dkms" check 9.9.9-none

check "the rig" make -s -C "$top/packaging/rig" install PREFIX="$tmp/rig"
check "has all files of all series" each_base has_files "$tmp/rig/share/gvt-rig"
check "has all scripts that it calls" has_scripts "$tmp/rig/share/gvt-rig"
check "has what the client of vGPUs is built from" test -e "$tmp/rig/share/gvt-rig/selftests/vgpu_client.h"
O=$tmp/o check "lists the scenarios from its installed place" rig_lists

[ "$("$stage/opt/gvt/bin/gvt-stat" --version)" = "gvt-stat $version" ]
result $? "gvt-stat's version is the packages'"
check "debian/copyright says what the files say" licences_agree
check "the packages build-depend on what the tools need" build_depends
finish
