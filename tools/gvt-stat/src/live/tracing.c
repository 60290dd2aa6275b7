// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tracefs.h>

#include "host/preset.h"
#include "trace/util.h"
#include "tracing.h"

/* followed by the process id of the creator */
#define INSTANCE_PREFIX	"gvt-stat."

/* another process may have a file of the instance open: retry for 5 s */
#define REMOVE_TRIES	100
#define REMOVE_WAIT_US	50000

/* fill level in per cent at which poll() wakes up */
#define BUFFER_PERCENT	"25"

struct tracing {
	char *directory;		/* of the instance */
	struct tracefs_instance *instance;
	int *buffers;
	int cpus;
	int marker;
};

/* exit handlers take no argument */
static struct tracing *open_tracing;
static int guard_fd = -1;
static pid_t guard_pid;

char *tracing_directory(const char *sysroot)
{
	const char *path = NULL;
	char *directory;

	if (*sysroot) {
		directory = g_build_filename(sysroot, "sys/kernel/tracing", NULL);
		if (tracefs_set_tracing_dir(directory))
			fatal("%s: cannot be used", directory);
	} else {
		if (tracefs_tracing_dir_is_mounted(false, &path) != 1 || !path)
			fatal("tracefs is not mounted: 'mount -t tracefs nodev /sys/kernel/tracing' as root");
		directory = g_strdup(path);
	}
	if (access(directory, R_OK | W_OK | X_OK))
		fatal("%s: %s%s", directory, strerror(errno),
		      errno == ENOENT ? ": is tracefs mounted there?" : ": run as root");
	return directory;
}

static bool remove_instance(const char *directory)
{
	for (int nr = 0; nr < REMOVE_TRIES; nr++) {
		if (!rmdir(directory) || errno == ENOENT)
			return true;
		if (errno != EBUSY)
			return false;
		usleep(REMOVE_WAIT_US);
	}
	return false;
}

/*
 * The guard: a process in its own session, which waits until the kernel closes this program's end
 * of the pipe, whatever ends the program, and then removes the instance. A normal exit uses the
 * same path.
 */
_Noreturn static void guard(int fd, const char *directory)
{
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(remove_instance(directory) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void start_guard(const char *directory)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		fatal("cannot create a pipe: %s", strerror(errno));
	guard_pid = fork();
	if (guard_pid < 0)
		fatal("cannot start a process: %s", strerror(errno));
	if (!guard_pid) {
		close(fds[1]);
		guard(fds[0], directory);
	}
	close(fds[0]);
	guard_fd = fds[1];
}

static void close_buffers(struct tracing *tracing)
{
	for (int cpu = 0; cpu < tracing->cpus; cpu++)
		if (tracing->buffers[cpu] >= 0)
			close(tracing->buffers[cpu]);
	tracing->cpus = 0;
	if (tracing->marker >= 0)
		close(tracing->marker);
	tracing->marker = -1;
}

/* at exit, also through fatal() */
static void end_tracing(void)
{
	int status = 0;

	if (!open_tracing || guard_fd < 0)
		return;
	close_buffers(open_tracing);
	close(guard_fd);
	guard_fd = -1;
	while (waitpid(guard_pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		warn("%s could not be removed: another program uses it; 'rmdir %s' when it has ended",
		     open_tracing->directory, open_tracing->directory);
}

/* removes instances of processes that were killed together with their guard */
static void remove_stale(const char *directory)
{
	char *instances = g_build_filename(directory, "instances", NULL);
	GDir *dir = g_dir_open(instances, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(instances, name, NULL);
		long pid = g_str_has_prefix(name, INSTANCE_PREFIX) ?
			   atol(name + strlen(INSTANCE_PREFIX)) : 0;

		if (pid > 0 && kill(pid, 0) && errno == ESRCH)
			rmdir(path);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(instances);
}

static void write_file(const struct tracing *tracing, const char *file, const char *text)
{
	if (tracefs_instance_file_write(tracing->instance, file, text) < 0)
		fatal("%s/%s: cannot write '%s': %s", tracing->directory, file, text,
		      strerror(errno));
}

/* "local [global] mono": the kernel's list, with brackets around the active clock */
static void set_clock(const struct tracing *tracing, const char *clock)
{
	char *list = tracefs_instance_file_read(tracing->instance, "trace_clock", NULL);
	char *plain = list ? g_strdelimit(g_strdup(g_strchomp(list)), "[]", ' ') : g_strdup("");
	char **words = g_strsplit_set(plain, " ", -1);

	if (!g_strv_contains((const char *const *)words, clock))
		fatal("-C %s: this kernel has no such trace clock; it has: %s", clock, plain);
	write_file(tracing, "trace_clock", clock);
	g_strfreev(words);
	g_free(plain);
	free(list);
}

static void enable_events(const struct tracing *tracing, const GPtrArray *events)
{
	for (unsigned int nr = 0; nr < events->len; nr++) {
		const struct preset_event *event = events->pdata[nr];

		if (tracefs_event_enable(tracing->instance, event->system, event->event))
			fatal("cannot enable event %s:%s: %s", event->system, event->event,
			      strerror(errno));
	}
}

static int count_cpus(const struct tracing *tracing)
{
	char *path = g_build_filename(tracing->directory, "per_cpu", NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;
	int cpus = 0;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, "cpu"))
			cpus = MAX(cpus, atoi(name + 3) + 1);
	if (dir)
		g_dir_close(dir);
	g_free(path);
	if (!cpus)
		fatal("%s/per_cpu: no buffers; is this tracefs?", tracing->directory);
	return cpus;
}

static void open_buffers(struct tracing *tracing)
{
	int cpus = count_cpus(tracing);

	tracing->buffers = g_new0(int, cpus);
	for (; tracing->cpus < cpus; tracing->cpus++) {
		char *file = g_strdup_printf("%s/per_cpu/cpu%d/trace_pipe_raw",
					     tracing->directory, tracing->cpus);
		int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0 && errno != ENOENT)
			fatal("%s: %s", file, strerror(errno));
		tracing->buffers[tracing->cpus] = fd;
		g_free(file);
	}
}

static void prepare(struct tracing *tracing, const GPtrArray *events, const char *clock,
		    int buffer_kb)
{
	char size[16];

	snprintf(size, sizeof(size), "%d", buffer_kb);
	write_file(tracing, "tracing_on", "0");
	set_clock(tracing, clock);
	write_file(tracing, "buffer_size_kb", size);
	/* kernels before 4.20 wake up for every event, which works but costs time */
	tracefs_instance_file_write(tracing->instance, "buffer_percent", BUFFER_PERCENT);
	enable_events(tracing, events);
	open_buffers(tracing);
	tracing->marker = tracefs_instance_file_open(tracing->instance, "trace_marker",
						     O_WRONLY | O_CLOEXEC);
}

struct tracing *tracing_open(const char *directory, const GPtrArray *events, const char *clock,
			     int buffer_kb)
{
	struct tracing *tracing = g_new0(struct tracing, 1);
	char *name = g_strdup_printf(INSTANCE_PREFIX "%d", (int)getpid());

	remove_stale(directory);
	tracing->directory = g_build_filename(directory, "instances", name, NULL);
	tracing->marker = -1;
	open_tracing = tracing;
	atexit(end_tracing);
	start_guard(tracing->directory);
	tracing->instance = tracefs_instance_create(name);
	if (!tracing->instance)
		fatal("%s: cannot create a tracing instance: %s", tracing->directory,
		      strerror(errno));
	prepare(tracing, events, clock, buffer_kb);
	g_free(name);
	return tracing;
}

void tracing_close(struct tracing *tracing)
{
	end_tracing();
	open_tracing = NULL;
	tracefs_instance_free(tracing->instance);
	g_free(tracing->buffers);
	g_free(tracing->directory);
	g_free(tracing);
}

void tracing_on(struct tracing *tracing, bool on)
{
	write_file(tracing, "tracing_on", on ? "1" : "0");
}

bool tracing_mark(const struct tracing *tracing, const char *text)
{
	if (tracing->marker >= 0 && write(tracing->marker, text, strlen(text)) >= 0)
		return true;
	warn("cannot write '%s' into the trace", text);
	return false;
}

const int *tracing_buffers(const struct tracing *tracing, int *cpus)
{
	*cpus = tracing->cpus;
	return tracing->buffers;
}

/* a value such as "overrun: 12" from per_cpu/cpuN/stats */
static int64_t read_stat(const char *stats, const char *name)
{
	const char *line = strstr(stats, name);

	return line ? g_ascii_strtoll(line + strlen(name), NULL, 10) : 0;
}

char *tracing_stats(const struct tracing *tracing, int cpu)
{
	char *file = g_strdup_printf("per_cpu/cpu%d/stats", cpu);
	char *stats = tracefs_instance_file_read(tracing->instance, file, NULL);

	g_free(file);
	return stats;
}

struct tracing_counts tracing_count_cpu(const struct tracing *tracing, int cpu)
{
	struct tracing_counts counts = { 0 };
	char *stats = tracing_stats(tracing, cpu);

	if (stats) {
		counts.events = read_stat(stats, "read events: ");
		counts.left = read_stat(stats, "entries: ");
		counts.lost = read_stat(stats, "\noverrun: ") + read_stat(stats, "dropped events: ");
	}
	free(stats);
	return counts;
}

struct tracing_counts tracing_count(const struct tracing *tracing)
{
	struct tracing_counts counts = { 0 };

	for (int cpu = 0; cpu < tracing->cpus; cpu++) {
		struct tracing_counts more = tracing_count_cpu(tracing, cpu);

		counts.events += more.events;
		counts.left += more.left;
		counts.lost += more.lost;
	}
	return counts;
}
