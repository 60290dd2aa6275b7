// SPDX-License-Identifier: GPL-2.0-or-later
/* rig-load: play all vGPUs of a scenario that run no guest, in one process. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "player.h"

/* How long after the window unfinished workloads may still come in. */
#define DRAIN_NS (PLAYER_HANG_NS + CLOCK_SECOND)

struct options {
	const char *scenario;
	char *uuids;
	bool verbose;
};

struct run {
	const struct scenario *scenario;
	struct player *players;
	struct pollfd *fds;	/* the timer, then one per player */
	size_t n_players;
	uint64_t armed_ns;	/* what the timer is set to */
	FILE *csb;
};

/* ---- options ------------------------------------------------------------- */

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

static int add_player(struct run *r, const struct scenario_vgpu *params, const char *uuids)
{
	char *uuid = find_uuid(uuids, params->name);
	struct player *p = &r->players[r->n_players++];
	int err;

	if (!uuid) {
		fprintf(stderr, "rig-load: vgpu '%s' has no UUID; add %s=UUID to --uuids\n",
			params->name, params->name);
		return -EINVAL;
	}
	err = player_open(p, params, uuid, (unsigned int)(params - r->scenario->vgpus) + 1);
	free(uuid);
	r->fds[r->n_players] = (struct pollfd) { .events = POLLIN };
	if (!err)
		r->fds[r->n_players].fd = vgpu_irq_fd(p->v);
	return err;
}

static int open_timer(struct run *r)
{
	r->fds[0].events = POLLIN;
	r->fds[0].fd = clock_timer();
	return r->fds[0].fd < 0 ? r->fds[0].fd : 0;
}

static int open_run(struct run *r, const struct options *o)
{
	const struct scenario *s = r->scenario;
	int err = 0;

	r->players = calloc(s->n_vgpus, sizeof(*r->players));
	r->fds = calloc(s->n_vgpus + 1, sizeof(*r->fds));
	if (!r->players || !r->fds) {
		fputs("rig-load: out of memory\n", stderr);
		return -ENOMEM;
	}
	err = open_timer(r);
	for (size_t i = 0; i < s->n_vgpus && !err; i++)
		if (!s->vgpus[i].guest)
			err = add_player(r, &s->vgpus[i], o->uuids);
	return err;
}

static void close_run(struct run *r)
{
	for (size_t i = 0; i < r->n_players; i++)
		player_close(&r->players[i]);
	free(r->players);
	free(r->fds);
}

/* Setting the timer is a system call: only if it must. */
static int arm_timer(struct run *r, uint64_t at_ns)
{
	if (at_ns == r->armed_ns && !(r->fds[0].revents & POLLIN))
		return 0;
	r->armed_ns = at_ns;
	return clock_arm(r->fds[0].fd, at_ns);
}

/* Submit and recover what is due; @next_ns: when there is more to do. */
static int act(struct run *r, uint64_t now_ns, bool submitting, uint64_t *next_ns)
{
	int err = 0;

	for (size_t i = 0; i < r->n_players && !err; i++) {
		struct player *p = &r->players[i];
		uint64_t next;

		if (submitting)
			err = player_submit(p, now_ns);
		if (!err)
			err = player_recover(p, now_ns);
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

static int play_all(struct run *r)
{
	uint64_t start_tsc = clock_tsc(), start_ns = clock_ns();
	uint64_t begin_ns = start_ns + r->scenario->warmup_ns;
	uint64_t end_ns = begin_ns + r->scenario->duration_ns;
	int err;

	for (size_t i = 0; i < r->n_players; i++)
		player_start(&r->players[i], start_ns, begin_ns, end_ns);
	puts("READY");
	err = play(r, begin_ns, true);
	if (err)
		return err;
	printf("WINDOW begin_tsc=%" PRIu64 " end_tsc=%" PRIu64 "\n",
	       start_tsc + begin_ns - start_ns, start_tsc + end_ns - start_ns);
	err = play(r, end_ns, true);
	if (err)
		return err;
	puts("DONE");
	return play(r, end_ns + DRAIN_NS, false);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct run r = { 0 };
	struct scenario *s;
	int err;

	argp_err_exit_status = 1;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	setvbuf(stdout, NULL, _IOLBF, 0);
	s = scenario_load(o.scenario, stderr);
	if (!s)
		return 1;
	r.scenario = s;
	r.csb = o.verbose ? stdout : NULL;
	err = open_run(&r, &o) ?: play_all(&r);
	for (size_t i = 0; i < r.n_players && !err; i++)
		player_print(&r.players[i], stdout);
	close_run(&r);
	scenario_free(s);
	return err ? 1 : 0;
}
