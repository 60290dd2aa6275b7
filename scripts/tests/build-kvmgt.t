#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-kvmgt builds a module that the stock kernel takes, and says what is
# missing.
set -u
. "$(dirname "$0")/lib.sh"

build=$top/scripts/build-kvmgt
kver=$("$top/scripts/kernel-version") || exit 1
out=${O:-$top/build}/kvmgt/$kver

# stub_apt VERSION: a package system that offers the headers in VERSION only
stub_apt() {
	mkdir -p "$tmp/bin"
	cat >"$tmp/bin/apt-cache" <<-END
	#!/bin/sh
	case \$2 in linux-headers-*) echo "  Candidate: $1" ;; esac
	END
	printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/dpkg-query"
	printf '#!/bin/sh\necho "E: no such version" >&2\nexit 100\n' >"$tmp/bin/apt-get"
	chmod +x "$tmp"/bin/*
}

# stub_headers KVER VERSION CONFIG: unpacked headers in a cache of our own
stub_headers() {
	local dir=$tmp/cache/gvt/kernel-headers/$1_$2/usr/src/linux-headers-$1
	mkdir -p "$dir"
	echo "$3" >"$dir/.config"
}

with_stubs() {
	env PATH="$tmp/bin:$PATH" XDG_CACHE_HOME="$tmp/cache" "$@"
}

check "builds for the stock kernel" "$build" "$kver"
[ "$(/sbin/modinfo -F vermagic "$out/kvmgt.ko" | cut -d' ' -f1)" = "$kver" ]
result $? "the module is made for it"
nm "$out/kvmgt.ko" | grep -q ' __tracepoint_gvt_workload_start$'
result $? "the module has the new events"
"$build" "$kver" 2>&1 | grep -q 'up to date'
result $? "builds nothing when nothing has changed"
check "builds without the series" "$build" --stock "$kver"
! nm "$out/stock/kvmgt.ko" | grep -q ' __tracepoint_gvt_workload_start$'
result $? "that module does not have them"
check "builds with the fixes alone" "$build" --fixes "$kver"
! nm "$out/fixes/kvmgt.ko" | grep -q ' __tracepoint_gvt_workload_start$' && ! cmp -s "$out/fixes/kvmgt.ko" "$out/stock/kvmgt.ko"
result $? "that module does not have them either, and is not the stock one"

fails "no kernel release" "'7' is no kernel release" "$build" 7
fails "a kernel without patches" "no patches for Linux 5\.10; there are: 6\.1 6\.12 " "$build" 5.10.0-30-amd64
stub_apt ''
fails "no headers" "no package linux-headers-6\.12\.1-amd64" with_stubs "$build" 6.12.1-amd64
stub_apt 6.12.1-1
stub_headers 6.12.1-amd64 6.12.1-1 '# CONFIG_DRM_I915_GVT_KVMGT is not set'
fails "a kernel without GVT-g" "6\.12\.1-amd64 has no GVT-g module" with_stubs "$build" 6.12.1-amd64
stub_headers 6.12.1-amd64 6.12.1-1 'CONFIG_DRM_I915_GVT_KVMGT=m'
with_stubs "$build" 6.12.1-amd64 >"$tmp/output" 2>&1
[ $? -eq 1 ] && tail -n 1 "$tmp/output" | grep -q 'needs linux-source-6\.12 in exactly version 6\.12\.1-1'
result $? "no source of that version"
fails "--source without a kernel source" "$tmp is no kernel source tree" "$build" --source "$tmp" "$kver"
mkdir -p "$tmp/drivers/gpu/drm/i915/gvt"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n' >"$tmp/Makefile"
fails "--source of another version" "$tmp is Linux 6\.12\.1, but the kernel is 6\.12\.[0-9]" "$build" --source "$tmp" "$kver"
fails "--headers without --source" "needs --source: the kernel" "$build" --headers "$tmp" "$kver"
check "--check for a kernel that can be built for" "$build" --check "$kver"
fails "--check for one that cannot" "no patches for Linux 5\.10" "$build" --check 5.10.0-1-amd64
# what is installed may be asked for, what is offered may not
stub_apt 6.12.1-1
fails "--installed without headers" "linux-headers-6\.12\.1-amd64 is not installed" \
	with_stubs "$build" --installed 6.12.1-amd64
printf '#!/bin/sh\necho "installed 6.12.0-1"\n' >"$tmp/bin/dpkg-query"
fails "the installed source is of another version" \
	"linux-source-6\.12 6\.12\.1-1 is not installed \(6\.12\.0-1 is\); run 'apt-get install linux-source-6\.12=6\.12\.1-1'" \
	with_stubs "$top/scripts/kernel-source" --installed --module 6.12=6.12.1-1
mkdir -p "$tmp/cache/gvt/kernel-source/linux-source-6.12_6.12.1-1.module"
check "but its part was kept" with_stubs "$top/scripts/kernel-source" --installed --module 6.12=6.12.1-1
fails "an unknown option" "unknown option '-x'" "$build" -x
check "--help" "$build" --help
finish
