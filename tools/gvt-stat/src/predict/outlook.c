// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "outlook.h"

/* one phase of one case */
struct outcome {
	unsigned int of;		/* number of the case; 0: the most likely one */
	unsigned int phase;
	double values[MEASURES];
};

struct outlook {
	GPtrArray *names;		/* char *: of the cases from 1 on */
	GArray *outcomes;		/* struct outcome */
};

struct outlook *outlook_new(void)
{
	struct outlook *outlook = g_new0(struct outlook, 1);

	outlook->names = g_ptr_array_new_with_free_func(g_free);
	outlook->outcomes = g_array_new(FALSE, FALSE, sizeof(struct outcome));
	return outlook;
}

void outlook_free(struct outlook *outlook)
{
	g_array_free(outlook->outcomes, TRUE);
	g_ptr_array_free(outlook->names, TRUE);
	g_free(outlook);
}

static unsigned int number_of(struct outlook *outlook, const char *name)
{
	if (!name)
		return 0;
	for (unsigned int nr = 0; nr < outlook->names->len; nr++)
		if (!strcmp(outlook->names->pdata[nr], name))
			return nr + 1;
	g_ptr_array_add(outlook->names, g_strdup(name));
	return outlook->names->len;
}

void outlook_add(struct outlook *outlook, unsigned int phase, const char *name,
		 const double values[MEASURES])
{
	struct outcome outcome = { .of = number_of(outlook, name), .phase = phase };

	memcpy(outcome.values, values, sizeof(outcome.values));
	g_array_append_val(outlook->outcomes, outcome);
}

/* The range of the phases; the mean is unknown if it is in one phase: nothing was completed then. */
static struct spread spread_of(const struct outlook *outlook, int id)
{
	double *values = g_new(double, outlook->outcomes->len), sum = 0;
	struct spread spread = { NAN, NAN, NAN };
	unsigned int known = 0;

	for (unsigned int nr = 0; nr < outlook->outcomes->len; nr++) {
		const struct outcome *outcome = &g_array_index(outlook->outcomes, struct outcome, nr);

		if (outcome->of)
			continue;
		sum += outcome->values[id];
		if (!isnan(outcome->values[id]))
			values[known++] = outcome->values[id];
	}
	if (known) {
		measure_reach(values, known, &spread.least, &spread.most);
		spread.mean = sum / known;
	}
	g_free(values);
	return spread;
}

/* what is most likely, in a phase */
static double likely_in(const struct outlook *outlook, unsigned int phase, int id)
{
	for (unsigned int nr = 0; nr < outlook->outcomes->len; nr++) {
		const struct outcome *outcome = &g_array_index(outlook->outcomes, struct outcome, nr);

		if (!outcome->of && outcome->phase == phase)
			return outcome->values[id];
	}
	return NAN;
}

/*
 * By how much a case goes below and above what is most likely. Cases are simulated in some phases
 * only, and compared with the same ones, as a few phases reach less far than many.
 */
static void reach_of(const struct outlook *outlook, unsigned int of, int id, double *below, double *above)
{
	double least = INFINITY, most = -INFINITY, likely_least = INFINITY, likely_most = -INFINITY;

	*below = *above = 0;
	for (unsigned int nr = 0; nr < outlook->outcomes->len; nr++) {
		const struct outcome *outcome = &g_array_index(outlook->outcomes, struct outcome, nr);
		double value = outcome->values[id], likely = likely_in(outlook, outcome->phase, id);

		if (outcome->of != of || isnan(value) || isnan(likely))
			continue;
		least = fmin(least, value);
		most = fmax(most, value);
		likely_least = fmin(likely_least, likely);
		likely_most = fmax(likely_most, likely);
	}
	if (least > most)
		return;
	*below = fmax(likely_least - least, 0);
	*above = fmax(most - likely_most, 0);
}

static unsigned int kind_of(const char *name)
{
	if (g_str_has_prefix(name, "arrivals"))
		return UNKNOWN_ARRIVALS;
	return !strcmp(name, "deep") || !strcmp(name, "shallow") ? UNKNOWN_LIMITS : UNKNOWN_PIECES;
}

static void blur(struct predicted *predicted, int64_t window_ns)
{
	double mean[MEASURES], least[MEASURES], most[MEASURES];

	for (int id = 0; id < MEASURES; id++) {
		mean[id] = predicted->measures[id].mean;
		least[id] = predicted->measures[id].least;
		most[id] = predicted->measures[id].most;
	}
	measure_blur(mean, window_ns, least, most);
	for (int id = 0; id < MEASURES; id++) {
		predicted->measures[id].least = least[id];
		predicted->measures[id].most = most[id];
	}
}

/* the farthest case of each end counts */
static void widen(const struct outlook *outlook, int id, struct predicted *predicted)
{
	struct spread *spread = &predicted->measures[id];
	double most_below = 0, most_above = 0;

	for (unsigned int nr = 0; nr < outlook->names->len; nr++) {
		double below, above;

		reach_of(outlook, nr + 1, id, &below, &above);
		most_below = fmax(most_below, below);
		most_above = fmax(most_above, above);
		if (id == MEASURE_MEAN && fmax(below, above) > PREDICTION_NARROW * spread->mean)
			predicted->unknown |= 1u << kind_of(outlook->names->pdata[nr]);
	}
	spread->least = fmax(spread->least - most_below, 0);
	spread->most += most_above;
}

/* The largest value of all phases and cases; unknown if it is in one of them. */
static double worst_of(const struct outlook *outlook, int id)
{
	double worst = -INFINITY;

	for (unsigned int nr = 0; nr < outlook->outcomes->len; nr++) {
		double value = g_array_index(outlook->outcomes, struct outcome, nr).values[id];

		if (isnan(value))
			return NAN;
		worst = fmax(worst, value);
	}
	return worst;
}

void outlook_conclude(const struct outlook *outlook, int64_t window_ns, struct predicted *predicted)
{
	predicted->unknown = 0;
	for (int id = 0; id < MEASURES; id++) {
		predicted->measures[id] = spread_of(outlook, id);
		predicted->worst[id] = worst_of(outlook, id);
		if (isnan(predicted->measures[id].mean))
			predicted->measures[id].least = predicted->measures[id].most = NAN;
	}
	predicted->phases = predicted->measures[MEASURE_MEAN];
	for (int id = 0; id < MEASURES; id++)
		if (!isnan(predicted->measures[id].mean))
			widen(outlook, id, predicted);
	if (outlook->outcomes->len > 1)
		blur(predicted, window_ns);
}
