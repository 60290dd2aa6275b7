// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "health_trace.h"
#include "info.h"
#include "info_trace.h"
#include "lane_trace.h"
#include "lane_values.h"

/*
 * The tracing core calls intel_gvt_info_reg() under its mutexes, before the event
 * can be emitted. The function therefore only starts the workers, which emit the
 * first events later, and takes no lock under which anything sleeps.
 *
 * After kvmgt_exit() the events still exist until the tracing core learns that
 * the module is being unloaded, but by then the list of devices is empty, so
 * that nothing can start a worker.
 */
static DEFINE_SPINLOCK(info_lock);
static LIST_HEAD(info_devices);
static unsigned int info_users;	/* number of info events that are enabled */

#define INFO_FIRST_DELAY msecs_to_jiffies(10)
#define INFO_PERIOD HZ

static void emit_turns(struct intel_gvt *gvt, u64 now)
{
	struct gvt_sched_data *data = gvt->scheduler.sched_data;
	struct gvt_sched_lane *lane;
	struct gvt_sched_entity *e;
	u32 order;

	for_each_lane(data, lane) {
		order = 0;
		list_for_each_entry(e, &lane->rq.entities, link)
			trace_gvt_sched_state(lane, e, ++order, now);
	}
}

static void emit_values(struct intel_gvt *gvt)
{
	struct gvt_sched_data *data = gvt->scheduler.sched_data;
	struct gvt_sched_lane *lane;

	for_each_lane(data, lane)
		intel_gvt_lane_trace_values(lane);
}

static void emit_workloads(struct intel_vgpu *vgpu)
{
	struct intel_vgpu_workload *workload;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;
	int count;

	for_each_engine(engine, vgpu->gvt->gt, id) {
		count = 0;
		list_for_each_entry(workload, workload_q_head(vgpu, engine), list) {
			if (count++ == GVT_INFO_WORKLOADS)
				break;
			intel_gvt_exec_trace_state(workload);
		}
	}
}

/* Report all volatile state as of one moment */
static void emit_state(struct intel_gvt *gvt, u32 vgpus)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id engine_id;
	struct intel_vgpu *vgpu;
	int id;

	lockdep_assert_held(&gvt->lock);

	mutex_lock(&gvt->sched_lock);
	if (trace_gvt_sched_state_enabled())
		emit_turns(gvt, ktime_get_ns());
	if (trace_gvt_lane_value_enabled())
		emit_values(gvt);
	if (trace_gvt_workload_state_enabled()) {
		idr_for_each_entry(&gvt->vgpu_idr, vgpu, id)
			emit_workloads(vgpu);
	}
	for_each_engine(engine, gvt->gt, engine_id)
		intel_gvt_exec_trace_host(gvt, engine);
	trace_gvt_sched_info(gvt, vgpus);
	mutex_unlock(&gvt->sched_lock);
}

static void emit_info(struct intel_gvt *gvt)
{
	struct intel_vgpu *vgpu;
	u32 vgpus = 0;
	int id;

	/* vGPUs enter and leave the IDR fully set up, under this lock */
	mutex_lock(&gvt->lock);
	idr_for_each_entry(&gvt->vgpu_idr, vgpu, id) {
		trace_gvt_vgpu_info(vgpu, to_mdev_device(vgpu->vfio_device.dev));
		trace_gvt_vgpu_health(vgpu);
		vgpus++;
	}
	emit_state(gvt, vgpus);
	mutex_unlock(&gvt->lock);
}

static void info_work(struct work_struct *work)
{
	struct intel_gvt_info *info =
		container_of(work, struct intel_gvt_info, work.work);

	emit_info(container_of(info, struct intel_gvt, info));

	spin_lock(&info_lock);
	if (info_users)
		schedule_delayed_work(&info->work, INFO_PERIOD);
	spin_unlock(&info_lock);
}

/**
 * intel_gvt_info_reg - start emitting info events
 *
 * Called by the tracing core before an info event is enabled.
 *
 * Return: 0.
 */
int intel_gvt_info_reg(void)
{
	struct intel_gvt_info *info;

	spin_lock(&info_lock);
	info_users++;
	list_for_each_entry(info, &info_devices, link) {
		cancel_delayed_work(&info->work);
		schedule_delayed_work(&info->work, INFO_FIRST_DELAY);
	}
	spin_unlock(&info_lock);

	return 0;
}

/**
 * intel_gvt_info_unreg - stop emitting info events
 *
 * Called by the tracing core after an info event was disabled. Does not wait
 * for the workers, which stop by themselves.
 */
void intel_gvt_info_unreg(void)
{
	spin_lock(&info_lock);
	info_users--;
	spin_unlock(&info_lock);
}

/**
 * intel_gvt_info_start - let a GVT device emit info events
 * @info: the device's info
 *
 * Call when the device is ready, in particular its scheduler and vgpu_idr.
 */
void intel_gvt_info_start(struct intel_gvt_info *info)
{
	INIT_DELAYED_WORK(&info->work, info_work);

	spin_lock(&info_lock);
	list_add_tail(&info->link, &info_devices);
	if (info_users)
		schedule_delayed_work(&info->work, INFO_FIRST_DELAY);
	spin_unlock(&info_lock);
}

/**
 * intel_gvt_info_stop - stop a GVT device from emitting info events
 * @info: the device's info
 *
 * Waits for events that are being emitted. Must not be called under gvt->lock.
 */
void intel_gvt_info_stop(struct intel_gvt_info *info)
{
	spin_lock(&info_lock);
	list_del(&info->link);
	spin_unlock(&info_lock);

	cancel_delayed_work_sync(&info->work);
}
