// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "dispatch.h"
#include "sched_lane.h"

/**
 * DOC: lanes with one engine
 *
 * Unless dispatch is exclusive, i915 can have a workload of each vGPU for an engine
 * (see dispatch.h). What is given to it, beside the current vGPU's, is
 *
 * - the workload of the vGPU that runs next, once that is known, so that the engine goes
 *   on to it without waiting for anybody;
 * - with preemptive dispatch, workloads of all vGPUs that can be taken off the engine:
 *   they use every moment that is left, at no cost to the others.
 *
 * When another vGPU than the current one is to run, and that one's workload executes
 * and can be taken off, there is a hand-over; if it cannot, it runs to its end.
 */

/*
 * A workload that did not make way within this time is believed to be of a kind that
 * cannot. To ask again costs the vGPU that asks the length of such a workload.
 */
#define OVERRUN_NS (100 * NSEC_PER_MSEC)
#define RUNS_TO_END_NS (60 * NSEC_PER_SEC)

static struct intel_gvt *lane_gvt(const struct gvt_sched_lane *lane)
{
	return lane->data->gvt;
}

/* Every lane here has one engine, whose place it has */
static enum intel_engine_id lane_engine(const struct gvt_sched_lane *lane)
{
	return gvt_lane_index(lane);
}

static struct vgpu_sched_lane *to_member(struct gvt_sched_entity *e)
{
	return container_of(e, struct vgpu_sched_lane, entity);
}

static bool is_idle_vgpu(const struct intel_vgpu *vgpu)
{
	return vgpu == vgpu->gvt->idle_vgpu;
}

static struct intel_vgpu_workload *in_flight(const struct gvt_sched_lane *lane,
					     const struct intel_vgpu *vgpu)
{
	return lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)].workload[vgpu->id];
}

/* Whether i915 has something of a vGPU that it could execute */
static bool at_i915(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	const struct intel_vgpu_workload *workload = in_flight(lane, vgpu);

	return workload && workload->dispatched &&
	       !i915_request_completed(workload->req) &&
	       !i915_request_on_hold(workload->req);
}

static bool executes(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	return intel_gvt_exec_running(lane_gvt(lane), lane_engine(lane), vgpu->id);
}

static bool is_busy(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	return vgpu && !is_idle_vgpu(vgpu) && gvt_lane_member(lane, vgpu)->entity.busy;
}

/**
 * intel_gvt_lanes_use - have the lanes that the settings need
 * @sched_data: the scheduler's data
 */
void intel_gvt_lanes_use(struct gvt_sched_data *sched_data)
{
	bool exclusive = sched_data->set.dispatch == GVT_DISPATCH_EXCLUSIVE;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;
	int i;

	for (i = 0; i < GVT_SCHED_LANES; i++)
		sched_data->lane[i].engines = 0;
	if (exclusive)
		sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE].engines = ALL_ENGINES;
	else
		for_each_engine(engine, sched_data->gvt->gt, id)
			sched_data->lane[id].engines = BIT(id);
}

/**
 * intel_gvt_lanes_init - prepare the lanes
 * @sched_data: the scheduler's data, with its settings
 */
void intel_gvt_lanes_init(struct gvt_sched_data *sched_data)
{
	struct gvt_sched_lane *lane;
	int i;

	for (i = 0; i < GVT_SCHED_LANES; i++) {
		lane = &sched_data->lane[i];
		lane->data = sched_data;
		gvt_sched_rq_init(&lane->rq, &sched_data->set, &gvt_sched_watch_ops);
	}
	intel_gvt_lanes_use(sched_data);
}

/**
 * intel_gvt_may_dispatch - whether a vGPU has something to give to i915
 * @vgpu: the vGPU
 * @engine: the engine
 *
 * Call with sched_lock held.
 *
 * Return: true if it has work for the engine and nothing in flight there.
 */
bool intel_gvt_may_dispatch(struct intel_vgpu *vgpu, const struct intel_engine_cs *engine)
{
	return test_bit(INTEL_VGPU_STATUS_ACTIVE, vgpu->status) &&
	       !list_empty(workload_q_head(vgpu, engine)) &&
	       !vgpu->gvt->scheduler.dispatch[engine->id].workload[vgpu->id];
}

static bool can_preempt(const struct gvt_sched_lane *lane,
			const struct vgpu_sched_lane *member, u64 now)
{
	const struct vgpu_sched_data *data = member->vgpu->sched_data;

	return data->preempt && now >= member->runs_to_end_until &&
	       intel_gvt_dispatch_can_preempt(lane_gvt(lane), lane_engine(lane));
}

/**
 * intel_gvt_lane_charge - charge everybody for what they executed
 * @lane: the lane
 * @now: the time
 */
void intel_gvt_lane_charge(struct gvt_sched_lane *lane, u64 now)
{
	struct vgpu_sched_lane *member;
	struct gvt_sched_entity *e;
	u64 exec_ns;

	list_for_each_entry(e, &lane->rq.entities, link) {
		member = to_member(e);
		e->preemptible = can_preempt(lane, member, now);
		if (!in_flight(lane, member->vgpu))
			continue;
		exec_ns = intel_vgpu_exec_engine_ns(member->vgpu, lane_engine(lane));
		gvt_sched_used(&lane->rq, e, exec_ns - member->charged_ns, now);
		member->charged_ns = exec_ns;
	}
}

/* Remember whose workload did not make way in time */
static void end_hand_over(struct gvt_sched_lane *lane, u64 now)
{
	struct gvt_sched_entity *e;
	struct vgpu_sched_data *data;
	u64 took_ns;
	int id;

	id = intel_gvt_dispatch_handed_over(lane_gvt(lane), lane_engine(lane), &took_ns);
	if (!id || took_ns < OVERRUN_NS)
		return;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (entity_to_vgpu(e)->id != id)
			continue;
		data = entity_to_vgpu(e)->sched_data;
		data->stats[lane_engine(lane)].overruns++;
		to_member(e)->runs_to_end_until = now + RUNS_TO_END_NS;
	}
}

static bool in_hand_over(const struct gvt_sched_lane *lane)
{
	return lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)].barrier;
}

/*
 * When the current vGPU has nothing at i915 and another one's workload has begun, it is
 * that one's turn; whether it shall be, is for gvt_sched_pick() to say.
 */
static bool follow_engine(struct gvt_sched_lane *lane, u64 now)
{
	struct intel_vgpu *next, *vgpu = lane->current_vgpu;
	struct gvt_sched_entity *e;

	if (vgpu && in_flight(lane, vgpu))
		return false;

	list_for_each_entry(e, &lane->rq.entities, link) {
		next = entity_to_vgpu(e);
		if (next == vgpu || !executes(lane, next))
			continue;
		if (next != lane->next_vgpu)
			intel_gvt_sched_decided(lane, is_busy(lane, vgpu) ?
						GVT_SWITCH_TURN : GVT_SWITCH_IDLE, now);
		lane->next_vgpu = next;
		return true;
	}

	return false;
}

static bool makes_way(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	return gvt_sched_makes_way(&lane->rq, &gvt_lane_member(lane, vgpu)->entity);
}

/* What i915 has and cannot be put off runs next, whatever would be chosen now */
static bool is_committed(struct gvt_sched_lane *lane)
{
	const struct intel_vgpu *next = lane->next_vgpu;

	return next && in_flight(lane, next) &&
	       !makes_way(lane, next);
}

static struct intel_vgpu *chosen_vgpu(struct gvt_sched_lane *lane,
				      const struct gvt_sched_choice *choice)
{
	struct intel_vgpu *vgpu = lane->current_vgpu;

	if (choice->next)
		return entity_to_vgpu(choice->next);

	/* The current one must not go on, unless it has nothing to go on with */
	if (is_busy(lane, vgpu))
		return lane_gvt(lane)->idle_vgpu;

	return vgpu;
}

/* Get ready who runs when the current vGPU's workload has finished */
static void look_ahead(struct gvt_sched_lane *lane, struct gvt_sched_choice *choice,
		       u64 now)
{
	struct gvt_sched_choice ahead;

	if (!lane->current_vgpu || lane->next_vgpu != lane->current_vgpu ||
	    !in_flight(lane, lane->current_vgpu))
		return;

	ahead = gvt_sched_ahead(&lane->rq, now);
	if (!ahead.next || gvt_sched_fills_gaps(&lane->rq, ahead.next))
		return;

	lane->next_vgpu = entity_to_vgpu(ahead.next);
	lane->patient = true;
	choice->reason = ahead.reason;
}

/**
 * intel_gvt_lane_choose - choose who shall be the current vGPU
 * @lane: the lane
 * @now: the time
 *
 * Sets @next_vgpu of the lane to the current or to another one.
 */
void intel_gvt_lane_choose(struct gvt_sched_lane *lane, u64 now)
{
	struct gvt_sched_choice choice;

	/* Until that is over, of which an event tells, there is nothing to choose */
	if (in_hand_over(lane) || is_committed(lane)) {
		lane->wake_at_ns = 0;
		return;
	}

	lane->rq.executing = intel_gvt_dispatch_busy(lane_gvt(lane), lane_engine(lane));
	choice = gvt_sched_pick(&lane->rq, now);
	lane->next_vgpu = chosen_vgpu(lane, &choice);
	lane->patient = false;
	look_ahead(lane, &choice, now);
	if (lane->next_vgpu != lane->current_vgpu)
		intel_gvt_sched_decided(lane, choice.reason, now);
	lane->wake_at_ns = choice.wake_at;
}

/**
 * intel_gvt_lane_follow - see what the engine has done meanwhile
 * @lane: the lane
 * @now: the time
 *
 * Charges everybody for what they executed.
 *
 * Return: true if @next_vgpu of the lane is to be the current one at once.
 */
bool intel_gvt_lane_follow(struct gvt_sched_lane *lane, u64 now)
{
	end_hand_over(lane, now);
	intel_gvt_lane_charge(lane, now);

	return !in_hand_over(lane) && follow_engine(lane, now);
}

/* The place of a vGPU among those that wait for the engine */
static int rank(const struct gvt_sched_lane *lane, const struct intel_vgpu *vgpu)
{
	if (vgpu == (lane->patient ? lane->current_vgpu : lane->next_vgpu ?: lane->current_vgpu))
		return 0;
	if (vgpu == lane->next_vgpu)
		return 1;
	/* Who is being stopped is waited for */
	return gvt_sched_is_added(&gvt_lane_member(lane, vgpu)->entity) ? 3 : 2;
}

static bool goes_before(struct gvt_sched_lane *lane, struct intel_vgpu *a,
			struct intel_vgpu *b, u64 now)
{
	int rank_a = rank(lane, a), rank_b = rank(lane, b);

	if (rank_a != rank_b)
		return rank_a < rank_b;

	return rank_a == 3 && gvt_sched_before(&lane->rq, &gvt_lane_member(lane, a)->entity,
					       &gvt_lane_member(lane, b)->entity, now);
}

/* Those whose requests i915 has, in the order in which they shall run */
static int order_of(struct gvt_sched_lane *lane, struct intel_vgpu **order, u64 now)
{
	struct intel_gvt_dispatch *dispatch =
		&lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)];
	struct intel_vgpu *vgpu;
	int id, i, n = 0;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (!dispatch->workload[id] || !dispatch->workload[id]->dispatched)
			continue;
		vgpu = dispatch->workload[id]->vgpu;
		for (i = n++; i && goes_before(lane, vgpu, order[i - 1], now); i--)
			order[i] = order[i - 1];
		order[i] = vgpu;
	}

	return n;
}

/**
 * intel_gvt_lane_arrange - tell i915 in which order workloads shall run
 * @lane: the lane
 * @now: the time
 */
void intel_gvt_lane_arrange(struct gvt_sched_lane *lane, u64 now)
{
	struct intel_vgpu *order[GVT_EXEC_VGPUS];
	int n = order_of(lane, order, now);

	if (n)
		intel_gvt_dispatch_arrange(lane_gvt(lane), lane_engine(lane), order, n);
	if (intel_gvt_lane_dispatch(lane))
		wake_up(&lane_gvt(lane)->scheduler.waitq[lane_engine(lane)]);
}

/*
 * The vGPU other than @next that has the engine: its workload executes, or will before
 * @next's and cannot be put off.
 */
static struct intel_vgpu *occupant(struct gvt_sched_lane *lane, const struct intel_vgpu *next)
{
	struct intel_gvt_dispatch *dispatch =
		&lane_gvt(lane)->scheduler.dispatch[lane_engine(lane)];
	struct intel_vgpu *vgpu, *waits = NULL;
	int id;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (!dispatch->workload[id] || dispatch->workload[id]->vgpu == next)
			continue;
		vgpu = dispatch->workload[id]->vgpu;
		if (executes(lane, vgpu))
			return vgpu;
		if (!makes_way(lane, vgpu))
			waits = vgpu;
	}

	return waits;
}

/**
 * intel_gvt_lane_makes_way - make the engine free for the vGPU that shall have it
 * @lane: the lane, whose @next_vgpu, or if that is NULL, @current_vgpu is meant
 * @now: the time
 *
 * Begins a hand-over if that is needed and possible.
 *
 * Return: true if no other vGPU has the engine.
 */
bool intel_gvt_lane_makes_way(struct gvt_sched_lane *lane, u64 now)
{
	struct intel_vgpu *next = lane->next_vgpu ?: lane->current_vgpu;
	struct intel_vgpu *order[GVT_EXEC_VGPUS];
	struct intel_vgpu *vgpu;
	int n;

	if (!next || in_hand_over(lane))
		return false;

	vgpu = occupant(lane, next);
	if (!vgpu)
		return true;

	if (!lane->patient && at_i915(lane, next) && executes(lane, vgpu) &&
	    gvt_sched_is_added(&gvt_lane_member(lane, vgpu)->entity) &&
	    makes_way(lane, vgpu)) {
		n = order_of(lane, order, now);
		intel_gvt_dispatch_hand_over(lane_gvt(lane), lane_engine(lane), vgpu,
					     order, n);
	}

	return false;
}

static struct intel_vgpu *gap_filler(struct gvt_sched_lane *lane,
				     const struct intel_engine_cs *engine)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (gvt_sched_fills_gaps(&lane->rq, e) &&
		    intel_gvt_may_dispatch(entity_to_vgpu(e), engine))
			return entity_to_vgpu(e);
	}

	return NULL;
}

/**
 * intel_gvt_lane_dispatch - whose workload goes to i915 next
 * @lane: the lane
 *
 * Return: a vGPU that has work for the engine and nothing in flight there, or NULL.
 */
struct intel_vgpu *intel_gvt_lane_dispatch(struct gvt_sched_lane *lane)
{
	const struct intel_engine_cs *engine = lane_gvt(lane)->gt->engine[lane_engine(lane)];
	struct intel_vgpu *next = lane->need_reschedule ? lane->next_vgpu :
							  lane->current_vgpu;

	if (next && intel_gvt_may_dispatch(next, engine))
		return next;

	return gap_filler(lane, engine);
}
