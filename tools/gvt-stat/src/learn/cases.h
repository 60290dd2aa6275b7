/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of applications that share a GPU: features of each, measured alone, and how
 * much slower each was beside another.
 */
#ifndef GVT_STAT_LEARN_CASES_H
#define GVT_STAT_LEARN_CASES_H

#include <stdbool.h>

#include <glib.h>

/* an application, or one with one input */
struct app {
	char *name;
	unsigned int family;		/* number in struct cases */
	double *features;		/* its own */
};

enum feature_of {
	FEATURE_OF_APP,			/* which is slowed down */
	FEATURE_OF_NEIGHBOUR,
	FEATURE_OF_PAIR,
};

/* one column of a pair's row of features */
struct feature {
	const char *name;		/* of the file's column */
	enum feature_of of;
};

/* an application beside another */
struct pair_case {
	const struct app *app, *beside;
	double *features;		/* of cases->features */
	double slowdown;		/* time beside it by time alone; NAN: not measured */
	double model;			/* the same as another model tells it; 1: none does */
};

struct cases {
	GPtrArray *names;		/* char *: of the columns with features, of both files */
	GArray *features;		/* struct feature */
	GPtrArray *apps;		/* struct app */
	GHashTable *by_name;		/* the same by name */
	GPtrArray *families;		/* char * */
	GPtrArray *pairs;		/* struct pair_case */
};

/**
 * cases_read - read what is known from two files of comma-separated values
 * @apps_path: columns app, family, and any others, which are features
 * @pairs_path: columns app, beside, slowdown, and any others, which are features of the pair
 * @model: NULL, or which of these is the slowdown that another model tells
 *
 * A pair's row has the features of both, as in D. Moolchandani et al., "Performance Prediction
 * for Multi-Application Concurrency on GPUs", section V-A1, and then its own. What is wrong
 * in a file ends the program. cases_free() frees.
 */
struct cases *cases_read(const char *apps_path, const char *pairs_path, const char *model);
void cases_free(struct cases *cases);

/**
 * cases_measured - in how many pairs the slowdown is known
 */
unsigned int cases_measured(const struct cases *cases);

/**
 * cases_app - the application of this name; NULL: none has it
 */
const struct app *cases_app(const struct cases *cases, const char *name);

/**
 * cases_row - the features of one application beside another, which need not have been measured
 *
 * Returns NULL if features of the pair are missing; the caller frees with g_free().
 */
double *cases_row(const struct cases *cases, const struct app *app, const struct app *beside);

/**
 * cases_pair - the pair, if the file has it; else NULL
 */
const struct pair_case *cases_pair(const struct cases *cases, const struct app *app,
				   const struct app *beside);

/**
 * feature_of_name - whose feature it is, for programs
 */
const char *feature_of_name(enum feature_of of);

#endif
