/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations as people write them: a number and its unit. */
#ifndef RIG_DURATION_H
#define RIG_DURATION_H

#include <stdint.h>

/* The longest duration accepted: one day, far below any overflow in ns. */
#define DURATION_MAX_NS (86400ull * 1000000000)

/**
 * duration_parse - read "18ms", "4.7ms", "500us", "3s" or "250ns"
 * @text: the whole text; no blanks, no sign
 * @ns: receives the duration in nanoseconds; unchanged on error
 *
 * The conversion is exact: no floating point is involved.
 *
 * Returns: 0, -EINVAL (not a number followed by ns, us, ms or s) or -ERANGE
 * (above DURATION_MAX_NS, or finer than one nanosecond).
 */
int duration_parse(const char *text, uint64_t *ns);

#endif
