#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The user's programs: in the guests of a scenario, in guests that a script starts, and in a
# machine with settings, but no scenario.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$work/guests.conf" <<'END'
description = "a guest with a program of one's own, and one without"
aperture-mb = 512
warmup = "0s"
duration = "100ms"

vgpu "one" {
	type = V5_8
	runs = guest
	command = "/tests/program from the scenario"
	stream "render" { engine = rcs0 exec = "1ms" think = "9ms" count = 3 }
}
vgpu "two" {
	type = V5_8
	runs = guest
}
END
mkdir "$work/tests"
cat >"$work/tests/program" <<'END'
#!/bin/sh
ls /dev/dri/card0
echo "$* $(nproc)"
cat "${0%/*}/text"
exit 3
END
chmod +x "$work/tests/program"
mkdir -p "$work/over/tests"
# what a console would change, and no line's end at the end
printf 'tab\tand\r\nreturn\004' >"$work/over/tests/text"
for words in "from the scenario 1" "given 'twice'  1" "of its own 2"; do
	{ printf '%s\n' /dev/dri/card0 "$words" && cat "$work/over/tests/text"; } >"$work/${words##* }.${words%% *}"
done

run() {
	"$rig" run "$work/guests.conf" --no-trace --guest-add "$work/tests" --guest-add "$work/over:/" --out "$work/$1" "${@:2}"
}

# printed OUT GUEST FILE: that, and the exit code 3
printed() {
	ls "$work/$1"
	cmp "$work/$1/guest-$2.out" "$work/$3" && [ "$(cat "$work/$1/guest-$2.exit")" = 3 ]
}

nothing_of() {
	[ -s "$work/$1/guest-$2.log" ] && ! ls "$work/$1/guest-$2".{out,exit}
}

check "guests run to their end, one with a command" run scenario
check "it has found the GPU and its file; what it printed is there, and its exit code" printed scenario one 1.from
check "its streams have worked beside it" grep -q '^RESULT vgpu=one stream=render .* done=[1-9].* failed=0 ' "$work/scenario/load.log"
check "a guest without a command leaves nothing of one" nothing_of scenario two
check "--guest-run gives every guest another one" run option --guest-run "/tests/program given \"'twice'\" ''"
check "the first has run it" printed option one 1.given
check "and the second" printed option two 1.given
check "a command that is not there" says "guest \"one\" cannot run its command: sh: /none: not found; put it there by --guest-add" \
	run missing --guest-run /none

cat >"$work/script" <<'END'
#!/bin/sh
. guests.sh
cat /sys/bus/pci/devices/0000:00:02.0/gvt_sched/policy
uuid=11111111-2222-4333-8444-555555555555
echo $uuid >/sys/bus/pci/devices/0000:00:02.0/mdev_supported_types/i915-GVTg_V5_8/create
guest_start own || echo "exit code $?"
for words in once "of its own"; do
	guest_start own $uuid 384 -smp 2 && guest_ready own || exit
	guest_run own "/tests/program $words"
	echo "exit code $?"
	guest_end own
done
guest_start bad $uuid 384 -device nonsense && guest_run bad || echo "exit code $?"
END
own() {
	"$rig" exec "$work/script" --set gvt_sched/policy=fair --gpu ctx-save-ns=1000 --guest-add "$work/tests" --guest-add "$work/over:/" --out "$work/exec" || return
	cat "$work/exec/output.log"
}
said() {
	cat "$work/exec/output.log"
	grep -qF "$1" "$work/exec/output.log"
}
check "a script starts a guest of its own, twice, without a scenario" own
check "the guest has run the last command, with the CPUs it was to have" printed exec own 2.of
check "the script has had its exit code, each time" test "$(grep -cx 'exit code 3' "$work/exec/output.log")" -eq 2
check "exec takes settings and properties of the GPU without a scenario" said '[fair]'
check "a guest that neither script nor scenario tells of" said 'no vgpu "own" with runs = guest; give a vGPU'
check "a guest that ends before its command" said 'guest "bad" gave no result: qemu: -device nonsense:'
check "has the exit code 255" said "exit code 255"
finish
