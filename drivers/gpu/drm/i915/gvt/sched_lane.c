// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "dispatch.h"
#include "lane_trace.h"
#include "sched_lane.h"
#include "sched_watch.h"

/**
 * DOC: lanes
 *
 * This file carries out the decisions of lane_state.h and sched_core.h: it describes the
 * engines to them and performs the actions they request.
 *
 * Unless dispatch is exclusive, i915 can hold one workload of each vGPU per engine (see
 * dispatch_types.h). Besides the workload of the vGPU whose turn it is, i915 receives
 *
 * - the workload of the vGPU that runs next, once that vGPU is known, so that the engine
 *   continues without waiting;
 * - with preemptive dispatch, the workloads of all vGPUs that can be preempted: these
 *   workloads use otherwise idle engine time, at no cost to the others.
 */

/* A hand-over that takes this long counts as an overrun */
#define OVERRUN_NS (100 * NSEC_PER_MSEC)

static struct intel_gvt *lane_gvt(const struct gvt_sched_lane *lane)
{
	return lane->data->gvt;
}

static void assert_owned(const struct gvt_sched_lane *lane)
{
	lockdep_assert_held(&lane_gvt(lane)->sched_lock);
}

static struct gvt_sched_lane *to_lane(struct gvt_lane *state)
{
	return container_of(state, struct gvt_sched_lane, state);
}

static struct vgpu_sched_lane *to_member(struct gvt_sched_entity *e)
{
	return container_of(e, struct vgpu_sched_lane, entity);
}

static bool has_one_engine(const struct gvt_sched_lane *lane)
{
	return is_power_of_2(lane->engines);
}

/* The index of a single-engine lane is the id of its engine */
static enum intel_engine_id lane_engine(const struct gvt_sched_lane *lane)
{
	return gvt_lane_index(lane);
}

static struct intel_gvt_dispatch *lane_dispatch(const struct gvt_sched_lane *lane)
{
	return &lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)];
}

/**
 * intel_gvt_engine_lane - find the lane of an engine
 * @sched_data: the scheduler's data
 * @engine: the engine
 *
 * Return: the lane.
 */
struct gvt_sched_lane *intel_gvt_engine_lane(struct gvt_sched_data *sched_data,
					     enum intel_engine_id engine)
{
	struct gvt_sched_lane *own = &sched_data->lane[engine];

	return own->engines & BIT(engine) ? own :
					    &sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE];
}

/* --- state of the engines ------------------------------------------------ */

/* Execution time of a vGPU on the lane's engines */
static u64 exec_ns(const struct gvt_sched_lane *lane, struct intel_vgpu *vgpu)
{
	return has_one_engine(lane) ? intel_vgpu_exec_engine_ns(vgpu, lane_engine(lane)) :
				      intel_vgpu_exec_any_ns(vgpu);
}

/* How long the host executed while no vGPU did */
static u64 host_ns(const struct gvt_sched_lane *lane)
{
	return has_one_engine(lane) ?
		intel_gvt_exec_host(lane_gvt(lane), lane_engine(lane)).exec_ns :
		intel_gvt_exec_host_alone_ns(lane_gvt(lane));
}

static bool has_work(const struct gvt_sched_lane *lane, struct intel_vgpu *vgpu)
{
	struct intel_engine_cs *engine;
	intel_engine_mask_t tmp;

	for_each_engine_masked(engine, vgpu->gvt->gt, lane->engines, tmp) {
		if (!list_empty(workload_q_head(vgpu, engine)))
			return true;
	}

	return false;
}

/* A lane has one engine or all */
static u32 count_in_flight(const struct gvt_sched_lane *lane)
{
	return has_one_engine(lane) ? lane_dispatch(lane)->in_flight :
				      lane_gvt(lane)->scheduler.total.in_flight;
}

/* i915 cannot run parked workloads, so they block no other vGPU */
static u32 count_parked(const struct gvt_sched_lane *lane)
{
	return has_one_engine(lane) ?
		       bitmap_weight(lane_dispatch(lane)->parked, GVT_EXEC_VGPUS) : 0;
}

static bool is_in_flight(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	if (has_one_engine(lane))
		return lane_dispatch(lane)->workload[vgpu->id];

	return lane_gvt(lane)->scheduler.total.of_vgpu[vgpu->id];
}

/* Whether i915 has a workload of a vGPU that it could execute */
static bool at_i915(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	const struct intel_vgpu_workload *workload =
		lane_dispatch(lane)->workload[vgpu->id];

	return workload && intel_gvt_dispatch_is_added(workload) &&
	       !i915_request_completed(workload->req) &&
	       (test_bit(vgpu->id, lane_dispatch(lane)->parked) ||
		!i915_request_on_hold(workload->req));
}

static bool can_preempt(const struct gvt_sched_lane *lane,
			const struct vgpu_sched_lane *member)
{
	const struct vgpu_sched_data *data = member->vgpu->sched_data;

	return data->preempt &&
	       intel_gvt_dispatch_can_preempt(lane_gvt(lane), lane_engine(lane));
}

static void look_at_member(struct gvt_sched_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	const struct intel_vgpu *vgpu = entity_to_vgpu(e);

	e->in_flight = is_in_flight(lane, vgpu);
	/* With several engines, no workload can be preempted or queued behind another vGPU's */
	e->preemptible = has_one_engine(lane) && can_preempt(lane, to_member(e));
	e->offered = has_one_engine(lane) && at_i915(lane, vgpu);
	/* Not if the workload has completed and i915 has yet to report that */
	e->executes = e->offered &&
		      intel_gvt_exec_is_given(lane_gvt(lane), lane_engine(lane), vgpu->id);
}

/* A vGPU's execution time since the last charge; at least 0: a negative u64 would be centuries */
static u64 since_charged(struct gvt_sched_lane *lane, struct vgpu_sched_lane *member)
{
	u64 total_ns = exec_ns(lane, member->vgpu);
	s64 used_ns = total_ns - member->charged_ns;

	member->charged_ns = total_ns;
	return max(used_ns, 0LL);
}

static void charge_executed(struct gvt_sched_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	u64 used_ns = since_charged(lane, to_member(e));

	if (trace_gvt_lane_input_enabled() && used_ns)
		trace_gvt_lane_input(lane, GVT_INPUT_EXECUTED, entity_to_vgpu(e)->id,
				     used_ns, now);
	gvt_sched_used(&lane->rq, e, used_ns, now);
}

/* Idle now and since the last call. Lockless: the next call sees a stay that this one misses */
static bool host_was_idle(struct gvt_sched_lane *lane)
{
	const struct intel_gvt_exec *exec = &lane_gvt(lane)->exec;
	u32 stays = lane->host_stays;

	lane->host_stays = READ_ONCE(exec->host_stays);
	return !READ_ONCE(exec->clock[GVT_EXEC_HOST].running) && lane->host_stays == stays;
}

static void account_host(struct gvt_sched_lane *lane, u64 now)
{
	u64 used_ns;

	/* Decisions are frequent, and most hosts idle */
	if (host_was_idle(lane))
		return;

	used_ns = host_ns(lane) - lane->host_ns;
	if (!used_ns)
		return;

	lane->host_ns += used_ns;
	trace_gvt_lane_input(lane, GVT_INPUT_HOST, 0, used_ns, now);
	gvt_sched_host_used(&lane->rq, used_ns, now);
}

static void look_at_engines(struct gvt_sched_lane *lane, u64 now)
{
	struct gvt_sched_entity *e;

	account_host(lane, now);
	lane->state.strangers = count_in_flight(lane);
	lane->rq.executing = lane->state.strangers > count_parked(lane);
	list_for_each_entry(e, &lane->rq.entities, link) {
		look_at_member(lane, e, now);
		if (!e->in_flight || !has_one_engine(lane))
			continue;
		lane->state.strangers--;
		charge_executed(lane, e, now);
	}
}

/* --- actions --------------------------------------------------------------- */

/* In trace events, the idle vGPU stands for no vGPU */
static const struct vgpu_sched_lane *traced(const struct gvt_sched_lane *lane,
					    struct gvt_sched_entity *e)
{
	return e ? to_member(e) : gvt_lane_member(lane, lane_gvt(lane)->idle_vgpu);
}

static void turn_passes(struct gvt_lane *state, struct gvt_sched_entity *prev,
			struct gvt_sched_entity *next, u64 since_ns,
			enum gvt_switch_reason reason)
{
	const struct gvt_sched_lane *lane = to_lane(state);

	intel_gvt_sched_trace_switch(lane, traced(lane, prev), traced(lane, next),
				     since_ns, reason);
}

static bool goes_before(struct gvt_sched_lane *lane, struct intel_vgpu *a,
			struct intel_vgpu *b, u64 now)
{
	struct gvt_sched_entity *ea = &gvt_lane_member(lane, a)->entity;
	struct gvt_sched_entity *eb = &gvt_lane_member(lane, b)->entity;

	/* A vGPU that has left the lane goes first: the lane waits for its workload */
	if (!gvt_sched_is_added(ea) || !gvt_sched_is_added(eb))
		return !gvt_sched_is_added(ea) && gvt_sched_is_added(eb);

	return gvt_lane_before(&lane->state, ea, eb, now);
}

/* Whether a vGPU's workload may run when the engine has nothing else to do */
static bool is_ready(struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu, u64 now)
{
	struct gvt_sched_entity *e = &gvt_lane_member(lane, vgpu)->entity;

	return !gvt_sched_is_added(e) || gvt_lane_is_ready(&lane->state, e, now);
}

/* Append vGPUs to the order, sorted among themselves */
static void add_to_order(struct gvt_sched_lane *lane, struct gvt_dispatch_order *order,
			 unsigned long ids, u64 now)
{
	const struct intel_gvt_dispatch *dispatch = lane_dispatch(lane);
	int id, i, first = order->n;
	struct intel_vgpu *vgpu;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (!(ids & BIT(id)))
			continue;
		vgpu = dispatch->workload[id]->vgpu;
		i = order->n++;
		for (; i > first && goes_before(lane, vgpu, order->vgpu[i - 1], now); i--)
			order->vgpu[i] = order->vgpu[i - 1];
		order->vgpu[i] = vgpu;
	}
}

/* The vGPUs whose requests i915 has, in the order in which they are to run */
static void order_of(struct gvt_sched_lane *lane, struct gvt_dispatch_order *order, u64 now)
{
	const struct intel_gvt_dispatch *dispatch = lane_dispatch(lane);
	unsigned long ready = 0, others = 0;
	const struct intel_vgpu_workload *workload;
	int id;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		workload = dispatch->workload[id];
		/* Cancelled workloads go first anyway */
		if (!workload || !intel_gvt_dispatch_is_added(workload) ||
		    workload->cancelled)
			continue;
		if (is_ready(lane, workload->vgpu, now))
			ready |= BIT(id);
		else
			others |= BIT(id);
	}

	order->n = 0;
	add_to_order(lane, order, ready, now);
	order->ready = order->n;
	add_to_order(lane, order, others, now);
}

static bool preempt(struct gvt_lane *state, struct gvt_sched_entity *e, u64 now)
{
	struct gvt_sched_lane *lane = to_lane(state);
	struct gvt_dispatch_order order;

	order_of(lane, &order, now);
	if (order.n && intel_gvt_dispatch_hand_over(lane_gvt(lane), lane_engine(lane),
						    entity_to_vgpu(e), &order))
		return true;

	trace_gvt_lane_input(lane, GVT_INPUT_KEPT, entity_to_vgpu(e)->id, 0, now);
	return false;
}

const struct gvt_lane_ops intel_gvt_lane_ops = {
	.turn_passes = turn_passes,
	.preempt = preempt,
};

/* Wake up the threads of the engines that can take more workloads */
static void wake_up_dispatch(struct gvt_sched_lane *lane)
{
	struct intel_gvt *gvt = lane_gvt(lane);
	struct intel_engine_cs *engine;
	intel_engine_mask_t tmp;

	/* With one vGPU on all engines, queueing a workload has already woken the threads */
	if (!fetch_and_zero(&lane->state.dispatch) && !has_one_engine(lane))
		return;

	for_each_engine_masked(engine, gvt->gt, lane->engines, tmp) {
		if (intel_gvt_lane_dispatch(lane, engine))
			wake_up(&gvt->scheduler.waitq[engine->id]);
	}
}

/* Set the order in which i915 runs workloads */
static void arrange(struct gvt_sched_lane *lane, u64 now)
{
	struct gvt_dispatch_order order;

	/* With several engines, i915 has workloads of only one vGPU at a time */
	if (!has_one_engine(lane))
		return;

	order_of(lane, &order, now);
	if (order.n)
		intel_gvt_dispatch_arrange(lane_gvt(lane), lane_engine(lane), &order);
}

/**
 * intel_gvt_lane_update - decide again and act on the decision
 * @lane: the lane
 * @now: the time
 */
void intel_gvt_lane_update(struct gvt_sched_lane *lane, u64 now)
{
	assert_owned(lane);

	look_at_engines(lane, now);
	trace_gvt_lane_input(lane, GVT_INPUT_UPDATE, 0, 0, now);
	gvt_lane_update(&lane->state, now);
	arrange(lane, now);
	wake_up_dispatch(lane);
}

/* --- hand-overs ------------------------------------------------------------ */

/* Record the preempt latency of a vGPU, unless the vGPU has left the lane since */
static void record_latency(struct gvt_sched_lane *lane, int id, u64 took_ns, u64 now)
{
	struct gvt_sched_entity *e;
	struct vgpu_sched_data *data;
	bool ended = true;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (entity_to_vgpu(e)->id != id)
			continue;
		ended = !at_i915(lane, entity_to_vgpu(e));
		gvt_sched_handed_over(e, took_ns, ended);
		data = entity_to_vgpu(e)->sched_data;
		data->stats[lane_engine(lane)].overruns += took_ns >= OVERRUN_NS;
	}
	trace_gvt_lane_input(lane, ended ? GVT_INPUT_ENDED : GVT_INPUT_PREEMPTED, id, took_ns,
			     now);
}

/**
 * intel_gvt_lanes_end_hand_overs - end the hand-overs that have completed
 * @sched_data: the scheduler's data
 * @now: the time
 *
 * Covers all engines: also ends hand-overs begun in lanes that are no longer used, without
 * recording their latency.
 */
void intel_gvt_lanes_end_hand_overs(struct gvt_sched_data *sched_data, u64 now)
{
	struct intel_engine_cs *engine;
	struct gvt_sched_lane *lane;
	enum intel_engine_id id;
	u64 took_ns;
	int from_id;

	if (!sched_data->gvt->scheduler.total.hand_overs)
		return;

	for_each_engine(engine, sched_data->gvt->gt, id) {
		from_id = intel_gvt_dispatch_handed_over(sched_data->gvt, id, &took_ns);
		lane = &sched_data->lane[id];
		if (!from_id || lane->engines != BIT(id) ||
		    lane->state.state != GVT_LANE_HANDING_OVER)
			continue;
		record_latency(lane, from_id, took_ns, now);
		gvt_lane_handed_over(&lane->state);
	}
}

/**
 * intel_gvt_lane_use - start using a lane
 * @lane: the lane, without vGPUs
 * @engines: its engines
 */
void intel_gvt_lane_use(struct gvt_sched_lane *lane, intel_engine_mask_t engines)
{
	lane->engines = engines;
	lane->host_ns = host_ns(lane);
}

/* --- members of a lane ----------------------------------------------------- */

/**
 * intel_gvt_lane_join - add a vGPU to a lane
 * @lane: the lane
 * @vgpu: the vGPU
 * @now: the time
 */
void intel_gvt_lane_join(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, u64 now)
{
	struct vgpu_sched_lane *member = gvt_lane_member(lane, vgpu);

	assert_owned(lane);

	trace_gvt_lane_input(lane, GVT_INPUT_MEMBERS, vgpu->id, 0, now);
	member->charged_ns = exec_ns(lane, vgpu);
	if (has_work(lane, vgpu))
		gvt_sched_enqueue(&lane->rq, &member->entity, now);
	else
		gvt_sched_dequeue(&lane->rq, &member->entity, now);
	gvt_lane_add(&lane->state, &member->entity, now);
}

/**
 * intel_gvt_lane_stop - remove a vGPU from a lane
 * @lane: the lane
 * @vgpu: the vGPU
 * @now: the time
 *
 * A vGPU with a workload in flight on an engine that it shares with others stays in the
 * lane until that workload is done.
 */
void intel_gvt_lane_stop(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, u64 now)
{
	struct gvt_sched_entity *e = &gvt_lane_member(lane, vgpu)->entity;

	assert_owned(lane);

	look_at_member(lane, e, now);
	trace_gvt_lane_input(lane, GVT_INPUT_MEMBERS, vgpu->id, 0, now);
	gvt_lane_stop(&lane->state, e, now);
}

/**
 * intel_gvt_lane_complete - account for a finished workload of a vGPU
 * @lane: the lane
 * @vgpu: the vGPU, with nothing in flight on the workload's engine
 * @now: the time
 */
void intel_gvt_lane_complete(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu,
			     u64 now)
{
	struct vgpu_sched_lane *member = gvt_lane_member(lane, vgpu);
	u64 used_ns = since_charged(lane, member);

	assert_owned(lane);

	trace_gvt_lane_input(lane, GVT_INPUT_FINISHED, vgpu->id, used_ns, now);
	gvt_sched_charge(&lane->rq, &member->entity, used_ns, now);
	intel_gvt_lane_unqueue(lane, vgpu, now);
	if (member->entity.stopping && !is_in_flight(lane, vgpu))
		gvt_lane_remove(&lane->state, &member->entity, now);
}

/**
 * intel_gvt_lane_unqueue - a workload was removed from a vGPU's queue
 * @lane: the lane
 * @vgpu: the vGPU
 * @now: the time
 */
void intel_gvt_lane_unqueue(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, u64 now)
{
	if (!has_work(lane, vgpu))
		gvt_sched_dequeue(&lane->rq, &gvt_lane_member(lane, vgpu)->entity, now);
	trace_gvt_lane_input(lane, GVT_INPUT_UNQUEUED, vgpu->id, 0, now);
}

/* Whether a vGPU has a workload to submit to an engine and none in flight there */
static bool has_something(const struct intel_vgpu *vgpu, const struct intel_engine_cs *engine)
{
	return test_bit(INTEL_VGPU_STATUS_ACTIVE, vgpu->status) &&
	       !list_empty(workload_q_head(vgpu, engine)) &&
	       !vgpu->gvt->scheduler.dispatch[engine->id].workload[vgpu->id];
}

static bool may_dispatch(struct gvt_sched_lane *lane, struct gvt_sched_entity *e,
			 const struct intel_engine_cs *engine)
{
	return has_something(entity_to_vgpu(e), engine) &&
	       gvt_lane_may_dispatch(&lane->state, e, ktime_get_ns());
}

/**
 * intel_gvt_lane_dispatch - pick the vGPU whose workload goes to i915 next
 * @lane: the lane
 * @engine: the engine
 *
 * Return: a vGPU that has work for the engine and nothing in flight there, or NULL.
 */
struct intel_vgpu *intel_gvt_lane_dispatch(struct gvt_sched_lane *lane,
					   const struct intel_engine_cs *engine)
{
	struct gvt_sched_entity *first[] = { lane->state.next, lane->state.turn };
	struct gvt_sched_entity *e;
	int i;

	assert_owned(lane);

	for (i = 0; i < ARRAY_SIZE(first); i++) {
		if (first[i] && may_dispatch(lane, first[i], engine))
			return entity_to_vgpu(first[i]);
	}

	/* Other vGPUs can only fill gaps */
	if (!gvt_sched_is_preemptive(&lane->rq))
		return NULL;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (may_dispatch(lane, e, engine))
			return entity_to_vgpu(e);
	}

	return NULL;
}
