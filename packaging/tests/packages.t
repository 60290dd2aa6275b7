#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packages of the tools: without findings of lintian, and of use in a clean
# Debian. Needs root.
#
#   SUITE=trixie PACKAGES=DIR packaging/tests/packages.t     DIR: as scripts/build-packages leaves it
set -u
# shellcheck source=scripts/tests/lib.sh
. "$(dirname "$0")/../../scripts/tests/lib.sh"
# shellcheck source=packaging/root.sh
. "$top/packaging/root.sh"
! why=$(no_root) || skip_all "$why"
in_namespace "$0" "$@"

packages=${PACKAGES:-$(packages_of "$suite")}
compgen -G "$packages/*.changes" >/dev/null || {
	bail "no packages in $packages; run 'make packages SUITE=$suite'"
}
version=$("$top/scripts/version")

# Prints its findings; --allow-root says nothing about the packages
lintian_clean() {
	lintian --allow-root --display-info --pedantic "$packages"/*.changes >"$tmp/findings" 2>&1
	cat "$tmp/findings"
	[ ! -s "$tmp/findings" ]
}

# all and no others, with the project's version
built() {
	diff <(cd "$packages" && find . -name '*.deb' ! -name '*-dbgsym_*' -printf '%f\n' | sed 's/_[a-z0-9]*\.deb$//' | sort) \
		<(printf '%s\n' gvt-exporter gvt-rig gvt-sched-dkms gvt-stat kernelshark-plugin-gvt libtraceevent1-plugin-gvt | sed "s/\$/_$version/" | sort)
}

prints() {
	"${@:2}" >"$tmp/printed" 2>&1
	grep -F -- "$1" "$tmp/printed" || { cat "$tmp/printed"; return 1; }
}

loads_plugin() {
	in_root trace-cmd list -P | grep -F plugin_gvt.so
}

# The scenarios' checker, the clients and the comparison; QEMU takes too long
builds_rig() {
	local part
	for part in scenario load truth; do
		in_root env O=/tmp/o make -s -C "/usr/share/gvt-rig/tools/rig/$part" all || return 1
	done
}

if command -v lintian >/dev/null; then
	check "lintian finds nothing" lintian_clean
else
	skip "lintian finds nothing" "lintian is not installed"
fi
check "all packages are there" built

check "a clean $suite" make_root "$tmp/root"
mkdir "$root/packages" && cp "$packages"/*.deb "$root/packages"
check "install gvt-stat" apt install /packages/gvt-stat_"$version"_amd64.deb
check "it starts" prints "gvt-stat $version" in_root gvt-stat --version
check "there is a group that may read vGPUs' counters" in_root getent group gvt-stat
check "and a rule of udev's for it" in_root grep -q "chgrp -R gvt-stat" /usr/lib/udev/rules.d/60-gvt-stat.rules
check "it says what is wrong" prints "gvt-stat:" in_root gvt-stat report -i /none
check "systemd finds the flight recorder's units, and none is enabled" in_root sh -c \
	'ls /lib/systemd/system/gvt-flight.socket /lib/systemd/system/gvt-flight.service && ! find /etc/systemd -name "gvt-flight*" | grep .'
check "its man pages are found" in_root sh -c 'ls /usr/share/man/man1/gvt-stat.1.gz /usr/share/man/man1/gvt-stat-*.1.gz'
check "install the plugin" apt install trace-cmd /packages/libtraceevent1-plugin-gvt_"$version"_amd64.deb
check "trace-cmd finds it" loads_plugin
check "install the plugin of KernelShark" apt install /packages/kernelshark-plugin-gvt_"$version"_amd64.deb
check "it is where KernelShark looks" in_root sh -c 'ls /usr/lib/*/kernelshark/plugins/plugin-sched_events.so && ls /usr/lib/*/kernelshark/plugins/plugin-gvt.so'
check "install the exporter" apt install /packages/gvt-exporter_"$version"_amd64.deb
check "it says which version it is" prints "gvt-exporter $version" in_root gvt-exporter --version
check "systemd finds its units" in_root sh -c 'ls /lib/systemd/system/gvt-exporter.socket /lib/systemd/system/gvt-exporter.service'
check "install the rig" apt install /packages/gvt-rig_"$version"_all.deb
check "it builds what it needs and lists its scenarios" prints "small-vs-large" in_root env HOME=/tmp gvt-rig list
check "it has what its programs are built from" builds_rig
check "remove all" apt purge gvt-exporter gvt-stat kernelshark-plugin-gvt libtraceevent1-plugin-gvt gvt-rig
check "nothing is left" in_root sh -c '! find /usr /etc /var/lib -name "*gvt*" ! -path "/var/lib/apt/*" | grep .'
finish
