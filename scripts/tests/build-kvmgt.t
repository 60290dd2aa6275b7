#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-kvmgt builds a module that the stock kernel takes, and says what is
# missing.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

build=$top/scripts/build-kvmgt
kver=$("$top/scripts/kernel-version") || exit 1
keep "$kver" "$("$top/scripts/kernel-headers" "$kver")" "$("$top/scripts/kernel-source")"
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
	mkdir -p "$dir/include/generated/uapi/linux"
	echo "#define UTS_RELEASE \"$1\"" >"$dir/include/generated/utsrelease.h"
	echo "$1" | awk -F'[.-]' '{ print "#define LINUX_VERSION_MAJOR " $1; print "#define LINUX_VERSION_PATCHLEVEL " $2
		print "#define LINUX_VERSION_SUBLEVEL " $3 }' >"$dir/include/generated/uapi/linux/version.h"
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
check "another checkout gets the same module" env O="$tmp/other" "$build" "$kver"
has "which was built before" "is the same as one that was built before" "$(cat "$tmp/output")"
check "to the byte" cmp "$out/kvmgt.ko" "$tmp/other/kvmgt/$kver/kvmgt.ko"
check "and the tree that it was built from" diff -rq -x '*.o' -x '.*.cmd' -x '*.ko' "$out/tree" "$tmp/other/kvmgt/$kver/tree"
mkdir "$tmp/fails"
printf '#!/bin/sh\nexit 1\n' >"$tmp/fails/make"
chmod +x "$tmp/fails/make"
rm "$tmp/other/kvmgt/$kver/hash"
env PATH="$tmp/fails:$PATH" O="$tmp/other" FRESH= "$build" "$kver" >"$tmp/output" 2>&1
[ $? -eq 1 ] && tail -n 1 "$tmp/output" | grep -q 'compiling failed'
result $? "FRESH= builds it again"
check "builds without the series" "$build" --stock "$kver"
! nm "$out/stock/kvmgt.ko" | grep -q ' __tracepoint_gvt_workload_start$'
result $? "that module does not have them"
check "builds with the fixes alone" "$build" --fixes "$kver"
! nm "$out/fixes/kvmgt.ko" | grep -q ' __tracepoint_gvt_workload_start$' && ! cmp -s "$out/fixes/kvmgt.ko" "$out/stock/kvmgt.ko"
result $? "that module does not have them either, and is not the stock one"

fails "no kernel release" "'7' is not a kernel release" "$build" 7
fails "a kernel older than all patches" "kernel 5\.10\.0-30-amd64: there are no patches for Linux before 6\.1" "$build" 5.10.0-30-amd64
fails "somebody else's kernel that is not installed" "^kernel-headers: 6\.14\.11-4-pve is not one of Debian's kernels; .*build-kvmgt --source TREE" \
	"$build" 6.14.11-4-pve
stub_apt ''
fails "no headers" "no package linux-headers-6\.12\.1-amd64" with_stubs "$build" 6.12.1-amd64
stub_apt 6.12.1-1
stub_headers 6.12.1-amd64 6.12.1-1 '# CONFIG_DRM_I915_GVT_KVMGT is not set'
fails "a kernel without GVT-g" "6\.12\.1-amd64 has no GVT-g module" with_stubs "$build" 6.12.1-amd64
stub_headers 6.12.1-amd64 6.12.1-1 'CONFIG_DRM_I915_GVT_KVMGT=m'
with_stubs "$build" 6.12.1-amd64 >"$tmp/output" 2>&1
[ $? -eq 1 ] && tail -n 1 "$tmp/output" | grep -q 'needs linux-source-6\.12 in exactly version 6\.12\.1-1'
result $? "no source of that version"
fails "--source without a kernel source" "$tmp is not a kernel source tree" "$build" --source "$tmp" "$kver"
mkdir -p "$tmp/drivers/gpu/drm/i915/gvt"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n' >"$tmp/Makefile"
fails "--source of another version" "$tmp is Linux 6\.12\.1, but the kernel is 6\.12\.[0-9]" "$build" --source "$tmp" "$kver"
fails "--i915 of another version" "$tmp is Linux 6\.12\.1, but the kernel is 6\.12\.[0-9]" "$build" --i915 "$tmp" "$kver"
fails "--headers that are not there" "^build-kvmgt: --headers $tmp/none: no such directory" "$build" --headers "$tmp/none" "$kver"
fails "--headers of nothing" "$tmp: no include/generated/utsrelease\.h" "$build" --headers "$tmp" "$kver"
headers=$("$top/scripts/kernel-headers" "$kver")
fails "--headers of another kernel" "the headers are those of ${kver//+/.}, not of 6\.12\.1-4-pve" \
	"$build" --check --headers "$headers" 6.12.1-4-pve
check "--headers alone" "$build" --check --headers "$headers" "$kver"
check "--source alone" "$build" --check --source "$("$top/scripts/kernel-source")" "$kver"
check "--check for a kernel that can be built for" "$build" --check "$kver"
fails "--check for one that cannot" "no patches for Linux before" "$build" --check 5.10.0-1-amd64

# A kernel of another distribution: Debian's by another name
foreign=$(sed 's/+.*/-4-pve/' <<<"$kver")
cp -aL "$headers" "$tmp/foreign"
sed -i "s/$kver/$foreign/" "$tmp"/foreign/include/{config/kernel.release,generated/utsrelease.h,config/auto.conf}
cp -a "$("$top/scripts/kernel-source")" "$tmp/tree"
check "builds for another distribution's kernel" "$build" --headers "$tmp/foreign" --source "$tmp/tree" "$foreign"
[ "$(/sbin/modinfo -F vermagic "${O:-$top/build}/kvmgt/$foreign/kvmgt.ko" | cut -d' ' -f1)" = "$foreign" ] &&
	grep -q "Linux 6\.12\.[0-9]*: series of 6\.12 (known: tested 6\.12, .*)" "$tmp/output"
result $? "the module is made for it, and the series is named"
# Ubuntu's layout of symbol versions: the size of the entry, a CRC of 4 bytes, the name
ubuntu_versions() {
	perl -e '
		local $/;
		open my $in, "<", $ARGV[0] or die;
		for my $entry (unpack "(a64)*", <$in>) {
			my ($crc, $name) = unpack "Vx4Z*", $entry;
			$crc ^= 1 if $name eq $ARGV[1];
			$name .= "\0" x (8 - length($name) % 8);
			print pack("VV", 8 + length $name, $crc), $name;
		}' "$@"
	# as some of its kernels end them
	head -c "${3:-0}" /dev/zero
}
objcopy -O binary --only-section=__versions "${O:-$top/build}/kvmgt/$foreign/kvmgt.ko" "$tmp/versions"
symbols=$(($(stat -c %s "$tmp/versions") / 64))
matches "as many symbol versions as there are" "*' and $symbols symbol versions match *" "$(cat "$tmp/output")"
# the compiler, which only lays them out anew
cat >"$tmp/bin/make" <<END
#!/bin/sh
cp "$tmp/\$(cat "$tmp/which").ko" "${O:-$top/build}/kvmgt/$foreign/tree/kvmgt.ko"
END
chmod +x "$tmp/bin/make"
for which in ubuntu ended wrong odd; do
	case $which in
	ubuntu) ubuntu_versions "$tmp/versions" ;;
	ended) ubuntu_versions "$tmp/versions" "" 9 ;;
	wrong) ubuntu_versions "$tmp/versions" drm_edid_alloc ;;
	odd) tail -c +5 "$tmp/versions" ;;
	esac >"$tmp/$which"
	objcopy --update-section "__versions=$tmp/$which" "${O:-$top/build}/kvmgt/$foreign/kvmgt.ko" "$tmp/$which.ko"
done
built_from() {
	echo "$1" >"$tmp/which"
	env PATH="$tmp/bin:$PATH" "$build" --headers "$tmp/foreign" --source "$tmp/tree" "$foreign"
}
fails_at_end() {
	! built_from "$2" >"$tmp/output" 2>&1 && tail -n 1 "$tmp/output" | grep -qE "$3"
	result $? "$1"
}
check "symbol versions as Ubuntu lays them out" built_from ubuntu
matches "are all read" "*' and $symbols symbol versions match *" "$(cat "$tmp/output")"
check "symbol versions that end with zeros" built_from ended
matches "are all read, too" "*' and $symbols symbol versions match *" "$(cat "$tmp/output")"
fails_at_end "one of them that differs" wrong "the version of symbol drm_edid_alloc differs from $foreign's"
fails_at_end "a layout that nobody knows" odd "are laid out in a way that build-kvmgt does not know"
rm "$tmp/bin/make"

fails "it needs its source" "^build-kvmgt: $foreign is not one of Debian's kernels, .*give the source that it was built from: --source TREE" \
	"$build" --headers "$tmp/foreign" "$foreign"
# a line that no base has
sed -i 's/^\(static struct engine_mmio gen9_engine_mmio_list.*\)/static int another;\n\1/; s/^struct engine_mmio {/struct engine_mmio_2 {/' "$tmp/tree/drivers/gpu/drm/i915/gvt/mmio_context.c"
sed -i 's/^	bool in_context;/	int in_context;/' "$tmp/tree/drivers/gpu/drm/i915/gvt/mmio_context.c"
fails "no series fits: patch, file and line" \
	"^build-kvmgt: $foreign: no series fits $tmp/tree; the nearest, series of Linux 6\.12: 00[^ ]*.patch does not fit [^ ]*/mmio_context.c:[0-9]+ is \".*int in_context;\", the patch has \".*bool in_context;\"; no patches for this kernel yet" \
	"$build" --check --headers "$tmp/foreign" --source "$tmp/tree" "$foreign"
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
