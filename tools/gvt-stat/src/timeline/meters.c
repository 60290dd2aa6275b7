// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "meters.h"

static void add_level(struct meter *meter, int64_t at_ns, uint64_t now, bool vague)
{
	struct level level = { .at_ns = at_ns, .vague = vague };
	const struct level *before;
	uint64_t counts;

	if (meter->levels->len) {
		before = &g_array_index(meter->levels, struct level, meter->levels->len - 1);
		level.broken = !energy_step(&meter->counter, meter->last, now, at_ns - before->at_ns,
					     &counts);
		meter->broken += level.broken;
		level.counts = before->counts + (level.broken ? 0 : counts);
	}
	meter->last = now;
	g_array_append_val(meter->levels, level);
}

static void add_gpu(struct meter *meter, int64_t at_ns, const struct energy_gpu *gpu)
{
	struct gpu_level level = { at_ns, *gpu };

	if (known(gpu->rc6_ns) || known(gpu->awake_ns) || known(gpu->mhz_s))
		g_array_append_val(meter->gpu, level);
}

static bool follows(const struct meter *meter, int64_t at_ns)
{
	const GArray *levels = meter->levels;

	return !levels->len || at_ns > g_array_index(levels, struct level, levels->len - 1).at_ns;
}

static struct meter *find(GArray *meters, const struct energy_counter *counter)
{
	struct meter new = { .counter = *counter };

	for (guint nr = 0; nr < meters->len; nr++) {
		struct meter *meter = &g_array_index(meters, struct meter, nr);

		if (energy_same_counter(&meter->counter, counter))
			return meter;
	}
	if (meters->len == METERS_MAX)
		return NULL;
	new.levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	new.gpu = g_array_new(FALSE, FALSE, sizeof(struct gpu_level));
	g_array_append_val(meters, new);
	return &g_array_index(meters, struct meter, meters->len - 1);
}

bool meters_add(GArray *meters, const struct energy_sample *sample, int64_t at_ns)
{
	struct meter *meter = find(meters, &sample->counter);

	if (meter && follows(meter, at_ns)) {
		meter->on_edges += sample->edge_ns > 0;
		add_level(meter, at_ns, sample->count, sample->edge_ns <= 0);
		add_gpu(meter, at_ns, &sample->gpu);
	}
	return meter;
}

const struct meter *meters_best(const GArray *meters)
{
	const struct meter *best = NULL;

	for (guint nr = 0; nr < meters->len; nr++) {
		const struct meter *meter = &g_array_index(meters, struct meter, nr);

		if (!best || meter->levels->len > best->levels->len)
			best = meter;
	}
	return best;
}

static void clear(void *data)
{
	struct meter *meter = data;

	g_array_unref(meter->levels);
	g_array_unref(meter->gpu);
}

GArray *meters_new(void)
{
	GArray *meters = g_array_new(FALSE, FALSE, sizeof(struct meter));

	g_array_set_clear_func(meters, clear);
	return meters;
}

void meters_free(GArray *meters)
{
	g_array_free(meters, TRUE);
}
