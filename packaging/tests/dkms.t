#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-sched-dkms in a clean Debian: installed beside a stock kernel, through
# upgrades of the kernel with and without the source at hand, purged. Needs root
# and, at first, a download of 600 MB.
#
#   SUITE=trixie PACKAGES=DIR packaging/tests/dkms.t     DIR: with gvt-sched-dkms_*.deb
#
# BASE (6.12) is the kernel to test with; two versions of it have to be offered.
set -u
# shellcheck source=packaging/tests/dkms.sh
. "$(dirname "$0")/dkms.sh"

# The file of the kernel's package as it was packed
stock_untouched() {
	! in_root dpkg --verify "linux-image-$1" | grep kvmgt && in_root sh -c "ls /lib/modules/$1/kernel/drivers/gpu/drm/i915/kvmgt.ko*"
}

prefers_ours() {
	in_root grep '^updates/dkms/kvmgt\.ko[.a-z]*:' "/lib/modules/$1/modules.dep" &&
		in_root modprobe -S "$1" --show-depends kvmgt | tail -n 1 | grep '/updates/dkms/kvmgt'
}

# The signature at the end of the file, by DKMS's certificate: PKCS#7, its length in
# the last 4 bytes of 12 before the marker
signature_verifies() {
	local size length marker=28
	has_events "$1" >/dev/null && tail -c "$marker" "$tmp/kvmgt.ko" | grep -q '^~Module signature appended~$' || return 1
	size=$(stat -c %s "$tmp/kvmgt.ko")
	length=$((0x$(tail -c $((marker + 4)) "$tmp/kvmgt.ko" | head -c 4 | od -An -t x1 | tr -d ' \n')))
	head -c $((size - marker - 12 - length)) "$tmp/kvmgt.ko" >"$tmp/content"
	tail -c $((marker + 12 + length)) "$tmp/kvmgt.ko" | head -c "$length" >"$tmp/signature"
	openssl x509 -inform DER -in "$root/var/lib/dkms/mok.pub" -out "$tmp/certificate" &&
		openssl cms -verify -binary -inform DER -in "$tmp/signature" -content "$tmp/content" \
			-certfile "$tmp/certificate" -nointern -noverify -out /dev/null
}

# signer_is NAME KVER: whose signature the module bears, by the certificate's name
signer_is() {
	in_root modinfo -k "$2" -F signer kvmgt | grep -xF -- "$1"
}

# The name of the certificate that DKMS made
dkms_name() {
	openssl x509 -inform DER -in "$root/var/lib/dkms/mok.pub" -noout -subject -nameopt multiline |
		sed -n 's/^ *commonName *= //p'
}

# A key of the operator's, that the firmware knows, in place of DKMS's
use_own_key() {
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -outform DER \
		-keyout "$root/etc/dkms/own.key" -out "$root/etc/dkms/own.der" &&
		printf 'mok_signing_key="/etc/dkms/own.key"\nmok_certificate="/etc/dkms/own.der"\n' >>"$root/etc/dkms/framework.conf"
}

# dkms_by_hand ARGUMENT...: and what is in the log that DKMS 3.2 refers to, where its
# predecessors showed what a script said
dkms_by_hand() {
	local status=0
	in_root dkms "$@" || status=$?
	cat "$root/var/lib/dkms/gvt-sched/$series/build/make.log" 2>/dev/null
	return "$status"
}

# As if nothing had been built or kept for the newer kernel
forget_all() {
	in_root dkms remove -m gvt-sched -v "$series" -k "$new" >/dev/null 2>&1
	rm -rf "$root/var/lib/gvt"
}

check "a clean $suite" make_root "$tmp/root"
check "a cache for its compiler" use_cache
cp "$package" "$root/gvt-sched-dkms.deb"
# linux-image-6.12-amd64 beside a release's own linux-image-amd64
meta=-$base
[ -n "$(in_root apt-cache madison "linux-image$meta-amd64")" ] || meta=
# Without a second version there is no upgrade to test.
{ read -r new_version && read -r old_version; } < <(versions) || {
	skip "gvt-sched-dkms through upgrades" "apt offers one version of linux-source-$base only"
	finish
}
new=$(release "$new_version")
old=$(release "$old_version")
if [ -z "$new" ] || [ -z "$old" ]; then
	bail "no stock kernels of $old_version and $new_version"
fi
echo "# $old ($old_version), then $new ($new_version)"

step "install with kernel, headers and source in one go" apt install "linux-image-$old" "linux-headers-$old" \
	"linux-source-$base=$old_version" /gvt-sched-dkms.deb
check "modprobe would load ours" is_ours "$old"
check "it is made for $old" vermagic "$old"
check "it has the new events" has_events "$old"
check "depmod prefers it" prefers_ours "$old"
check "the kernel's own is as it was" stock_untouched "$old"
check "it is signed with DKMS's key" signature_verifies "$old"
check "modinfo tells the signer" signer_is "$(dkms_name)" "$old"
step "status" in_root gvt-sched-dkms status
check "status says so" said "$old: $(filename "$old") ($series)"

# a kernel whose initramfs has the module, with a stub to make it
cat >"$root/usr/sbin/update-initramfs" <<'END'
#!/bin/sh
echo "initramfs: $*"
END
mkdir -p "$root/etc/initramfs-tools" && echo kvmgt >>"$root/etc/initramfs-tools/modules"
touch "$root/boot/initrd.img-$new"
step "upgrade the kernel" apt install "linux-image$meta-amd64" "linux-headers$meta-amd64" "linux-source-$base"
check "ours was built for $new by itself" is_ours "$new"
check "it is made for $new" vermagic "$new"
check "the initramfs that names it was renewed" said "initramfs: -u -k $new"
check "the old kernel keeps its own build" is_ours "$old"
step "reinstall the package" apt install --reinstall /gvt-sched-dkms.deb
check "ours is there for the old kernel, whose source is gone" is_ours "$old"
check "and for the new one" is_ours "$new"

step "install a kernel without GVT-g" apt install "linux-image-${new%-amd64}-cloud-amd64" \
	"linux-headers-${new%-amd64}-cloud-amd64"
check "it is refused with the reason" said "${new%-amd64}-cloud-amd64 has no GVT-g module"
step "other headers" apt install --reinstall "linux-headers-$old"
check "it is not named again" unsaid "cloud"
step "status" in_root gvt-sched-dkms status
check "status names it with the reason" said "${new%-amd64}-cloud-amd64 has no GVT-g module"
check "DKMS refuses it, too" refused 77 "BUILD_EXCLUSIVE" \
	in_root dkms install -m gvt-sched -v "$series" -k "${new%-amd64}-cloud-amd64"

check "the operator names a key" use_own_key "Key of a test"
in_root dkms remove -m gvt-sched -v "$series" -k "$new" >/dev/null 2>&1
step "build again" in_root gvt-sched-dkms update
check "it is signed with that key" signer_is "Key of a test" "$new"
check "the other kernel's is as it was" signer_is "$(dkms_name)" "$old"

step "purge the old kernel" apt purge "linux-image-$old" "linux-headers-$old"
check "nothing was kept for it" test ! -e "$root/lib/modules/$old" -a ! -e "$root/var/lib/gvt/built/$old" \
	-a ! -e "$root/var/lib/gvt/kernel-source/linux-source-${base}_$old_version.module"

echo other >"$root/var/lib/gvt/built/$new"
step "the same release in another version" in_root gvt-sched-dkms update
check "it was built again" said "$new has changed since its kvmgt.ko was built"
check "and is in place" is_ours "$new"

# as when a kernel is installed whose source is not
apt purge "linux-source-$base" >/dev/null 2>&1
forget_all
step "install headers without the source" apt install --reinstall "linux-headers-$new"
check "what to install is named" said "apt-get install linux-source-$base=$new_version"
check "the kernel keeps its own module" is_own "$new"
needs="kernel $new needs linux-source-$base in exactly version $new_version"
check "check fails and says why" refused 1 "$needs" in_root gvt-sched-dkms check "$new"
check "DKMS by hand fails and says why" refused - "$needs" dkms_by_hand install -m gvt-sched -v "$series" -k "$new"
sed -i s/DOWNLOAD=no/DOWNLOAD=yes/ "$root/etc/default/gvt-sched-dkms"
step "update, where the operator allows downloads" in_root gvt-sched-dkms update
check "ours was built" is_ours "$new"
check "of the download only the part is kept" test ! -e "$root/var/lib/gvt/deb" \
	-a -e "$root/var/lib/gvt/kernel-source/linux-source-${base}_$new_version.module"
sed -i s/DOWNLOAD=yes/DOWNLOAD=no/ "$root/etc/default/gvt-sched-dkms"
forget_all
check "without it the kernel has its own module" is_own "$new"
step "install the source" apt install "linux-source-$base=$new_version"
check "ours was built by itself" is_ours "$new"

step "purge" apt purge gvt-sched-dkms
check "the kernel's own module is back" is_own "$new"
check "and as it was" stock_untouched "$new"
check "nothing is left" test ! -e "$root/usr/src/gvt-sched-$series" -a ! -e "$root/var/lib/gvt" \
	-a ! -e "$root/var/lib/dkms/gvt-sched" -a ! -e "$root/etc/default/gvt-sched-dkms" -a ! -e "$root/lib/modules/$new/updates"
finish
