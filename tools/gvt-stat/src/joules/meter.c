// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "meter.h"

struct timeline *meter_new(struct model *model)
{
	struct timeline *meter = timeline_empty();

	timeline_listen(meter, model);
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
