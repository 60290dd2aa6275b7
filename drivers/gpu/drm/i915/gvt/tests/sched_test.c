// SPDX-License-Identifier: GPL-2.0-only

#include "sched_test.h"

static struct sched_test *of(struct gvt_sched_rq *rq)
{
	return container_of(rq, struct sched_test, rq);
}

static void balanced(struct gvt_sched_rq *rq, int stage)
{
	of(rq)->balances++;
	of(rq)->stage = stage;
}

static void hold_ended(struct gvt_sched_rq *rq, const struct gvt_sched_hold *hold,
		       u64 now, enum gvt_hold_result result)
{
	of(rq)->holds[result]++;
	of(rq)->hold = *hold;
	of(rq)->hold_end = now;
}

static const struct gvt_sched_rq_ops ops = {
	.balanced = balanced,
	.hold_ended = hold_ended,
};

/* Parameters of test cases for all policies */
const enum gvt_sched_policy sched_test_policies[GVT_SCHED_POLICIES] = {
	GVT_SCHED_STRICT, GVT_SCHED_WORK_CONSERVING, GVT_SCHED_FAIR,
};

/* Parameters of test cases for the slice policies */
const enum gvt_sched_policy sched_test_slice_policies[SCHED_TEST_SLICE_POLICIES] = {
	GVT_SCHED_STRICT, GVT_SCHED_WORK_CONSERVING,
};

/**
 * sched_test_name_policy - describe a parameter, for KUNIT_ARRAY_PARAM()
 * @policy: the parameter
 * @desc: buffer for the name
 */
void sched_test_name_policy(const enum gvt_sched_policy *policy, char *desc)
{
	strscpy(desc, gvt_sched_policy_name(*policy), KUNIT_PARAM_DESC_SIZE);
}

/**
 * sched_test_policy - parameter of a test case
 * @test: the test
 *
 * Return: the policy.
 */
enum gvt_sched_policy sched_test_policy(const struct kunit *test)
{
	return *(const enum gvt_sched_policy *)test->param_value;
}

/**
 * sched_test_name_mode - describe a parameter, for KUNIT_ARRAY_PARAM()
 * @mode: the parameter
 * @desc: buffer for the name
 */
void sched_test_name_mode(const struct sched_test_mode *mode, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %s", gvt_sched_policy_name(mode->policy),
		 gvt_sched_dispatch_name(mode->dispatch));
}

/**
 * sched_test_mode - parameter of a test case
 * @test: the test
 *
 * Return: the policy and dispatch mode.
 */
const struct sched_test_mode *sched_test_mode(const struct kunit *test)
{
	return test->param_value;
}

/**
 * sched_test_new - create a run queue without vGPUs, and vGPUs of weight 2 to add
 * @test: the test, which owns the run queue and vGPUs
 * @policy: the policy
 *
 * Settings are the defaults, but without the start boost, which would hide all
 * other effects.
 *
 * Return: the run queue and its vGPUs.
 */
struct sched_test *sched_test_new(struct kunit *test, enum gvt_sched_policy policy)
{
	struct sched_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->set = (struct gvt_sched_settings)GVT_SCHED_DEFAULTS;
	t->set.policy = policy;
	t->set.boost_ms = 0;
	gvt_sched_rq_init(&t->rq, &t->set, &ops);
	for (i = 0; i < SCHED_TEST_VGPUS; i++)
		gvt_sched_entity_init(&t->e[i], 2);

	return t;
}

/**
 * sched_test_start - as sched_test_new(), and add vGPUs
 * @test: the test
 * @policy: the policy
 * @vgpus: number of vGPUs to add; the first vGPU is next
 *
 * Slices are handed out at 0 ms.
 *
 * Return: the run queue and its vGPUs.
 */
struct sched_test *sched_test_start(struct kunit *test, enum gvt_sched_policy policy,
				    u32 vgpus)
{
	struct sched_test *t = sched_test_new(test, policy);

	while (vgpus--)
		gvt_sched_add(&t->rq, &t->e[vgpus], at(0));
	gvt_sched_begin_anew(&t->rq, at(0));
	t->balances = 0;
	gvt_sched_period(&t->rq, at(0));

	return t;
}

/**
 * sched_test_tick - perform a tick of the strict policy
 * @t: the run queue and its vGPUs
 * @now: the time
 *
 * Return: the choice of the vGPU that runs next.
 */
struct gvt_sched_choice sched_test_tick(struct sched_test *t, u64 now)
{
	gvt_sched_period(&t->rq, now);
	gvt_sched_account(&t->rq, now);
	return gvt_sched_pick(&t->rq, now);
}

/**
 * sched_test_run - execute one workload of a vGPU that has work
 * @t: the run queue and its vGPUs
 * @e: the vGPU
 * @from: start of the workload
 * @to: end of the workload
 *
 * The vGPU still has work afterwards.
 */
void sched_test_run(struct sched_test *t, struct gvt_sched_entity *e, u64 from, u64 to)
{
	gvt_sched_switch(&t->rq, e, from);
	gvt_sched_charge(&t->rq, e, to - from, to);
}

MODULE_DESCRIPTION("KUnit tests of GVT-g's scheduling decisions");
MODULE_LICENSE("GPL");
