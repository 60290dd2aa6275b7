/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_TYPES_H_
#define _GVT_SCHED_TYPES_H_

#include <linux/average.h>
#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "switch_reason.h"

/**
 * enum gvt_sched_policy - who may run when
 * @GVT_SCHED_STRICT: each vGPU within its slice; the GPU idles when only vGPUs
 *   without slice have work
 * @GVT_SCHED_WORK_CONSERVING: as strict, but time that no vGPU with slice left
 *   wants goes to vGPUs without
 * @GVT_SCHED_FAIR: shares of the measured execution time by weight
 * @GVT_SCHED_POLICIES: how many there are
 */
enum gvt_sched_policy {
	GVT_SCHED_STRICT,
	GVT_SCHED_WORK_CONSERVING,
	GVT_SCHED_FAIR,
	GVT_SCHED_POLICIES
};

/**
 * enum gvt_sched_dispatch - how workloads get to the engines
 * @GVT_DISPATCH_EXCLUSIVE: one vGPU at a time on all engines; another one begins
 *   when every engine is done
 * @GVT_DISPATCH_PER_ENGINE: one vGPU at a time on each engine; the next one's
 *   workload is got ready meanwhile
 * @GVT_DISPATCH_PREEMPTIVE: as per engine, but a workload can be taken off its
 *   engine for another vGPU's, and goes on later
 * @GVT_DISPATCHES: how many there are
 */
enum gvt_sched_dispatch {
	GVT_DISPATCH_EXCLUSIVE,
	GVT_DISPATCH_PER_ENGINE,
	GVT_DISPATCH_PREEMPTIVE,
	GVT_DISPATCHES
};

/**
 * struct gvt_sched_settings - what an administrator can choose
 * @policy: who may run when
 * @dispatch: how workloads get to the engines
 * @carry_over: 1 if debt and leftover slice go on into the next period, 0 if not
 * @leftover_max_ms: bound of the leftover that goes on
 * @period_ms: slices are handed out this often
 * @boost_ms: a vGPU that starts goes first for so long (slice policies)
 * @max_wait_ms: a vGPU that waited so long goes next (fair), and a cap does not
 *   hold it back any longer (all policies)
 * @anticipation_ms: the longest time for which nothing runs because a vGPU that is
 *   owed time is expected back (fair); 0 never waits. So much of its usual pauses is
 *   owed to it at least
 * @host_first: 1 if the host's own work goes before what vGPUs have at an engine, 0 if
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

/* What upstream's scheduler has always done */
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

/* Slices are handed out anew, without what was carried over, every so many periods */
#define GVT_SCHED_STAGES 10

/* Under the strict policy the next vGPU is looked for this often */
#define GVT_SCHED_TICK_NS (1 * NSEC_PER_MSEC)

/*
 * A vGPU that has begun to run keeps its turn for so long while it has work: to
 * drain all engines, or to take a workload off one, is not for nothing.
 */
#define GVT_SCHED_TURN_NS (1 * NSEC_PER_MSEC)

/*
 * A vGPU that is owed time need not wait for the end of a turn that has just begun, but
 * only so often: this bounds how often the engine changes hands for it.
 */
#define GVT_SCHED_CUT_IN_NS (5 * NSEC_PER_MSEC)

/* A vGPU that starts again and again has a boost for one part in so many of the time */
#define GVT_SCHED_BOOST_EVERY 10

/* There is no point in looking sooner whether a turn has ended */
#define GVT_SCHED_LEAST_TURN_NS (100LL * NSEC_PER_USEC)

/* Means of times; a new one counts for a quarter */
DECLARE_EWMA(ns, 4, 4)

/**
 * struct gvt_sched_mean - a time that is learned
 * @mean: its mean
 * @dev: the mean deviation from that
 * @samples: how often it was seen, saturating
 */
struct gvt_sched_mean {
	struct ewma_ns mean;
	struct ewma_ns dev;
	u32 samples;
};

/*
 * Pauses are counted by length: shorter than 2^(GVT_SCHED_PAUSE_SHIFT + i) ns, and last those
 * that are too long to wait for. A new one counts for as much as 1024, those before for 31/32.
 */
#define GVT_SCHED_PAUSE_SHIFT 15
#define GVT_SCHED_PAUSE_BINS 14
#define GVT_SCHED_PAUSE 1024

/**
 * struct gvt_sched_entity - one vGPU as the scheduler sees it
 * @link: place in the run queue's order of turns; empty while not scheduled
 * @weight: of the vGPU's type, 1 to 16
 * @nice: -20 to 19; each step changes the share by a factor of 1.25
 * @cap: per cent of the time that it may have at most; 0 for no limit
 * @share: effective weight, %GVT_SCHED_SHARE_UNIT for weight 1 at nice 0
 * @busy: it has work, queued or in flight
 * @preemptible: its workloads can be taken off the engine; the owner's, as are
 * @in_flight: it has a workload in flight
 * @offered: i915 has that one and could execute it
 * @executes: it does
 * @stopping: it takes part only until that one is finished
 * @boosted: it may still have its start boost
 * @boost_until: end of the last start boost
 * @epoch: the run queue's when it last began anew; 0 for never
 * @absent_exec_ns: what it executed while it took no part, and was not charged for
 * @slice_ns: what it gets each period
 * @left_ns: what is left of that; negative for debt
 * @borrowed_ns: time that it ran without slice and was not charged for
 * @vruntime: what it executed, in ns per share; the smallest goes first (fair)
 * @lag_ns: what it was owed when it had no work any more
 * @early_ns: for how long it goes before others whatever it has had, as it uses less than
 *   its share
 * @recent_exec_ns: what it executed lately
 * @recent_pause_ns: for how long it had no work lately
 * @recent_since: since when that is; all three are halved from time to time
 * @run_ns: what it executed since it last had no work
 * @run: what it usually executes from one pause to the next
 * @late_run: and what, if it had to wait for a turn or more before
 * @ready_since: since when it has work
 * @late: it had to
 * @burst_ns: what it executed since it last had no work for a turn or more
 * @burst: how much that usually is
 * @floor_ns: by how much it has had less than the least that it is to have
 * @floor_at: as of when
 * @woken: it came back after a pause of a turn or more, and has not executed since
 * @cut_in_at: when it last did not wait for the end of a turn
 * @wait_since: when it last finished a workload or, if later, got work
 * @idle_since: since when it has no work
 * @came: it has had work since it takes part
 * @pauses: its pauses, counted by length
 * @served_ns: how long its present workload has executed, as far as charged
 * @service: execution time of its workloads
 * @think: time for which it had no work, before it had work again
 * @way: time that it took to leave the engine when it was to
 * @uncut: how likely its workload ends before it is taken off; from 0 to
 *   %GVT_SCHED_UNCUT, more than half of that is likely
 * @held_ns: time for which nothing ran because this one was expected
 * @denied_ns: time for which it had the engine while others had work, whether it executed
 *   or the engine idled
 * @idled_ns: as much of that as the engine idled
 * @cap_left_ns: what the cap leaves it
 * @cap_empty: that was nothing, and has not been enough for a turn since
 * @cap_filled: when @cap_left_ns was last filled up
 *
 * The owner sets @weight before gvt_sched_add() and may set @nice and @cap through
 * gvt_sched_set_nice() and gvt_sched_set_cap(); what is not said to be the owner's
 * is the core's.
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
	u64 early_ns;
	u64 recent_exec_ns;
	u64 recent_pause_ns;
	u64 recent_since;
	u64 run_ns;
	struct gvt_sched_mean run;
	struct gvt_sched_mean late_run;
	u64 ready_since;
	bool late;
	u64 burst_ns;
	struct gvt_sched_mean burst;
	s64 floor_ns;
	u64 floor_at;
	bool woken;
	u64 cut_in_at;
	u64 wait_since;
	u64 idle_since;
	bool came;
	u32 pauses[GVT_SCHED_PAUSE_BINS + 1];
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
 * @GVT_HOLD_CAME: its work came
 * @GVT_HOLD_EXPIRED: it did not
 * @GVT_HOLD_STOPPED: it was stopped, or something else made the wait pointless
 *
 * Readers of the trace event know these by their values.
 */
enum gvt_hold_result {
	GVT_HOLD_CAME = 0,
	GVT_HOLD_EXPIRED = 1,
	GVT_HOLD_STOPPED = 2,
};

/**
 * struct gvt_sched_hold - nothing runs because a vGPU is expected back
 * @expected: the vGPU; NULL when there is no such wait
 * @instead: the vGPU that could run
 * @since: when the wait began
 * @until: when it ends at the latest
 */
struct gvt_sched_hold {
	struct gvt_sched_entity *expected;
	struct gvt_sched_entity *instead;
	u64 since;
	u64 until;
};

struct gvt_sched_rq;

/**
 * struct gvt_sched_rq_ops - what the owner of a run queue wants to hear of
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
 * struct gvt_sched_mode - what the settings make of a run queue
 * @policy: who may run when
 * @dispatch: how workloads get to the engines
 * @shared: several vGPUs can have workloads at the engine
 * @preemptive: these can be taken off it
 * @on_ticks: decisions are made at ticks, as upstream's are, and not when work comes
 *   and goes
 * @turn_ns: for so long a vGPU keeps its turn while it has work; 0 where the next
 *   workload waits at the engine already
 * @period_ns: slices are handed out this often
 * @max_wait_ns: a vGPU that waited so long goes next
 * @anticipation_ns: the longest time for which nothing runs on purpose
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
 * struct gvt_sched_rq - vGPUs that take turns at one thing
 * @set: the settings in force
 * @mode: what they make of it
 * @ops: the owner's callbacks; members may be NULL
 * @epoch: counts changes of settings, from 1; what a vGPU has is good for one
 * @entities: the vGPUs, next turn first
 * @busy: how many of them have work
 * @executing: a workload is on the GPU; the owner's, to be set before gvt_sched_pick()
 * @current_entity: whose turn it is; NULL for nobody's
 * @turn_since: since when
 * @charged_until: up to when its slice was charged
 * @period_end: slices are handed out when this has passed
 * @stage: periods since slices were handed out anew
 * @counted_until: up to when time was counted, as one of the following
 * @denied_ns: since when it was last settled, it was the turn of a vGPU with work while
 *   another one had work, too, and as far as is known nobody executed; negative if what was
 *   said to have executed is more than that
 * @alone_ns: or it was not so
 * @min_vruntime: the smallest of those that have work, which never falls (fair)
 * @idle_since: since when nobody has work
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
 * struct gvt_sched_choice - the answer of gvt_sched_pick()
 * @next: who shall run, NULL for nobody
 * @wake_at: ask again at this time even if nothing happens; 0 if there is no need
 * @reason: why @next and not the current one; valid if they differ
 * @expected: who is waited for, NULL for nobody
 * @instead: who runs if that one does not come
 * @until: by then
 */
struct gvt_sched_choice {
	struct gvt_sched_entity *next;
	u64 wake_at;
	enum gvt_switch_reason reason;
	struct gvt_sched_entity *expected;
	struct gvt_sched_entity *instead;
	u64 until;
};

/* A setting in ms; unsigned, as all times are that are no differences */
static inline u64 gvt_sched_ms_to_ns(u32 ms)
{
	return (u64)ms * NSEC_PER_MSEC;
}

/* A workload that was taken off counts for as much as half so many that ended */
#define GVT_SCHED_UNCUT 8

/* Share of weight 1 at nice 0 */
#define GVT_SCHED_SHARE_UNIT 1024

#define GVT_SCHED_NICE_MIN (-20)
#define GVT_SCHED_NICE_MAX 19

/**
 * gvt_sched_is_added - whether a vGPU takes part in scheduling
 * @e: the vGPU
 *
 * Return: true between gvt_sched_add() and gvt_sched_remove().
 */
static inline bool gvt_sched_is_added(const struct gvt_sched_entity *e)
{
	return !list_empty(&e->link);
}

/**
 * gvt_sched_is_shared - whether several vGPUs can have workloads at the engines
 * @rq: the run queue
 *
 * Return: true unless dispatch is exclusive.
 */
static inline bool gvt_sched_is_shared(const struct gvt_sched_rq *rq)
{
	return rq->mode.shared;
}

/**
 * gvt_sched_is_preemptive - whether workloads can be taken off their engine
 * @rq: the run queue
 *
 * Return: true if those of preemptible vGPUs can.
 */
static inline bool gvt_sched_is_preemptive(const struct gvt_sched_rq *rq)
{
	return rq->mode.preemptive;
}

/**
 * gvt_sched_makes_way - whether a vGPU's workload can be taken off its engine
 * @rq: the run queue
 * @e: the vGPU
 *
 * Return: false if it has to run to its end.
 */
static inline bool gvt_sched_makes_way(const struct gvt_sched_rq *rq,
				       const struct gvt_sched_entity *e)
{
	return gvt_sched_is_preemptive(rq) && e->preemptible;
}

/**
 * gvt_sched_on_ticks - whether decisions are made at ticks, as upstream's are
 * @rq: the run queue
 *
 * Return: false if they are made when work comes and goes.
 */
static inline bool gvt_sched_on_ticks(const struct gvt_sched_rq *rq)
{
	return rq->mode.on_ticks;
}

#endif /* _GVT_SCHED_TYPES_H_ */
