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

	return sysfs_emit(buf, "%d\n", to_data(vgpu)->entity.nice);
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
	trace_setting(vgpu, attr->attr.name, to_data(vgpu)->entity.nice, nice);
	intel_vgpu_sched_set_nice(vgpu, nice);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return count;
}
static DEVICE_ATTR_RW(nice);

static ssize_t cap_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", to_data(vgpu)->entity.cap);
}

static ssize_t cap_store(struct device *dev, struct device_attribute *attr,
			 const char *buf, size_t count)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	u32 cap;

	if (kstrtou32(buf, 0, &cap) || cap > 100)
		return -EINVAL;

	mutex_lock(&vgpu->gvt->sched_lock);
	trace_setting(vgpu, attr->attr.name, to_data(vgpu)->entity.cap, cap);
	intel_vgpu_sched_set_cap(vgpu, cap);
	mutex_unlock(&vgpu->gvt->sched_lock);

	return count;
}
static DEVICE_ATTR_RW(cap);

static s64 get_exec_ns(struct intel_vgpu *vgpu)
{
	return intel_vgpu_exec_any_ns(vgpu);
}

static s64 get_borrowed_ns(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->entity.borrowed_ns;
}

static s64 get_held_ns(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->entity.held_ns;
}

static s64 get_left_ns(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->entity.left_ns;
}

static s64 get_queued(struct intel_vgpu *vgpu)
{
	return to_data(vgpu)->nr_workloads;
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

#define FIGURE(_name)								\
	static struct figure_attr figure_##_name = {				\
		.attr = __ATTR(_name, 0444, figure_show, NULL),			\
		.get = get_##_name,						\
	}

FIGURE(exec_ns);
FIGURE(borrowed_ns);
FIGURE(held_ns);
FIGURE(left_ns);
FIGURE(queued);

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

#define ENGINE_ATTR(_prefix, _engine, _name)					\
	static struct engine_attr _prefix##_##_name = {				\
		.attr = __ATTR(_prefix##_##_name, 0444, engine_show, NULL),	\
		.engine = (_engine),						\
		.get = get_engine_##_name,					\
	}

#define ENGINE(_prefix, _engine)						\
	ENGINE_ATTR(_prefix, _engine, exec_ns);					\
	ENGINE_ATTR(_prefix, _engine, wait_ns);					\
	ENGINE_ATTR(_prefix, _engine, workloads);				\
	ENGINE_ATTR(_prefix, _engine, failed);					\
	ENGINE_ATTR(_prefix, _engine, cancelled)

ENGINE(rcs0, RCS0);
ENGINE(bcs0, BCS0);
ENGINE(vcs0, VCS0);
ENGINE(vcs1, VCS1);
ENGINE(vecs0, VECS0);

#define ENGINE_ATTRS(_prefix)							\
	&_prefix##_exec_ns.attr.attr,						\
	&_prefix##_wait_ns.attr.attr,						\
	&_prefix##_workloads.attr.attr,						\
	&_prefix##_failed.attr.attr,						\
	&_prefix##_cancelled.attr.attr

static struct attribute *vgpu_attrs[] = {
	&dev_attr_vgpu_id.attr,
	&dev_attr_weight.attr,
	&dev_attr_nice.attr,
	&dev_attr_cap.attr,
	&figure_exec_ns.attr.attr,
	&figure_borrowed_ns.attr.attr,
	&figure_held_ns.attr.attr,
	&figure_left_ns.attr.attr,
	&figure_queued.attr.attr,
	ENGINE_ATTRS(rcs0),
	ENGINE_ATTRS(bcs0),
	ENGINE_ATTRS(vcs0),
	ENGINE_ATTRS(vcs1),
	ENGINE_ATTRS(vecs0),
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
