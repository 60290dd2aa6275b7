/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rate of the trace clock x86-tsc, which counts cycles.
 */
#ifndef GVT_STAT_TSC_H
#define GVT_STAT_TSC_H

#include <stdint.h>

/**
 * tsc_khz - the rate of this machine's TSC in kHz
 *
 * As the kernel tells it, else measured against CLOCK_MONOTONIC_RAW in a tenth of a
 * second, which is right to a few millionths. 0 if there is no TSC.
 */
int64_t tsc_khz(void);

#endif
