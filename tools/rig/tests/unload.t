#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kvmgt goes while others read all that it shows, on two CPUs: on one, as in selftests.t, nobody
# reads between any two steps of that.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2119 # no files beside them
install_selftests
# what the scenario has made goes first
# shellcheck disable=SC2016 # for the machine's shell
among_selftests 'for mdev in /sys/bus/mdev/devices/*; do echo 1 >"$mdev/remove"; done
	ROUNDS=5 GVT_KVMGT=/lib/modules/kvmgt.ko exec /selftests/module_readers.sh' --scenario "$(dirname "$0")/unload.conf"
finish
