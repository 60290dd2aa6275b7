// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "tree.h"

/* least gain relative to the sum of squares; less may be a rounding error */
#define LEAST_GAIN	1e-12

struct tree {
	double mean;			/* target of its rows */
	unsigned int rows;
	/* the node's question; a leaf has no children */
	unsigned int feature;
	double threshold;
	struct tree *below, *above;
};

struct question {
	double gain;			/* reduction of the sum of squares; 0: no useful question */
	unsigned int feature;
	double threshold;
};

struct growth {
	const struct tree_shape *shape;
	unsigned int features;
};

/* a row of the node, while one feature is examined */
struct candidate {
	double value;
	double off;			/* target minus the node's mean */
	unsigned int nr;		/* keeps equal values in the order of the rows */
};

static int compare_candidates(const void *one, const void *other)
{
	const struct candidate *a = one, *b = other;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

/*
 * Halves both values before adding them, as their sum may overflow; adjacent values may have no
 * value between them.
 */
static double midway(double low, double high)
{
	double middle = low / 2 + high / 2;

	return middle < high ? middle : low;
}

static const struct tree_row *row_of(const GArray *rows, unsigned int nr)
{
	return &g_array_index(rows, struct tree_row, nr);
}

static void sort_by(const GArray *rows, unsigned int feature, double mean,
		    struct candidate *sorted)
{
	for (unsigned int nr = 0; nr < rows->len; nr++)
		sorted[nr] = (struct candidate) {
			row_of(rows, nr)->features[feature], row_of(rows, nr)->target - mean, nr,
		};
	qsort(sorted, rows->len, sizeof(*sorted), compare_candidates);
}

/*
 * As targets are relative to the mean, their sum is 0 except for rounding. Therefore a side of n
 * rows with sum s reduces the sum of squares by s^2 / n.
 */
static void ask_feature(const struct candidate *sorted, unsigned int count, unsigned int leaf,
			unsigned int feature, struct question *best)
{
	double left = 0, all = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		all += sorted[nr].off;
	for (unsigned int nr = 1; nr < count; nr++) {
		double right, gain;

		left += sorted[nr - 1].off;
		if (nr < leaf || count - nr < leaf || sorted[nr].value == sorted[nr - 1].value)
			continue;
		right = all - left;
		gain = left * left / nr + right * right / (count - nr);
		if (gain > best->gain)
			*best = (struct question) {
				gain, feature, midway(sorted[nr - 1].value, sorted[nr].value),
			};
	}
}

static double squares(const GArray *rows, double mean)
{
	double sum = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++)
		sum += (row_of(rows, nr)->target - mean) * (row_of(rows, nr)->target - mean);
	return sum;
}

static struct question best_question(const struct growth *growth, const GArray *rows, double mean)
{
	struct candidate *sorted = g_new(struct candidate, rows->len);
	struct question best = { .gain = LEAST_GAIN * squares(rows, mean) };
	const double least = best.gain;

	for (unsigned int feature = 0; feature < growth->features; feature++) {
		sort_by(rows, feature, mean, sorted);
		ask_feature(sorted, rows->len, growth->shape->leaf, feature, &best);
	}
	g_free(sorted);
	if (best.gain <= least)
		best.gain = 0;
	return best;
}

static double mean_target(const GArray *rows)
{
	double mean = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++)
		mean += (row_of(rows, nr)->target - mean) / (nr + 1);
	return mean;
}

static GArray *side_of(const GArray *rows, const struct question *question, bool above)
{
	GArray *side = g_array_new(FALSE, FALSE, sizeof(struct tree_row));

	for (unsigned int nr = 0; nr < rows->len; nr++)
		if ((row_of(rows, nr)->features[question->feature] > question->threshold) == above)
			g_array_append_val(side, *row_of(rows, nr));
	return side;
}

static struct tree *grow(const struct growth *growth, const GArray *rows, unsigned int depth);

static struct tree *grow_side(const struct growth *growth, const GArray *rows,
			      const struct question *question, bool above, unsigned int depth)
{
	GArray *side = side_of(rows, question, above);
	struct tree *tree = grow(growth, side, depth);

	g_array_free(side, TRUE);
	return tree;
}

static struct tree *grow(const struct growth *growth, const GArray *rows, unsigned int depth)
{
	struct tree *tree = g_new0(struct tree, 1);
	struct question question;

	tree->mean = mean_target(rows);
	tree->rows = rows->len;
	if (!depth || rows->len < 2 * growth->shape->leaf)
		return tree;
	question = best_question(growth, rows, tree->mean);
	if (!question.gain)
		return tree;
	tree->feature = question.feature;
	tree->threshold = question.threshold;
	tree->below = grow_side(growth, rows, &question, false, depth - 1);
	tree->above = grow_side(growth, rows, &question, true, depth - 1);
	return tree;
}

struct tree *tree_grow(const GArray *rows, unsigned int features, const struct tree_shape *shape)
{
	struct growth growth = { shape, features };

	g_assert(rows->len && shape->leaf && shape->depth <= TREE_DEEPEST);
	return grow(&growth, rows, shape->depth);
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	tree_free(tree->below);
	tree_free(tree->above);
	g_free(tree);
}

double tree_path(const struct tree *tree, const double *features, GArray *steps)
{
	while (tree->below) {
		bool above = features[tree->feature] > tree->threshold;
		const struct tree *next = above ? tree->above : tree->below;
		struct tree_step step = {
			tree->feature, tree->threshold, above, tree->mean, next->mean, next->rows,
		};

		if (steps)
			g_array_append_val(steps, step);
		tree = next;
	}
	return tree->mean;
}

double tree_predict(const struct tree *tree, const double *features)
{
	return tree_path(tree, features, NULL);
}

double tree_mean(const struct tree *tree)
{
	return tree->mean;
}
