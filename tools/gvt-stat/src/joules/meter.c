// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "meter.h"

/* ends that are not known are outside of all windows */
#define BEFORE_NS	(INT64_MIN / 4)
#define AFTER_NS	(INT64_MAX / 4)

static void add_span(struct timeline *meter, uint32_t who, int64_t from_ns, int64_t to_ns)
{
	const struct span span = {
		.from_ns = known(from_ns) ? from_ns : BEFORE_NS, .to_ns = known(to_ns) ? to_ns : AFTER_NS, .who = who,
	};

	if (span.from_ns < span.to_ns)
		g_array_append_val(meter->spans, span);
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	add_span(ctx, timeline_consumer(ctx, w->queue->vgpu, w->queue->engine), from_ns, to_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	(void)holder;
	if (what == HOST_RAN)
		add_span(ctx, timeline_consumer(ctx, NULL, engine), from_ns, to_ns);
	else if (what == HOST_UNSURE)
		add_span(ctx, SPAN_UNSURE, from_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	(void)engine;
	add_span(ctx, SPAN_UNSURE, from_ns, to_ns);
}

struct timeline *meter_new(struct model *model)
{
	struct timeline *meter = timeline_empty();
	const struct model_listener listener = {
		.ran = on_ran, .host = on_host, .unsure = on_unsure, .ctx = meter,
	};

	model_listen(model, &listener);
	return meter;
}

void meter_free(struct timeline *meter)
{
	timeline_free(meter);
}

static void keep_gpu(struct timeline *meter, int64_t dev)
{
	guint kept = 0;

	for (guint nr = 0; nr < meter->spans->len; nr++) {
		struct span span = g_array_index(meter->spans, struct span, nr);

		if (span.who == SPAN_UNSURE ||
		    g_array_index(meter->consumers, struct consumer, span.who).engine->dev == dev)
			g_array_index(meter->spans, struct span, kept++) = span;
	}
	g_array_set_size(meter->spans, kept);
}

struct portions *meter_portions(struct timeline *meter, int64_t from_ns, int64_t length_ns,
				int64_t gap_ns, unsigned int windows, int64_t dev)
{
	if (known(dev))
		keep_gpu(meter, dev);
	g_array_set_size(meter->levels, 0);
	for (unsigned int nr = 0; nr < windows; nr++, from_ns += length_ns + gap_ns) {
		/* what is between two windows is not counted */
		const struct level begin = { .at_ns = from_ns, .broken = true }, end = { .at_ns = from_ns + length_ns };

		if (!nr || gap_ns)
			g_array_append_val(meter->levels, begin);
		g_array_append_val(meter->levels, end);
	}
	return portions_new(meter);
}
