// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "trace/util.h"
#include "holds.h"

struct holds {
	const struct follow *follow;
	GArray *rows;			/* struct holds_row */
};

void holds_free(struct holds *holds)
{
	g_array_free(holds->rows, TRUE);
	g_free(holds);
}

static struct holds_row *find(const struct holds *holds, int64_t dev)
{
	for (unsigned int nr = 0; nr < holds->rows->len; nr++) {
		struct holds_row *row = &g_array_index(holds->rows, struct holds_row, nr);

		if (row->dev == dev)
			return row;
	}
	return NULL;
}

/* The model limits the number of GPUs. */
static struct holds_row *get(struct holds *holds, int64_t dev)
{
	struct holds_row new_row = { .dev = dev };

	if (!find(holds, dev))
		g_array_append_val(holds->rows, new_row);
	return find(holds, dev);
}

static void on_hold(void *ctx, const struct event *event)
{
	struct holds *holds = ctx;
	const struct window *window = &holds->follow->window;
	const struct hold_event *hold = &event->hold;
	struct holds_row *row;

	if (event->ts_ns < window->from_ns || event->ts_ns > window->to_ns ||
	    !known(hold->held_ns))
		return;
	row = get(holds, hold->dev);
	if (hold->result == HOLD_CAME) {
		row->came++;
		row->came_ns += hold->held_ns;
		row->came_max_ns = MAX(row->came_max_ns, hold->held_ns);
	} else if (hold->result == HOLD_EXPIRED) {
		row->expired++;
		row->expired_ns += hold->held_ns;
	}
}

struct holds *holds_new(struct follow *follow)
{
	struct holds *holds = g_new0(struct holds, 1);

	holds->follow = follow;
	holds->rows = g_array_new(FALSE, FALSE, sizeof(struct holds_row));
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_SCHED_HOLD), .event = on_hold, .ctx = holds,
	});
	return holds;
}

struct holds_row holds_of(const struct holds *holds, int64_t dev)
{
	const struct holds_row *row = find(holds, dev);

	return row ? *row : (struct holds_row) { .dev = dev };
}
