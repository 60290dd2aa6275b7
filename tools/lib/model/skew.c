// SPDX-License-Identifier: GPL-2.0-or-later
#include "model-private.h"
#include "inside.h"
#include "skew.h"

/* lower bound of skew_bound(): smaller differences need no distinction */
#define SKEW_MIN_NS	(NSEC_PER_MSEC / 10)
/* the largest observed difference is rarely the largest of all */
#define SKEW_FACTOR	4

/* Damaged traces may have any number of events without a workload. */
#define KEPT_MAX	256

void skew_init(struct skew *skew)
{
	skew->kept = g_array_new(FALSE, FALSE, sizeof(struct event));
}

void skew_clear(struct skew *skew)
{
	g_array_free(skew->kept, TRUE);
}

void skew_keep(struct skew *skew, const struct event *event)
{
	g_array_append_val(skew->kept, *event);
}

void skew_note(struct skew *skew, int64_t ts_ns, int64_t after_ns)
{
	skew->events++;
	skew->max_ns = MAX(skew->max_ns, after_ns - ts_ns);
}

static void take(struct skew *skew, unsigned int nr, struct event *event)
{
	*event = g_array_index(skew->kept, struct event, nr);
	g_array_remove_index(skew->kept, nr);
}

bool skew_take(struct skew *skew, const struct workload_key *key, struct event *event)
{
	for (unsigned int nr = 0; nr < skew->kept->len; nr++) {
		const struct workload_event *told =
			&g_array_index(skew->kept, struct event, nr).workload;

		if (told->workload_id != key->id || told->dev != key->dev)
			continue;
		take(skew, nr, event);
		return true;
	}
	return false;
}

bool skew_has(const struct skew *skew, enum event_id id, const struct workload_key *key)
{
	for (unsigned int nr = 0; nr < skew->kept->len; nr++) {
		const struct event *event = &g_array_index(skew->kept, struct event, nr);

		if (event->id == id && event->workload.dev == key->dev &&
		    event->workload.workload_id == key->id)
			return true;
	}
	return false;
}

int64_t skew_bound(const struct skew *skew)
{
	return CLAMP(SKEW_FACTOR * skew->max_ns, SKEW_MIN_NS, SKEW_MAX_NS);
}

bool skew_expired(struct skew *skew, int64_t ts_ns, struct event *event)
{
	const struct event *first;

	if (!skew->kept->len)
		return false;
	first = &g_array_index(skew->kept, struct event, 0);
	if (known(ts_ns) && ts_ns - first->ts_ns <= skew_bound(skew) && skew->kept->len <= KEPT_MAX)
		return false;
	take(skew, 0, event);
	return true;
}
