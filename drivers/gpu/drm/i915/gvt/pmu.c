// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitfield.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "i915_drv.h"
#include "gvt.h"
#include "pmu.h"

/**
 * DOC: perf events
 *
 * The PMU gvt_<device> shows who uses each engine, in the format of xe's PMU for SR-IOV:
 *
 * engine-active-ticks
 *	time for which the engine executed for a function
 *
 * engine-total-ticks
 *	time that passed
 *
 * Ticks are nanoseconds. The parameter function is the id of a vGPU, as in the file vgpu_id of its
 * device, or 0 for the host; engine_class and engine_instance are those of i915's uAPI. If a vGPU
 * is removed, the next vGPU with its id is counted by the same event. For example::
 *
 *   # perf stat -I 1000 -e gvt_0000_00_02.0/engine-active-ticks,function=1/
 *
 * As for all events of a CPU rather than of a task, CAP_PERFMON is needed, unless
 * kernel.perf_event_paranoid permits everybody to use them.
 */

#define CONFIG_EVENT	GENMASK_ULL(11, 0)
#define CONFIG_INSTANCE	GENMASK_ULL(19, 12)
#define CONFIG_CLASS	GENMASK_ULL(27, 20)
#define CONFIG_FUNCTION	GENMASK_ULL(59, 44)

/* The numbers that xe has for these */
#define EVENT_ACTIVE_TICKS	0x02
#define EVENT_TOTAL_TICKS	0x03

/**
 * struct gvt_pmu - the PMU of a GVT device
 * @base: the PMU
 * @link: in all_pmus
 * @gvt: the device, or NULL while i915 is not bound to it
 * @bound: how often i915 has been bound to it; constant while @gvt is set
 * @name: of the PMU
 *
 * Before Linux 6.15, events do not survive their PMU, and i915 can be unbound while events are
 * open. So a PMU exists until kvmgt is unloaded, which waits for events to be closed. Like those
 * of i915, events do not count any more after the device is unbound.
 *
 * perf reads an event also in NMIs, and in tracepoints that GVT-g emits with locks held. So the
 * functions that it calls take no locks.
 */
struct gvt_pmu {
	struct pmu base;
	struct list_head link;
	struct intel_gvt __rcu *gvt;
	unsigned long bound;
	char *name;
};

static LIST_HEAD(all_pmus);
static DEFINE_MUTEX(all_pmus_lock); /* protects all_pmus, and changes of their devices */

static struct gvt_pmu *to_gvt_pmu(const struct perf_event *event)
{
	return container_of(event->pmu, struct gvt_pmu, base);
}

/* Return: the device, or NULL, and in @bound how often i915 has been bound to it */
static const struct intel_gvt *get_gvt(const struct perf_event *event, unsigned long *bound)
{
	const struct gvt_pmu *pmu = to_gvt_pmu(event);
	const struct intel_gvt *gvt = rcu_dereference(pmu->gvt);

	smp_rmb(); /* pairs with rcu_assign_pointer() */
	*bound = pmu->bound;

	return gvt;
}

static const struct intel_engine_cs *find_engine(const struct intel_gvt *gvt, u64 config)
{
	const struct intel_engine_cs *engine;
	enum intel_engine_id id;

	for_each_engine(engine, gvt->gt, id) {
		if (engine->uabi_class == FIELD_GET(CONFIG_CLASS, config) &&
		    engine->uabi_instance == FIELD_GET(CONFIG_INSTANCE, config))
			return engine;
	}

	return NULL;
}

static int check_config(u64 config)
{
	if (config & ~(CONFIG_EVENT | CONFIG_INSTANCE | CONFIG_CLASS | CONFIG_FUNCTION))
		return -EINVAL;
	if (FIELD_GET(CONFIG_FUNCTION, config) >= GVT_EXEC_VGPUS)
		return -EINVAL;

	switch (FIELD_GET(CONFIG_EVENT, config)) {
	case EVENT_ACTIVE_TICKS:
	case EVENT_TOTAL_TICKS:
		return 0;
	default:
		return -ENOENT;
	}
}

/* The event counts for this engine of this device */
static int bind_event(struct perf_event *event)
{
	const struct intel_engine_cs *engine;
	const struct intel_gvt *gvt;

	rcu_read_lock();
	gvt = get_gvt(event, &event->hw.config_base);
	engine = gvt ? find_engine(gvt, event->attr.config) : NULL;
	if (engine)
		event->hw.event_base = engine->id;
	rcu_read_unlock();

	return engine ? 0 : -ENODEV;
}

static int event_init(struct perf_event *event)
{
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (is_sampling_event(event) || has_branch_stack(event))
		return -EOPNOTSUPP;
	/* Not of a task, and on the CPU that the file cpumask names */
	if (event->cpu != 0)
		return -EINVAL;

	ret = check_config(event->attr.config);
	return ret ? ret : bind_event(event);
}

/* Return: the time that the event counts, 0 without the device for which it was opened */
static u64 ticks(const struct perf_event *event)
{
	u64 now = ktime_get_mono_fast_ns(), ticks = 0;
	u64 config = event->attr.config;
	const struct intel_gvt *gvt;
	unsigned long bound;

	rcu_read_lock();
	gvt = get_gvt(event, &bound);
	if (gvt && bound == event->hw.config_base)
		ticks = FIELD_GET(CONFIG_EVENT, config) == EVENT_TOTAL_TICKS ? now :
			intel_gvt_exec_had_ns(&gvt->exec, event->hw.event_base,
					      FIELD_GET(CONFIG_FUNCTION, config), now);
	rcu_read_unlock();

	return ticks;
}

static void event_read(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 now = ticks(event), last;

	/* A read that interrupts this one may have counted further; the clock may go back a bit */
	do {
		last = local64_read(&hw->prev_count);
		if (now <= last)
			return;
	} while (local64_cmpxchg(&hw->prev_count, last, now) != last);

	local64_add(now - last, &event->count);
}

static void event_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, ticks(event));
	event->hw.state = 0;
}

static void event_stop(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_UPDATE)
		event_read(event);
	event->hw.state = PERF_HES_STOPPED;
}

static int event_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		event_start(event, flags);

	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	event_stop(event, PERF_EF_UPDATE);
}

PMU_FORMAT_ATTR(event, "config:0-11");
PMU_FORMAT_ATTR(engine_instance, "config:12-19");
PMU_FORMAT_ATTR(engine_class, "config:20-27");
PMU_FORMAT_ATTR(function, "config:44-59");

static struct attribute *format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_engine_instance.attr,
	&format_attr_engine_class.attr,
	&format_attr_function.attr,
	NULL
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

#define EVENT_ATTR(name__, config__) { \
	.attr = { \
		.attr = { .name = name__, .mode = 0444 }, \
		.show = perf_event_sysfs_show, \
	}, \
	.event_str = config__, \
}

static struct perf_pmu_events_attr active_ticks = EVENT_ATTR("engine-active-ticks", "event=0x02");
static struct perf_pmu_events_attr total_ticks = EVENT_ATTR("engine-total-ticks", "event=0x03");

static struct attribute *events_attrs[] = {
	&active_ticks.attr.attr,
	&total_ticks.attr.attr,
	NULL
};

static const struct attribute_group events_group = {
	.name = "events",
	.attrs = events_attrs,
};

/* Any CPU can read the counters. perf must use only one; the boot CPU is never offline on x86 */
static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0\n");
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *cpumask_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL
};

static const struct attribute_group cpumask_group = {
	.attrs = cpumask_attrs,
};

static const struct attribute_group *groups[] = {
	&format_group,
	&events_group,
	&cpumask_group,
	NULL
};

/* Frees @name if it fails */
static struct gvt_pmu *register_pmu(char *name)
{
	struct gvt_pmu *pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);

	if (!pmu)
		goto out_free;

	pmu->name = name;
	pmu->base = (struct pmu) {
		.module = THIS_MODULE,
		.task_ctx_nr = perf_invalid_context,
		.attr_groups = groups,
		.event_init = event_init,
		.add = event_add,
		.del = event_del,
		.start = event_start,
		.stop = event_stop,
		.read = event_read,
	};
	if (perf_pmu_register(&pmu->base, pmu->name, -1))
		goto out_free;

	list_add(&pmu->link, &all_pmus);
	return pmu;

out_free:
	kfree(pmu);
	kfree(name);
	return NULL;
}

/* The PMU from when i915 was bound to the device before, or a new one */
static struct gvt_pmu *get_pmu(const struct device *dev)
{
	char *name = kasprintf(GFP_KERNEL, "gvt_%s", dev_name(dev));
	struct gvt_pmu *pmu;

	if (!name)
		return NULL;

	/* perf's names of events cannot have colons */
	strreplace(name, ':', '_');
	list_for_each_entry(pmu, &all_pmus, link) {
		if (!strcmp(pmu->name, name)) {
			kfree(name);
			return pmu;
		}
	}

	return register_pmu(name);
}

/**
 * intel_gvt_pmu_add - let perf count a GVT device's use of the engines
 * @gvt: the GVT device
 *
 * GVT-g works without, so failures are only logged.
 */
void intel_gvt_pmu_add(struct intel_gvt *gvt)
{
	struct gvt_pmu *pmu;

	mutex_lock(&all_pmus_lock);
	pmu = get_pmu(gvt->gt->i915->drm.dev);
	if (pmu) {
		pmu->bound++;
		rcu_assign_pointer(pmu->gvt, gvt);
	} else {
		gvt_err("no perf events: cannot register a PMU\n");
	}
	mutex_unlock(&all_pmus_lock);
}

/**
 * intel_gvt_pmu_remove - stop counting for perf
 * @gvt: the GVT device, which is about to be freed
 */
void intel_gvt_pmu_remove(struct intel_gvt *gvt)
{
	struct gvt_pmu *pmu;

	mutex_lock(&all_pmus_lock);
	list_for_each_entry(pmu, &all_pmus, link) {
		if (rcu_access_pointer(pmu->gvt) == gvt)
			RCU_INIT_POINTER(pmu->gvt, NULL);
	}
	mutex_unlock(&all_pmus_lock);
	synchronize_rcu();
}

/**
 * intel_gvt_pmu_exit - unregister all PMUs
 *
 * Call when kvmgt is unloaded: until then, events can be open.
 */
void intel_gvt_pmu_exit(void)
{
	struct gvt_pmu *pmu, *next;

	list_for_each_entry_safe(pmu, next, &all_pmus, link) {
		perf_pmu_unregister(&pmu->base);
		kfree(pmu->name);
		kfree(pmu);
	}
}
