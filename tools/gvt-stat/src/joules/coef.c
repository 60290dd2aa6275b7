// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "energy/result.h"
#include "coef.h"

static void clear_power(gpointer data)
{
	struct coef_power *power = data;

	g_free(power->who);
	g_free(power->vm);
	g_free(power->engine);
}

struct coef *coef_new(const char *path)
{
	struct coef *coef = g_new0(struct coef, 1);

	coef->path = g_strdup(path);
	coef->condition = NAN;
	coef->residual = NAN;
	coef->speed = 1;
	coef->powers = g_array_new(FALSE, FALSE, sizeof(struct coef_power));
	g_array_set_clear_func(coef->powers, clear_power);
	coef->savings = g_array_new(FALSE, FALSE, sizeof(struct coef_saving));
	return coef;
}

void coef_free(struct coef *coef)
{
	g_array_free(coef->powers, TRUE);
	g_array_free(coef->savings, TRUE);
	g_free(coef->path);
	g_free(coef->host);
	g_free(coef->date);
	g_free(coef);
}

guint coef_add(struct coef *coef, const char *who, const char *vm, const char *engine,
	       struct coef_watts power)
{
	const struct coef_power added = { g_strdup(who), g_strdup(vm), g_strdup(engine), power };

	g_array_append_val(coef->powers, added);
	return coef->powers->len - 1;
}

static const struct coef_power *power_at(const struct coef *coef, guint nr)
{
	return &g_array_index(coef->powers, struct coef_power, nr);
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* how well a power is that of a vGPU: 0: not at all */
static unsigned int match(const struct coef_power *power, const struct vgpu *vgpu)
{
	if (!vgpu && power->who)
		return 3 * same(power->who, COEF_HOST);
	if (!power->who)
		return 1;
	if (same(power->who, vgpu->uuid))
		return 3;
	return 2 * same(power->vm, vgpu->vm);
}

int coef_find(const struct coef *coef, const struct vgpu *vgpu, const char *engine)
{
	unsigned int best = 0;
	int found = -1;

	for (guint nr = 0; nr < coef->powers->len; nr++) {
		unsigned int good = match(power_at(coef, nr), vgpu);

		if (good <= best || strcmp(power_at(coef, nr)->engine, engine))
			continue;
		best = good;
		found = nr;
	}
	return found;
}

static const struct coef_saving *find_saving(const struct coef *coef, guint a, guint b)
{
	for (guint nr = 0; nr < coef->savings->len; nr++) {
		const struct coef_saving *saving = &g_array_index(coef->savings, struct coef_saving, nr);

		if (saving->a == MIN(a, b) && saving->b == MAX(a, b))
			return saving;
	}
	return NULL;
}

bool coef_has_saving(const struct coef *coef, guint a, guint b)
{
	return find_saving(coef, a, b);
}

/* the power of any vGPU on the engine of a power; itself, if there is none */
static guint general(const struct coef *coef, guint nr)
{
	for (guint other = 0; other < coef->powers->len; other++)
		if (!power_at(coef, other)->who && same(power_at(coef, other)->engine, power_at(coef, nr)->engine))
			return other;
	return nr;
}

struct coef_watts coef_saving(const struct coef *coef, guint a, guint b)
{
	const struct coef_saving *saving = find_saving(coef, a, b);

	if (!saving)
		saving = find_saving(coef, general(coef, a), general(coef, b));
	if (saving)
		return saving->power;
	if (isnan(coef->awake.watts))
		return (struct coef_watts) { 0, fmin(power_at(coef, a)->power.watts, power_at(coef, b)->power.watts) };
	return (struct coef_watts) { coef->awake.watts, coef->awake.watts };
}

/* --- use ------------------------------------------------------------------------------------------ */

/* what applies to an interval */
struct use {
	const struct coef *coef;
	const struct portions *portions;
	const int *powers;
	double *ns;			/* by quantity */
	struct coef_energy energy;
};

static void add(struct use *use, unsigned int whose, unsigned int quantity, double times, struct coef_watts power)
{
	double ns = use->ns[quantity];

	use->energy.nj[whose] += times * ns * power.watts;
	use->energy.bound_nj[whose] += fabs(times) * ns * power.bound;
	use->energy.off_nj[quantity] += times * ns * power.bound;
}

static void add_pair(struct use *use, unsigned int a, unsigned int b)
{
	unsigned int together = portion_together(use->portions, a, b);
	struct coef_watts saving;

	if (use->ns[together] <= 0 || use->powers[a] < 0 || use->powers[b] < 0)
		return;
	saving = coef_saving(use->coef, use->powers[a], use->powers[b]);
	add(use, a, together, -0.5, saving);
	add(use, b, together, -0.5, saving);
}

static void add_consumer(struct use *use, unsigned int who)
{
	unsigned int busy = portion_busy(use->portions, who);

	if (use->powers[who] >= 0)
		add(use, who, busy, 1, power_at(use->coef, use->powers[who])->power);
	else if (use->ns[busy] > 0)
		use->energy.nj[who] = NAN;
	for (unsigned int other = 0; other < who; other++)
		add_pair(use, other, who);
}

struct coef_energy coef_energy(const struct coef *coef, const struct portions *portions,
			       const struct stint *stint, const int *powers)
{
	struct use use = {
		.coef = coef, .portions = portions, .powers = powers,
		.ns = g_new0(double, portions->quantities),
		.energy = { g_new0(double, SHARES(portions)), g_new0(double, SHARES(portions)),
			    g_new0(double, portions->quantities) },
	};

	for (guint nr = 0; nr < stint->count; nr++)
		use.ns[portions_at(portions, stint, nr)->quantity] += portions_at(portions, stint, nr)->ns;
	if (use.ns[PORTION_IDLE] > 0)
		add(&use, SHARE_IDLE(portions), PORTION_IDLE, 1, coef->idle);
	if (use.ns[PORTION_AWAKE] > 0)
		add(&use, SHARE_IDLE(portions), PORTION_AWAKE, 1, coef->awake);
	for (unsigned int who = 0; who < portions->consumers; who++)
		add_consumer(&use, who);
	/* savings of files that were edited may exceed what is saved from */
	for (unsigned int who = 0; who < portions->consumers; who++)
		if (use.energy.nj[who] < 0)
			use.energy.nj[who] = 0;
	if (use.ns[PORTION_LOST] > 0)
		use.energy.nj[SHARE_UNKNOWN(portions)] = NAN;
	g_free(use.ns);
	return use.energy;
}

void coef_energy_clear(struct coef_energy *energy)
{
	g_free(energy->nj);
	g_free(energy->bound_nj);
	g_free(energy->off_nj);
}

/* --- shares --------------------------------------------------------------------------------------- */

static int *find_powers(const struct coef *coef, const struct timeline *timeline)
{
	int *powers = g_new(int, timeline->consumers->len);

	for (guint who = 0; who < timeline->consumers->len; who++) {
		const struct consumer *consumer = &g_array_index(timeline->consumers, struct consumer, who);

		powers[who] = coef_find(coef, consumer->vgpu, consumer->engine->name);
	}
	return powers;
}

/* @fit: each known power is one of its own */
static void fill_fit(struct fit *fit, const struct portions *portions, const int *powers)
{
	fit->quantities = portions->quantities;
	fit->columns = g_new(int, fit->quantities);
	for (unsigned int quantity = 0; quantity < fit->quantities; quantity++)
		fit->columns[quantity] = -1;
	for (unsigned int who = 0; who < portions->consumers; who++)
		if (powers[who] >= 0)
			fit->columns[portion_busy(portions, who)] = fit->powers++;
	fit->condition = NAN;
	fit->residual = NAN;
}

static struct shares *shares_of(const struct coef *coef, const struct timeline *timeline,
				const struct portions *portions, struct fit *fit)
{
	struct shares *shares = g_new0(struct shares, 1);
	int *powers = find_powers(coef, timeline);

	fill_fit(fit, portions, powers);
	shares->nj = g_new0(double, SHARES(portions));
	shares->bound_nj = g_new0(double, SHARES(portions));
	for (guint nr = 0; nr < portions->stints->len; nr++) {
		struct coef_energy energy = coef_energy(coef, portions, portions_stint(portions, nr), powers);

		for (unsigned int whose = 0; whose < SHARES(portions); whose++) {
			shares->nj[whose] += energy.nj[whose];
			shares->bound_nj[whose] += energy.bound_nj[whose];
			shares->total_nj += energy.nj[whose];
		}
		shares->length_ns += portions_stint(portions, nr)->length_ns;
		coef_energy_clear(&energy);
	}
	g_free(powers);
	return shares;
}

struct energy_result *coef_result(const struct coef *coef, struct timeline *timeline)
{
	struct portions *portions;
	struct fit *fit = g_new0(struct fit, 1);

	timeline_whole(timeline);
	portions = portions_new(timeline);
	return energy_result_of(timeline, portions, fit, shares_of(coef, timeline, portions, fit));
}
