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

/* Each lane has its own value; all are set together */
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

static ssize_t health_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return intel_vgpu_health_print(dev_get_drvdata(dev), buf);
}
static DEVICE_ATTR_RO(health);

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
	if (nice != get_nice(vgpu))
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
	if (cap != get_cap(vgpu))
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

/* Unless dispatch is exclusive, the remainder of the slice on the render engine */
static s64 get_left_ns(struct intel_vgpu *vgpu)
{
	return READ_ONCE(to_data(vgpu)->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.left_ns);
}

static s64 get_queued(struct intel_vgpu *vgpu)
{
	return READ_ONCE(to_data(vgpu)->queued);
}

/*
 * Users may read the figures at any rate, so reading them takes no lock that scheduling
 * depends on and charges no vGPU: figures that the clock of intel_gvt_exec does not count
 * are as of the scheduler's last update. The figures reveal a guest's activity to the
 * nanosecond, so they are not world-readable.
 */
#define FIGURE_MODE	0440

struct figure_attr {
	struct device_attribute attr;
	s64 (*get)(struct intel_vgpu *vgpu);
};

static ssize_t figure_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct figure_attr *figure = container_of(attr, struct figure_attr, attr);

	return sysfs_emit(buf, "%lld\n", figure->get(dev_get_drvdata(dev)));
}

#define FIGURE(_name, _get) {							\
	.attr = __ATTR(_name, FIGURE_MODE, figure_show, NULL),			\
	.get = (_get),								\
}

static struct figure_attr exec_ns = FIGURE(exec_ns, get_exec_ns);
static struct figure_attr left_ns = FIGURE(left_ns, get_left_ns);
static struct figure_attr queued = FIGURE(queued, get_queued);

/* World-readable: how much of the GPU a vGPU uses, but not when */
static ssize_t exec_percent_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct intel_vgpu *vgpu = dev_get_drvdata(dev);
	struct gvt_coarse_use *use = &to_data(vgpu)->use;
	u64 now, exec_ns;
	int percent;

	mutex_lock(&use->lock);
	now = ktime_get_ns();
	if (now - use->at_ns >= NSEC_PER_SEC) {
		exec_ns = intel_vgpu_exec_any_ns(vgpu);
		use->percent = div64_u64(100 * (exec_ns - use->exec_ns), now - use->at_ns);
		use->exec_ns = exec_ns;
		use->at_ns = now;
	}
	percent = use->percent;
	mutex_unlock(&use->lock);

	return percent < 0 ? -ENODATA : sysfs_emit(buf, "%d\n", percent);
}
static DEVICE_ATTR_RO(exec_percent);

static struct attribute *vgpu_attrs[] = {
	&dev_attr_vgpu_id.attr,
	&dev_attr_weight.attr,
	&dev_attr_health.attr,
	&dev_attr_nice.attr,
	&dev_attr_cap.attr,
	&preempt.attr.attr,
	&arbitration.attr.attr,
	&exec_ns.attr.attr,
	&dev_attr_exec_percent.attr,
	&left_ns.attr.attr,
	&queued.attr.attr,
	NULL
};

static const struct attribute_group vgpu_group = {
	.name = "intel_vgpu",
	.attrs = vgpu_attrs,
};

const struct attribute_group *intel_vgpu_groups[] = {
	&vgpu_group,
	NULL
};

/* --- a directory for each engine ------------------------------------------- */

/**
 * struct vgpu_engine_dir - sysfs directory of a vGPU's statistics for an engine
 * @kobj: the directory
 * @vgpu: the vGPU, which exists for as long as the directory has files
 * @engine: the engine
 */
struct vgpu_engine_dir {
	struct kobject kobj;
	struct intel_vgpu *vgpu;
	enum intel_engine_id engine;
};

/**
 * struct engine_attr - sysfs file of a vGPU's statistics for an engine
 * @attr: the file
 * @get: returns its number, or NULL if it has several
 * @print: prints its lines of a name and a number, if @get is NULL
 */
struct engine_attr {
	struct attribute attr;
	u64 (*get)(struct intel_vgpu *vgpu, enum intel_engine_id engine);
	ssize_t (*print)(struct intel_vgpu *vgpu, enum intel_engine_id engine, char *buf);
};

static const struct gvt_engine_stats *stats_of(struct intel_vgpu *vgpu,
					       enum intel_engine_id engine)
{
	return &to_data(vgpu)->stats[engine];
}

static u64 get_wait_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return READ_ONCE(stats_of(vgpu, engine)->wait_ns);
}

/* The numbers may be of different moments, as no lock is taken */
static ssize_t print_waited(struct intel_vgpu *vgpu, enum intel_engine_id engine, char *buf)
{
	const u64 *waited_ns = stats_of(vgpu, engine)->waited_ns;
	ssize_t n = sysfs_emit(buf, "host %llu\n", READ_ONCE(waited_ns[GVT_EXEC_HOST]));
	int id;

	static_assert(GVT_STATS_HOLDERS - 1 == GVT_EXEC_VGPUS);
	for (id = 1; id < GVT_EXEC_VGPUS; id++)
		n += sysfs_emit_at(buf, n, "vgpu%d %llu\n", id, READ_ONCE(waited_ns[id]));

	return n + sysfs_emit_at(buf, n, "nobody %llu\n", READ_ONCE(waited_ns[id]));
}

static u64 get_workloads(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return READ_ONCE(stats_of(vgpu, engine)->workloads);
}

static u64 get_failed(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return READ_ONCE(stats_of(vgpu, engine)->failed);
}

static u64 get_cancelled(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return READ_ONCE(stats_of(vgpu, engine)->cancelled);
}

static u64 get_preempted(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine(vgpu, engine).preempted;
}

static u64 get_preempted_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	return intel_vgpu_exec_engine(vgpu, engine).off_ns;
}

enum {
	ENGINE_EXEC_NS,
	ENGINE_WAIT_NS,
	ENGINE_WAITED_FOR,
	ENGINE_WORKLOADS,
	ENGINE_FAILED,
	ENGINE_CANCELLED,
	ENGINE_PREEMPTED,
	ENGINE_PREEMPTED_NS,
	ENGINE_ATTRS
};

#define ENGINE_ATTR(_name, _get) {						\
	.attr = { .name = (_name), .mode = FIGURE_MODE },			\
	.get = (_get),								\
}

static struct engine_attr engine_attr[ENGINE_ATTRS] = {
	[ENGINE_EXEC_NS] = ENGINE_ATTR("exec_ns", intel_vgpu_exec_engine_ns),
	[ENGINE_WAIT_NS] = ENGINE_ATTR("wait_ns", get_wait_ns),
	[ENGINE_WAITED_FOR] = {
		.attr = { .name = "waited_for_ns", .mode = FIGURE_MODE },
		.print = print_waited,
	},
	[ENGINE_WORKLOADS] = ENGINE_ATTR("workloads", get_workloads),
	[ENGINE_FAILED] = ENGINE_ATTR("failed", get_failed),
	[ENGINE_CANCELLED] = ENGINE_ATTR("cancelled", get_cancelled),
	[ENGINE_PREEMPTED] = ENGINE_ATTR("preempted", get_preempted),
	[ENGINE_PREEMPTED_NS] = ENGINE_ATTR("preempted_ns", get_preempted_ns),
};

static struct attribute *engine_attrs[] = {
	&engine_attr[ENGINE_EXEC_NS].attr,
	&engine_attr[ENGINE_WAIT_NS].attr,
	&engine_attr[ENGINE_WAITED_FOR].attr,
	&engine_attr[ENGINE_WORKLOADS].attr,
	&engine_attr[ENGINE_FAILED].attr,
	&engine_attr[ENGINE_CANCELLED].attr,
	&engine_attr[ENGINE_PREEMPTED].attr,
	&engine_attr[ENGINE_PREEMPTED_NS].attr,
	NULL
};
ATTRIBUTE_GROUPS(engine);

static struct vgpu_engine_dir *to_engine_dir(struct kobject *kobj)
{
	return container_of(kobj, struct vgpu_engine_dir, kobj);
}

static ssize_t engine_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	const struct engine_attr *file = container_of(attr, struct engine_attr, attr);
	const struct vgpu_engine_dir *dir = to_engine_dir(kobj);

	if (!file->get)
		return file->print(dir->vgpu, dir->engine, buf);

	return sysfs_emit(buf, "%llu\n", file->get(dir->vgpu, dir->engine));
}

static const struct sysfs_ops engine_ops = {
	.show = engine_show,
};

static void engine_release(struct kobject *kobj)
{
	kfree(to_engine_dir(kobj));
}

static const struct kobj_type engine_type = {
	.release = engine_release,
	.sysfs_ops = &engine_ops,
	.default_groups = engine_groups,
};

static struct kobject *add_engine(struct intel_vgpu *vgpu, struct intel_engine_cs *engine)
{
	struct vgpu_engine_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int ret;

	if (!dir)
		return ERR_PTR(-ENOMEM);

	dir->vgpu = vgpu;
	dir->engine = engine->id;
	ret = kobject_init_and_add(&dir->kobj, &engine_type, vgpu->engines_kobj, "%s",
				   engine->name);
	if (ret) {
		kobject_put(&dir->kobj);
		return ERR_PTR(ret);
	}

	return &dir->kobj;
}

/**
 * intel_vgpu_sysfs_add - add a vGPU's engines to sysfs
 * @vgpu: the vGPU
 * @dev: the vGPU's device
 *
 * Return: 0 or a negative error number.
 */
int intel_vgpu_sysfs_add(struct intel_vgpu *vgpu, struct device *dev)
{
	struct gvt_coarse_use *use = &to_data(vgpu)->use;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;
	struct kobject *kobj;

	mutex_init(&use->lock);
	use->at_ns = ktime_get_ns();
	use->exec_ns = intel_vgpu_exec_any_ns(vgpu);
	use->percent = -1;
	vgpu->engines_kobj = kobject_create_and_add("engine", &dev->kobj);
	if (!vgpu->engines_kobj)
		return -ENOMEM;

	for_each_engine(engine, vgpu->gvt->gt, id) {
		kobj = add_engine(vgpu, engine);
		if (IS_ERR(kobj)) {
			intel_vgpu_sysfs_remove(vgpu);
			return PTR_ERR(kobj);
		}
		vgpu->engine_kobj[id] = kobj;
	}

	return 0;
}

/**
 * intel_vgpu_sysfs_remove - remove a vGPU's engines from sysfs
 * @vgpu: the vGPU
 *
 * Waits for accesses in progress.
 */
void intel_vgpu_sysfs_remove(struct intel_vgpu *vgpu)
{
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		if (!vgpu->engine_kobj[i])
			continue;
		kobject_del(vgpu->engine_kobj[i]);
		kobject_put(fetch_and_zero(&vgpu->engine_kobj[i]));
	}
	kobject_del(vgpu->engines_kobj);
	kobject_put(fetch_and_zero(&vgpu->engines_kobj));
}
