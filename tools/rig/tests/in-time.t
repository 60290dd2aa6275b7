#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What hangs in the soak is named, and the machine ends nevertheless. Stock GVT-g does so:
# its thread waits for a request behind another vGPU's batch without an end.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
out=$work/out

cat >"$work/hang" <<'END_OF_SCRIPT'
#!/bin/sh
. /selftests/gvt_lib.sh
gvt_begin device load
vgpus_create 2
"$GVT_LOAD" -e rcs0 -d 1 -E 3600000 -t 3600 ${VGPUS% *} &
sleep 1
load_start -e rcs0 -d 2 -x 1000 -t 3600 ${VGPUS#* * }
load_wait
END_OF_SCRIPT

cat >"$work/run" <<'END_OF_SCRIPT'
#!/bin/sh
{
	/selftests/in-time 100 sh -c 'exit 3'
	echo "exit $?"
	/selftests/in-time 3 sleep 1000
	echo "exit $?"
} >/out/ends
BLOCKED_S=3 /selftests/in-time 1000 /selftests/hang >/out/hang
END_OF_SCRIPT

chmod +x "$work/hang"
install_selftests "$top/tools/rig/soak/in-time" "$work/hang"
hang_fails() {
	! "$rig" exec "$work/run" --kvmgt stock --add "$work/selftests:/selftests" --out "$out" && [ "$(cat "$out/exit")" -eq 1 ]
}
check "a hang is a failure" hang_fails
is "what ends has its own exit code" "exit 3" "$(head -n 1 "$out/ends")"
is "what does not end fails" "not ok 1 ends in time: no end" "$(sed -n 2p "$out/ends")"
has "it is named" ": sleep 1000 : S (sleeping)" "$(cat "$out/ends")"
is "and has exit code 1" "exit 1" "$(tail -n 1 "$out/ends")"
has "what is blocked ends it, too" "not ok 1 ends in time: a task is blocked" "$(cat "$out/hang")"
has "the task that is blocked is named" "INFO: task gvt:rcs0:" "$(cat "$out/hang")"
has "with where it waits" "i915_request_wait" "$(cat "$out/hang")"
finish
