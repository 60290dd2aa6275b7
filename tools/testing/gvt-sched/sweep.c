// SPDX-License-Identifier: GPL-2.0-only
/*
 * Named and random mixes of clients in the three dispatch modes under the fair policy. Compares
 * preemptive dispatch with the better of the other modes.
 */

#include <math.h>

#include "bound.h"
#include "classes.h"
#include "play.h"

/* One mix; the name is NULL for a random one */
struct mix {
	const char *name;
	struct sched_sim_client c[SCHED_TEST_VGPUS];
	u64 switch_ns;
};

#define PERIODIC_60HZ .period_ns = 16666667

/* Half a millisecond between preemption points, as in the goals for quality of service */
#define HOG(ms) { .exec_ns = MS(ms), .depth = 2, .piece_ns = US(500) }

static const struct mix mixes[] = {
	{ .name = "small-vs-pieces", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1) } } },
	{ .name = "hog that pauses", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 1, .think_ns = MS(3), .piece_ns = MS(1) } } },
	{ .name = "costly-switches", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1) } }, .switch_ns = US(100) },
	{ .name = "one-command", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1000) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1000) } } },
	{ .name = "2/18/200 ms of 1 ms", .c = {
		{ .exec_ns = MS(2), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(18), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(200), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) } } },
	{ .name = "2/18/200 ms of 1 ms, two deep", .c = {
		{ .exec_ns = MS(2), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = MS(18), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = MS(200), .depth = 2, .piece_ns = MS(1) } } },
	{ .name = "16 x 1 ms beside 50 ms", .c = {
		{ .exec_ns = MS(1), .burst = 16, .depth = 16, .rest_ns = MS(230), .piece_ns = MS(1) },
		{ .exec_ns = MS(50), .depth = 2, .piece_ns = MS(50) } } },
	{ .name = "16 x 1 ms in turn beside 50 ms", .c = {
		{ .exec_ns = MS(1), .burst = 16, .depth = 1, .think_ns = US(40),
		  .rest_ns = MS(230), .piece_ns = MS(1) },
		{ .exec_ns = MS(50), .depth = 2, .piece_ns = MS(50) } } },
	{ .name = "coarse-pieces 100 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(18) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(100) } } },
	{ .name = "60 Hz beside two 1 s, uncut", .c = {
		{ .exec_ns = MS(5), PERIODIC_60HZ, .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(1000), .depth = 2, .piece_ns = MS(1000) },
		{ .exec_ns = MS(1000), .depth = 2, .piece_ns = MS(1000) } } },
	{ .name = "5 ms at 60 Hz beside two hogs", .c = {
		{ .exec_ns = MS(5), PERIODIC_60HZ, .depth = 1, .piece_ns = US(500) },
		HOG(1000), HOG(1000) } },
	{ .name = "2 ms at 60 Hz beside six hogs", .c = {
		{ .exec_ns = MS(2), PERIODIC_60HZ, .depth = 1, .piece_ns = US(500) },
		HOG(150), HOG(300), HOG(450), HOG(600), HOG(750), HOG(900) } },
	{ .name = "two of 4 ms at 60 Hz beside two hogs", .c = {
		{ .exec_ns = MS(4), PERIODIC_60HZ, .depth = 1, .piece_ns = US(500) },
		{ .exec_ns = MS(4), PERIODIC_60HZ, .depth = 1, .piece_ns = US(500), .start_ns = MS(2) },
		HOG(1000), HOG(1000) } },
	{ .name = "0.1 ms, pauses of 20 us, beside two hogs", .c = {
		{ .exec_ns = US(100), .think_ns = US(20), .depth = 1, .piece_ns = US(500) },
		HOG(1000), HOG(1000) } },
	{ .name = "0.1 ms, pauses of 60 us, beside two hogs", .c = {
		{ .exec_ns = US(100), .think_ns = US(60), .depth = 1, .piece_ns = US(500) },
		HOG(1000), HOG(1000) } },
	{ .name = "seven-sizes", .c = {
		{ .exec_ns = US(500), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(1), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(2), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(5), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(10), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(20), .depth = 2, .piece_ns = MS(50) },
		{ .exec_ns = MS(50), .depth = 2, .piece_ns = MS(50) } } },
	{ .name = "interactive", .c = {
		{ .exec_ns = MS(5), PERIODIC_60HZ, .depth = 1, .piece_ns = MS(5) },
		{ .exec_ns = MS(10), .depth = 2, .piece_ns = MS(10) } } },
	{ .name = "bursty", .c = {
		{ .exec_ns = MS(5), .depth = 2, .piece_ns = MS(5) },
		{ .exec_ns = MS(100), .think_ns = MS(900), .depth = 1, .piece_ns = MS(5) } } },
	{ .name = "three-pieces", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = MS(2), .think_ns = MS(2), .depth = 1, .piece_ns = MS(1) } } },
	{ .name = "3/2.5 beside 4/2 ms", .c = {
		{ .exec_ns = MS(3), .think_ns = US(2500), .depth = 1, .piece_ns = MS(5) },
		{ .exec_ns = MS(4), .think_ns = MS(2), .depth = 1, .piece_ns = MS(5) } } },
	{ .name = "18/4.7 beside 20 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(50) },
		{ .exec_ns = MS(20), .depth = 2, .piece_ns = MS(50) } } },
	{ .name = "small-small", .c = {
		{ .exec_ns = US(500), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = US(500), .depth = 2, .piece_ns = MS(1) } } },
	{ .name = "weights 2:4, 8 ms, two deep", .c = {
		{ .exec_ns = MS(8), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = MS(8), .depth = 2, .piece_ns = MS(1), .weight = 4 } } },
	{ .name = "weights 2:4, 7.8 to 8.2 ms, two deep", .c = {
		{ .exec_ns = US(7800), .spread_ns = US(400), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = US(7800), .spread_ns = US(400), .depth = 2, .piece_ns = MS(1),
		  .weight = 4 } } },
	{ .name = "weights 2:4, 7.6 to 8.4 ms, two deep", .c = {
		{ .exec_ns = US(7600), .spread_ns = US(800), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = US(7600), .spread_ns = US(800), .depth = 2, .piece_ns = MS(1),
		  .weight = 4 } } },
	{ .name = "weights 2:4, 7.2 to 8.8 ms, two deep", .c = {
		{ .exec_ns = US(7200), .spread_ns = US(1600), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = US(7200), .spread_ns = US(1600), .depth = 2, .piece_ns = MS(1),
		  .weight = 4 } } },
	{ .name = "weights 2:4, 18/4.7 beside 800 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1), .weight = 4 } } },
	{ .name = "18/4.7 beside 800 and 800 ms, uncut", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1000) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1000) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1000) } } },
};

/* Results of a mix in one dispatch mode, or the means of several runs */
struct result {
	struct play_result got;
	double least;
};

static struct {
	u32 times;
	const char *only;
} options = { .times = 1 };

static u32 clients(const struct mix *m)
{
	u32 n = 0;

	while (n < SCHED_TEST_VGPUS && m->c[n].depth)
		n++;
	return n;
}

static double demand(const struct sched_sim_client *c)
{
	double exec_ns = c->exec_ns + c->spread_ns / 2.0;
	double think_ns = c->think_ns + c->think_spread_ns / 2.0;

	if (c->period_ns)
		return fmin(exec_ns / c->period_ns, 1);
	if (c->burst)
		return exec_ns * c->burst / (exec_ns * c->burst + think_ns * c->burst + c->rest_ns);
	return c->depth > 1 ? 1 : exec_ns / (exec_ns + think_ns);
}

/* The share due to each vGPU: by weight, or less if the vGPU demands less */
static void entitle(const struct mix *m, double *fair)
{
	u32 n = clients(m), i;
	double left = 1, weights, level;
	bool settled[SCHED_TEST_VGPUS] = {}, any;

	do {
		weights = 0;
		for (i = 0; i < n; i++)
			weights += settled[i] ? 0 : m->c[i].weight ?: 2;
		level = weights ? left / weights : 0;
		any = false;
		for (i = 0; i < n; i++) {
			if (settled[i])
				continue;
			fair[i] = level * (m->c[i].weight ?: 2);
			if (demand(&m->c[i]) >= fair[i])
				continue;
			fair[i] = demand(&m->c[i]);
			left -= fair[i];
			settled[i] = true;
			any = true;
			break;
		}
	} while (any);
}

static void run_once(const struct mix *m, enum gvt_sched_dispatch dispatch, struct result *r)
{
	const struct play p = {
		.policy = GVT_SCHED_FAIR, .dispatch = dispatch, .clients = m->c, .n = clients(m),
		.switch_ns = m->switch_ns,
	};
	double fair[SCHED_TEST_VGPUS];
	u32 i;

	play(&p, &r->got, NULL);
	entitle(m, fair);
	r->least = 1;
	for (i = 0; i < p.n; i++)
		r->least = fmin(r->least, r->got.had[i] / fair[i]);
}

/*
 * The results of a periodic mix depend on when each client began: workloads of 14 ms every
 * 70 ms meet the others in the same phase forever. So each mix runs several times, with other
 * start times and with lengths and pauses that vary by 2 %.
 */

#define TIMES 32
#define VARY 50

static struct result results[GVT_DISPATCHES][TIMES];

static void vary(const struct mix *from, struct mix *to, u64 seed)
{
	struct sched_sim *s = sched_sim_new(&play_test, GVT_SCHED_FAIR, GVT_DISPATCH_EXCLUSIVE,
					    seed);
	u32 i;

	*to = *from;
	for (i = 0; i < clients(to); i++) {
		to->c[i].start_ns = sched_sim_random(s, MS(100));
		if (to->c[i].piece_ns >= to->c[i].exec_ns)
			to->c[i].piece_ns *= 2;
		to->c[i].spread_ns += to->c[i].exec_ns / VARY;
		to->c[i].think_spread_ns += to->c[i].think_ns / VARY;
	}
	kunit_free(&play_test);
}

static void run(const struct mix *m, enum gvt_sched_dispatch dispatch, struct result *mean)
{
	double *sum = (double *)mean;
	struct mix varied = *m;
	u32 i, k;

	*mean = (struct result) {};
	for (i = 0; i < options.times; i++) {
		const double *once = (const double *)&results[dispatch][i];

		if (options.times > 1)
			vary(m, &varied, i + 1);
		run_once(&varied, dispatch, &results[dispatch][i]);
		for (k = 0; k < sizeof(*mean) / sizeof(double); k++)
			sum[k] += once[k] / options.times;
	}
}

/* Preemptive dispatch relative to the better of the other modes: above 1 is worse */

/* The compared measures; less is better */
static const struct {
	const char *name;
	size_t offset;
} measures[] = {
	{ "mean", offsetof(struct result, got.mean_ms) },
	{ "p99", offsetof(struct result, got.p99_ms) },
	{ "worst 1 %", offsetof(struct result, got.tail_ms) },
};

struct verdict {
	double worst[ARRAY_SIZE(measures)];
	double least;
};

static double value(const struct result *r, u32 measure, u32 i)
{
	return ((const double *)((const char *)r + measures[measure].offset))[i];
}

/* Student's t for a one-sided interval of 97.5 %, by the number of samples */
static double student(u32 n)
{
	static const double t[] = { 0, 0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26 };

	return n < ARRAY_SIZE(t) ? t[n] : 2.2;
}

/* Whether preemptive dispatch is significantly worse than another mode */
static bool is_worse(enum gvt_sched_dispatch than, u32 measure, u32 i)
{
	u32 n = options.times, k;
	double sum = 0, squares = 0;

	for (k = 0; k < n; k++) {
		double more = value(&results[GVT_DISPATCH_PREEMPTIVE][k], measure, i) -
			      CLASSES_WORSE * value(&results[than][k], measure, i);

		sum += more;
		squares += more * more;
	}
	if (n == 1)
		return sum > 0;
	return sum / n > student(n) * sqrt((squares - sum * sum / n) / (n - 1) / n);
}

/* The better of the modes in @with */
static enum gvt_sched_dispatch better(const struct result *r, const bool *with, u32 measure, u32 i)
{
	if (!with[GVT_DISPATCH_EXCLUSIVE])
		return GVT_DISPATCH_PER_ENGINE;
	if (!with[GVT_DISPATCH_PER_ENGINE])
		return GVT_DISPATCH_EXCLUSIVE;
	return value(&r[GVT_DISPATCH_EXCLUSIVE], measure, i) <
	       value(&r[GVT_DISPATCH_PER_ENGINE], measure, i) ? GVT_DISPATCH_EXCLUSIVE :
								 GVT_DISPATCH_PER_ENGINE;
}

static double ratio(const struct result *r, enum gvt_sched_dispatch than, u32 measure, u32 i)
{
	return value(&r[GVT_DISPATCH_PREEMPTIVE], measure, i) / value(&r[than], measure, i);
}

static bool is_shorter(const struct mix *m, u32 i)
{
	u32 k;

	for (k = 0; k < clients(m); k++) {
		if (m->c[k].exec_ns > m->c[i].exec_ns)
			return true;
	}
	return false;
}

static struct verdict judge(const struct mix *m, const struct result *r)
{
	static const bool both[] = { true, true };
	struct verdict v = { .least = fmax(r[0].least, r[1].least) / r[2].least };
	u32 i, k;

	for (i = 0; i < clients(m); i++) {
		for (k = 0; k < ARRAY_SIZE(measures) && is_shorter(m, i); k++)
			v.worst[k] = fmax(v.worst[k], ratio(r, better(r, both, k, i), k, i));
	}
	return v;
}

/* Classes of vGPUs */

static const char *class_of(const struct sched_sim_client *c, double fair)
{
	if (c->burst)
		return c->depth > 1 ? "bursts, two deep" : "bursts, in turn";
	if (c->period_ns)
		return demand(c) < fair ? "periodic, below share" : "periodic, above share";
	if (c->depth > 1)
		return "two deep";
	if (c->think_ns <= US(40))
		return "at once";
	return demand(c) <= fair ? "pauses, below share" : "pauses, above share";
}

/*
 * In a mode in which a vGPU has less than this fraction of its due, a vGPU with more than its
 * due gains at the former's expense. No policy that keeps shares can match that gain.
 */
#define KEEPS_SHARES 0.95
#define ABOVE_SHARE 1.02

static bool is_fair_there(const struct result *r, u32 i, double fair)
{
	return r->least >= KEEPS_SHARES || r->got.had[i] <= ABOVE_SHARE * fair;
}

static void add(const char *name, const struct result *r, const bool *with, u32 measure, u32 i,
		u64 seed)
{
	enum gvt_sched_dispatch than = better(r, with, measure, i);

	classes_add(name, measures[measure].name, ratio(r, than, measure, i),
		    is_worse(than, measure, i), seed);
}

static void classify_vgpu(const struct mix *m, const struct result *r, u32 i, double fair, u64 seed)
{
	const bool fairly[] = { is_fair_there(&r[0], i, fair), is_fair_there(&r[1], i, fair) };
	static const bool both[] = { true, true };
	u32 k;

	for (k = 0; k < ARRAY_SIZE(measures); k++) {
		add(class_of(&m->c[i], fair + 1e-9), r, both, k, i, seed);
		add("all", r, both, k, i, seed);
		if (fairly[0] || fairly[1])
			add("where shares are kept", r, fairly, k, i, seed);
	}
}

static void classify(const struct mix *m, const struct result *r, u64 seed)
{
	double fair[SCHED_TEST_VGPUS];
	u32 i;

	entitle(m, fair);
	for (i = 0; i < clients(m); i++) {
		if (is_shorter(m, i))
			classify_vgpu(m, r, i, fair[i], seed);
	}
}

static void print_mix(const struct mix *m, const struct result *r)
{
	static const char * const names[] = { "exclusive", "per-engine", "preemptive" };
	double fair[SCHED_TEST_VGPUS];
	u32 i, d;

	entitle(m, fair);
	for (i = 0; i < clients(m); i++) {
		printf("  vGPU %u (", i);
		play_print_client(&m->c[i]);
		printf(") of %.1f %%:\n", fair[i] * 100);
		for (d = 0; d < GVT_DISPATCHES; d++) {
			printf("    %-10s ", names[d]);
			play_print_vgpu(&r[d].got, i);
		}
	}
	for (d = 0; d < GVT_DISPATCHES; d++) {
		printf("  %-10s ", names[d]);
		play_print_engine(&r[d].got);
		printf(", least %.3f\n", r[d].least);
	}
}

/*
 * How much of what is worse under preemptive dispatch no order of the workloads could improve,
 * if the others keep this fraction of their due (the latter beside workloads that run to
 * completion), or what they have now if less.
 */
#define KEPT 0.98
#define KEPT_BESIDE_UNCUT 0.95

/* Numbers of mixes */
static struct {
	u32 mean;
	u32 mean_needs_more;
	u32 mean_was_more;
	u32 p99;
	u32 p99_costs_worst;
} bounds;

static double kept(const struct mix *m, u32 i)
{
	u32 k;

	for (k = 0; k < clients(m); k++) {
		if (k != i && m->c[k].piece_ns >= m->c[k].exec_ns)
			return KEPT_BESIDE_UNCUT;
	}
	return KEPT;
}

/* The share that a vGPU needs for a mean latency as good as in the better mode */
static double needs(const struct mix *m, const struct result *r, u32 i)
{
	static const bool both[] = { true, true };
	const struct result *than = &r[better(r, both, 0, i)];
	double each_ms = play_options.seconds * 1e3 / than->got.done[i], pause_ms;

	if (!than->got.done[i])
		return 0;

	pause_ms = m->c[i].period_ns ? m->c[i].period_ns / 1e6 :
				       fmax(m->c[i].depth * each_ms - than->got.mean_ms[i], 0);
	return bound_share(than->got.had[i] * each_ms, CLASSES_WORSE * than->got.mean_ms[i],
			   pause_ms, m->c[i].depth);
}

static bool needs_too_much(const struct mix *m, const struct result *r, const double *fair)
{
	double sum = 0, own;
	u32 i;

	for (i = 0; i < clients(m); i++) {
		own = fmin(kept(m, i) * fair[i], r[GVT_DISPATCH_PREEMPTIVE].got.had[i]);
		sum += is_shorter(m, i) ? fmax(own, needs(m, r, i)) : own;
	}
	return sum > fmax(r[0].got.busy, fmax(r[1].got.busy, r[2].got.busy));
}

static bool is_worse_than_better(const struct result *r, u32 measure, u32 i)
{
	static const bool both[] = { true, true };

	return ratio(r, better(r, both, measure, i), measure, i) > CLASSES_WORSE;
}

/* Whether all vGPUs with a worse mean latency had more than their due in the better mode */
static bool all_had_more(const struct mix *m, const struct result *r, const double *fair)
{
	static const bool both[] = { true, true };
	u32 i;

	for (i = 0; i < clients(m); i++) {
		if (is_shorter(m, i) && is_worse_than_better(r, 0, i) &&
		    r[better(r, both, 0, i)].got.had[i] <= ABOVE_SHARE * fair[i])
			return false;
	}
	return true;
}

/* Whether, for some vGPU, a p99 as in the better mode would make the worst 1 % longer */
static bool costs_worst(const struct mix *m, const struct result *r)
{
	const struct result *now = &r[GVT_DISPATCH_PREEMPTIVE];
	double p99_ms;
	u32 i;

	for (i = 0; i < clients(m); i++) {
		if (!is_shorter(m, i) || !is_worse_than_better(r, 1, i))
			continue;
		p99_ms = CLASSES_WORSE * fmin(r[0].got.p99_ms[i], r[1].got.p99_ms[i]);
		if (bound_worst(now->got.mean_ms[i], p99_ms) > CLASSES_WORSE * now->got.tail_ms[i])
			return true;
	}
	return false;
}

static void count_bounds(const struct mix *m, const struct result *r, const struct verdict *v)
{
	double fair[SCHED_TEST_VGPUS];

	entitle(m, fair);
	if (v->worst[0] > CLASSES_WORSE) {
		bounds.mean++;
		if (needs_too_much(m, r, fair))
			bounds.mean_needs_more++;
		else
			bounds.mean_was_more += all_had_more(m, r, fair);
	}
	if (v->worst[1] > CLASSES_WORSE) {
		bounds.p99++;
		bounds.p99_costs_worst += costs_worst(m, r);
	}
}

static void print_bounds(u32 n)
{
	printf("mean worse in %u of %u mixes: in %u no order could serve all, in %u only for vGPUs that had more than their share\n",
	       bounds.mean, n, bounds.mean_needs_more, bounds.mean_was_more);
	printf("p99 worse in %u of %u mixes: in %u as good only if the worst 1 %% took longer\n",
	       bounds.p99, n, bounds.p99_costs_worst);
}

static struct verdict compare(const struct mix *m, u64 seed)
{
	struct result r[GVT_DISPATCHES];
	struct verdict v;
	u32 d;

	for (d = 0; d < GVT_DISPATCHES; d++)
		run(m, d, &r[d]);
	v = judge(m, r);
	printf("%-36s least %.3f %.3f %.3f  busy %.3f %.3f %.3f  mean x%.2f  p99 x%.2f  worst 1 %% x%.2f\n",
	       m->name, r[0].least, r[1].least, r[2].least, r[0].got.busy, r[1].got.busy,
	       r[2].got.busy, v.worst[0], v.worst[1], v.worst[2]);
	if (seed) {
		classify(m, r, seed);
		count_bounds(m, r, &v);
	}
	if (play_options.verbose)
		print_mix(m, r);
	return v;
}

/* Random mixes */

/* No preemption point within any workload */
#define UNCUT_NS (10 * NSEC_PER_SEC)

static double uniform(struct sched_sim *s)
{
	return sched_sim_random(s, 1 << 30) / (double)(1 << 30);
}

/* From a to b */
static u64 log_uniform(struct sched_sim *s, double a, double b)
{
	return a * pow(b / a, uniform(s));
}

static void random_client(struct sched_sim *s, struct sched_sim_client *c, bool hog)
{
	*c = (struct sched_sim_client) {
		.exec_ns = hog ? log_uniform(s, MS(10), MS(1000)) : log_uniform(s, US(300), MS(50)),
		.depth = 1 + sched_sim_random(s, 2),
		.start_ns = sched_sim_random(s, MS(50)),
	};
	c->piece_ns = uniform(s) < 0.3 ? UNCUT_NS : log_uniform(s, US(100), MS(400));
	switch (sched_sim_random(s, hog ? 3 : 6)) {
	case 0:
		c->depth = 2;
		break;
	case 1:
		c->depth = 1;
		c->think_ns = US(40);
		break;
	case 2:
		c->depth = 1;
		c->think_ns = log_uniform(s, US(50), MS(20));
		break;
	case 3:
		c->depth = 1;
		c->think_ns = log_uniform(s, US(50), MS(20));
		c->think_spread_ns = c->think_ns;
		c->spread_ns = c->exec_ns;
		break;
	case 4:
		c->depth = 1;
		c->period_ns = c->exec_ns * 10 / (1 + sched_sim_random(s, 6));
		break;
	case 5:
		c->burst = 2 + sched_sim_random(s, 14);
		c->rest_ns = log_uniform(s, MS(10), MS(500));
		break;
	}
}

static void random_mix(struct mix *m, u64 seed, char *name, size_t size)
{
	struct sched_sim *s = sched_sim_new(&play_test, GVT_SCHED_FAIR, GVT_DISPATCH_EXCLUSIVE,
					    seed);
	u32 n = 2 + sched_sim_random(s, uniform(s) < 0.5 ? 2 : 6), i;

	*m = (struct mix) { .name = name };
	snprintf(name, size, "seed %llu", seed);
	for (i = 0; i < n; i++)
		random_client(s, &m->c[i], i == n - 1 || uniform(s) < 0.3);
	kunit_free(&play_test);
}

static void sweep(u64 seed, u32 n)
{
	struct verdict v;
	struct mix m;
	char name[32];
	u64 end = seed + n;
	u32 k;

	for (; seed < end; seed++) {
		random_mix(&m, seed, name, sizeof(name));
		v = compare(&m, seed);
		for (k = 0; k < ARRAY_SIZE(measures); k++)
			classes_add("worst of the mix", measures[k].name, v.worst[k], false, seed);
		classes_add("worst of the mix", "least", v.least, false, seed);
	}
	classes_print();
	print_bounds(n);
}

static void compare_named(const char *only)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(mixes); i++) {
		if (!only || strstr(mixes[i].name, only))
			compare(&mixes[i], 0);
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'p': options.times = play_number(state, "times", arg, 1, TIMES); break;
	case 'r': options.only = arg; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{ "times", 'p', "N", 0, "run each mix N times, with other start times (1 to 32)", 0 },
	{ "only", 'r', "TEXT", 0, "run only the mixes whose names contain TEXT", 0 },
	{ 0 }
};

static const struct argp argp = {
	.options = option_table, .children = play_argp, .parser = parse_option,
	.doc = "Compare preemptive dispatch with the other modes under the fair policy.\v"
	       "Without --mixes, runs the named mixes. Each mix takes 20 s by default. A worse "
	       "result is no error: the exit code is 1 only if a check of the simulation fails.",
};

int main(int argc, char **argv)
{
	play_options.seconds = 20;
	play_parse(&argp, argc, argv);
	if (setjmp(play_test.abort))
		return 1;
	if (play_options.mixes)
		sweep(play_options.seed, play_options.mixes);
	else
		compare_named(options.only);
	return 0;
}
