// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat predict: predicts from profiles how applications perform that share a GPU.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/supervise.h"
#include "output/document.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/engine.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/mix.h"
#include "whatif/simulator.h"
#include "prediction.h"
#include "profile-file.h"
#include "qos.h"
#include "validity.h"

#define DEFAULT_PHASES	13
#define MOST_PHASES	1000
#define MOST_QOS	32
#define CELL_LEN	32

enum predict_key {
	KEY_SET = 0xb00,
	KEY_CHANGE,
	KEY_PHASES,
	KEY_QOS,
	KEY_MODEL,
};

static struct {
	const char *paths[MIX_MOST_VGPUS];
	unsigned int count;
	struct whatif whatif;
	unsigned int phases;
	bool prophet;			/* also use Prophet's model */
	struct qos qos[MOST_QOS];
	unsigned int nr_qos;
} asked = { .phases = DEFAULT_PHASES };

static const char *const model_names[MODELS] = {
	[MODEL_SIMULATION] = "simulation",
	[MODEL_PROPHET] = "prophet",
};

/* --- the command line -------------------------------------------------------------------- */

static void parse_path(const char *arg, struct argp_state *state)
{
	if (asked.count == MIX_MOST_VGPUS)
		argp_error(state, "'%s': a GPU can have %d vGPUs, give no more profiles", arg,
			   MIX_MOST_VGPUS);
	asked.paths[asked.count++] = arg;
}

static void parse_qos(const char *arg, struct argp_state *state)
{
	const char *problem;

	if (asked.nr_qos == MOST_QOS)
		argp_error(state, "--qos %s: give %d at most", arg, MOST_QOS);
	problem = qos_parse(arg, &asked.qos[asked.nr_qos++]);
	if (problem)
		argp_error(state, "--qos %s: %s", arg, problem);
}

static void parse_model(const char *arg, struct argp_state *state)
{
	enum prediction_model model = 0;

	while (model < MODELS && strcmp(model_names[model], arg))
		model++;
	if (model == MODELS)
		argp_error(state, "--model %s: give simulation or prophet", arg);
	asked.prophet = model == MODEL_PROPHET;
}

static void check_ids(struct argp_state *state)
{
	for (unsigned int nr = 0; nr < asked.nr_qos; nr++)
		if (known(asked.qos[nr].vgpu_id) && asked.qos[nr].vgpu_id > asked.count)
			argp_error(state, "--qos %s: there are %u profiles", asked.qos[nr].text,
				   asked.count);
	for (unsigned int nr = 0; nr < asked.whatif.vgpus->len; nr++) {
		int64_t id = g_array_index(asked.whatif.vgpus, struct whatif_vgpu, nr).id;

		if (id > asked.count)
			argp_error(state, "--vgpu %" PRId64 ": there are %u profiles", id,
				   asked.count);
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		whatif_init(&asked.whatif);
		break;
	case ARGP_KEY_ARG:
		parse_path(arg, state);
		break;
	case KEY_SET:
		change_set(&asked.whatif, arg, state);
		break;
	case KEY_CHANGE:
		change_vgpu(&asked.whatif, arg, state);
		break;
	case KEY_PHASES:
		asked.phases = options_number(arg, "--phases", MOST_PHASES, state);
		break;
	case KEY_QOS:
		parse_qos(arg, state);
		break;
	case KEY_MODEL:
		parse_model(arg, state);
		break;
	case ARGP_KEY_END:
		if (!asked.count)
			argp_error(state, "give profiles, as 'gvt-stat profile' makes them");
		check_ids(state);
		options->selection.input = asked.paths[0];
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

struct session {
	const struct form *form;
	struct profile *profiles[MIX_MOST_VGPUS];
	GArray *predicted[MODELS];	/* struct predicted; NULL: not requested */
	GPtrArray *doubts;		/* struct caveat */
};

/* one metric of one queue */
struct line {
	int64_t vgpu_id;
	const char *profile;
	const char *engine;
	const char *model;
	const char *metric;
	double alone;
	double predicted;
	double least;
	double most;
	const struct line_metric *of;
	char engine_text[ENGINE_NAME_LEN];
};

#define COLUMN(type, member) { #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, profile),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, model),
	COLUMN(TEXT, metric),
	COLUMN(REAL, alone),
	COLUMN(REAL, predicted),
	COLUMN(REAL, least),
	COLUMN(REAL, most),
	{ 0 }
};

static double alone_mean(const struct profile_solo *solo, int64_t window_ns)
{
	(void)window_ns;
	return solo->mean_ns;
}

static double alone_p95(const struct profile_solo *solo, int64_t window_ns)
{
	(void)window_ns;
	return solo->p95_ns;
}

static double alone_share(const struct profile_solo *solo, int64_t window_ns)
{
	return 100.0 * solo->exec_ns / window_ns;
}

static double alone_completed(const struct profile_solo *solo, int64_t window_ns)
{
	return (double)solo->completed * NSEC_PER_SEC / window_ns;
}

/* the metrics of each queue; @id MEASURES: degradation of the mean latency */
static const struct line_metric {
	enum measure_id id;
	double (*alone)(const struct profile_solo *solo, int64_t window_ns);
} line_metrics[] = {
	{ MEASURES, NULL },
	{ MEASURE_MEAN, alone_mean },
	{ MEASURE_P95, alone_p95 },
	{ MEASURE_SHARE, alone_share },
	{ MEASURE_COMPLETED, alone_completed },
};

static const struct measure degradation_measure = { "degradation_percent", "degradation %", 1 };

static const struct measure *measure_of(const struct line_metric *metric)
{
	return metric->id == MEASURES ? &degradation_measure : &measures[metric->id];
}

static void fill_metric(struct line *line, const struct predicted *predicted,
			const struct line_metric *metric, int64_t window_ns)
{
	const struct spread *spread = metric->id == MEASURES ? &predicted->degradation :
				      &predicted->measures[metric->id];
	double scale = metric->id == MEASURES ? 100 : 1;

	line->of = metric;
	line->metric = measure_of(metric)->name;
	line->alone = metric->alone ? metric->alone(&predicted->stream->solo, window_ns) : 0;
	line->predicted = scale * spread->mean;
	line->least = scale * spread->least;
	line->most = scale * spread->most;
}

static void each_metric(const struct session *session, enum prediction_model model,
			const struct predicted *predicted, record_fn call, void *to)
{
	const struct profile *profile = session->profiles[predicted->vgpu - 1];
	const struct gpu_engine *engine = &predicted->stream->engine;
	struct line line = {
		.vgpu_id = predicted->vgpu, .profile = profile->name, .model = model_names[model],
	};

	line.engine = engine_name(line.engine_text, engine->class, engine->instance);
	for (size_t nr = 0; nr < G_N_ELEMENTS(line_metrics); nr++) {
		fill_metric(&line, predicted, &line_metrics[nr], profile->window_ns);
		call(to, &line);
	}
}

/* calls @call for each line, by queue, then by model */
static void each_line(const struct session *session, record_fn call, void *to)
{
	const GArray *first = session->predicted[MODEL_SIMULATION];

	for (unsigned int nr = 0; nr < first->len; nr++)
		for (enum prediction_model model = 0; model < MODELS; model++)
			if (session->predicted[model])
				each_metric(session, model, &g_array_index(session->predicted[model],
									    struct predicted, nr), call, to);
}

/* one quality of service for one queue */
struct answer {
	const struct qos *qos;
	const struct predicted *predicted;
	struct qos_answer answer;
};

static void each_answer(const struct session *session,
			void (*call)(void *to, const struct answer *answer), void *to)
{
	const GArray *all = session->predicted[MODEL_SIMULATION];

	for (unsigned int nr = 0; nr < asked.nr_qos; nr++)
		for (unsigned int pos = 0; pos < all->len; pos++) {
			struct answer answer = {
				.qos = &asked.qos[nr],
				.predicted = &g_array_index(all, struct predicted, pos),
			};

			if (!qos_concerns(answer.qos, answer.predicted->vgpu))
				continue;
			answer.answer = qos_answer(answer.qos, answer.predicted);
			call(to, &answer);
		}
}

static void and_met(void *to, const struct answer *answer)
{
	*(bool *)to &= answer->answer.met;
}

static bool all_met(const struct session *session)
{
	bool met = true;

	each_answer(session, and_met, &met);
	return met;
}

static char *setting_then(const struct session *session, const char *name)
{
	const GPtrArray *settings = session->profiles[0]->settings;
	char *changed = whatif_value(&asked.whatif, &sched_info_unknown, name);

	for (unsigned int nr = 0; !changed && nr < settings->len; nr += 2)
		if (!strcmp(settings->pdata[nr], name))
			changed = g_strdup(strcmp(name, "boost_ms") ? settings->pdata[nr + 1] : "0");
	return changed;
}

static void add_sheet_line(void *sheet, const void *line)
{
	sheet_line(sheet, line);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);

	each_line(session, add_sheet_line, sheet);
	sheet_end(sheet);
}

/* --- JSON -------------------------------------------------------------------------------------- */

static json_t *engine_json(const struct gpu_engine *engine)
{
	char name[ENGINE_NAME_LEN];

	return engine ? json_string(engine_name(name, engine->class, engine->instance)) : json_null();
}

static void add_json_answer(void *to, const struct answer *answer)
{
	json_array_append_new(to, json_pack("{s:s, s:i, s:o, s:s, s:o, s:o, s:o, s:b}",
		"qos", answer->qos->text, "vgpu_id", (int)answer->predicted->vgpu, "engine",
		engine_json(&answer->predicted->stream->engine), "metric",
		measures[answer->qos->measure].name, "limit_ns", json_decimal(answer->answer.limit_ns),
		"expected_ns", json_decimal(answer->answer.expected_ns), "margin_percent",
		json_decimal(answer->answer.margin_percent), "met", answer->answer.met));
}

static json_t *profile_json(const struct profile *profile, unsigned int vgpu_id)
{
	return json_pack("{s:i, s:o, s:o, s:I}", "vgpu_id", (int)vgpu_id, "profile",
			 json_text(profile->name), "file", json_text(profile->path), "window_ns",
			 (json_int_t)profile->window_ns);
}

static json_t *settings_json(const struct session *session)
{
	json_t *settings = json_array();

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *value = setting_then(session, desc->name);

		json_array_append_new(settings, json_pack("{s:s, s:o}", "setting", desc->name,
							  "value", json_text(value)));
		g_free(value);
	}
	return settings;
}

static json_t *doubts_json(const GPtrArray *doubts)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < doubts->len; nr++) {
		const struct caveat *caveat = doubts->pdata[nr];

		json_array_append_new(array, json_pack("{s:o, s:o, s:s}", "vgpu_id",
			json_number(caveat->vgpu_id), "engine", engine_json(caveat->engine), "what",
			caveat->text));
	}
	return array;
}

static void print_json(const void *result)
{
	const struct session *session = result;
	struct json_lines lines = { form_columns(session->form, columns), json_array() };
	json_t *document = document_of_host(session->form->command);
	json_t *profiles = json_array(), *answers = json_array();

	for (unsigned int nr = 0; nr < asked.count; nr++)
		json_array_append_new(profiles, profile_json(session->profiles[nr], nr + 1));
	each_line(session, json_lines_add, &lines);
	each_answer(session, add_json_answer, answers);
	json_object_set_new(document, "profiles", profiles);
	json_object_set_new(document, "settings", settings_json(session));
	json_object_set_new(document, "phases", json_integer(asked.phases));
	json_object_set_new(document, "predicted", lines.lines);
	json_object_set_new(document, "qos", answers);
	json_object_set_new(document, "met", asked.nr_qos ? json_boolean(all_met(session)) : json_null());
	json_object_set_new(document, "doubts", doubts_json(session->doubts));
	document_print(document, stdout);
}

/* --- for people ---------------------------------------------------------------------------------- */

/* preformatted, as each metric has its own unit */
struct shown_line {
	const char *vgpu, *engine, *model, *metric, *alone, *predicted, *least, *most;
};

static const struct column shown_columns[] = {
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, vgpu), "VGPU" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, engine), "ENGINE" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, model), "MODEL" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, metric), "METRIC" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, alone), "ALONE" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, predicted), "PREDICTED" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, least), "LEAST" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, most), "MOST" },
	{ 0 }
};

static const char *show(char cell[CELL_LEN], const struct line *line, double value)
{
	if (isnan(value))
		return NULL;
	g_snprintf(cell, CELL_LEN, "%.3f", value * measure_of(line->of)->shown);
	return cell;
}

static void add_table_line(void *table, const void *record)
{
	const struct line *line = record;
	char *name = g_strdup_printf("%" PRId64 " (%s)", line->vgpu_id, line->profile);
	char cells[4][CELL_LEN];
	const struct shown_line shown = {
		name, line->engine, line->model, measure_of(line->of)->title,
		show(cells[0], line, line->alone), show(cells[1], line, line->predicted),
		show(cells[2], line, line->least), show(cells[3], line, line->most),
	};

	table_line(table, &shown);
	g_free(name);
}

static void print_head(const struct session *session)
{
	char *policy = setting_then(session, "policy"), *dispatch = setting_then(session, "dispatch");

	printf("Predicted: %u phases; policy %s, dispatch %s\n", asked.phases,
	       policy ? policy : "of the driver", dispatch ? dispatch : "of the driver");
	g_free(dispatch);
	g_free(policy);
}

static void print_answer(void *to, const struct answer *answer)
{
	const struct qos_answer *told = &answer->answer;
	char engine[ENGINE_NAME_LEN];

	(void)to;
	engine_name(engine, answer->predicted->stream->engine.class,
		    answer->predicted->stream->engine.instance);
	printf("QoS %s, vGPU %u %s: %s; ", answer->qos->text, answer->predicted->vgpu, engine,
	       told->met ? "yes" : "NO");
	if (isnan(told->expected_ns))
		puts("its latency is unknown");
	else
		printf("%s %.3f of %.3f ms in the worst phase, %.1f %% %s\n",
		       measures[answer->qos->measure].title, told->expected_ns / NSEC_PER_MSEC,
		       told->limit_ns / NSEC_PER_MSEC, fabs(told->margin_percent),
		       told->met ? "left" : "too much");
}

static void print_doubts(const GPtrArray *doubts)
{
	char engine[ENGINE_NAME_LEN];

	if (doubts->len)
		puts("\nDoubtful:");
	for (unsigned int nr = 0; nr < doubts->len; nr++) {
		const struct caveat *caveat = doubts->pdata[nr];

		fputs("  ", stdout);
		if (known(caveat->vgpu_id))
			printf("vGPU %" PRId64 "%s%s: ", caveat->vgpu_id, caveat->engine ? " " : "",
			       caveat->engine ? engine_name(engine, caveat->engine->class,
							   caveat->engine->instance) : "");
		puts(caveat->text);
	}
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	struct table *table = table_new(shown_columns);

	print_head(session);
	each_line(session, add_table_line, table);
	table_print(table, "Alone, as recorded, and beside each other, with the range of the phases",
		    stdout);
	if (asked.nr_qos)
		putchar('\n');
	each_answer(session, print_answer, NULL);
	print_doubts(session->doubts);
}

/* --- a run -------------------------------------------------------------------------------------------- */

static void read_profiles(struct session *session)
{
	for (unsigned int nr = 0; nr < asked.count; nr++) {
		supervise_allow(asked.paths[nr]);
		session->profiles[nr] = profile_read(asked.paths[nr]);
		supervise_alive();
	}
}

static void predict(struct session *session, const char *simulator)
{
	for (enum prediction_model model = 0; model < (asked.prophet ? MODELS : 1); model++)
		session->predicted[model] = prediction_run(session->profiles, asked.count,
							   &asked.whatif, asked.phases, model,
							   simulator, NULL, NULL);
	session->doubts = validity_check(session->profiles, asked.count, &asked.whatif,
					 session->predicted[MODEL_SIMULATION], simulator);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };
	char *simulator = simulator_path();
	bool met;

	if (!simulator)
		fatal(SIMULATOR_MISSING);
	read_profiles(&session);
	predict(&session, simulator);
	supervise_done();
	form_print(&options->form, &printers, &session);
	met = all_met(&session);
	g_ptr_array_free(session.doubts, TRUE);
	for (enum prediction_model model = 0; model < MODELS; model++)
		if (session.predicted[model])
			g_array_free(session.predicted[model], TRUE);
	for (unsigned int nr = 0; nr < asked.count; nr++)
		profile_free(session.profiles[nr]);
	whatif_clear(&asked.whatif);
	g_free(simulator);
	return met ? EXIT_SUCCESS : EXIT_FOUND;
}

static const struct argp_option option_table[] = {
	{ "set", KEY_SET, "NAME=VALUE", 0,
	  "A scheduler setting that differs from the first profile's, such as policy=fair or dispatch=preemptive; may be given several times", 0 },
	{ "vgpu", KEY_CHANGE, "ID:NAME=VALUE,...", 0,
	  "Change nice, cap, weight, preempt, speed, depth or pieces_us of an application, such as 2:nice=-5,cap=30", 0 },
	{ "phases", KEY_PHASES, "N", 0,
	  "Simulate N times, with different start times (13)", 0 },
	{ "model", KEY_MODEL, "MODEL", 0,
	  "simulation, with the driver's own scheduler; or prophet: that, and next to it the predictions of Prophet's model (simulation)", 0 },
	{ "qos", KEY_QOS, "GOAL", 0,
	  "[ID:]LIMIT[,LIMIT][,p95]: does the mean latency, or the p95, stay below a multiple of that alone, such as 2x, or below a time, such as 50ms? Exit with status 2 if not; may be given several times", 0 },
	{ 0 }
};

static const struct argp argp = {
	option_table, parse_option, "PROFILE...", NULL, NULL, NULL, NULL
};

static const struct column *const tables[] = { columns, NULL };

const struct command predict_command = {
	.name = "predict",
	.doc = "Predict from their profiles how applications would perform beside each other.",
	.flags = COMMAND_NO_TRACE,
	.columns = tables,
	.argp = &argp,
	.run = run,
};
