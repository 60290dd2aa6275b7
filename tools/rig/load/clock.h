/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The monotonic clock, and a timer for poll() on it. */
#ifndef RIG_CLOCK_H
#define RIG_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND 1000000000ull

/* clock_ns - the current time */
uint64_t clock_ns(void);

/**
 * clock_tsc - the time stamp counter
 *
 * On the rig one tick is one ns, and traces and the device's truth log have the
 * same axis.
 */
uint64_t clock_tsc(void);

/**
 * clock_timer - a file descriptor that becomes readable at a set time
 *
 * A timerfd instead of poll()'s timeout, which the kernel may stretch by a
 * thousandth.  There is no need to read it: setting it anew clears its state.
 *
 * Returns: the descriptor, for the caller to close, or -errno with a line on stderr.
 */
int clock_timer(void);

/* clock_arm - set a timer; 0 or -errno with a line on stderr */
int clock_arm(int timer, uint64_t at_ns);

#endif
