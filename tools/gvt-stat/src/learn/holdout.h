/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cross-validation of trees: leaves out each group of applications in turn, and predicts the group
 * with a tree grown from the rest.
 */
#ifndef GVT_STAT_HOLDOUT_H
#define GVT_STAT_HOLDOUT_H

#include "cases.h"
#include "tree.h"

/* the groups to leave out */
enum holdout_group {
	HOLDOUT_FAMILY,			/* all applications of a family */
	HOLDOUT_APP,			/* one application; others of its family are known */
	HOLDOUT_GROUPS,
};

/* use of a feature on the paths of the tests */
struct importance {
	unsigned int paths;		/* number of paths that use the feature */
	unsigned int uses;		/* in all paths */
	unsigned int most;		/* in one path */
};

/* statistics of |predicted - measured| in per cent; NAN without tests */
struct error_summary {
	unsigned int count;
	double mean, median, p90;
};

struct holdout {
	unsigned int groups;		/* number of groups left out */
	unsigned int tests;		/* predictions; a pair of two groups is tested twice */
	unsigned int outside;		/* tests with a feature outside of the trained range */
	unsigned int untested;		/* pairs with too few others to learn from */
	struct error_summary time;	/* of the slowdown */
	struct error_summary delay;	/* of the slowdown minus 1, where that exceeds 0.05 */
	struct error_summary no_tree;	/* of the slowdown, if predicted by the mean */
	struct importance *importance;	/* of each feature */
};

/**
 * holdout_run - leave out each group once
 *
 * holdout_free() frees.
 */
struct holdout *holdout_run(const struct cases *cases, enum holdout_group by,
			    const struct tree_shape *shape);
void holdout_free(struct holdout *holdout);

/**
 * holdout_name - "family" or "application"
 */
const char *holdout_name(enum holdout_group by);

/**
 * grow_without - grow a tree from all measured pairs that are not left out
 * @left_out: called for each pair
 * @rows: NULL, or set to the training rows, which the caller frees
 *
 * The target is the logarithm of the slowdown, so that twice and half as slow are equally far from
 * no slowdown. With another model's slowdown, the target is the logarithm of the ratio of both.
 * Returns NULL if too few pairs are left for a single question.
 */
struct tree *grow_without(const struct cases *cases, const struct tree_shape *shape,
			  bool (*left_out)(const struct pair_case *pair, const void *ctx),
			  const void *ctx, GArray **rows);

/* the observed range of a feature */
struct range {
	double least, most;
};

/**
 * ranges_of - the range of each feature in rows
 *
 * The caller frees with g_free().
 */
struct range *ranges_of(const GArray *rows, unsigned int features);

#endif
