#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The selftests on the rig: all of them in one host VM, where none may be
# skipped, and the event formats of a trace recorded there.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# What the host VM does; it leaves one file for each selftest in /out.
cat >"$work/run" <<'END'
#!/bin/sh
cd /selftests
for test in *.sh; do
	[ -x "$test" ] || continue
	ROUNDS=5 AWK=/bin/mawk GVT_KVMGT=/lib/modules/kvmgt.ko "./$test" >"/out/$test" 2>&1
	echo "exit $?" >>"/out/$test"
done
trace-cmd record -q -e 'gvt:gvt_*' -o /out/formats.dat true
END

# show NAME - the results of one selftest as ours
show() {
	local line text failed=0 name=${1##*/}
	while IFS= read -r line; do
		text=${line#*ok }
		text=${text#* }
		case $line in
		"ok "*"# SKIP"*) result 1 "$name: ${text%%# SKIP*} was skipped on the rig" ;;
		"ok "*) result 0 "$name: $text" ;;
		"not ok "*) failed=1 && result 1 "$name: $text" ;;
		"1..0 "*) failed=1 && result 1 "$name: skipped on the rig: ${line#1..0 # SKIP }" ;;
		"exit 0") ;;
		"exit "*) [ $failed -eq 1 ] || result 1 "$name: ${line/exit/exit code}" ;;
		"# "*) echo "$line" ;;
		esac
	done <"$1"
}

make -s -C "$top/selftests" install DESTDIR="$work" testdir=/selftests >&2
# Busybox's awk takes ten times as long for a trace, which the emulation does not
# make shorter; tests/workloads.t runs it.
mawk=$(command -v mawk) || {
	bail "mawk is missing"
}
"$rig" exec "$work/run" --add "$work/selftests:/selftests" --add "$mawk:/bin/mawk" --out "$work/out" >&2 || {
	bail "the rig cannot run the selftests"
}
for output in "$work"/out/*.sh; do
	show "$output"
done
check "the kernel's event formats are the documented ones" "$top/tools/traceevent/check-formats" "$work/out/formats.dat"
finish
