// SPDX-License-Identifier: GPL-2.0-only
/* Runs all suites linked to this program, and prints TAP */

#include <kunit/test.h>

#define SUITES 32

static const struct kunit_suite *suites[SUITES];
static size_t n_suites;
static unsigned int cases, failures;

void kunit_add_suite(const struct kunit_suite *suite)
{
	if (n_suites == SUITES)
		abort();
	suites[n_suites++] = suite;
}

static void run(const struct kunit_suite *suite, const struct kunit_case *c,
		const void *param, const char *desc)
{
	struct kunit test = { .param_value = param };

	if (!setjmp(test.abort))
		c->run_case(&test);
	kunit_free(&test);
	printf("%s %u - %s: %s%s%s\n", test.failed ? "not ok" : "ok", ++cases, suite->name,
	       c->name, *desc ? ": " : "", desc);
	failures += test.failed;
}

static void run_case(const struct kunit_suite *suite, const struct kunit_case *c)
{
	char desc[KUNIT_PARAM_DESC_SIZE] = "";
	const void *param = NULL;

	if (!c->generate_params) {
		run(suite, c, NULL, desc);
		return;
	}

	while ((param = c->generate_params(param, desc)))
		run(suite, c, param, desc);
}

static void run_suite(const struct kunit_suite *suite, const char *only)
{
	const struct kunit_case *c;

	for (c = suite->test_cases; c->run_case; c++) {
		if (!only || strstr(c->name, only) || strstr(suite->name, only))
			run_case(suite, c);
	}
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < n_suites; i++)
		run_suite(suites[i], only);
	printf("1..%u\n", cases);

	return failures || !cases;
}
