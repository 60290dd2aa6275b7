// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "share.h"

/* of a two-sided interval that covers 95 % */
#define UPPER_TAIL	0.975

static const char *const rule_names[STATIC_RULES] = {
	[STATIC_BUSY] = "busy", [STATIC_NONE] = "none", [STATIC_EQUAL] = "equal",
};

const char *static_rule_name(enum static_rule rule)
{
	return rule_names[rule];
}

/* sharing with one set of powers */
struct sharing {
	const struct portions *portions;
	const double *watts;
	bool known;			/* are they? if not, nobody's energy is, nor that of idle time */
	double *nj;			/* sums, by whose */
	double *spread;			/* as in struct shares */
	double *part;			/* of the interval at hand */
	double idle_ns;
	double *fair_ns;		/* by consumer */
	double *kept;			/* as in struct shares */
};

/* the consumers of "together", from the number of the pair in its triangle */
static void split_pair(const struct sharing *s, unsigned int quantity, unsigned int *a, unsigned int *b)
{
	unsigned int nr = quantity - portion_together(s->portions, 0, 1);

	*b = (unsigned int)((1 + sqrt(1 + 8.0 * nr)) / 2);
	while (*b * (*b - 1) / 2 > nr)
		(*b)--;
	*a = nr - *b * (*b - 1) / 2;
}

static void add_portion(struct sharing *s, const struct portion *portion)
{
	const struct portions *portions = s->portions;
	double nj = s->watts[portion->quantity] * portion->ns;
	unsigned int a, b;

	if (portion->quantity == PORTION_IDLE || portion->quantity == PORTION_AWAKE) {
		s->part[SHARE_IDLE(portions)] += nj;
		s->idle_ns += portion->ns;
	} else if (portion_is_pair(portions, portion->quantity)) {
		split_pair(s, portion->quantity, &a, &b);
		s->part[a] -= nj / 2;
		s->part[b] -= nj / 2;
	} else if (portion->quantity >= portion_fair(portions, 0)) {
		s->fair_ns[portion->quantity - portion_fair(portions, 0)] += portion->ns;
	} else if (portion->quantity >= portion_busy(portions, 0)) {
		s->part[portion->quantity - portion_busy(portions, 0)] += nj;
	}
}

/* what the powers make of the interval; returns how long it was not known who executes */
static double estimate(struct sharing *s, const struct stint *stint)
{
	double lost_ns = 0;

	for (unsigned int whose = 0; whose < SHARES(s->portions); whose++)
		s->part[whose] = 0;
	for (guint nr = 0; nr < stint->count; nr++) {
		const struct portion *portion = portions_at(s->portions, stint, nr);

		if (portion->quantity == PORTION_LOST)
			lost_ns += portion->ns;
		else
			add_portion(s, portion);
	}
	return lost_ns;
}

/* Savings of a bad fit may exceed what is saved from. */
static double sum_of_parts(struct sharing *s)
{
	double sum = 0;

	for (unsigned int whose = 0; whose < SHARES(s->portions); whose++) {
		s->part[whose] = fmax(s->part[whose], 0);
		sum += s->part[whose];
	}
	return sum;
}

static bool is_idle(const struct stint *stint, const struct portions *portions)
{
	for (guint nr = 0; nr < stint->count; nr++)
		if (portions_at(portions, stint, nr)->quantity != PORTION_IDLE &&
		    portions_at(portions, stint, nr)->quantity != PORTION_AWAKE)
			return false;
	return stint->count > 0;
}

/* A residual whose owner is drawn by lot, by their parts: the variance of each one's. */
static void add_spread(struct sharing *s, double residual, double sum)
{
	for (unsigned int whose = 0; whose < SHARES(s->portions); whose++) {
		double part = s->part[whose] / sum;

		s->spread[whose] += residual * residual * part * (1 - part);
	}
}

/*
 * What the powers do not explain is of what executed, if the GPU had another frequency, or of what
 * did not, if it was in RC6 for more or less of it: two errors that do not depend on each other,
 * each as large as its part, so that the expected ones go by the squares of the parts.
 */
static void correct(struct sharing *s, double nj, double sum)
{
	double *idle = &s->part[SHARE_IDLE(s->portions)];
	double busy = sum - *idle;
	double weight = busy * busy / (busy * busy + *idle * *idle);
	double corrected = CLAMP(busy + (nj - sum) * weight, 0, nj);

	add_spread(s, nj - sum, sum);
	for (unsigned int who = 0; busy > 0 && who < s->portions->consumers; who++)
		s->part[who] *= corrected / busy;
	*idle = nj - corrected;
}

/* returns what the powers do not explain of it, in nJ */
static double split_stint(struct sharing *s, const struct stint *stint)
{
	double lost_ns = estimate(s, stint), sum = sum_of_parts(s);

	if (s->known && is_idle(stint, s->portions))
		s->part[SHARE_IDLE(s->portions)] = stint->nj;
	else if (sum <= 0 || (lost_ns && sum < stint->nj))
		s->part[SHARE_UNKNOWN(s->portions)] = stint->nj - sum;
	else
		correct(s, stint->nj, sum);
	return stint->nj - sum;
}

static void share_stint(struct sharing *s, const struct stint *stint)
{
	split_stint(s, stint);
	for (unsigned int whose = 0; whose < SHARES(s->portions); whose++)
		s->nj[whose] += s->part[whose];
}

/* Take from those who execute what is drawn while nobody does. */
static void take_static(struct sharing *s)
{
	unsigned int idle = SHARE_IDLE(s->portions);
	double watts = s->idle_ns > 0 ? s->nj[idle] / s->idle_ns : 0;

	for (unsigned int who = 0; who < s->portions->consumers; who++) {
		double nj = fmin(s->nj[who], watts * s->fair_ns[who]);

		s->kept[who] = s->nj[who] > 0 ? 1 - nj / s->nj[who] : 1;
		s->nj[who] -= nj;
		s->nj[idle] += nj;
	}
}

/* what each consumer gets of what all vGPUs have in equal parts */
static void give_static(struct sharing *s, const double *equal)
{
	unsigned int idle = SHARE_IDLE(s->portions);
	double all = s->nj[idle];

	for (unsigned int who = 0; who < s->portions->consumers; who++) {
		s->nj[who] += equal[who] * all;
		s->nj[idle] -= equal[who] * all;
	}
}

/* --- all of it ---------------------------------------------------------------------------------- */

static struct sharing sharing_begin(const struct portions *portions, const double *watts, bool known)
{
	struct sharing s = {
		.portions = portions, .watts = watts, .known = known, .nj = g_new0(double, SHARES(portions)),
		.spread = g_new0(double, SHARES(portions)), .part = g_new0(double, SHARES(portions)),
		.fair_ns = g_new0(double, portions->consumers), .kept = g_new(double, portions->consumers),
	};

	for (unsigned int who = 0; who < portions->consumers; who++)
		s.kept[who] = 1;
	return s;
}

/* all but the energies, and what is @keep's */
static void sharing_end(struct sharing *s, struct shares *keep)
{
	if (keep) {
		keep->spread = s->spread;
		keep->kept = s->kept;
	} else {
		g_free(s->spread);
		g_free(s->kept);
	}
	g_free(s->part);
	g_free(s->fair_ns);
}

/* returns energies by whose; sets @keep's spread and kept unless it is NULL */
static double *share(const struct portions *portions, const double *watts, bool known, enum static_rule rule,
		     const double *equal, struct shares *keep)
{
	struct sharing s = sharing_begin(portions, watts, known);

	for (guint nr = 0; nr < portions->stints->len; nr++)
		share_stint(&s, portions_stint(portions, nr));
	if (rule != STATIC_BUSY)
		take_static(&s);
	if (rule == STATIC_EQUAL)
		give_static(&s, equal);
	sharing_end(&s, keep);
	return s.nj;
}

struct shares *shares_new(const struct portions *portions, const struct fit *fit,
			  enum static_rule rule, const double *equal)
{
	struct shares *shares = g_new0(struct shares, 1);

	for (guint nr = 0; nr < portions->stints->len; nr++) {
		shares->total_nj += portions_stint(portions, nr)->nj;
		shares->length_ns += portions_stint(portions, nr)->length_ns;
	}
	shares->nj = share(portions, fit->watts, fit->groups > 0, rule, equal, shares);
	shares->groups = fit->groups;
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		shares->without[nr] = share(portions, fit->without[nr], true, rule, equal, NULL);
	return shares;
}

double shares_split(const struct portions *portions, const struct fit *fit, const struct stint *stint, double *part)
{
	struct sharing s = sharing_begin(portions, fit->watts, fit->groups > 0);
	double residual_nj = split_stint(&s, stint);

	for (unsigned int whose = 0; whose < SHARES(portions); whose++)
		part[whose] = s.part[whose];
	g_free(s.nj);
	sharing_end(&s, NULL);
	return residual_nj;
}

void shares_free(struct shares *shares)
{
	for (unsigned int nr = 0; nr < shares->groups; nr++)
		g_free(shares->without[nr]);
	g_free(shares->bound_nj);
	g_free(shares->spread);
	g_free(shares->kept);
	g_free(shares->nj);
	g_free(shares);
}

static double sum_of(const double *nj, const unsigned int *of, unsigned int count)
{
	double sum = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		sum += nj[of[nr]];
	return sum;
}

double shares_bound(const struct shares *shares, const unsigned int *of, unsigned int count)
{
	double mean = 0, squares = 0, groups = shares->groups;

	if (shares->bound_nj)
		return sum_of(shares->bound_nj, of, count);
	if (shares->groups < 2)
		return NAN;
	for (unsigned int nr = 0; nr < shares->groups; nr++)
		mean += sum_of(shares->without[nr], of, count) / groups;
	for (unsigned int nr = 0; nr < shares->groups; nr++)
		squares += pow(sum_of(shares->without[nr], of, count) - mean, 2);
	return gsl_cdf_tdist_Pinv(UPPER_TAIL, groups - 1) *
	       sqrt((groups - 1) / groups * squares + sum_of(shares->spread, of, count));
}
