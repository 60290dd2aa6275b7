// SPDX-License-Identifier: GPL-2.0-only

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "play.h"

/* The worst latencies are 1 in this many: p99 does not show how long they are */
#define TAIL 100

struct play_options play_options = { .seed = 1, .submit_ns = US(40), .switch_ns = US(5) };

struct kunit play_test;

/* --- the command line -------------------------------------------------------- */

static const struct argp_option options[] = {
	{ "mixes", 'n', "N", 0, "number of random mixes", 0 },
	{ "seed", 's', "SEED", 0, "seed of the first mix, incremented for each other mix (default 1)", 0 },
	{ "seconds", 't', "S", 0, "measure each mix for S seconds, after 3 s of warm-up", 0 },
	{ "switch", 'w', "US", 0, "time to switch from one vGPU to another (default 5 us)", 0 },
	{ "verbose", 'v', NULL, 0, "print the results of each vGPU", 0 },
	{ 0 }
};

u64 play_number(struct argp_state *state, const char *option, const char *text, u64 least,
		u64 most)
{
	char *end;
	u64 value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		argp_error(state, "--%s: '%s' is invalid; use %llu to %llu", option, text, least,
			   most);
	return value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct play_options *o = &play_options;

	switch (key) {
	case 'n': o->mixes = play_number(state, "mixes", arg, 1, 10000000); break;
	case 's': o->seed = play_number(state, "seed", arg, 1, UINT_MAX); break;
	case 't': o->seconds = play_number(state, "seconds", arg, 1, 3600); break;
	case 'w': o->switch_ns = US(play_number(state, "switch", arg, 0, 1000000)); break;
	case 'v': o->verbose = true; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp common = { .options = options, .parser = parse_option };

const struct argp_child play_argp[] = { { &common, 0, NULL, 0 }, { 0 } };

void play_parse(const struct argp *argp, int argc, char **argv)
{
	argp_err_exit_status = 2;
	argp_parse(argp, argc, argv, 0, NULL, NULL);
}

/* --- a run -------------------------------------------------------------------- */

/* The mean of the latencies above a quantile, from their bins */
static double tail_ms(const struct sched_sim_vgpu *v)
{
	u64 n = 0, want = (v->done + TAIL - 1) / TAIL;
	double sum_ns = 0;
	u32 bin = SCHED_SIM_BINS;

	while (n < want && bin--) {
		u64 here = min(want - n, (u64)v->bins[bin]);

		sum_ns += here * (double)min(sched_sim_bin_ns(bin), v->latency_ns);
		n += here;
	}
	return sum_ns / 1e6 / n;
}

static void measure_stream(const struct sched_sim *s, u32 stream, struct play_result *r, u32 i)
{
	const struct sched_sim_vgpu *v = &s->v[stream];
	double ms = play_options.seconds * 1e3;

	r->share[i] = (v->service_ns - v->overhead_ns) / 1e6 / ms;
	r->had[i] = v->service_ns / 1e6 / ms;
	r->done[i] = v->done;
	r->mean_ms[i] = v->done ? v->latency_sum_ns / 1e6 / v->done : ms;
	r->p99_ms[i] = v->done ? sched_sim_latency(s, stream, 990) / 1e6 : ms;
	r->tail_ms[i] = v->done ? tail_ms(v) : ms;
	r->longest_ms[i] = v->latency_ns / 1e6;
}

/* Of the engine whose streams are from @first on */
static void measure(const struct sched_sim *s, u32 n, u32 first, u64 busy_ns, struct play_result *r)
{
	double ns = play_options.seconds * 1e9;
	u32 i;

	*r = (struct play_result) {
		.busy = busy_ns / ns, .held = s->held_ns / ns,
		.hand_overs = s->hand_overs * 1.0 / play_options.seconds,
	};
	for (i = 0; i < n; i++)
		measure_stream(s, first + i, r, i);
}

static struct sched_sim *start(const struct play *p)
{
	struct sched_sim *s = sched_sim_new(&play_test, p->policy, p->dispatch, 1);
	u32 i;

	s->submit_ns = play_options.submit_ns;
	s->switch_ns = p->switch_ns ?: play_options.switch_ns;
	for (i = 0; i < p->n; i++)
		sched_sim_start(s, &p->clients[i]);
	for (i = 0; i < p->n && p->beside; i++) {
		if (p->beside[i].depth)
			sched_sim_beside(s, i, &p->beside[i]);
	}
	gvt_sched_begin_anew(&s->t->rq, s->now);
	return s;
}

void play(const struct play *p, struct play_result *r, struct play_result *beside)
{
	struct sched_sim *s = start(p);

	sched_sim_run(s, PLAY_WARM_UP_NS);
	sched_sim_forget(s);
	sched_sim_run(s, play_options.seconds * NSEC_PER_SEC);
	measure(s, p->n, 0, s->busy_ns, r);
	if (beside)
		measure(s, p->n, SCHED_TEST_VGPUS, s->beside_busy_ns, beside);
	kunit_free(&play_test);
}

/* --- what is printed ------------------------------------------------------------ */

static void print_arrivals(const struct sched_sim_client *c)
{
	if (c->period_ns)
		printf(" every %.2f+%.2f", c->period_ns / 1e6, c->jitter_ns / 1e6);
	else if (c->think_ns || c->think_spread_ns)
		printf(" pause %.2f+%.2f", c->think_ns / 1e6, c->think_spread_ns / 1e6);
	if (c->burst)
		printf(" x%u, then %.1f", c->burst, c->rest_ns / 1e6);
}

void play_print_client(const struct sched_sim_client *c)
{
	printf("%.3f", c->exec_ns / 1e6);
	if (c->spread_ns)
		printf("+%.2f", c->spread_ns / 1e6);
	if (c->other_every)
		printf(" or %.2f 1/%u", c->other_ns / 1e6, c->other_every);
	print_arrivals(c);
	printf(", %u deep, pieces %.2f ms", c->depth, c->piece_ns / 1e6);
	if (c->weight)
		printf(", weight %u", c->weight);
	if (c->nice)
		printf(", nice %d", c->nice);
	if (c->cap)
		printf(", cap %u", c->cap);
	if (c->boots)
		printf(", the first %u %.3f", c->boots, c->boot_ns / 1e6);
}

void play_print_vgpu(const struct play_result *r, u32 i)
{
	printf("%5.1f %%  mean %8.2f  p99 %8.2f  worst 1 %% %8.2f  longest %8.2f  done %.0f\n",
	       r->share[i] * 100, r->mean_ms[i], r->p99_ms[i], r->tail_ms[i], r->longest_ms[i],
	       r->done[i]);
}

void play_print_engine(const struct play_result *r)
{
	printf("busy %5.1f %%, held %4.1f %%, hand-overs %.0f/s", r->busy * 100, r->held * 100,
	       r->hand_overs);
}
