// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "dedup.h"
#include "trace-private.h"

/*
 * Maximum number of occurrences seen in other buffers before they come up in this
 * one. Copies are written one after another on one CPU, so that one would suffice
 * but for records that one of the buffers has lost.
 */
#define EXPECTED_MAX	64

/* one event's occurrences in other buffers, on one CPU, oldest first */
struct expected {
	uint64_t prints[EXPECTED_MAX];
	unsigned int count;
};

struct dedup {
	int cpus;
	int buffers;
	struct expected **expected;	/* [cpu][event][buffer], allocated on demand */
};

struct dedup *dedup_new(int cpus, int buffers)
{
	struct dedup *dedup = g_new0(struct dedup, 1);

	dedup->cpus = cpus;
	dedup->buffers = buffers;
	dedup->expected = g_new0(struct expected *, (size_t)cpus * EVENT_COUNT * buffers);
	return dedup;
}

void dedup_free(struct dedup *dedup)
{
	for (size_t nr = 0; nr < (size_t)dedup->cpus * EVENT_COUNT * dedup->buffers; nr++)
		g_free(dedup->expected[nr]);
	g_free(dedup->expected);
	g_free(dedup);
}

static void drop_oldest(struct expected *expected, unsigned int count)
{
	expected->count -= count;
	memmove(expected->prints, expected->prints + count,
		expected->count * sizeof(expected->prints[0]));
}

/* earlier ones were lost in this buffer, or filtered out */
static bool take(struct expected *expected, uint64_t value)
{
	for (unsigned int nr = 0; expected && nr < expected->count; nr++) {
		if (expected->prints[nr] != value)
			continue;
		drop_oldest(expected, nr + 1);
		return true;
	}
	return false;
}

static void expect(struct expected **expected, uint64_t value)
{
	if (!*expected)
		*expected = g_new0(struct expected, 1);
	if ((*expected)->count == EXPECTED_MAX)
		drop_oldest(*expected, 1);
	(*expected)->prints[(*expected)->count++] = value;
}

bool dedup_is_repeated(struct dedup *dedup, int buffer, const struct event *event)
{
	struct expected **row;
	uint64_t value;

	if (event->cpu < 0 || event->cpu >= dedup->cpus)
		return false;
	row = dedup->expected + ((size_t)event->cpu * EVENT_COUNT + event->id) * dedup->buffers;
	value = event_fingerprint(event);
	if (take(row[buffer], value))
		return true;
	for (int other = 0; other < dedup->buffers; other++)
		if (other != buffer)
			expect(&row[other], value);
	return false;
}
