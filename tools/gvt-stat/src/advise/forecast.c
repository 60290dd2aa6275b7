// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "output/screen.h"
#include "output/table.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "forecast-host.h"

#define CELL_LEN	32
/* of continuation lines */
#define INDENT		2

/* one measure of one queue */
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
	const struct measure *measure;
	const struct vgpu *vgpu;
};

#define COLUMN(type, member) { #member, COLUMN_##type, offsetof(struct line, member) }

const struct column forecast_columns[] = {
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

static void fill_line(struct line *line, const struct forecast_stream *of)
{
	const struct stream *stream = of->stream;

	*line = (struct line) {
		.dev = of->dev, .vgpu_id = of->id, .uuid = stream->vgpu->uuid,
		.vm = stream->vgpu->vm, .vgpu = stream->vgpu, .engine = stream->engine->name,
	};
}

/* The recorded value is within the range: no change is to be expected. */
static bool may_stay(const struct line *line)
{
	return line->least <= line->now && line->now <= line->most;
}

static void fill_measure(struct line *line, const struct compared *compared, int id,
			 const struct measure *measure)
{
	line->measure = measure;
	line->metric = measure->name;
	line->now = compared->now[id];
	line->then = compared->then[id];
	line->least = compared->least[id];
	line->most = compared->most[id];
	line->change_percent = line->now > 0 && !may_stay(line) ?
			       100 * (line->then - line->now) / line->now : NAN;
}

void forecast_stream_each(const struct forecast_stream *of,
			  void (*call)(void *to, const void *line), void *to)
{
	struct compared compared;
	struct line line;

	fill_line(&line, of);
	compare_stream(of, &compared);
	for (int id = 0; id < MEASURES; id++) {
		fill_measure(&line, &compared, id, &measures[id]);
		call(to, &line);
	}
}

/* the receiver of lines */
struct told {
	void (*call)(void *to, const void *line);
	void *to;
};

static void tell_host(void *ctx, const struct forecast_stream *of, const struct compared *compared,
		      enum measure_id id, const struct measure *measure)
{
	const struct told *told = ctx;
	struct line line = { .dev = of->dev, .engine = of->host->name };

	fill_measure(&line, compared, id, measure);
	told->call(told->to, &line);
}

void forecast_each(const struct forecast *forecast,
		     void (*call)(void *to, const void *line), void *to)
{
	const struct mix *mix = forecast->mix;
	struct told told = { call, to };

	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];
		const struct whatif_guest *guest = mix_guest(mix, stream);
		const struct forecast_stream of = {
			.stream = stream, .dev = mix->info->dev, .id = guest->id,
			.recorded = mix_recorded(mix, stream), .window_ns = guest->window_ns,
			.result = forecast->result, .whole = forecast->whatif->line,
			.rehearsed = guest->added ? NULL : mix->rehearsed,
		};

		forecast_stream_each(&of, call, to);
	}
	forecast_host_each(forecast, tell_host, &told);
}

/* --- doubts ----------------------------------------------------------------------------- */

static char *value_then(const struct forecast *forecast, const char *setting)
{
	return whatif_value(forecast->whatif, forecast->mix->info, setting);
}

/* Preemption points matter only under preemption, and are not guessed if the user gave them. */
static bool is_guessed(const struct forecast *forecast, const struct stream *stream)
{
	const struct whatif_vgpu *change =
		whatif_find_vgpu(forecast->whatif, mix_guest(forecast->mix, stream)->id);
	char *dispatch = value_then(forecast, "dispatch");
	bool guessed = (!g_strcmp0(dispatch, "preemptive") || stream->always) &&
		       (!change || (!known(change->piece_ns) && change->preempt != 0));

	g_free(dispatch);
	return guessed;
}

/* one doubt about one stream */
struct doubted {
	const struct forecast *forecast;
	const struct stream *stream;
	enum stream_doubt doubt;
	char *what;
	void *to;
};

static void doubt_stream(struct doubted *doubted, void (*call)(const struct doubted *doubted))
{
	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++) {
		if (!(doubted->stream->doubts & 1u << doubt))
			continue;
		/* the simulation includes the host's own work of the first trace only */
		if (doubt == STREAM_HOST &&
		    !mix_guest(doubted->forecast->mix, doubted->stream)->added)
			continue;
		if (whatif_is_of_preemption(doubt) &&
		    !is_guessed(doubted->forecast, doubted->stream))
			continue;
		doubted->doubt = doubt;
		doubted->what = stream_doubt_text(doubted->stream, doubt);
		call(doubted);
		g_free(doubted->what);
	}
}

/* calls @call for each doubt */
static void each_doubt(const struct forecast *forecast,
		       void (*call)(const struct doubted *doubted), void *to)
{
	const GPtrArray *streams = forecast->mix->streams;

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		struct doubted doubted = {
			.forecast = forecast, .stream = streams->pdata[nr], .to = to,
		};

		doubt_stream(&doubted, call);
	}
}

/* "3 (name of its VM)": by its id in the simulation */
static char *guest_name(int64_t id, const struct vgpu *vgpu)
{
	return vgpu->vm ? g_strdup_printf("%" G_GINT64_FORMAT " (%s)", (gint64)id, vgpu->vm) :
			  g_strdup_printf("%" G_GINT64_FORMAT, (gint64)id);
}

static void add_doubted(const struct doubted *doubted)
{
	static const struct {
		enum stream_doubt doubt;
		const char *word;
	} words[] = {
		{ STREAM_AMBIGUOUS, "arrivals" }, { STREAM_BACKLOGGED, "arrivals" },
		{ STREAM_UNLIMITED, "depth" }, { STREAM_GUESSED_PIECES, "preemption points" },
		{ STREAM_NEVER_PREEMPTED, "no preemption" }, { STREAM_PART, "always at work" },
		{ STREAM_SHORT, "few workloads" },
	};
	GString *text = doubted->to;
	char *name = guest_name(mix_guest(doubted->forecast->mix, doubted->stream)->id,
				doubted->stream->vgpu);

	for (size_t nr = 0; nr < G_N_ELEMENTS(words); nr++)
		if (words[nr].doubt == doubted->doubt)
			g_string_append_printf(text, "%svGPU %s %s", text->len ? ", " : "", name,
					       words[nr].word);
	g_free(name);
}

void forecast_add_doubted(const struct forecast *forecast, GString *text)
{
	each_doubt(forecast, add_doubted, text);
}

/* --- JSON ------------------------------------------------------------------------------- */

/* the members that name a stream */
static json_t *named_json(const struct forecast *forecast, const struct stream *stream)
{
	return json_pack("{s:I, s:I, s:s}", "dev", (json_int_t)forecast->mix->info->dev,
			 "vgpu_id", (json_int_t)mix_guest(forecast->mix, stream)->id,
			 "engine", stream->engine->name);
}

static void add_json_doubt(const struct doubted *doubted)
{
	json_t *doubt = named_json(doubted->forecast, doubted->stream);

	json_object_set_new(doubt, "what", json_string(doubted->what));
	json_array_append_new(doubted->to, doubt);
}

static void add_json_kind(const struct stream *stream, json_t *json)
{
	json_object_set_new(json, "kind", json_string(stream_kind_name(stream->kind)));
	json_object_set_new(json, "open", json_boolean(stream->open));
	json_object_set_new(json, "depth", json_integer(stream->depth));
	json_object_set_new(json, "period_ns", json_decimal(stream->kind == STREAM_TIMETABLE ?
							    stream->period_ns : NAN));
	json_object_set_new(json, "workloads", json_integer(stream->work->len));
}

static json_t *others_json(const struct stream *stream)
{
	json_t *others = json_array();

	for (unsigned int nr = 0; nr < stream->others->len; nr++) {
		json_t *json = json_object();

		add_json_kind(stream->others->pdata[nr], json);
		json_array_append_new(others, json);
	}
	return others;
}

static json_t *stream_json(const struct forecast *forecast, const struct stream *stream)
{
	json_t *json = named_json(forecast, stream);

	add_json_kind(stream, json);
	json_object_set_new(json, "contexts", json_integer(stream->contexts));
	json_object_set_new(json, "piece_ns", json_integer(stream->piece_ns));
	json_object_set_new(json, "or", others_json(stream));
	return json;
}

static json_t *settings_json(const struct forecast *forecast)
{
	json_t *settings = json_array();

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(forecast->mix->info, desc->name);
		char *then = value_then(forecast, desc->name);

		json_array_append_new(settings, json_pack("{s:s, s:o, s:o}", "setting", desc->name,
							  "now", json_text(now), "then",
							  json_text(then)));
		g_free(then);
		g_free(now);
	}
	return settings;
}

void forecast_add_json(const struct forecast *forecast, const struct form *form,
			 json_t *document)
{
	struct json_lines lines = { form_columns(form, forecast_columns), json_array() };
	const GPtrArray *all = forecast->mix->streams;
	json_t *doubts = json_array(), *streams = json_array();

	forecast_each(forecast, json_lines_add, &lines);
	for (unsigned int nr = 0; nr < all->len; nr++)
		for (const struct stream *stream = all->pdata[nr]; stream; stream = stream->also)
			json_array_append_new(streams, stream_json(forecast, stream));
	each_doubt(forecast, add_json_doubt, doubts);
	forecast_host_doubts(forecast->mix->host, doubts);
	json_object_set_new(document, "windows", json_integer(forecast->result->windows));
	json_object_set_new(document, "settings", settings_json(forecast));
	json_object_set_new(document, "streams", streams);
	json_object_set_new(document, "simulated", lines.lines);
	json_object_set_new(document, "doubts", doubts);
}

/* --- for people ----------------------------------------------------------------------------- */

/* preformatted, as each metric has its own unit */
struct shown_line {
	const char *vgpu, *engine, *metric, *now, *then, *least, *most;
	double change_percent;
};

static const struct column shown_columns[] = {
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

static const char *show(char cell[CELL_LEN], const struct line *line, double value)
{
	if (isnan(value))
		return NULL;
	g_snprintf(cell, CELL_LEN, "%.3f", value * line->measure->shown);
	return cell;
}

/* a table, and whether any value may stay as recorded */
struct shown {
	struct table *table;
	bool stays;
};

static void add_table_line(void *to, const void *record)
{
	const struct line *line = record;
	struct shown *all = to;
	char *name = line->vgpu ? guest_name(line->vgpu_id, line->vgpu) : g_strdup("host");
	char cells[4][CELL_LEN];
	const struct shown_line shown = {
		name, line->engine, line->measure->title,
		show(cells[0], line, line->now), show(cells[1], line, line->then),
		show(cells[2], line, line->least), show(cells[3], line, line->most),
		line->change_percent,
	};

	table_line(all->table, &shown);
	all->stays |= may_stay(line);
	g_free(name);
}

/* "policy strict -> fair, dispatch exclusive" */
static void add_settings(const struct forecast *forecast, GString *text)
{
	const char *separator = "";

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(forecast->mix->info, desc->name);
		char *then = value_then(forecast, desc->name);

		if (g_strcmp0(now, then) || desc->is_text) {
			g_string_append_printf(text, "%s%s %s", separator, desc->name, now ? now : "-");
			if (g_strcmp0(now, then))
				g_string_append_printf(text, " -> %s", then);
			separator = ", ";
		}
		g_free(then);
		g_free(now);
	}
}

static void print_head(const struct forecast *forecast)
{
	GString *text = g_string_new(NULL);

	g_string_printf(text, "Simulated: %u windows of %.3f s; ", forecast->result->windows,
			(double)forecast->result->window_ns / NSEC_PER_SEC);
	add_settings(forecast, text);
	screen_fill(text->str, INDENT, screen_width(stdout), stdout);
	g_string_free(text, TRUE);
}

/* the heading, before the first doubt */
static void begin_doubts(bool *begins)
{
	if (*begins)
		fputs("\nDoubtful:\n", stdout);
	*begins = false;
}

static void print_doubt(const struct doubted *doubted)
{
	const struct stream *stream = doubted->stream;
	char *name = guest_name(mix_guest(doubted->forecast->mix, stream)->id, stream->vgpu);

	begin_doubts(doubted->to);
	screen_print(2 * INDENT, stdout, "  vGPU %s %s: %s", name, stream->engine->name, doubted->what);
	g_free(name);
}

static void print_host_doubt(const struct host_work *work, const char *what, void *begins)
{
	begin_doubts(begins);
	screen_print(2 * INDENT, stdout, "  host %s: %s", work->engine->name, what);
}

/* the ids that vGPUs of other traces got */
static void print_added(const struct mix *mix)
{
	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(mix->guests, struct whatif_guest, nr);
		const struct mix_source *source = mix_source_of(mix, guest->vgpu);

		if (source != mix->sources->pdata[0])
			printf("vGPU %" G_GINT64_FORMAT " is vGPU %" G_GINT64_FORMAT " of %s\n",
			       (gint64)guest->id, (gint64)guest->vgpu->id, source->selection.input);
	}
}

void forecast_print(const struct forecast *forecast)
{
	struct shown shown = { table_new(shown_columns), false };
	bool first = true;

	print_head(forecast);
	print_added(forecast->mix);
	forecast_each(forecast, add_table_line, &shown);
	table_print(shown.table, "Now, as recorded, and then, with the prediction interval", stdout);
	if (shown.stays)
		puts("No CHANGE%: NOW is within the interval, no change is to be expected");
	each_doubt(forecast, print_doubt, &first);
	host_works_doubts(forecast->mix->host, print_host_doubt, &first);
}
