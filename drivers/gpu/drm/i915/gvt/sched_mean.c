// SPDX-License-Identifier: GPL-2.0-only

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
 * gvt_sched_handed_over - a vGPU has left the engine, or all engines, for another one
 * @e: the vGPU
 * @took_ns: time from the decision until then
 * @ended: the workload finished instead of being preempted
 *
 * From this, policies learn for how long others will have to wait for the vGPU.
 */
void gvt_sched_handed_over(struct gvt_sched_entity *e, u64 took_ns, bool ended)
{
	if (ended)
		e->uncut = min_t(u32, e->uncut + 1, GVT_SCHED_UNCUT);
	else
		e->uncut -= min_t(u32, e->uncut, GVT_SCHED_UNCUT / 2);
	gvt_sched_learn(&e->way, took_ns);
}
