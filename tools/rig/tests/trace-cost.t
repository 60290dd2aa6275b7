#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What tracing costs stays within its goals.
exec "$(dirname "$0")/../bench/trace-cost" --check
