#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What check-series finds are tests themselves.
exec "$(dirname "$0")/../check-series"
