// SPDX-License-Identifier: GPL-2.0-only

#include "i915.h"
#include "info_trace.h"
#include "thread.h"
#include "world.h"

struct sim_latencies sim_latency = {
	.service = 8000,
	.wake = 5000,
	.submit = 22000,
	.same = 9000,
	.start = 3100,
	.added = 5000,
	.finish = 27000,
	.shared_finish = 8000,
	.next = 4000,
	.barrier = 900,
	.hand_over = 18300,
	.resume = 10200,
	.guest = 27000,
	.timeslice = 1000000,
	.tick = 4000000,
};

struct sim_world sim_world = {
	.set = GVT_SCHED_DEFAULTS,
};

/* The vGPU of idle turns in trace events */
static struct intel_vgpu idle_vgpu;

static void init_vgpu(struct intel_vgpu *vgpu, int id, int weight)
{
	static struct vgpu_sched_data data[GVT_MAX_VGPU];

	vgpu->id = id;
	vgpu->gvt = &sim_world.gvt;
	vgpu->sched_ctl.weight = weight;
	vgpu->sched_data = &data[id];
	sim_sched_init_vgpu(vgpu);
}

void sim_world_begin(void)
{
	static struct intel_gt gt;
	struct intel_gvt *gvt = &sim_world.gvt;

	i915_init(&gt);
	gvt->gt = &gt;
	gvt->idle_vgpu = &idle_vgpu;
	intel_gvt_exec_init(&gvt->exec);
	intel_gvt_dispatch_init(gvt);
	thread_init(gvt);
	sim_sched_init(gvt, &sim_world.set);
	init_vgpu(&idle_vgpu, 0, 2);
}

struct intel_vgpu *sim_world_vgpu(int id, int weight, int nice, u32 cap)
{
	struct intel_vgpu *vgpu = &sim_world.vgpu[id];
	struct gvt_sched_data *sched_data = sim_world.gvt.scheduler.sched_data;
	enum intel_engine_id id_of_engine;
	struct intel_engine_cs *engine;
	int i;

	init_vgpu(vgpu, id, weight);
	set_bit(INTEL_VGPU_STATUS_ACTIVE, vgpu->status);
	for_each_engine(engine, vgpu->gvt->gt, id_of_engine) {
		INIT_LIST_HEAD(&vgpu->submission.workload_q_head[id_of_engine]);
		vgpu->submission.shadow[id_of_engine] = intel_context_create(engine);
	}
	for (i = 0; i < GVT_SCHED_LANES; i++) {
		gvt_sched_set_nice(&sched_data->lane[i].rq, &vgpu->sched_data->lane[i].entity, nice);
		gvt_sched_set_cap(&sched_data->lane[i].rq, &vgpu->sched_data->lane[i].entity, cap,
				  ktime_get_ns());
	}

	return vgpu;
}

static void tell_queue(const struct intel_vgpu *vgpu, const struct intel_engine_cs *engine)
{
	struct intel_vgpu_workload *workload;

	list_for_each_entry(workload, workload_q_head(vgpu, engine), list)
		intel_gvt_exec_trace_state(workload);
}

static void tell_vgpu(const struct intel_vgpu *vgpu)
{
	static const struct mdev_type type = { "simulated" };
	char uuid[64];
	const struct mdev_device mdev = { &type, uuid };
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	snprintf(uuid, sizeof(uuid), "00000000-0000-0000-0000-%012d", vgpu->id);
	trace_gvt_vgpu_info(vgpu, &mdev);
	for_each_engine(engine, vgpu->gvt->gt, id)
		tell_queue(vgpu, engine);
}

static void tell_lane(const struct gvt_sched_lane *lane)
{
	struct gvt_sched_entity *e;
	u32 order = 0;

	list_for_each_entry(e, &lane->rq.entities, link)
		trace_gvt_sched_state(lane, e, ++order, ktime_get_ns());
}

static void tell_host(struct intel_gvt *gvt)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	for_each_engine(engine, gvt->gt, id)
		intel_gvt_exec_trace_host(gvt, engine);
}

void sim_world_tell(void)
{
	struct gvt_sched_data *sched_data = sim_world.gvt.scheduler.sched_data;
	struct gvt_sched_lane *lane;
	u32 vgpus = 0;
	int id;

	for (id = 1; id < GVT_MAX_VGPU; id++) {
		if (!sim_world.vgpu[id].gvt)
			continue;
		tell_vgpu(&sim_world.vgpu[id]);
		vgpus++;
	}
	for_each_lane(sched_data, lane)
		tell_lane(lane);
	if (sim_world.host)
		tell_host(&sim_world.gvt);
	trace_gvt_sched_info(&sim_world.gvt, vgpus);
}
