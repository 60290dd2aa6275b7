// SPDX-License-Identifier: GPL-2.0-only

#include <linux/prandom.h>
#include <math.h>
#include <string.h>

#include "fluid.h"

struct workload {
	double since;
	double exec;
	double rest;
};

struct fluid_vgpu {
	const struct sched_sim_client *c;
	double weight;
	struct workload queue[SCHED_SIM_DEPTH];
	double arrival[SCHED_SIM_DEPTH];
	u32 queued;
	u32 came;
	double rate;
	double service;
	double latency;
	u32 done;
};

struct fluid {
	struct fluid_vgpu v[SCHED_TEST_VGPUS];
	u32 n;
	double now;
	double costs;
	struct rnd_state rnd;
};

static double upto(struct fluid *f, u64 most)
{
	return most ? prandom_u32_state(&f->rnd) * (double)most / 4294967296.0 : 0;
}

static void queue(struct fluid *f, struct fluid_vgpu *v)
{
	const struct sched_sim_client *c = v->c;
	struct workload *w = &v->queue[v->queued];

	if (v->queued == c->depth)
		return;
	w->since = f->now;
	w->exec = (c->other_every && v->came % c->other_every == 0 ? c->other_ns : c->exec_ns) +
		  upto(f, c->spread_ns);
	w->rest = w->exec + f->costs;
	v->queued++;
	v->came++;
}

static void arrive(struct fluid *f, struct fluid_vgpu *v)
{
	u32 k;

	for (k = 0; k < v->c->depth; k++) {
		if (v->arrival[k] > f->now)
			continue;
		v->arrival[k] = v->c->period_ns && !k ?
			v->arrival[k] + v->c->period_ns + upto(f, v->c->jitter_ns) : INFINITY;
		queue(f, v);
	}
}

static void finish(struct fluid *f, struct fluid_vgpu *v)
{
	const struct sched_sim_client *c = v->c;
	u32 k = 0;

	v->done++;
	v->latency += f->now - v->queue[0].since;
	v->queued--;
	memmove(v->queue, v->queue + 1, v->queued * sizeof(v->queue[0]));
	if (c->period_ns)
		return;
	while (v->arrival[k] < INFINITY)
		k++;
	v->arrival[k] = f->now + upto(f, c->think_spread_ns) +
		(c->burst && v->came % c->burst < c->depth ? c->rest_ns : c->think_ns);
}

/* vGPUs whose caps are below their shares get their caps, which leaves more to the others */
static void set_rates(struct fluid *f)
{
	bool capped[SCHED_TEST_VGPUS] = {}, again;
	double left, weights;
	struct fluid_vgpu *v;

	do {
		left = 1;
		weights = 0;
		for (v = f->v; v < f->v + f->n; v++) {
			if (v->queued && capped[v - f->v])
				left -= v->rate;
			else if (v->queued)
				weights += v->weight;
		}
		again = false;
		for (v = f->v; v < f->v + f->n; v++) {
			if (capped[v - f->v])
				continue;
			v->rate = v->queued ? left * v->weight / weights : 0;
			if (!v->queued || !v->c->cap || v->rate <= v->c->cap / 100.0)
				continue;
			v->rate = v->c->cap / 100.0;
			capped[v - f->v] = true;
			again = true;
			break;
		}
	} while (again);
}

static double next_event(const struct fluid *f, double end)
{
	const struct fluid_vgpu *v;
	u32 k;

	for (v = f->v; v < f->v + f->n; v++) {
		if (v->queued)
			end = fmin(end, f->now + v->queue[0].rest / v->rate);
		for (k = 0; k < v->c->depth; k++)
			end = fmin(end, v->arrival[k]);
	}
	return end;
}

static void run_until(struct fluid *f, double end)
{
	struct fluid_vgpu *v;
	double then, served;

	while (f->now < end) {
		set_rates(f);
		then = next_event(f, end);
		for (v = f->v; v < f->v + f->n; v++) {
			if (!v->queued)
				continue;
			served = v->rate * (then - f->now);
			v->service += served * v->queue[0].exec / (v->queue[0].exec + f->costs);
			v->queue[0].rest -= served;
		}
		f->now = then;
		for (v = f->v; v < f->v + f->n; v++) {
			/* rounding of doubles may leave a fraction of a ns */
			if (v->queued && v->queue[0].rest < 1e-3)
				finish(f, v);
			arrive(f, v);
		}
	}
}

static void start(struct fluid *f, const struct sched_sim_client *c)
{
	struct fluid_vgpu *v = &f->v[f->n++];
	u32 k;

	v->c = c;
	v->weight = (c->weight ?: 2) * pow(1.25, -c->nice);
	for (k = 0; k < c->depth; k++)
		v->arrival[k] = c->start_ns;
}

void fluid_run(const struct sched_sim_client *clients, u32 n, double costs_ns, double warm_up_ns,
	       double ns, u64 seed, struct fluid_result *r)
{
	struct fluid f = { .costs = costs_ns };
	u32 i;

	prandom_seed_state(&f.rnd, seed);
	for (i = 0; i < n; i++)
		start(&f, &clients[i]);
	run_until(&f, warm_up_ns);
	for (i = 0; i < n; i++) {
		f.v[i].service = 0;
		f.v[i].latency = 0;
		f.v[i].done = 0;
	}
	run_until(&f, warm_up_ns + ns);
	for (i = 0; i < n; i++)
		r[i] = (struct fluid_result) {
			.share = f.v[i].service / ns,
			.mean_ms = f.v[i].done ? f.v[i].latency / 1e6 / f.v[i].done : ns / 1e6,
		};
}
