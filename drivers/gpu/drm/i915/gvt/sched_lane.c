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
 * What lane_state.h and sched_core.h decide is carried out here: this tells them what
 * the engines look like, and does what they ask for.
 *
 * Unless dispatch is exclusive, i915 can have a workload of each vGPU for an engine
 * (see dispatch_types.h). What is given to it, beside the workload of the vGPU whose turn it
 * is, is
 *
 * - the workload of the vGPU that runs next, once that is known, so that the engine goes
 *   on to it without waiting for anybody;
 * - with preemptive dispatch, workloads of all vGPUs that can be taken off the engine:
 *   they use every moment that is left, at no cost to the others.
 */

/* A workload that did not make way within this time is counted as an overrun */
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

/* A lane with one engine has its place */
static enum intel_engine_id lane_engine(const struct gvt_sched_lane *lane)
{
	return gvt_lane_index(lane);
}

static struct intel_gvt_dispatch *lane_dispatch(const struct gvt_sched_lane *lane)
{
	return &lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)];
}

/**
 * intel_gvt_engine_lane - the lane in which an engine is
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

/* --- what the engines look like ------------------------------------------ */

/* How long a vGPU executed, as the lane measures it */
static u64 exec_ns(const struct gvt_sched_lane *lane, struct intel_vgpu *vgpu)
{
	return has_one_engine(lane) ? intel_vgpu_exec_engine_ns(vgpu, lane_engine(lane)) :
				      intel_vgpu_exec_any_ns(vgpu);
}

/* How long the host executed, and no vGPU did */
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

/* What i915 is kept from does not keep the engine from anybody */
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

/* Whether i915 has something of a vGPU that it could execute */
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
	/* Of several engines nobody's workload could be taken off, or followed */
	e->preemptible = has_one_engine(lane) && can_preempt(lane, to_member(e));
	e->offered = has_one_engine(lane) && at_i915(lane, vgpu);
	/* Not if i915 has yet to tell of the end */
	e->executes = e->offered &&
		      intel_gvt_exec_is_given(lane_gvt(lane), lane_engine(lane), vgpu->id);
}

/* What a vGPU executed since the last time; less than 0 would be charged as centuries */
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

/* Neither now nor since the last time; what is missed without the lock is seen the next time */
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

/* Nobody's turn is the idle vGPU's in trace events */
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

	/* Who takes part no longer is waited for */
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

/* Put vGPUs behind those in the order, each into its place among themselves */
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

/* Those whose requests i915 has, in the order in which they shall run */
static void order_of(struct gvt_sched_lane *lane, struct gvt_dispatch_order *order, u64 now)
{
	const struct intel_gvt_dispatch *dispatch = lane_dispatch(lane);
	unsigned long ready = 0, others = 0;
	const struct intel_vgpu_workload *workload;
	int id;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		workload = dispatch->workload[id];
		/* What is cancelled goes first, as it is */
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

static bool take_off(struct gvt_lane *state, struct gvt_sched_entity *e, u64 now)
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
	.take_off = take_off,
};

/* Wake up the threads of the engines that can be given more */
static void wake_up_dispatch(struct gvt_sched_lane *lane)
{
	struct intel_gvt *gvt = lane_gvt(lane);
	struct intel_engine_cs *engine;
	intel_engine_mask_t tmp;

	/* With one vGPU on all engines, who queues a workload has done so already */
	if (!fetch_and_zero(&lane->state.dispatch) && !has_one_engine(lane))
		return;

	for_each_engine_masked(engine, gvt->gt, lane->engines, tmp) {
		if (intel_gvt_lane_dispatch(lane, engine))
			wake_up(&gvt->scheduler.waitq[engine->id]);
	}
}

/* Tell i915 in which order workloads shall run */
static void arrange(struct gvt_sched_lane *lane, u64 now)
{
	struct gvt_dispatch_order order;

	/* On several engines nobody waits for another one's workload to finish */
	if (!has_one_engine(lane))
		return;

	order_of(lane, &order, now);
	if (order.n)
		intel_gvt_dispatch_arrange(lane_gvt(lane), lane_engine(lane), &order);
}

/**
 * intel_gvt_lane_update - decide again, and do what follows from that
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

/* Learn how long the vGPU took whose workload had to make way, unless it has left since */
static void made_way(struct gvt_sched_lane *lane, int id, u64 took_ns, u64 now)
{
	struct gvt_sched_entity *e;
	struct vgpu_sched_data *data;
	bool ended = true;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (entity_to_vgpu(e)->id != id)
			continue;
		ended = !at_i915(lane, entity_to_vgpu(e));
		gvt_sched_made_way(e, took_ns, ended);
		data = entity_to_vgpu(e)->sched_data;
		data->stats[lane_engine(lane)].overruns += took_ns >= OVERRUN_NS;
	}
	trace_gvt_lane_input(lane, ended ? GVT_INPUT_ENDED : GVT_INPUT_MADE_WAY, id, took_ns,
			     now);
}

/**
 * intel_gvt_lanes_end_hand_overs - look which hand-overs are over
 * @sched_data: the scheduler's data
 * @now: the time
 *
 * Of all engines: what was begun in a lane that is no longer used ends, too. Nobody's
 * workload is judged by that.
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
		made_way(lane, from_id, took_ns, now);
		gvt_lane_taken_off(&lane->state);
	}
}

/**
 * intel_gvt_lane_use - begin to use a lane
 * @lane: the lane, without vGPUs
 * @engines: its engines
 */
void intel_gvt_lane_use(struct gvt_sched_lane *lane, intel_engine_mask_t engines)
{
	lane->engines = engines;
	lane->host_ns = host_ns(lane);
}

/* --- who takes part -------------------------------------------------------- */

/**
 * intel_gvt_lane_join - let a vGPU take part
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
 * intel_gvt_lane_stop - let a vGPU take part no longer
 * @lane: the lane
 * @vgpu: the vGPU
 * @now: the time
 *
 * If it has something in flight on an engine that it shares with others, it takes
 * part until that is done.
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
 * intel_gvt_lane_complete - a vGPU's workload is finished
 * @lane: the lane
 * @vgpu: the vGPU, of which nothing is in flight on the workload's engine
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
 * intel_gvt_lane_unqueue - a workload was taken from a vGPU's queue
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

/* Whether a vGPU has something to give to i915 and nothing in flight there */
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
 * intel_gvt_lane_dispatch - whose workload goes to i915 next
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

	/* Others can only fill gaps */
	if (!gvt_sched_is_preemptive(&lane->rq))
		return NULL;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (may_dispatch(lane, e, engine))
			return entity_to_vgpu(e);
	}

	return NULL;
}
