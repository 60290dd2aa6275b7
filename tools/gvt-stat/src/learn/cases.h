/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements of applications that share a GPU: features of each application alone, and the
 * slowdown of each beside another.
 */
#ifndef GVT_STAT_LEARN_CASES_H
#define GVT_STAT_LEARN_CASES_H

#include <stdbool.h>

#include <glib.h>

/* an application, or an application with one of its inputs */
struct app {
	char *name;
	unsigned int family;		/* number in struct cases */
	double *features;		/* its own */
};

enum feature_of {
	FEATURE_OF_APP,			/* of the application that is slowed down */
	FEATURE_OF_NEIGHBOUR,
	FEATURE_OF_PAIR,
};

/* one column of a pair's features */
struct feature {
	const char *name;		/* of the column in the file */
	enum feature_of of;
};

/* an application beside another */
struct pair_case {
	const struct app *app, *beside;
	double *features;		/* by cases->features */
	double slowdown;		/* time beside the other by time alone; NAN: not measured */
	double model;			/* slowdown by another model; 1: no such model */
};

struct cases {
	GPtrArray *names;		/* char *: names of feature columns, of both files */
	GArray *features;		/* struct feature */
	GPtrArray *apps;		/* struct app */
	GHashTable *by_name;		/* lookup of @apps */
	GPtrArray *families;		/* char * */
	GPtrArray *pairs;		/* struct pair_case */
};

/**
 * cases_read - read measurements from two files of comma-separated values
 * @apps_path: columns app, family, and any others, which are features
 * @pairs_path: columns app, beside, slowdown, and any others, which are features of the pair
 * @model: NULL, or the column of @pairs_path with the slowdown by another model
 *
 * A pair's row has the features of both, as in D. Moolchandani et al., "Performance Prediction
 * for Multi-Application Concurrency on GPUs", section V-A1, and then its own. An error in a file
 * ends the program. cases_free() frees.
 */
struct cases *cases_read(const char *apps_path, const char *pairs_path, const char *model);
void cases_free(struct cases *cases);

/**
 * cases_measured - number of pairs with a measured slowdown
 */
unsigned int cases_measured(const struct cases *cases);

/**
 * cases_app - the application with this name; NULL: none
 */
const struct app *cases_app(const struct cases *cases, const char *name);

/**
 * cases_row - the features of one application beside another; the pair need not be measured
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
 * feature_of_name - origin of a feature, for programs
 */
const char *feature_of_name(enum feature_of of);

#endif
