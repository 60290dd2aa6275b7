// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "cases.h"
#include "csvfile.h"

/* --- applications ---------------------------------------------------------------------- */

static bool is_any_of(const char *name, const char *const *names)
{
	return g_strv_contains(names, name);
}

static const char *const app_names[] = { "app", "family", NULL };
static const char *const pair_names[] = { "app", "beside", "slowdown", NULL };

/* the features of a line: all columns except @others */
static double *read_features(const struct csvfile *file, const char *const *others)
{
	double *features = g_new(double, file->count);
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < file->count; nr++) {
		if (is_any_of(file->names[nr], others))
			continue;
		features[count] = csvfile_number(file, nr);
		if (isnan(features[count++]))
			csvfile_wrong(file, file->names[nr], "it is empty; a feature must be known of all");
	}
	return features;
}

static void add_names(struct cases *cases, const struct csvfile *file, const char *const *others,
		      enum feature_of of)
{
	for (unsigned int nr = 0; nr < file->count; nr++) {
		struct feature feature = { .of = of };

		if (is_any_of(file->names[nr], others))
			continue;
		feature.name = g_strdup(file->names[nr]);
		g_ptr_array_add(cases->names, (char *)feature.name);
		g_array_append_val(cases->features, feature);
	}
}

static unsigned int family_of(struct cases *cases, const char *name)
{
	unsigned int nr;

	if (g_ptr_array_find_with_equal_func(cases->families, name, g_str_equal, &nr))
		return nr;
	g_ptr_array_add(cases->families, g_strdup(name));
	return cases->families->len - 1;
}

static void free_app(void *data)
{
	struct app *app = data;

	g_free(app->name);
	g_free(app->features);
	g_free(app);
}

static void add_app(struct cases *cases, const struct csvfile *file)
{
	const char *name = csvfile_text(file, "app");
	struct app *app;

	if (cases_app(cases, name))
		csvfile_wrong(file, "app", "an earlier line has this name already");
	app = g_new(struct app, 1);
	*app = (struct app) {
		g_strdup(name), family_of(cases, csvfile_text(file, "family")),
		read_features(file, app_names),
	};
	g_ptr_array_add(cases->apps, app);
	g_hash_table_insert(cases->by_name, app->name, app);
}

/* The neighbour's features follow the application's own, in the same order. */
static void read_apps(struct cases *cases, const char *path)
{
	struct csvfile file;

	csvfile_open(&file, path, app_names);
	add_names(cases, &file, app_names, FEATURE_OF_APP);
	for (unsigned int nr = 0, own = cases->features->len; nr < own; nr++) {
		struct feature feature = g_array_index(cases->features, struct feature, nr);

		feature.of = FEATURE_OF_NEIGHBOUR;
		g_array_append_val(cases->features, feature);
	}
	while (csvfile_next(&file))
		add_app(cases, &file);
	csvfile_close(&file);
}

/* --- pairs --------------------------------------------------------------------------------- */

static unsigned int features_of(const struct cases *cases, enum feature_of of)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < cases->features->len; nr++)
		count += g_array_index(cases->features, struct feature, nr).of == of;
	return count;
}

/* @own: features of the pair itself; NULL: none */
static double *join_features(const struct cases *cases, const struct app *app,
			     const struct app *beside, const double *own)
{
	double *row = g_new(double, cases->features->len + 1);
	unsigned int of_app = features_of(cases, FEATURE_OF_APP);
	unsigned int of_pair = features_of(cases, FEATURE_OF_PAIR);

	memcpy(row, app->features, of_app * sizeof(*row));
	memcpy(row + of_app, beside->features, of_app * sizeof(*row));
	if (of_pair)
		memcpy(row + 2 * of_app, own, of_pair * sizeof(*row));
	return row;
}

static const struct app *app_in(const struct cases *cases, const struct csvfile *file,
				const char *column)
{
	const struct app *app = cases_app(cases, csvfile_text(file, column));

	if (!app)
		csvfile_wrong(file, column, "no line of the applications' file has this name");
	return app;
}

static double read_slowdown(const struct csvfile *file, const char *column)
{
	double slowdown = csvfile_number(file, csvfile_find(file, column));

	if (slowdown <= 0)
		csvfile_wrong(file, column, "it must be above 0: the time beside the other by the time alone");
	return slowdown;
}

static void add_pair(struct cases *cases, const struct csvfile *file, const char *model)
{
	struct pair_case *pair = g_new(struct pair_case, 1);
	double *own = read_features(file, pair_names);

	*pair = (struct pair_case) {
		.app = app_in(cases, file, "app"), .beside = app_in(cases, file, "beside"),
		.slowdown = read_slowdown(file, "slowdown"),
		.model = model ? read_slowdown(file, model) : 1,
	};
	pair->features = join_features(cases, pair->app, pair->beside, own);
	g_ptr_array_add(cases->pairs, pair);
	g_free(own);
}

static void free_pair(void *data)
{
	struct pair_case *pair = data;

	g_free(pair->features);
	g_free(pair);
}

static void read_pairs(struct cases *cases, const char *path, const char *model)
{
	struct csvfile file;

	csvfile_open(&file, path, pair_names);
	if (model && (is_any_of(model, pair_names) || csvfile_find(&file, model) == file.count))
		csvfile_wrong(&file, model, "no column of a model's slowdown has this name");
	add_names(cases, &file, pair_names, FEATURE_OF_PAIR);
	while (csvfile_next(&file))
		add_pair(cases, &file, model);
	csvfile_close(&file);
}

/* --- all --------------------------------------------------------------------------------------- */

struct cases *cases_read(const char *apps_path, const char *pairs_path, const char *model)
{
	struct cases *cases = g_new(struct cases, 1);

	*cases = (struct cases) {
		.names = g_ptr_array_new_with_free_func(g_free),
		.features = g_array_new(FALSE, FALSE, sizeof(struct feature)),
		.apps = g_ptr_array_new_with_free_func(free_app),
		.by_name = g_hash_table_new(g_str_hash, g_str_equal),
		.families = g_ptr_array_new_with_free_func(g_free),
		.pairs = g_ptr_array_new_with_free_func(free_pair),
	};
	read_apps(cases, apps_path);
	read_pairs(cases, pairs_path, model);
	return cases;
}

void cases_free(struct cases *cases)
{
	g_ptr_array_free(cases->pairs, TRUE);
	g_ptr_array_free(cases->families, TRUE);
	g_hash_table_destroy(cases->by_name);
	g_ptr_array_free(cases->apps, TRUE);
	g_array_free(cases->features, TRUE);
	g_ptr_array_free(cases->names, TRUE);
	g_free(cases);
}

unsigned int cases_measured(const struct cases *cases)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < cases->pairs->len; nr++)
		count += !isnan(((const struct pair_case *)cases->pairs->pdata[nr])->slowdown);
	return count;
}

const struct app *cases_app(const struct cases *cases, const char *name)
{
	return g_hash_table_lookup(cases->by_name, name);
}

const struct pair_case *cases_pair(const struct cases *cases, const struct app *app,
				   const struct app *beside)
{
	for (unsigned int nr = 0; nr < cases->pairs->len; nr++) {
		const struct pair_case *pair = cases->pairs->pdata[nr];

		if (pair->app == app && pair->beside == beside)
			return pair;
	}
	return NULL;
}

double *cases_row(const struct cases *cases, const struct app *app, const struct app *beside)
{
	const struct pair_case *pair = cases_pair(cases, app, beside);

	if (pair)
		return g_memdup2(pair->features, cases->features->len * sizeof(double));
	return features_of(cases, FEATURE_OF_PAIR) ? NULL : join_features(cases, app, beside, NULL);
}

const char *feature_of_name(enum feature_of of)
{
	static const char *const names[] = { "application", "neighbour", "pair" };

	return names[of];
}
