// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a GPU draws, its frequency and RC6, from samples of energy. Two samples of one counter in a row
 * show it: a damaged sample costs the time around it.
 */
#include <math.h>

#include "trace/util.h"
#include "lanes-private.h"

/* The counter is that of the GPU in the processor. NULL: of several, nobody knows which that is. */
static const struct gpu *counted(const struct lanes *lanes)
{
	const GPtrArray *gpus = model_gpus(lanes->follow->model);
	const struct gpu *only = NULL;

	for (guint nr = 0; nr < gpus->len; nr++) {
		if (!selection_gpu(lanes->follow->selection, gpus->pdata[nr]))
			continue;
		if (only)
			return NULL;
		only = gpus->pdata[nr];
	}
	return only;
}

/* @value: from @at_ns to the next; NAN: not known */
static void add_value(struct lanes *lanes, enum counter_kind kind, int64_t at_ns, double value)
{
	struct lane_counter **counter = &lanes->power.counters[kind];
	const struct gpu *gpu;

	if (isnan(value) || !counters_wanted(lanes, kind))
		return;
	if (!*counter) {
		gpu = counted(lanes);
		if (!gpu)
			return;
		*counter = counters_new(lanes, kind, gpu, NULL, NULL);
	}
	counters_sample(lanes, *counter, at_ns, value);
}

/* NAN: unknown, or the counter began anew */
static double counted_since(int64_t before, int64_t now)
{
	return known(before) && known(now) && now >= before ? (double)now - before : NAN;
}

static void add_gpu(struct lanes *lanes, int64_t at_ns, const struct energy_gpu *gpu)
{
	struct power *power = &lanes->power;
	int64_t past_ns = at_ns - power->gpu_ns;
	double rc6_ns, awake_ns, mhz_s;

	if (!known(gpu->rc6_ns) && !known(gpu->awake_ns))
		return;
	if (known(power->gpu_ns) && past_ns > 0) {
		awake_ns = counted_since(power->gpu.awake_ns, gpu->awake_ns);
		mhz_s = counted_since(power->gpu.mhz_s, gpu->mhz_s);
		rc6_ns = counted_since(power->gpu.rc6_ns, gpu->rc6_ns);
		/* reads are a little later than their samples; unlike fmin(), this keeps NAN */
		add_value(lanes, COUNTER_RC6, power->gpu_ns, 100 * (rc6_ns > past_ns ? past_ns : rc6_ns) / past_ns);
		/* asleep all the time: 0 */
		add_value(lanes, COUNTER_FREQUENCY, power->gpu_ns,
			  awake_ns == 0 ? 0 : mhz_s * NSEC_PER_SEC / awake_ns);
	}
	power->gpu = *gpu;
	power->gpu_ns = at_ns;
}

void power_mark(struct lanes *lanes, const struct event *event)
{
	struct power *power = &lanes->power;
	struct energy_sample sample;
	uint64_t counts;
	int64_t at_ns;

	if (!event->mark.text || !energy_sample_parse(event->mark.text, &sample))
		return;
	at_ns = event->ts_ns - sample.age_ns - sample.edge_ns / 2;
	if (!power->counter.unit_nj || !energy_same_counter(&power->counter, &sample.counter)) {
		power->gpu_ns = UNKNOWN;
	} else if (at_ns <= power->at_ns) {
		return;
	} else {
		/* 1 nJ per ns is 1 W */
		if (energy_step(&sample.counter, power->count, sample.count, at_ns - power->at_ns, &counts))
			add_value(lanes, COUNTER_POWER, power->at_ns,
				  counts * sample.counter.unit_nj / (at_ns - power->at_ns));
		add_gpu(lanes, at_ns, &sample.gpu);
	}
	if (!known(power->gpu_ns))
		add_gpu(lanes, at_ns, &sample.gpu);
	power->counter = sample.counter;
	power->count = sample.count;
	power->at_ns = at_ns;
}
