/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_TEST_H_
#define _GVT_SCHED_TEST_H_

#include <kunit/test.h>

#include <linux/time64.h>

#include "../sched_mode.h"

/* GVT-g allows for no more vGPUs than these */
#define SCHED_TEST_VGPUS 7

/* Policies with slices */
#define SCHED_TEST_SLICE_POLICIES 2

#define MS(ms) ((s64)((ms) * NSEC_PER_MSEC))
#define US(us) ((s64)((us) * NSEC_PER_USEC))

/**
 * struct sched_test - a run queue, its vGPUs, and what it called back
 * @set: the settings
 * @rq: the run queue
 * @e: the vGPUs; those that take part are in the order of turns
 * @balances: how often slices were handed out
 * @stage: the stage of the last time
 * @holds: how many holds ended, by result
 * @hold: the last one
 * @hold_end: when it ended
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
 * struct sched_test_mode - a way of scheduling
 * @policy: the policy
 * @dispatch: how workloads get to the engine
 */
struct sched_test_mode {
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
};

/* One of an array of them, which is a case's parameters */
#define MODE(policy, dispatch) { GVT_SCHED_##policy, GVT_DISPATCH_##dispatch }

/* Times of the tests are in ms after an arbitrary time, which is not 0 */
static inline u64 at(s64 ms)
{
	return 1000 * NSEC_PER_SEC + MS(ms);
}

static inline u64 at_us(s64 us)
{
	return at(0) + US(us);
}

/* Changes a setting without beginning anew */
#define sched_test_set(t__, setting, value) do {	\
	(t__)->set.setting = (value);			\
	gvt_sched_update_mode(&(t__)->rq);		\
} while (0)

/* Has been learned */
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

/* Pauses that are all about as long */
static inline void sched_test_set_pause(struct gvt_sched_entity *e, u64 ns)
{
	sched_test_set_mean(&e->think, ns);
	memset(e->pauses, 0, sizeof(e->pauses));
	e->pauses[fls64(ns >> GVT_SCHED_PAUSE_SHIFT)] = GVT_SCHED_PAUSE;
	e->paused_ns[fls64(ns >> GVT_SCHED_PAUSE_SHIFT)] = ns * GVT_SCHED_PAUSE;
}

/* And workloads, one from one pause to the next */
static inline void sched_test_set_run(struct gvt_sched_entity *e, u64 ns)
{
	sched_test_set_mean(&e->service, ns);
	sched_test_set_mean(&e->run, ns);
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
