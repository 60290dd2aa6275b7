// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events - call functions that uprobes make events of GVT-g of
 *
 * Reads lines from stdin and prints when each call was made (CLOCK_MONOTONIC, ns):
 *
 *   sleep MS
 *   queue|submit|start|stop|complete VGPU WORKLOAD CLASS EXTRA
 *   switch PREV NEXT CLASS REASON
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned int calls;

/* with a number each: equal functions might become one */
#define EVENT(name, number)							\
	__attribute__((noinline)) void event_##name(uint32_t dev, uint32_t a,	\
						    uint64_t b, uint16_t class,	\
						    uint16_t instance, uint32_t extra) \
	{									\
		calls += number + dev + a + b + class + instance + extra;	\
	}

EVENT(queue, 1)
EVENT(submit, 2)
EVENT(start, 3)
EVENT(stop, 4)
EVENT(complete, 5)
EVENT(switch, 6)

static const struct {
	const char *name;
	void (*call)(uint32_t, uint32_t, uint64_t, uint16_t, uint16_t, uint32_t);
} events[] = {
	{ "queue", event_queue }, { "submit", event_submit }, { "start", event_start },
	{ "stop", event_stop }, { "complete", event_complete }, { "switch", event_switch },
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void call(const char *name, const unsigned int *numbers)
{
	for (size_t nr = 0; nr < sizeof(events) / sizeof(events[0]); nr++) {
		if (strcmp(events[nr].name, name))
			continue;
		printf("%" PRId64 " %s %u\n", now_ns(), name, numbers[1]);
		events[nr].call(0, numbers[0], numbers[1], numbers[2], 0, numbers[3]);
	}
}

int main(void)
{
	char line[256], name[32];

	while (fgets(line, sizeof(line), stdin)) {
		unsigned int numbers[4] = { 0 };

		if (sscanf(line, "%31s %u %u %u %u", name, &numbers[0], &numbers[1], &numbers[2],
			   &numbers[3]) < 2)
			continue;
		fflush(stdout);
		if (!strcmp(name, "sleep"))
			usleep(numbers[0] * 1000);
		else
			call(name, numbers);
	}
	return 0;
}
