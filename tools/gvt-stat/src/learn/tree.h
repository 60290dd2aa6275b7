/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A regression tree, whose every prediction can be read: which features were asked for, and
 * what each answer changed. Nothing in it is random, the same rows make the same tree.
 */
#ifndef GVT_STAT_TREE_H
#define GVT_STAT_TREE_H

#include <stdbool.h>

#include <glib.h>

/* no path from the root to a leaf is longer */
#define TREE_DEEPEST	64

/* how far a tree is grown */
struct tree_shape {
	unsigned int leaf;		/* least rows of a leaf, from 1 on */
	unsigned int depth;		/* most questions on a path, at most TREE_DEEPEST; 0: none */
};

/* one known case */
struct tree_row {
	const double *features;		/* finite */
	double target;			/* finite */
};

/* one question on the path of a row, and what its answer says of the target */
struct tree_step {
	unsigned int feature;
	double threshold;
	bool above;			/* the row has more than that; else as much or less */
	double before, after;		/* mean target of the known rows on that side */
	unsigned int rows;		/* on that side */
};

struct tree;

/**
 * tree_grow - learn from rows
 * @rows: struct tree_row; at least one; not needed afterwards
 * @features: of each row
 *
 * L. Breiman et al., Classification and Regression Trees, 1984, chapter 8: each node asks the
 * question "is the feature above the threshold" that leaves the least sum of squared
 * differences to the means of both sides, until no question leaves less. Of equal questions
 * it is that of the first feature and the lowest threshold; a threshold lies midway between
 * two values that were seen. tree_free() frees.
 */
struct tree *tree_grow(const GArray *rows, unsigned int features, const struct tree_shape *shape);
void tree_free(struct tree *tree);

/**
 * tree_predict - the mean target of the leaf that a row comes to
 */
double tree_predict(const struct tree *tree, const double *features);

/**
 * tree_path - the same with each step on the way
 * @steps: struct tree_step are added, one for each question; none if the root is a leaf
 */
double tree_path(const struct tree *tree, const double *features, GArray *steps);

/**
 * tree_mean - mean target of all rows that it was grown from
 */
double tree_mean(const struct tree *tree);

#endif
