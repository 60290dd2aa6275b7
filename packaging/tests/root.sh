# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A clean Debian root for tests of packages; to be sourced after lib.sh by a test
# that has called in_namespace. Needs root.

# shellcheck disable=SC2034,SC2154 # for the tests; from lib.sh
roots=${XDG_CACHE_HOME:-$HOME/.cache}/gvt/root
suite=bookworm

# in_namespace TEST ARGUMENT...: starts the test again where its mounts and
# processes end with it, whatever happens.
in_namespace() {
	[ -z "${GVT_IN_NAMESPACE-}" ] || return 0
	if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
		skip_all "needs root, for debootstrap and chroot"
	fi
	if ! command -v debootstrap >/dev/null; then
		skip_all "needs debootstrap: apt-get install debootstrap"
	fi
	GVT_IN_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child --propagation private "$@"
}

# Prints the tarball with the clean root, made once.
base_root() {
	local tarball=$roots/$suite.tar part
	if [ ! -e "$tarball" ]; then
		mkdir -p "$roots"
		part=$(mktemp -d "$roots/tmp.XXXXXX")
		echo "# making a clean $suite" >&2
		if ! debootstrap --variant=minbase --include=ca-certificates "$suite" "$part/root" >"$part/log" 2>&1; then
			tail -n 3 "$part/log" >&2
			rm -rf "$part"
			return 1
		fi
		rm -rf "$part/root"/var/cache/apt/archives/*.deb
		tar -C "$part/root" -c . >"$part/tar"
		mv "$part/tar" "$tarball"
		rm -rf "$part"
	fi
	echo "$tarball"
}

# make_root DIR: unpacks the clean root, with this machine's package sources and
# with packages that are kept for the next run.
make_root() {
	root=$1
	trap remove_root EXIT
	mkdir -p "$root" "$roots/archives/partial"
	# apt locks the packages, and does not wait for others
	exec 7>"$roots/lock"
	flock -n 7 || {
		echo "# waiting for another test of packages" >&2
		flock 7
	}
	tar -C "$root" -xf "$(base_root)" || return 1
	rm -f "$root"/etc/apt/sources.list
	cp /etc/apt/sources.list.d/debian* "$root/etc/apt/sources.list.d/" 2>/dev/null ||
		cp /etc/apt/sources.list "$root/etc/apt/"
	cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
	# what refers to programs or files of this machine only
	grep -lE '^[^/]*(Invoke|Pre-Install-Pkgs|/var/cache)|docker' "$root"/etc/apt/apt.conf.d/* | xargs -r rm -f
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	find "$roots/archives" -name '*.deb' -atime +30 -delete
	mount -t proc proc "$root/proc" || return 1
	mount --bind "$roots/archives" "$root/var/cache/apt/archives" || return 1
	in_root apt-get -q update
}

# Never removes through a mount that would not go.
remove_root() {
	! mountpoint -q "$root/proc" || umount -R "$root/proc"
	! mountpoint -q "$root/var/cache/apt/archives" || umount "$root/var/cache/apt/archives"
	if mountpoint -q "$root/proc" || mountpoint -q "$root/var/cache/apt/archives"; then
		echo "# $root is still mounted; left" >&2
	else
		rm -rf --one-file-system "${tmp:?}"
	fi
}

# INITRD=No: nothing boots here
in_root() {
	nice -n 10 chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive INITRD=No "$@"
}

# apt ARGUMENT...: without recommended packages and questions
apt() {
	in_root apt-get -qy -o Dpkg::Options::=--force-unsafe-io -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
}
