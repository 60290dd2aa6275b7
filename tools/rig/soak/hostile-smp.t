#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same on two CPUs.
exec "$(dirname "$0")/hostile.t" 2
