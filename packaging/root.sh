# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A clean root of a Debian release, to build packages or test them in; to be sourced
# by a script that has $top. SUITE names the release, this machine's by default.
# Needs root.

roots=${XDG_CACHE_HOME:-$HOME/.cache}/gvt/root
# shellcheck source=/dev/null
machine=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
suite=${SUITE:-$machine}

# packages_of SUITE: where scripts/build-packages leaves the packages of that release
packages_of() {
	local out=${O:-$top/build}/packages
	[ "$1" = "$machine" ] || out+=-$1
	echo "$out"
}

# Prints why there can be no root here, and fails, if so.
no_root() {
	if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
		echo "needs root, for debootstrap and chroot"
	elif ! command -v debootstrap >/dev/null; then
		echo "needs debootstrap: apt-get install debootstrap"
	else
		return 1
	fi
}

# in_namespace SCRIPT ARGUMENT...: starts the script again where its mounts and
# processes end with it, whatever happens.
in_namespace() {
	[ -n "${GVT_IN_NAMESPACE-}" ] ||
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

# This machine's package sources, for the root's release
copy_sources() {
	rm -f "$root"/etc/apt/sources.list
	cp /etc/apt/sources.list.d/debian* "$root/etc/apt/sources.list.d/" 2>/dev/null ||
		cp /etc/apt/sources.list "$root/etc/apt/"
	[ "$suite" = "$machine" ] ||
		find "$root"/etc/apt/sources.list* -type f -exec sed -i "s/\<$machine\>/$suite/g" {} +
	cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
	# what refers to programs or files of this machine only
	grep -lE '^[^/]*(Invoke|Pre-Install-Pkgs|/var/cache)|docker' "$root"/etc/apt/apt.conf.d/* | xargs -r rm -f
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
}

# make_root DIR: unpacks the clean root, with packages that are kept for the next
# run. Removes DIR at the end.
make_root() {
	local base
	root=$1
	trap remove_root EXIT
	mkdir -p "$root" "$roots/archives/partial"
	# apt locks the packages, and does not wait for others
	exec 7>"$roots/lock"
	flock -n 7 || {
		echo "# waiting for another root" >&2
		flock 7
	}
	base=$(base_root) && tar -C "$root" -xf "$base" || return 1
	copy_sources
	find "$roots/archives" -name '*.deb' -atime +30 -delete
	mount -t proc proc "$root/proc" || return 1
	# zsh completes on a terminal only
	mkdir -p "$root/dev/pts" && mount -t devpts -o ptmxmode=666 devpts "$root/dev/pts" || return 1
	mount --bind "$roots/archives" "$root/var/cache/apt/archives" || return 1
	in_root apt-get -q update
}

# Never removes through a mount that would not go.
remove_root() {
	awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r | while read -r dir; do
		umount "$dir" || echo "# $dir is still mounted; left" >&2
	done
	grep -qF " $root/" /proc/mounts || rm -rf --one-file-system "${root:?}" "${tmp:?}"
}

# INITRD=No: nothing boots here
in_root() {
	nice -n 10 chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive INITRD=No "$@"
}

# apt ARGUMENT...: without recommended packages and questions
apt() {
	in_root apt-get -qy -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
}
