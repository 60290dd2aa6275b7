#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What run-kunit runs are tests themselves.
exec "$(dirname "$0")/../run-kunit"
