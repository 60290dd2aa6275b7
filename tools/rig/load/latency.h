/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All latencies of a stream: no bins, no sampling. */
#ifndef RIG_LATENCY_H
#define RIG_LATENCY_H

#include <stddef.h>
#include <stdint.h>

struct latencies {
	uint64_t *ns;
	size_t n, capacity;
};

/* latencies_add - keep one more; returns 0 or -ENOMEM */
int latencies_add(struct latencies *l, uint64_t ns);

/* latencies_mean - arithmetic mean in ns, rounded down; needs n > 0 */
uint64_t latencies_mean(const struct latencies *l);

/**
 * latencies_percentile - smallest kept latency that @percent of all do not exceed
 * @percent: 1 to 100 (100: the maximum); needs n > 0
 *
 * Nearest rank, no interpolation.  Sorts @l.
 */
uint64_t latencies_percentile(struct latencies *l, unsigned int percent);

void latencies_free(struct latencies *l);

#endif
