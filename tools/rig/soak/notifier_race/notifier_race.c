// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the window of a race in GVT-g: the context-status notifier tells that a
 * workload has left the engine, then wakes up who waits for that. The waiter may
 * have seen it already, and have freed the workload together with the wait queue.
 *
 * The notifier is held up before __wake_up(), until the memory of the wait queue
 * is freed or hold_us have passed. If it was freed, the first thing that
 * __wake_up() would do is done here, for KASAN to see, and __wake_up() is given
 * another wait queue: it would wait for a lock in freed memory for ever.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/wait.h>

#define NOTIFIER "shadow_context_status_change"
/* No function of kvmgt's is longer. */
#define NOTIFIER_MAX 0x4000

static unsigned int hold_us = 2000;
module_param(hold_us, uint, 0444);
MODULE_PARM_DESC(hold_us, "how long to wait for the wait queue to be freed");

static unsigned int held;
module_param(held, uint, 0444);
MODULE_PARM_DESC(held, "how often the notifier was held up");

static unsigned int freed;
module_param(freed, uint, 0444);
MODULE_PARM_DESC(freed, "how often its wait queue was freed meanwhile");

/* The wait queue that the notifier is about to wake up, on whatever CPU. */
static unsigned long waking;
static unsigned long notifier;

static DECLARE_WAIT_QUEUE_HEAD(nobody);

static bool called_by_notifier(const struct pt_regs *regs)
{
	unsigned long caller = *(const unsigned long *)regs->sp;
	char name[KSYM_SYMBOL_LEN];

	if (caller - notifier >= NOTIFIER_MAX)
		return false;

	sprint_symbol_no_offset(name, caller);
	return str_has_prefix(name, NOTIFIER);
}

/* Returns true if the wait queue was freed meanwhile. */
static bool hold(unsigned long waitqueue)
{
	u64 end = local_clock() + hold_us * 1000ULL;
	bool gone;

	held++;
	WRITE_ONCE(waking, waitqueue);
	while (READ_ONCE(waking) && local_clock() < end)
		cpu_relax();
	gone = !xchg(&waking, 0);
	if (gone)
		freed++;
	return gone;
}

static int before_wake_up(struct kprobe *probe, struct pt_regs *regs)
{
	struct wait_queue_head *waitqueue = (void *)regs->di;

	if (!called_by_notifier(regs) || !hold(regs->di))
		return 0;

	/* the use after free */
	READ_ONCE(waitqueue->head.next);

	regs->di = (unsigned long)&nobody;
	return 0;
}

static int before_free(struct kprobe *probe, struct pt_regs *regs)
{
	struct kmem_cache *cache = (void *)regs->di;
	unsigned long waitqueue = READ_ONCE(waking);

	if (waitqueue && waitqueue - regs->si < kmem_cache_size(cache))
		cmpxchg(&waking, waitqueue, 0);
	return 0;
}

static struct kprobe in_notifier = { .symbol_name = NOTIFIER };

static struct kprobe on_wake_up = {
	.symbol_name = "__wake_up", .pre_handler = before_wake_up,
};

static struct kprobe on_free = {
	.symbol_name = "kmem_cache_free", .pre_handler = before_free,
};

/* A probe tells where the notifier is; it is not needed for more. */
static int find_notifier(void)
{
	int ret = register_kprobe(&in_notifier);

	if (ret) {
		pr_err("notifier_race: no " NOTIFIER "; is kvmgt loaded, with symbols?\n");
		return ret;
	}
	notifier = (unsigned long)in_notifier.addr;
	unregister_kprobe(&in_notifier);
	return 0;
}

static int __init notifier_race_init(void)
{
	int ret = find_notifier();

	if (ret)
		return ret;
	ret = register_kprobe(&on_free);
	if (ret)
		return ret;
	ret = register_kprobe(&on_wake_up);
	if (ret)
		unregister_kprobe(&on_free);
	return ret;
}

static void __exit notifier_race_exit(void)
{
	unregister_kprobe(&on_wake_up);
	unregister_kprobe(&on_free);
}

module_init(notifier_race_init);
module_exit(notifier_race_exit);
MODULE_DESCRIPTION("Holds GVT-g's context-status notifier up");
MODULE_LICENSE("GPL");
