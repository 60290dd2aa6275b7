// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "trace/util.h"
#include "health.h"

struct health {
	const struct follow *follow;
	GArray *rows;			/* struct health_row */
};

#define HEALTH_NAME(member)	#member,
static const char *const names[HEALTH_KINDS] = { HEALTH_COUNTS(HEALTH_NAME) };

void health_free(struct health *health)
{
	g_array_free(health->rows, TRUE);
	g_free(health);
}

static struct health_row *find(const struct health *health, int64_t dev, int64_t vgpu_id)
{
	for (unsigned int nr = 0; nr < health->rows->len; nr++) {
		struct health_row *row = &g_array_index(health->rows, struct health_row, nr);

		if (row->dev == dev && row->vgpu_id == vgpu_id)
			return row;
	}
	return NULL;
}

/* The model limits the number of vGPUs; others are ignored here, too. */
static struct health_row *get(struct health *health, int64_t dev, int64_t vgpu_id)
{
	struct health_row row = {
		.dev = dev, .vgpu_id = vgpu_id, .first_ns = UNKNOWN, .last_ns = UNKNOWN,
		.failsafe_ns = UNKNOWN,
	};

	if (!find(health, dev, vgpu_id) && model_vgpu(health->follow->model, dev, vgpu_id)) {
		for (int kind = 0; kind < HEALTH_KINDS; kind++)
			row.told[kind] = UNKNOWN;
		g_array_append_val(health->rows, row);
	}
	return find(health, dev, vgpu_id);
}

/* A lower count is that of a new vGPU, which has the number now. */
static bool note_count(struct health_row *row, int kind, int64_t count, bool counts)
{
	int64_t was = row->told[kind];

	/* kvmgt counts in 32 bits: a larger count is damage */
	if (!known(count) || count < 0 || count > UINT32_MAX)
		return false;
	row->told[kind] = count;
	if (!counts || !known(was) || count == was)
		return false;
	row->risen[kind] += count > was ? count - was : count;
	return true;
}

#define TAKE_COUNT(member)	risen |= note_count(row, HEALTH_##member, told->member, inside);

static void on_health(void *ctx, const struct event *event)
{
	struct health *health = ctx;
	const struct window *window = &health->follow->window;
	const struct health_event *told = &event->health;
	bool inside = event->ts_ns >= window->from_ns, risen = false;
	struct health_row *row = get(health, told->dev, told->vgpu_id);

	if (!row || event->ts_ns > window->to_ns)
		return;
	HEALTH_COUNTS(TAKE_COUNT)
	if (risen && !known(row->first_ns))
		row->first_ns = event->ts_ns;
	if (risen)
		row->last_ns = event->ts_ns;
	if (told->failsafe != row->failsafe)
		row->failsafe_ns = event->ts_ns;
	row->failsafe = told->failsafe;
}

struct health *health_new(struct follow *follow)
{
	struct health *health = g_new0(struct health, 1);

	health->follow = follow;
	health->rows = g_array_new(FALSE, FALSE, sizeof(struct health_row));
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_VGPU_HEALTH), .event = on_health, .ctx = health,
	});
	return health;
}

const GArray *health_rows(const struct health *health)
{
	return health->rows;
}

const char *health_name(enum health_kind kind)
{
	return names[kind];
}
