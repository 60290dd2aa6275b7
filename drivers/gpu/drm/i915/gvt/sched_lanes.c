// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "dispatch.h"
#include "sched_lanes.h"
#include "sched_watch.h"

/* The lanes that a dispatch mode needs */

static void use_lanes(struct gvt_sched_data *sched_data)
{
	struct intel_engine_cs *engine;
	struct gvt_sched_lane *lane;
	enum intel_engine_id id;

	for (lane = sched_data->lane; lane < sched_data->lane + GVT_SCHED_LANES; lane++) {
		lane->engines = 0;
		gvt_sched_update_mode(&lane->rq);
		gvt_lane_init(&lane->state, &lane->rq, &intel_gvt_lane_ops);
	}

	lane = &sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE];
	if (!gvt_sched_is_shared(&lane->rq)) {
		intel_gvt_lane_use(lane, ALL_ENGINES);
		return;
	}

	for_each_engine(engine, sched_data->gvt->gt, id)
		intel_gvt_lane_use(&sched_data->lane[id], BIT(id));
}

/**
 * intel_gvt_lanes_init - prepare the lanes
 * @sched_data: the scheduler's data, with its settings
 */
void intel_gvt_lanes_init(struct gvt_sched_data *sched_data)
{
	struct gvt_sched_lane *lane;

	for (lane = sched_data->lane; lane < sched_data->lane + GVT_SCHED_LANES; lane++) {
		lane->data = sched_data;
		gvt_sched_rq_init(&lane->rq, &sched_data->set, &gvt_sched_watch_ops);
	}
	use_lanes(sched_data);
}

/* The vGPUs that are in any lane, in the order of turns; returns their number */
static int members(struct gvt_sched_data *sched_data, struct intel_vgpu **vgpu)
{
	struct gvt_sched_entity *e;
	int n = 0;

	/* This lane is always in use; stopping vGPUs need not join another lane */
	list_for_each_entry(e, &sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE].rq.entities, link) {
		if (!e->stopping)
			vgpu[n++] = entity_to_vgpu(e);
	}

	return n;
}

/**
 * intel_gvt_lanes_change - switch to the lanes that a dispatch mode needs
 * @sched_data: the scheduler's data
 * @set: the new settings
 * @now: the time
 *
 * Workloads in flight stay in flight: the new lanes find them, and wait for them where
 * necessary.
 */
void intel_gvt_lanes_change(struct gvt_sched_data *sched_data,
			    const struct gvt_sched_settings *set, u64 now)
{
	struct intel_vgpu *vgpu[GVT_EXEC_VGPUS];
	struct gvt_sched_entity *e, *tmp;
	struct intel_engine_cs *engine;
	struct gvt_sched_lane *lane;
	int n = members(sched_data, vgpu);
	enum intel_engine_id id;
	int i;

	lockdep_assert_held(&sched_data->gvt->sched_lock);

	for_each_lane(sched_data, lane) {
		list_for_each_entry_safe(e, tmp, &lane->rq.entities, link)
			gvt_lane_remove(&lane->state, e, now);
	}

	/* The new lanes park workloads themselves where needed */
	for_each_engine(engine, sched_data->gvt->gt, id)
		intel_gvt_dispatch_unpark(sched_data->gvt, id);

	sched_data->set = *set;
	use_lanes(sched_data);

	for_each_lane(sched_data, lane) {
		/* The last one to join is the first one in the order of turns */
		for (i = n - 1; i >= 0; i--)
			intel_gvt_lane_join(lane, vgpu[i], now);
		gvt_sched_begin_anew(&lane->rq, now);
	}
}
