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
 * Uses the kernel's rate, else measures against CLOCK_MONOTONIC_RAW for 0.1 s, with an error of a
 * few parts per million. 0 if there is no TSC.
 */
int64_t tsc_khz(void);

#endif
