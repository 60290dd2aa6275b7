// SPDX-License-Identifier: GPL-2.0-or-later
/* The monotonic clock, and a timer for poll() on it. */
#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <x86intrin.h>

uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

uint64_t clock_tsc(void)
{
	return __rdtsc();
}

static int failed(const char *call)
{
	int err = errno;

	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, call, strerror(err));
	return -err;
}

int clock_timer(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	return timer < 0 ? failed("timerfd_create") : timer;
}

int clock_arm(int timer, uint64_t at_ns)
{
	const struct itimerspec at = {
		.it_value = { (time_t)(at_ns / CLOCK_SECOND), (long)(at_ns % CLOCK_SECOND) },
	};

	return timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) ? failed("timerfd_settime") : 0;
}
