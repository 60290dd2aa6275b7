// SPDX-License-Identifier: GPL-2.0-or-later
/* All latencies of a stream: no bins, no sampling. */
#include "latency.h"

#include <errno.h>
#include <stdlib.h>

int latencies_add(struct latencies *l, uint64_t ns)
{
	if (l->n == l->capacity) {
		size_t capacity = l->capacity ? 2 * l->capacity : 4096;
		uint64_t *grown = reallocarray(l->ns, capacity, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		l->ns = grown;
		l->capacity = capacity;
	}
	l->ns[l->n++] = ns;
	return 0;
}

uint64_t latencies_mean(const struct latencies *l)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->n; i++)
		sum += l->ns[i];
	return sum / l->n;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t latencies_percentile(struct latencies *l, unsigned int percent)
{
	size_t rank = (l->n * percent + 99) / 100;

	qsort(l->ns, l->n, sizeof(*l->ns), compare);
	return l->ns[rank - 1];
}

void latencies_free(struct latencies *l)
{
	free(l->ns);
	*l = (struct latencies) { NULL, 0, 0 };
}
