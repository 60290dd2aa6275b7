// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Coefficients from a fit.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "energy/result.h"
#include "trace/recorded.h"
#include "coef.h"

#define UPPER_TAIL	0.975
/* who executes for less of the time may seem to have any power */
#define LEAST_PART	0.005

struct making {
	const struct energy_result *result;
	struct coef *coef;
	double *ns;			/* by quantity, of all intervals */
	double scale;			/* so that the powers make what was counted */
	int *powers;			/* by consumer: the number in @coef */
};

static const struct consumer *consumer_at(const struct making *making, unsigned int who)
{
	return &g_array_index(making->result->timeline->consumers, struct consumer, who);
}

/* the time of each quantity in intervals without lost events; sets the scale, too */
static void add_up(struct making *making)
{
	const struct portions *portions = making->result->portions;
	double counted = 0, made = 0;

	for (guint nr = 0; nr < portions->stints->len; nr++) {
		const struct stint *stint = portions_stint(portions, nr);

		if (!portions_certain(portions, stint))
			continue;
		counted += stint->nj;
		for (guint i = 0; i < stint->count; i++) {
			const struct portion *portion = portions_at(portions, stint, i);
			double nj = making->result->fit->watts[portion->quantity] * portion->ns;

			making->ns[portion->quantity] += portion->ns;
			made += portion_is_pair(portions, portion->quantity) ? -nj : nj;
		}
	}
	making->scale = made > 0 ? counted / made : 1;
}

/* how many quantities have this one's power? */
static unsigned int sharing(const struct making *making, unsigned int quantity)
{
	const struct fit *fit = making->result->fit;
	unsigned int count = 0;

	for (unsigned int other = 0; other < fit->quantities; other++)
		count += fit_same(fit, quantity, other);
	return count;
}

/* what is not known of what a pair needs less, or of all pairs of a consumer */
static double unsure_nj(const struct making *making, unsigned int quantity)
{
	const struct portions *portions = making->result->portions;
	const double *unsure = making->result->fit->unsure_nj;
	unsigned int who = quantity - portion_busy(portions, 0);
	double nj = 0;

	if (portion_is_pair(portions, quantity))
		return unsure[quantity];
	for (unsigned int other = 0; quantity >= portion_busy(portions, 0) && other < portions->consumers; other++)
		if (other != who)
			nj += unsure[portion_together(portions, MIN(who, other), MAX(who, other))];
	return nj;
}

/*
 * From the jackknife over groups of intervals, as shares_bound(). Of what is indistinguishable,
 * each may be all or nothing.
 */
static struct coef_watts fitted(const struct making *making, unsigned int quantity)
{
	const struct fit *fit = making->result->fit;
	double mean = 0, squares = 0, groups = fit->groups;
	struct coef_watts power = { making->scale * fit->watts[quantity], 0 };

	for (unsigned int nr = 0; nr < fit->groups; nr++)
		mean += fit->without[nr][quantity] / groups;
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		squares += pow(fit->without[nr][quantity] - mean, 2);
	power.bound = gsl_cdf_tdist_Pinv(UPPER_TAIL, groups - 1) * sqrt((groups - 1) / groups * squares);
	if (sharing(making, quantity) > 1)
		power.bound = fmax(power.bound, power.watts);
	if (making->ns[quantity] > 0)
		power.bound += 2 * unsure_nj(making, quantity) / making->ns[quantity];
	power.watts = CLAMP(power.watts, 0, COEF_MOST_WATTS);
	power.bound = CLAMP(power.bound, 0, COEF_MOST_WATTS);
	return power;
}

static struct coef_watts fitted_if_seen(const struct making *making, unsigned int quantity)
{
	return making->result->fit->columns[quantity] >= 0 ? fitted(making, quantity) : (struct coef_watts) { NAN, NAN };
}

static bool has_power(const struct making *making, unsigned int quantity)
{
	return making->result->fit->columns[quantity] >= 0 &&
	       making->ns[quantity] >= LEAST_PART * making->result->shares->length_ns;
}

/* a mean over those who are alike, weighted by time */
struct mean {
	double sum, ns;
	double least, most;		/* with their bounds */
	unsigned int count;
};

static void add_to(struct mean *mean, struct coef_watts power, double ns)
{
	mean->least = mean->count ? fmin(mean->least, power.watts - power.bound) : power.watts - power.bound;
	mean->most = mean->count ? fmax(mean->most, power.watts + power.bound) : power.watts + power.bound;
	mean->sum += power.watts * ns;
	mean->ns += ns;
	mean->count++;
}

static struct coef_watts mean_of(const struct mean *mean)
{
	double watts = mean->sum / mean->ns;

	return (struct coef_watts) { watts, fmax(mean->most - watts, watts - mean->least) };
}

/* One shows nothing of others. */
static struct coef_watts mean_of_any(const struct mean *mean)
{
	struct coef_watts power = mean_of(mean);

	if (mean->count == 1)
		power.bound = power.watts;
	return power;
}

/* on one engine, are both the host, or vGPUs with one UUID, as of a VM that was restarted? */
static bool is_same(const struct making *making, unsigned int one, unsigned int other)
{
	const struct consumer *a = consumer_at(making, one), *b = consumer_at(making, other);

	if (a->engine != b->engine || !a->vgpu != !b->vgpu)
		return false;
	return !a->vgpu || (a->vgpu->uuid && !g_strcmp0(a->vgpu->uuid, b->vgpu->uuid));
}

/* of somebody, by the first consumer who is */
static void add_power(struct making *making, unsigned int first)
{
	const struct consumer *consumer = consumer_at(making, first);
	const struct vgpu *vgpu = consumer->vgpu;
	struct mean mean = { 0 };

	/* a vGPU without UUID cannot be found again: only its engine's power has it */
	for (unsigned int who = first; who < making->result->portions->consumers; who++) {
		unsigned int quantity = portion_busy(making->result->portions, who);

		if (making->powers[who] >= 0 || !is_same(making, first, who) || !has_power(making, quantity))
			continue;
		add_to(&mean, fitted(making, quantity), making->ns[quantity]);
		making->powers[who] = making->coef->powers->len;
	}
	if (mean.count)
		coef_add(making->coef, vgpu ? vgpu->uuid : COEF_HOST, vgpu ? vgpu->vm : NULL, consumer->engine->name,
			 mean_of(&mean));
}

static bool is_of(const struct making *making, unsigned int who, const char *engine)
{
	const struct consumer *consumer = consumer_at(making, who);

	return consumer->vgpu && !strcmp(consumer->engine->name, engine);
}

static void add_engine(struct making *making, const char *engine)
{
	const struct energy_result *result = making->result;
	struct mean mean = { 0 };

	for (unsigned int who = 0; who < result->portions->consumers; who++) {
		unsigned int quantity = portion_busy(result->portions, who);

		if (is_of(making, who, engine) && has_power(making, quantity))
			add_to(&mean, fitted(making, quantity), making->ns[quantity]);
	}
	if (mean.ns > 0)
		coef_add(making->coef, NULL, NULL, engine, mean_of_any(&mean));
}

static void add_saving(struct making *making, guint a, guint b, struct coef_watts power)
{
	const struct coef_saving saving = { MIN(a, b), MAX(a, b), power };

	g_array_append_val(making->coef->savings, saving);
}

/* A power of its own: rare pairs, and those on one engine, have none. */
static bool has_saving(const struct making *making, unsigned int a, unsigned int b)
{
	unsigned int quantity = portion_together(making->result->portions, a, b);

	return making->result->fit->columns[quantity] >= 0 && sharing(making, quantity) == 1 &&
	       consumer_at(making, a)->engine != consumer_at(making, b)->engine;
}

/* one for each two powers, however many consumers have them */
static void add_savings(struct making *making)
{
	const struct portions *portions = making->result->portions;
	const int *powers = making->powers;
	guint count = making->coef->powers->len;
	struct mean *means = g_new0(struct mean, count * count);

	for (unsigned int b = 0; b < portions->consumers; b++)
		for (unsigned int a = 0; a < b; a++) {
			unsigned int quantity = portion_together(portions, a, b);

			if (powers[a] >= 0 && powers[b] >= 0 && has_saving(making, a, b))
				add_to(&means[MAX(powers[a], powers[b]) * count + MIN(powers[a], powers[b])],
				       fitted(making, quantity), making->ns[quantity]);
		}
	for (guint nr = 0; nr < count * count; nr++)
		if (means[nr].ns > 0)
			add_saving(making, nr % count, nr / count, mean_of(&means[nr]));
	g_free(means);
}

/* of any vGPUs on two engines, by the numbers of the engines' powers */
static void add_engines_saving(struct making *making, guint one, guint other)
{
	const struct portions *portions = making->result->portions;
	const char *engines[] = {
		g_array_index(making->coef->powers, struct coef_power, one).engine,
		g_array_index(making->coef->powers, struct coef_power, other).engine,
	};
	struct mean mean = { 0 };

	for (unsigned int b = 0; b < portions->consumers; b++)
		for (unsigned int a = 0; a < b; a++) {
			unsigned int quantity = portion_together(portions, a, b);

			if (has_saving(making, a, b) && ((is_of(making, a, engines[0]) && is_of(making, b, engines[1])) ||
							 (is_of(making, b, engines[0]) && is_of(making, a, engines[1]))))
				add_to(&mean, fitted(making, quantity), making->ns[quantity]);
		}
	if (mean.ns > 0)
		add_saving(making, one, other, mean_of_any(&mean));
}

static void add_engines(struct making *making)
{
	const GArray *consumers = making->result->timeline->consumers;
	guint first = making->coef->powers->len;

	for (guint nr = 0; nr < consumers->len; nr++) {
		const char *engine = consumer_at(making, nr)->engine->name;
		bool seen = false;

		for (guint other = first; other < making->coef->powers->len; other++)
			seen = seen || !strcmp(g_array_index(making->coef->powers, struct coef_power, other).engine, engine);
		if (!seen)
			add_engine(making, engine);
	}
	for (guint b = first; b < making->coef->powers->len; b++)
		for (guint a = first; a < b; a++)
			add_engines_saving(making, a, b);
}

struct coef *coef_of_fit(const struct energy_result *result)
{
	const struct recorded *recorded = result->timeline->follow->recorded;
	GDateTime *now = g_date_time_new_now_utc();
	struct making making = {
		.result = result, .coef = coef_new(NULL), .ns = g_new0(double, result->portions->quantities),
		.powers = g_new(int, result->portions->consumers),
	};

	making.coef->host = g_strdup(recorded->kernel);
	making.coef->date = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
	making.coef->condition = result->fit->condition;
	making.coef->residual = 100 * result->fit->residual;
	for (unsigned int who = 0; who < result->portions->consumers; who++)
		making.powers[who] = -1;
	add_up(&making);
	making.coef->idle = fitted_if_seen(&making, PORTION_IDLE);
	making.coef->awake = fitted_if_seen(&making, PORTION_AWAKE);
	for (unsigned int who = 0; who < result->portions->consumers; who++)
		add_power(&making, who);
	add_savings(&making);
	add_engines(&making);
	g_date_time_unref(now);
	g_free(making.ns);
	g_free(making.powers);
	return making.coef;
}
