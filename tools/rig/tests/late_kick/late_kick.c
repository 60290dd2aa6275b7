// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the window between GVT-g's gate and the end of an engine's reset: i915 starts its
 * tasklet at the end of the reset, but behind the gate, which has the tasklet's lock, it cannot
 * run. Whoever opens the gate has to start it, or the engine stays idle beside all that it has
 * to do.
 *
 * The end of each reset is held up until the gate has been closed, and what is done behind
 * the closed gate until the reset is over; neither for longer than hold_us. After that it
 * is looked whether the engine got something to do.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/workqueue.h>

#include "find_gpu.h"
#include "gt/intel_engine.h"
#include "gt/intel_gt.h"
#include "i915_drv.h"
#include "i915_scheduler.h"
#include "i915_tasklet.h"

static unsigned int hold_us = 40000;
module_param(hold_us, uint, 0444);
MODULE_PARM_DESC(hold_us, "how long one waits for the other");

static unsigned int look_ms = 100;
module_param(look_ms, uint, 0444);
MODULE_PARM_DESC(look_ms, "how long after a reset the engine is looked at");

static unsigned int met;
module_param(met, uint, 0444);
MODULE_PARM_DESC(met, "how many resets have ended behind a closed gate without work that came meanwhile");

static unsigned int stalled;
module_param(stalled, uint, 0444);
MODULE_PARM_DESC(stalled, "how often the engine had nothing to do after that although there was work");

static struct pci_dev *gpu;
static struct intel_engine_cs *engine;
static void (*reset_finish)(struct intel_engine_cs *engine);
static void (*schedule_request)(struct i915_request *rq, const struct i915_sched_attr *attr);
static struct delayed_work look;
static bool ending;

static bool is_disabled(void)
{
	return !__tasklet_is_enabled(&engine->sched_engine->tasklet);
}

/* During a reset the tasklet does not run, so that who has its lock is the gate */
static bool is_closed(void)
{
	return is_disabled() && tasklet_is_locked(&engine->sched_engine->tasklet);
}

/* It was started, and runs as soon as it can: a request that is added does that */
static bool is_scheduled(void)
{
	return test_bit(TASKLET_STATE_SCHED, &engine->sched_engine->tasklet.state);
}

static bool has_work(struct i915_sched_engine *sched_engine)
{
	struct i915_priolist *list;
	struct rb_node *node;
	bool found = false;

	spin_lock_irq(&sched_engine->lock);
	for (node = rb_first_cached(&sched_engine->queue); node && !found; node = rb_next(node)) {
		list = rb_entry(node, struct i915_priolist, node);
		found = !list_empty(&list->requests);
	}
	spin_unlock_irq(&sched_engine->lock);

	return found;
}

static bool is_idle(const struct intel_engine_execlists *execlists)
{
	return !*READ_ONCE(execlists->active) && !READ_ONCE(execlists->pending[0]);
}

static void look_at_engine(struct work_struct *work)
{
	if (is_disabled() || is_scheduled())
		return;
	if (is_idle(&engine->execlists) && has_work(engine->sched_engine))
		stalled++;
}

static void hold_finish(struct intel_engine_cs *cs)
{
	u64 end = local_clock() + hold_us * 1000ULL;

	WRITE_ONCE(ending, true);
	while (!is_closed() && local_clock() < end)
		cpu_relax();

	if (is_closed() && !is_scheduled())
		met++;
	reset_finish(cs);
	WRITE_ONCE(ending, false);
	mod_delayed_work(system_wq, &look, msecs_to_jiffies(look_ms));
}

/* What GVT-g calls behind the gate; others call it, too */
static void hold_schedule(struct i915_request *rq, const struct i915_sched_attr *attr)
{
	u64 end = local_clock() + hold_us * 1000ULL;

	while (READ_ONCE(ending) && is_closed() && local_clock() < end)
		cpu_relax();
	schedule_request(rq, attr);
}

static int __init late_kick_init(void)
{
	gpu = find_gpu();
	if (!gpu)
		return -ENODEV;

	engine = to_gt(kdev_to_i915(&gpu->dev))->engine[RCS0];
	INIT_DELAYED_WORK(&look, look_at_engine);
	reset_finish = engine->reset.finish;
	schedule_request = engine->sched_engine->schedule;
	WRITE_ONCE(engine->sched_engine->schedule, hold_schedule);
	WRITE_ONCE(engine->reset.finish, hold_finish);
	return 0;
}

static void __exit late_kick_exit(void)
{
	WRITE_ONCE(engine->reset.finish, reset_finish);
	WRITE_ONCE(engine->sched_engine->schedule, schedule_request);
	cancel_delayed_work_sync(&look);
	pci_dev_put(gpu);
}

module_init(late_kick_init);
module_exit(late_kick_exit);
MODULE_DESCRIPTION("Has resets of the render engine end behind GVT-g's closed gate");
MODULE_LICENSE("GPL");
