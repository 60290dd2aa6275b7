/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver's files need of the kernel beside tools/testing/gvt-sched/include. There is
 * one thread, so that locks are nothing; timers, wake-ups and requests for service are
 * events of the simulation.
 */
#ifndef _GVT_SIM_KERNEL_MORE_H_
#define _GVT_SIM_KERNEL_MORE_H_

#include <errno.h>

#include <linux/kernel.h>

typedef int16_t s16;

/* As the driver's loops count: with int */
#undef ARRAY_SIZE
#define ARRAY_SIZE(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define static_assert _Static_assert
#define BIT_ULL(n) (1ULL << (n))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define for_each_if(condition) if (!(condition)) {} else
#define is_power_of_2(n) ((n) && !((n) & ((n) - 1)))
#define fetch_and_zero(p) ({ __typeof__(*(p)) __old = *(p); *(p) = (__typeof__(*(p)))0; __old; })
#define READ_ONCE(x) (x)
#define smp_load_acquire(p) (*(p))
#define WRITE_ONCE(x, value) ((x) = (value))
#define lower_32_bits(n) ((u32)(n))
#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define list_for_each_entry_safe(e, n, list, member)				\
	for ((e) = list_entry((list)->next, __typeof__(*(e)), member),		\
	     (n) = list_entry((e)->member.next, __typeof__(*(e)), member);	\
	     &(e)->member != (list);						\
	     (e) = (n), (n) = list_entry((n)->member.next, __typeof__(*(n)), member))

static inline bool sim_test_bit(int nr, const unsigned long *bits)
{
	return *bits & BIT(nr);
}

#define test_bit(nr, bits) sim_test_bit(nr, bits)
#define set_bit(nr, bits) (*(bits) |= BIT(nr))
#define clear_bit(nr, bits) (*(bits) &= ~BIT(nr))
#define __set_bit(nr, bits) set_bit(nr, bits)
#define __clear_bit(nr, bits) clear_bit(nr, bits)

static inline bool sim_test_and_clear_bit(int nr, unsigned long *bits)
{
	bool was_set = sim_test_bit(nr, bits);

	clear_bit(nr, bits);
	return was_set;
}

#define __test_and_clear_bit(nr, bits) sim_test_and_clear_bit(nr, bits)
#define cmpxchg(p, old, new) (*(p) == (old) ? *(p) = (new), (old) : *(p))

#define IS_ERR(p) (!(p))
#define PTR_ERR(p) (-ENOMEM)
#define ERR_PTR(error) NULL

#define lockdep_assert_held(lock) ((void)(lock))
#define local_bh_disable() ((void)0)
#define local_bh_enable() ((void)0)

/* The simulated time */
u64 ktime_get_ns(void);
#define ns_to_ktime(ns) (ns)
#define ktime_to_ns(time) (time)

#endif /* _GVT_SIM_KERNEL_MORE_H_ */
