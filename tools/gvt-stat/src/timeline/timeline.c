// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "timeline.h"

/* --- samples --------------------------------------------------------------------------------- */

/* The counter came to its value at some time between the read and the one before it. */
static int64_t time_of(const struct energy_sample *sample, int64_t mark_ns)
{
	return mark_ns - sample->age_ns - sample->edge_ns / 2;
}

static bool in_window(const struct timeline *timeline, int64_t at_ns)
{
	const struct window *window = &timeline->follow->window;

	return at_ns >= window->from_ns && at_ns <= window->to_ns;
}

static void on_mark(struct timeline *timeline, const struct event *event)
{
	struct energy_sample sample;
	int64_t at_ns;

	if (!event->mark.text || !g_str_has_prefix(event->mark.text, ENERGY_PREFIX))
		return;
	if (!energy_sample_parse(event->mark.text, &sample)) {
		timeline->damaged++;
		return;
	}
	at_ns = time_of(&sample, event->ts_ns);
	if (in_window(timeline, at_ns))
		timeline->damaged += !meters_add(timeline->meters, &sample, at_ns);
}

static void take_over(struct timeline *timeline, const struct meter *meter)
{
	timeline->counter = meter->counter;
	timeline->on_edges = meter->on_edges;
	timeline->broken = meter->broken;
	g_array_unref(timeline->levels);
	timeline->levels = g_array_ref(meter->levels);
	g_array_unref(timeline->gpu);
	timeline->gpu = g_array_ref(meter->gpu);
}

/* Which samples are believed, up to now. Reads by others are, if there are no marks. */
static void choose(struct timeline *timeline)
{
	const struct meter *marks = meters_best(timeline->meters), *reads = meters_best(timeline->read_meters);

	if (marks && (marks->levels->len > 1 || !reads))
		take_over(timeline, marks);
	else if (reads)
		take_over(timeline, reads);
	timeline->bad = timeline->damaged;
	for (guint nr = 0; nr < timeline->meters->len; nr++) {
		const struct meter *meter = &g_array_index(timeline->meters, struct meter, nr);

		timeline->bad += meter == marks ? 0 : meter->levels->len;
	}
}

static void on_event(void *ctx, const struct event *event)
{
	struct timeline *timeline = ctx;

	if (event->id == EVENT_MARK)
		on_mark(timeline, event);
	else if (in_window(timeline, event->ts_ns) || event->msr.msr == MSR_RAPL_POWER_UNIT)
		reads_event(&timeline->reads, event, timeline->read_meters);
	choose(timeline);
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

/* ends that are not known are outside of all windows */
static struct window limits(const struct timeline *timeline)
{
	return timeline->follow ? timeline->follow->window : (struct window) { .from_ns = INT64_MIN / 4, .to_ns = INT64_MAX / 4 };
}

static void add_span(struct timeline *timeline, uint32_t who, uint32_t work, int64_t from_ns, int64_t to_ns)
{
	const struct window window = limits(timeline);
	struct span span = {
		.from_ns = known(from_ns) ? MAX(from_ns, window.from_ns) : window.from_ns,
		.to_ns = known(to_ns) ? MIN(to_ns, window.to_ns) : window.to_ns,
		.who = who, .work = work,
	};

	if (span.from_ns < span.to_ns)
		g_array_append_val(timeline->spans, span);
}

static bool has_samples(const struct timeline *timeline)
{
	return timeline->meters->len || timeline->read_meters->len || timeline->reads.early->len;
}

/*
 * Another GPU is not counted; NULL: every engine. What ended before the first sample is of no interval
 * between samples.
 */
static bool is_counted(const struct timeline *timeline, const struct gpu_engine *engine)
{
	if (timeline->sampled_only && !has_samples(timeline))
		return false;
	return !engine || !timeline->follow || selection_gpu(timeline->follow->selection, engine->gpu);
}

/* the number in @works of a live workload, which is added at first */
static uint32_t work_of(struct timeline *timeline, const struct workload *w)
{
	static const uint32_t none = SPAN_NO_WORK;
	struct work work = { .id = w->id };
	uint32_t *nr;

	while (timeline->live->len <= w->nr)
		g_array_append_val(timeline->live, none);
	nr = &g_array_index(timeline->live, uint32_t, w->nr);
	if (*nr == none) {
		work.who = timeline_consumer(timeline, w->queue->vgpu, w->queue->engine);
		*nr = timeline->works->len;
		g_array_append_val(timeline->works, work);
	}
	return *nr;
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct timeline *timeline = ctx;

	if (is_counted(timeline, w->queue->engine))
		add_span(timeline, timeline_consumer(timeline, w->queue->vgpu, w->queue->engine),
			 timeline->follow ? work_of(timeline, w) : SPAN_NO_WORK, from_ns, to_ns);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct timeline *timeline = ctx;
	const struct window *window = &timeline->follow->window;
	struct work *work;
	uint32_t nr;

	if (!is_counted(timeline, w->queue->engine))
		return;
	nr = work_of(timeline, w);
	work = &g_array_index(timeline->works, struct work, nr);
	work->completed = w->completed && !w->status && known(w->end_ns) &&
			  w->end_ns >= window->from_ns && w->end_ns <= window->to_ns;
	work->queue_ns = w->queue_ns;
	work->end_ns = w->end_ns;
	work->exec_ns = workload_exec(w);
	/* its number is for another one now */
	g_array_index(timeline->live, uint32_t, w->nr) = SPAN_NO_WORK;
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	(void)holder;
	if (!is_counted(ctx, engine))
		return;
	if (what == HOST_RAN)
		add_span(ctx, timeline_consumer(ctx, NULL, engine), SPAN_NO_WORK, from_ns, to_ns);
	else if (what == HOST_UNSURE)
		add_span(ctx, SPAN_UNSURE, SPAN_NO_WORK, from_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	if (is_counted(ctx, engine))
		add_span(ctx, SPAN_UNSURE, SPAN_NO_WORK, from_ns, to_ns);
}

struct timeline *timeline_empty(void)
{
	struct timeline *timeline = g_new0(struct timeline, 1);

	timeline->consumers = g_array_new(FALSE, FALSE, sizeof(struct consumer));
	timeline->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	timeline->works = g_array_new(FALSE, FALSE, sizeof(struct work));
	timeline->live = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	timeline->levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	timeline->gpu = g_array_new(FALSE, FALSE, sizeof(struct gpu_level));
	timeline->meters = meters_new();
	timeline->read_meters = meters_new();
	reads_init(&timeline->reads);
	return timeline;
}

void timeline_listen(struct timeline *timeline, struct model *model)
{
	const struct model_listener listener = {
		.ran = on_ran, .host = on_host, .unsure = on_unsure, .ctx = timeline,
	};

	model_listen(model, &listener);
}

struct timeline *timeline_new(struct follow *follow, bool sampled_only)
{
	struct timeline *timeline = timeline_empty();

	timeline->follow = follow;
	timeline->sampled_only = sampled_only;
	timeline_listen(timeline, follow->model);
	model_listen(follow->model, &(const struct model_listener) { .ended = on_ended, .ctx = timeline });
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_MARK) | EVENT_BIT(EVENT_READ_MSR), .event = on_event, .ctx = timeline,
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
	g_array_free(timeline->works, TRUE);
	g_array_free(timeline->live, TRUE);
	g_array_unref(timeline->levels);
	g_array_unref(timeline->gpu);
	meters_free(timeline->meters);
	meters_free(timeline->read_meters);
	reads_clear(&timeline->reads);
	g_free(timeline);
}
