// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delays GVT-g, or i915, wherever one side waits for another one: the context-status notifier,
 * i915's submission tasklet, each wake-up, and each mutex that kvmgt takes or gives back.
 * After the same seed the n-th call is delayed for as long. On demand notices are lost.
 *
 * kvmgt.ko need not know of it, so that any can be tried. A probe at the beginning of a function
 * sends kvmgt's call to a function here, which calls the other one.
 */
#include <linux/delay.h>
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/wait.h>

#define DELAY_MAX_US 50000
/* The longest delay is halved up to so many times, so that most are short */
#define HALVINGS 8
/* See intel_context_status_notify in i915 */
#define CONTEXT_SCHEDULE_OUT 1

static unsigned int max_us;
static unsigned int seed = 1;
static unsigned int lose_left;
static unsigned int lose_wake_ups;
static unsigned int delayed;
static unsigned int lost;

static int set_max_us(const char *value, const struct kernel_param *kp)
{
	return param_set_uint_minmax(value, kp, 0, DELAY_MAX_US);
}

static const struct kernel_param_ops max_us_ops = { .set = set_max_us, .get = param_get_uint };

module_param_cb(max_us, &max_us_ops, &max_us, 0600);
MODULE_PARM_DESC(max_us, "the longest delay, up to 50000; 0: none");
module_param(seed, uint, 0600);
MODULE_PARM_DESC(seed, "decides which call is delayed for how long");
module_param(lose_left, uint, 0600);
MODULE_PARM_DESC(lose_left, "one in so many notices that a vGPU's context has left is lost; 0: none");
module_param(lose_wake_ups, uint, 0600);
MODULE_PARM_DESC(lose_wake_ups, "one in so many wake-ups is lost; 0: none");
module_param(delayed, uint, 0444);
MODULE_PARM_DESC(delayed, "how many calls were delayed");
module_param(lost, uint, 0444);
MODULE_PARM_DESC(lost, "how many notices and wake-ups were lost");

static struct module *kvmgt;

/* --- what happens to a call -------------------------------------------------- */

static u32 next_random(void)
{
	static atomic_t calls;

	return jhash_2words(atomic_inc_return(&calls), READ_ONCE(seed), 0);
}

static unsigned int next_delay_us(void)
{
	unsigned int us = READ_ONCE(max_us);
	u32 random;

	if (!us)
		return 0;

	random = next_random();
	/* every other one is not delayed */
	if (random & 1)
		return 0;
	delayed++;
	return us >> (random / 2 % HALVINGS);
}

/* Whatever the context is */
static void spin(void)
{
	unsigned int us = next_delay_us();

	for (; us > 1000; us -= 1000)
		udelay(1000);
	udelay(us);
}

static void sleep(void)
{
	unsigned int us = next_delay_us();

	if (us)
		usleep_range(us, us + 1);
}

static bool is_lost(const unsigned int *one_in)
{
	unsigned int n = READ_ONCE(*one_in);

	if (!n || next_random() % n)
		return false;
	lost++;
	return true;
}

/* --- the calls ---------------------------------------------------------------- */

static int (*notifier)(struct notifier_block *nb, unsigned long action, void *data);
static void (*tasklet)(struct tasklet_struct *t);
static int (*wake_up_all_of)(struct wait_queue_head *q, unsigned int mode, int n, void *key);
static void (*lock_mutex)(struct mutex *lock, unsigned int subclass);
static void (*unlock_mutex)(struct mutex *lock);

static int delay_notifier(struct notifier_block *nb, unsigned long action, void *data)
{
	int ret;

	if (action == CONTEXT_SCHEDULE_OUT && is_lost(&lose_left))
		return NOTIFY_OK;

	spin();
	ret = notifier(nb, action, data);
	spin();
	return ret;
}

static void delay_tasklet(struct tasklet_struct *t)
{
	spin();
	tasklet(t);
	spin();
}

static int delay_wake_up(struct wait_queue_head *q, unsigned int mode, int n, void *key)
{
	int ret;

	if (is_lost(&lose_wake_ups))
		return 0;

	spin();
	ret = wake_up_all_of(q, mode, n, key);
	spin();
	return ret;
}

static void delay_mutex_lock(struct mutex *lock, unsigned int subclass)
{
	sleep();
	lock_mutex(lock, subclass);
	sleep();
}

static void delay_mutex_unlock(struct mutex *lock)
{
	sleep();
	unlock_mutex(lock);
	sleep();
}

/* --- probes ------------------------------------------------------------------ */

#define LOCK_MUTEX (IS_ENABLED(CONFIG_DEBUG_LOCK_ALLOC) ? "mutex_lock_nested" : "mutex_lock")

static struct {
	const char *name;
	void *instead;
	void **original;
	/* or anybody's */
	bool calls_of_kvmgt;
	struct kprobe probe;
} points[] = {
	{ "shadow_context_status_change", delay_notifier, (void **)&notifier },
	{ "execlists_submission_tasklet", delay_tasklet, (void **)&tasklet },
	{ "__wake_up", delay_wake_up, (void **)&wake_up_all_of, true },
	{ LOCK_MUTEX, delay_mutex_lock, (void **)&lock_mutex, true },
	{ "mutex_unlock", delay_mutex_unlock, (void **)&unlock_mutex, true },
};

static int redirect(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long caller = *(const unsigned long *)regs->sp;
	int i;

	if (within_module(caller, THIS_MODULE))
		return 0;

	for (i = 0; &points[i].probe != probe; i++)
		;
	if (points[i].calls_of_kvmgt && !within_module(caller, kvmgt))
		return 0;

	instruction_pointer_set(regs, (unsigned long)points[i].instead);
	return 1;
}

/* A probe tells where a function is */
static void *find_function(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	int ret = register_kprobe(&probe);

	if (ret) {
		pr_err("delays: no %s (%d); is kvmgt loaded, with symbols?\n", name, ret);
		return NULL;
	}
	unregister_kprobe(&probe);
	return probe.addr;
}

static int find_kvmgt(void)
{
	struct module *(*find)(const char *name) = find_function("find_module");

	if (find) {
		rcu_read_lock_sched();
		kvmgt = find("kvmgt");
		rcu_read_unlock_sched();
	}
	return kvmgt ? 0 : -ENODEV;
}

static void remove_probes(int n)
{
	while (n--)
		unregister_kprobe(&points[n].probe);
}

static int __init delays_init(void)
{
	int i, ret = find_kvmgt();

	if (ret)
		return ret;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		*points[i].original = find_function(points[i].name);
		points[i].probe.symbol_name = points[i].name;
		points[i].probe.pre_handler = redirect;
		ret = *points[i].original ? register_kprobe(&points[i].probe) : -ENOENT;
		if (ret) {
			remove_probes(i);
			return ret;
		}
	}
	return 0;
}

/* Who is in here returns before the longest delays are over */
static void __exit delays_exit(void)
{
	max_us = 0;
	remove_probes(ARRAY_SIZE(points));
	msleep(10 * DELAY_MAX_US / 1000);
}

module_init(delays_init);
module_exit(delays_exit);
MODULE_DESCRIPTION("Delays GVT-g wherever one side waits for another one");
MODULE_LICENSE("GPL");
