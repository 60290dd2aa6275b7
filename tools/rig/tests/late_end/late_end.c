// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the window between the end of a workload on the render engine and the moment when
 * i915 takes note of it: the workload has finished, and is still what the engine has.
 * GVT-g's lane is asked meanwhile, by whatever others do, and must not begin to preempt it.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/sched/clock.h>

#include "find_gpu.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
#include "gt/intel_gt.h"
#include "i915_drv.h"
#include "i915_request.h"

static unsigned int hold_us = 1000;
module_param(hold_us, uint, 0444);
MODULE_PARM_DESC(hold_us, "how long i915 does not look");

static unsigned int held;
module_param(held, uint, 0444);
MODULE_PARM_DESC(held, "how many ends i915 took note of so late");

static unsigned int hand_overs;
module_param(hand_overs, uint, 0444);
MODULE_PARM_DESC(hand_overs, "how many hand-overs were begun");

static unsigned int needless;
module_param(needless, uint, 0444);
MODULE_PARM_DESC(needless, "how many of them while a finished workload was on the engine");

static struct pci_dev *gpu;
static struct intel_engine_cs *engine;
static void (*submit)(struct tasklet_struct *t);
static int (*emit_init_breadcrumb)(struct i915_request *rq);
static bool holding;

static bool has_finished(void)
{
	struct i915_request *rq = *READ_ONCE(engine->execlists.active);

	return rq && i915_request_completed(rq);
}

static void hold_submit(struct tasklet_struct *t)
{
	u64 now = local_clock();

	if (has_finished()) {
		held++;
		WRITE_ONCE(holding, true);
		while (local_clock() < now + hold_us * 1000ULL)
			cpu_relax();
		WRITE_ONCE(holding, false);
	}
	submit(t);
}

/* GVT-g's barriers are of a context without an address space of its own; so is i915's */
static bool is_barrier(const struct i915_request *rq)
{
	return rq->context->vm == engine->gt->vm && rq->context != engine->kernel_context;
}

static int count_hand_over(struct i915_request *rq)
{
	if (is_barrier(rq)) {
		hand_overs++;
		needless += READ_ONCE(holding);
	}
	return emit_init_breadcrumb(rq);
}

static void replace_submit(void (*callback)(struct tasklet_struct *t))
{
	struct tasklet_struct *tasklet = &engine->sched_engine->tasklet;

	tasklet_disable(tasklet);
	WRITE_ONCE(tasklet->callback, callback);
	tasklet_enable(tasklet);
	tasklet_hi_schedule(tasklet);
}

static int __init late_end_init(void)
{
	gpu = find_gpu();
	if (!gpu)
		return -ENODEV;

	engine = to_gt(kdev_to_i915(&gpu->dev))->engine[RCS0];
	submit = engine->sched_engine->tasklet.callback;
	emit_init_breadcrumb = engine->emit_init_breadcrumb;
	WRITE_ONCE(engine->emit_init_breadcrumb, count_hand_over);
	replace_submit(hold_submit);
	return 0;
}

static void __exit late_end_exit(void)
{
	replace_submit(submit);
	WRITE_ONCE(engine->emit_init_breadcrumb, emit_init_breadcrumb);
	pci_dev_put(gpu);
}

module_init(late_end_init);
module_exit(late_end_exit);
MODULE_DESCRIPTION("Has i915 take note late of what has finished on the render engine");
MODULE_LICENSE("GPL");
