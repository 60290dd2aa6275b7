// SPDX-License-Identifier: GPL-2.0-only

#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "i915_drv.h"
#include "gvt.h"
#include "host_sysfs.h"
#include "sched_settings.h"
#include "sched_setting_trace.h"

/*
 * Numeric settings: offsets, limits and initial values. The module parameters are named
 * sched_<setting>, the sysfs attributes gvt_sched/<setting>.
 */
struct number {
	struct device_attribute attr;
	size_t offset;
	u32 min;
	u32 max;
};

static struct gvt_sched_settings startup = GVT_SCHED_DEFAULTS;
static char *startup_policy = "strict";
static char *startup_dispatch = "exclusive";

module_param_named(sched_policy, startup_policy, charp, 0444);
MODULE_PARM_DESC(sched_policy,
		 "Who may use the GPU when: strict (default), work-conserving or fair");
module_param_named(sched_dispatch, startup_dispatch, charp, 0444);
MODULE_PARM_DESC(sched_dispatch,
		 "How workloads get to the engines: exclusive (default), per-engine or preemptive");
module_param_named(sched_carry_over, startup.carry_over, uint, 0444);
MODULE_PARM_DESC(sched_carry_over,
		 "Debt and leftover slice go on into the next period (default 1)");
module_param_named(sched_leftover_max_ms, startup.leftover_max_ms, uint, 0444);
MODULE_PARM_DESC(sched_leftover_max_ms,
		 "Most leftover that goes on, 0 to 1000 ms (default 1000)");
module_param_named(sched_period_ms, startup.period_ms, uint, 0444);
MODULE_PARM_DESC(sched_period_ms,
		 "How often slices are handed out, 10 to 1000 ms (default 100)");
module_param_named(sched_boost_ms, startup.boost_ms, uint, 0444);
MODULE_PARM_DESC(sched_boost_ms,
		 "For how long a vGPU that starts goes first, 0 to 10000 ms (default 2000)");
module_param_named(sched_max_wait_ms, startup.max_wait_ms, uint, 0444);
MODULE_PARM_DESC(sched_max_wait_ms,
		 "After which time of waiting a vGPU goes next, 100 to 1900 ms (default 1000)");
module_param_named(sched_anticipation_ms, startup.anticipation_ms, uint, 0444);
MODULE_PARM_DESC(sched_anticipation_ms,
		 "Longest wait for a vGPU that is owed time, 0 to 100 ms (default 20)");
module_param_named(sched_host_first, startup.host_first, uint, 0444);
MODULE_PARM_DESC(sched_host_first,
		 "The host's own work goes before that of vGPUs (default 0)");

static u32 *number_in(struct gvt_sched_settings *set, const struct number *number)
{
	return (void *)set + number->offset;
}

static struct number *to_number(struct device_attribute *attr)
{
	return container_of(attr, struct number, attr);
}

static struct intel_gvt *to_gvt(struct device *dev)
{
	return kdev_to_i915(dev)->gvt;
}

static ssize_t number_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(*number_in(gvt_sched_set(to_gvt(dev)), to_number(attr))));
}

static ssize_t number_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	const struct number *number = to_number(attr);
	struct intel_gvt *gvt = to_gvt(dev);
	struct gvt_sched_settings set;
	char old_value[12], new_value[12];
	u32 value;

	if (kstrtou32(buf, 0, &value) ||
	    value < number->min || value > number->max)
		return -EINVAL;

	mutex_lock(&gvt->sched_lock);
	set = *gvt_sched_set(gvt);
	snprintf(old_value, sizeof(old_value), "%u", *number_in(&set, number));
	snprintf(new_value, sizeof(new_value), "%u", value);
	trace_gvt_sched_setting(gvt_dev_index(gvt), 0, attr->attr.name,
				old_value, new_value);
	if (value != *number_in(&set, number)) {
		*number_in(&set, number) = value;
		intel_gvt_sched_change(gvt, &set);
	}
	mutex_unlock(&gvt->sched_lock);

	return count;
}

#define NUMBER(_name, _offset, _min, _max) {					\
	.attr = __ATTR(_name, 0644, number_show, number_store),			\
	.offset = (_offset),							\
	.min = (_min),								\
	.max = (_max),								\
}

#define PLACE(_setting) offsetof(struct gvt_sched_settings, _setting)

static struct number carry_over =
	NUMBER(carry_over, PLACE(carry_over), 0, 1);
static struct number leftover_max_ms =
	NUMBER(leftover_max_ms, PLACE(leftover_max_ms), 0, 1000);
static struct number period_ms =
	NUMBER(period_ms, PLACE(period_ms), 10, 1000);
static struct number boost_ms =
	NUMBER(boost_ms, PLACE(boost_ms), 0, 10000);
static struct number max_wait_ms =
	NUMBER(max_wait_ms, PLACE(max_wait_ms), 100, 1900);
static struct number anticipation_ms =
	NUMBER(anticipation_ms, PLACE(anticipation_ms), 0, 100);

static struct number host_first =
	NUMBER(host_first, PLACE(host_first), 0, 1);

static const struct number * const numbers[] = {
	&carry_over,
	&leftover_max_ms,
	&period_ms,
	&boost_ms,
	&max_wait_ms,
	&anticipation_ms,
	&host_first,
};

/* A setting that is one of several words, stored as an enum */
struct choice {
	struct device_attribute attr;
	size_t offset;
	int words;
	const char *(*name)(int word);
};

static const char *policy_name(int policy)
{
	return gvt_sched_policy_name(policy);
}

static const char *dispatch_name(int dispatch)
{
	return gvt_sched_dispatch_name(dispatch);
}

static struct choice *to_choice(struct device_attribute *attr)
{
	return container_of(attr, struct choice, attr);
}

static int *choice_in(struct gvt_sched_settings *set, const struct choice *choice)
{
	return (void *)set + choice->offset;
}

static int word_by_name(const struct choice *choice, const char *name)
{
	int word;

	for (word = 0; word < choice->words; word++) {
		if (sysfs_streq(name, choice->name(word)))
			return word;
	}

	return -EINVAL;
}

static ssize_t choice_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct choice *choice = to_choice(attr);
	int word, chosen = READ_ONCE(*choice_in(gvt_sched_set(to_gvt(dev)), choice));
	int len = 0;

	for (word = 0; word < choice->words; word++)
		len += sysfs_emit_at(buf, len, word == chosen ? "%s[%s]" : "%s%s",
				     len ? " " : "", choice->name(word));

	return len + sysfs_emit_at(buf, len, "\n");
}

static ssize_t choice_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	const struct choice *choice = to_choice(attr);
	struct intel_gvt *gvt = to_gvt(dev);
	struct gvt_sched_settings set;
	int word = word_by_name(choice, buf);

	if (word < 0)
		return word;

	mutex_lock(&gvt->sched_lock);
	set = *gvt_sched_set(gvt);
	trace_gvt_sched_setting(gvt_dev_index(gvt), 0, attr->attr.name,
				choice->name(*choice_in(&set, choice)),
				choice->name(word));
	if (word != *choice_in(&set, choice)) {
		*choice_in(&set, choice) = word;
		intel_gvt_sched_change(gvt, &set);
	}
	mutex_unlock(&gvt->sched_lock);

	return count;
}

#define CHOICE(_name, _offset, _words, _to_name) {				\
	.attr = __ATTR(_name, 0644, choice_show, choice_store),			\
	.offset = (_offset),							\
	.words = (_words),							\
	.name = (_to_name),							\
}

static_assert(sizeof(enum gvt_sched_policy) == sizeof(int));
static_assert(sizeof(enum gvt_sched_dispatch) == sizeof(int));

static struct choice policy =
	CHOICE(policy, PLACE(policy), GVT_SCHED_POLICIES, policy_name);
static struct choice dispatch =
	CHOICE(dispatch, PLACE(dispatch), GVT_DISPATCHES, dispatch_name);

static struct attribute *sched_attrs[] = {
	&policy.attr.attr,
	&dispatch.attr.attr,
	&carry_over.attr.attr,
	&leftover_max_ms.attr.attr,
	&period_ms.attr.attr,
	&boost_ms.attr.attr,
	&max_wait_ms.attr.attr,
	&anticipation_ms.attr.attr,
	&host_first.attr.attr,
	NULL
};

static const struct attribute_group sched_group = {
	.name = "gvt_sched",
	.attrs = sched_attrs,
};

static const struct attribute_group *groups[] = {
	&sched_group,
	&intel_gvt_host_group,
	NULL
};

static int startup_word(const struct choice *choice, const char *name,
			const char *words)
{
	int word = word_by_name(choice, name);

	if (word >= 0)
		return word;

	gvt_err("sched_%s=%s is none of %s; using %s\n", choice->attr.attr.name, name,
		words, choice->name(0));
	return 0;
}

/**
 * intel_gvt_sched_startup - get the initial settings of the scheduler
 * @set: receives the values of the module parameters; an invalid value is logged and
 *   replaced by the default
 */
void intel_gvt_sched_startup(struct gvt_sched_settings *set)
{
	struct gvt_sched_settings defaults = GVT_SCHED_DEFAULTS;
	int i;

	*set = startup;
	set->policy = startup_word(&policy, startup_policy,
				   "strict, work-conserving, fair");
	set->dispatch = startup_word(&dispatch, startup_dispatch,
				     "exclusive, per-engine, preemptive");

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		u32 *value = number_in(set, numbers[i]);

		if (*value >= numbers[i]->min && *value <= numbers[i]->max)
			continue;
		gvt_err("sched_%s=%u is not in %u to %u; using %u\n",
			numbers[i]->attr.attr.name, *value, numbers[i]->min,
			numbers[i]->max, *number_in(&defaults, numbers[i]));
		*value = *number_in(&defaults, numbers[i]);
	}
}

/**
 * intel_gvt_sched_sysfs_add - add the settings and the host's engine times to sysfs
 * @gvt: the GVT device
 *
 * Return: 0 or a negative error number.
 */
int intel_gvt_sched_sysfs_add(struct intel_gvt *gvt)
{
	return sysfs_create_groups(&gvt->gt->i915->drm.dev->kobj, groups);
}

/**
 * intel_gvt_sched_sysfs_remove - remove the settings and the host's engine times from sysfs
 * @gvt: the GVT device
 *
 * Waits for accesses in progress.
 */
void intel_gvt_sched_sysfs_remove(struct intel_gvt *gvt)
{
	sysfs_remove_groups(&gvt->gt->i915->drm.dev->kobj, groups);
}
