#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs of one's own: in a guest, and in a machine without a scenario, but with settings.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$work/guest.conf" <<'END'
description = "one guest with a program of one's own"
warmup = "0s"
duration = "100ms"

vgpu "one" {
	type = V5_8
	runs = guest
	guest-memory-mb = 384
	stream "render" { engine = rcs0 exec = "1ms" think = "9ms" count = 3 }
}
END
printf '#!/bin/sh\nls /dev/dri/card0\ncat /hello\nexit 3\n' >"$work/program"
chmod +x "$work/program"
echo "hello from outside" >"$work/hello"
printf '#!/bin/sh\ncat /sys/bus/pci/devices/0000:00:02.0/gvt_sched/policy\n' >"$work/policy"

guest() {
	"$rig" run "$work/guest.conf" --no-trace --guest-add "$work/program" --guest-add "$work/hello" \
		--guest-run /program --out "$work/guest" || return
	cat "$work/guest/guest-one.log"
}

said() {
	tr -d '\r' <"$work/guest/guest-one.log" | grep -qx "$1"
}

policy() {
	"$rig" exec "$work/policy" --set gvt_sched/policy=fair --gpu ctx-save-ns=1000 --out "$work/exec" &&
		grep -F '[fair]' "$work/exec/output.log"
}

check "a guest runs to its end with a program and a file" guest
check "the program has found the GPU" said /dev/dri/card0
check "it has found the file" said "hello from outside"
check "its exit code is in the log" said "RUN exit 3"
check "exec takes settings and properties of the GPU without a scenario" policy
finish
