#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scheduler's KUnit suites, in user space and with sanitizers.
exec "${O:-$(dirname "$0")/../../../build}/gvt-sched/kunit"
