// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "holdout.h"

/* for smaller delays, an error in per cent is meaningless */
#define LEAST_DELAY	0.05

struct group {
	enum holdout_group by;
	unsigned int nr;
	const struct cases *cases;
};

/* errors of the tests */
struct errors {
	GArray *time, *delay, *no_tree;		/* double, in per cent */
};

static bool is_of(const struct app *app, const struct group *group)
{
	return group->by == HOLDOUT_FAMILY ? app->family == group->nr :
	       app == group->cases->apps->pdata[group->nr];
}

static bool in_group(const struct pair_case *pair, const void *ctx)
{
	return is_of(pair->app, ctx) || is_of(pair->beside, ctx);
}

struct tree *grow_without(const struct cases *cases, const struct tree_shape *shape,
			  bool (*left_out)(const struct pair_case *pair, const void *ctx),
			  const void *ctx, GArray **rows)
{
	GArray *known = g_array_new(FALSE, FALSE, sizeof(struct tree_row));
	struct tree *tree = NULL;

	for (unsigned int nr = 0; nr < cases->pairs->len; nr++) {
		const struct pair_case *pair = cases->pairs->pdata[nr];
		struct tree_row row = { pair->features, log(pair->slowdown / pair->model) };

		if (!isnan(pair->slowdown) && !left_out(pair, ctx))
			g_array_append_val(known, row);
	}
	if (known->len >= 2 * shape->leaf)
		tree = tree_grow(known, cases->features->len, shape);
	if (rows)
		*rows = known;
	else
		g_array_free(known, TRUE);
	return tree;
}

struct range *ranges_of(const GArray *rows, unsigned int features)
{
	struct range *ranges = g_new(struct range, features + 1);

	for (unsigned int feature = 0; feature < features; feature++) {
		ranges[feature] = (struct range) { INFINITY, -INFINITY };
		for (unsigned int nr = 0; nr < rows->len; nr++) {
			double value = g_array_index(rows, struct tree_row, nr).features[feature];

			ranges[feature].least = fmin(ranges[feature].least, value);
			ranges[feature].most = fmax(ranges[feature].most, value);
		}
	}
	return ranges;
}

static bool is_outside(const struct range *ranges, const double *features, unsigned int count)
{
	for (unsigned int nr = 0; nr < count; nr++)
		if (features[nr] < ranges[nr].least || features[nr] > ranges[nr].most)
			return true;
	return false;
}

static void count_steps(const GArray *steps, struct importance *importance, unsigned int features)
{
	unsigned int *uses = g_new0(unsigned int, features + 1);

	for (unsigned int nr = 0; nr < steps->len; nr++)
		uses[g_array_index(steps, struct tree_step, nr).feature]++;
	for (unsigned int nr = 0; nr < features; nr++) {
		importance[nr].paths += uses[nr] > 0;
		importance[nr].uses += uses[nr];
		importance[nr].most = MAX(importance[nr].most, uses[nr]);
	}
	g_free(uses);
}

static void add_error(GArray *errors, double predicted, double measured)
{
	double percent = 100 * fabs(predicted - measured) / measured;

	g_array_append_val(errors, percent);
}

static void add_errors(const struct errors *errors, const struct tree *tree, double target,
		       const struct pair_case *pair)
{
	double predicted = pair->model * exp(target), measured = pair->slowdown;

	add_error(errors->time, predicted, measured);
	add_error(errors->no_tree, pair->model * exp(tree_mean(tree)), measured);
	if (measured > 1 + LEAST_DELAY)
		add_error(errors->delay, predicted - 1, measured - 1);
}

/* a tree for the tests of one group */
struct trial {
	const struct cases *cases;
	const struct tree *tree;
	const struct range *ranges;		/* of the training rows */
	const struct errors *errors;
	struct holdout *holdout;
};

static void test_pair(const struct trial *trial, const struct pair_case *pair, GArray *steps)
{
	unsigned int features = trial->cases->features->len;
	double target;

	g_array_set_size(steps, 0);
	target = tree_path(trial->tree, pair->features, steps);
	add_errors(trial->errors, trial->tree, target, pair);
	count_steps(steps, trial->holdout->importance, features);
	trial->holdout->tests++;
	trial->holdout->outside += is_outside(trial->ranges, pair->features, features);
}

static void test_pairs(const struct trial *trial, const struct group *group)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step));

	for (unsigned int nr = 0; nr < trial->cases->pairs->len; nr++) {
		const struct pair_case *pair = trial->cases->pairs->pdata[nr];

		if (isnan(pair->slowdown) || !in_group(pair, group))
			continue;
		if (trial->tree)
			test_pair(trial, pair, steps);
		else
			trial->holdout->untested++;
	}
	g_array_free(steps, TRUE);
}

static void test_group(const struct group *group, const struct tree_shape *shape,
		       const struct errors *errors, struct holdout *holdout)
{
	GArray *rows;
	struct tree *tree = grow_without(group->cases, shape, in_group, group, &rows);
	struct range *ranges = ranges_of(rows, group->cases->features->len);
	const struct trial trial = { group->cases, tree, ranges, errors, holdout };

	test_pairs(&trial, group);
	tree_free(tree);
	g_free(ranges);
	g_array_free(rows, TRUE);
}

static int compare_doubles(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

/* the smallest value that at least the part @q of all values does not exceed */
static double quantile(const GArray *sorted, double q)
{
	unsigned int nr = ceil(q * sorted->len);

	return g_array_index(sorted, double, MAX(nr, 1) - 1);
}

static struct error_summary summarise(GArray *errors)
{
	struct error_summary summary = { errors->len, NAN, NAN, NAN };
	double sum = 0;

	if (errors->len) {
		g_array_sort(errors, compare_doubles);
		for (unsigned int nr = 0; nr < errors->len; nr++)
			sum += g_array_index(errors, double, nr);
		summary.mean = sum / errors->len;
		summary.median = quantile(errors, 0.5);
		summary.p90 = quantile(errors, 0.9);
	}
	g_array_free(errors, TRUE);
	return summary;
}

struct holdout *holdout_run(const struct cases *cases, enum holdout_group by,
			    const struct tree_shape *shape)
{
	struct holdout *holdout = g_new0(struct holdout, 1);
	struct errors errors = {
		g_array_new(FALSE, FALSE, sizeof(double)),
		g_array_new(FALSE, FALSE, sizeof(double)),
		g_array_new(FALSE, FALSE, sizeof(double)),
	};

	holdout->groups = by == HOLDOUT_FAMILY ? cases->families->len : cases->apps->len;
	holdout->importance = g_new0(struct importance, cases->features->len + 1);
	for (unsigned int nr = 0; nr < holdout->groups; nr++)
		test_group(&(struct group) { by, nr, cases }, shape, &errors, holdout);
	holdout->time = summarise(errors.time);
	holdout->delay = summarise(errors.delay);
	holdout->no_tree = summarise(errors.no_tree);
	return holdout;
}

void holdout_free(struct holdout *holdout)
{
	g_free(holdout->importance);
	g_free(holdout);
}

const char *holdout_name(enum holdout_group by)
{
	static const char *const names[] = { "family", "application" };

	return names[by];
}
