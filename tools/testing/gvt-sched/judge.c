// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random mixes of all kinds under each policy and dispatch mode. The results of vGPUs are
 * compared with fluid sharing, with other settings of the scheduler, and with the engine's use.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fluid.h"
#include "kinds.h"
#include "play.h"
#include "scenario.h"

#define WORST 6

/* All settings; those under the fair policy, which are judged, last */
static const struct setting {
	const char *name;
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
} settings[] = {
	{ "strict", GVT_SCHED_STRICT, GVT_DISPATCH_EXCLUSIVE },
	{ "conserving/exclusive", GVT_SCHED_WORK_CONSERVING, GVT_DISPATCH_EXCLUSIVE },
	{ "conserving/per-engine", GVT_SCHED_WORK_CONSERVING, GVT_DISPATCH_PER_ENGINE },
	{ "conserving/preemptive", GVT_SCHED_WORK_CONSERVING, GVT_DISPATCH_PREEMPTIVE },
	{ "exclusive", GVT_SCHED_FAIR, GVT_DISPATCH_EXCLUSIVE },
	{ "per-engine", GVT_SCHED_FAIR, GVT_DISPATCH_PER_ENGINE },
	{ "preemptive", GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE },
};

#define SETTINGS ARRAY_SIZE(settings)
#define FIRST_FAIR (SETTINGS - GVT_DISPATCHES)
#define CONSERVING 1

/* The clients on one engine, and their results; @other is the mix on the second engine */
struct mix {
	u64 seed;
	const struct mix *other;
	u32 n;
	u32 vgpu[SCHED_TEST_VGPUS];
	struct sched_sim_client c[SCHED_TEST_VGPUS];
	const char *kind[SCHED_TEST_VGPUS];
	struct fluid_result fluid[SCHED_TEST_VGPUS];
	struct play_result got[SETTINGS];
};

static bool two_engines, boot, plain;
/* Where mixes are written as scenarios, or NULL */
static const char *scenarios;

/* The current run, to be named when a check of the simulator fails */
static u64 seed_now;
static const char *setting_now;

/* Whether one vGPU at a time has all engines */
static bool has_all(u32 setting)
{
	return settings[setting].dispatch == GVT_DISPATCH_EXCLUSIVE;
}

static void play_engine(struct mix *m, u32 setting)
{
	const struct play p = {
		.policy = settings[setting].policy, .dispatch = settings[setting].dispatch,
		.clients = m->c, .n = m->n,
	};

	play(&p, &m->got[setting], NULL);
}

/* Simulate both engines at once; @other's results go to the places of its own clients */
static void play_both(struct mix *m, struct mix *other, u32 setting)
{
	struct sched_sim_client beside[SCHED_TEST_VGPUS] = {};
	const struct play p = {
		.policy = settings[setting].policy, .dispatch = settings[setting].dispatch,
		.clients = m->c, .n = m->n, .beside = beside,
	};
	struct play_result got, *to = &other->got[setting];
	u32 i;

	for (i = 0; i < other->n; i++)
		beside[other->vgpu[i]] = other->c[i];
	play(&p, &m->got[setting], &got);

	*to = got;
	for (i = 0; i < other->n; i++) {
		to->share[i] = got.share[other->vgpu[i]];
		to->mean_ms[i] = got.mean_ms[other->vgpu[i]];
		to->p99_ms[i] = got.p99_ms[other->vgpu[i]];
		to->tail_ms[i] = got.tail_ms[other->vgpu[i]];
		to->longest_ms[i] = got.longest_ms[other->vgpu[i]];
		to->done[i] = got.done[other->vgpu[i]];
	}
}

static void play_setting(struct mix *m, struct mix *other, u32 setting)
{
	seed_now = m->seed;
	setting_now = settings[setting].name;
	if (other->n && has_all(setting)) {
		play_both(m, other, setting);
		return;
	}
	play_engine(m, setting);
	if (other->n)
		play_engine(other, setting);
}

/* Criteria: a value below 1 is a miss */

/* The worst value, and the vGPU that has it */
struct verdict {
	double value;
	u32 who;
};

#define NOBODY SCHED_TEST_VGPUS

static struct verdict of_nobody(double value)
{
	return (struct verdict) { value, NOBODY };
}

static void note(struct verdict *worst, double value, u32 who)
{
	if (value < worst->value)
		*worst = (struct verdict) { value, who };
}

/*
 * An engine is kept idle for at most 3 % of the time, or for less than vGPUs below their fluid
 * shares gain over the work-conserving policy
 */
static struct verdict idle(const struct mix *m, u32 setting)
{
	const struct play_result *g = &m->got[setting], *wc = &m->got[CONSERVING];
	double gained = 0;
	u32 i;

	for (i = 0; i < m->n; i++)
		gained += fmax(fmin(g->share[i], m->fluid[i].share) - wc->share[i], 0);
	return of_nobody(fmax(gained, 0.03) / fmax(g->held, 1e-9));
}

static double longest_exec(const struct sched_sim_client *c)
{
	return fmax(c->exec_ns, c->other_every ? c->other_ns : 0) + c->spread_ns;
}

/* The longest piece of the other vGPUs on an engine */
static double longest_piece(const struct mix *m, bool whole, u32 vgpu)
{
	double most_ns = 0, piece_ns;
	u32 k;

	for (k = 0; k < m->n; k++) {
		piece_ns = longest_exec(&m->c[k]);
		if (!whole)
			piece_ns = fmin(piece_ns, m->c[k].piece_ns);
		if (m->vgpu[k] != vgpu)
			most_ns = fmax(most_ns, piece_ns);
	}
	return most_ns;
}

/* The longest time for which others delay the next vGPU */
static double others_ns(const struct mix *m, u32 setting, u32 i)
{
	bool whole = settings[setting].dispatch != GVT_DISPATCH_PREEMPTIVE;
	double most_ns = longest_piece(m, whole, m->vgpu[i]);

	if (m->other && has_all(setting))
		most_ns = fmax(most_ns, longest_piece(m->other, whole, m->vgpu[i]));
	return most_ns;
}

/* The share that a vGPU can have if each of its workloads waits for @wait_ns */
static double reachable(const struct mix *m, u32 i, double wait_ns)
{
	const struct sched_sim_client *c = &m->c[i];
	double exec_ns = c->exec_ns + c->spread_ns / 2.0;
	double each_ns = m->fluid[i].share ? exec_ns * c->depth / m->fluid[i].share : INFINITY;

	return c->depth * exec_ns / (each_ns + wait_ns);
}

/* Less the part of a workload that the end of the measurement may cut off */
static double allowed(const struct mix *m, u32 i, double share)
{
	return 0.9 * share - longest_exec(&m->c[i]) / (play_options.seconds * 1e9);
}

/* If others can be preempted within this time, shares are those of fluid sharing */
#define FINE_NS MS(4)

static struct verdict served(const struct mix *m, u32 setting)
{
	const struct play_result *g = &m->got[setting];
	struct verdict least = of_nobody(2);
	double due, wait_ns;
	u32 i;

	for (i = 0; i < m->n; i++) {
		wait_ns = others_ns(m, setting, i);
		if (wait_ns > FINE_NS)
			continue;
		due = allowed(m, i, reachable(m, i, wait_ns + GVT_SCHED_TURN_NS));
		if (due > 0)
			note(&least, g->share[i] / due, i);
	}
	return least;
}

/*
 * A vGPU has its share under the strict policy, up to its fluid share, unless the strict policy
 * leaves the engine idle for longer
 */
static struct verdict as_strict(const struct mix *m, u32 setting)
{
	const struct play_result *g = &m->got[setting], *strict = &m->got[0];
	struct verdict least = of_nobody(2);
	double due;
	u32 i;

	if (strict->busy < 0.97 * m->got[CONSERVING].busy)
		return least;

	for (i = 0; i < m->n; i++) {
		due = allowed(m, i, fmin(strict->share[i], m->fluid[i].share));
		if (due > 0)
			note(&least, g->share[i] / due, i);
	}
	return least;
}

/*
 * A vGPU has half of what it has under both the strict and the work-conserving policy, up to its
 * fluid share, whatever others submit
 */
static struct verdict not_starved(const struct mix *m, u32 setting)
{
	const struct play_result *g = &m->got[setting];
	struct verdict least = of_nobody(2);
	double due;
	u32 i;

	for (i = 0; i < m->n; i++) {
		due = fmin(m->got[0].share[i], m->got[CONSERVING].share[i]);
		due = allowed(m, i, fmin(due, m->fluid[i].share)) / 2;
		if (due > 0)
			note(&least, g->share[i] / due, i);
	}
	return least;
}

/* How much better off a vGPU is with other settings */
static double better(const struct play_result *other, const struct play_result *g, u32 i)
{
	double more = other->done[i] / fmax(g->done[i], 1);
	double sooner = g->mean_ms[i] / other->mean_ms[i];

	return fmax(more, more > 0.99 ? sooner : 0);
}

/* No other setting is better by a tenth for every vGPU */
static struct verdict not_dominated(const struct mix *m, u32 setting)
{
	double worst = 0, least;
	u32 s, i;

	for (s = 0; s < SETTINGS; s++) {
		if (s == setting)
			continue;
		least = INFINITY;
		for (i = 0; i < m->n; i++)
			least = fmin(least, better(&m->got[s], &m->got[setting], i));
		worst = fmax(worst, least);
	}
	return of_nobody(1.1 / worst);
}

static u32 shortest(const struct mix *m)
{
	u32 i, least = 0;

	for (i = 1; i < m->n; i++) {
		if (m->c[i].exec_ns < m->c[least].exec_ns)
			least = i;
	}
	return least;
}

static double shortest_by(const struct mix *m, u32 setting, size_t offset)
{
	u32 s, i = shortest(m);
	double best = INFINITY, value = 0;

	if (settings[setting].dispatch != GVT_DISPATCH_PREEMPTIVE)
		return 1;

	for (s = FIRST_FAIR; s < SETTINGS; s++) {
		double v = ((const double *)((const char *)&m->got[s] + offset))[i];

		/* A vGPU that has more than its fluid share takes it from others */
		if (s == setting)
			value = v;
		else if (m->got[s].share[i] <= 1.05 * m->fluid[i].share)
			best = fmin(best, v);
	}
	return value ? 1.05 * best / value : 1;
}

/* The vGPU with the shortest workloads compared with the better of the other modes */
static struct verdict shortest_mean(const struct mix *m, u32 setting)
{
	return (struct verdict) {
		shortest_by(m, setting, offsetof(struct play_result, mean_ms)), shortest(m)
	};
}

/* p99 alone does not show how long the worst 1 % take, so the longest counts, too */
static struct verdict shortest_p99(const struct mix *m, u32 setting)
{
	double p99 = shortest_by(m, setting, offsetof(struct play_result, p99_ms));
	double longest = shortest_by(m, setting, offsetof(struct play_result, longest_ms));

	return (struct verdict) { fmax(p99, longest), shortest(m) };
}

static double sum_of_longest_ms(const struct mix *m)
{
	double sum_ms = 0;
	u32 i;

	for (i = 0; i < m->n; i++)
		sum_ms += longest_exec(&m->c[i]) / 1e6;
	return sum_ms;
}

/* No vGPU waits for longer than 1 s, executing workloads and all overdue ones */
static struct verdict bounded(const struct mix *m, u32 setting)
{
	double sum_ms = sum_of_longest_ms(m), bound_ms;
	struct verdict worst = of_nobody(INFINITY);
	u32 i;

	if (m->other && has_all(setting))
		sum_ms += sum_of_longest_ms(m->other);
	for (i = 0; i < m->n; i++) {
		if (!m->got[setting].done[i] || m->c[i].cap)
			continue;
		/* times the queue depth; or, for long workloads, twice the fluid latency */
		bound_ms = fmax(m->c[i].depth * (1000 + 2 * sum_ms), 2 * m->fluid[i].mean_ms);
		note(&worst, bound_ms / m->got[setting].longest_ms[i], i);
	}
	return worst;
}

/* A miss; @kind is the kind of the vGPU, empty if no single vGPU misses */
struct seen {
	double value;
	u64 seed;
	const char *kind;
};

static const struct criterion {
	const char *name;
	struct verdict (*judge)(const struct mix *m, u32 setting);
} criteria[] = {
	{ "idle", idle }, { "served", served }, { "as strict", as_strict },
	{ "not starved", not_starved }, { "not dominated", not_dominated },
	{ "shortest: mean", shortest_mean }, { "shortest: p99", shortest_p99 },
	{ "waits", bounded },
};

static struct tally {
	u32 n;
	u32 missed;
	struct seen worst[WORST];
} tallies[ARRAY_SIZE(criteria)][GVT_DISPATCHES];

static void remember(struct seen *worst, struct seen seen)
{
	u32 i;

	for (i = 0; i < WORST; i++) {
		if (!worst[i].seed || seen.value < worst[i].value)
			swap(seen, worst[i]);
	}
}

static void judge(const struct mix *m)
{
	struct verdict v;
	struct tally *t;
	u32 c, d;

	for (c = 0; c < ARRAY_SIZE(criteria); c++) {
		for (d = 0; d < GVT_DISPATCHES; d++) {
			t = &tallies[c][d];
			v = criteria[c].judge(m, FIRST_FAIR + d);
			t->n++;
			if (v.value >= 1)
				continue;
			t->missed++;
			remember(t->worst, (struct seen) {
				v.value, m->seed, v.who == NOBODY ? "" : m->kind[v.who]
			});
		}
	}
}

static void print_tally(const char *name, const char *setting, const struct tally *t)
{
	u32 i;

	printf("%-15s %-11s missed in %5u of %u (%5.2f %%)", name, setting, t->missed, t->n,
	       100.0 * t->missed / t->n);
	for (i = 0; i < WORST && t->worst[i].seed; i++)
		printf("%s %.2f (%llu%s%s)", i ? "," : "; worst", t->worst[i].value,
		       t->worst[i].seed, *t->worst[i].kind ? " " : "", t->worst[i].kind);
	printf("\n");
}

static void print_tallies(void)
{
	u32 c, d;

	for (c = 0; c < ARRAY_SIZE(criteria); c++) {
		for (d = 0; d < GVT_DISPATCHES; d++)
			print_tally(criteria[c].name, settings[FIRST_FAIR + d].name,
				    &tallies[c][d]);
	}
}

static void print_client(const struct mix *m, u32 i)
{
	printf("vGPU %u, %s: ", m->vgpu[i], m->kind[i]);
	play_print_client(&m->c[i]);
	printf("; fluid %.1f %%, mean %.2f ms\n", m->fluid[i].share * 100, m->fluid[i].mean_ms);
}

static void print_engine(const struct mix *m)
{
	u32 i, s, c;

	for (i = 0; i < m->n; i++) {
		print_client(m, i);
		for (s = 0; s < SETTINGS; s++) {
			printf("  %-22s ", settings[s].name);
			play_print_vgpu(&m->got[s], i);
		}
	}
	for (s = 0; s < SETTINGS; s++) {
		printf("%-22s ", settings[s].name);
		play_print_engine(&m->got[s]);
		printf("\n");
	}
	for (c = 0; c < ARRAY_SIZE(criteria); c++)
		printf("%-15s %.2f %.2f %.2f\n", criteria[c].name,
		       criteria[c].judge(m, FIRST_FAIR).value,
		       criteria[c].judge(m, FIRST_FAIR + 1).value,
		       criteria[c].judge(m, FIRST_FAIR + 2).value);
}

static void draw(struct mix *m, struct mix *other)
{
	struct sched_sim_client beside[SCHED_TEST_VGPUS];
	const char *kind[SCHED_TEST_VGPUS];
	u32 i, k;

	m->n = kinds_mix(m->seed, m->c, m->kind);
	for (i = 0; i < m->n; i++)
		m->vgpu[i] = i;
	if (boot)
		kinds_boot(m->c, m->n);
	for (i = 0; i < m->n && plain; i++)
		scenario_plain(&m->c[i]);
	if (!two_engines)
		return;

	kinds_beside(m->c, m->n, beside, kind);
	for (i = 0; i < m->n; i++) {
		if (!beside[i].depth)
			continue;
		k = other->n++;
		other->c[k] = beside[i];
		other->kind[k] = kind[i];
		other->vgpu[k] = i;
	}
	m->other = other;
	other->other = m;
}

static void share_fluidly(struct mix *m)
{
	fluid_run(m->c, m->n, play_options.submit_ns + play_options.switch_ns, PLAY_WARM_UP_NS,
		  play_options.seconds * 1e9, m->seed, m->fluid);
}

static void write_scenario(const struct mix *m)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%llu.conf", scenarios, m->seed);
	scenario_write(path, m->c, m->n, play_options.seconds);
}

static void play_and_judge(u64 seed)
{
	struct mix m = { .seed = seed }, other = { .seed = seed };
	u32 s;

	draw(&m, &other);
	if (scenarios)
		write_scenario(&m);
	share_fluidly(&m);
	share_fluidly(&other);
	for (s = 0; s < SETTINGS; s++)
		play_setting(&m, &other, s);

	judge(&m);
	if (other.n)
		judge(&other);
	if (!play_options.verbose)
		return;
	printf("seed %llu\n", seed);
	print_engine(&m);
	if (other.n) {
		printf("the other engine\n");
		print_engine(&other);
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'b': boot = true; break;
	case 'c': scenarios = arg; plain = true; break;
	case 'e': two_engines = true; break;
	case 'p': plain = true; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{ "boot", 'b', NULL, 0, "half of the vGPUs begin with short workloads", 0 },
	{ "plain", 'p', NULL, 0, "no lengths and pauses vary, as in scenarios of the rig", 0 },
	{ "scenarios", 'c', "DIR", 0, "write each mix to DIR/SEED.conf for the rig; implies --plain", 0 },
	{ "two-engines", 'e', NULL, 0, "half of the vGPUs use another engine, too", 0 },
	{ 0 }
};

static const struct argp argp = {
	.options = options, .parser = parse_option, .children = play_argp,
	.doc = "Judge the scheduler's core by the results of the vGPUs in random mixes.\v"
	       "The default is 100 mixes of 10 s each. README.md has the criteria. A miss is no "
	       "error: the exit code is 1 only if a check of the simulation fails.",
};

int main(int argc, char **argv)
{
	struct play_options *o = &play_options;
	static u64 seed;

	o->mixes = 100;
	o->seconds = 10;
	play_parse(&argp, argc, argv);
	if (setjmp(play_test.abort)) {
		fprintf(stderr, "seed %llu, %s\n", seed_now, setting_now);
		return 1;
	}
	for (seed = o->seed; seed < o->seed + o->mixes; seed++)
		play_and_judge(seed);
	print_tallies();
	return 0;
}
