/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_TEST_H_
#define _GVT_SCHED_TEST_H_

#include <kunit/test.h>

#include <linux/time64.h>

#include "../sched_mode.h"

/* The most vGPUs that GVT-g supports */
#define SCHED_TEST_VGPUS 7

/* Policies with slices */
#define SCHED_TEST_SLICE_POLICIES 2

#define MS(ms) ((s64)((ms) * NSEC_PER_MSEC))
#define US(us) ((s64)((us) * NSEC_PER_USEC))

/**
 * struct sched_test - a run queue, its vGPUs, and a record of its callbacks
 * @set: the settings
 * @rq: the run queue
 * @e: the vGPUs; sched_test_start() adds the first ones, in the order of turns
 * @balances: how often slices were handed out
 * @stage: stage of the last hand-out of slices
 * @holds: number of ended holds, by result
 * @hold: the last hold that ended
 * @hold_end: when the last hold ended
 */
struct sched_test {
	struct gvt_sched_settings set;
	struct gvt_sched_rq rq;
	struct gvt_sched_entity e[SCHED_TEST_VGPUS];
	u32 balances;
	int stage;
	u32 holds[GVT_HOLD_STOPPED + 1];
	struct gvt_sched_hold hold;
	u64 hold_end;
};

/**
 * struct sched_test_mode - a policy and a dispatch mode
 * @policy: the policy
 * @dispatch: the dispatch mode
 */
struct sched_test_mode {
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
};

/* A struct sched_test_mode, for an array of a test case's parameters */
#define MODE(policy, dispatch) { GVT_SCHED_##policy, GVT_DISPATCH_##dispatch }

/* Tests count milliseconds from an arbitrary time other than 0 */
static inline u64 at(s64 ms)
{
	return 1000 * NSEC_PER_SEC + MS(ms);
}

static inline u64 at_us(s64 us)
{
	return at(0) + US(us);
}

/* Change a setting without gvt_sched_begin_anew() */
#define sched_test_set(t__, setting, value) do {	\
	(t__)->set.setting = (value);			\
	gvt_sched_update_mode(&(t__)->rq);		\
} while (0)

/* As if @ns had been learned */
static inline void sched_test_set_mean(struct gvt_sched_mean *mean, u64 ns)
{
	ewma_ns_init(&mean->mean);
	ewma_ns_add(&mean->mean, ns);
	mean->samples = max(mean->samples, 1u);
}

static inline void sched_test_set_dev(struct gvt_sched_mean *mean, u64 ns)
{
	ewma_ns_init(&mean->dev);
	ewma_ns_add(&mean->dev, ns);
}

static inline u64 sched_test_dev(const struct gvt_sched_mean *mean)
{
	struct ewma_ns dev = mean->dev;

	return ewma_ns_read(&dev);
}

/* As if all pauses had been about @ns long */
static inline void sched_test_set_pause(struct gvt_sched_entity *e, u64 ns)
{
	sched_test_set_mean(&e->think, ns);
	memset(e->pauses, 0, sizeof(e->pauses));
	e->pauses[fls64(ns >> GVT_SCHED_PAUSE_SHIFT)] = GVT_SCHED_PAUSE;
	e->paused_ns[fls64(ns >> GVT_SCHED_PAUSE_SHIFT)] = ns * GVT_SCHED_PAUSE;
}

/* As if one workload of @ns had executed between any two pauses */
static inline void sched_test_set_run(struct gvt_sched_entity *e, u64 ns)
{
	sched_test_set_mean(&e->service, ns);
	sched_test_set_mean(&e->run, ns);
	e->budget_ns = ns;
}

extern const enum gvt_sched_policy sched_test_policies[GVT_SCHED_POLICIES];
extern const enum gvt_sched_policy sched_test_slice_policies[SCHED_TEST_SLICE_POLICIES];

enum gvt_sched_policy sched_test_policy(const struct kunit *test);
void sched_test_name_policy(const enum gvt_sched_policy *policy, char *desc);
void sched_test_name_mode(const struct sched_test_mode *mode, char *desc);
const struct sched_test_mode *sched_test_mode(const struct kunit *test);

struct sched_test *sched_test_new(struct kunit *test, enum gvt_sched_policy policy);
struct sched_test *sched_test_start(struct kunit *test, enum gvt_sched_policy policy,
				    u32 vgpus);
struct gvt_sched_choice sched_test_tick(struct sched_test *t, u64 now);
void sched_test_run(struct sched_test *t, struct gvt_sched_entity *e, u64 from, u64 to);

#endif /* _GVT_SCHED_TEST_H_ */
