// SPDX-License-Identifier: GPL-2.0-or-later
/* rig-i915-load: one stream of workloads through i915's uAPI, for inside guests. */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "duration.h"
#include "i915_client.h"
#include "stream.h"

enum kind { NUMBER, DURATION };

enum key {
	KEY_ENGINE = 0x100, KEY_VGPU, KEY_NAME, KEY_DEVICE, KEY_ARRIVAL, KEY_COMMAND,
	KEY_NUMBERS,	/* from here on: numbers[] */
};

/* Options with a number, in the order of their keys. */
enum number {
	EXEC, PIECES, THINK, DEPTH, PERIOD, COUNT, SEED, HANG_AT, BANDWIDTH, BOUND, WARMUP, SECONDS,
	N_NUMBERS
};

static const struct {
	const char *name;
	enum kind kind;
	uint64_t min, max;
} numbers[N_NUMBERS] = {
	[EXEC] = { "exec", DURATION, 1000, 60 * CLOCK_SECOND },
	[PIECES] = { "pieces", NUMBER, 1, 4096 },
	[THINK] = { "think", DURATION, 0, 60 * CLOCK_SECOND },
	[DEPTH] = { "depth", NUMBER, 1, I915_MAX_SLOTS },
	[PERIOD] = { "period", DURATION, 0, 60 * CLOCK_SECOND },
	[COUNT] = { "count", NUMBER, 0, 4000000000 },
	[SEED] = { "seed", NUMBER, 0, (1ull << 48) - 1 },
	[HANG_AT] = { "hang-at", NUMBER, 0, 4000000000 },
	[BANDWIDTH] = { "bandwidth", NUMBER, 0, VGPU_MAX_MBPS },
	[BOUND] = { "memory-bound", NUMBER, 0, 100 },
	[WARMUP] = { "warmup", DURATION, 0, 3600 * CLOCK_SECOND },
	[SECONDS] = { "seconds", NUMBER, 1, 3600 },
};

struct options {
	const char *vgpu, *stream, *engine, *device;
	enum scenario_arrival arrival;
	bool walker;
	uint64_t numbers[N_NUMBERS];
};

struct run {
	struct i915_client client;
	struct load_stream load;
	int timer;
};

/* ---- options ------------------------------------------------------------- */

static bool parse_number(enum number n, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	if (numbers[n].kind == DURATION) {
		if (duration_parse(text, value))
			return false;
	} else {
		*value = strtoull(text, &end, 10);
		if (errno || end == text || *end || *text == '-')
			return false;
	}
	return *value >= numbers[n].min && *value <= numbers[n].max;
}

static void bad_number(struct argp_state *state, enum number n, const char *text)
{
	const char *unit = numbers[n].kind == DURATION ? " ns (written as 18ms, 4.7ms, 3s)" : "";

	argp_error(state, "--%s: '%s' is invalid; use %llu to %llu%s", numbers[n].name, text,
		   (unsigned long long)numbers[n].min, (unsigned long long)numbers[n].max, unit);
}

static void set_arrival(struct options *o, const char *text, struct argp_state *state)
{
	for (size_t i = 0; scenario_arrivals[i]; i++) {
		if (!strcmp(scenario_arrivals[i], text)) {
			o->arrival = (enum scenario_arrival)i;
			return;
		}
	}
	argp_error(state, "--arrival: unknown word '%s'; use closed, periodic or poisson", text);
}

static void set_command(struct options *o, const char *text, struct argp_state *state)
{
	o->walker = !strcmp(text, "walker");
	if (!o->walker && strcmp(text, "noop"))
		argp_error(state, "--command: unknown word '%s'; use noop or walker", text);
}

static void check_options(const struct options *o, struct argp_state *state)
{
	if (!o->engine)
		argp_error(state, "--engine is missing; use rcs0, bcs0, vcs0 or vecs0");
	if (o->engine && o->walker && strcmp(o->engine, "rcs0"))
		argp_error(state, "--command: a walker needs --engine rcs0");
	if (!o->numbers[EXEC])
		argp_error(state, "--exec is missing; use for example --exec 18ms");
	if (o->numbers[EXEC] / 1000 < o->numbers[PIECES])
		argp_error(state, "--pieces: pieces are shorter than 1us each");
	if (!o->numbers[COUNT] && !o->numbers[SECONDS])
		argp_error(state, "--count or --seconds is missing: nothing would end the run");
	if (o->arrival != SCENARIO_CLOSED && o->numbers[PERIOD] < 1000)
		argp_error(state, "--period is missing or below 1us; use for example --period 16.667ms");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (key >= KEY_NUMBERS && key < KEY_NUMBERS + N_NUMBERS) {
		enum number n = (enum number)(key - KEY_NUMBERS);

		if (!parse_number(n, arg, &o->numbers[n]))
			bad_number(state, n, arg);
		return 0;
	}
	switch (key) {
	case KEY_ENGINE:
		o->engine = arg;
		return 0;
	case KEY_VGPU:
		o->vgpu = arg;
		return 0;
	case KEY_NAME:
		o->stream = arg;
		return 0;
	case KEY_DEVICE:
		o->device = arg;
		return 0;
	case KEY_ARRIVAL:
		set_arrival(o, arg, state);
		return 0;
	case KEY_COMMAND:
		set_command(o, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	case ARGP_KEY_END:
		check_options(o, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option option_table[] = {
	{ "engine", KEY_ENGINE, "NAME", 0, "rcs0, bcs0, vcs0 or vecs0", 0 },
	{ "exec", KEY_NUMBERS + EXEC, "TIME", 0, "execution time of a workload, such as 18ms", 0 },
	{ "pieces", KEY_NUMBERS + PIECES, "N", 0, "commands it is cut into (1)", 0 },
	{ "command", KEY_COMMAND, "WORD", 0, "noop, or walker, which is preempted inside (noop)", 0 },
	{ "think", KEY_NUMBERS + THINK, "TIME", 0, "pause after a completion (0s)", 0 },
	{ "depth", KEY_NUMBERS + DEPTH, "N", 0, "workloads in flight (1)", 0 },
	{ "arrival", KEY_ARRIVAL, "WORD", 0, "closed, periodic or poisson (closed)", 0 },
	{ "period", KEY_NUMBERS + PERIOD, "TIME", 0, "of periodic and poisson arrivals", 0 },
	{ "count", KEY_NUMBERS + COUNT, "N", 0, "workloads in all (0: until the end)", 0 },
	{ "seed", KEY_NUMBERS + SEED, "N", 0, "of poisson arrivals (1)", 0 },
	{ "hang-at", KEY_NUMBERS + HANG_AT, "N", 0, "this workload, counted from 1, hangs (0: none)", 0 },
	{ "bandwidth", KEY_NUMBERS + BANDWIDTH, "MBPS", 0, "asked of the memory, alone (0)", 0 },
	{ "memory-bound", KEY_NUMBERS + BOUND, "PERCENT", 0, "part of its time that waits for memory, in steps of 5 (100)", 0 },
	{ "warmup", KEY_NUMBERS + WARMUP, "TIME", 0, "time before workloads count (0s)", 0 },
	{ "seconds", KEY_NUMBERS + SECONDS, "N", 0, "length of the window (until count is reached)", 0 },
	{ "vgpu", KEY_VGPU, "NAME", 0, "the vGPU's name in the RESULT line (guest)", 0 },
	{ "name", KEY_NAME, "NAME", 0, "the stream's name in the RESULT line (stream)", 0 },
	{ "device", KEY_DEVICE, "PATH", 0, "DRM device (/dev/dri/renderD128)", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Submit one stream of workloads through i915 and check their results.\v"
	       "Prints READY when the first workload is due, and a RESULT line at the end.",
};

/* ---- the run ------------------------------------------------------------- */

/* Wait for the oldest workload or @until_ns, whichever comes first. */
static int wait_for_event(struct run *r, uint64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = r->timer, .events = POLLIN },
		{ .fd = i915_fence(&r->client), .events = POLLIN },
	};
	int err = clock_arm(r->timer, until_ns);

	if (err)
		return err;
	if (poll(fds, 2, -1) < 0 && errno != EINTR) {
		err = -errno;
		fprintf(stderr, "rig-i915-load: poll: %s\n", strerror(-err));
		return err;
	}
	return fds[1].revents ? load_stream_complete(&r->load, clock_ns(),
						     i915_complete(&r->client)) : 0;
}

static int submit_due(struct run *r)
{
	uint64_t now_ns = clock_ns();

	while (load_stream_next_ns(&r->load) <= now_ns) {
		bool hang = load_stream_submit(&r->load, now_ns);
		int err = i915_submit(&r->client, hang);

		if (err) {
			fprintf(stderr, "rig-i915-load: %s\n", r->client.error);
			return err;
		}
	}
	return 0;
}

static bool is_over(const struct load_stream *s)
{
	return s->params->count && s->finished == s->params->count;
}

/* Run until the window ends or the last workload has completed. */
static int play(struct run *r)
{
	struct load_stream *s = &r->load;
	int err = 0;

	while (!err && !is_over(s) && clock_ns() < s->end_ns) {
		uint64_t next_ns;

		err = submit_due(r);
		next_ns = load_stream_next_ns(s);
		if (!err)
			err = wait_for_event(r, next_ns < s->end_ns ? next_ns : s->end_ns);
	}
	return err;
}

/* Workloads still in flight would die with this process: let them finish. */
static int drain(struct run *r)
{
	uint64_t until_ns = clock_ns() + 10 * CLOCK_SECOND;
	int err = 0;

	while (!err && load_stream_in_flight(&r->load) && clock_ns() < until_ns)
		err = wait_for_event(r, until_ns);
	return err;
}

static int run(struct run *r, const struct options *o, const struct scenario_stream *params)
{
	uint64_t start_ns = clock_ns(), begin_ns = start_ns + o->numbers[WARMUP];
	uint64_t seconds = o->numbers[SECONDS];
	int err;

	/* Without --seconds the last workload ends the window: far, but safe to add to. */
	load_stream_init(&r->load, params, start_ns, begin_ns,
			 seconds ? begin_ns + seconds * CLOCK_SECOND : STREAM_NEVER / 2);
	puts("READY");
	err = play(r);
	if (!seconds)
		r->load.end_ns = clock_ns();
	err = err ?: drain(r);
	if (!err)
		load_stream_print(&r->load, o->vgpu, stdout);
	load_stream_free(&r->load);
	return err;
}

static int open_run(struct run *r, const struct options *o, const struct scenario_stream *params)
{
	const struct vgpu_work work = {
		.exec_ns = params->exec_ns, .pieces = params->pieces,
		.walker = params->command == SCENARIO_WALKER,
		.mbps = params->mbps, .bound_percent = params->bound_percent,
	};
	int err = i915_open(&r->client, o->device, o->engine, &work, params->depth);

	if (err) {
		fprintf(stderr, "rig-i915-load: %s\n", r->client.error);
		return err;
	}
	r->timer = clock_timer();
	return r->timer < 0 ? r->timer : 0;
}

static struct scenario_stream stream_from(const struct options *o)
{
	return (struct scenario_stream) {
		.name = o->stream,
		.engine = o->engine,
		.arrival = o->arrival,
		.pieces = (unsigned int)o->numbers[PIECES],
		.depth = (unsigned int)o->numbers[DEPTH],
		.exec_ns = o->numbers[EXEC],
		.think_ns = o->numbers[THINK],
		.period_ns = o->numbers[PERIOD],
		.count = o->numbers[COUNT],
		.seed = o->numbers[SEED],
		.command = o->walker ? SCENARIO_WALKER : SCENARIO_NOOP, .burst = 1,
		.hang_at = o->numbers[HANG_AT],
		.mbps = (unsigned int)o->numbers[BANDWIDTH],
		.bound_percent = (unsigned int)o->numbers[BOUND],
	};
}

int main(int argc, char **argv)
{
	struct options o = {
		.vgpu = "guest",
		.stream = "stream",
		.device = "/dev/dri/renderD128",
		.numbers = { [PIECES] = 1, [DEPTH] = 1, [SEED] = 1, [BOUND] = 100 },
	};
	struct run r = { .timer = -1 };
	struct scenario_stream params;
	int err;

	argp_err_exit_status = 1;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	setvbuf(stdout, NULL, _IOLBF, 0);
	params = stream_from(&o);
	err = open_run(&r, &o, &params) ?: run(&r, &o, &params);
	i915_close(&r.client);
	return err ? 1 : 0;
}
