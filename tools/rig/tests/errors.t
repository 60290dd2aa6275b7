#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Errors that the rig reports before it boots anything.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

check "help" bash -c "'$rig' --help | grep -q '^  rig run SCENARIO'"
check "no command" says "no command; see" "$rig"
check "an unknown command" says "unknown command 'fly'" "$rig" fly
check "an unknown option" says "unknown option '--fly'" "$rig" run solo --fly
check "an option without its value" says "option --out needs a value" "$rig" run solo --out
check "a timeout that is no number" says "'soon' is not a number" "$rig" run solo --timeout soon
check "one in the environment" says "'later' is not a number" env RIG_TIMEOUT=later "$rig" run solo
check "a setting without a value" says "--set: 'gvt_sched/policy' is not PATH=VALUE" "$rig" run solo --set gvt_sched/policy
check "a setting outside the GPU's directory" says "is not PATH=VALUE with a path below" "$rig" run solo --set ../../x=1
check "a file for guests that is not there" says "--guest-add: no '/no/such'" "$rig" exec /bin/true --guest-add /no/such
check "a file's place there that is none" says "--guest-add: 'sh' is not an absolute path; write /bin/sh:/sh" \
	"$rig" exec /bin/true --guest-add /bin/sh:sh
check "a command for guests without any" says "--guest-run: no guest in solo; give a scenario" \
	"$rig" run solo --guest-run /bin/true --out "$work"
check "and without a scenario" says "--guest-run: no guest; give a scenario" "$rig" exec /bin/true --guest-run /bin/true
check "a command of two lines" says "the command has more than one line or 4000 characters; use a script and --guest-add" "$rig" run two-guests --guest-run $'a\nb'
check "a property of the GPU without a value" says "--gpu: 'ctx-save-ns' is not NAME=VALUE" "$rig" run solo --gpu ctx-save-ns
check "two properties in one" says "is not NAME=VALUE, such as ctx-save-ns=10000" "$rig" run solo --gpu a=1,b=2
check "a perturbation that is no number" says "--perturb: '-1' is neither a number nor a range" "$rig" run solo --perturb -1
check "an empty range of them" says "--perturb: the range 3-2 is empty" "$rig" run solo --no-trace --perturb 3-2
check "a range with recording" says "several runs in one boot need 'rig run' with --no-trace" "$rig" run solo --perturb 1-2
check "a range with guests" says "scenario 'two-guests' has guests or a busy host, which start only once per boot" \
	"$rig" run two-guests --no-trace --perturb 1-2
check "a range with a busy host" says "scenario 'busy-host' has guests or a busy host, which start only once per boot" \
	"$rig" run busy-host --no-trace --perturb 1-2
check "no scenario" says "run: no scenario given" "$rig" run
check "a scenario that is not there" says "no scenario 'paper-999'" "$rig" run paper-999 --out "$work"
check "a script that is not there" says "cannot read script '/nowhere'" "$rig" exec /nowhere
check "nothing to verify" says "no trace.dat" "$rig" verify "$work"
echo 'flavour = "sweet"' >"$work/bad.conf"
check "a scenario with an unknown word" says "bad.conf:1: no such option 'flavour'" "$rig" run "$work/bad.conf" --out "$work"
check "a kernel that Debian does not have" says "no kernel '6.12.999-amd64'" \
	"$rig" run solo --out "$work" --kernel 6.12.999-amd64
check "a kernel without modules" says "must be given together" "$rig" run solo --out "$work" --kernel-image /bin/sh
check "modules that are none" says "no lib/modules/RELEASE" \
	"$rig" run solo --out "$work" --kernel-image /bin/sh --modules "$work"
mkdir -p "$work/tree/lib/modules/6.12.0-none"
check "a kernel that is no kernel" says "cannot build the image" \
	"$rig" run solo --out "$work" --kernel-image "$work/bad.conf" --modules "$work/tree" --kvmgt stock --no-trace
check "and why" grep -q "neither a bzImage nor a vmlinux" "$work/err"
check "a kvmgt.ko that is not there" says "--kvmgt: cannot read" "$rig" run solo --out "$work" --kvmgt /nowhere.ko
check "a kvmgt.ko without the events that are to be recorded" \
	says "--kvmgt: stock lacks the events gvt_* that scenario 'solo' records; add --no-trace" "$rig" run solo --out "$work" --kvmgt stock
check "scenarios are listed" bash -c "'$rig' list | grep -q '^idle-neighbour'"
check "and those of the benchmarks" bash -c "'$rig' list | grep -q '^bench/weights'"
check "and those of hostile guests" bash -c "'$rig' list | grep -q '^hostile/endless '"

finish
