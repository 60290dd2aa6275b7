// SPDX-License-Identifier: GPL-2.0-only
/*
 * The patched version of upstream's sched_policy.c, without locks, stops and error handling. The
 * decisions are made in the driver's files, which are compiled here unchanged.
 */

#include "sched_lanes.h"
#include "world.h"

static struct gvt_sched_data *to_sched_data(const struct intel_gvt *gvt)
{
	return gvt->scheduler.sched_data;
}

static struct gvt_sched_lane *lane_of(const struct intel_vgpu_workload *workload)
{
	return intel_gvt_engine_lane(to_sched_data(workload->vgpu->gvt), workload->engine->id);
}

void sim_sched_init(struct intel_gvt *gvt, const struct gvt_sched_settings *set)
{
	static struct gvt_sched_data data;

	data.gvt = gvt;
	data.set = *set;
	intel_gvt_lanes_init(&data);
	intel_gvt_pace_init(&data);
	gvt->scheduler.sched_data = &data;
	gvt->scheduler.total.host_first = set->host_first;
}

void sim_sched_init_vgpu(struct intel_vgpu *vgpu)
{
	struct vgpu_sched_data *data = vgpu->sched_data;
	int i;

	for (i = 0; i < GVT_SCHED_LANES; i++) {
		gvt_sched_entity_init(&data->lane[i].entity, vgpu->sched_ctl.weight);
		data->lane[i].vgpu = vgpu;
	}
	data->preempt = true;
	data->arbitration = true;
}

void sim_sched_start(struct intel_vgpu *vgpu)
{
	struct gvt_sched_data *sched_data = to_sched_data(vgpu->gvt);
	struct gvt_sched_lane *lane;
	u64 now = ktime_get_ns();

	if (list_empty(&sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE].rq.entities))
		sched_data->grid_ns = now;
	else
		sched_data->pace->catch_up(sched_data, now);

	for_each_lane(sched_data, lane)
		intel_gvt_lane_join(lane, vgpu, now);
	sched_data->pace->changed(sched_data, now);
}

void sim_sched_decide(struct intel_gvt *gvt)
{
	struct gvt_sched_data *sched_data = to_sched_data(gvt);
	bool tick = test_bit(INTEL_GVT_REQUEST_SCHED, &gvt->service_request);
	u64 now = ktime_get_ns();

	gvt->service_request = 0;
	intel_gvt_lanes_end_hand_overs(sched_data, now);
	if (sched_data->wake_at_ns && now >= sched_data->wake_at_ns)
		sched_data->wake_at_ns = 0;
	sched_data->pace->decide(sched_data, tick, now);
}

void sim_sched_timer(struct intel_gvt *gvt)
{
	struct gvt_sched_data *sched_data = to_sched_data(gvt);
	struct hrtimer *timer = &sched_data->timer;

	intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_SCHED);
	if (sched_data->ticking)
		hrtimer_start(timer, timer->expires_ns + GVT_SCHED_TICK_NS, HRTIMER_MODE_ABS);
}

void sim_sched_enqueue(struct intel_vgpu_workload *workload)
{
	struct gvt_sched_lane *lane = lane_of(workload);
	struct vgpu_sched_lane *member = gvt_lane_member(lane, workload->vgpu);
	bool first = !member->entity.busy;

	workload->queued_ns = ktime_get_ns();
	if (first) {
		lane->data->pace->catch_up(lane->data, workload->queued_ns);
		gvt_sched_enqueue(&lane->rq, &member->entity, workload->queued_ns);
	}
	lane->data->pace->queued(lane, first, workload->queued_ns);
}

void sim_sched_complete(struct intel_vgpu_workload *workload)
{
	struct intel_gvt_exec_slot slot;

	intel_gvt_exec_finish(workload, &slot);
	intel_gvt_lane_complete(lane_of(workload), workload->vgpu, ktime_get_ns());
}

void sim_sched_drained(struct intel_gvt *gvt, enum intel_engine_id engine)
{
	struct gvt_sched_data *sched_data = to_sched_data(gvt);

	sched_data->pace->drained(intel_gvt_engine_lane(sched_data, engine), ktime_get_ns());
}

void sim_sched_added(struct intel_gvt *gvt, enum intel_engine_id engine)
{
	struct gvt_sched_data *sched_data = to_sched_data(gvt);

	sched_data->pace->added(intel_gvt_engine_lane(sched_data, engine), ktime_get_ns());
}

bool sim_sched_is_shared(const struct intel_gvt *gvt)
{
	return gvt_sched_is_shared(&to_sched_data(gvt)->lane[GVT_SCHED_EXCLUSIVE_LANE].rq);
}

/* As intel_vgpu_wants_arbitration() */
bool sim_sched_preempts(const struct intel_vgpu *vgpu)
{
	const struct vgpu_sched_data *vgpu_data = vgpu->sched_data;

	return gvt_sched_preempts(to_sched_data(vgpu->gvt)->set.dispatch) && vgpu_data->preempt &&
	       vgpu_data->arbitration;
}

struct intel_vgpu *sim_sched_dispatch(struct intel_gvt *gvt, const struct intel_engine_cs *engine)
{
	return intel_gvt_lane_dispatch(intel_gvt_engine_lane(to_sched_data(gvt), engine->id),
				       engine);
}
