// SPDX-License-Identifier: GPL-2.0-or-later
/* rig-load: play all vGPUs of a scenario that run no guest, in one process. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "clock.h"
#include "perturb.h"
#include "player.h"

/* How long after the window unfinished workloads may still complete. */
#define DRAIN_NS (PLAYER_HANG_NS + CLOCK_SECOND)

struct options {
	const char *scenario;
	char *uuids;
	uint64_t perturb;
	bool verbose;
};

struct run {
	const struct options *options;
	const struct scenario *scenario;
	struct player *players;
	struct player_acts *acts;	/* of the players, which have no acts */
	char **uuids;
	struct pollfd *fds;	/* the timer, then one per player */
	size_t n_players;
	struct apart *aparts;	/* vGPUs that are played apart */
	size_t n_aparts;
	bool apart;		/* this process plays one vGPU apart */
	uint64_t armed_ns;	/* what the timer is set to */
	FILE *csb;
};

/* ---- options ------------------------------------------------------------- */

static error_t parse_perturb(struct options *o, const char *arg, struct argp_state *state)
{
	char *end;

	errno = 0;
	o->perturb = strtoull(arg, &end, 10);
	if (errno || end == arg || *end || *arg == '-') {
		argp_error(state, "--perturb: '%s' is not a number", arg);
		return EINVAL;
	}
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 's':
		o->scenario = arg;
		return 0;
	case 'u':
		o->uuids = arg;
		return 0;
	case 'p':
		return parse_perturb(o, arg, state);
	case 'v':
		o->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	case ARGP_KEY_END:
		if (!o->scenario)
			argp_error(state, "--scenario FILE is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option option_table[] = {
	{ "scenario", 's', "FILE", 0, "the scenario to play", 0 },
	{ "uuids", 'u', "NAME=UUID,...", 0, "mdevs of its vGPUs; those of guests are ignored", 0 },
	{ "perturb", 'p', "N", 0, "change when streams start and what random arrivals they have; 0: do not", 0 },
	{ "verbose", 'v', NULL, 0, "print context status entries", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Play the vGPUs of a scenario that run no guest.\v"
	       "Prints READY when all are open, WINDOW after the warm-up, DONE after the "
	       "duration, then one RESULT line per stream.",
};

/* The UUID of a vGPU in "a=UUID,b=UUID", for the caller to free, or NULL. */
static char *find_uuid(const char *uuids, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = uuids; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (!strncmp(at, name, n) && at[n] == '=')
			return strndup(at + n + 1, strcspn(at + n + 1, ","));
	return NULL;
}

/* ---- the run ------------------------------------------------------------- */

static int add_player(struct run *r, const struct scenario_vgpu *params, struct player_acts *acts)
{
	char *uuid = find_uuid(r->options->uuids, params->name);
	size_t i = r->n_players;

	if (!uuid) {
		fprintf(stderr, "rig-load: vgpu '%s' has no UUID; add %s=UUID to --uuids\n",
			params->name, params->name);
		return -EINVAL;
	}
	r->uuids[i] = uuid;
	r->n_players++;
	return player_open(&r->players[i], params, uuid,
			   (unsigned int)(params - r->scenario->vgpus) + 1, acts);
}

static int open_timer(struct run *r)
{
	r->fds[0].fd = clock_timer();
	return r->fds[0].fd < 0 ? r->fds[0].fd : 0;
}

static int allocate_run(struct run *r, size_t n)
{
	r->players = calloc(n, sizeof(*r->players));
	r->acts = calloc(n, sizeof(*r->acts));
	r->uuids = calloc(n, sizeof(*r->uuids));
	r->aparts = calloc(n, sizeof(*r->aparts));
	r->fds = calloc(n + 1, sizeof(*r->fds));
	for (size_t i = 0; r->fds && i <= n; i++)
		r->fds[i].events = POLLIN;
	if (r->players && r->acts && r->uuids && r->aparts && r->fds)
		return 0;
	fputs("rig-load: out of memory\n", stderr);
	return -ENOMEM;
}

static bool is_apart(const struct scenario_vgpu *v)
{
	return v->act_every_ns != 0;
}

static int play_apart(void *data, const struct scenario_vgpu *params, struct player_acts *acts,
		      int ready, int go);

static int start_aparts(struct run *r)
{
	int err = 0;

	for (size_t i = 0; i < r->scenario->n_vgpus && !err; i++)
		if (is_apart(&r->scenario->vgpus[i]))
			err = apart_start(&r->aparts[r->n_aparts++], &r->scenario->vgpus[i],
					  play_apart, r);
	return err;
}

static int open_players(struct run *r)
{
	const struct scenario *s = r->scenario;
	int err = open_timer(r);

	for (size_t i = 0; i < s->n_vgpus && !err; i++)
		if (!s->vgpus[i].guest && !is_apart(&s->vgpus[i]))
			err = add_player(r, &s->vgpus[i], &r->acts[i]);
	return err;
}

/* Fork first, so that the processes inherit none of this process's vGPUs. */
static int open_run(struct run *r)
{
	int err = allocate_run(r, r->scenario->n_vgpus) ?: start_aparts(r) ?: open_players(r);

	for (size_t i = 0; i < r->n_aparts && !err; i++)
		err = apart_wait_ready(&r->aparts[i]);
	return err;
}

static void close_run(struct run *r)
{
	for (size_t i = 0; i < r->n_players; i++) {
		player_close(&r->players[i]);
		free(r->uuids[i]);
	}
	free(r->players);
	free(r->acts);
	free(r->uuids);
	free(r->aparts);
	free(r->fds);
}

/* Setting the timer is a system call: only if necessary. */
static int arm_timer(struct run *r, uint64_t at_ns)
{
	if (at_ns == r->armed_ns && !(r->fds[0].revents & POLLIN))
		return 0;
	r->armed_ns = at_ns;
	return clock_arm(r->fds[0].fd, at_ns);
}

static int act_one(struct player *p, uint64_t now_ns, bool submitting)
{
	int err = 0;

	if (submitting)
		err = player_act(p, now_ns) ?: player_submit(p, now_ns);
	return err ?: player_look(p, now_ns) ?: player_recover(p, now_ns);
}

/* Do what is due; @next_ns: when there is more to do. */
static int act(struct run *r, uint64_t now_ns, bool submitting, uint64_t *next_ns)
{
	int err = 0;

	for (size_t i = 0; i < r->n_players && !err; i++) {
		struct player *p = &r->players[i];
		uint64_t next;

		err = act_one(p, now_ns, submitting);
		next = player_next_ns(p, submitting);
		if (next < *next_ns)
			*next_ns = next;
	}
	return err;
}

static int wait_and_collect(struct run *r)
{
	int err = 0;
	uint64_t now_ns;

	for (size_t i = 0; i < r->n_players; i++)
		r->fds[i + 1].fd = player_irq_fd(&r->players[i]);
	if (poll(r->fds, r->n_players + 1, -1) < 0 && errno != EINTR) {
		err = -errno;
		fprintf(stderr, "rig-load: poll: %s\n", strerror(-err));
		return err;
	}
	now_ns = clock_ns();
	for (size_t i = 0; i < r->n_players && !err; i++)
		if (r->fds[i + 1].revents & POLLIN)
			err = player_collect(&r->players[i], now_ns, r->csb);
	return err;
}

static bool is_busy(const struct run *r)
{
	for (size_t i = 0; i < r->n_players; i++)
		if (player_is_busy(&r->players[i]))
			return true;
	return false;
}

/* Play until @until_ns; without submitting, until nothing is in flight. */
static int play(struct run *r, uint64_t until_ns, bool submitting)
{
	uint64_t now_ns = clock_ns();
	int err = 0;

	while (!err && now_ns < until_ns && (submitting || is_busy(r))) {
		uint64_t next_ns = until_ns;

		err = act(r, now_ns, submitting, &next_ns) ?: arm_timer(r, next_ns) ?:
		      wait_and_collect(r);
		now_ns = clock_ns();
	}
	return err;
}

/* The first process prints the results of all, also of vGPUs played apart. */
__attribute__((format(printf, 2, 3)))
static void tell(const struct run *r, const char *fmt, ...)
{
	va_list ap;

	if (r->apart)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

static int play_window(struct run *r, uint64_t start_ns, uint64_t start_tsc)
{
	uint64_t begin_ns = start_ns + r->scenario->warmup_ns;
	uint64_t end_ns = begin_ns + r->scenario->duration_ns;
	int err;

	for (size_t i = 0; i < r->n_players; i++)
		player_start(&r->players[i], start_ns, begin_ns, end_ns);
	tell(r, "READY\n");
	err = play(r, begin_ns, true);
	if (err)
		return err;
	tell(r, "WINDOW begin_tsc=%" PRIu64 " end_tsc=%" PRIu64 "\n",
	     start_tsc + begin_ns - start_ns, start_tsc + end_ns - start_ns);
	err = play(r, end_ns, true);
	if (err)
		return err;
	tell(r, "DONE\n");
	for (size_t i = 0; i < r->n_players; i++)
		player_finish(&r->players[i]);
	return play(r, end_ns + DRAIN_NS, false);
}

static void print_results(struct run *r)
{
	for (size_t i = 0; i < r->n_players; i++)
		player_print(&r->players[i], stdout);
}

static int play_apart(void *data, const struct scenario_vgpu *params, struct player_acts *acts,
		      int ready, int go)
{
	struct run *r = data;
	uint64_t start_ns = 0;
	int err;

	r->apart = true;
	err = open_timer(r) ?: add_player(r, params, acts) ?: apart_ready(ready, go, &start_ns) ?:
	      play_window(r, start_ns, 0);
	if (!err)
		print_results(r);
	close_run(r);
	return err ? 1 : 0;
}

static int end_aparts(struct run *r)
{
	uint64_t until_ns = clock_ns() + APART_END_NS;
	int err = 0;

	for (size_t i = 0; i < r->n_aparts; i++)
		err = apart_wait_end(&r->aparts[i], until_ns) ?: err;
	return err;
}

static int play_all(struct run *r)
{
	uint64_t start_tsc = clock_tsc(), start_ns = clock_ns();
	int err = 0;

	for (size_t i = 0; i < r->n_aparts && !err; i++)
		err = apart_go(&r->aparts[i], start_ns);
	err = err ?: play_window(r, start_ns, start_tsc);
	if (!err)
		print_results(r);
	return err ?: end_aparts(r);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct run r = { .options = &o };
	struct scenario *s;
	int err;

	argp_err_exit_status = 1;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	setvbuf(stdout, NULL, _IOLBF, 0);
	s = scenario_load(o.scenario, stderr);
	if (!s)
		return 1;
	perturb(s, o.perturb);
	r.scenario = s;
	r.csb = o.verbose ? stdout : NULL;
	err = open_run(&r) ?: play_all(&r);
	close_run(&r);
	scenario_free(s);
	return err ? 1 : 0;
}
