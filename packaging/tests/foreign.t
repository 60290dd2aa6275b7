#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-sched-dkms with a kernel that is not Debian's: one of Debian's under another name,
# in packages like those of Proxmox VE, and its source where an operator puts it. Needs
# root and, at first, a download of 400 MB.
#
#   SUITE=trixie PACKAGES=DIR packaging/tests/foreign.t     DIR: with gvt-sched-dkms_*.deb
set -u
# shellcheck source=packaging/tests/dkms.sh
. "$(dirname "$0")/dkms.sh"

i915=kernel/drivers/gpu/drm/i915

# make_kernel KVER OTHER: packs kvmgt.ko of KVER with what it depends on as that of OTHER
make_kernel() {
	local dir=$root/pack/kernel module
	rm -rf "$dir"
	for module in $(in_root modprobe -S "$1" --show-depends kvmgt | awk '$1 == "insmod" { print $2 }'); do
		install -D -m 644 -t "$dir/usr/lib/modules/$2/$(dirname "${module#*/"$1"/}")" "$root$module"
	done
	cp "$root/lib/modules/$1"/modules.{order,builtin,builtin.modinfo} "$dir/usr/lib/modules/$2"
	mkdir "$dir/DEBIAN"
	printf '#!/bin/sh\ndepmod %s\n' "$2" >"$dir/DEBIAN/postinst"
	chmod 755 "$dir/DEBIAN/postinst"
	pack kernel "proxmox-kernel-$2"
}

# make_build OTHER: packs another build of the same release; what follows the module is
# ignored
make_build() {
	local file
	file=$(echo "$root/pack/kernel/usr/lib/modules/$1/$i915"/kvmgt.ko*)
	contents "$file" >"$tmp/build" && rm "$file" && echo "another build" >>"$tmp/build" &&
		cp "$tmp/build" "${file%/*}/kvmgt.ko" && pack kernel "proxmox-kernel-$1"
}

is_other_build() {
	tail -n 1 "$root$(filename "$1")" | grep -ax "another build"
}

# make_headers KVER OTHER: all in one place, as others than Debian have them
make_headers() {
	local dir=$root/pack/headers src=usr/src/linux-headers-$2 common
	rm -rf "$dir"
	mkdir -p "$dir/usr/src" "$dir/usr/lib/modules/$2"
	common=$(sed -n 's:^include \(/usr/src/.*\)/Makefile$:\1:p' "$root/usr/src/linux-headers-$1/Makefile")
	cp -rL "$root/usr/src/linux-headers-$1" "$dir/$src"
	cp -rL "$root$common" "$dir/$src/common"
	echo "include /$src/common/Makefile" >"$dir/$src/Makefile"
	printf 'override %s\n' "ARCH = x86" "KERNELRELEASE = $2" >"$dir/$src/.kernelvariables"
	sed -i "s/\"$1\"/\"$2\"/" "$dir/$src/include/generated/utsrelease.h"
	echo "$2" >"$dir/$src/include/config/kernel.release"
	ln -s "/$src" "$dir/usr/lib/modules/$2/build"
	pack headers "proxmox-headers-$2"
}

# bare_kernel KVER CONFIG: as much of a kernel as is looked at to refuse it
bare_kernel() {
	mkdir -p "$root/lib/modules/$1"/{kernel,build/include} && echo "$2" >"$root/lib/modules/$1/build/.config"
}

# pack DIR NAME: as package NAME
pack() {
	mkdir -p "$root/pack/$1/DEBIAN"
	cat >"$root/pack/$1/DEBIAN/control" <<-END
		Package: $2
		Version: 1
		Architecture: amd64
		Maintainer: Somebody Else <nobody@localhost>
		Description: test
	END
	in_root dpkg-deb -Znone --root-owner-group -b "/pack/$1" "/pack/$2.deb"
}

# make_source DIR: what is used of the kernel's source
make_source() {
	tar -C "$tmp" --strip-components=1 -xf "$root/usr/src/linux-source-$base.tar.xz" \
		"linux-source-$base/Makefile" "linux-source-$base/drivers/gpu/drm/i915" &&
		mkdir -p "$1/drivers/gpu/drm" && mv "$tmp/Makefile" "$1" && mv "$tmp/drivers/gpu/drm/i915" "$1/drivers/gpu/drm"
}

# put_source [EXPRESSION]: where the operator puts it, changed by sed
put_source() {
	rm -rf "$root/var/lib/gvt/source"
	mkdir -p "$root/var/lib/gvt/source"
	cp -r "$root/pack/source" "$root/var/lib/gvt/source/$foreign"
	[ -z "${1-}" ] || sed -i "$1" "$root/var/lib/gvt/source/$foreign/$2"
}

# something_else: another package changes what is below /usr/src
something_else() {
	apt install --reinstall "/pack/proxmox-headers-$foreign.deb"
}

# Programs that would change this machine's kernel, and what it says it is
stub() {
	mkdir -p "$root/stub"
	printf '#!/bin/sh\necho %s\n' "$foreign" >"$root/stub/uname"
	for name in insmod modprobe rmmod; do
		printf '#!/bin/sh\necho %s "$@"\n' "$name" >"$root/stub/$name"
	done
	chmod 755 "$root"/stub/*
}

load() {
	in_root env PATH=/stub:/usr/sbin:/usr/bin gvt-sched-dkms load "$@"
}

check "a clean $suite" make_root "$tmp/root"
check "a cache for its compiler" use_cache
cp "$package" "$root/gvt-sched-dkms.deb"
read -r version < <(versions)
debian=$(release "$version")
[ -n "$debian" ] || bail "no stock kernel of $version"
upstream=${version%%-*}
foreign=$upstream-1-pve
without=$upstream-2-nogvt
ancient=5.15.9-1-pve

step "Debian's $debian" apt install "linux-image-$debian" "linux-headers-$debian" "linux-source-$base=$version"
check "as a kernel of somebody else, $foreign" make_kernel "$debian" "$foreign"
check "with its headers" make_headers "$debian" "$foreign"
check "and its source" make_source "$root/pack/source"
check "one without GVT-g, $without" bare_kernel "$without" "# CONFIG_DRM_I915_GVT_KVMGT is not set"
check "an old one, $ancient" bare_kernel "$ancient" CONFIG_DRM_I915_GVT_KVMGT=m
step "Debian's kernel goes" apt purge --autoremove "linux-image-$debian" "linux-headers-$debian" "linux-source-$base"
check "and with it the compiler" in_root test ! -e /usr/bin/gcc

step "install with the others" apt install "/pack/proxmox-kernel-$foreign.deb" "/pack/proxmox-headers-$foreign.deb" \
	/gvt-sched-dkms.deb
check "where to put the source is said" said "$foreign is not Debian's kernel: put its source into /var/lib/gvt/source/$foreign"
check "where none helps it is not" unsaid "source/$without"
check "no package of Debian's is asked for" unsaid "apt-get install"
check "no GVT-g" said "$without has no GVT-g module"
check "too old" said "$ancient: kernels before 6.1 are not supported"
check "a compiler came with it" in_root test -e /usr/bin/gcc
step "something else is installed" something_else
check "no kernel is named again" unsaid "gvt-sched-dkms:"
step "update by hand" in_root gvt-sched-dkms update
check "it names them" said "$foreign keeps its own kvmgt.ko"
step "status" in_root gvt-sched-dkms status
check "status says why" said "  gvt-sched-dkms: $foreign is not Debian's kernel: put its source into"

check "a source of another version" put_source 's/^SUBLEVEL = .*/SUBLEVEL = 1/' Makefile
check "is refused" refused 1 "but the kernel is $foreign" in_root gvt-sched-dkms check "$foreign"
broken=('1i #error of a test' drivers/gpu/drm/i915/i915_drv.h)
check "a source that does not compile" put_source "${broken[@]}"
step "update" in_root gvt-sched-dkms update
check "says so" said "#error of a test"
check "the kernel keeps its own module" is_own "$foreign"
step "something else is installed" something_else
check "nothing is tried again" unsaid "gvt-sched-dkms:"

check "the right source" put_source
step "update" in_root gvt-sched-dkms update
check "modprobe would load ours" is_ours "$foreign"
check "it is made for $foreign" vermagic "$foreign"
check "it has the new events" has_events "$foreign"
check "the kernel's own stays where it was" test -e "$(echo "$root/lib/modules/$foreign/$i915"/kvmgt.ko*)"
step "update" in_root gvt-sched-dkms update
check "nothing is built again" unsaid "$foreign"
check "stubs" stub
step "load the kernel's own for a trial" load original
check "what it depends on comes first" test "$(sed -n '1s/ .*//p; 2s/ .*//p' "$tmp/last" | paste -sd ' ')" = "modprobe insmod"
check "it is the kernel's own" said "insmod /lib/modules/$foreign/$i915/kvmgt.ko"
step "load ours" load
check "it is ours" said "insmod /lib/modules/$foreign/updates/dkms/kvmgt.ko"
check "nothing else can be loaded" refused 1 "'other' is neither" load other

# what comes after has to leave the newer one in place
check "the same release in another build" make_build "$foreign"
step "is installed" apt install --reinstall "/pack/proxmox-kernel-$foreign.deb"
check "ours stays" is_ours "$foreign"
check "another source, which does not compile" put_source "${broken[@]}"
step "update" in_root gvt-sched-dkms update
check "what was built from the other goes" said "$foreign has changed since its kvmgt.ko was built"
check "the kernel has its own module" is_own "$foreign"
check "in the newer build" is_other_build "$foreign"
check "the right source" put_source
step "update" in_root gvt-sched-dkms update
check "ours is back" is_ours "$foreign"
step "purge" apt purge gvt-sched-dkms
check "the kernel's own module is back" is_own "$foreign"
check "in the newer build" is_other_build "$foreign"
check "nothing is left" test ! -e "$root/var/lib/gvt" -a ! -e "$root/var/lib/dkms/gvt-sched" -a ! -e "$root/lib/modules/$foreign/updates"
finish
