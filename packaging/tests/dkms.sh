# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of gvt-sched-dkms share; to be sourced.
#
# SUITE is the release of Debian to test in, BASE the kernel: 6.12 by default.

# shellcheck source=scripts/tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/tests/lib.sh"
# shellcheck source=packaging/root.sh
. "$top/packaging/root.sh"
! why=$(no_root) || skip_all "$why"
in_namespace "$0" "$@"

# shellcheck disable=SC2034 # for the tests
base=${BASE:-6.12}
series=$("$top/scripts/version")
# shellcheck disable=SC2034
package=$(find "${PACKAGES:-$(packages_of "$suite")}" -maxdepth 1 -name 'gvt-sched-dkms_*.deb' 2>/dev/null | grep . | tail -n 1) || {
	bail "no gvt-sched-dkms package for $suite; run 'make packages SUITE=$suite'"
}

# use_cache: what has been compiled once is not compiled again, in no run of a test
use_cache() {
	local name
	apt install ccache && mkdir -p "$roots/ccache" "$root/ccache" && mount --bind "$roots/ccache" "$root/ccache" || return 1
	for name in gcc x86_64-linux-gnu-gcc-{12,13,14,15}; do
		# shellcheck disable=SC2016 # of the script
		printf '#!/bin/sh\nexec env -u CCACHE_DISABLE CCACHE_DIR=/ccache ccache "/usr/bin/${0##*/}" "$@"\n' >"$root/usr/local/bin/$name"
		chmod 755 "$root/usr/local/bin/$name"
	done
}

# The versions that apt offers with kernel and source, newest first
versions() {
	in_root apt-cache madison "linux-source-$base" | awk '{ print $3 }' | uniq
}

# release VERSION: of the stock kernel in that version
release() {
	in_root apt-cache search --names-only "^linux-image-$base\.[0-9]+.*-amd64\$" |
		awk '$1 !~ /(-rt-|-cloud-|-unsigned|-dbg)/ { print $1 }' | while read -r name; do
		! in_root apt-cache madison "$name" | awk -v v="$1" '$3 == v { found = 1 } END { exit !found }' ||
			echo "${name#linux-image-}"
	done
}

# filename KVER: the module that modprobe would load
filename() {
	in_root modinfo -k "$1" -F filename kvmgt
}

is_ours() {
	[[ $(filename "$1") == /lib/modules/$1/updates/dkms/kvmgt.ko* ]] && [ "$(in_root modinfo -k "$1" -F version kvmgt)" = "$series" ]
}

is_own() {
	[[ $(filename "$1") == /lib/modules/$1/kernel/drivers/gpu/drm/i915/kvmgt.ko* ]]
}

vermagic() {
	local magic
	magic=$(in_root modinfo -k "$1" -F vermagic kvmgt)
	[ "${magic%% *}" = "$1" ]
}

# contents FILE: of a module, however it is compressed
contents() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

has_events() {
	contents "$root$(filename "$1")" >"$tmp/kvmgt.ko" && nm "$tmp/kvmgt.ko" | grep ' __tracepoint_gvt_workload_start$'
}

# said TEXT: the last command's output has it
said() {
	grep -F -- "$1" "$tmp/last" || { tail -n 30 "$tmp/last"; return 1; }
}

unsaid() {
	! grep -F -- "$1" "$tmp/last"
}

# refused STATUS TEXT COMMAND...: ends with the status (or, with -, any but 0) and
# says why
refused() {
	local status=0
	"${@:3}" >"$tmp/last" 2>&1 || status=$?
	case $1 in
	-) [ "$status" -ne 0 ] ;;
	*) [ "$status" -eq "$1" ] ;;
	esac || return 1
	said "$2"
}

# step NAME COMMAND...: must succeed; its output is kept for said, and what an operator
# reads of ours there is shown
step() {
	local status=0
	SECONDS=0
	"${@:2}" >"$tmp/last" 2>&1 || status=$?
	tail -n 40 "$tmp/last" >"$tmp/output"
	result "$status" "$1"
	grep -aE '^ *(gvt-sched-dkms|build-kvmgt|kernel-[a-z]*):|kvmgt\.ko|^initramfs' "$tmp/last" | sed 's/^/#   /'
	echo "# $SECONDS s"
}
