// SPDX-License-Identifier: GPL-2.0-only

#include "lane_dispatch.h"
#include "sched_fair.h"
#include "sched_mode.h"
#include "sched_ops.h"
#include "sched_slice.h"

static const struct gvt_policy_ops * const policies[GVT_SCHED_POLICIES] = {
	[GVT_SCHED_STRICT] = &gvt_strict_policy,
	[GVT_SCHED_WORK_CONSERVING] = &gvt_work_conserving_policy,
	[GVT_SCHED_FAIR] = &gvt_fair_policy,
};

static const struct gvt_dispatch_ops * const dispatches[GVT_DISPATCHES] = {
	[GVT_DISPATCH_EXCLUSIVE] = &gvt_exclusive_dispatch,
	[GVT_DISPATCH_PER_ENGINE] = &gvt_per_engine_dispatch,
	[GVT_DISPATCH_PREEMPTIVE] = &gvt_preemptive_dispatch,
};

/**
 * gvt_sched_policy_name - user-visible name of a policy
 * @policy: the policy
 *
 * Return: its name.
 */
const char *gvt_sched_policy_name(enum gvt_sched_policy policy)
{
	return policies[policy]->name;
}

/**
 * gvt_sched_dispatch_name - user-visible name of a dispatch mode
 * @dispatch: the dispatch mode
 *
 * Return: its name.
 */
const char *gvt_sched_dispatch_name(enum gvt_sched_dispatch dispatch)
{
	return dispatches[dispatch]->name;
}

/**
 * gvt_sched_preempts - whether a dispatch mode preempts workloads
 * @dispatch: the dispatch mode
 *
 * Return: true if the mode is preemptive.
 */
bool gvt_sched_preempts(enum gvt_sched_dispatch dispatch)
{
	return dispatches[dispatch]->preemptive;
}

/**
 * gvt_sched_use_policy - set the policy of a run queue
 * @rq: the run queue
 * @policy: the policy
 *
 * Without this call the policy of the settings decides; use this for policies that the
 * settings do not offer.
 */
void gvt_sched_use_policy(struct gvt_sched_rq *rq, const struct gvt_policy_ops *policy)
{
	rq->mode.policy = policy;
	rq->mode.on_ticks = policy->on_ticks && !rq->mode.shared;
}

/**
 * gvt_sched_update_mode - derive the mode of a run queue from the settings
 * @rq: the run queue
 */
void gvt_sched_update_mode(struct gvt_sched_rq *rq)
{
	const struct gvt_sched_settings *set = rq->set;
	const struct gvt_dispatch_ops *dispatch = dispatches[set->dispatch];

	rq->mode = (struct gvt_sched_mode) {
		.dispatch = dispatch,
		.shared = dispatch->shared,
		.preemptive = dispatch->preemptive,
		.turn_ns = dispatch->turn_ns,
		.period_ns = gvt_sched_ms_to_ns(set->period_ms),
		.max_wait_ns = gvt_sched_ms_to_ns(set->max_wait_ms),
		.anticipation_ns = gvt_sched_ms_to_ns(set->anticipation_ms),
	};
	gvt_sched_use_policy(rq, policies[set->policy]);
}

/**
 * gvt_sched_rq_init - prepare a run queue
 * @rq: the run queue
 * @set: the settings, which must outlive the run queue
 * @ops: the owner's callbacks, or NULL
 */
void gvt_sched_rq_init(struct gvt_sched_rq *rq,
		       const struct gvt_sched_settings *set,
		       const struct gvt_sched_rq_ops *ops)
{
	*rq = (struct gvt_sched_rq) {
		.set = set,
		.ops = ops,
		.epoch = 1,
	};
	INIT_LIST_HEAD(&rq->entities);
	gvt_sched_update_mode(rq);
}

/**
 * gvt_sched_changed - apply a change of settings
 * @rq: the run queue, whose settings have been changed
 * @now: the time
 *
 * With another policy or dispatch mode, no vGPU keeps debt, leftover, credit or a boost from
 * before. Another period scales slices and their remainders; other settings apply from now on.
 */
void gvt_sched_changed(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_mode was = rq->mode;

	gvt_sched_update_mode(rq);
	if (rq->mode.policy != was.policy || rq->mode.dispatch != was.dispatch)
		gvt_sched_begin_anew(rq, now);
	else if (rq->mode.period_ns != was.period_ns)
		gvt_slice_rescale(rq, was.period_ns, now);
}
