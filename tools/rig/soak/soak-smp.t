#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same on two CPUs, for other interleavings; QEMU lets them run in turn.
exec "$(dirname "$0")/soak.t" 300 2
