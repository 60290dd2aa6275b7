// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "host/counters.h"
#include "trace/util.h"
#include "tsc.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>

#define MEASURE_NS	(NSEC_PER_SEC / 10)
/* number of readings of both clocks; the one that took the least time counts */
#define LOOKS		16

struct look {
	int64_t ns;
	uint64_t cycles;
};

static struct look look_at_clocks(void)
{
	uint64_t narrowest = UINT64_MAX;
	struct look best = { 0 };

	for (int nr = 0; nr < LOOKS; nr++) {
		uint64_t before = __rdtsc();
		int64_t ns = clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t after = __rdtsc();

		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		best = (struct look) { ns, before + narrowest / 2 };
	}
	return best;
}

static int64_t measure_khz(void)
{
	const struct timespec pause = { .tv_nsec = MEASURE_NS };
	struct look from = look_at_clocks(), to;

	nanosleep(&pause, NULL);
	to = look_at_clocks();
	if (to.ns <= from.ns || to.cycles <= from.cycles)
		return 0;
	return (int64_t)((double)(to.cycles - from.cycles) / (to.ns - from.ns) * 1e6 + 0.5);
}

/* perf exports the conversion from cycles to ns, if the TSC is stable */
static int64_t kernel_khz(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	int64_t khz = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (page == MAP_FAILED)
		return 0;
	if (page->cap_user_time && page->time_mult)
		khz = 1e6 * (double)(UINT64_C(1) << page->time_shift) / page->time_mult + 0.5;
	munmap(page, size);
	return khz;
}

int64_t tsc_khz(void)
{
	int64_t khz = kernel_khz();

	return khz > 0 ? khz : measure_khz();
}
#else
int64_t tsc_khz(void)
{
	return 0;
}
#endif
