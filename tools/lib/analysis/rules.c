// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "rules.h"

GArray *rules_remedies(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct remedy));
}

void rules_advise(GArray *remedies, enum remedy_id id)
{
	struct remedy remedy = { .id = id, .dev = UNKNOWN };

	g_array_append_val(remedies, remedy);
}

/* adds a setting that the GPU's scheduler has, with another value */
static void set_if_other(const struct sched_info *info, struct remedy *remedy,
			 const char *name, const char *value)
{
	char *now;

	if (!name)
		return;
	now = info ? sched_setting(info, name) : NULL;
	if (g_strcmp0(now, value) && (now || !info))
		remedy_set(remedy, name, value);
	g_free(now);
}

static bool lacks(const struct sched_info *info, const char *name)
{
	char *now = info && name ? sched_setting(info, name) : NULL;
	bool result = info && name && !now;

	g_free(now);
	return result;
}

bool rules_propose(const struct check *check, GArray *remedies, enum remedy_id id, int64_t dev,
		   const char *name, const char *value, const char *name2, const char *value2)
{
	const struct sched_info *info = facts_settings(check, dev);
	struct remedy remedy = { .id = id, .dev = dev };

	if (lacks(info, name) || lacks(info, name2)) {
		rules_advise(remedies, REMEDY_KERNEL);
		return true;
	}
	set_if_other(info, &remedy, name, value);
	set_if_other(info, &remedy, name2, value2);
	if (!remedy.count)
		return false;
	g_array_append_val(remedies, remedy);
	return true;
}

bool rules_propose_number(const struct check *check, GArray *remedies, enum remedy_id id,
			  int64_t dev, const char *name, int64_t value)
{
	char text[24];

	g_snprintf(text, sizeof(text), "%" PRId64, value);
	return rules_propose(check, remedies, id, dev, name, text, NULL, NULL);
}

void rules_propose_vgpu(GArray *remedies, enum remedy_id id, const struct vgpu *vgpu,
			const char *name, int64_t value)
{
	struct remedy remedy = { .id = id, .dev = vgpu->dev, .vgpu = vgpu };

	remedy_set_number(&remedy, name, value);
	g_array_append_val(remedies, remedy);
}

const struct blame_row *rules_longest_wait(const struct check *check, const struct vgpu *vgpu,
					   const struct gpu_engine *engine, enum wait_class class)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct blame_row *longest = NULL;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue->vgpu != vgpu || (engine && row->queue->engine != engine) ||
		    (class == WAIT_CLASSES ? row->class == WAIT_CURRENT : row->class != class))
			continue;
		if (!longest || row->worst_ns > longest->worst_ns)
			longest = row;
	}
	return longest;
}

const char *rules_lending_policy(const struct check *check, int64_t dev)
{
	if (facts_policy_is(check, dev, "work-conserving"))
		return "work-conserving";
	return facts_policy_is(check, dev, "fair") || facts_lengths_differ(check, dev) ?
	       "fair" : "work-conserving";
}

void rules_propose_lending(const struct check *check, GArray *remedies, int64_t dev)
{
	rules_propose(check, remedies, REMEDY_LEND, dev, "policy",
		      rules_lending_policy(check, dev), NULL, NULL);
}

/* Returns false if the vGPU's work may be preempted already, or that is unknown. */
static bool allow_preemption(const struct check *check, GArray *remedies,
			     const struct vgpu *culprit)
{
	const struct vgpu_settings *set = facts_set(check, culprit);
	struct remedy remedy = {
		.id = REMEDY_ALLOW_PREEMPTION, .dev = culprit->dev, .vgpu = culprit
	};

	if (set->preempt == 0)
		remedy_set_number(&remedy, "preempt", 1);
	if (set->arbitration == 0)
		remedy_set_number(&remedy, "arbitration", 1);
	if (remedy.count)
		g_array_append_val(remedies, remedy);
	return remedy.count;
}

/* Only a try shows whether its workloads can be preempted. */
void rules_against_long_work(const struct check *check, GArray *remedies,
			     const struct vgpu *culprit, bool hang)
{
	int64_t dev = culprit->dev;
	const struct sched_info *info = facts_settings(check, dev);

	if (hang) {
		rules_advise(remedies, REMEDY_HANG);
	} else if (facts_dispatch_is(check, dev, "preemptive")) {
		if (!allow_preemption(check, remedies, culprit))
			rules_advise(remedies, REMEDY_BATCHES);
	} else if (lacks(info, "dispatch")) {
		rules_propose(check, remedies, REMEDY_SHARE, dev, "policy", "fair", NULL, NULL);
		rules_advise(remedies, REMEDY_KERNEL);
	} else {
		rules_propose(check, remedies, REMEDY_PREEMPT, dev, "policy", "fair",
			      "dispatch", "preemptive");
		allow_preemption(check, remedies, culprit);
	}
}

/* i915 preempts work with arbitration on for the host: a Linux guest's only if preemptive. */
void rules_against_work_before_host(const struct check *check, GArray *remedies,
				    const struct vgpu *culprit, bool hang)
{
	bool preemptive = facts_dispatch_is(check, culprit->dev, "preemptive");

	if (hang) {
		rules_advise(remedies, REMEDY_HANG);
		return;
	}
	if (!preemptive) {
		rules_propose(check, remedies, REMEDY_HOST_PREEMPT, culprit->dev, "dispatch",
			      "preemptive", NULL, NULL);
		rules_propose(check, remedies, REMEDY_HOST_FIRST, culprit->dev, "dispatch",
			      "preemptive", "host_first", "1");
	}
	if (!allow_preemption(check, remedies, culprit) && preemptive)
		rules_advise(remedies, REMEDY_BATCHES);
}

#define NEEDS_IDLE	QUANTITY_BIT(QUANTITY_IDLE)
#define NEEDS_BLAME	QUANTITY_BIT(QUANTITY_BLAME)
#define NEEDS_SLICES	QUANTITY_BIT(QUANTITY_SLICES)
#define NEEDS_EXEC	QUANTITY_BIT(QUANTITY_EXECUTION)
#define NEEDS_VGPUS	QUANTITY_BIT(QUANTITY_VGPUS)
#define NEEDS_HOST	QUANTITY_BIT(QUANTITY_HOST)

/* threshold of idle time with waiting work, in per cent of the time; the same for every reason */
#define LEAST_IDLE	5

const struct rule rules[] = {
	{ "throttled", "an engine is idle because vGPUs with work have no slice left",
	  "%", LEAST_IDLE, NEEDS_IDLE | NEEDS_BLAME, find_throttled, FIGURE_IDLE },
	{ "capped", "a vGPU waits because its cap is reached, although it is nobody's turn",
	  "%", 3, NEEDS_BLAME, find_capped, FIGURE_MEAN },
	{ "debt", "a vGPU waits because it overran its slice, although it is nobody's turn",
	  "%", 3, NEEDS_BLAME | NEEDS_SLICES, find_debt, FIGURE_MEAN },
	{ "blocked", "work waits long for one other vGPU",
	  "ms", 100, NEEDS_BLAME | NEEDS_EXEC, find_blocked, FIGURE_WORST },
	{ "unfair", "a vGPU that waits gets less than its due, in per cent of that",
	  "%", 15, NEEDS_BLAME | NEEDS_EXEC | NEEDS_VGPUS, find_unfair, FIGURE_SHARE },
	{ "delayed", "a vGPU that needs less than its share waits for several workloads of others",
	  "x", 1.5, NEEDS_BLAME | QUANTITY_BIT(QUANTITY_WAIT) | NEEDS_VGPUS, find_delayed, FIGURE_MEAN },
	{ "starved", "a workload waits so long that its guest may reset the GPU",
	  "ms", 1500, QUANTITY_BIT(QUANTITY_WAIT), find_starved, FIGURE_WORST },
	{ "drain", "a vGPU's work runs on long after its turn is over",
	  "ms", 100, NEEDS_SLICES, find_drain, FIGURE_NONE },
	{ "switching", "an engine is idle with work waiting, as the scheduler has yet to switch",
	  "%", LEAST_IDLE, NEEDS_IDLE, find_switching, FIGURE_IDLE },
	{ "stranded", "an engine is idle, as it is the turn of a vGPU at work on another engine",
	  "%", LEAST_IDLE, NEEDS_IDLE, find_stranded, FIGURE_IDLE },
	{ "held", "an engine is kept idle for a vGPU that is expected to have work soon",
	  "%", LEAST_IDLE, NEEDS_IDLE, find_held, FIGURE_IDLE },
	{ "host", "an engine is idle because the host's CPUs are slow to serve it",
	  "%", LEAST_IDLE, NEEDS_IDLE | NEEDS_HOST, find_host, FIGURE_NONE },
	{ "host-work", "work of vGPUs waits while the host's own work executes",
	  "%", 10, NEEDS_BLAME | NEEDS_HOST, find_host_work, FIGURE_NONE },
	{ "host-blocks", "work of a vGPU waits long without a break for the host's own work",
	  "ms", 100, NEEDS_BLAME | NEEDS_HOST, find_host_blocks, FIGURE_NONE },
	{ "host-waits", "the host's own work waits long for one vGPU",
	  "ms", HOST_WAITS_MS, NEEDS_HOST, find_host_waits, FIGURE_HOST },
	{ "host-delayed", "the host's own work waits more than its part for vGPUs, each time briefly",
	  "%", 40, NEEDS_HOST, find_host_delayed, FIGURE_NONE },
	{ "preempted", "a vCPU is kept off the CPU by a vCPU of another VM",
	  "%", 5, QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION),
	  find_preempted, FIGURE_NONE },
	{ "resets", "a guest resets its GPU, or one engine of it", "", 0,
	  QUANTITY_BIT(QUANTITY_CANCELLED), find_resets, FIGURE_NONE },
	{ "failed", "workloads fail", "", 0, QUANTITY_BIT(QUANTITY_COMPLETIONS), find_failed, FIGURE_NONE },
	{ "failsafe", "a vGPU is in failsafe mode, where nothing of it executes", "", 0,
	  0, find_failsafe, FIGURE_NONE },
	{ "misuse", "a guest submits or writes to page tables what GVT-g refuses", "", 0,
	  0, find_misuse, FIGURE_NONE },
	{ "lost", "events were lost while recording", "", 0, 0, find_lost, FIGURE_NONE },
	{ "missing", "events are missing from the trace", "", 0, 0, find_missing, FIGURE_NONE },
	{ 0 }
};
