/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_TEST_H_
#define _GVT_SCHED_TEST_H_

#include <kunit/test.h>

#include <linux/time64.h>

#include "../sched_core.h"

/* GVT-g allows for no more vGPUs than these */
#define SCHED_TEST_VGPUS 7

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
 * @name: what it is called
 * @policy: the policy
 * @dispatch: how workloads get to the engine
 */
struct sched_test_mode {
	const char *name;
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
};

/* Defines gen_WANTED(), parameters of a case that is for the modes that are WANTED() */
#define SCHED_TEST_GEN_MODES(wanted)						\
static const void *gen_##wanted(const void *prev, char *desc)			\
{										\
	return sched_test_next_mode(prev, desc, wanted);			\
}

/* Times of the tests are in ms after an arbitrary time, which is not 0 */
static inline u64 at(s64 ms)
{
	return 1000 * NSEC_PER_SEC + MS(ms);
}

static inline u64 at_us(s64 us)
{
	return at(0) + US(us);
}

enum gvt_sched_policy sched_test_policy(const struct kunit *test);
const void *sched_test_gen_policies(const void *prev, char *desc);
const void *sched_test_gen_slice_policies(const void *prev, char *desc);
const void *sched_test_next_mode(const void *prev, char *desc,
				 bool (*wanted)(const struct sched_test_mode *mode));
const struct sched_test_mode *sched_test_mode(const struct kunit *test);

struct sched_test *sched_test_new(struct kunit *test, enum gvt_sched_policy policy);
struct sched_test *sched_test_start(struct kunit *test, enum gvt_sched_policy policy,
				    u32 vgpus);
struct gvt_sched_choice sched_test_tick(struct sched_test *t, u64 now);
void sched_test_run(struct sched_test *t, struct gvt_sched_entity *e, u64 from, u64 to);

#endif /* _GVT_SCHED_TEST_H_ */
