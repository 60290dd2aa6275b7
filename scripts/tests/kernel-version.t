#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel that the rig boots has its source in the same version, and is the newest such one.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$top/scripts/kernel-version" "$tmp"
# archive VERSION=IMAGE...: what apt offers; - for a source without image, or an image without source
archive() {
	local one
	: >"$tmp/sources"
	: >"$tmp/images"
	for one; do
		[ "${one%%=*}" = - ] || echo "linux-source-6.1 | ${one%%=*} | http://x main" >>"$tmp/sources"
		[ "${one#*=}" = - ] || echo "linux-image-${one#*=}-amd64 | ${one%%=*} | http://x main" >>"$tmp/images"
	done
}

cat >"$tmp/apt-for" <<'END'
#!/bin/sh
here=$(dirname "$0")
case $3 in
madison) case $4 in linux-source-*) cat "$here/sources" ;; *) cat "$here/images" ;; esac ;;
search) sed 's/ .*/ - Linux/' "$here/images" ;;
esac
END
chmod +x "$tmp/apt-for"

archive 6.1.176-1=6.1.0-50 6.1.192-2=6.1.0-56 6.1.190-1=6.1.0-9
is() {
	[ "$2" = "$("$tmp/kernel-version" 6.1 2>&1)" ]
	result $? "$1"
}
is "the newest one" 6.1.0-56-amd64
archive 6.1.192-2=6.1.0-56 6.1.192-3=-
is "a source whose image is still to come" 6.1.0-56-amd64
archive 6.1.192-2=6.1.0-56
echo "linux-image-6.1.0-57-amd64 | 6.1.193-1 | http://x main" >>"$tmp/images"
is "an image without source" 6.1.0-56-amd64
archive 6.1.192-3=-
is "no image" "kernel-version: no linux-image for any linux-source-6.1 in the apt sources"
archive
is "no source" "kernel-version: apt offers no linux-source-6.1; run 'apt-get update', or add bookworm-security to the apt sources"
finish
