/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_TYPES_H_
#define _GVT_SCHED_TYPES_H_

#include <linux/average.h>
#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "switch_reason.h"

/**
 * enum gvt_sched_policy - how the scheduler chooses the vGPU that runs next
 * @GVT_SCHED_STRICT: each vGPU runs within its slice; the GPU idles when only vGPUs
 *   with no slice left have work
 * @GVT_SCHED_WORK_CONSERVING: as strict, but vGPUs with no slice left use the time that
 *   no vGPU with slice left needs
 * @GVT_SCHED_FAIR: vGPUs share the measured execution time by weight
 * @GVT_SCHED_POLICIES: number of policies
 */
enum gvt_sched_policy {
	GVT_SCHED_STRICT,
	GVT_SCHED_WORK_CONSERVING,
	GVT_SCHED_FAIR,
	GVT_SCHED_POLICIES
};

/**
 * enum gvt_sched_dispatch - dispatch mode: how workloads get to the engines
 * @GVT_DISPATCH_EXCLUSIVE: one vGPU at a time on all engines; the next one begins
 *   when every engine has drained
 * @GVT_DISPATCH_PER_ENGINE: one vGPU at a time on each engine; the next one's
 *   workload is prepared meanwhile
 * @GVT_DISPATCH_PREEMPTIVE: as per engine, but another vGPU's workload can preempt the
 *   executing one, which continues later
 * @GVT_DISPATCHES: number of dispatch modes
 */
enum gvt_sched_dispatch {
	GVT_DISPATCH_EXCLUSIVE,
	GVT_DISPATCH_PER_ENGINE,
	GVT_DISPATCH_PREEMPTIVE,
	GVT_DISPATCHES
};

/**
 * struct gvt_sched_settings - the settings that an administrator can choose
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @carry_over: 1 if debt and leftover slice are carried over into the next period, 0 if not
 * @leftover_max_ms: the most leftover that is carried over
 * @period_ms: how often slices are handed out
 * @boost_ms: how long a vGPU that starts goes first (slice policies)
 * @max_wait_ms: the waiting time after which a vGPU goes next (fair), and is no longer
 *   throttled by its cap (all policies)
 * @anticipation_ms: the longest time that an engine is kept idle because a vGPU that is
 *   owed time is expected back (fair); 0 never waits. A vGPU is credited with its usual
 *   pauses up to this length in any case
 * @host_first: 1 if the host's own work goes before the vGPUs' workloads on an engine, 0 if
 *   they take turns (per-engine and preemptive dispatch)
 */
struct gvt_sched_settings {
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
	u32 carry_over;
	u32 leftover_max_ms;
	u32 period_ms;
	u32 boost_ms;
	u32 max_wait_ms;
	u32 anticipation_ms;
	u32 host_first;
};

/* The behaviour of upstream's scheduler */
#define GVT_SCHED_DEFAULTS {			\
	.policy = GVT_SCHED_STRICT,		\
	.dispatch = GVT_DISPATCH_EXCLUSIVE,	\
	.carry_over = 1,			\
	.leftover_max_ms = 1000,		\
	.period_ms = 100,			\
	.boost_ms = 2000,			\
	.max_wait_ms = 1000,			\
	.anticipation_ms = 20,			\
}

/* Number of periods after which debt and leftover are forgotten */
#define GVT_SCHED_STAGES 10

/* How often the strict policy looks for the next vGPU, with exclusive dispatch */
#define GVT_SCHED_TICK_NS (1 * NSEC_PER_MSEC)

/*
 * How long a vGPU keeps its turn while it has work, since draining all engines or
 * preempting a workload costs time.
 */
#define GVT_SCHED_TURN_NS (1 * NSEC_PER_MSEC)

/*
 * A vGPU that is owed time may cut into a turn that has just begun, but only once in this
 * time, to bound the number of extra hand-overs.
 */
#define GVT_SCHED_CUT_IN_NS (5 * NSEC_PER_MSEC)

/* A vGPU that keeps restarting is boosted for at most 1/10 of the time */
#define GVT_SCHED_BOOST_EVERY 10

/* The shortest time after which to check whether a turn has ended */
#define GVT_SCHED_LEAST_TURN_NS (100LL * NSEC_PER_USEC)

/* Moving averages of times, in which a new sample has a weight of 1/4 */
DECLARE_EWMA(ns, 4, 4)

/**
 * struct gvt_sched_mean - a learned time
 * @mean: mean of the samples
 * @dev: mean deviation from @mean
 * @samples: number of samples, saturating
 */
struct gvt_sched_mean {
	struct ewma_ns mean;
	struct ewma_ns dev;
	u32 samples;
};

/*
 * A histogram of pauses: bin i counts pauses shorter than 2^(GVT_SCHED_PAUSE_SHIFT + i) ns, the
 * last bin pauses too long to wait for. A new pause decays all bins to 31/32, then adds
 * GVT_SCHED_PAUSE to its own.
 */
#define GVT_SCHED_PAUSE_SHIFT 15
#define GVT_SCHED_PAUSE_BINS 14
#define GVT_SCHED_PAUSE 1024

/**
 * struct gvt_sched_entity - one vGPU as the scheduler sees it
 * @link: place in the run queue's order of turns; empty while not scheduled
 * @weight: weight of the vGPU's type, 1 to 16
 * @nice: -20 to 19; each step changes the share by a factor of 1.25
 * @cap: per cent of the time that the vGPU may use; 0 for no limit
 * @share: effective weight, %GVT_SCHED_SHARE_UNIT for weight 1 at nice 0
 * @busy: the vGPU has work, queued or in flight
 * @preemptible: the vGPU's workloads can be preempted; set by the owner, as are the next three
 * @in_flight: the vGPU has a workload in flight
 * @offered: i915 has the workload in flight and could execute it
 * @executes: i915 has given the workload in flight to the engine
 * @stopping: the lane removes the vGPU when the workload in flight has finished
 * @boosted: the vGPU may still have its start boost
 * @boost_until: end of the last start boost
 * @epoch: the run queue's @epoch when the vGPU last began anew; 0 for never
 * @absent_exec_ns: uncharged execution time while not in the run queue
 * @slice_ns: slice that the vGPU gets each period
 * @left_ns: remainder of the slice; negative for debt
 * @borrowed_ns: uncharged time that the vGPU ran without slice
 * @vruntime: time used, scaled by the inverse of @share; the smallest goes first (fair)
 * @lag_ns: time that the vGPU was owed when it last ran out of work
 * @run_ns: execution time since the last pause
 * @run: usual execution time from one pause to the next
 * @late_run: same, of runs for whose start the vGPU had to wait for a turn or more; its
 *   samples are those since the last other run
 * @ready_since: when the vGPU last got work after a pause
 * @late: the vGPU had to wait for a turn or more from @ready_since until it executed
 * @budget_ns: how long the engine may yet be kept idle for the vGPU
 * @floor_ns: how far the vGPU is below its guaranteed minimum; negative if above
 * @floor_at: when @floor_ns was last updated
 * @woken: the vGPU is back after a pause of a turn or more, and has not executed since
 * @cut_in_at: when the vGPU last cut into a turn that had just begun
 * @wait_since: when the vGPU last executed (with exclusive dispatch: finished a workload) or,
 *   if later, got work
 * @idle_since: when the vGPU last ran out of work
 * @came: the vGPU has had work since it was added
 * @pauses: histogram of the vGPU's pauses by length
 * @paused_ns: total length of the pauses in each bin, with the same weights
 * @served_ns: charged execution time of the present workload
 * @service: execution time of the vGPU's workloads
 * @think: length of the vGPU's pauses, of those shorter than anticipation_ms
 * @way: preempt latency of the vGPU's workloads; with exclusive dispatch, how long hand-overs to
 *   others took
 * @uncut: how likely a workload finishes rather than being preempted, from 0 to
 *   %GVT_SCHED_UNCUT; likely above half of that
 * @held_ns: time that the engine was kept idle because this vGPU was expected
 * @denied_ns: time that the vGPU had the engine while others had work, whether it executed
 *   or the engine idled
 * @idled_ns: the part of @denied_ns in which the engine idled
 * @cap_left_ns: time that the cap leaves the vGPU
 * @cap_empty: @cap_left_ns was used up, and has not been enough for a turn since
 * @cap_filled: when @cap_left_ns was last filled up
 *
 * The owner sets @weight before gvt_sched_add() and may set @nice and @cap through
 * gvt_sched_set_nice() and gvt_sched_set_cap(). All members but those described as set by the
 * owner belong to the core.
 */
struct gvt_sched_entity {
	struct list_head link;
	u32 weight;
	int nice;
	u32 cap;
	u32 share;

	bool busy;
	bool preemptible;
	bool in_flight;
	bool offered;
	bool executes;
	bool stopping;
	bool boosted;
	u64 boost_until;
	u64 epoch;
	u64 absent_exec_ns;

	s64 slice_ns;
	s64 left_ns;
	u64 borrowed_ns;

	u64 vruntime;
	s64 lag_ns;
	u64 run_ns;
	struct gvt_sched_mean run;
	struct gvt_sched_mean late_run;
	u64 ready_since;
	bool late;
	s64 budget_ns;
	s64 floor_ns;
	u64 floor_at;
	bool woken;
	u64 cut_in_at;
	u64 wait_since;
	u64 idle_since;
	bool came;
	u32 pauses[GVT_SCHED_PAUSE_BINS + 1];
	u64 paused_ns[GVT_SCHED_PAUSE_BINS];
	u64 served_ns;
	struct gvt_sched_mean service;
	struct gvt_sched_mean think;
	struct gvt_sched_mean way;
	u32 uncut;
	u64 held_ns;
	u64 denied_ns;
	u64 idled_ns;

	s64 cap_left_ns;
	bool cap_empty;
	u64 cap_filled;
};

/**
 * enum gvt_hold_result - how a wait for an expected vGPU ended
 * @GVT_HOLD_CAME: the vGPU got work
 * @GVT_HOLD_EXPIRED: the vGPU got no work in time
 * @GVT_HOLD_STOPPED: the vGPU was stopped, or another event made the wait pointless
 *
 * Readers of the trace event rely on these values.
 */
enum gvt_hold_result {
	GVT_HOLD_CAME = 0,
	GVT_HOLD_EXPIRED = 1,
	GVT_HOLD_STOPPED = 2,
};

/**
 * struct gvt_sched_hold - a wait with idle engine for a vGPU that is expected back
 * @expected: the expected vGPU; NULL when there is no such wait
 * @instead: the vGPU that would otherwise run
 * @since: when the wait began
 * @until: when the wait ends at the latest
 */
struct gvt_sched_hold {
	struct gvt_sched_entity *expected;
	struct gvt_sched_entity *instead;
	u64 since;
	u64 until;
};

struct gvt_sched_rq;

/**
 * struct gvt_sched_rq_ops - notifications to the owner of a run queue
 * @balanced: slices were handed out
 * @hold_ended: a wait for an expected vGPU ended at @now; called before @hold is
 *   cleared
 */
struct gvt_sched_rq_ops {
	void (*balanced)(struct gvt_sched_rq *rq, int stage);
	void (*hold_ended)(struct gvt_sched_rq *rq,
			   const struct gvt_sched_hold *hold, u64 now,
			   enum gvt_hold_result result);
};

struct gvt_dispatch_ops;
struct gvt_policy_ops;

/**
 * struct gvt_sched_mode - mode of a run queue, derived from the settings
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @shared: several vGPUs can have workloads in flight on an engine
 * @preemptive: workloads can be preempted
 * @on_ticks: decisions are made at ticks, as in upstream's scheduler, and not at events
 * @turn_ns: how long a vGPU keeps its turn while it has work; 0 where the next vGPU's
 *   workload already waits at the engine
 * @period_ns: how often slices are handed out
 * @max_wait_ns: the waiting time after which a vGPU goes next
 * @anticipation_ns: the longest time that an engine is kept idle for an expected vGPU
 */
struct gvt_sched_mode {
	const struct gvt_policy_ops *policy;
	const struct gvt_dispatch_ops *dispatch;
	bool shared;
	bool preemptive;
	bool on_ticks;
	u64 turn_ns;
	u64 period_ns;
	u64 max_wait_ns;
	u64 anticipation_ns;
};

/**
 * struct gvt_sched_rq - run queue: vGPUs that take turns on an engine, or on all engines
 * @set: the settings in force
 * @mode: mode derived from @set
 * @ops: the owner's callbacks; members may be NULL
 * @epoch: counts, from 1, how often all vGPUs began anew; a vGPU of an older epoch that is
 *   added keeps none of its debt or credit
 * @entities: the vGPUs, next turn first
 * @busy: number of @entities with work
 * @executing: a workload that is not parked is in flight; set by the owner before
 *   gvt_sched_pick()
 * @current_entity: the current vGPU, whose turn it is; NULL for none
 * @turn_since: when the turn began
 * @charged_until: time up to which the current vGPU's slice was charged
 * @period_end: when slices are handed out next
 * @stage: stage of the next hand-out of slices; stage 0 forgets debt and leftover
 * @counted_until: time up to which @denied_ns and @alone_ns were counted
 * @denied_ns: time since the last settlement in turns of a vGPU with work while others had
 *   work, too, less the reported execution time; negative if more was reported
 * @alone_ns: all other time since the last settlement, less reported execution time
 * @min_vruntime: the smallest vruntime of the vGPUs with work; never decreases (fair)
 * @idle_since: when a vGPU last ran out of work
 * @hold: the wait for an expected vGPU
 */
struct gvt_sched_rq {
	const struct gvt_sched_settings *set;
	struct gvt_sched_mode mode;
	const struct gvt_sched_rq_ops *ops;
	u64 epoch;
	struct list_head entities;
	u32 busy;
	bool executing;

	struct gvt_sched_entity *current_entity;
	u64 turn_since;
	u64 charged_until;

	u64 period_end;
	u32 stage;

	u64 counted_until;
	s64 denied_ns;
	u64 alone_ns;

	u64 min_vruntime;
	u64 idle_since;
	struct gvt_sched_hold hold;
};

/**
 * struct gvt_sched_choice - the decision of gvt_sched_pick()
 * @next: the vGPU to run, NULL for none
 * @wake_at: when to decide again even if nothing happens; 0 for never
 * @reason: reason for the switch, if @next is not the current vGPU
 * @expected: the vGPU for which the engine is kept idle, NULL for none
 * @instead: the vGPU to run if @expected has no work by @until
 * @until: when the wait for @expected ends
 */
struct gvt_sched_choice {
	struct gvt_sched_entity *next;
	u64 wake_at;
	enum gvt_switch_reason reason;
	struct gvt_sched_entity *expected;
	struct gvt_sched_entity *instead;
	u64 until;
};

/* Unsigned, like all times that are not differences */
static inline u64 gvt_sched_ms_to_ns(u32 ms)
{
	return (u64)ms * NSEC_PER_MSEC;
}

/* Upper limit of gvt_sched_entity.uncut; a preemption offsets half as many completions */
#define GVT_SCHED_UNCUT 8

/* Share of weight 1 at nice 0 */
#define GVT_SCHED_SHARE_UNIT 1024

#define GVT_SCHED_NICE_MIN (-20)
#define GVT_SCHED_NICE_MAX 19

/**
 * gvt_sched_is_added - whether a vGPU is in a run queue
 * @e: the vGPU
 *
 * Return: true between gvt_sched_add() and gvt_sched_remove().
 */
static inline bool gvt_sched_is_added(const struct gvt_sched_entity *e)
{
	return !list_empty(&e->link);
}

/**
 * gvt_sched_is_shared - whether several vGPUs can have workloads in flight on an engine
 * @rq: the run queue
 *
 * Return: true unless dispatch is exclusive.
 */
static inline bool gvt_sched_is_shared(const struct gvt_sched_rq *rq)
{
	return rq->mode.shared;
}

/**
 * gvt_sched_is_preemptive - whether dispatch is preemptive
 * @rq: the run queue
 *
 * Return: true if workloads of preemptible vGPUs can be preempted.
 */
static inline bool gvt_sched_is_preemptive(const struct gvt_sched_rq *rq)
{
	return rq->mode.preemptive;
}

/**
 * gvt_sched_can_preempt - whether a vGPU's workload can be preempted
 * @rq: the run queue
 * @e: the vGPU
 *
 * Return: false if the workload has to run to completion.
 */
static inline bool gvt_sched_can_preempt(const struct gvt_sched_rq *rq,
					 const struct gvt_sched_entity *e)
{
	return gvt_sched_is_preemptive(rq) && e->preemptible;
}

/**
 * gvt_sched_on_ticks - whether decisions are made at ticks, as in upstream's scheduler
 * @rq: the run queue
 *
 * Return: false if decisions are made at events.
 */
static inline bool gvt_sched_on_ticks(const struct gvt_sched_rq *rq)
{
	return rq->mode.on_ticks;
}

#endif /* _GVT_SCHED_TYPES_H_ */
