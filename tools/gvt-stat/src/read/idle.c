// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat why idle: shows the reasons for each engine's idle time, in time and per cent.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/idle.h"
#include "cmd/command.h"
#include "follow/follow.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"

/* idle time of an engine for one reason */
struct line {
	int64_t dev;
	const char *engine;
	const char *reason;
	int64_t time_ns;
	double percent;			/* of the window */
	int64_t longest_ns;
	int64_t longest_at_ns;
	int64_t longest_vgpu_id;	/* vGPU that waited during the longest gap */
	const char *vm;			/* of this vGPU */
	const char *who;		/* "1" or "1 (name of its VM)" */
};

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct line, member), ##__VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(INTEGER, dev, "GPU"),
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(TEXT, reason, "REASON"),
	COLUMN(INTEGER, time_ns, "TIME-ms", UNIT_MS),
	COLUMN(REAL, percent, "%"),
	COLUMN(INTEGER, longest_ns, "LONGEST-ms", UNIT_MS),
	COLUMN(INTEGER, longest_at_ns, "AT-s", UNIT_S),
	COLUMN(INTEGER, longest_vgpu_id),
	COLUMN(TEXT, vm),
	{ NULL, COLUMN_TEXT, offsetof(struct line, who), "OF-VGPU" },
	{ 0 }
};

struct session {
	const struct form *form;
	struct follow follow;
	struct idle *idle;
};

static bool can_tell(const struct trace_info *trace, const struct gpu_engine *engine,
		     enum idle_reason reason)
{
	/* without any event of the host's, its time is in the other reasons */
	if (reason == IDLE_HOST && engine->gpu->host_told && !quantity_known(trace, QUANTITY_HOST))
		return false;
	if (idle_reason_needs_turns(reason))
		return quantity_known(trace, QUANTITY_IDLE);
	return quantity_partly_known(trace, QUANTITY_IDLE);
}

static void fill_line(const struct session *session, const struct gpu_engine *engine,
		      enum idle_reason reason, struct line *line)
{
	const struct idle_row *row = idle_of(session->idle, engine);
	int64_t length = session->follow.window.to_ns - session->follow.window.from_ns;
	bool told = can_tell(session->follow.trace, engine, reason) &&
		    !known(contradiction_at(&session->follow, SUM_ENGINE, engine, NULL));
	const struct vgpu *vgpu = told ? row->longest_vgpu[reason] : NULL;

	line->dev = engine->dev;
	line->engine = engine->name;
	line->reason = idle_reason_name(reason);
	line->time_ns = told ? row->time_ns[reason] : UNKNOWN;
	line->percent = told && length ? 100.0 * row->time_ns[reason] / length : NAN;
	line->longest_ns = told ? row->longest_ns[reason] : UNKNOWN;
	line->longest_at_ns = told && row->longest_ns[reason] ? row->longest_at_ns[reason] : UNKNOWN;
	line->longest_vgpu_id = vgpu ? vgpu->id : UNKNOWN;
	line->vm = vgpu ? vgpu->vm : NULL;
	line->who = vgpu ? vgpu_name(vgpu) : NULL;
}

static void each_line(const struct session *session, record_fn call, void *to)
{
	const GPtrArray *engines = model_engines(session->follow.model);
	struct line line;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		if (!selection_engine(session->follow.selection, engines->pdata[nr]))
			continue;
		for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
			fill_line(session, engines->pdata[nr], reason, &line);
			call(to, &line);
		}
	}
}

/* omits reasons that did not occur */
static void add_table_line(void *table, const void *record)
{
	const struct line *line = record;

	if (line->time_ns)
		table_line(table, line);
}

static void print_table(const void *result)
{
	const struct session *session = result;
	struct table *table = table_new(columns);

	notes_head(&session->follow, stdout);
	each_line(session, add_table_line, table);
	table_print(table, "What the time of each engine went to", stdout);
	notes_tail(&session->follow, stdout);
}

static void print_json(const void *result)
{
	const struct session *session = result;
	json_t *document = document_new(&session->follow, session->form->command);
	struct json_lines lines = {
		form_columns(session->form, columns), json_array()
	};

	document_add_window(document, session->follow.window);
	each_line(session, json_lines_add, &lines);
	json_object_set_new(document, "gaps", lines.lines);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);

	each_line(session, sheet_line, sheet);
	sheet_end(sheet);
	notes_warn(&session->follow);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_table };
	struct session session;

	session.form = &options->form;
	follow_open(&session.follow, &options->selection);
	session.idle = idle_new(&session.follow);
	follow_run(&session.follow);
	model_finish(session.follow.model);
	idle_finish(session.idle);
	selection_check_known(&options->selection, session.follow.model);
	form_print(&options->form, &printers, &session);
	idle_free(session.idle);
	follow_close(&session.follow);
	return EXIT_SUCCESS;
}

const struct command idle_command = {
	.name = "why idle",
	.doc = "Show why each engine was idle, in time and per cent of the window.",
	.quantities = QUANTITY_BIT(QUANTITY_IDLE) | QUANTITY_BIT(QUANTITY_HOST),
	.columns = TABLES(columns),
	.run = run,
};
