/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of KUnit as the scheduler's suites use. Results are TAP; cases with parameters
 * give one line for each, as scripts/ktap-to-tap makes of the kernel's.
 */
#ifndef _GVT_SCHED_USER_KUNIT_H_
#define _GVT_SCHED_USER_KUNIT_H_

#include <setjmp.h>

#include <linux/kernel.h>

#define KUNIT_PARAM_DESC_SIZE 128
#define GFP_KERNEL 0

struct kunit_memory;

/**
 * struct kunit - a case that runs
 * @param_value: its parameter, or NULL
 * @failed: an expectation was not met
 * @abort: where a failed assertion leads
 * @memory: what was allocated for the case
 */
struct kunit {
	const void *param_value;
	bool failed;
	jmp_buf abort;
	struct kunit_memory *memory;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(fn) { .run_case = (fn), .name = #fn }
#define KUNIT_CASE_PARAM(fn, gen) { .run_case = (fn), .name = #fn, .generate_params = (gen) }

#define KUNIT_ARRAY_PARAM(name, array, get_desc)				\
	static const void *name##_gen_params(const void *prev, char *desc)	\
	{									\
		__typeof__((array)[0]) *next =					\
			prev ? ((__typeof__(next))prev) + 1 : (array);		\
										\
		if ((size_t)(next - (array)) >= ARRAY_SIZE(array))		\
			return NULL;						\
		get_desc(next, desc);						\
		return next;							\
	}

/* A suite is found by the program that links it */
void kunit_add_suite(const struct kunit_suite *suite);

#define kunit_test_suite(suite)							\
	static void __attribute__((constructor)) add_suite(void)		\
	{									\
		kunit_add_suite(&(suite));					\
	}

void *kunit_kcalloc(struct kunit *test, size_t n, size_t size, int flags);

/* Frees what was allocated for the case */
void kunit_free(struct kunit *test);

#define kunit_kzalloc(test, size, flags) kunit_kcalloc(test, 1, size, flags)

#define kunit_info(test, ...) do { (void)(test); printf("# " __VA_ARGS__); } while (0)

void kunit_fail(struct kunit *test, bool fatal, const char *file, int line,
		const char *what, ...) __attribute__((format(printf, 5, 6)));

/* Operands are compared as they are, so that the compiler sees their signs */
#define __kunit_compare(test, fatal, a, op, b, ...) do {			\
	__auto_type __l = (a);							\
	__auto_type __r = (b);							\
										\
	if (!(__l op __r))							\
		kunit_fail(test, fatal, __FILE__, __LINE__,			\
			   "%s: %lld, %lld", #a " " #op " " #b, (long long)__l,	\
			   (long long)__r);					\
} while (0)

#define __kunit_pointers(test, fatal, a, op, b) do {				\
	const void *__l = (a);							\
	const void *__r = (b);							\
										\
	if (!(__l op __r))							\
		kunit_fail(test, fatal, __FILE__, __LINE__,			\
			   "%s: %p, %p", #a " " #op " " #b, __l, __r);		\
} while (0)

#define __kunit_true(test, fatal, condition) do {				\
	if (!(condition))							\
		kunit_fail(test, fatal, __FILE__, __LINE__, "%s", #condition);	\
} while (0)

#define KUNIT_EXPECT_EQ(test, a, b) __kunit_compare(test, false, a, ==, b)
#define KUNIT_EXPECT_NE(test, a, b) __kunit_compare(test, false, a, !=, b)
#define KUNIT_EXPECT_LT(test, a, b) __kunit_compare(test, false, a, <, b)
#define KUNIT_EXPECT_LE(test, a, b) __kunit_compare(test, false, a, <=, b)
#define KUNIT_EXPECT_GT(test, a, b) __kunit_compare(test, false, a, >, b)
#define KUNIT_EXPECT_GE(test, a, b) __kunit_compare(test, false, a, >=, b)
#define KUNIT_EXPECT_LE_MSG(test, a, b, ...) __kunit_compare(test, false, a, <=, b)
#define KUNIT_EXPECT_GE_MSG(test, a, b, ...) __kunit_compare(test, false, a, >=, b)
#define KUNIT_EXPECT_TRUE(test, c) __kunit_true(test, false, c)
#define KUNIT_EXPECT_FALSE(test, c) __kunit_true(test, false, !(c))
#define KUNIT_EXPECT_NULL(test, p) __kunit_pointers(test, false, p, ==, NULL)
#define KUNIT_EXPECT_NOT_NULL(test, p) __kunit_pointers(test, false, p, !=, NULL)
#define KUNIT_EXPECT_PTR_EQ(test, a, b) __kunit_pointers(test, false, a, ==, b)
#define KUNIT_EXPECT_PTR_NE(test, a, b) __kunit_pointers(test, false, a, !=, b)
#define KUNIT_EXPECT_STREQ(test, a, b) __kunit_true(test, false, !strcmp(a, b))

#define KUNIT_ASSERT_EQ(test, a, b) __kunit_compare(test, true, a, ==, b)
#define KUNIT_ASSERT_EQ_MSG(test, a, b, ...) __kunit_compare(test, true, a, ==, b)
#define KUNIT_ASSERT_NE(test, a, b) __kunit_compare(test, true, a, !=, b)
#define KUNIT_ASSERT_LT(test, a, b) __kunit_compare(test, true, a, <, b)
#define KUNIT_ASSERT_LE(test, a, b) __kunit_compare(test, true, a, <=, b)
#define KUNIT_ASSERT_GT(test, a, b) __kunit_compare(test, true, a, >, b)
#define KUNIT_ASSERT_GE(test, a, b) __kunit_compare(test, true, a, >=, b)
#define KUNIT_ASSERT_TRUE(test, c) __kunit_true(test, true, c)
#define KUNIT_ASSERT_FALSE(test, c) __kunit_true(test, true, !(c))
#define KUNIT_ASSERT_NULL(test, p) __kunit_pointers(test, true, p, ==, NULL)
#define KUNIT_ASSERT_NOT_NULL(test, p) __kunit_pointers(test, true, p, !=, NULL)
#define KUNIT_ASSERT_PTR_EQ(test, a, b) __kunit_pointers(test, true, a, ==, b)
#define KUNIT_ASSERT_PTR_NE(test, a, b) __kunit_pointers(test, true, a, !=, b)

#endif /* _GVT_SCHED_USER_KUNIT_H_ */
