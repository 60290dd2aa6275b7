// SPDX-License-Identifier: GPL-2.0-only

#include <linux/prandom.h>
#include <math.h>

#include "kinds.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)

/* No preemption point within any workload */
#define UNCUT_NS SEC(10)

static struct rnd_state rnd;

static double uniform(double a, double b)
{
	return a + (b - a) * prandom_u32_state(&rnd) / 4294967296.0;
}

static u32 below(u32 n)
{
	return uniform(0, n);
}

/* From a to b, log-uniform */
static u64 octaves(double a, double b)
{
	return a * pow(b / a, uniform(0, 1));
}

static void loop(struct sched_sim_client *c)
{
	c->exec_ns = octaves(US(10), SEC(1));
	c->depth = 1 + below(8);
	if (below(2))
		c->spread_ns = c->exec_ns * uniform(0, 1);
}

static void think(struct sched_sim_client *c)
{
	c->exec_ns = octaves(US(10), MS(100));
	c->depth = 1 + below(2);
	c->think_ns = octaves(US(20), MS(200));
	if (below(2))
		c->think_spread_ns = c->think_ns;
}

/* Random or periodic arrivals that demand 5 to 150 per cent of the engine */
static void open_arrivals(struct sched_sim_client *c)
{
	c->exec_ns = octaves(US(50), MS(100));
	c->period_ns = max(c->exec_ns / uniform(0.05, 1.5), 1.0);
	c->depth = 2 + below(SCHED_SIM_DEPTH - 1);
	if (below(2)) {
		c->jitter_ns = 2 * c->period_ns;
		c->period_ns = 1;
	}
}

static void desktop(struct sched_sim_client *c)
{
	c->period_ns = NSEC_PER_SEC / uniform(10, 240);
	c->exec_ns = c->period_ns * uniform(0.005, 0.6);
	c->spread_ns = c->exec_ns * uniform(0, 0.3);
	c->depth = 1 + below(3);
	if (below(2)) {
		c->jitter_ns = c->period_ns * uniform(0, 0.3);
		c->period_ns -= c->jitter_ns / 2;
	}
}

static void bursts(struct sched_sim_client *c)
{
	c->exec_ns = octaves(US(100), MS(50));
	c->burst = 1 + below(16);
	c->depth = 1 + below(min(c->burst, 4u));
	c->think_ns = below(2) ? US(40) : octaves(US(20), MS(2));
	c->rest_ns = octaves(MS(5), SEC(3));
}

/* A compositor and an application in one queue */
static void two_contexts(struct sched_sim_client *c)
{
	desktop(c);
	c->depth = 2 + below(4);
	c->other_every = 2 + below(4);
	c->other_ns = c->exec_ns * octaves(0.1, 10);
}

static void hostile(struct sched_sim_client *c)
{
	c->exec_ns = octaves(US(1), US(100));
	c->depth = 1 + below(8);
	c->think_ns = below(2) ? 0 : octaves(US(10), MS(2));
}

static void waker(struct sched_sim_client *c)
{
	c->exec_ns = octaves(MS(5), MS(300));
	c->period_ns = octaves(MS(500), SEC(5));
	c->depth = 1 + below(2);
}

static const struct {
	const char *name;
	u32 often;
	void (*draw)(struct sched_sim_client *c);
} kinds[] = {
	{ "loop", 5, loop }, { "think", 4, think }, { "open", 3, open_arrivals },
	{ "desktop", 4, desktop }, { "bursts", 3, bursts }, { "two-contexts", 1, two_contexts },
	{ "hostile", 2, hostile }, { "waker", 1, waker },
};

static u32 draw_kind(void)
{
	u32 sum = 0, i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		sum += kinds[i].often;
	sum = below(sum);
	for (i = 0; sum >= kinds[i].often; i++)
		sum -= kinds[i].often;
	return i;
}

static const char *draw_client(struct sched_sim_client *c)
{
	u32 kind;

	*c = (struct sched_sim_client) { .start_ns = octaves(US(1), MS(100)) };
	kind = draw_kind();
	kinds[kind].draw(c);
	c->exec_ns = max(c->exec_ns, US(1));
	c->piece_ns = below(10) < 4 ? UNCUT_NS : octaves(US(100), max(c->exec_ns, MS(1)));
	return kinds[kind].name;
}

u32 kinds_mix(u64 seed, struct sched_sim_client *clients, const char **names)
{
	bool weights, caps;
	u32 n, i;

	prandom_seed_state(&rnd, seed);
	n = 2 + below(below(2) ? 2 : 6);
	weights = !below(4);
	caps = !below(8);
	for (i = 0; i < n; i++) {
		struct sched_sim_client *c = &clients[i];

		names[i] = draw_client(c);
		if (weights)
			c->weight = 2 << below(4);
		if (weights && !below(2))
			c->nice = (int)below(21) - 10;
		if (caps && !below(2))
			c->cap = 5 + below(90);
	}
	return n;
}

void kinds_beside(const struct sched_sim_client *clients, u32 n, struct sched_sim_client *beside,
		  const char **names)
{
	u32 sure = below(n), i;

	for (i = 0; i < n; i++) {
		beside[i] = (struct sched_sim_client) {};
		if (i != sure && below(2))
			continue;
		names[i] = draw_client(&beside[i]);
		beside[i].weight = clients[i].weight;
		beside[i].nice = clients[i].nice;
		beside[i].cap = clients[i].cap;
	}
}

void kinds_boot(struct sched_sim_client *clients, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (below(2)) {
			clients[i].boots = octaves(10, 200);
			clients[i].boot_ns = octaves(US(1), MS(2));
		} else {
			clients[i].start_ns *= 10;
		}
	}
}
