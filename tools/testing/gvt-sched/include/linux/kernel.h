/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the scheduler's pure files and their tests need of the kernel, in user space. The
 * other headers here only lead to this one.
 *
 * min() and the like do not compare the types of their operands as the kernel's do;
 * -Wsign-compare does that where they are expanded.
 */
#ifndef _GVT_SCHED_USER_KERNEL_H_
#define _GVT_SCHED_USER_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel's 64-bit types are long long wherever it is printed */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef unsigned long long u64;
typedef long long s64;

#define U32_MAX UINT32_MAX
#define U64_MAX (~0ULL)
#define S64_MAX ((s64)(U64_MAX >> 1))

#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define __maybe_unused __attribute__((unused))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

#define __either(a, op, b) ({					\
	__auto_type __a = (a);					\
	__auto_type __b = (b);					\
	__a op __b ? __a : __b;					\
})
#define min(a, b) __either(a, <, b)
#define max(a, b) __either(a, >, b)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define max3(a, b, c) max(max(a, b), c)
#define clamp(x, lo, hi) min(max(x, lo), hi)
#define abs(x) ({ __auto_type __x = (x); __x < 0 ? -__x : __x; })
#define abs_diff(a, b) ({					\
	__auto_type __a = (a);					\
	__auto_type __b = (b);					\
	__a > __b ? __a - __b : __b - __a;			\
})
#define swap(a, b) do { __typeof__(a) __t = (a); (a) = (b); (b) = __t; } while (0)

static inline u64 div_u64(u64 a, u32 b)
{
	return a / b;
}

static inline s64 div_s64(s64 a, s32 b)
{
	return a / b;
}

static inline s64 div64_s64(s64 a, s64 b)
{
	return a / b;
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 div64_u64_rem(u64 a, u64 b, u64 *rest)
{
	*rest = a % b;
	return a / b;
}

/* As x86's instruction does, this traps if the quotient has more than 64 bits */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 mul, u64 div)
{
	unsigned __int128 quotient = (unsigned __int128)a * mul / div;

	if (quotient >> 64)
		__builtin_trap();
	return quotient;
}

static inline u64 mul_u64_u32_div(u64 a, u32 mul, u32 div)
{
	return mul_u64_u64_div_u64(a, mul, div);
}

/* The place of the highest bit that is set, from 1; 0 if none is */
static inline int fls64(u64 n)
{
	return n ? 64 - __builtin_clzll(n) : 0;
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n < 2 ? 1 : 1UL << (64 - __builtin_clzl(n - 1));
}

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_add(struct list_head *entry, struct list_head *after)
{
	entry->next = after->next;
	entry->prev = after;
	after->next->prev = entry;
	after->next = entry;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	list_add(entry, list->prev);
}

static inline void list_del_init(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *list)
{
	list_del_init(entry);
	list_add_tail(entry, list);
}

#define list_entry(p, type, member) container_of(p, type, member)
#define list_first_entry(list, type, member) list_entry((list)->next, type, member)
#define list_first_entry_or_null(list, type, member) \
	(list_empty(list) ? NULL : list_first_entry(list, type, member))
#define list_for_each_entry(e, list, member)				\
	for ((e) = list_entry((list)->next, __typeof__(*(e)), member);	\
	     &(e)->member != (list);					\
	     (e) = list_entry((e)->member.next, __typeof__(*(e)), member))

static inline ssize_t strscpy(char *to, const char *from, size_t size)
{
	snprintf(to, size, "%s", from);
	return strlen(to);
}

/* Random numbers; the sequences are not the kernel's */
struct rnd_state {
	u64 state;
};

static inline void prandom_seed_state(struct rnd_state *rnd, u64 seed)
{
	rnd->state = seed;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) */
static inline u32 prandom_u32_state(struct rnd_state *rnd)
{
	u64 z = rnd->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z >> 32;
}

#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)

#endif /* _GVT_SCHED_USER_KERNEL_H_ */
