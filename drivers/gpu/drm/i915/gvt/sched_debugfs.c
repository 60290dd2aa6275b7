// SPDX-License-Identifier: GPL-2.0-only

#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "i915_drv.h"
#include "gvt.h"
#include "sched_debugfs.h"

static void show_settings(struct seq_file *m, const struct gvt_sched_settings *set)
{
	seq_printf(m, "policy %s\n", gvt_sched_policy_name(set->policy));
	seq_printf(m, "dispatch %s\n", gvt_sched_dispatch_name(set->dispatch));
	seq_printf(m, "carry_over %u\n", set->carry_over);
	seq_printf(m, "leftover_max_ms %u\n", set->leftover_max_ms);
	seq_printf(m, "period_ms %u\n", set->period_ms);
	seq_printf(m, "boost_ms %u\n", set->boost_ms);
	seq_printf(m, "max_wait_ms %u\n", set->max_wait_ms);
	seq_printf(m, "anticipation_ms %u\n", set->anticipation_ms);
	seq_printf(m, "host_first %u\n", set->host_first);
}

static int id_of_entity(struct gvt_sched_entity *e)
{
	return e ? entity_to_vgpu(e)->id : 0;
}

static void show_lane(struct seq_file *m, const struct gvt_sched_lane *lane, u64 now)
{
	const struct gvt_sched_rq *rq = &lane->rq;

	seq_printf(m, "state %s\n", gvt_lane_state_name(lane->state.state));
	seq_printf(m, "current_vgpu %d\n", id_of_entity(lane->state.turn));
	seq_printf(m, "next_vgpu %d\n", id_of_entity(lane->state.next));
	seq_printf(m, "wake_in_ns %lld\n",
		   lane->state.wake_at ? (s64)(lane->state.wake_at - now) : 0);
	seq_printf(m, "busy_vgpus %u\n", rq->busy);
	seq_printf(m, "stage %u\n", rq->stage);
	seq_printf(m, "period_ends_in_ns %lld\n",
		   rq->period_end ? (s64)(rq->period_end - now) : 0);
	seq_printf(m, "min_vruntime %llu\n", rq->min_vruntime);
	seq_printf(m, "host_ns %llu\n", lane->host_ns);
	seq_printf(m, "held_for_vgpu %d\n", id_of_entity(rq->hold.expected));
}

static void show_entity(struct seq_file *m, struct gvt_sched_entity *e, u64 now)
{
	seq_printf(m, "vgpu %d weight %u nice %d cap %u share %u busy %d boosted %d",
		   id_of_entity(e), e->weight, e->nice, e->cap, e->share, e->busy,
		   e->boosted);
	seq_printf(m, " slice_ns %lld left_ns %lld borrowed_ns %llu vruntime %llu",
		   e->slice_ns, e->left_ns, e->borrowed_ns, e->vruntime);
	seq_printf(m, " denied_ns %llu idled_ns %llu held_ns %llu", e->denied_ns, e->idled_ns,
		   e->held_ns);
	seq_printf(m, " preemptible %d in_flight %d executes %d stopping %d",
		   e->preemptible, e->in_flight, e->executes, e->stopping);
	seq_printf(m, " waiting_ns %llu service_ns %llu think_ns %llu think_most_ns %llu way_ns %llu way_most_ns %llu lag_ns %lld floor_ns %lld cap_left_ns %lld\n",
		   e->busy ? now - e->wait_since : 0, gvt_sched_mean_ns(&e->service),
		   gvt_sched_mean_ns(&e->think), gvt_sched_most_ns(&e->think),
		   gvt_sched_mean_ns(&e->way), gvt_sched_most_ns(&e->way), e->lag_ns,
		   e->floor_ns, e->cap_left_ns);
}

static const char *lane_name(const struct gvt_sched_lane *lane)
{
	return is_power_of_2(lane->engines) ?
		lane->data->gvt->gt->engine[gvt_lane_index(lane)]->name : "all";
}

static int scheduler_show(struct seq_file *m, void *unused)
{
	struct intel_gvt *gvt = m->private;
	struct gvt_sched_data *data = gvt->scheduler.sched_data;
	struct gvt_sched_lane *lane;
	struct gvt_sched_entity *e;
	u64 now;

	mutex_lock(&gvt->sched_lock);
	now = ktime_get_ns();
	show_settings(m, &data->set);
	seq_printf(m, "ticking %d\n", data->ticking);
	for_each_lane(data, lane) {
		seq_printf(m, "engine %s\n", lane_name(lane));
		show_lane(m, lane, now);
		list_for_each_entry(e, &lane->rq.entities, link)
			show_entity(m, e, now);
	}
	mutex_unlock(&gvt->sched_lock);

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(scheduler);

static void show_bins(struct seq_file *m, const struct intel_engine_cs *engine,
		      const char *what, const u32 *bins)
{
	unsigned int bin;

	for (bin = 0; bin < GVT_STATS_BINS; bin++) {
		if (bins[bin])
			seq_printf(m, "%s %s from_us %llu count %u\n", engine->name,
				   what, gvt_stats_bin_start_us(bin), bins[bin]);
	}
}

static void show_hand_overs(struct seq_file *m, struct intel_vgpu *vgpu,
			    const struct intel_engine_cs *engine)
{
	const struct vgpu_sched_data *data = vgpu->sched_data;

	seq_printf(m, "%s handover_ns %llu overruns %llu\n", engine->name,
		   intel_vgpu_exec_engine(vgpu, engine->id).handover_ns,
		   data->stats[engine->id].overruns);
}

static int vgpu_scheduler_show(struct seq_file *m, void *unused)
{
	struct intel_vgpu *vgpu = m->private;
	struct gvt_sched_data *sched_data = vgpu->gvt->scheduler.sched_data;
	struct vgpu_sched_data *data = vgpu->sched_data;
	struct intel_engine_cs *engine;
	struct gvt_sched_lane *lane;
	enum intel_engine_id id;

	mutex_lock(&vgpu->gvt->sched_lock);
	for_each_lane(sched_data, lane) {
		seq_printf(m, "engine %s ", lane_name(lane));
		show_entity(m, &data->lane[gvt_lane_index(lane)].entity,
			    ktime_get_ns());
	}
	for_each_engine(engine, vgpu->gvt->gt, id) {
		show_hand_overs(m, vgpu, engine);
		show_bins(m, engine, "wait", data->stats[id].wait_bins);
		show_bins(m, engine, "exec", data->stats[id].exec_bins);
	}
	mutex_unlock(&vgpu->gvt->sched_lock);

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_scheduler);

/**
 * intel_gvt_sched_debugfs_init - show the scheduler's state in debugfs
 * @gvt: the GVT device, with its debugfs directory
 */
void intel_gvt_sched_debugfs_init(struct intel_gvt *gvt)
{
	debugfs_create_file("scheduler", 0444, gvt->debugfs_root, gvt,
			    &scheduler_fops);
}

/**
 * intel_gvt_sched_debugfs_add_vgpu - show a vGPU's statistics in debugfs
 * @vgpu: the vGPU, with its debugfs directory
 */
void intel_gvt_sched_debugfs_add_vgpu(struct intel_vgpu *vgpu)
{
	debugfs_create_file("scheduler", 0444, vgpu->debugfs, vgpu,
			    &vgpu_scheduler_fops);
}
