// SPDX-License-Identifier: GPL-2.0-only
/*
 * While this is loaded, i915 takes its engines for such as cannot preempt, as those of
 * Gen8: it neither takes a request off an engine nor lets requests take turns, and finds
 * what hangs by its heartbeat alone. Load it before kvmgt, while nothing executes.
 */
#include <linux/module.h>

#include "find_gpu.h"
#include "gt/intel_engine.h"
#include "gt/intel_gt.h"
#include "i915_drv.h"

#define ABILITIES (I915_ENGINE_HAS_PREEMPTION | I915_ENGINE_HAS_TIMESLICES)

static struct pci_dev *gpu;
static unsigned int flags[I915_NUM_ENGINES];

static int __init no_preemption_init(void)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	gpu = find_gpu();
	if (!gpu)
		return -ENODEV;

	for_each_engine(engine, to_gt(kdev_to_i915(&gpu->dev)), id) {
		flags[id] = engine->flags & ABILITIES;
		engine->flags &= ~ABILITIES;
	}
	return 0;
}

static void __exit no_preemption_exit(void)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	for_each_engine(engine, to_gt(kdev_to_i915(&gpu->dev)), id)
		engine->flags |= flags[id];
	pci_dev_put(gpu);
}

module_init(no_preemption_init);
module_exit(no_preemption_exit);
MODULE_DESCRIPTION("Has i915 believe that no engine can preempt");
MODULE_LICENSE("GPL");
