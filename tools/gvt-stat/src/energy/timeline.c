// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "timeline.h"

/* A step that would take more than this was none: the counter began anew, after suspend or reset. */
#define MOST_WATTS	1000

/* --- samples --------------------------------------------------------------------------------- */

static bool same_counter(const struct energy_counter *a, const struct energy_counter *b)
{
	return a->unit_nj == b->unit_nj && a->range == b->range && !strcmp(a->source, b->source);
}

/*
 * Counts from the last value to this one, the counter having wrapped around at most once; returns
 * false if the counter began anew
 */
static bool step(const struct timeline *timeline, uint64_t now, int64_t past_ns, uint64_t *counts)
{
	*counts = now - timeline->last + (now < timeline->last ? timeline->counter.range : 0);
	/* 1 W is 1 nJ per ns */
	return (now >= timeline->last || timeline->counter.range) &&
	       *counts * timeline->counter.unit_nj <= (double)MOST_WATTS * past_ns;
}

static void add_level(struct timeline *timeline, int64_t at_ns, uint64_t now)
{
	struct level level = { .at_ns = at_ns };
	const struct level *before;
	uint64_t counts;

	if (timeline->levels->len) {
		before = &g_array_index(timeline->levels, struct level, timeline->levels->len - 1);
		level.broken = !step(timeline, now, at_ns - before->at_ns, &counts);
		timeline->broken += level.broken;
		level.counts = before->counts + (level.broken ? 0 : counts);
	}
	timeline->last = now;
	g_array_append_val(timeline->levels, level);
}

static bool follows(const struct timeline *timeline, int64_t at_ns)
{
	const GArray *levels = timeline->levels;

	return !levels->len || at_ns > g_array_index(levels, struct level, levels->len - 1).at_ns;
}

/* The counter came to its value at some time between the read and the one before it. */
static int64_t time_of(const struct energy_sample *sample, int64_t mark_ns)
{
	return mark_ns - sample->age_ns - sample->edge_ns / 2;
}

static void on_mark(void *ctx, const struct event *event)
{
	struct timeline *timeline = ctx;
	const struct window *window = &timeline->follow->window;
	struct energy_sample sample;
	int64_t at_ns;

	if (!event->mark.text || !g_str_has_prefix(event->mark.text, ENERGY_PREFIX))
		return;
	if (!energy_sample_parse(event->mark.text, &sample) ||
	    (timeline->counter.unit_nj && !same_counter(&timeline->counter, &sample.counter))) {
		timeline->bad++;
		return;
	}
	at_ns = time_of(&sample, event->ts_ns);
	if (at_ns < window->from_ns || at_ns > window->to_ns || !follows(timeline, at_ns))
		return;
	timeline->counter = sample.counter;
	timeline->on_edges += sample.edge_ns > 0;
	add_level(timeline, at_ns, sample.count);
}

/* --- who executed ------------------------------------------------------------------------------ */

uint32_t timeline_consumer(struct timeline *timeline, const struct vgpu *vgpu,
			   const struct gpu_engine *engine)
{
	struct consumer consumer = { vgpu, engine };

	for (guint nr = 0; nr < timeline->consumers->len; nr++) {
		const struct consumer *other = &g_array_index(timeline->consumers, struct consumer, nr);

		if (other->vgpu == vgpu && other->engine == engine)
			return nr;
	}
	g_array_append_val(timeline->consumers, consumer);
	return timeline->consumers->len - 1;
}

static void add_span(struct timeline *timeline, uint32_t who, int64_t from_ns, int64_t to_ns)
{
	const struct window *window = &timeline->follow->window;
	struct span span = {
		.from_ns = known(from_ns) ? MAX(from_ns, window->from_ns) : window->from_ns,
		.to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns,
		.who = who,
	};

	if (span.from_ns < span.to_ns)
		g_array_append_val(timeline->spans, span);
}

/* Another GPU is not counted; NULL: every engine */
static bool is_counted(const struct timeline *timeline, const struct gpu_engine *engine)
{
	return !engine || selection_gpu(timeline->follow->selection, engine->gpu);
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	if (is_counted(ctx, w->queue->engine))
		add_span(ctx, timeline_consumer(ctx, w->queue->vgpu, w->queue->engine), from_ns, to_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	(void)holder;
	if (!is_counted(ctx, engine))
		return;
	if (what == HOST_RAN)
		add_span(ctx, timeline_consumer(ctx, NULL, engine), from_ns, to_ns);
	else if (what == HOST_UNSURE)
		add_span(ctx, SPAN_UNSURE, from_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	if (is_counted(ctx, engine))
		add_span(ctx, SPAN_UNSURE, from_ns, to_ns);
}

struct timeline *timeline_empty(void)
{
	struct timeline *timeline = g_new0(struct timeline, 1);

	timeline->consumers = g_array_new(FALSE, FALSE, sizeof(struct consumer));
	timeline->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	timeline->levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	return timeline;
}

struct timeline *timeline_new(struct follow *follow)
{
	struct timeline *timeline = timeline_empty();
	const struct model_listener listener = {
		.ran = on_ran, .host = on_host, .unsure = on_unsure, .ctx = timeline,
	};

	timeline->follow = follow;
	model_listen(follow->model, &listener);
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_MARK), .event = on_mark, .ctx = timeline,
	});
	return timeline;
}

void timeline_whole(struct timeline *timeline)
{
	const struct window *window = &timeline->follow->window;
	const struct level ends[] = { { .at_ns = window->from_ns }, { .at_ns = window->to_ns } };

	timeline->counter = (struct energy_counter) { 0 };
	g_array_set_size(timeline->levels, 0);
	g_array_append_vals(timeline->levels, ends, G_N_ELEMENTS(ends));
}

void timeline_free(struct timeline *timeline)
{
	g_array_free(timeline->consumers, TRUE);
	g_array_free(timeline->spans, TRUE);
	g_array_free(timeline->levels, TRUE);
	g_free(timeline);
}
