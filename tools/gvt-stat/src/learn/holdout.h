/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How wrong a tree is about what it was not grown from: one group of applications after the
 * other is left out, and predicted by a tree of the rest.
 */
#ifndef GVT_STAT_HOLDOUT_H
#define GVT_STAT_HOLDOUT_H

#include "cases.h"
#include "tree.h"

/* what is left out at a time */
enum holdout_group {
	HOLDOUT_FAMILY,			/* all applications of a family */
	HOLDOUT_APP,			/* one; others of its family are known */
	HOLDOUT_GROUPS,
};

/* a feature on the paths of what was tested */
struct importance {
	unsigned int paths;		/* that ask for it */
	unsigned int uses;		/* in all of these paths */
	unsigned int most;		/* in one path */
};

/* of errors |predicted - measured|, in per cent; NAN if there is none */
struct error_summary {
	unsigned int count;
	double mean, median, p90;
};

struct holdout {
	unsigned int groups;		/* that were left out, one after the other */
	unsigned int tests;		/* predictions; a pair of two groups is tested twice */
	unsigned int outside;		/* of these, with a feature outside of what was learned from */
	unsigned int untested;		/* pairs without enough others to learn from */
	struct error_summary time;	/* of the slowdown */
	struct error_summary delay;	/* of what is above 1, where that is more than 0.05 */
	struct error_summary no_tree;	/* of the slowdown, with the mean of what was learned from */
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
 * grow_without - a tree of all measured pairs that are not left out
 * @left_out: asked of each pair
 * @rows: NULL, or what it was grown from, which the caller frees
 *
 * The target is the logarithm of the slowdown: twice and half as slow are as far from equal. Where
 * another model tells a slowdown, too, it is that of the quotient of both.
 * Returns NULL if too few are left to ask any question of.
 */
struct tree *grow_without(const struct cases *cases, const struct tree_shape *shape,
			  bool (*left_out)(const struct pair_case *pair, const void *ctx),
			  const void *ctx, GArray **rows);

/* the least and the most that was seen of a feature */
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
