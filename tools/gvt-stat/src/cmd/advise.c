// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat advise: which settings come nearest to a goal.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/remedy.h"
#include "host/simulator.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "trace/util.h"
#include "command.h"
#include "comparison.h"
#include "goal.h"
#include "mix.h"
#include "search.h"

#define DEFAULT_WINDOWS	5
#define MOST_WINDOWS	100

/* by more than so many per cent the simulation of the settings as they are must not be wrong */
#define TRUSTED_PERCENT	15

enum advise_key {
	KEY_GOAL = 0xa00,
	KEY_WINDOWS,
};

static struct goal goal;
static const char *goal_arg;
static unsigned int windows = DEFAULT_WINDOWS;

/* --- the command line ------------------------------------------------------------------ */

static void parse_goal(const char *arg, struct argp_state *state)
{
	const char *problem = goal_parse(arg, &goal);

	if (problem)
		argp_error(state, "--goal %s: %s", arg, problem);
	goal_arg = arg;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_GOAL:
		parse_goal(arg, state);
		break;
	case KEY_WINDOWS:
		windows = options_number(arg, "--windows", MOST_WINDOWS, state);
		break;
	case ARGP_KEY_END:
		if (!goal_arg)
			argp_error(state, "give a goal: --goal fair, throughput, or a latency such as p99:2=20ms");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- what comes of it -------------------------------------------------------------------- */

enum verdict {
	VERDICT_CHANGE,			/* other settings are better */
	VERDICT_KEEP,			/* it is good as it is */
	VERDICT_NOTHING,		/* it is not, and no setting helps */
};

static const char *const verdicts[] = { "change", "keep", "nothing helps" };

struct session {
	const struct form *form;
	struct mix mix;
	struct judge *judge;
	struct search *search;
	struct comparison comparison;	/* of the best */
	enum verdict verdict;
	double recorded;
	double uncut;			/* if no workload could be taken off; NAN: it is no guess */
};

static enum verdict verdict_of(const struct search *search)
{
	if (search->best != search_as_it_is(search))
		return VERDICT_CHANGE;
	return search->best->score.met || goal.kind == GOAL_THROUGHPUT ? VERDICT_KEEP : VERDICT_NOTHING;
}

/* is the goal reached by what is advised? Of throughput there is no more than the most */
static bool reaches(const struct session *session)
{
	return goal.kind == GOAL_THROUGHPUT || session->search->best->score.met;
}

/* how far what is simulated of the settings as they are is from what was recorded */
static double off_percent(const struct session *session)
{
	double now = search_as_it_is(session->search)->score.value;

	return session->recorded > 0 && isfinite(now) ?
	       100 * fabs(now - session->recorded) / session->recorded : NAN;
}

/* is it guessed of any vGPU where its workloads can be taken off, and does that matter? */
static bool is_guessed(const struct session *session)
{
	char *dispatch = whatif_value(&session->search->best->whatif, session->mix.info, "dispatch");
	bool guessed = false;

	for (unsigned int nr = 0; nr < session->mix.streams->len; nr++) {
		const struct stream *stream = session->mix.streams->pdata[nr];

		guessed |= stream->doubts & 1u << STREAM_GUESSED_PIECES;
	}
	guessed &= !g_strcmp0(dispatch, "preemptive");
	g_free(dispatch);
	return guessed;
}

/* the worst case of that guess */
static double uncut_value(const struct session *session, const char *simulator)
{
	const struct mix *mix = &session->mix;
	struct whatif_result *result;
	struct whatif uncut;
	double value;

	if (!is_guessed(session))
		return NAN;
	whatif_copy(&uncut, &session->search->best->whatif);
	for (unsigned int nr = 0; nr < mix->guests->len; nr++)
		whatif_vgpu(&uncut, g_array_index(mix->guests, struct whatif_guest, nr).id)->piece_ns = 0;
	result = mix_simulate(mix, &uncut, simulator);
	value = judge_score(session->judge, result).value;
	whatif_result_free(result);
	whatif_clear(&uncut);
	return value;
}

/* --- commands ------------------------------------------------------------------------------ */

static bool several_gpus(const struct session *session)
{
	return model_gpus(mix_follow(&session->mix)->model)->len > 1;
}

/* what is to be set of the GPU, as far as it is not so already */
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
	const GArray *vgpus = session->search->best->whatif.vgpus;
	const struct whatif_vgpu *vgpu;

	if (!vgpus->len)
		return false;
	vgpu = &g_array_index(vgpus, struct whatif_vgpu, 0);
	*remedy = (struct remedy) {
		.dev = session->mix.info->dev, .name_gpu = several_gpus(session),
		.vgpu = model_vgpu(mix_follow(&session->mix)->model, session->mix.info->dev, vgpu->id),
	};
	remedy_set_number(remedy, "nice", vgpu->nice);
	return true;
}

/* calls for the settings of the GPU and of a vGPU that are to be set */
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

/* settings that were tried */
struct line {
	const char *settings;
	double value;
	double least;
	double most;
	bool met;
	double cost;
	bool best;
};

#define COLUMN(type, member) { #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(TEXT, settings),
	COLUMN(REAL, value),
	COLUMN(REAL, least),
	COLUMN(REAL, most),
	COLUMN(FLAG, met),
	COLUMN(REAL, cost),
	COLUMN(FLAG, best),
	{ 0 }
};

/* a vGPU that has nothing any more has no number */
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
		.most = or_unknown(attempt->score.most), .met = attempt->score.met,
		.cost = or_unknown(attempt->score.cost), .best = attempt == session->search->best,
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
	json_object_set_new(document, "uncut_value", json_decimal(session->uncut));
	json_object_set_new(document, "commands", commands);
	json_object_set_new(document, "tried", tried_json(session));
	comparison_add_json(&session->comparison, &all, document);
	document_print(document, stdout);
}

/* --- for people ------------------------------------------------------------------------------------ */

static void print_value(const char *before, double value)
{
	char *text = goal_value_text(&goal, value);

	printf("%s%s", before, text);
	g_free(text);
}

static void print_score(const struct score *score)
{
	print_value("", score->value);
	print_value(" (", score->least);
	print_value(" to ", score->most);
	putchar(')');
}

static void print_as_it_is(const struct session *session)
{
	double off = off_percent(session);

	print_value("Now: ", session->recorded);
	fputs(" as recorded, ", stdout);
	print_score(&search_as_it_is(session->search)->score);
	fputs(" as simulated\n", stdout);
	if (off > TRUSTED_PERCENT)
		printf("Doubtful: these two differ by %.0f %%, and so may what follows\n", off);
}

static void print_cost(const struct session *session)
{
	double cost = session->search->best->score.cost;

	if (isnan(cost))
		return;
	if (isinf(cost))
		puts("Cost to others: a vGPU completes nothing any more");
	else if (cost > 1)
		printf("Cost to others: up to %.2f times their present mean latency\n", cost);
	else
		puts("No cost to others: no mean latency becomes longer");
}

static void print_advice(const struct session *session)
{
	const struct attempt *best = session->search->best;

	switch (session->verdict) {
	case VERDICT_KEEP:
		puts(best->score.met ? "Advice: keep the settings, the goal is met" :
				       "Advice: keep the settings, none brings more");
		return;
	case VERDICT_NOTHING:
		printf("Nothing helps: none of %u settings comes nearer to the goal\n",
		       session->search->attempts->len);
		return;
	case VERDICT_CHANGE:
		break;
	}
	printf("Advice: %s: ", best->text);
	print_score(&best->score);
	puts(reaches(session) ? "" : "; the goal is NOT reached, this is the nearest");
	if (!isnan(session->uncut)) {
		print_value("Preemption points are guessed, one each ms; if there were none: ",
			    session->uncut);
		putchar('\n');
	}
	each_remedy(session, print_remedy, NULL);
	puts("or");
	each_remedy(session, print_files, NULL);
	print_cost(session);
}

/* a line of the table of what was tried */
struct shown_line {
	const char *settings, *value, *least, *most, *met, *cost;
};

static const struct column shown_columns[] = {
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, settings), "SETTINGS" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, value), "VALUE" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, least), "LEAST" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, most), "MOST" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, met), "MET" },
	{ NULL, COLUMN_TEXT, offsetof(struct shown_line, cost), "COST" },
	{ 0 }
};

static void add_shown(struct table *table, const struct attempt *attempt)
{
	const struct score *score = &attempt->score;
	char *texts[] = {
		goal_value_text(&goal, score->value), goal_value_text(&goal, score->least),
		goal_value_text(&goal, score->most),
		isfinite(score->cost) ? g_strdup_printf("x%.2f", score->cost) : NULL,
	};
	const struct shown_line shown = {
		*attempt->text ? attempt->text : "as it is", texts[0], texts[1], texts[2],
		goal.kind == GOAL_THROUGHPUT ? NULL : score->met ? "yes" : "no", texts[3],
	};

	table_line(table, &shown);
	for (size_t nr = 0; nr < G_N_ELEMENTS(texts); nr++)
		g_free(texts[nr]);
}

static void print_tried(const struct session *session)
{
	struct table *table = table_new(shown_columns);

	for (unsigned int nr = 0; nr < session->search->attempts->len; nr++)
		add_shown(table, session->search->attempts->pdata[nr]);
	table_print(table, "Tried, each with the range of its windows; COST: mean latency of the vGPU that pays most, relative to now",
		    stdout);
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	char *text = goal_text(&goal);

	notes_head(mix_follow(&session->mix), stdout);
	printf("Goal: %s\n", text);
	print_as_it_is(session);
	print_advice(session);
	putchar('\n');
	comparison_print(&session->comparison);
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

static void rehearse_recorded(struct mix *mix, const char *simulator)
{
	struct whatif nothing;

	whatif_init(&nothing);
	nothing.windows = windows;
	mix_rehearse(mix, &nothing, simulator);
	whatif_clear(&nothing);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };
	char *simulator = simulator_path();
	struct whatif_result *result;
	bool reached;

	if (!simulator)
		fatal(SIMULATOR_MISSING);
	mix_read(&session.mix, &options->selection);
	check_vgpu(&session.mix);
	rehearse_recorded(&session.mix, simulator);
	session.judge = judge_new(&goal, &session.mix, simulator, windows);
	session.search = search_run(&goal, &session.mix, session.judge, simulator, windows);
	session.verdict = verdict_of(session.search);
	session.recorded = judge_recorded(session.judge);
	session.uncut = uncut_value(&session, simulator);
	result = mix_simulate(&session.mix, &session.search->best->whatif, simulator);
	session.comparison = (struct comparison) {
		&session.mix, &session.search->best->whatif, result,
	};
	form_print(&options->form, &printers, &session);
	reached = reaches(&session);
	whatif_result_free(result);
	search_free(session.search);
	judge_free(session.judge);
	mix_clear(&session.mix);
	g_free(simulator);
	return reached ? EXIT_SUCCESS : EXIT_FOUND;
}

static const struct argp_option option_table[] = {
	{ "goal", KEY_GOAL, "GOAL", 0,
	  "The goal: fair, throughput, or a limit for the mean, p50, p95, p99 or worst latency of a vGPU, such as p99:2=20ms", 0 },
	{ "windows", KEY_WINDOWS, "N", 0,
	  "Number of windows, each as long as the trace, per simulation (5)", 0 },
	{ 0 }
};

static const struct argp argp = { .options = option_table, .parser = parse_option };

static const struct column *const tables[] = { columns, NULL };

const struct command advise_command = {
	.name = "advise",
	.help = "find the settings that come nearest to a goal",
	.doc = "Try scheduler settings in the simulator, and recommend those that come nearest to a goal.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_VGPUS) |
		      QUANTITY_BIT(QUANTITY_SETTINGS),
	.flags = COMMAND_OWN_VGPU,
	.columns = tables,
	.argp = &argp,
	.run = run,
};
