// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "blame.h"
#include "util.h"

struct blame {
	struct follow *follow;
	GPtrArray *rows;		/* struct blame_row */
	struct blame_moment worst[BLAME_MOMENTS + 1];
};

const char *wait_class_name(enum wait_class class)
{
	static const char *const names[WAIT_CLASSES] = {
		[WAIT_NONE] = "none", [WAIT_UNKNOWN] = "unknown", [WAIT_OTHER] = "other",
		[WAIT_THROTTLED] = "throttled", [WAIT_CAPPED] = "capped",
		[WAIT_SWITCHING] = "switching", [WAIT_HELD] = "held",
		[WAIT_PREEMPTED] = "preempted", [WAIT_CURRENT] = "own",
	};

	return names[class];
}

static bool is_for(const struct blame_row *row, const struct stretch *stretch)
{
	return row->queue == stretch->queue && row->class == stretch->class &&
	       row->culprit == stretch->culprit;
}

/* few rows, and mostly the one that was used before */
static struct blame_row *get_row(struct blame *blame, const struct stretch *stretch)
{
	struct blame_row *row;

	for (unsigned int nr = 0; nr < blame->rows->len; nr++)
		if (is_for(blame->rows->pdata[nr], stretch))
			return blame->rows->pdata[nr];
	row = g_new0(struct blame_row, 1);
	row->queue = stretch->queue;
	row->class = stretch->class;
	row->culprit = stretch->culprit;
	row->worst_at_ns = UNKNOWN;
	g_ptr_array_add(blame->rows, row);
	return row;
}

/* Among equals, the first stays first. */
static void note_moment(struct blame *blame, const struct blame_moment *moment)
{
	unsigned int place = BLAME_MOMENTS;

	while (place && blame->worst[place - 1].length_ns < moment->length_ns)
		place--;
	if (place == BLAME_MOMENTS)
		return;
	memmove(&blame->worst[place + 1], &blame->worst[place],
		(BLAME_MOMENTS - 1 - place) * sizeof(*moment));
	blame->worst[place] = *moment;
}

static void on_stretch(void *ctx, const struct stretch *stretch)
{
	struct blame *blame = ctx;
	const struct window *window = &blame->follow->window;
	struct blame_moment moment = {
		.queue = stretch->queue,
		.class = stretch->class,
		.culprit = stretch->culprit,
		.from_ns = MAX(stretch->from_ns, window->from_ns),
	};
	struct blame_row *row;

	moment.length_ns = MIN(stretch->to_ns, window->to_ns) - moment.from_ns;
	if (moment.length_ns <= 0)
		return;
	row = get_row(blame, stretch);
	row->wait_ns += moment.length_ns;
	row->count++;
	if (moment.length_ns > row->worst_ns) {
		row->worst_ns = moment.length_ns;
		row->worst_at_ns = moment.from_ns;
	}
	if (stretch->class != WAIT_CURRENT &&
	    options_want(blame->follow->options, stretch->queue))
		note_moment(blame, &moment);
}

struct blame *blame_new(struct follow *follow)
{
	struct blame *blame = g_new0(struct blame, 1);
	struct model_listener listener = { .stretch = on_stretch, .ctx = blame };

	blame->follow = follow;
	blame->rows = g_ptr_array_new_with_free_func(g_free);
	model_listen(follow->model, &listener);
	return blame;
}

void blame_free(struct blame *blame)
{
	g_ptr_array_free(blame->rows, TRUE);
	g_free(blame);
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct blame_row *ra = *(struct blame_row *const *)a;
	const struct blame_row *rb = *(struct blame_row *const *)b;
	const int64_t keys[][2] = {
		{ ra->queue->vgpu->dev, rb->queue->vgpu->dev },
		{ ra->queue->vgpu->id, rb->queue->vgpu->id },
		{ ra->queue->engine->class, rb->queue->engine->class },
		{ ra->queue->engine->instance, rb->queue->engine->instance },
		{ ra->class, rb->class },
		{ ra->culprit ? ra->culprit->id : 0, rb->culprit ? rb->culprit->id : 0 },
	};
	int order = 0;

	for (size_t nr = 0; nr < sizeof(keys) / sizeof(keys[0]) && !order; nr++)
		order = compare(keys[nr][0], keys[nr][1]);
	return order;
}

const GPtrArray *blame_rows(struct blame *blame)
{
	g_ptr_array_sort(blame->rows, compare_rows);
	return blame->rows;
}

const struct blame_moment *blame_worst(const struct blame *blame)
{
	return blame->worst;
}
