// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has a reset of the render engine meet i915's submission tasklet while that gives a context to
 * the engine and GVT-g is about to close its gate. The reset has to wait until the tasklet has
 * ended: it changes what the tasklet works on. Otherwise i915 may count the context as on the
 * engine for ever.
 *
 * Each reset is held up until the tasklet is there, and a little longer, so that somebody asks
 * for the gate; the tasklet until the reset is over, neither for longer than hold_us.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/sched/clock.h>

#include "find_gpu.h"
#include "gt/intel_engine.h"
#include "gt/intel_gt.h"
#include "gt/intel_execlists_submission.h"
#include "i915_drv.h"

static unsigned int hold_us = 20000;
module_param(hold_us, uint, 0444);
MODULE_PARM_DESC(hold_us, "how long one waits for the other");

static unsigned int gate_us = 2000;
module_param(gate_us, uint, 0444);
MODULE_PARM_DESC(gate_us, "how long the gate has to be asked for");

static unsigned int met;
module_param(met, uint, 0444);
MODULE_PARM_DESC(met, "how many resets have begun while the tasklet ran");

static unsigned int not_waited;
module_param(not_waited, uint, 0444);
MODULE_PARM_DESC(not_waited, "how many of them went on under it");

static struct pci_dev *gpu;
static struct intel_engine_cs *engine;
static void (*submit)(struct tasklet_struct *t);
static void (*reset_prepare)(struct intel_engine_cs *engine);
static void (*reset_finish)(struct intel_engine_cs *engine);
static bool resetting;
/* The CPU + 1 on which a context is given to the engine, 0: none */
static int gives_on;

static u64 end_of(unsigned int us)
{
	return local_clock() + us * 1000ULL;
}

static void count_submit(struct tasklet_struct *t)
{
	submit(t);
	WRITE_ONCE(gives_on, 0);
}

/* After GVT-g's: it has been told */
static int hold_schedule_in(struct notifier_block *nb, unsigned long action, void *data)
{
	u64 end = end_of(hold_us);

	if (action != INTEL_CONTEXT_SCHEDULE_IN)
		return NOTIFY_OK;

	WRITE_ONCE(gives_on, smp_processor_id() + 1);
	while (READ_ONCE(resetting) && local_clock() < end)
		cpu_relax();
	return NOTIFY_OK;
}

static struct notifier_block after_gvt = { .notifier_call = hold_schedule_in, .priority = -1 };

static void wait_for_tasklet(void)
{
	u64 end = end_of(hold_us);

	while (!READ_ONCE(gives_on) && local_clock() < end)
		cpu_relax();
	met += !!READ_ONCE(gives_on);
	for (end = end_of(gate_us); local_clock() < end;)
		cpu_relax();
}

static void hold_prepare(struct intel_engine_cs *cs)
{
	/* The tasklet resets the engine itself, too */
	if (READ_ONCE(gives_on) == smp_processor_id() + 1) {
		reset_prepare(cs);
		return;
	}

	WRITE_ONCE(resetting, true);
	wait_for_tasklet();
	reset_prepare(cs);
	not_waited += !!READ_ONCE(gives_on);
}

static void end_finish(struct intel_engine_cs *cs)
{
	reset_finish(cs);
	WRITE_ONCE(resetting, false);
}

static void replace_submit(void (*callback)(struct tasklet_struct *t))
{
	struct tasklet_struct *tasklet = &engine->sched_engine->tasklet;

	tasklet_disable(tasklet);
	WRITE_ONCE(tasklet->callback, callback);
	tasklet_enable(tasklet);
	tasklet_hi_schedule(tasklet);
}

static int __init late_reset_init(void)
{
	gpu = find_gpu();
	if (!gpu)
		return -ENODEV;

	engine = to_gt(kdev_to_i915(&gpu->dev))->engine[RCS0];
	reset_prepare = engine->reset.prepare;
	reset_finish = engine->reset.finish;
	submit = engine->sched_engine->tasklet.callback;
	replace_submit(count_submit);
	atomic_notifier_chain_register(&engine->context_status_notifier, &after_gvt);
	WRITE_ONCE(engine->reset.finish, end_finish);
	WRITE_ONCE(engine->reset.prepare, hold_prepare);
	return 0;
}

static void __exit late_reset_exit(void)
{
	WRITE_ONCE(engine->reset.prepare, reset_prepare);
	WRITE_ONCE(engine->reset.finish, reset_finish);
	atomic_notifier_chain_unregister(&engine->context_status_notifier, &after_gvt);
	replace_submit(submit);
	pci_dev_put(gpu);
}

module_init(late_reset_init);
module_exit(late_reset_exit);
MODULE_DESCRIPTION("Has resets of the render engine begin while i915 and GVT-g's gate are at it");
MODULE_LICENSE("GPL");
