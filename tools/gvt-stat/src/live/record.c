// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/command.h"
#include "sampling/sampler.h"
#include "host/browse.h"
#include "host/datwrite.h"
#include "host/preset.h"
#include "host/signals.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "trace/util.h"
#include "flight.h"
#include "metadata.h"
#include "tracing.h"
#include "tsc.h"
#include "host-options.h"

#define DEFAULT_BUFFER_KB	4096
#define MAX_BUFFER_KB		(1 << 20)
#define LEAST_NS		NSEC_PER_MSEC
#define MOST_NS			(100000000 * NSEC_PER_SEC)

#define LEAST_KEEP_NS		(2 * NSEC_PER_SEC)
#define MOST_KEEP_NS		(86400 * NSEC_PER_SEC)
#define DEFAULT_AFTER_NS	NSEC_PER_SEC
#define DEFAULT_KEEP_MB		256
#define MOST_KEEP_MB		(1 << 20)
#define DEFAULT_MAX_FILES	16

#define POLL_MS			100
#define PROGRESS_US		(G_USEC_PER_SEC / 2)
/* maximum number of pages to read from one CPU before the next CPU */
#define BURST_PAGES		64

enum record_key {
	KEY_OPEN = 0x500,
	KEY_ENERGY,
	KEY_KEEP,
	KEY_ON,
	KEY_AFTER,
	KEY_LISTEN,
	KEY_KEEP_MB,
	KEY_MAX_FILES,
};

struct record_options {
	struct host_options host;
	const char *output;
	const char *preset;
	const char *clock;
	GPtrArray *events;		/* of char *, ends with NULL after parsing */
	int buffer_kb;
	bool open;			/* show the trace after recording */
	unsigned int energy_hz;		/* samples of the energy counter; 0: none */
	double seconds;			/* NAN: until the command ends or a signal arrives */
	char **command;			/* ends with NULL; NULL: none */
	struct flight_options flight;
	const char *only_flight;	/* an option that needs --keep; NULL: none was given */
};

struct recording {
	const struct record_options *options;
	struct tracing *tracing;
	int *pages;			/* a nameless file for each CPU */
	int cpus;
	char *page;
	size_t page_size;
	int64_t bytes;
	pid_t child;			/* 0: no command, or it has ended */
	int child_status;		/* exit status of the command */
	int signals;			/* signalfd */
	bool interrupted;
	gint64 start_us;
	gint64 progress_us;
	int64_t tsc_khz;		/* 0: another clock, or unknown */
	struct energy_source *energy;	/* NULL: not to be sampled */
	struct gpu_counters *gpu;	/* the same */
	char *missing;			/* of these, and why; NULL: none */
};

/* The command follows "--"; the name of a preset may precede it. */
static void parse_argument(char *arg, struct record_options *options, struct argp_state *state)
{
	if (state->quoted && state->next > state->quoted) {
		options->command = state->argv + state->next - 1;
		state->next = state->argc;
		return;
	}
	if (options->preset)
		argp_error(state, "'%s': there is a preset already; put '--' before a command", arg);
	options->preset = arg;
}

static void add_cause(struct record_options *options, const char *arg, struct argp_state *state)
{
	struct cause *cause;
	char *why;

	cause = cause_parse(arg, &why);
	if (!cause)
		argp_error(state, "--on %s", why);
	g_ptr_array_add(options->flight.causes, cause);
}

/* of the flight recorder */
static error_t parse_flight(int key, char *arg, struct argp_state *state)
{
	struct record_options *options = state->input;

	switch (key) {
	case KEY_KEEP:
		options->flight.keep_ns = options_length(arg, "--keep", LEAST_KEEP_NS, MOST_KEEP_NS, state);
		return 0;
	case KEY_ON:
		options->only_flight = "--on";
		add_cause(options, arg, state);
		return 0;
	case KEY_AFTER:
		options->only_flight = "--after";
		options->flight.after_ns = options_length(arg, "--after", LEAST_NS, MOST_KEEP_NS, state);
		return 0;
	case KEY_LISTEN:
		options->only_flight = "--listen";
		options->flight.listen = arg;
		return 0;
	case KEY_KEEP_MB:
		options->only_flight = "--keep-mb";
		options->flight.most_mb = options_number(arg, "--keep-mb", MOST_KEEP_MB, state);
		return 0;
	case KEY_MAX_FILES:
		options->only_flight = "--max-files";
		options->flight.most_files = options_number(arg, "--max-files", INT32_MAX, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check_flight(const struct record_options *options, struct argp_state *state)
{
	if (!options->flight.keep_ns && options->only_flight)
		argp_error(state, "%s is for flight recordings: give --keep, such as --keep 30s", options->only_flight);
	if (options->flight.keep_ns && options->command)
		argp_error(state, "--keep records until a signal comes or -d is over: start the command beside it");
	if (options->flight.keep_ns && options->open)
		argp_error(state, "--keep and --open: open one of its files, 'gvt-stat export --open'");
	if (options->flight.keep_ns && options->energy_hz)
		argp_error(state, "--keep and --energy: energy is not sampled in flight recordings");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct record_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->host;
		break;
	case 'o':
		options->output = arg;
		break;
	case 'C':
		options->clock = arg;
		break;
	case 'e':
		g_ptr_array_add(options->events, arg);
		break;
	case 'b':
		options->buffer_kb = options_number(arg, "--buffer-kb", MAX_BUFFER_KB, state);
		break;
	case 'd':
		options->seconds = (double)options_length(arg, "--duration", LEAST_NS, MOST_NS, state) /
				   NSEC_PER_SEC;
		break;
	case KEY_OPEN:
		if (strcmp(arg, "html"))
			argp_error(state, "--open %s: give html", make_printable(arg));
		options->open = true;
		break;
	case KEY_ENERGY:
		options->energy_hz = arg ? options_number(arg, "--energy", ENERGY_MOST_HZ, state) :
				     ENERGY_DEFAULT_HZ;
		break;
	case ARGP_KEY_ARG:
		parse_argument(arg, options, state);
		break;
	case ARGP_KEY_END:
		check_flight(options, state);
		break;
	default:
		return parse_flight(key, arg, state);
	}
	return 0;
}

static void open_pages(struct recording *recording, const char *directory)
{
	const int *buffers = tracing_buffers(recording->tracing, &recording->cpus);

	recording->page_size = datwrite_page_size(directory);
	recording->page = g_malloc(recording->page_size);
	recording->pages = g_new(int, recording->cpus);
	for (int cpu = 0; cpu < recording->cpus; cpu++)
		recording->pages[cpu] = buffers[cpu] < 0 ? -1 :
					datwrite_buffer(recording->options->output);
}

static void write_page(struct recording *recording, int cpu)
{
	const char *output = recording->options->output;
	ssize_t done = write(recording->pages[cpu], recording->page, recording->page_size);

	if (done == (ssize_t)recording->page_size) {
		recording->bytes += done;
		return;
	}
	fatal("%s: cannot write: %s; nothing was recorded, tracing is as it was before", output,
	      done < 0 ? strerror(errno) : strerror(ENOSPC));
}

/* returns true if there may be more pages */
static bool read_pages(struct recording *recording, int fd, int cpu)
{
	for (int nr = 0; nr < BURST_PAGES; nr++) {
		ssize_t len = read(fd, recording->page, recording->page_size);

		if (len <= 0)
			return false;
		memset(recording->page + len, 0, recording->page_size - len);
		write_page(recording, cpu);
	}
	return true;
}

static bool read_buffers(struct recording *recording)
{
	const int *buffers = tracing_buffers(recording->tracing, &recording->cpus);
	bool more = false;

	for (int cpu = 0; cpu < recording->cpus; cpu++)
		if (buffers[cpu] >= 0 && read_pages(recording, buffers[cpu], cpu))
			more = true;
	return more;
}

static void start_command(struct recording *recording)
{
	char **command = recording->options->command;
	posix_spawnattr_t attr;
	sigset_t none;
	int error;

	if (!command)
		return;
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	error = posix_spawnp(&recording->child, command[0], NULL, &attr, command, environ);
	if (error)
		fatal("cannot run '%s': %s", command[0], strerror(error));
	posix_spawnattr_destroy(&attr);
}

static void reap(struct recording *recording)
{
	int status;

	if (!recording->child || waitpid(recording->child, &status, WNOHANG) <= 0)
		return;
	recording->child = 0;
	recording->child_status = WIFEXITED(status) ? WEXITSTATUS(status) :
				  128 + WTERMSIG(status);
}

static void receive_signals(struct recording *recording)
{
	int number;

	while ((number = signals_read(recording->signals))) {
		if (number == SIGCHLD)
			reap(recording);
		else
			recording->interrupted = true;
	}
}

static bool is_over(const struct recording *recording)
{
	gint64 past_us = g_get_monotonic_time() - recording->start_us;

	if (recording->interrupted || past_us >= recording->options->seconds * G_USEC_PER_SEC)
		return true;
	return recording->options->command && !recording->child;
}

static int timeout_ms(const struct recording *recording)
{
	gint64 past_us = g_get_monotonic_time() - recording->start_us;
	double left_ms = recording->options->seconds * 1000 - past_us / 1000.0;

	return isnan(left_ms) ? POLL_MS : CLAMP(ceil(left_ms), 0, POLL_MS);
}

static void show_progress(struct recording *recording)
{
	gint64 now_us = g_get_monotonic_time();

	if (now_us < recording->progress_us || !can_draw(STDERR_FILENO))
		return;
	recording->progress_us = now_us + PROGRESS_US;
	fprintf(stderr, "\rgvt-stat: recording for %.1f s, %.1f MB\033[K",
		(double)(now_us - recording->start_us) / G_USEC_PER_SEC, recording->bytes / 1e6);
}

static void run(struct recording *recording)
{
	const int *buffers = tracing_buffers(recording->tracing, &recording->cpus);
	struct pollfd *fds = g_new0(struct pollfd, recording->cpus + 1);

	for (int cpu = 0; cpu < recording->cpus; cpu++)
		fds[cpu] = (struct pollfd) { .fd = buffers[cpu], .events = POLLIN };
	fds[recording->cpus] = (struct pollfd) { .fd = recording->signals, .events = POLLIN };
	recording->start_us = g_get_monotonic_time();
	while (!is_over(recording)) {
		poll(fds, recording->cpus + 1, timeout_ms(recording));
		for (int cpu = 0; cpu < recording->cpus; cpu++)
			if (fds[cpu].revents & POLLIN)
				read_pages(recording, buffers[cpu], cpu);
		receive_signals(recording);
		show_progress(recording);
	}
	g_free(fds);
}

/* A signal that stops the recording also stops the command, as in perf record. */
static void end_command(struct recording *recording)
{
	if (recording->child && recording->interrupted)
		kill(recording->child, SIGTERM);
}

static void write_output(const struct recording *recording, const struct datwrite *trace)
{
	const char *output = recording->options->output;
	int error = datwrite_file(trace, output);

	if (error)
		fatal("%s: cannot write: %s; nothing was recorded, tracing is as it was before",
		      output, strerror(error));
}

static void add_mark(void *ctx, const char *mark)
{
	tracing_mark(ctx, mark);
}

static bool add_sample(void *ctx, const char *mark)
{
	return tracing_mark(ctx, mark);
}

/* Before anything is recorded: whoever asks for energy wants no trace without it. */
static void open_energy(struct recording *recording)
{
	char *why;

	if (!recording->options->energy_hz)
		return;
	recording->energy = energy_source_open(recording->options->host.sysroot, &why);
	if (!recording->energy)
		fatal("--energy: the GPU's energy counter cannot be read: %s", why);
	recording->gpu = gpu_counters_open(recording->options->host.sysroot, &recording->missing);
}

static void close_energy(struct recording *recording)
{
	if (!recording->energy)
		return;
	energy_source_close(recording->energy);
	gpu_counters_close(recording->gpu);
	g_free(recording->missing);
}

static struct energy_sampler *start_energy(struct recording *recording)
{
	return recording->energy ? energy_sampler_start(recording->energy, recording->gpu,
							recording->options->energy_hz, add_sample,
							recording->tracing) : NULL;
}

static struct energy_sampled stop_energy(struct energy_sampler *sampler)
{
	return sampler ? energy_sampler_stop(sampler) : (struct energy_sampled) { 0 };
}

static void write_metadata(const struct recording *recording, const char *kernel)
{
	const struct record_options *options = recording->options;
	struct sysfs *host = sysfs_scan(options->host.sysroot);
	char *command = options->command ? g_strjoinv(" ", options->command) : NULL;
	struct metadata metadata = {
		.kernel = kernel, .preset = options->preset, .clock = options->clock,
		.command = command ? make_printable(command) : NULL, .host = host,
		.tsc_khz = recording->tsc_khz,
	};

	vm_find(options->host.sysroot, host->vgpus);
	metadata_write(&metadata, add_mark, recording->tracing);
	g_free(command);
	sysfs_free(host);
}

static void summarize(const struct recording *recording, struct tracing_counts counts,
		      gint64 past_us)
{
	fprintf(stderr, "%sgvt-stat: %s: %" PRId64 " events in %.1f s\n",
		can_draw(STDERR_FILENO) ? "\r\033[K" : "", recording->options->output,
		counts.events, (double)past_us / G_USEC_PER_SEC);
	if (counts.lost)
		warn("%" PRId64 " events were lost: larger buffers may help, -b %d or more",
		     counts.lost, recording->options->buffer_kb * 2);
}

static void summarize_energy(const struct recording *recording, struct energy_sampled sampled, gint64 past_us)
{
	if (!recording->energy)
		return;
	fprintf(stderr, "gvt-stat: energy: %" PRId64 " samples of %s, %" PRId64 " of them at an update of the counter; sampling took %.3f %% of a CPU\n",
		sampled.samples, energy_source_counter(recording->energy)->source, sampled.on_edges,
		past_us ? sampled.cpu_ns / 10.0 / past_us : 0);
	if (recording->missing)
		warn("these counters of i915 are not in the trace: %s", recording->missing);
	if (sampled.failed)
		warn("energy was sampled for a part of the time only: %s",
		     sampled.unread ? "a read of the counter failed" : "a mark could not be written");
}

static char **read_stats(const struct recording *recording)
{
	char **stats = g_new(char *, recording->cpus);

	for (int cpu = 0; cpu < recording->cpus; cpu++)
		stats[cpu] = tracing_stats(recording->tracing, cpu);
	return stats;
}

static void free_stats(const struct recording *recording, char **stats)
{
	for (int cpu = 0; cpu < recording->cpus; cpu++)
		free(stats[cpu]);
	g_free(stats);
}

static void record(struct recording *recording, const char *directory, const GPtrArray *events)
{
	const struct record_options *options = recording->options;
	char *kernel = metadata_system(), **stats;
	struct tracing_counts counts;
	struct energy_sampler *sampler;
	struct energy_sampled sampled;
	gint64 past_us;

	tracing_on(recording->tracing, true);
	write_metadata(recording, kernel);
	start_command(recording);
	sampler = start_energy(recording);
	run(recording);
	sampled = stop_energy(sampler);
	past_us = g_get_monotonic_time() - recording->start_us;
	tracing_on(recording->tracing, false);
	end_command(recording);
	while (read_buffers(recording))
		;
	counts = tracing_count(recording->tracing);
	stats = read_stats(recording);
	write_output(recording, &(struct datwrite) {
		.tracing = directory, .events = events, .clock = options->clock,
		.uname = kernel, .cpus = recording->cpus, .pages = recording->pages,
		.stats = stats,
	});
	summarize(recording, counts, past_us);
	summarize_energy(recording, sampled, past_us);
	free_stats(recording, stats);
	g_free(kernel);
}

static void check_clock(struct recording *recording)
{
	const char *clock = recording->options->clock;

	if (!strcmp(clock, "counter"))
		fatal("-C counter: that clock only counts events; mono is a good one");
	if (!strcmp(clock, "x86-tsc"))
		recording->tsc_khz = tsc_khz();
}

static void record_once(struct recording *recording, const char *directory, const GPtrArray *events)
{
	open_pages(recording, directory);
	record(recording, directory, events);
	for (int cpu = 0; cpu < recording->cpus; cpu++)
		if (recording->pages[cpu] >= 0)
			close(recording->pages[cpu]);
	close_energy(recording);
	g_free(recording->page);
	g_free(recording->pages);
}

static void fly(const struct recording *recording, const char *directory, const GPtrArray *events)
{
	const struct record_options *options = recording->options;

	flight_run(&options->flight, &(struct flight_events) {
		.sysroot = options->host.sysroot, .directory = directory, .events = events,
		.preset = options->preset, .clock = options->clock, .output = options->output,
		.tsc_khz = recording->tsc_khz, .seconds = options->seconds, .signals = recording->signals,
	}, recording->tracing);
}

static int record_run(const struct record_options *options)
{
	struct recording recording = { .options = options };
	GPtrArray *events;
	char *directory;

	open_energy(&recording);
	directory = tracing_directory(options->host.sysroot);
	events = preset_events(directory, options->preset, (char *const *)options->events->pdata);
	check_clock(&recording);
	recording.signals = signals_open((const int[]) {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, options->flight.keep_ns ? SIGUSR1 : 0, 0
	});
	recording.tracing = tracing_open(directory, events, options->clock, options->buffer_kb);
	if (options->flight.keep_ns)
		fly(&recording, directory, events);
	else
		record_once(&recording, directory, events);
	tracing_close(recording.tracing);
	close(recording.signals);
	g_ptr_array_free(events, TRUE);
	g_free(directory);
	if (options->open && !browse_trace(options->output))
		return recording.child_status ? recording.child_status : EXIT_FAILURE;
	return recording.child_status;
}

static int record_main(int argc, char **argv)
{
	static const struct argp_option option_table[] = {
		{ "output", 'o', "FILE", 0, "Trace to write (trace.dat)", 0 },
		{ "event", 'e', "SYSTEM[:EVENT]", 0, "Also record this; may be repeated", 0 },
		{ "clock", 'C', "NAME", 0, "Trace clock (mono)", 0 },
		{ "duration", 'd', "TIME", 0, "Stop after this time", 0 },
		{ "open", KEY_OPEN, "html", 0,
		  "After recording, write the page of the trace and open it in a browser", 0 },
		{ "energy", KEY_ENERGY, "HZ", OPTION_ARG_OPTIONAL,
		  "Also sample the GPU's energy counter, so often a second (100)", 0 },
		{ "buffer-kb", 'b', "N", 0, "Size of the kernel's buffer per CPU (4096)", 0 },
		{ "keep", KEY_KEEP, "TIME", 0,
		  "Record into memory, and write the last TIME before a trigger to a file: SIGUSR1, --on, --listen", 0 },
		{ "on", KEY_ON, "CONDITION", 0,
		  "With --keep, a trigger: p99:VM>50ms, idle-waiting>20% or reset; may be repeated", 0 },
		{ "after", KEY_AFTER, "TIME", 0, "With --keep, record so long after a trigger, too (1s)", 0 },
		{ "listen", KEY_LISTEN, "ADDRESS:PORT", 0, "With --keep, POST of /keep there is a trigger", 0 },
		{ "keep-mb", KEY_KEEP_MB, "N", 0, "With --keep, the most memory for it, in MB (256)", 0 },
		{ "max-files", KEY_MAX_FILES, "N", 0, "With --keep, remove its oldest file if there are more (16)", 0 },
		{ 0 }
	};
	static const struct argp_child children[] = { { &sysroot_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "[PRESET] [-- COMMAND [ARGUMENT...]]",
		.doc = "Record a trace of GVT-g, until COMMAND ends, a signal arrives or the duration is over.\v"
		       "PRESET is gvt (default), gpu (plus i915's requests), simulate (only what simulate and advise need), full (plus CPU scheduler, KVM and interrupts) or none (only -e).",
		.children = children,
	};
	struct record_options options = {
		.host = { .sysroot = "" }, .output = "trace.dat", .clock = "mono",
		.buffer_kb = DEFAULT_BUFFER_KB, .seconds = NAN,
		.flight = {
			.after_ns = DEFAULT_AFTER_NS, .most_mb = DEFAULT_KEEP_MB, .most_files = DEFAULT_MAX_FILES,
			.causes = g_ptr_array_new_with_free_func(cause_free),
		},
	};
	int status;

	options.events = g_ptr_array_new();
	/* keeps the order, as argp would otherwise move the preset behind the '--' */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &options);
	options.preset = options.preset ? options.preset : PRESET_DEFAULT;
	g_ptr_array_add(options.events, NULL);
	status = record_run(&options);
	g_ptr_array_free(options.events, TRUE);
	g_ptr_array_free(options.flight.causes, TRUE);
	return status;
}

const struct command record_command = {
	.name = "record",
	.main = record_main,
};
