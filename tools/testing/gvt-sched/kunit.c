// SPDX-License-Identifier: GPL-2.0-only
/* Services for a running test case */

#include <stdarg.h>

#include <kunit/test.h>

struct kunit_memory {
	struct kunit_memory *next;
	max_align_t data[];
};

void *kunit_kcalloc(struct kunit *test, size_t n, size_t size, int flags)
{
	struct kunit_memory *memory = calloc(1, sizeof(*memory) + n * size);

	(void)flags;
	if (!memory)
		return NULL;
	memory->next = test->memory;
	test->memory = memory;
	return memory->data;
}

void kunit_free(struct kunit *test)
{
	struct kunit_memory *memory;

	while ((memory = test->memory)) {
		test->memory = memory->next;
		free(memory);
	}
}

void kunit_fail(struct kunit *test, bool fatal, const char *file, int line,
		const char *what, ...)
{
	va_list args;

	test->failed = true;
	printf("# %s:%d: ", file, line);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf("\n");
	if (fatal)
		longjmp(test->abort, 1);
}
