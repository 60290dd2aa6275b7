// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "sched_mean.h"

/* The kernel's function would have what it reads from not be const */
static u64 read_mean(struct ewma_ns mean)
{
	return ewma_ns_read(&mean);
}

/**
 * gvt_sched_learn - take one more sample into account
 * @mean: what is learned
 * @sample_ns: the sample
 */
void gvt_sched_learn(struct gvt_sched_mean *mean, u64 sample_ns)
{
	u64 before_ns = read_mean(mean->mean);

	if (mean->samples)
		ewma_ns_add(&mean->dev, max(sample_ns, before_ns) - min(sample_ns, before_ns));
	ewma_ns_add(&mean->mean, sample_ns);
	if (mean->samples < U32_MAX)
		mean->samples++;
}

/**
 * gvt_sched_mean_ns - what was learned
 * @mean: the mean
 *
 * Return: the time, 0 if it was not seen yet.
 */
u64 gvt_sched_mean_ns(const struct gvt_sched_mean *mean)
{
	return read_mean(mean->mean);
}

/**
 * gvt_sched_most_ns - what is seldom exceeded
 * @mean: the mean
 *
 * Return: the mean and two mean deviations, which is the longest of times that are
 * spread evenly, 0 if none was seen yet.
 */
u64 gvt_sched_most_ns(const struct gvt_sched_mean *mean)
{
	return read_mean(mean->mean) + 2 * read_mean(mean->dev);
}

/**
 * gvt_sched_learn_pause - take one more pause into account
 * @e: the vGPU
 * @pause_ns: the pause
 * @anticipation_ns: it is too long to wait for if it is not shorter than this
 */
void gvt_sched_learn_pause(struct gvt_sched_entity *e, u64 pause_ns, u64 anticipation_ns)
{
	u32 bin = fls64(pause_ns >> GVT_SCHED_PAUSE_SHIFT), i;

	for (i = 0; i <= GVT_SCHED_PAUSE_BINS; i++)
		e->pauses[i] -= e->pauses[i] / 32;
	if (pause_ns >= anticipation_ns || bin > GVT_SCHED_PAUSE_BINS)
		bin = GVT_SCHED_PAUSE_BINS;
	e->pauses[bin] += GVT_SCHED_PAUSE;
}
