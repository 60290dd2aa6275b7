#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What 'make install' and the packages bring is complete, and says the same of
# itself everywhere.
set -u
# shellcheck source=scripts/tests/lib.sh
# shellcheck source-path=SCRIPTDIR source=lib.sh
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

# shells_find PREFIX ZSH FISH: completions are installed where these look; with PREFIX=/usr as
# this system's zsh does
shells_find() {
	rm -rf "$tmp/shells"
	make -s -C "$top/tools/gvt-stat" install DESTDIR="$tmp/shells" PREFIX="$1" &&
		diff <(cd "$tmp/shells" && find . -path '*zsh*' ! -type d -o -path '*fish*' ! -type d | sort) \
			<(printf '.%s\n' "$2/_gvt-stat" "$3"/gvt-{stat,view,plan}.fish | sort)
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

# has_scripts TREE [BUT]: those that its own scripts call
has_scripts() {
	local script missing=0
	while read -r script; do
		[ -e "$1/scripts/$script" ] || [ "$script" = "${2-}" ] || { echo "no scripts/$script"; missing=1; }
	done < <(grep -rhoE 'top/scripts/[a-z.-]+' "$1" | sed 's|.*/||' | sort -u)
	return $missing
}

# lets_build: dkms.conf's pattern of kernels, which are tried: from 6.1 on
lets_build() {
	local pattern release
	pattern=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"/\1/p' "$tree/dkms.conf")
	for release in 6.1.0-42-amd64 6.12.118+deb13-amd64 6.14.11-4-pve 6.8.0-31-generic 7.3.4+deb13-amd64 10.0.1; do
		grep -qE "$pattern" <<<"$release" || { echo "not $release"; return 1; }
	done
	for release in 5.15.0-1-amd64 6.0.12-1-amd64 2.6.32; do
		! grep -qE "$pattern" <<<"$release" || { echo "$release"; return 1; }
	done
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

# depends PACKAGE TOOL...: debian/control says that the package depends on them
depends() {
	local tool
	for tool in "${@:2}"; do
		sed -n "/^Package: $1\$/,/^\$/p" "$top/debian/control" | sed -n '/^Depends:/,/^[A-Z][a-z]*:/p' | grep -qE "[ ,]$tool( |,|\$)" ||
			{ echo "$1 does not depend on $tool"; return 1; }
	done
}

build_depends() {
	local package
	for package in $("$top/scripts/deps" tools exporter kernelshark); do
		case $package in gcc | g++ | make) continue ;; esac # build-essential
		sed -n '/^Build-Depends:/,/^[A-Z]/p' "$top/debian/control" | tail -n +2 |
			cat - <(sed -n 's/^Build-Depends://p' "$top/debian/control") | grep -qE "(^|[ ,])$package(,|\$)" ||
			{ echo "debian/control does not build-depend on $package"; return 1; }
	done
}

"$top/scripts/build-kvmgt" "$kver" >"$tmp/output" 2>&1
check "make install DESTDIR= PREFIX=" make_install . /opt/gvt "KVER=$kver"
check "gvt-stat with its man pages and completion" holds /opt/gvt bin/gvt-{stat,view,plan} share/man/man1/gvt-{stat,view,plan}.1 \
	share/bash-completion/completions/gvt-{stat,view,plan}
vendor="site-functions"
[ ! -e /etc/debian_version ] || vendor="vendor-completions"
check "the units of the flight recorder" holds /opt/gvt lib/systemd/system/gvt-flight.{socket,service}
check "its completions for zsh and fish in /usr/local" shells_find /usr/local /usr/local/share/zsh/site-functions /etc/fish/completions
check "in /usr" shells_find /usr "/usr/share/zsh/$vendor" /usr/share/fish/vendor_completions.d
check "and elsewhere" shells_find /opt/gvt /opt/gvt/share/zsh/site-functions /opt/gvt/share/fish/vendor_completions.d
pages=("$top"/tools/gvt-stat/gvt-stat*.1)
check "a man page for each command that has one here" holds /opt/gvt/share/man/man1 \
	"${pages[@]##*/}"
check "the plugin where libtraceevent looks, and its man page" holds "" "$plugins/plugin_gvt.so" \
	/opt/gvt/share/man/man7/plugin_gvt.7
if pkg-config --exists libmicrohttpd; then
	check "gvt-exporter, its man page and units" holds /opt/gvt bin/gvt-exporter share/man/man8/gvt-exporter.8 \
		lib/systemd/system/gvt-exporter.{socket,service} lib/udev/rules.d/60-gvt-exporter.rules \
		share/gvt-exporter/gvt{.yml,-grafana.json}
	check "the service starts what was installed" grep -x ExecStart=/opt/gvt/bin/gvt-exporter \
		"$stage/opt/gvt/lib/systemd/system/gvt-exporter.service"
else
	skip "gvt-exporter, its man page and units" "no libmicrohttpd-dev"
fi
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
# that one runs what is not installed
check "has all scripts that it calls" has_scripts "$tree" kernel-make
check "tries kernels from 6.1 on, and no others" lets_build
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
# DKMS of Debian 13 does not bring gcc, and others' headers not libelf1, which their objtool is
# linked with
check "what builds on the host depends on what it calls" depends gvt-sched-dkms gcc libelf1 make patch binutils kmod xz-utils
check "the packages build-depend on what the tools need" build_depends
finish
