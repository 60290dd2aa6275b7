#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What check-series finds are tests themselves. Here of a sample of the states, as each takes half
# a minute of a CPU: all of them are built by 'scripts/check-series BASE'.
exec "$(dirname "$0")/../check-series" --sample
