// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "gpu-counters.h"
#include "perf.h"

static const struct {
	const char *event;
	size_t member;			/* of struct energy_gpu */
} kinds[] = {
	{ "rc6-residency", offsetof(struct energy_gpu, rc6_ns) },
	{ "software-gt-awake-time", offsetof(struct energy_gpu, awake_ns) },
	{ "actual-frequency", offsetof(struct energy_gpu, mhz_s) },
};
#define KINDS	G_N_ELEMENTS(kinds)

struct gpu_counters {
	unsigned int count;
	int fds[KINDS];			/* the first is the group's */
	size_t members[KINDS];		/* of struct energy_gpu */
};

/* one reason is enough: it is the same for all, or a kernel that lacks some */
static char *explain(const char *dir, GString *names, int error)
{
	if (error == ENOENT)
		g_string_append_printf(names, ": %s has no such event (is i915 loaded, and new enough?)", dir);
	else if (names->len)
		g_string_append_printf(names, ": %s (" PERF_HOW_TO_ALLOW ")", strerror(error));
	return g_string_free(names, !names->len);
}

struct gpu_counters *gpu_counters_open(const char *sysroot, char **missing)
{
	struct gpu_counters *counters = g_new0(struct gpu_counters, 1);
	char *dir = g_build_filename(sysroot, "/sys/bus/event_source/devices/i915", NULL);
	GString *names = g_string_new(NULL);
	int error = 0;

	for (size_t nr = 0; nr < KINDS; nr++) {
		int fd = perf_open(dir, kinds[nr].event, counters->count ? counters->fds[0] : -1);

		if (fd < 0) {
			error = errno;
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", kinds[nr].event);
			continue;
		}
		counters->fds[counters->count] = fd;
		counters->members[counters->count++] = kinds[nr].member;
	}
	*missing = explain(dir, names, error);
	g_free(dir);
	return counters;
}

void gpu_counters_close(struct gpu_counters *counters)
{
	for (unsigned int nr = 0; nr < counters->count; nr++)
		close(counters->fds[nr]);
	g_free(counters);
}

struct energy_gpu gpu_counters_read(const struct gpu_counters *counters)
{
	struct energy_gpu gpu = { UNKNOWN, UNKNOWN, UNKNOWN };
	uint64_t counts[KINDS];

	if (!counters->count || !perf_read(counters->fds[0], counts, counters->count))
		return gpu;
	for (unsigned int nr = 0; nr < counters->count; nr++)
		*(int64_t *)((char *)&gpu + counters->members[nr]) = MIN(counts[nr], INT64_MAX);
	return gpu;
}
