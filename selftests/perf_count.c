// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_count - count events of a PMU for a while
 *
 * usage: perf_count PMU MILLISECONDS CONFIG...
 *
 * Prints "CONFIG COUNT" for each event that can be opened, else "CONFIG" and the error's name.
 * With a duration of 0, waits for the end of its standard input instead, after a line "open".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_EVENTS 64

static int pmu_type(const char *pmu)
{
	char path[256];
	int type = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &type) != 1)
		fprintf(stderr, "perf_count: cannot read %s\n", path);
	if (file)
		fclose(file);
	return type;
}

static int open_event(int type, const char *config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = strtoull(config, NULL, 0),
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void pause_ms(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static void wait_for_end(void)
{
	char c;

	printf("open\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
}

static bool print_count(const char *config, int fd)
{
	unsigned long long count;

	if (fd < 0) {
		printf("%s %s\n", config, strerrorname_np(-fd));
		return true;
	}
	if (read(fd, &count, sizeof(count)) != sizeof(count)) {
		perror("perf_count: read");
		return false;
	}
	printf("%s %llu\n", config, count);
	return true;
}

int main(int argc, char **argv)
{
	int fd[MAX_EVENTS], type, i;
	bool ok = true;

	if (argc < 4 || argc > MAX_EVENTS) {
		fprintf(stderr, "usage: perf_count PMU MILLISECONDS CONFIG...\n");
		return 2;
	}

	type = pmu_type(argv[1]);
	if (type < 0)
		return 1;

	for (i = 3; i < argc; i++)
		fd[i] = open_event(type, argv[i]);
	if (atol(argv[2]))
		pause_ms(atol(argv[2]));
	else
		wait_for_end();
	for (i = 3; i < argc; i++)
		ok = print_count(argv[i], fd[i]) && ok;
	return !ok;
}
