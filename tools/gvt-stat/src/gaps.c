// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat gaps: why each engine was idle, in time and per cent.
 */
#include <math.h>
#include <stdlib.h>

#include "column.h"
#include "command.h"
#include "document.h"
#include "engine.h"
#include "follow.h"
#include "idle.h"
#include "notes.h"
#include "sheet.h"
#include "table.h"
#include "util.h"

/* one engine's time for one reason */
struct line {
	int64_t dev;
	char name[ENGINE_NAME_LEN];
	const char *engine;		/* points to @name */
	const char *reason;
	int64_t time_ns;
	double percent;			/* of the window */
	int64_t longest_ns;
	int64_t longest_at_ns;
	int64_t longest_vgpu_id;	/* whose work waited then */
	const char *vm;			/* of that vGPU */
	const char *who;		/* "1" or "1 (name of its VM)" */
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct line, member) }
#define CELL(title, format, member) { title, TABLE_##format, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, reason),
	COLUMN(INTEGER, time_ns),
	COLUMN(REAL, percent),
	COLUMN(INTEGER, longest_ns),
	COLUMN(INTEGER, longest_at_ns),
	COLUMN(INTEGER, longest_vgpu_id),
	COLUMN(TEXT, vm),
	{ 0 }
};

static const struct table_column cells[] = {
	CELL("GPU", INTEGER, dev),
	CELL("ENGINE", TEXT, engine),
	CELL("REASON", TEXT, reason),
	CELL("TIME-ms", MS, time_ns),
	CELL("%", REAL, percent),
	CELL("LONGEST-ms", MS, longest_ns),
	CELL("AT-s", SECONDS, longest_at_ns),
	CELL("OF-VGPU", TEXT, who),
	{ 0 }
};

struct session {
	struct follow follow;
	struct idle *idle;
};

/* What cannot be told is unknown, and then so are all reasons. */
static void fill_line(const struct session *session, const struct gpu_engine *engine,
		      enum idle_reason reason, struct line *line)
{
	const struct idle_row *row = idle_of(session->idle, engine);
	int64_t length = session->follow.window.to_ns - session->follow.window.from_ns;
	bool told = quantity_known(session->follow.trace, QUANTITY_IDLE);
	const struct vgpu *vgpu = told ? row->longest_vgpu[reason] : NULL;

	line->dev = engine->dev;
	line->engine = engine_name(line->name, engine->class, engine->instance);
	line->reason = idle_reason_name(reason);
	line->time_ns = told ? row->time_ns[reason] : UNKNOWN;
	line->percent = told && length ? 100.0 * row->time_ns[reason] / length : NAN;
	line->longest_ns = told ? row->longest_ns[reason] : UNKNOWN;
	line->longest_at_ns = told && row->longest_ns[reason] ? row->longest_at_ns[reason] : UNKNOWN;
	line->longest_vgpu_id = vgpu ? vgpu->id : UNKNOWN;
	line->vm = vgpu ? vgpu->vm : NULL;
	line->who = vgpu ? vgpu_name(vgpu) : NULL;
}

typedef void (*line_fn)(const struct line *line, void *to);

static void each_line(const struct session *session, line_fn call, void *to)
{
	const GPtrArray *engines = model_engines(session->follow.model);
	struct line line;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		if (!options_want_engine(session->follow.options, engines->pdata[nr]))
			continue;
		for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
			fill_line(session, engines->pdata[nr], reason, &line);
			call(&line, to);
		}
	}
}

/* for people, without what did not happen */
static void add_table_line(const struct line *line, void *table)
{
	if (line->time_ns)
		table_line(table, line);
}

struct json_lines {
	json_t *array;
	const struct column *columns;
};

static void add_json_line(const struct line *line, void *to)
{
	const struct json_lines *lines = to;

	json_array_append_new(lines->array, columns_to_json(lines->columns, line));
}

static void add_line(const struct line *line, void *sheet)
{
	sheet_line(sheet, line);
}

static void print_table(const void *result)
{
	const struct session *session = result;
	struct table *table = table_new(cells);

	notes_head(&session->follow, stdout);
	each_line(session, add_table_line, table);
	table_print(table, "What the time of each engine went to", stdout);
	notes_tail(&session->follow, stdout);
}

static void print_json(const void *result)
{
	const struct session *session = result;
	json_t *document = document_new(&session->follow);
	struct json_lines lines = {
		json_array(), options_columns(session->follow.options, columns)
	};

	document_add_window(document, session->follow.window);
	each_line(session, add_json_line, &lines);
	json_object_set_new(document, "gaps", lines.array);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->follow.options, columns);

	each_line(session, add_line, sheet);
	sheet_end(sheet);
}

static int run(const struct options *options)
{
	static const struct forms forms = { print_lines, print_json, print_table };
	struct session session;

	follow_open(&session.follow, options);
	session.idle = idle_new(&session.follow);
	follow_run(&session.follow);
	model_finish(session.follow.model);
	idle_finish(session.idle);
	options_check_known(options, session.follow.model);
	options_print(options, &forms, &session);
	idle_free(session.idle);
	follow_close(&session.follow);
	return EXIT_SUCCESS;
}

static const struct column *const tables[] = { columns, NULL };

const struct command gaps_command = {
	.name = "gaps",
	.help = "why each engine was idle",
	.doc = "Tell why each engine was idle, in time and per cent of the window.",
	.quantities = QUANTITY_BIT(QUANTITY_IDLE),
	.columns = tables,
	.run = run,
};
