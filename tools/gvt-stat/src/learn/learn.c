// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat learn: learns the slowdown of applications beside each other from measured pairs,
 * reports the error for left-out groups, and explains predictions.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "output/document.h"
#include "output/table.h"
#include "trace/util.h"
#include "holdout.h"

/* the shape that was tested on the public pairs, see the man page */
#define DEFAULT_LEAF	3
#define DEFAULT_DEPTH	12
#define MOST_LEAF	1000000

enum learn_key {
	KEY_LEAF = 0xb00,
	KEY_DEPTH,
	KEY_EXPLAIN,
	KEY_RESIDUAL,
	KEY_JSON,
};

struct learn_options {
	const char *paths[2];		/* files of applications and pairs */
	unsigned int count;		/* of @paths */
	struct tree_shape shape;
	const char *residual;		/* column with another model's slowdown; NULL: none */
	char **explain;			/* application and neighbour; NULL: none */
	bool json;
};

struct reasons;

/* the results */
struct lesson {
	const struct learn_options *options;
	struct cases *cases;
	struct holdout *holdouts[HOLDOUT_GROUPS];
	struct reasons *reasons;	/* NULL: not requested */
};

/* --- the command line ------------------------------------------------------------------ */

static void parse_explain(char *arg, struct learn_options *options, struct argp_state *state)
{
	g_strfreev(options->explain);
	options->explain = g_strsplit(arg, ",", -1);
	if (g_strv_length(options->explain) != 2)
		argp_error(state, "--explain %s: name an application and its neighbour, such as editor,game",
			   arg);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct learn_options *options = state->input;

	switch (key) {
	case 'h':
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		break;
	case KEY_LEAF:
		options->shape.leaf = options_number(arg, "--leaf", MOST_LEAF, state);
		break;
	case KEY_DEPTH:
		options->shape.depth = options_number(arg, "--depth", TREE_DEEPEST, state);
		break;
	case KEY_EXPLAIN:
		parse_explain(arg, options, state);
		break;
	case KEY_RESIDUAL:
		options->residual = arg;
		break;
	case KEY_JSON:
		options->json = true;
		break;
	case ARGP_KEY_ARG:
		if (options->count == G_N_ELEMENTS(options->paths))
			argp_error(state, "'%s' is one file too many", make_printable(arg));
		options->paths[options->count++] = arg;
		break;
	case ARGP_KEY_END:
		if (options->count < G_N_ELEMENTS(options->paths))
			argp_error(state, "name two files: one of applications, and one of pairs of them");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- explanations -------------------------------------------------------------------------- */

/* one prediction, with its reasons and doubts */
struct reasons {
	const struct app *app, *beside;
	double *row;
	double model;			/* slowdown by the other model; 1: no such model */
	double slowdown;		/* predicted */
	double measured;		/* NAN: not measured */
	GArray *steps;			/* struct tree_step */
	double mean;			/* slowdown over all training rows */
	struct range *ranges;		/* of the training rows */
};

static const struct app *find_app(const struct lesson *lesson, const char *name)
{
	const struct app *app = cases_app(lesson->cases, name);

	if (!app)
		usage_error("--explain %s: %s has no application of this name", name,
			    lesson->options->paths[0]);
	return app;
}

/* leaves out the explained pair, in either order */
static bool is_same_pair(const struct pair_case *pair, const void *ctx)
{
	const struct reasons *reasons = ctx;

	return (pair->app == reasons->app && pair->beside == reasons->beside) ||
	       (pair->app == reasons->beside && pair->beside == reasons->app);
}

static void find_reasons(const struct lesson *lesson, struct reasons *reasons)
{
	struct tree *tree;
	GArray *rows;

	tree = grow_without(lesson->cases, &lesson->options->shape, is_same_pair, reasons, &rows);
	if (!tree)
		fatal("%s: too few other pairs are measured to learn from; a leaf needs %u (--leaf)",
		      lesson->options->paths[1], lesson->options->shape.leaf);
	reasons->ranges = ranges_of(rows, lesson->cases->features->len);
	reasons->slowdown = reasons->model * exp(tree_path(tree, reasons->row, reasons->steps));
	reasons->mean = reasons->model * exp(tree_mean(tree));
	g_array_free(rows, TRUE);
	tree_free(tree);
}

static struct reasons *reasons_new(const struct lesson *lesson)
{
	struct reasons *reasons = g_new(struct reasons, 1);
	char *const *names = lesson->options->explain;
	const struct pair_case *pair;

	*reasons = (struct reasons) {
		.app = find_app(lesson, g_strstrip(names[0])),
		.beside = find_app(lesson, g_strstrip(names[1])),
		.steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step)),
	};
	pair = cases_pair(lesson->cases, reasons->app, reasons->beside);
	reasons->measured = pair ? pair->slowdown : NAN;
	reasons->model = pair ? pair->model : 1;
	reasons->row = cases_row(lesson->cases, reasons->app, reasons->beside);
	if (!reasons->row)
		usage_error("--explain %s,%s: %s has features of pairs, but no line for this one; add it, its slowdown may be empty",
			    names[0], names[1], lesson->options->paths[1]);
	find_reasons(lesson, reasons);
	return reasons;
}

static void reasons_free(struct reasons *reasons)
{
	if (!reasons)
		return;
	g_array_free(reasons->steps, TRUE);
	g_free(reasons->ranges);
	g_free(reasons->row);
	g_free(reasons);
}

static const struct feature *feature_at(const struct cases *cases, unsigned int nr)
{
	return &g_array_index(cases->features, struct feature, nr);
}

static bool is_outside(const struct reasons *reasons, unsigned int nr)
{
	return reasons->row[nr] < reasons->ranges[nr].least ||
	       reasons->row[nr] > reasons->ranges[nr].most;
}

/* "its neighbour's batch_size"; the caller frees with g_free() */
static char *feature_text(const struct feature *feature)
{
	static const char *const whose[] = { "its own ", "its neighbour's ", "the pair's " };

	return g_strconcat(whose[feature->of], feature->name, NULL);
}

static void print_step(const struct cases *cases, const struct reasons *reasons,
		       const struct tree_step *step)
{
	char *text = feature_text(feature_at(cases, step->feature));
	const double *row = reasons->row;

	printf("  %.2fx -> %.2fx  %s, %.6g, is %s %.6g (as in %u measurements)\n",
	       reasons->model * exp(step->before), reasons->model * exp(step->after), text, row[step->feature],
	       step->above ? "above" : "not above", step->threshold, step->rows);
	g_free(text);
}

static void print_doubts(const struct cases *cases, const struct reasons *reasons)
{
	for (unsigned int nr = 0; nr < cases->features->len; nr++) {
		char *text;

		if (!is_outside(reasons, nr))
			continue;
		text = feature_text(feature_at(cases, nr));
		printf("Doubtful: %s, %.6g, is outside of what was learned from, %.6g to %.6g\n",
		       text, reasons->row[nr], reasons->ranges[nr].least, reasons->ranges[nr].most);
		g_free(text);
	}
}

static void print_measured(double measured, double slowdown)
{
	if (isnan(measured))
		return;
	printf("Measured: %.2fx, which was left out; the prediction is %.0f %% off\n", measured,
	       100 * fabs(slowdown - measured) / measured);
}

static void print_mean(const struct reasons *reasons, const char *residual)
{
	if (residual)
		printf("  %.2fx           is what %s explains\n", reasons->model, residual);
	printf("  %.2fx           is %s\n", reasons->mean,
	       residual ? "that, and what all others have beyond what it explains" :
	       "what all others have");
}

static void print_reasons(const struct lesson *lesson)
{
	const struct reasons *reasons = lesson->reasons;
	const struct cases *cases = lesson->cases;
	bool slower = reasons->slowdown >= 1;

	printf("%s beside %s: %s by %.1fx because\n", reasons->app->name, reasons->beside->name,
	       slower ? "slower" : "faster", slower ? reasons->slowdown : 1 / reasons->slowdown);
	print_mean(reasons, lesson->options->residual);
	for (unsigned int nr = 0; nr < reasons->steps->len; nr++)
		print_step(cases, reasons, &g_array_index(reasons->steps, struct tree_step, nr));
	print_measured(reasons->measured, reasons->slowdown);
	print_doubts(cases, reasons);
}

/* --- for people ---------------------------------------------------------------------------- */

/* a line of the table of errors */
struct error_line {
	const char *left_out;
	int64_t groups, tests;
	double outside, mean, median, p90, delay_mean, delay_median, no_tree;
};

#define SHOWN(type, member, title) { NULL, COLUMN_##type, offsetof(struct error_line, member), title }

static const struct column error_columns[] = {
	SHOWN(TEXT, left_out, "LEFT OUT"),
	SHOWN(INTEGER, groups, "GROUPS"),
	SHOWN(INTEGER, tests, "TESTS"),
	SHOWN(REAL, outside, "OUTSIDE%"),
	SHOWN(REAL, mean, "MEAN%"),
	SHOWN(REAL, median, "MEDIAN%"),
	SHOWN(REAL, p90, "P90%"),
	SHOWN(REAL, delay_mean, "DELAY, MEAN%"),
	SHOWN(REAL, delay_median, "DELAY, MEDIAN%"),
	SHOWN(REAL, no_tree, "WITHOUT TREE%"),
	{ 0 }
};

static double percent_of(unsigned int part, unsigned int whole)
{
	return whole ? 100.0 * part / whole : NAN;
}

static void print_errors(const struct lesson *lesson)
{
	static const char *const texts[] = { "a family", "an application" };
	struct table *table = table_new(error_columns);

	for (enum holdout_group by = 0; by < HOLDOUT_GROUPS; by++) {
		const struct holdout *holdout = lesson->holdouts[by];
		const struct error_line line = {
			texts[by], holdout->groups, holdout->tests,
			percent_of(holdout->outside, holdout->tests), holdout->time.mean,
			holdout->time.median, holdout->time.p90, holdout->delay.mean,
			holdout->delay.median, holdout->no_tree.mean,
		};

		table_line(table, &line);
	}
	table_print(table, "Errors of the slowdown of what was left out, by what was left out at a time",
		    stdout);
}

/* a line of the table of features */
struct use_line {
	const char *feature, *of;
	double paths, uses;
	int64_t most;
};

#define USE(type, member, title) { NULL, COLUMN_##type, offsetof(struct use_line, member), title }

static const struct column use_columns[] = {
	USE(TEXT, feature, "FEATURE"),
	USE(TEXT, of, "OF"),
	USE(REAL, paths, "PATHS%"),
	USE(REAL, uses, "USES/PATH"),
	USE(INTEGER, most, "MOST"),
	{ 0 }
};

static double uses_per_path(const struct importance *importance)
{
	return importance->paths ? (double)importance->uses / importance->paths : NAN;
}

static void print_uses(const struct lesson *lesson, enum holdout_group by)
{
	const struct holdout *holdout = lesson->holdouts[by];
	struct table *table = table_new(use_columns);
	char *heading;

	for (unsigned int nr = 0; nr < lesson->cases->features->len; nr++) {
		const struct feature *feature = feature_at(lesson->cases, nr);
		const struct importance *importance = &holdout->importance[nr];
		const struct use_line line = {
			feature->name, feature_of_name(feature->of),
			percent_of(importance->paths, holdout->tests), uses_per_path(importance),
			importance->most,
		};

		table_line(table, &line);
	}
	heading = g_strdup_printf("Features on the decision paths, %s left out: part of the paths, uses in one that has it",
				  holdout_name(by));
	table_print(table, heading, stdout);
	g_free(heading);
}

static void print_untested(const struct lesson *lesson)
{
	for (enum holdout_group by = 0; by < HOLDOUT_GROUPS; by++)
		if (lesson->holdouts[by]->untested)
			printf("Not tested, %s left out: %u pairs, as too few others are left to learn from\n",
			       holdout_name(by), lesson->holdouts[by]->untested);
}

static void print_text(const struct lesson *lesson)
{
	printf("%u measured pairs of %u applications in %u families, %u features\n",
	       cases_measured(lesson->cases), lesson->cases->apps->len,
	       lesson->cases->families->len, lesson->cases->features->len);
	print_untested(lesson);
	if (lesson->reasons) {
		putchar('\n');
		print_reasons(lesson);
	}
	print_errors(lesson);
	print_uses(lesson, HOLDOUT_FAMILY);
	print_uses(lesson, HOLDOUT_APP);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *errors_json(const struct error_summary *errors)
{
	return json_pack("{s:I, s:o, s:o, s:o}", "tests", (json_int_t)errors->count,
			 "mean_percent", json_decimal(errors->mean),
			 "median_percent", json_decimal(errors->median), "p90_percent", json_decimal(errors->p90));
}

static json_t *feature_json(const struct feature *feature)
{
	return json_pack("{s:s, s:s}", "feature", feature->name, "of", feature_of_name(feature->of));
}

static json_t *uses_json(const struct cases *cases, const struct holdout *holdout)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < cases->features->len; nr++) {
		const struct importance *importance = &holdout->importance[nr];
		json_t *line = feature_json(feature_at(cases, nr));

		json_object_set_new(line, "paths_percent",
				    json_decimal(percent_of(importance->paths, holdout->tests)));
		json_object_set_new(line, "uses_per_path", json_decimal(uses_per_path(importance)));
		json_object_set_new(line, "most_uses", json_integer(importance->most));
		json_array_append_new(array, line);
	}
	return array;
}

static json_t *holdout_json(const struct cases *cases, enum holdout_group by,
			    const struct holdout *holdout)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}",
			 "left_out", holdout_name(by), "groups", (json_int_t)holdout->groups,
			 "tests", (json_int_t)holdout->tests,
			 "outside", (json_int_t)holdout->outside,
			 "untested", (json_int_t)holdout->untested,
			 "slowdown", errors_json(&holdout->time),
			 "delay", errors_json(&holdout->delay),
			 "without_tree", errors_json(&holdout->no_tree),
			 "features", uses_json(cases, holdout));
}

static json_t *steps_json(const struct cases *cases, const struct reasons *reasons)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < reasons->steps->len; nr++) {
		const struct tree_step *step = &g_array_index(reasons->steps, struct tree_step, nr);
		json_t *line = feature_json(feature_at(cases, step->feature));

		json_object_set_new(line, "value", json_decimal(reasons->row[step->feature]));
		json_object_set_new(line, "above", json_boolean(step->above));
		json_object_set_new(line, "threshold", json_decimal(step->threshold));
		json_object_set_new(line, "slowdown_before",
				    json_decimal(reasons->model * exp(step->before)));
		json_object_set_new(line, "slowdown_after",
				    json_decimal(reasons->model * exp(step->after)));
		json_object_set_new(line, "measurements", json_integer(step->rows));
		json_array_append_new(array, line);
	}
	return array;
}

static json_t *doubts_json(const struct cases *cases, const struct reasons *reasons)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < cases->features->len; nr++) {
		json_t *line;

		if (!is_outside(reasons, nr))
			continue;
		line = feature_json(feature_at(cases, nr));
		json_object_set_new(line, "value", json_decimal(reasons->row[nr]));
		json_object_set_new(line, "least", json_decimal(reasons->ranges[nr].least));
		json_object_set_new(line, "most", json_decimal(reasons->ranges[nr].most));
		json_array_append_new(array, line);
	}
	return array;
}

static json_t *explained_json(const struct lesson *lesson)
{
	const struct reasons *reasons = lesson->reasons;

	if (!reasons)
		return json_null();
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "app", reasons->app->name,
			 "beside", reasons->beside->name, "slowdown", json_decimal(reasons->slowdown),
			 "measured", json_decimal(reasons->measured),
			 "model", lesson->options->residual ? json_decimal(reasons->model) : json_null(),
			 "mean_of_all", json_decimal(reasons->mean), "steps", steps_json(lesson->cases, reasons),
			 "outside", doubts_json(lesson->cases, reasons));
}

static void print_json(const struct lesson *lesson)
{
	json_t *document = document_of_host("learn"), *held_out = json_array();

	for (enum holdout_group by = 0; by < HOLDOUT_GROUPS; by++)
		json_array_append_new(held_out, holdout_json(lesson->cases, by,
							     lesson->holdouts[by]));
	json_object_set_new(document, "measured_pairs",
			    json_integer(cases_measured(lesson->cases)));
	json_object_set_new(document, "applications", json_integer(lesson->cases->apps->len));
	json_object_set_new(document, "families", json_integer(lesson->cases->families->len));
	json_object_set_new(document, "residual", json_text(lesson->options->residual));
	json_object_set_new(document, "explained", explained_json(lesson));
	json_object_set_new(document, "held_out", held_out);
	document_print(document, stdout);
}

/* --- a run ------------------------------------------------------------------------------------- */

static void run(const struct learn_options *options)
{
	struct lesson lesson = {
		.options = options, .cases = cases_read(options->paths[0], options->paths[1],
							    options->residual),
	};

	if (!cases_measured(lesson.cases))
		fatal("%s: no pair's slowdown is measured, there is nothing to learn from",
		      options->paths[1]);
	if (options->explain)
		lesson.reasons = reasons_new(&lesson);
	for (enum holdout_group by = 0; by < HOLDOUT_GROUPS; by++)
		lesson.holdouts[by] = holdout_run(lesson.cases, by, &options->shape);
	if (options->json)
		print_json(&lesson);
	else
		print_text(&lesson);
	for (enum holdout_group by = 0; by < HOLDOUT_GROUPS; by++)
		holdout_free(lesson.holdouts[by]);
	reasons_free(lesson.reasons);
	cases_free(lesson.cases);
}

static const struct argp_option option_table[] = {
	{ "explain", KEY_EXPLAIN, "APP,BESIDE", 0,
	  "Predict how much slower APP becomes beside BESIDE, and say why", 0 },
	{ "residual", KEY_RESIDUAL, "COLUMN", 0,
	  "Learn the residual of another model's slowdown, which is in this column of the pairs", 0 },
	{ "leaf", KEY_LEAF, "N", 0, "Minimum number of measurements behind a prediction (3)", 0 },
	{ "depth", KEY_DEPTH, "N", 0, "Maximum number of questions before a prediction (12)", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print one JSON document", 1 },
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },
	{ 0 }
};

static int learn_main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "APPS.csv PAIRS.csv",
		.doc = "Learn from measured pairs of applications how much slower one becomes beside another, with the error for held-out ones, and the reasons.",
	};
	struct learn_options options = { .shape = { DEFAULT_LEAF, DEFAULT_DEPTH } };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	run(&options);
	g_strfreev(options.explain);
	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
	return EXIT_SUCCESS;
}

const struct command learn_command = {
	.name = "learn",
	.main = learn_main,
};
