# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154 # for and from those who source this
# What the tests of the rig share; to be sourced.
export LC_ALL=C
# shellcheck source=scripts/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/tap.sh"
rig=$(dirname "${BASH_SOURCE[0]}")/../rig
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$tmp
# other load on the machine must not end a run
export RIG_TIMEOUT=2400

# says TEXT COMMAND...: COMMAND fails with exit code 1 and TEXT in its last line
says() {
	local text=$1 code=0
	shift
	"$@" >"$work/out" 2>"$work/err" || code=$?
	cat "$work/out" "$work/err"
	[ "$code" -eq 1 ] && tail -n 1 "$work/err" | grep -qF -- "$text"
}

# install_selftests FILE...: the selftests, with these files among them
install_selftests() {
	make -s -C "$top/selftests" install DESTDIR="$work" testdir=/selftests >&2 || bail "cannot build the selftests"
	[ $# -eq 0 ] || cp "$@" "$work/selftests/"
}

# show_ktap: what ran in the host VM, as in $out/output.log, as tests of ours, with $prefix before
# their names
show_ktap() {
	local line
	while IFS= read -r line; do
		case $line in
		"ok "*"# SKIP"*) result 1 "${prefix-}${line#ok * } on the rig" ;;
		"ok "*) result 0 "${prefix-}${line#ok * }" ;;
		"not ok "*) result 1 "${prefix-}${line#not ok * }" ;;
		"1..0 "*) result 1 "${prefix-}skipped on the rig: ${line#1..0 # SKIP }" ;;
		"# "*) echo "$line" ;;
		esac
	done <"$out/output.log"
}

# among_selftests COMMAND [OPTION...]: runs the shell's COMMAND in the host VM, which has
# /selftests, and shows what it says
among_selftests() {
	local out=$work/out
	printf '#!/bin/sh\n%s\n' "$1" >"$work/run"
	shift
	check "the machine runs to its end" "$rig" exec "$work/run" --add "$work/selftests:/selftests" --out "$out" "$@"
	[ -e "$out/output.log" ] || bail "no output"
	show_ktap
}

# build_module DIRECTORY: a module of the rig's kernel, in $work/module, with i915's source as
# it is where kvmgt is built; the same file each time, so that a run with it is known again
build_module() {
	local kver=${RIG_KERNEL:-$("$top/scripts/kernel-version")}
	"$top/scripts/build-kvmgt" "$kver" || return
	mkdir -p "$work/module"
	cp "$1"/Kbuild "$1"/*.c "$top/tools/rig/tests/find_gpu.h" "$work/module/"
	"$top/scripts/kernel-make" "$kver" "M=$work/module" CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF_MODULES= \
		"KCFLAGS=-ffile-prefix-map=$work/module=." "I915=${O:-$top/build}/kvmgt/$kver/tree/drivers/gpu/drm/i915" modules
}

# show_selftest FILE: the results of one selftest as ours. None may be skipped, but with
# may_be_slow=1 those that say that the kernel is too slow for them.
show_selftest() {
	local line text failed=0 name=${1##*/}
	while IFS= read -r line; do
		text=${line#*ok }
		text=${text#* }
		case $line in
		"ok "*"# SKIP"*)
			if [[ ${may_be_slow:-} && $said == *": too slow to tell" ]]; then
				skip "$name: ${text%% # SKIP*}" "$said"
			else
				result 1 "$name: ${text%%# SKIP*} was skipped on the rig"
			fi ;;
		"ok "*) result 0 "$name: $text" ;;
		"not ok "*) failed=1 && result 1 "$name: $text" ;;
		"1..0 "*) failed=1 && result 1 "$name: skipped on the rig: ${line#1..0 # SKIP }" ;;
		"exit 0") ;;
		"exit "*) [ $failed -eq 1 ] || result 1 "$name: ${line/exit/exit code}" ;;
		"# "*) said=${line#\# } && echo "$line" ;;
		esac
	done <"$1"
}

# show_selftests DIRECTORY: what all-selftests has left there
show_selftests() {
	local output
	for output in "$1"/*.sh; do
		show_selftest "$output"
	done
}
