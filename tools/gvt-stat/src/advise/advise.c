// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat advise: finds the settings nearest to a goal.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/remedy.h"
#include "cmd/command.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/mix.h"
#include "whatif/simulator.h"
#include "energy-use.h"
#include "forecast-energy.h"
#include "forecast.h"
#include "goal.h"
#include "search.h"

#define INDENT	2

#define DEFAULT_WINDOWS	5
#define MOST_WINDOWS	100
#define DEFAULT_OTHERS	100
#define MOST_OTHERS	1000000

/* exit status: the goal is met, or comes nearer, in the most likely case, but not in every case */
#define EXIT_POSSIBLE	3

/* doubt the results if the simulation of the current settings is off by more than this */
#define TRUSTED_PERCENT	15

enum advise_key {
	KEY_GOAL = 0xa00,
	KEY_WINDOWS,
	KEY_OTHERS,
	KEY_VGPU,
	KEY_COEF,
};

static struct goal goal;
static const char *goal_arg;
static const char *coef_path;		/* NULL: fitted to the trace */
static double others_percent = DEFAULT_OTHERS;
static struct whatif told;		/* facts about vGPUs, and the number of windows */

/* --- the command line ------------------------------------------------------------------ */

static void parse_goal(const char *arg, struct argp_state *state)
{
	const char *problem = goal_parse(arg, &goal);

	if (problem)
		argp_error(state, "--goal %s: %s", arg, problem);
	goal_arg = arg;
}

static double parse_others(const char *arg, struct argp_state *state)
{
	char *end;
	double percent = g_ascii_strtod(arg, &end);

	if (end == arg || *end || !(percent >= 0 && percent <= MOST_OTHERS))
		argp_error(state, "--others %s: give by how many per cent the mean latency of others may get longer, from 0 on",
			   arg);
	return percent;
}

static void check_options(struct argp_state *state)
{
	if (!goal_arg)
		argp_error(state, "give a goal: --goal fair, throughput, energy, or a latency such as p99:2=20ms");
	if (coef_path && goal.kind != GOAL_ENERGY)
		argp_error(state, "--coef is for --goal energy");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		whatif_init(&told);
		told.windows = DEFAULT_WINDOWS;
		break;
	case KEY_GOAL:
		parse_goal(arg, state);
		break;
	case KEY_WINDOWS:
		told.windows = options_number(arg, "--windows", MOST_WINDOWS, state);
		break;
	case KEY_OTHERS:
		others_percent = parse_others(arg, state);
		break;
	case KEY_VGPU:
		change_tell(&told, arg, state);
		break;
	case KEY_COEF:
		coef_path = arg;
		break;
	case ARGP_KEY_END:
		check_options(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- the verdict ------------------------------------------------------------------------- */

enum verdict {
	VERDICT_CHANGE,			/* other settings are better */
	VERDICT_TRY,			/* other settings are better in the most likely case */
	VERDICT_KEEP,			/* the current settings meet the goal */
	VERDICT_NOTHING,		/* the current settings miss it, and none helps */
	VERDICT_UNCERTAIN,		/* energy: others take less in the most likely case, within the uncertainty */
};

static const char *const verdicts[] = { "change", "try", "keep", "nothing helps", "not certain" };

struct session {
	const struct form *form;
	struct mix mix;
	struct judge *judge;
	struct search *search;
	struct energy_target energy;	/* of the best settings; without coefficients: the goal is not energy */
	struct forecast forecast;	/* of the best settings */
	enum verdict verdict;
	double recorded;
};

/* takes less in the most likely case, and nobody pays too much; NULL: none */
static const struct attempt *uncertain(const struct search *search)
{
	return goal.kind == GOAL_ENERGY ? search_likely(search, &goal, false) : NULL;
}

static enum verdict verdict_of(const struct search *search)
{
	enum score_rank rank = search->best->score.rank;

	if (search->best != search_as_it_is(search))
		return rank == SCORE_POSSIBLE ? VERDICT_TRY : VERDICT_CHANGE;
	if (uncertain(search))
		return VERDICT_UNCERTAIN;
	return rank >= SCORE_POSSIBLE || !goal_has_limit(&goal) ? VERDICT_KEEP : VERDICT_NOTHING;
}

/* does the advice meet the goal in every case? Goals without a limit have nothing to meet */
static bool reaches(const struct session *session)
{
	return session->verdict != VERDICT_UNCERTAIN &&
	       (!goal_has_limit(&goal) || session->search->best->score.rank == SCORE_MET);
}

static int status_of(const struct session *session)
{
	if (reaches(session))
		return EXIT_SUCCESS;
	return session->verdict == VERDICT_UNCERTAIN || session->search->best->score.rank == SCORE_POSSIBLE ?
	       EXIT_POSSIBLE : EXIT_FOUND;
}

/* error of the simulation of the current settings against the recording */
static double off_percent(const struct session *session)
{
	double now = search_as_it_is(session->search)->score.value;

	return session->recorded > 0 && isfinite(now) ?
	       100 * fabs(now - session->recorded) / session->recorded : NAN;
}

/* --- commands ------------------------------------------------------------------------------ */

static bool several_gpus(const struct session *session)
{
	return model_gpus(mix_follow(&session->mix)->model)->len > 1;
}

/* the settings of the GPU that have to change */
static void fill_gpu_remedy(const struct session *session, struct remedy *remedy)
{
	const struct sched_info *info = session->mix.info;

	*remedy = (struct remedy) { .dev = info->dev, .name_gpu = several_gpus(session) };
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(info, desc->name);
		char *then = whatif_value(&session->search->best->whatif, info, desc->name);

		if (g_strcmp0(now, then))
			remedy_set(remedy, desc->name, then);
		g_free(then);
		g_free(now);
	}
}

static bool fill_vgpu_remedy(const struct session *session, struct remedy *remedy)
{
	const struct whatif_vgpu *vgpu = whatif_find_vgpu(&session->search->best->whatif, goal.vgpu_id);

	if (!vgpu || !known(vgpu->nice))
		return false;
	*remedy = (struct remedy) {
		.dev = session->mix.info->dev, .name_gpu = several_gpus(session),
		.vgpu = model_vgpu(mix_follow(&session->mix)->model, session->mix.info->dev, vgpu->id),
	};
	remedy_set_number(remedy, "nice", vgpu->nice);
	return true;
}

/* calls @call for the changed settings of the GPU, then of a vGPU */
static void each_remedy(const struct session *session,
			void (*call)(const struct remedy *remedy, void *to), void *to)
{
	struct remedy remedy;

	fill_gpu_remedy(session, &remedy);
	if (remedy.count)
		call(&remedy, to);
	if (fill_vgpu_remedy(session, &remedy))
		call(&remedy, to);
}

static void print_remedy(const struct remedy *remedy, void *to)
{
	char *command = remedy_command(remedy);

	(void)to;
	printf("  %s\n", command);
	g_free(command);
}

static void print_files(const struct remedy *remedy, void *to)
{
	(void)to;
	for (unsigned int nr = 0; nr < remedy->count; nr++) {
		char *file = remedy_file(remedy, &remedy->settings[nr]);

		printf("  echo %s >%s\n", remedy->settings[nr].value, file);
		g_free(file);
	}
}

/* --- lines ---------------------------------------------------------------------------------- */

/* an attempt */
struct line {
	const char *settings;
	double value;
	double least;
	double most;
	bool met;
	bool possible;
	double cost;
	bool best;
	double watts;
};

#define COLUMN(type, member) { #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(TEXT, settings),
	COLUMN(REAL, value),
	COLUMN(REAL, least),
	COLUMN(REAL, most),
	COLUMN(FLAG, met),
	COLUMN(FLAG, possible),
	COLUMN(REAL, cost),
	COLUMN(FLAG, best),
	COLUMN(REAL, watts),
	{ 0 }
};

/* the latency of a vGPU that completes nothing is infinite: not a number in output */
static double or_unknown(double value)
{
	return isfinite(value) ? value : NAN;
}

static void fill_line(const struct session *session, struct line *line,
		      const struct attempt *attempt)
{
	*line = (struct line) {
		.settings = *attempt->text ? attempt->text : "as it is",
		.value = or_unknown(attempt->score.value), .least = or_unknown(attempt->score.least),
		.most = or_unknown(attempt->score.most), .met = attempt->score.rank == SCORE_MET,
		.possible = attempt->score.rank >= SCORE_POSSIBLE,
		.cost = or_unknown(attempt->score.cost), .best = attempt == session->search->best,
		.watts = attempt->score.watts,
	};
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);
	struct line line;

	for (unsigned int nr = 0; nr < session->search->attempts->len; nr++) {
		fill_line(session, &line, session->search->attempts->pdata[nr]);
		sheet_line(sheet, &line);
	}
	sheet_end(sheet);
	notes_warn(mix_follow(&session->mix));
}

/* --- JSON --------------------------------------------------------------------------------------- */

static void add_json_remedy(const struct remedy *remedy, void *to)
{
	char *command = remedy_command(remedy);
	json_t *settings = json_array();

	for (unsigned int nr = 0; nr < remedy->count; nr++) {
		char *file = remedy_file(remedy, &remedy->settings[nr]);

		json_array_append_new(settings, json_pack("{s:s, s:s, s:s}",
			"setting", remedy->settings[nr].name, "value",
			remedy->settings[nr].value, "file", file));
		g_free(file);
	}
	json_array_append_new(to, json_pack("{s:o, s:s, s:o}", "vgpu_id",
		remedy->vgpu ? json_integer(remedy->vgpu->id) : json_null(), "command", command,
		"settings", settings));
	g_free(command);
}

static json_t *tried_json(const struct session *session)
{
	const struct column *chosen = form_columns(session->form, columns);
	json_t *tried = json_array();
	struct line line;

	for (unsigned int nr = 0; nr < session->search->attempts->len; nr++) {
		fill_line(session, &line, session->search->attempts->pdata[nr]);
		json_array_append_new(tried, columns_to_json(chosen, &line));
	}
	return tried;
}

/* of one simulation: as forecast-energy.h takes them */
static GArray *energy_targets(const struct session *session)
{
	GArray *targets = g_array_new(FALSE, FALSE, sizeof(session->energy));

	return g_array_append_val(targets, session->energy);
}

static json_t *energy_json(const struct session *session)
{
	GArray *targets = energy_targets(session);
	json_t *json = forecast_energy_json(&session->mix, targets);

	g_array_free(targets, TRUE);
	return json;
}

static void print_json(const void *result)
{
	static const struct form all = { 0 };
	const struct session *session = result;
	const struct follow *follow = mix_follow(&session->mix);
	json_t *document = document_new(follow, session->form->command);
	json_t *commands = json_array();

	document_add_window(document, follow->window);
	each_remedy(session, add_json_remedy, commands);
	json_object_set_new(document, "goal", json_string(goal_arg));
	json_object_set_new(document, "verdict", json_string(verdicts[session->verdict]));
	json_object_set_new(document, "reached", json_boolean(reaches(session)));
	json_object_set_new(document, "recorded_value", json_decimal(session->recorded));
	json_object_set_new(document, "off_percent", json_decimal(off_percent(session)));
	json_object_set_new(document, "worst_value",
			    json_decimal(session->search->best->score.worst));
	json_object_set_new(document, "commands", commands);
	json_object_set_new(document, "tried", tried_json(session));
	forecast_add_json(&session->forecast, &all, document);
	if (session->energy.coef)
		json_object_set_new(document, "energy", energy_json(session));
	document_print(document, stdout);
}

/* --- for people ------------------------------------------------------------------------------------ */

/* caller frees */
static char *score_text(const struct score *score)
{
	char *value = goal_value_text(&goal, score->value), *least = goal_value_text(&goal, score->least);
	char *most = goal_value_text(&goal, score->most);
	char *text = g_strdup_printf("%s (%s to %s)", value, least, most);

	g_free(value);
	g_free(least);
	g_free(most);
	return text;
}

static void print_as_it_is(const struct session *session)
{
	char *recorded = goal_value_text(&goal, session->recorded);
	char *simulated = score_text(&search_as_it_is(session->search)->score);
	double off = off_percent(session);

	screen_print(INDENT, stdout, "Now: %s as recorded, %s as simulated", recorded, simulated);
	g_free(recorded);
	g_free(simulated);
	if (off > TRUSTED_PERCENT)
		printf("Doubtful: these two differ by %.0f %%, and so may the results\n", off);
}

static void print_cost(const struct session *session)
{
	double cost = session->search->best->score.cost;

	if (isnan(cost))
		return;
	if (isinf(cost))
		puts("Cost to others: a vGPU completes nothing any more");
	else if (cost > 1)
		printf("Cost to others: up to %.2f times their mean latency, both simulated\n", cost);
	else
		puts("No cost to others: no mean latency becomes longer");
}

/* the facts that the promise depends on, in the same line */
static char *if_text(const struct session *session)
{
	GString *text = g_string_new(NULL);

	forecast_add_doubted(&session->forecast, text);
	if (text->len)
		g_string_prepend(text, "; doubtful: ");
	return g_string_free(text, FALSE);
}

static void print_change(const struct session *session)
{
	const struct attempt *best = session->search->best;
	char *score = score_text(&best->score), *doubts = if_text(session);

	screen_print(INDENT, stdout, "%s: %s: %s%s", session->verdict == VERDICT_TRY ? "Try" : "Advice", best->text, score, doubts);
	g_free(score);
	g_free(doubts);
	if (best->score.rank == SCORE_POSSIBLE) {
		score = goal_value_text(&goal, best->score.worst);
		screen_print(INDENT, stdout, "The goal is reached only if what is doubtful is as it most likely is; at worst: %s", score);
		g_free(score);
	} else if (!reaches(session)) {
		puts("The goal is NOT reached, this is the nearest");
	}
	each_remedy(session, print_remedy, NULL);
	puts("or");
	each_remedy(session, print_files, NULL);
	print_cost(session);
}

/* Doubts keep the goal out of reach: a user who knows the VMs better may still reach the goal. */
static void print_nothing(const struct session *session)
{
	const struct attempt *likely = search_likely(session->search, &goal, true);
	char *score;

	screen_print(INDENT, stdout, "Nothing helps: none of %u settings comes nearer to the goal without harm to others (--others %g)",
	       session->search->attempts->len, others_percent);
	if (!likely)
		return;
	score = score_text(&likely->score);
	screen_print(INDENT, stdout, "Nearest if what is doubtful is as it most likely is: %s: %s", likely->text, score);
	g_free(score);
	screen_print(INDENT, stdout, "--vgpu says what you know of a VM, e.g. 2:pieces_us=1000: vGPU 2 can be preempted each millisecond");
}

static void print_uncertain(const struct session *session)
{
	const struct attempt *likely = uncertain(session->search);
	char *score = score_text(&likely->score);

	screen_print(INDENT, stdout, "Advice: keep the settings. %s likely takes less: %s, at %.2f W; but the difference is not certain",
		     likely->text, score, likely->score.watts);
	g_free(score);
}

static void print_advice(const struct session *session)
{
	static const char *const kept[] = {
		[SCORE_MET] = "Advice: keep the settings, the goal is met",
		[SCORE_POSSIBLE] = "Advice: keep the settings, the goal is met if what is doubtful is as it most likely is",
		[SCORE_SHORT] = "Advice: keep the settings, none brings more",
	};

	if (session->verdict == VERDICT_KEEP)
		puts(kept[session->search->best->score.rank]);
	else if (session->verdict == VERDICT_NOTHING)
		print_nothing(session);
	else if (session->verdict == VERDICT_UNCERTAIN)
		print_uncertain(session);
	else
		print_change(session);
}

/* a line of the table of attempts */
struct shown_line {
	const char *settings, *value, *least, *most, *met, *cost, *watts;
};

static const struct column shown_columns[] = {
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, settings), "SETTINGS" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, value), "VALUE" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, least), "LEAST" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, most), "MOST" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, met), "MET" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, cost), "COST" },
	/* the last one is for energy only */
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, watts), "WATTS" },
	{ 0 }
};
#define WATTS_COLUMN	(G_N_ELEMENTS(shown_columns) - 2)

static const char *met_text(const struct score *score)
{
	static const char *const texts[] = {
		[SCORE_HARMFUL] = "harm", [SCORE_SHORT] = "no", [SCORE_POSSIBLE] = "maybe",
		[SCORE_MET] = "yes",
	};

	return !goal_has_limit(&goal) && score->rank != SCORE_HARMFUL ? NULL : texts[score->rank];
}

static void add_shown(struct table *table, const struct attempt *attempt)
{
	const struct score *score = &attempt->score;
	char *texts[] = {
		goal_value_text(&goal, score->value), goal_value_text(&goal, score->least),
		goal_value_text(&goal, score->most),
		isfinite(score->cost) ? g_strdup_printf("x%.2f", score->cost) : NULL,
		isfinite(score->watts) ? g_strdup_printf("%.2f", score->watts) : NULL,
	};
	const struct shown_line shown = {
		*attempt->text ? attempt->text : "as it is", texts[0], texts[1], texts[2],
		met_text(score), texts[3], texts[4],
	};

	table_line(table, &shown);
	for (size_t nr = 0; nr < G_N_ELEMENTS(texts); nr++)
		g_free(texts[nr]);
}

#define TRIED		"Tried, with the prediction interval"
#define TRIED_COST	"; COST: worst mean latency of another vGPU, relative to now"

static void print_tried(const struct session *session)
{
	struct column some[G_N_ELEMENTS(shown_columns)];
	struct table *table;
	bool met = false;

	memcpy(some, shown_columns, sizeof(some));
	if (!session->energy.coef)
		some[WATTS_COLUMN] = (struct column){ 0 };
	table = table_new(some);
	for (unsigned int nr = 0; nr < session->search->attempts->len; nr++) {
		const struct attempt *attempt = session->search->attempts->pdata[nr];

		met |= met_text(&attempt->score) != NULL;
		add_shown(table, attempt);
	}
	table_print(table, met ? TRIED "; MET harm: somebody may pay too much" TRIED_COST : TRIED TRIED_COST, stdout);
}

static void print_energy(const struct session *session)
{
	GArray *targets;

	if (!session->energy.coef)
		return;
	targets = energy_targets(session);
	forecast_energy_print(&session->mix, targets);
	g_array_free(targets, TRUE);
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	char *text = goal_text(&goal);

	notes_head(mix_follow(&session->mix), stdout);
	screen_print(INDENT, stdout, "Goal: %s", text);
	print_as_it_is(session);
	print_advice(session);
	putchar('\n');
	forecast_print(&session->forecast);
	print_energy(session);
	print_tried(session);
	notes_tail(mix_follow(&session->mix), stdout);
	g_free(text);
}

/* --- a run ------------------------------------------------------------------------------------------- */

static void check_vgpu(const struct mix *mix)
{
	if (goal.kind != GOAL_LATENCY)
		return;
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu->id == goal.vgpu_id && stream->work->len)
			return;
	}
	usage_error("--goal %s: no workload of vGPU %" PRId64 " began and ended in the trace",
		    goal_arg, goal.vgpu_id);
}

static void check_power(const struct stream *stream, const struct coef *coef)
{
	if (stream->work->len && coef_find(coef, stream->vgpu, stream->engine->name) < 0)
		fatal("%s: has no power of vGPU %" PRId64 " on %s, nor of others there: give coefficients of a recording in which it executed",
		      coef->path, stream->vgpu->id, stream->engine->name);
}

/* what the GPU draws, for an energy goal */
static struct coef *coefficients(const struct selection *selection)
{
	struct coef *coef;

	if (goal.kind != GOAL_ENERGY)
		return NULL;
	told.observer = &energy_use_observer;
	coef = coef_path ? coef_read(coef_path) : coef_of_trace(selection);
	if (!coef)
		fatal("%s: has no samples of the GPU's energy counter: give --coef FILE, of 'gvt-stat energy --save-coef', or record with 'gvt-stat record --energy'",
		      selection->input);
	if (coef->speed != 1)
		fatal("%s: speed: it is %g, of another GPU; advise needs coefficients of this one: 1", coef->path, coef->speed);
	return coef;
}

static void check_energy(const struct session *session)
{
	if (session->energy.coef && isnan(search_as_it_is(session->search)->score.value))
		fatal("%s: what the GPU draws now is unknown, as it has no power of the host or of idle time, events were lost, or nothing finished",
		      session->energy.coef->path);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };
	char *simulator = simulator_path();
	struct whatif_result *result;
	int status;

	if (!simulator)
		fatal(SIMULATOR_MISSING);
	session.energy.coef = coefficients(&options->selection);
	mix_read(&session.mix, &options->selection, &told);
	check_vgpu(&session.mix);
	for (unsigned int nr = 0; session.energy.coef && nr < session.mix.streams->len; nr++)
		check_power(session.mix.streams->pdata[nr], session.energy.coef);
	mix_rehearse(&session.mix, &told, simulator);
	session.judge = judge_new(&goal, &session.mix, simulator, &told, session.energy.coef, others_percent);
	session.search = search_run(&goal, &session.mix, session.judge, simulator, &told);
	check_energy(&session);
	session.verdict = verdict_of(session.search);
	session.recorded = judge_recorded(session.judge);
	result = mix_simulate(&session.mix, &session.search->best->whatif, simulator);
	session.energy.result = result;
	session.forecast = (struct forecast) {
		&session.mix, &session.search->best->whatif, result,
	};
	form_print(&options->form, &printers, &session);
	status = status_of(&session);
	whatif_result_free(result);
	search_free(session.search);
	judge_free(session.judge);
	if (session.energy.coef)
		coef_free(session.energy.coef);
	mix_clear(&session.mix);
	g_free(simulator);
	whatif_clear(&told);
	return status;
}

static const struct argp_option option_table[] = {
	{ "goal", KEY_GOAL, "GOAL", 0,
	  "The goal: fair, throughput, energy, or a limit for the mean, p50, p95, p99 or worst latency of a vGPU, such as p99:2=20ms", 0 },
	{ "windows", KEY_WINDOWS, "N", 0,
	  "Number of windows, each as long as the trace, per simulation (5)", 0 },
	{ "others", KEY_OTHERS, "PERCENT", 0,
	  "By so much the mean latency of another vGPU may get longer, in the worst case (100)", 0 },
	{ "vgpu", KEY_VGPU, "ID:WORD,...", 0,
	  "What is known of a vGPU: open, closed, depth, period or pieces_us, such as 2:closed,pieces_us=0", 0 },
	{ "coef", KEY_COEF, "FILE", 0,
	  "For --goal energy: coefficients that 'gvt-stat energy' saved, for a trace without samples of the counter", 0 },
	{ 0 }
};

const struct command advise_command = {
	.name = "advise",
	.doc = "Try scheduler settings in the simulator, and recommend those that come nearest to a goal.",
	.quantities = FORECAST_QUANTITIES,
	.flags = COMMAND_OWN_VGPU,
	.columns = TABLES(columns),
	.argp = &(const struct argp) { option_table, parse_option },
	.run = run,
};
