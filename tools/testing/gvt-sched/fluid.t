#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fluid sharing, the reference of judge, where it is known what comes of it.
exec "${O:-$(dirname "$0")/../../../build}/gvt-sched/fluid-test"
