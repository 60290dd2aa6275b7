/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A regression tree with readable predictions: the features on the path, and the effect of each
 * answer. Deterministic: the same rows give the same tree.
 */
#ifndef GVT_STAT_TREE_H
#define GVT_STAT_TREE_H

#include <stdbool.h>

#include <glib.h>

/* maximum length of a path from the root to a leaf */
#define TREE_DEEPEST	64

/* limits on the growth of a tree */
struct tree_shape {
	unsigned int leaf;		/* minimum number of rows in a leaf, from 1 */
	unsigned int depth;		/* maximum questions on a path, from 0 to TREE_DEEPEST */
};

/* one training case */
struct tree_row {
	const double *features;		/* finite */
	double target;			/* finite */
};

/* one question on the path of a row, and the effect of the answer on the target */
struct tree_step {
	unsigned int feature;
	double threshold;
	bool above;			/* the row's value exceeds the threshold */
	double before, after;		/* mean target before and after the answer */
	unsigned int rows;		/* training rows on that side */
};

struct tree;

/**
 * tree_grow - grow a tree
 * @rows: struct tree_row; at least one; not used after the call
 * @features: number of features of each row
 *
 * L. Breiman et al., Classification and Regression Trees, 1984, chapter 8: each node asks the
 * question "is the feature above the threshold" that minimizes the sum of squared differences to
 * the means of both sides, until no question reduces it. Ties go to the first feature and the
 * lowest threshold; a threshold lies midway between two observed values. tree_free() frees.
 */
struct tree *tree_grow(const GArray *rows, unsigned int features, const struct tree_shape *shape);
void tree_free(struct tree *tree);

/**
 * tree_predict - the mean target of a row's leaf
 */
double tree_predict(const struct tree *tree, const double *features);

/**
 * tree_path - tree_predict(), with each step of the path
 * @steps: struct tree_step are appended, one for each question; none if the root is a leaf
 */
double tree_path(const struct tree *tree, const double *features, GArray *steps);

/**
 * tree_mean - mean target of all training rows
 */
double tree_mean(const struct tree *tree);

#endif
