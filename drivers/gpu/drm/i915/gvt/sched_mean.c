// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "sched_mean.h"

/* ewma_ns_read() takes a pointer that is not const, so let it read from a copy */
static u64 read_mean(struct ewma_ns mean)
{
	return ewma_ns_read(&mean);
}

/**
 * gvt_sched_learn - add a sample to a learned time
 * @mean: the learned time
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
 * gvt_sched_mean_ns - mean of a learned time
 * @mean: the learned time
 *
 * Return: the mean, 0 if there is no sample yet.
 */
u64 gvt_sched_mean_ns(const struct gvt_sched_mean *mean)
{
	return read_mean(mean->mean);
}

/**
 * gvt_sched_most_ns - upper limit that a learned time seldom exceeds
 * @mean: the learned time
 *
 * Return: the mean plus two mean deviations, which is the maximum of evenly distributed
 * times; 0 if there is no sample yet.
 */
u64 gvt_sched_most_ns(const struct gvt_sched_mean *mean)
{
	return read_mean(mean->mean) + 2 * read_mean(mean->dev);
}

/**
 * gvt_sched_learn_pause - add a pause to a vGPU's histogram
 * @e: the vGPU
 * @pause_ns: the length of the pause
 * @anticipation_ns: pauses of this length or more are too long to wait for
 */
void gvt_sched_learn_pause(struct gvt_sched_entity *e, u64 pause_ns, u64 anticipation_ns)
{
	u32 bin = fls64(pause_ns >> GVT_SCHED_PAUSE_SHIFT), i;

	for (i = 0; i <= GVT_SCHED_PAUSE_BINS; i++)
		e->pauses[i] -= e->pauses[i] / 32;
	for (i = 0; i < GVT_SCHED_PAUSE_BINS; i++)
		e->paused_ns[i] -= e->paused_ns[i] / 32;
	if (pause_ns >= anticipation_ns || bin > GVT_SCHED_PAUSE_BINS)
		bin = GVT_SCHED_PAUSE_BINS;
	e->pauses[bin] += GVT_SCHED_PAUSE;
	if (bin < GVT_SCHED_PAUSE_BINS)
		e->paused_ns[bin] += pause_ns * GVT_SCHED_PAUSE;
}
