// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat simulate: what would have been under other settings.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/streams.h"
#include "follow/follow.h"
#include "host/simulator.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "command.h"
#include "whatif.h"

#define DEFAULT_WINDOWS	10
#define MOST_WINDOWS	1000
#define CELL_LEN	32
#define MOST_SPEED	1000

enum simulate_key {
	KEY_SET = 0x900,
	KEY_CHANGE,
	KEY_WITHOUT,
	KEY_SPEED,
	KEY_WINDOWS,
};

static struct whatif whatif;
static double speed = NAN;		/* of all vGPUs */

/* --- the command line -------------------------------------------------------------- */

static const struct setting_desc *find_setting(const char *name)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++)
		if (!strcmp(desc->name, name))
			return desc;
	return NULL;
}

/* NAME=VALUE in two; the caller frees the array */
static char **parse_pair(const char *option, const char *arg, struct argp_state *state)
{
	char **pair = g_strsplit(arg, "=", 2);

	if (!pair[0] || !pair[1] || !*pair[0] || !*pair[1] || strpbrk(pair[1], " \t\n#"))
		argp_error(state, "%s '%s': give NAME=VALUE", option, arg);
	return pair;
}

static void parse_set(const char *arg, struct argp_state *state)
{
	char **pair = parse_pair("--set", arg, state);

	if (!find_setting(pair[0]))
		argp_error(state, "--set %s: there is no setting '%s'; 'gvt-stat policy --list' names them",
			   arg, pair[0]);
	whatif_set(&whatif, pair[0], pair[1]);
	g_strfreev(pair);
}

static int64_t parse_id(const char *option, const char *arg, const char *text,
			struct argp_state *state)
{
	guint64 id;

	if (!g_ascii_string_to_unsigned(text, 10, 1, 7, &id, NULL))
		argp_error(state, "%s %s: '%s' is no id of a vGPU, which are from 1 to 7", option,
			   arg, text);
	return id;
}

static double parse_speed(const char *option, const char *text, struct argp_state *state)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || *end || !(number > 0 && number <= MOST_SPEED))
		argp_error(state, "%s %s: give how many times as fast, such as 1.5", option, text);
	return number;
}

/* what --vgpu can say of a vGPU with a whole number */
static const struct change_word {
	const char *name;
	int64_t least, most;
	size_t offset;
	int64_t factor;
} change_words[] = {
	{ "weight", 1, 16, offsetof(struct whatif_vgpu, weight), 1 },
	{ "nice", -20, 19, offsetof(struct whatif_vgpu, nice), 1 },
	{ "cap", 0, 100, offsetof(struct whatif_vgpu, cap), 1 },
	{ "preempt", 0, 1, offsetof(struct whatif_vgpu, preempt), 1 },
	{ "depth", 1, STREAM_NO_LIMIT, offsetof(struct whatif_vgpu, depth), 1 },
	{ "pieces_us", 0, 1000000, offsetof(struct whatif_vgpu, piece_ns), 1000 },
};

static void parse_change_word(const char *arg, const char *word, struct whatif_vgpu *vgpu,
			      struct argp_state *state)
{
	char **pair = parse_pair("--vgpu", word, state);
	gint64 number;

	for (size_t nr = 0; nr < G_N_ELEMENTS(change_words); nr++) {
		const struct change_word *known_word = &change_words[nr];

		if (strcmp(pair[0], known_word->name))
			continue;
		if (!g_ascii_string_to_signed(pair[1], 10, known_word->least, known_word->most,
					      &number, NULL))
			argp_error(state, "--vgpu %s: %s is a whole number from %" PRId64 " to %" PRId64,
				   arg, pair[0], known_word->least, known_word->most);
		*(int64_t *)((char *)vgpu + known_word->offset) = number * known_word->factor;
		g_strfreev(pair);
		return;
	}
	if (strcmp(pair[0], "speed"))
		argp_error(state, "--vgpu %s: there is no '%s'; give weight, nice, cap, preempt, depth, pieces_us or speed",
			   arg, pair[0]);
	vgpu->speed = parse_speed("--vgpu speed", pair[1], state);
	g_strfreev(pair);
}

/* ID:NAME=VALUE,... */
static void parse_change(const char *arg, struct argp_state *state)
{
	char **parts = g_strsplit(arg, ":", 2), **words;
	int64_t id;

	if (!parts[0] || !parts[1])
		argp_error(state, "--vgpu %s: give ID:NAME=VALUE, such as 2:nice=-5,cap=30", arg);
	id = parse_id("--vgpu", arg, parts[0], state);
	words = g_strsplit(parts[1], ",", -1);
	for (char **word = words; *word; word++)
		parse_change_word(arg, *word, whatif_vgpu(&whatif, id), state);
	g_strfreev(words);
	g_strfreev(parts);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	guint64 number;

	switch (key) {
	case ARGP_KEY_INIT:
		whatif_init(&whatif);
		whatif.windows = DEFAULT_WINDOWS;
		break;
	case KEY_SET:
		parse_set(arg, state);
		break;
	case KEY_CHANGE:
		parse_change(arg, state);
		break;
	case KEY_WITHOUT:
		whatif_vgpu(&whatif, parse_id("--without", arg, arg, state))->without = true;
		break;
	case KEY_SPEED:
		speed = parse_speed("--speed", arg, state);
		break;
	case KEY_WINDOWS:
		if (!g_ascii_string_to_unsigned(arg, 10, 1, MOST_WINDOWS, &number, NULL))
			argp_error(state, "--windows %s: give a whole number from 1 to %d", arg,
				   MOST_WINDOWS);
		whatif.windows = number;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- what is told of a queue ------------------------------------------------------------ */

/* a metric of a queue, and its factor for people */
static const struct simulate_metric {
	const char *name;
	const char *title;
	double shown;
} metrics_told[] = {
	{ "utilization_percent", "share %", 1 },
	{ "completed_per_second", "completed /s", 1 },
	{ "latency_mean_ns", "latency, mean ms", 1e-6 },
	{ "latency_p50_ns", "latency, p50 ms", 1e-6 },
	{ "latency_p95_ns", "latency, p95 ms", 1e-6 },
	{ "latency_p99_ns", "latency, p99 ms", 1e-6 },
	{ "latency_max_ns", "latency, worst ms", 1e-6 },
};

#define METRICS	G_N_ELEMENTS(metrics_told)

/* all metrics of one queue, in that order; NAN: unknown */
static void fill_values(const struct tally_cell *cell, int64_t window_ns, double values[METRICS])
{
	struct summary latency = series_summary(cell->latency);

	values[0] = 100.0 * cell->exec_ns / window_ns;
	values[1] = (double)cell->completed * NSEC_PER_SEC / window_ns;
	values[2] = latency.mean_ns;
	values[3] = latency.p50_ns;
	values[4] = latency.p95_ns;
	values[5] = latency.p99_ns;
	values[6] = known(latency.max_ns) ? latency.max_ns : NAN;
}

/* one metric of one queue */
struct line {
	int64_t dev;
	int64_t vgpu_id;
	const char *uuid;
	const char *vm;
	const char *engine;
	const char *metric;
	double now;
	double then;
	double least;
	double most;
	double change_percent;
	const struct simulate_metric *told;
	const struct vgpu *vgpu;
	char engine_text[ENGINE_NAME_LEN];
};

#define COLUMN(type, member) { #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, uuid),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, metric),
	COLUMN(REAL, now),
	COLUMN(REAL, then),
	COLUMN(REAL, least),
	COLUMN(REAL, most),
	COLUMN(REAL, change_percent),
	COLUMN(TEXT, vm),
	{ 0 }
};

/* --- a run ---------------------------------------------------------------------------------- */

struct session {
	const struct form *form;
	struct follow follow;
	struct tally *now;
	struct streams *collected;
	const struct sched_info *info;
	GPtrArray *streams;		/* struct stream, of the GPU */
	struct whatif_result *result;
	GPtrArray *lines;		/* struct line */
};

/* what the row of a stream's queue was, or would be */
static void fill_line(const struct session *session, struct line *line, unsigned int metric,
		      const struct stream *stream, unsigned int now_index,
		      const struct vgpu_engine *queue)
{
	const struct whatif_result *result = session->result;
	const struct window *window = &session->follow.window;
	double values[METRICS];

	*line = (struct line) {
		.dev = stream->vgpu->dev, .vgpu_id = stream->vgpu->id, .uuid = stream->vgpu->uuid,
		.vm = stream->vgpu->vm, .metric = metrics_told[metric].name,
		.told = &metrics_told[metric], .vgpu = stream->vgpu,
		.then = NAN, .least = NAN, .most = NAN, .change_percent = NAN,
	};
	line->engine = engine_name(line->engine_text, stream->engine->class,
				   stream->engine->instance);
	fill_values(tally_of(session->now, now_index, 0),
		    window->to_ns - window->from_ns, values);
	line->now = values[metric];
	if (!queue)
		return;
	fill_values(tally_of(result->tally, queue->index, result->windows),
		    result->windows * result->window_ns, values);
	line->then = line->least = line->most = values[metric];
	for (unsigned int nr = 0; nr < result->windows; nr++) {
		fill_values(tally_of(result->tally, queue->index, nr),
			    result->window_ns, values);
		line->least = fmin(line->least, values[metric]);
		line->most = fmax(line->most, values[metric]);
	}
	if (line->now > 0)
		line->change_percent = 100 * (line->then - line->now) / line->now;
}

static unsigned int index_now(const struct session *session, const struct stream *stream)
{
	const GPtrArray *queues = model_vgpu_engines(session->follow.model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == stream->vgpu && queue->engine == stream->engine)
			return queue->index;
	}
	g_assert_not_reached();
}

static void make_lines(struct session *session)
{
	session->lines = g_ptr_array_new_with_free_func(g_free);
	for (unsigned int nr = 0; nr < session->streams->len; nr++) {
		const struct stream *stream = session->streams->pdata[nr];
		const struct vgpu_engine *queue = whatif_queue(session->result, stream);
		unsigned int now = index_now(session, stream);

		for (unsigned int metric = 0; metric < METRICS; metric++) {
			struct line *line = g_new(struct line, 1);

			fill_line(session, line, metric, stream, now, queue);
			g_ptr_array_add(session->lines, line);
		}
	}
}

static gint compare_streams(gconstpointer a, gconstpointer b)
{
	const struct stream *one = *(struct stream *const *)a, *two = *(struct stream *const *)b;

	if (one->vgpu->id != two->vgpu->id)
		return one->vgpu->id < two->vgpu->id ? -1 : 1;
	if (one->engine->class != two->engine->class)
		return one->engine->class < two->engine->class ? -1 : 1;
	return one->engine->instance < two->engine->instance ? -1 : 1;
}

/* The streams of the one GPU that is looked at */
static void choose_streams(struct session *session, const GPtrArray *all)
{
	const struct gpu *gpu = NULL;

	session->streams = g_ptr_array_new();
	for (unsigned int nr = 0; nr < all->len; nr++) {
		struct stream *stream = all->pdata[nr];

		if (!selection_gpu(session->follow.selection, stream->vgpu->gpu))
			continue;
		if (gpu && gpu != stream->vgpu->gpu)
			usage_error("the trace is of several GPUs: give one by --gpu");
		gpu = stream->vgpu->gpu;
		g_ptr_array_add(session->streams, stream);
	}
	g_ptr_array_sort(session->streams, compare_streams);
	if (!session->streams->len)
		fatal("%s: no workload of a vGPU is in it: there is nothing to simulate",
		      session->follow.selection->input);
	session->info = model_sched_info(session->follow.model, gpu->dev);
}

static bool any_work(const GPtrArray *streams)
{
	for (unsigned int nr = 0; nr < streams->len; nr++)
		if (((const struct stream *)streams->pdata[nr])->work->len)
			return true;
	return false;
}

static void check_known(const struct session *session)
{
	const char *input = session->follow.selection->input;

	if (!session->info->policy || !session->info->dispatch)
		fatal("%s: the settings of the scheduler are not in it: record gvt:gvt_sched_info, too, as 'gvt-stat record' does",
		      input);
	if (!any_work(session->streams))
		fatal("%s: no workload began and ended in it: record for longer", input);
	for (unsigned int nr = 0; nr < whatif.vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(whatif.vgpus, struct whatif_vgpu, nr);

		if (!model_vgpu(session->follow.model, session->info->dev, vgpu->id))
			usage_error("vGPU %" PRId64 " is not in the trace", vgpu->id);
	}
}

static void speed_all(const struct session *session)
{
	const GPtrArray *vgpus = model_vgpus(session->follow.model);

	for (unsigned int nr = 0; !isnan(speed) && nr < vgpus->len; nr++) {
		struct whatif_vgpu *vgpu =
			whatif_vgpu(&whatif, ((const struct vgpu *)vgpus->pdata[nr])->id);

		vgpu->speed = isnan(vgpu->speed) ? speed : vgpu->speed;
	}
}

static void simulate(struct session *session)
{
	const struct window *window = &session->follow.window;
	char *path = simulator_path();

	if (!path)
		fatal(SIMULATOR_MISSING);
	speed_all(session);
	session->result = whatif_run(&whatif, path, session->info, session->streams,
				     model_vgpus(session->follow.model),
				     window->to_ns - window->from_ns);
	g_free(path);
}

/* --- output ----------------------------------------------------------------------------------- */

/* Preemption points matter where there is preemption, and need no guess where they are told */
static bool is_guessed(const struct session *session, const struct stream *stream)
{
	const struct whatif_vgpu *change = whatif_find_vgpu(&whatif, stream->vgpu->id);
	char *dispatch = whatif_value(&whatif, session->info, "dispatch");
	bool guessed = !g_strcmp0(dispatch, "preemptive") &&
		       (!change || (!known(change->piece_ns) && change->preempt != 0));

	g_free(dispatch);
	return guessed;
}

/* calls for everything that is doubtful */
static void each_doubt(const struct session *session,
		       void (*call)(const struct stream *stream, enum stream_doubt doubt, void *to),
		       void *to)
{
	for (unsigned int nr = 0; nr < session->streams->len; nr++) {
		const struct stream *stream = session->streams->pdata[nr];

		for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++)
			if (stream->doubts & 1u << doubt &&
			    (doubt != STREAM_GUESSED_PIECES || is_guessed(session, stream)))
				call(stream, doubt, to);
	}
}

static void add_json_doubt(const struct stream *stream, enum stream_doubt doubt, void *to)
{
	char engine[ENGINE_NAME_LEN];

	json_array_append_new(to, json_pack("{s:I, s:I, s:s, s:s}", "dev",
		(json_int_t)stream->vgpu->dev, "vgpu_id", (json_int_t)stream->vgpu->id, "engine",
		engine_name(engine, stream->engine->class, stream->engine->instance),
		"what", stream_doubt_text(doubt)));
}

static json_t *stream_json(const struct stream *stream)
{
	char engine[ENGINE_NAME_LEN];

	return json_pack("{s:I, s:I, s:s, s:b, s:i, s:i, s:i, s:I}", "dev",
		(json_int_t)stream->vgpu->dev, "vgpu_id", (json_int_t)stream->vgpu->id, "engine",
		engine_name(engine, stream->engine->class, stream->engine->instance),
		"open", stream->open, "depth", (int)stream->depth, "contexts",
		(int)stream->contexts, "workloads", (int)stream->work->len,
		"piece_ns", (json_int_t)stream->piece_ns);
}

static json_t *settings_json(const struct session *session)
{
	json_t *settings = json_array();

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(session->info, desc->name);
		char *then = whatif_value(&whatif, session->info, desc->name);

		json_array_append_new(settings, json_pack("{s:s, s:o, s:o}", "setting", desc->name,
							  "now", json_text(now), "then",
							  json_text(then)));
		g_free(then);
		g_free(now);
	}
	return settings;
}

static void print_json(const void *result)
{
	const struct session *session = result;
	json_t *document = document_new(&session->follow, session->form->command);
	const struct column *chosen = form_columns(session->form, columns);
	json_t *lines = json_array(), *doubts = json_array(), *streams = json_array();

	document_add_window(document, session->follow.window);
	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		json_array_append_new(lines, columns_to_json(chosen, session->lines->pdata[nr]));
	for (unsigned int nr = 0; nr < session->streams->len; nr++)
		json_array_append_new(streams, stream_json(session->streams->pdata[nr]));
	each_doubt(session, add_json_doubt, doubts);
	json_object_set_new(document, "windows", json_integer(session->result->windows));
	json_object_set_new(document, "settings", settings_json(session));
	json_object_set_new(document, "streams", streams);
	json_object_set_new(document, "simulated", lines);
	json_object_set_new(document, "doubts", doubts);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);

	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		sheet_line(sheet, session->lines->pdata[nr]);
	sheet_end(sheet);
	notes_warn(&session->follow);
}

/* for people: each metric has a unit of its own */
struct shown_line {
	const char *vgpu, *engine, *metric, *now, *then, *least, *most;
	double change_percent;
};

static const char *show(char cell[CELL_LEN], const struct line *line, double value)
{
	if (isnan(value))
		return NULL;
	g_snprintf(cell, CELL_LEN, "%.3f", value * line->told->shown);
	return cell;
}

static void add_table_line(struct table *table, const struct line *line)
{
	char cells[4][CELL_LEN];
	const struct shown_line shown = {
		vgpu_name(line->vgpu), line->engine, line->told->title,
		show(cells[0], line, line->now), show(cells[1], line, line->then),
		show(cells[2], line, line->least), show(cells[3], line, line->most),
		line->change_percent,
	};

	table_line(table, &shown);
}

/* "policy strict -> fair, dispatch exclusive" */
static void print_settings(const struct session *session)
{
	const char *separator = "";

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(session->info, desc->name);
		char *then = whatif_value(&whatif, session->info, desc->name);

		if (g_strcmp0(now, then) || desc->is_text) {
			printf("%s%s %s", separator, desc->name, now ? now : "-");
			if (g_strcmp0(now, then))
				printf(" -> %s", then);
			separator = ", ";
		}
		g_free(then);
		g_free(now);
	}
	putchar('\n');
}

static void print_doubt(const struct stream *stream, enum stream_doubt doubt, void *first)
{
	char engine[ENGINE_NAME_LEN];
	bool *begins = first;

	if (*begins)
		fputs("\nDoubtful:\n", stdout);
	*begins = false;
	printf("  vGPU %s %s: %s\n", vgpu_name(stream->vgpu),
	       engine_name(engine, stream->engine->class, stream->engine->instance),
	       stream_doubt_text(doubt));
}

static void print_tables(const void *result)
{
	static const struct column shown[] = {
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, vgpu), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, engine), "ENGINE" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, metric), "METRIC" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, now), "NOW" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, then), "THEN" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, least), "LEAST" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, most), "MOST" },
		{ NULL, COLUMN_REAL, offsetof(struct shown_line, change_percent), "CHANGE%" },
		{ 0 }
	};
	const struct session *session = result;
	struct table *table = table_new(shown);
	bool first = true;

	notes_head(&session->follow, stdout);
	printf("Simulated: %u windows of %.3f s; ", session->result->windows,
	       (double)session->result->window_ns / NSEC_PER_SEC);
	print_settings(session);
	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		add_table_line(table, session->lines->pdata[nr]);
	table_print(table, "Now, as recorded, and then, with the range of the windows", stdout);
	each_doubt(session, print_doubt, &first);
	notes_tail(&session->follow, stdout);
}

static void read_trace(struct session *session)
{
	struct follow *follow = &session->follow;

	session->now = tally_new(follow->model, follow->window, 1);
	session->collected = streams_new(follow->model);
	follow_run(follow);
	tally_end(session->now, follow->window.to_ns);
	model_finish(follow->model);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };

	follow_open(&session.follow, &options->selection);
	read_trace(&session);
	selection_check_known(&options->selection, session.follow.model);
	choose_streams(&session, streams_infer(session.collected, session.follow.window));
	check_known(&session);
	simulate(&session);
	make_lines(&session);
	form_print(&options->form, &printers, &session);
	g_ptr_array_free(session.lines, TRUE);
	whatif_result_free(session.result);
	g_ptr_array_free(session.streams, TRUE);
	streams_free(session.collected);
	tally_free(session.now);
	follow_close(&session.follow);
	whatif_clear(&whatif);
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "set", KEY_SET, "NAME=VALUE", 0,
	  "Another setting of the scheduler, such as policy=fair or dispatch=preemptive; may be given several times", 0 },
	{ "vgpu", KEY_CHANGE, "ID:NAME=VALUE,...", 0,
	  "Another nice, cap, weight, preempt, speed, depth or pieces_us of a vGPU, such as 2:nice=-5,cap=30", 0 },
	{ "without", KEY_WITHOUT, "ID", 0, "Without this vGPU", 0 },
	{ "speed", KEY_SPEED, "FACTOR", 0, "With a GPU that is so many times as fast", 0 },
	{ "windows", KEY_WINDOWS, "N", 0,
	  "Simulate so many times the length of the trace (10)", 0 },
	{ 0 }
};

static const struct argp simulate_argp = {
	option_table, parse_option, NULL, NULL, NULL, NULL, NULL
};

static const struct column *const tables[] = { columns, NULL };

const struct command simulate_command = {
	.name = "simulate",
	.help = "what would have been under other settings",
	.doc = "Simulate the trace's vGPUs under other settings, with the driver's own scheduler.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_VGPUS) |
		      QUANTITY_BIT(QUANTITY_SETTINGS),
	.flags = COMMAND_OWN_VGPU,
	.columns = tables,
	.argp = &simulate_argp,
	.run = run,
};
