// SPDX-License-Identifier: GPL-2.0-only

#include <linux/sysfs.h>

#include "i915_drv.h"
#include "gvt.h"
#include "sched_setting_trace.h"
#include "vgpu_sysfs.h"

static struct vgpu_sched_data *to_data(struct intel_vgpu *vgpu)
{
	return vgpu->sched_data;
}

/* Each lane has its own; they are set together */
static int get_nice(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.nice;
}

static u32 get_cap(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.cap;
}

static ssize_t vgpu_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", vgpu->id);
}
static DEVICE_ATTR_RO(vgpu_id);

static ssize_t weight_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", vgpu->sched_ctl.weight);
}
static DEVICE_ATTR_RO(weight);

static void trace_setting(struct intel_vgpu *vgpu, const char *name,
			  int old_value, int new_value)
{
	char before[12], after[12];

	snprintf(before, sizeof(before), "%d", old_value);
	snprintf(after, sizeof(after), "%d", new_value);
	trace_gvt_sched_setting(gvt_dev_index(vgpu->gvt), vgpu->id, name,
				before, after);
}

static ssize_t nice_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", get_nice(vgpu));
}

static ssize_t nice_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t count)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	int nice;

	if (kstrtoint(buf, 0, &nice) ||
	    nice < GVT_SCHED_NICE_MIN || nice > GVT_SCHED_NICE_MAX)
		return -EINVAL;

	mutex_lock(&vgpu->gvt->sched_lock);
	trace_setting(vgpu, attr->attr.name, get_nice(vgpu), nice);
	intel_vgpu_sched_set_nice(vgpu, nice);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return count;
}
static DEVICE_ATTR_RW(nice);

static ssize_t cap_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", get_cap(vgpu));
}

static ssize_t cap_store(struct device *dev, struct device_attribute *attr,
			 const char *buf, size_t count)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	u32 cap;

	if (kstrtou32(buf, 0, &cap) || cap > 100)
		return -EINVAL;

	mutex_lock(&vgpu->gvt->sched_lock);
	trace_setting(vgpu, attr->attr.name, get_cap(vgpu), cap);
	intel_vgpu_sched_set_cap(vgpu, cap);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return count;
}
static DEVICE_ATTR_RW(cap);

struct flag_attr {
	struct device_attribute attr;
	size_t offset;
};

static bool *flag_of(struct device *dev, struct device_attribute *attr)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return vgpu->sched_data + container_of(attr, struct flag_attr, attr)->offset;
}

static ssize_t flag_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", *flag_of(dev, attr));
}

static ssize_t flag_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t count)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	u32 value;

	if (kstrtou32(buf, 0, &value) || value > 1)
		return -EINVAL;

	mutex_lock(&vgpu->gvt->sched_lock);
	trace_setting(vgpu, attr->attr.name, *flag_of(dev, attr), value);
	WRITE_ONCE(*flag_of(dev, attr), value);
	intel_vgpu_sched_reconsider(vgpu);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return count;
}

#define FLAG(_name, _offset) {							\
	.attr = __ATTR(_name, 0644, flag_show, flag_store),			\
	.offset = (_offset),							\
}

static struct flag_attr preempt =
	FLAG(preempt, offsetof(struct vgpu_sched_data, preempt));
static struct flag_attr arbitration =
	FLAG(arbitration, offsetof(struct vgpu_sched_data, arbitration));

static s64 get_exec_ns(struct intel_vgpu *vgpu)
{
	return intel_vgpu_exec_any_ns(vgpu);
}

static s64 get_borrowed_ns(struct intel_vgpu *vgpu)
{
	s64 sum_ns = 0;
	int i;

	for (i = 0; i < GVT_SCHED_LANES; i++)
		sum_ns += to_data(vgpu)->lane[i].entity.borrowed_ns;

	return sum_ns;
}

static s64 get_held_ns(struct intel_vgpu *vgpu)
{
	s64 sum_ns = 0;
	int i;

	for (i = 0; i < GVT_SCHED_LANES; i++)
		sum_ns += to_data(vgpu)->lane[i].entity.held_ns;

	return sum_ns;
}

/* Unless dispatch is exclusive, of the render engine */
static s64 get_left_ns(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.left_ns;
}

static s64 get_queued(struct intel_vgpu *vgpu)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;
	s64 queued = 0;

	for_each_engine(engine, vgpu->gvt->gt, id)
		queued += list_count_nodes(workload_q_head(vgpu, engine));

	return queued;
}

struct figure_attr {
	struct device_attribute attr;
	s64 (*get)(struct intel_vgpu *vgpu);
};

static ssize_t figure_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct figure_attr *figure = container_of(attr, struct figure_attr, attr);
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	s64 value;

	mutex_lock(&vgpu->gvt->sched_lock);
	intel_vgpu_sched_update(vgpu);
	value = figure->get(vgpu);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return sysfs_emit(buf, "%lld\n", value);
}

#define FIGURE(_name, _get) {							\
	.attr = __ATTR(_name, 0444, figure_show, NULL),				\
	.get = (_get),								\
}

static struct figure_attr exec_ns = FIGURE(exec_ns, get_exec_ns);
static struct figure_attr borrowed_ns = FIGURE(borrowed_ns, get_borrowed_ns);
static struct figure_attr held_ns = FIGURE(held_ns, get_held_ns);
static struct figure_attr left_ns = FIGURE(left_ns, get_left_ns);
static struct figure_attr queued = FIGURE(queued, get_queued);

static u64 get_engine_exec_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine_ns(vgpu, engine);
}

static u64 get_engine_wait_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return to_data(vgpu)->stats[engine].wait_ns;
}

static u64 get_engine_workloads(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return to_data(vgpu)->stats[engine].workloads;
}

static u64 get_engine_failed(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return to_data(vgpu)->stats[engine].failed;
}

static u64 get_engine_cancelled(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return to_data(vgpu)->stats[engine].cancelled;
}

static u64 get_engine_preempted(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine(vgpu, engine).taken_off;
}

static u64 get_engine_preempted_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine(vgpu, engine).off_ns;
}

static u64 get_engine_handover_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine(vgpu, engine).handover_ns;
}

static u64 get_engine_overruns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return to_data(vgpu)->stats[engine].overruns;
}

struct engine_attr {
	struct device_attribute attr;
	enum intel_engine_id engine;
	u64 (*get)(struct intel_vgpu *vgpu, enum intel_engine_id engine);
};

static ssize_t engine_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct engine_attr *engine = container_of(attr, struct engine_attr, attr);
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	u64 value;

	mutex_lock(&vgpu->gvt->sched_lock);
	value = engine->get(vgpu, engine->engine);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return sysfs_emit(buf, "%llu\n", value);
}

#define ENGINE(_name, _engine, _get) {						\
	.attr = __ATTR(_name, 0444, engine_show, NULL),				\
	.engine = (_engine),							\
	.get = (_get),								\
}

static struct engine_attr rcs0_exec_ns =
	ENGINE(rcs0_exec_ns, RCS0, get_engine_exec_ns);
static struct engine_attr bcs0_exec_ns =
	ENGINE(bcs0_exec_ns, BCS0, get_engine_exec_ns);
static struct engine_attr vcs0_exec_ns =
	ENGINE(vcs0_exec_ns, VCS0, get_engine_exec_ns);
static struct engine_attr vcs1_exec_ns =
	ENGINE(vcs1_exec_ns, VCS1, get_engine_exec_ns);
static struct engine_attr vecs0_exec_ns =
	ENGINE(vecs0_exec_ns, VECS0, get_engine_exec_ns);
static struct engine_attr rcs0_wait_ns =
	ENGINE(rcs0_wait_ns, RCS0, get_engine_wait_ns);
static struct engine_attr bcs0_wait_ns =
	ENGINE(bcs0_wait_ns, BCS0, get_engine_wait_ns);
static struct engine_attr vcs0_wait_ns =
	ENGINE(vcs0_wait_ns, VCS0, get_engine_wait_ns);
static struct engine_attr vcs1_wait_ns =
	ENGINE(vcs1_wait_ns, VCS1, get_engine_wait_ns);
static struct engine_attr vecs0_wait_ns =
	ENGINE(vecs0_wait_ns, VECS0, get_engine_wait_ns);
static struct engine_attr rcs0_workloads =
	ENGINE(rcs0_workloads, RCS0, get_engine_workloads);
static struct engine_attr bcs0_workloads =
	ENGINE(bcs0_workloads, BCS0, get_engine_workloads);
static struct engine_attr vcs0_workloads =
	ENGINE(vcs0_workloads, VCS0, get_engine_workloads);
static struct engine_attr vcs1_workloads =
	ENGINE(vcs1_workloads, VCS1, get_engine_workloads);
static struct engine_attr vecs0_workloads =
	ENGINE(vecs0_workloads, VECS0, get_engine_workloads);
static struct engine_attr rcs0_failed =
	ENGINE(rcs0_failed, RCS0, get_engine_failed);
static struct engine_attr bcs0_failed =
	ENGINE(bcs0_failed, BCS0, get_engine_failed);
static struct engine_attr vcs0_failed =
	ENGINE(vcs0_failed, VCS0, get_engine_failed);
static struct engine_attr vcs1_failed =
	ENGINE(vcs1_failed, VCS1, get_engine_failed);
static struct engine_attr vecs0_failed =
	ENGINE(vecs0_failed, VECS0, get_engine_failed);
static struct engine_attr rcs0_cancelled =
	ENGINE(rcs0_cancelled, RCS0, get_engine_cancelled);
static struct engine_attr bcs0_cancelled =
	ENGINE(bcs0_cancelled, BCS0, get_engine_cancelled);
static struct engine_attr vcs0_cancelled =
	ENGINE(vcs0_cancelled, VCS0, get_engine_cancelled);
static struct engine_attr vcs1_cancelled =
	ENGINE(vcs1_cancelled, VCS1, get_engine_cancelled);
static struct engine_attr vecs0_cancelled =
	ENGINE(vecs0_cancelled, VECS0, get_engine_cancelled);
static struct engine_attr rcs0_preempted =
	ENGINE(rcs0_preempted, RCS0, get_engine_preempted);
static struct engine_attr bcs0_preempted =
	ENGINE(bcs0_preempted, BCS0, get_engine_preempted);
static struct engine_attr vcs0_preempted =
	ENGINE(vcs0_preempted, VCS0, get_engine_preempted);
static struct engine_attr vcs1_preempted =
	ENGINE(vcs1_preempted, VCS1, get_engine_preempted);
static struct engine_attr vecs0_preempted =
	ENGINE(vecs0_preempted, VECS0, get_engine_preempted);
static struct engine_attr rcs0_preempted_ns =
	ENGINE(rcs0_preempted_ns, RCS0, get_engine_preempted_ns);
static struct engine_attr bcs0_preempted_ns =
	ENGINE(bcs0_preempted_ns, BCS0, get_engine_preempted_ns);
static struct engine_attr vcs0_preempted_ns =
	ENGINE(vcs0_preempted_ns, VCS0, get_engine_preempted_ns);
static struct engine_attr vcs1_preempted_ns =
	ENGINE(vcs1_preempted_ns, VCS1, get_engine_preempted_ns);
static struct engine_attr vecs0_preempted_ns =
	ENGINE(vecs0_preempted_ns, VECS0, get_engine_preempted_ns);
static struct engine_attr rcs0_handover_ns =
	ENGINE(rcs0_handover_ns, RCS0, get_engine_handover_ns);
static struct engine_attr bcs0_handover_ns =
	ENGINE(bcs0_handover_ns, BCS0, get_engine_handover_ns);
static struct engine_attr vcs0_handover_ns =
	ENGINE(vcs0_handover_ns, VCS0, get_engine_handover_ns);
static struct engine_attr vcs1_handover_ns =
	ENGINE(vcs1_handover_ns, VCS1, get_engine_handover_ns);
static struct engine_attr vecs0_handover_ns =
	ENGINE(vecs0_handover_ns, VECS0, get_engine_handover_ns);
static struct engine_attr rcs0_overruns =
	ENGINE(rcs0_overruns, RCS0, get_engine_overruns);
static struct engine_attr bcs0_overruns =
	ENGINE(bcs0_overruns, BCS0, get_engine_overruns);
static struct engine_attr vcs0_overruns =
	ENGINE(vcs0_overruns, VCS0, get_engine_overruns);
static struct engine_attr vcs1_overruns =
	ENGINE(vcs1_overruns, VCS1, get_engine_overruns);
static struct engine_attr vecs0_overruns =
	ENGINE(vecs0_overruns, VECS0, get_engine_overruns);

static struct attribute *vgpu_attrs[] = {
	&dev_attr_vgpu_id.attr,
	&dev_attr_weight.attr,
	&dev_attr_nice.attr,
	&dev_attr_cap.attr,
	&preempt.attr.attr,
	&arbitration.attr.attr,
	&exec_ns.attr.attr,
	&borrowed_ns.attr.attr,
	&held_ns.attr.attr,
	&left_ns.attr.attr,
	&queued.attr.attr,
	&rcs0_exec_ns.attr.attr,
	&rcs0_wait_ns.attr.attr,
	&rcs0_workloads.attr.attr,
	&rcs0_failed.attr.attr,
	&rcs0_cancelled.attr.attr,
	&rcs0_preempted.attr.attr,
	&rcs0_preempted_ns.attr.attr,
	&rcs0_handover_ns.attr.attr,
	&rcs0_overruns.attr.attr,
	&bcs0_exec_ns.attr.attr,
	&bcs0_wait_ns.attr.attr,
	&bcs0_workloads.attr.attr,
	&bcs0_failed.attr.attr,
	&bcs0_cancelled.attr.attr,
	&bcs0_preempted.attr.attr,
	&bcs0_preempted_ns.attr.attr,
	&bcs0_handover_ns.attr.attr,
	&bcs0_overruns.attr.attr,
	&vcs0_exec_ns.attr.attr,
	&vcs0_wait_ns.attr.attr,
	&vcs0_workloads.attr.attr,
	&vcs0_failed.attr.attr,
	&vcs0_cancelled.attr.attr,
	&vcs0_preempted.attr.attr,
	&vcs0_preempted_ns.attr.attr,
	&vcs0_handover_ns.attr.attr,
	&vcs0_overruns.attr.attr,
	&vcs1_exec_ns.attr.attr,
	&vcs1_wait_ns.attr.attr,
	&vcs1_workloads.attr.attr,
	&vcs1_failed.attr.attr,
	&vcs1_cancelled.attr.attr,
	&vcs1_preempted.attr.attr,
	&vcs1_preempted_ns.attr.attr,
	&vcs1_handover_ns.attr.attr,
	&vcs1_overruns.attr.attr,
	&vecs0_exec_ns.attr.attr,
	&vecs0_wait_ns.attr.attr,
	&vecs0_workloads.attr.attr,
	&vecs0_failed.attr.attr,
	&vecs0_cancelled.attr.attr,
	&vecs0_preempted.attr.attr,
	&vecs0_preempted_ns.attr.attr,
	&vecs0_handover_ns.attr.attr,
	&vecs0_overruns.attr.attr,
	NULL
};

/* Engines differ from GPU to GPU */
static umode_t vgpu_attr_is_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	struct device_attribute *dev_attr =
		container_of(attr, struct device_attribute, attr);
	struct intel_vgpu *vgpu = dev_get_drvdata(kobj_to_dev(kobj));
	struct engine_attr *engine = container_of(dev_attr, struct engine_attr, attr);

	if (dev_attr->show == engine_show && !vgpu->gvt->gt->engine[engine->engine])
		return 0;

	return attr->mode;
}

static const struct attribute_group vgpu_group = {
	.name = "intel_vgpu",
	.attrs = vgpu_attrs,
	.is_visible = vgpu_attr_is_visible,
};

const struct attribute_group *intel_vgpu_groups[] = {
	&vgpu_group,
	NULL
};
