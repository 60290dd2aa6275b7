// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for the rig's scenario files: whatever is in one, it is loaded and can be
 * printed as a plan, or refused in one line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plan.h"
#include "scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

/* scenario_load() wants a name */
static const char *name_of(const uint8_t *data, size_t size)
{
	static char name[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz.conf", 0);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	struct scenario *scenario = scenario_load(name_of(data, size), stream);

	fflush(stream);
	if (scenario) {
		must(!len, "nothing is said of a good scenario");
		plan_print(scenario, stream);
		scenario_free(scenario);
	} else {
		must(len && strchr(text, '\n') == text + len - 1, "it is refused in one line");
	}
	fclose(stream);
	free(text);
	return 0;
}
