// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flight/history.h"
#include "flight/trigger.h"
#include "host/counters.h"
#include "host/datwrite.h"
#include "host/signals.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "trace/recorded.h"
#include "trace/util.h"
#include "flight.h"
#include "metadata.h"

/* between samples of the counters */
#define SAMPLE_NS	NSEC_PER_SEC
/* what conditions look back; less if less is kept */
#define WINDOW_SAMPLES	10
/* at idle engines, in that time */
#define LOOKS		50
/* of the times of looks, which are the same in each run */
#define LOOK_SEED	1
/* pages of a CPU to read before the next one's turn */
#define BURST_PAGES	64
#define MOST_ROUNDS	64
/* readings in the time that is kept, at least: a file holds that much more than asked */
#define READINGS	8
/* triggers of a file */
#define MOST_TOLD	4
/* of a POST: far more than Alertmanager sends of a thousand alerts */
#define MOST_BODY	(1 << 20)

struct flight {
	const struct flight_options *options;
	const struct flight_events *events;
	struct tracing *tracing;
	const int *buffers;
	int cpus;
	size_t page_size;
	void *page;
	char *kernel;
	struct history *history;
	struct triggers triggers;
	struct counter counter;
	GQueue samples;			/* struct counts */
	unsigned int window;		/* samples to look back */
	int64_t sample_ns, look_ns;	/* the next ones; INT64_MAX: none */
	GRand *random;			/* for times of looks */
	int64_t end_ns;
	int64_t lost;			/* events, until the last file ended */
	int64_t read_ns;		/* when the buffers are to be read again, however empty they are */
	struct MHD_Daemon *daemon;	/* NULL: none */
	bool over;
	pid_t writer;			/* 0: no file is being written */
	char *path;			/* of that file */
	GQueue files;			/* char *: paths of those written, the oldest first */
};

/* where a file ends and the next one may begin */
struct cut {
	int64_t *events;		/* of each CPU, that were read until then */
	int64_t lost;			/* events */
	int64_t on_ns, paused_ns;
};

static int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void add_mark(void *ctx, const char *mark)
{
	tracing_mark(ctx, mark);
}

/* Of a storm of triggers, the first ones of each file are told, the others only counted. */
static void trigger(struct flight *flight, const char *cause, const char *told)
{
	char *mark;

	if (flight->triggers.count < MOST_TOLD) {
		mark = g_strconcat(RECORDED_PREFIX "trigger ", told, NULL);
		add_mark(flight->tracing, mark);
		fprintf(stderr, "gvt-stat: %s\n", told);
		g_free(mark);
	}
	triggers_add(&flight->triggers, cause, now_ns());
}

/* --- the history ---------------------------------------------------------------------------- */

static bool read_pages(struct flight *flight, int cpu)
{
	for (int nr = 0; nr < BURST_PAGES; nr++) {
		ssize_t len = read(flight->buffers[cpu], flight->page, flight->page_size);

		if (len <= 0)
			return false;
		memset((char *)flight->page + len, 0, flight->page_size - len);
		history_add(flight->history, cpu, flight->page);
	}
	return true;
}

/* A burst of each CPU; returns true if there may be more. */
static bool read_round(struct flight *flight)
{
	bool more = false;

	for (int cpu = 0; cpu < flight->cpus; cpu++)
		if (flight->buffers[cpu] >= 0 && read_pages(flight, cpu))
			more = true;
	return more;
}

static void count_events(const struct flight *flight, int64_t *events, int64_t *lost)
{
	*lost = 0;
	for (int cpu = 0; cpu < flight->cpus; cpu++) {
		struct tracing_counts counts = tracing_count_cpu(flight->tracing, cpu);

		events[cpu] = counts.events;
		*lost += counts.lost;
	}
}

/* Until the buffers are empty; but those that are written faster than they can be read never are. */
static void read_buffers(struct flight *flight)
{
	int64_t *events = g_new(int64_t, flight->cpus), lost;

	for (int nr = 0; nr < MOST_ROUNDS && read_round(flight); nr++)
		;
	count_events(flight, events, &lost);
	history_end(flight->history, now_ns(), events);
	history_drop(flight->history, triggers_need(&flight->triggers, now_ns()));
	flight->read_ns = now_ns() + flight->options->keep_ns / READINGS;
	g_free(events);
}

/* What the kernel would say of a recording that began with the history. */
static char **make_stats(const struct flight *flight)
{
	char **stats = g_new(char *, flight->cpus);

	for (int cpu = 0; cpu < flight->cpus; cpu++)
		stats[cpu] = g_strdup_printf("entries: 0\nread events: %" PRId64 "\n", history_events(flight->history, cpu));
	return stats;
}

static void free_stats(const struct flight *flight, char **stats)
{
	for (int cpu = 0; cpu < flight->cpus; cpu++)
		g_free(stats[cpu]);
	g_free(stats);
}

static void write_metadata(struct flight *flight)
{
	watch_scan(&flight->counter.watch);
	metadata_write(&(struct metadata) {
		.kernel = flight->kernel, .preset = flight->events->preset, .clock = flight->events->clock,
		.tsc_khz = flight->events->tsc_khz, .host = flight->counter.watch.sysfs,
	}, add_mark, flight->tracing);
}

/* --- files ---------------------------------------------------------------------------------- */

static FILE *open_pages(const struct flight *flight, int cpu)
{
	FILE *stream = fdopen(datwrite_buffer(flight->path), "w+");

	if (!stream || !history_write(flight->history, cpu, stream))
		fatal("%s: cannot write: %s; this recording is lost, the next one goes on", flight->path, strerror(errno));
	return stream;
}

/* The child of a fork: a slow disk does not keep the parent from recording. Its history is of the moment. */
_Noreturn static void write_file(const struct flight *flight, char **stats)
{
	int *pages = g_new(int, flight->cpus), error;

	/* of the parent's clients, too, who wait until all copies are closed */
	close_range(STDERR_FILENO + 1, ~0U, 0);
	for (int cpu = 0; cpu < flight->cpus; cpu++)
		pages[cpu] = flight->buffers[cpu] < 0 ? -1 : fileno(open_pages(flight, cpu));
	error = datwrite_file(&(struct datwrite) {
		.tracing = flight->events->directory, .events = flight->events->events, .clock = flight->events->clock,
		.uname = flight->kernel, .cpus = flight->cpus, .pages = pages, .stats = stats,
	}, flight->path);
	if (error)
		fatal("%s: cannot write: %s; this recording is lost, the next one goes on", flight->path, strerror(error));
	exit(EXIT_SUCCESS);
}

static void tell_short(const struct flight *flight, int64_t before_ns)
{
	const struct flight_options *options = flight->options;
	double before_s = (double)before_ns / NSEC_PER_SEC, keep_s = (double)options->keep_ns / NSEC_PER_SEC;

	if (before_ns >= options->keep_ns)
		return;
	if (history_full(flight->history))
		warn("%s: of %g s before it, %.1f s were kept, as %u MB hold no more: give --keep-mb %.0f, or a preset with fewer events",
		     flight->path, keep_s, before_s, options->most_mb, ceil(options->most_mb * keep_s / MAX(before_s, 0.1)));
	else
		fprintf(stderr, "gvt-stat: %s: of %g s before it, %.1f s are in this file, which begins where %s\n",
			flight->path, keep_s, before_s, flight->files.length ? "the last one ends" : "the recording began");
}

static void tell_file(const struct flight *flight, const struct cut *cut)
{
	const struct triggers *triggers = &flight->triggers;

	fprintf(stderr, "gvt-stat: %s: %u trigger%s, %.1f MB, recording paused for %.3f ms\n", flight->path,
		triggers->count, triggers->count == 1 ? "" : "s", history_bytes(flight->history) / 1e6,
		(double)cut->paused_ns / NSEC_PER_MSEC);
	tell_short(flight, triggers->first_ns - history_since(flight->history));
	if (cut->lost)
		warn("%s: %" PRId64 " events were lost: larger buffers may help, -b", flight->path, cut->lost);
}

/* The oldest files go, so that a condition that never ends does not fill the disk. */
static void add_file(struct flight *flight)
{
	g_queue_push_tail(&flight->files, flight->path);
	flight->path = NULL;
	while (flight->files.length > flight->options->most_files) {
		char *path = g_queue_pop_head(&flight->files);

		if (!unlink(path))
			fprintf(stderr, "gvt-stat: %s was removed, as there are %u later files\n", path,
				flight->options->most_files);
		g_free(path);
	}
}

static void reap(struct flight *flight, int flags)
{
	int status;

	if (!flight->writer || waitpid(flight->writer, &status, flags) != flight->writer)
		return;
	flight->writer = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
		add_file(flight);
	else if (WIFSIGNALED(status))
		warn("%s: the writer was ended by signal %d; this recording is lost, the next one goes on",
		     flight->path, WTERMSIG(status));
	g_free(flight->path);
	flight->path = NULL;
}

static void start_writer(struct flight *flight, char **stats)
{
	flight->writer = fork();
	if (!flight->writer)
		write_file(flight, stats);
	if (flight->writer > 0)
		return;
	warn("%s: cannot start a process to write it: %s; this recording is lost, the next one goes on", flight->path,
	     strerror(errno));
	flight->writer = 0;
	g_free(flight->path);
	flight->path = NULL;
}

/*
 * All CPUs end at one moment, and begin anew at one: what is between is in no file. Most is read
 * before, so that it is short.
 */
static struct cut cut_history(struct flight *flight)
{
	struct cut cut = { .events = g_new(int64_t, flight->cpus) };
	int64_t off_ns, lost;

	read_buffers(flight);
	off_ns = now_ns();
	tracing_on(flight->tracing, false);
	while (read_round(flight))
		;
	count_events(flight, cut.events, &lost);
	tracing_on(flight->tracing, true);
	cut.on_ns = now_ns();
	cut.paused_ns = cut.on_ns - off_ns;
	history_end(flight->history, off_ns, cut.events);
	cut.lost = lost - flight->lost;
	flight->lost = lost;
	return cut;
}

static void keep_file(struct flight *flight)
{
	GDateTime *now = g_date_time_new_now_local();
	GDateTime *when = g_date_time_add(now, (flight->triggers.first_ns - now_ns()) / 1000);
	struct cut cut;
	char **stats;

	flight->path = trigger_path(flight->events->output, when, flight->triggers.cause);
	write_metadata(flight);
	cut = cut_history(flight);
	stats = make_stats(flight);
	tell_file(flight, &cut);
	start_writer(flight, stats);
	history_clear(flight->history, cut.on_ns, cut.events);
	triggers_done(&flight->triggers, cut.on_ns);
	free_stats(flight, stats);
	g_free(cut.events);
	g_date_time_unref(when);
	g_date_time_unref(now);
}

/* --- what happens --------------------------------------------------------------------------- */

static void take_sample(struct flight *flight)
{
	const GPtrArray *causes = flight->options->causes;
	struct cause *cause;
	char *told;

	g_queue_push_tail(&flight->samples, counts_take(&flight->counter));
	while (flight->samples.length > flight->window + 1)
		counts_free(g_queue_pop_head(&flight->samples));
	for (unsigned int nr = 0; nr < causes->len; nr++) {
		cause = causes->pdata[nr];
		if (!cause_fires(cause, &flight->samples, flight->samples.length > flight->window, &told))
			continue;
		trigger(flight, cause->text, told);
		g_free(told);
	}
}

/* Those that were missed, as while the host slept, are not made up for. */
static bool is_due(int64_t *next_ns, int64_t period_ns, int64_t at_ns)
{
	if (at_ns < *next_ns)
		return false;
	*next_ns = MAX(*next_ns, at_ns - period_ns) + period_ns;
	return true;
}

/* Frames come regularly: looks at regular times would always meet the same part of one. */
static int64_t until_look(const struct flight *flight)
{
	return flight->window * SAMPLE_NS / LOOKS * g_rand_double_range(flight->random, 0.5, 1.5);
}

static void receive_signals(struct flight *flight)
{
	int number;

	while ((number = signals_read(flight->events->signals))) {
		if (number == SIGCHLD)
			reap(flight, WNOHANG);
		else if (number == SIGUSR1)
			trigger(flight, "SIGUSR1", "SIGUSR1");
		else
			flight->over = true;
	}
}

static GString *on_post(void *ctx, const char *accept, const char **type)
{
	(void)accept;
	trigger(ctx, "POST", "POST of /keep");
	*type = "text/plain";
	return g_string_new("the recording will be kept\n");
}

static const struct server_page pages[] = {
	{ "/keep", on_post },
	{ 0 }
};

/* when the loop has something to do, whatever happens */
static int64_t next_ns(const struct flight *flight)
{
	int64_t ns = MIN(MIN(MIN(flight->sample_ns, flight->look_ns), flight->read_ns), flight->end_ns);

	if (!flight->writer)
		ns = MIN(ns, triggers_due(&flight->triggers));
	/* for slow clients */
	return flight->daemon ? MIN(ns, now_ns() + SAMPLE_NS) : ns;
}

static void wait_for_events(struct flight *flight, struct pollfd *fds)
{
	int64_t due_ns = next_ns(flight), left_ns = MAX(due_ns - now_ns(), 0);
	const struct timespec timeout = { left_ns / NSEC_PER_SEC, left_ns % NSEC_PER_SEC };
	bool full = false;

	if (ppoll(fds, flight->cpus + 2, due_ns == INT64_MAX ? NULL : &timeout, NULL) <= 0)
		return;
	for (int cpu = 0; cpu < flight->cpus; cpu++)
		full = full || fds[cpu].revents & POLLIN;
	if (full)
		read_buffers(flight);
}

static void step(struct flight *flight)
{
	int64_t at_ns;

	receive_signals(flight);
	if (flight->daemon)
		server_step(flight->daemon);
	at_ns = now_ns();
	if (at_ns >= flight->read_ns)
		read_buffers(flight);
	if (is_due(&flight->look_ns, until_look(flight), at_ns))
		counter_look(&flight->counter);
	if (is_due(&flight->sample_ns, SAMPLE_NS, at_ns))
		take_sample(flight);
	flight->over = flight->over || at_ns >= flight->end_ns;
	if (!flight->writer && now_ns() >= triggers_due(&flight->triggers))
		keep_file(flight);
}

static void run(struct flight *flight)
{
	struct pollfd *fds = g_new0(struct pollfd, flight->cpus + 2);

	for (int cpu = 0; cpu < flight->cpus; cpu++)
		fds[cpu] = (struct pollfd) { .fd = flight->buffers[cpu], .events = POLLIN };
	fds[flight->cpus] = (struct pollfd) { .fd = flight->events->signals, .events = POLLIN };
	fds[flight->cpus + 1] = (struct pollfd) {
		.fd = flight->daemon ? server_fd(flight->daemon) : -1, .events = POLLIN,
	};
	while (!flight->over) {
		wait_for_events(flight, fds);
		step(flight);
	}
	g_free(fds);
}

/* Whoever stops the recorder right after a trigger gets its file all the same. */
static void finish(struct flight *flight)
{
	reap(flight, 0);
	if (flight->triggers.count)
		keep_file(flight);
	reap(flight, 0);
}

/* --- begin and end -------------------------------------------------------------------------- */

/* A name with a mistake in it would never fire. */
static void tell_missing(struct flight *flight)
{
	const GPtrArray *causes = flight->options->causes;

	watch_scan(&flight->counter.watch);
	for (unsigned int nr = 0; nr < causes->len; nr++) {
		const struct cause *cause = causes->pdata[nr];

		if (!cause_has_vgpu(cause, flight->counter.watch.sysfs->vgpus))
			fprintf(stderr, "gvt-stat: %s: there is no such VM or vGPU now, it fires if it comes\n", cause->text);
	}
}

static void begin_causes(struct flight *flight)
{
	const GPtrArray *causes = flight->options->causes;
	char *note;

	for (unsigned int nr = 0; nr < causes->len; nr++) {
		flight->counter.parts |= cause_needs(causes->pdata[nr]);
		note = cause_note(causes->pdata[nr]);
		if (note)
			fprintf(stderr, "gvt-stat: %s\n", note);
		g_free(note);
	}
	if (flight->counter.parts & COUNTS_WAITS)
		waits_need(flight->events->sysroot);
	flight->counter.watch.sysroot = flight->events->sysroot;
	tell_missing(flight);
	flight->sample_ns = causes->len ? now_ns() : INT64_MAX;
	flight->look_ns = flight->counter.parts & COUNTS_IDLE ? flight->sample_ns : INT64_MAX;
	flight->window = CLAMP(flight->options->keep_ns / 2 / SAMPLE_NS, 1, WINDOW_SAMPLES);
	flight->random = g_rand_new_with_seed(LOOK_SEED);
	sysfs_keep_open();
}

static void begin_server(struct flight *flight, const struct server *server)
{
	int fd = listener_inherited();

	if (fd < 0 && flight->options->listen)
		fd = listener_open(flight->options->listen);
	if (fd >= 0)
		flight->daemon = server_start(server, fd);
}

static void begin_history(struct flight *flight)
{
	int64_t *events;

	flight->buffers = tracing_buffers(flight->tracing, &flight->cpus);
	flight->page_size = datwrite_page_size(flight->events->directory);
	flight->page = g_malloc(flight->page_size);
	flight->kernel = metadata_system();
	flight->history = history_new(flight->cpus, flight->page_size, (uint64_t)flight->options->most_mb * 1000000);
	tracing_on(flight->tracing, true);
	events = g_new0(int64_t, flight->cpus);
	history_clear(flight->history, now_ns(), events);
	flight->read_ns = now_ns() + flight->options->keep_ns / READINGS;
	g_free(events);
}

static void clear(struct flight *flight)
{
	if (flight->daemon)
		server_stop(flight->daemon);
	history_free(flight->history);
	counter_clear(&flight->counter);
	g_rand_free(flight->random);
	g_queue_clear_full(&flight->samples, (GDestroyNotify)counts_free);
	g_queue_clear_full(&flight->files, g_free);
	g_free(flight->page);
	g_free(flight->kernel);
}

void flight_run(const struct flight_options *options, const struct flight_events *events, struct tracing *tracing)
{
	struct flight flight = {
		.options = options, .events = events, .tracing = tracing,
		.samples = G_QUEUE_INIT, .files = G_QUEUE_INIT, .end_ns = INT64_MAX,
	};
	const struct server server = { .method = "POST", .pages = pages, .most_body = MOST_BODY, .ctx = &flight };

	/* a place where no file can be written is better known now than after a trigger */
	close(datwrite_buffer(events->output));
	triggers_init(&flight.triggers, options->keep_ns, options->after_ns);
	begin_causes(&flight);
	begin_server(&flight, &server);
	begin_history(&flight);
	if (!isnan(events->seconds))
		flight.end_ns = now_ns() + (int64_t)(events->seconds * NSEC_PER_SEC);
	fprintf(stderr, "gvt-stat: keeping the last %g s; no file is written before a trigger\n",
		(double)options->keep_ns / NSEC_PER_SEC);
	run(&flight);
	finish(&flight);
	tracing_on(tracing, false);
	clear(&flight);
}
