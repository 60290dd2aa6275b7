// SPDX-License-Identifier: GPL-2.0-only

#include <linux/sysfs.h>

#include "i915_drv.h"
#include "gvt.h"
#include "host_sysfs.h"

/**
 * struct host_attr - sysfs file of the time that the host had, or waited for, an engine
 * @attr: the file
 * @engine: the engine
 * @get: returns the file's value, in ns
 */
struct host_attr {
	struct device_attribute attr;
	enum intel_engine_id engine;
	u64 (*get)(const struct intel_gvt_exec_engine *figures);
};

static struct intel_gvt *to_gvt(struct device *dev)
{
	return kdev_to_i915(dev)->gvt;
}

static struct host_attr *to_host_attr(struct attribute *attr)
{
	return container_of(attr, struct host_attr, attr.attr);
}

static u64 get_exec_ns(const struct intel_gvt_exec_engine *figures)
{
	return figures->exec_ns;
}

static u64 get_wait_ns(const struct intel_gvt_exec_engine *figures)
{
	return figures->handover_ns;
}

static ssize_t figure_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct host_attr *figure = to_host_attr(&attr->attr);
	const struct intel_gvt_exec_engine figures =
		intel_gvt_exec_host(to_gvt(dev), figure->engine);

	return sysfs_emit(buf, "%llu\n", figure->get(&figures));
}

/* Not world-readable: the figures reveal the activity of the host's users to the nanosecond */
#define FIGURE(_id, _name, _get) {						\
	.attr = __ATTR(_name, 0440, figure_show, NULL),				\
	.engine = (_id),							\
	.get = (_get),								\
}

/* All engines that a GPU with GVT-g can have */
static struct host_attr rcs0_exec_ns = FIGURE(RCS0, rcs0_exec_ns, get_exec_ns);
static struct host_attr rcs0_wait_ns = FIGURE(RCS0, rcs0_wait_ns, get_wait_ns);
static struct host_attr bcs0_exec_ns = FIGURE(BCS0, bcs0_exec_ns, get_exec_ns);
static struct host_attr bcs0_wait_ns = FIGURE(BCS0, bcs0_wait_ns, get_wait_ns);
static struct host_attr vcs0_exec_ns = FIGURE(VCS0, vcs0_exec_ns, get_exec_ns);
static struct host_attr vcs0_wait_ns = FIGURE(VCS0, vcs0_wait_ns, get_wait_ns);
static struct host_attr vcs1_exec_ns = FIGURE(VCS1, vcs1_exec_ns, get_exec_ns);
static struct host_attr vcs1_wait_ns = FIGURE(VCS1, vcs1_wait_ns, get_wait_ns);
static struct host_attr vecs0_exec_ns = FIGURE(VECS0, vecs0_exec_ns, get_exec_ns);
static struct host_attr vecs0_wait_ns = FIGURE(VECS0, vecs0_wait_ns, get_wait_ns);

static struct attribute *host_attrs[] = {
	&rcs0_exec_ns.attr.attr,
	&rcs0_wait_ns.attr.attr,
	&bcs0_exec_ns.attr.attr,
	&bcs0_wait_ns.attr.attr,
	&vcs0_exec_ns.attr.attr,
	&vcs0_wait_ns.attr.attr,
	&vcs1_exec_ns.attr.attr,
	&vcs1_wait_ns.attr.attr,
	&vecs0_exec_ns.attr.attr,
	&vecs0_wait_ns.attr.attr,
	NULL
};

static umode_t host_attr_mode(struct kobject *kobj, struct attribute *attr, int i)
{
	const struct intel_gvt *gvt = to_gvt(kobj_to_dev(kobj));

	return gvt->gt->engine[to_host_attr(attr)->engine] ? attr->mode : 0;
}

/* Next to the scheduler's settings, in the GPU's directory */
const struct attribute_group intel_gvt_host_group = {
	.name = "gvt_host",
	.attrs = host_attrs,
	.is_visible = host_attr_mode,
};
