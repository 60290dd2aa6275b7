// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "column.h"
#include "document.h"
#include "engine.h"
#include "progress.h"
#include "quantities.h"
#include "reader.h"
#include "util.h"
#include "workloads.h"

/* one line of output; pieces use some of it */
struct line {
	int64_t workload_id;
	int64_t vgpu_id;
	const char *engine;
	int64_t ctx;
	int64_t seqno;
	int64_t lrca;
	int64_t queue_ns;
	int64_t submit_ns;
	int64_t start_ns;
	int64_t stop_ns;
	int64_t complete_ns;
	int64_t exec_ns;
	int64_t wait_ns;
	int64_t latency_ns;
	int64_t pieces;
	int64_t status;
	const char *state;
	int64_t tainted;
	int64_t completed;
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column workload_columns[] = {
	COLUMN(INTEGER, workload_id),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, engine),
	COLUMN(INTEGER, ctx),
	COLUMN(INTEGER, seqno),
	COLUMN(INTEGER, lrca),
	COLUMN(INTEGER, queue_ns),
	COLUMN(INTEGER, submit_ns),
	COLUMN(INTEGER, start_ns),
	COLUMN(INTEGER, stop_ns),
	COLUMN(INTEGER, complete_ns),
	COLUMN(INTEGER, exec_ns),
	COLUMN(INTEGER, wait_ns),
	COLUMN(INTEGER, latency_ns),
	COLUMN(INTEGER, pieces),
	COLUMN(INTEGER, status),
	COLUMN(TEXT, state),
	COLUMN(INTEGER, tainted),
	{ 0 }
};

static const struct column piece_columns[] = {
	COLUMN(INTEGER, workload_id),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, engine),
	COLUMN(INTEGER, lrca),
	COLUMN(INTEGER, start_ns),
	COLUMN(INTEGER, stop_ns),
	COLUMN(INTEGER, completed),
	{ 0 }
};

struct session;

/* one form of output; lines are printed as they come */
struct form {
	void (*begin)(const struct session *session);
	void (*line)(struct session *session, const struct line *line);
	void (*end)(const struct session *session);
};

struct session {
	const struct workloads_options *options;
	const struct trace_info *trace;
	struct window window;
	struct model *model;
	const struct column *columns;
	const struct form *form;
	bool begun;			/* a line was printed */
};

static void csv_begin(const struct session *session)
{
	bool first = true;

	csv_header(stdout, session->columns, &first);
	csv_end_line(stdout);
}

static void csv_line(struct session *session, const struct line *line)
{
	bool first = true;

	csv_record(stdout, session->columns, line, &first);
	csv_end_line(stdout);
}

/*
 * The document is written piecewise: a long trace has more workloads than fit
 * into memory. What is known only at the end comes after them.
 */
static const char *array_name(const struct session *session)
{
	return session->options->pieces ? "pieces" : "workloads";
}

static void json_begin(const struct session *session)
{
	printf("{\n\"%s\": [", array_name(session));
}

static void json_line(struct session *session, const struct line *line)
{
	json_t *object = columns_to_json(session->columns, line);

	fputs(session->begun ? ",\n" : "\n", stdout);
	json_dumpf(object, stdout, JSON_COMPACT | DOCUMENT_REALS);
	json_decref(object);
}

static void json_end(const struct session *session)
{
	json_t *document = document_new("workloads", session->trace);
	char *text = json_dumps(document, JSON_INDENT(2) | DOCUMENT_REALS | JSON_EMBED);

	printf("\n],%s}\n", text);
	free(text);
	json_decref(document);
}

/* wide enough for nearly everything; wider numbers only shift the line */
static int text_width(const struct column *column)
{
	return g_str_has_suffix(column->key, "_ns") ? 16 : 11;
}

static void text_cell(const struct column *column, const struct line *line)
{
	const void *member = (const char *)line + column->offset;
	int width = text_width(column);

	if (column->type == COLUMN_TEXT)
		printf(" %*s", width, *(const char *const *)member);
	else if (known(*(const int64_t *)member))
		printf(" %*" PRId64, width, *(const int64_t *)member);
	else
		printf(" %*s", width, "-");
}

static void text_begin(const struct session *session)
{
	for (const struct column *column = session->columns; column->key; column++)
		printf(" %*s", text_width(column), column->key);
	putchar('\n');
}

static void text_line(struct session *session, const struct line *line)
{
	for (const struct column *column = session->columns; column->key; column++)
		text_cell(column, line);
	putchar('\n');
}

static const struct form forms[] = {
	[FORMAT_TABLE] = { text_begin, text_line, NULL },
	[FORMAT_JSON] = { json_begin, json_line, json_end },
	[FORMAT_CSV] = { csv_begin, csv_line, NULL },
};

static void print_line(struct session *session, const struct line *line)
{
	session->form->line(session, line);
	session->begun = true;
}

/* an unknown end reaches to the end of the trace */
static bool overlaps(const struct window *window, int64_t from_ns, int64_t to_ns)
{
	if (known(from_ns) && from_ns > window->to_ns)
		return false;
	return !known(to_ns) || to_ns >= window->from_ns;
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct session *session = ctx;
	const struct gpu_engine *engine = w->queue->engine;
	char name[ENGINE_NAME_LEN];
	struct line line = {
		.workload_id = w->id,
		.vgpu_id = w->queue->vgpu->id,
		.engine = engine_name(name, engine->class, engine->instance),
		.ctx = w->ctx,
		.seqno = w->seqno,
		.lrca = w->lrca,
		.queue_ns = w->queue_ns,
		.submit_ns = w->submit_ns,
		.start_ns = w->start_ns,
		.stop_ns = w->stop_ns,
		.complete_ns = w->end_ns,
		.exec_ns = workload_exec(w),
		.wait_ns = workload_wait(w),
		.latency_ns = workload_latency(w),
		.pieces = w->pieces,
		.status = w->status,
		.state = workload_state_name(workload_state(w)),
		.tainted = w->tainted,
	};

	if (options_want(&session->options->common, w->queue) &&
	    overlaps(&session->window, w->queue_ns, w->end_ns))
		print_line(session, &line);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	struct session *session = ctx;
	const struct workload *w = piece->workload;
	const struct gpu_engine *engine = w->queue->engine;
	char name[ENGINE_NAME_LEN];
	struct line line = {
		.workload_id = w->id,
		.vgpu_id = w->queue->vgpu->id,
		.engine = engine_name(name, engine->class, engine->instance),
		.lrca = w->lrca,
		.start_ns = piece->start_ns,
		.stop_ns = piece->stop_ns,
		.completed = piece->completed,
	};

	if (options_want(&session->options->common, w->queue) &&
	    overlaps(&session->window, piece->start_ns, piece->stop_ns))
		print_line(session, &line);
}

static void on_event(void *ctx, const struct event *event)
{
	struct session *session = ctx;

	model_event(session->model, event);
}

static void on_gap_begin(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	(void)ts_ns;
	model_gap_begin(session->model);
}

static void on_gap_end(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	(void)ts_ns;
	model_gap_end(session->model);
}

static const struct reader_ops session_ops = {
	.event = on_event,
	.gap_begin = on_gap_begin,
	.gap_end = on_gap_end,
};

static void on_vgpu_info(void *ctx, const struct event *event)
{
	if (event->id == EVENT_VGPU_INFO)
		on_event(ctx, event);
}

static bool all_uuids_known(void *ctx)
{
	struct session *session = ctx;

	return options_uuids_known(&session->options->common, session->model);
}

static struct reader *open_reader(const struct session *session)
{
	const struct options *options = &session->options->common;
	struct reader_options reader_options = {
		.path = options->input,
		.tsc_khz = options->tsc_khz,
		.alive = progress_alive,
	};

	return reader_open(&reader_options);
}

/* Lines are printed at once, so UUIDs must be known before: look ahead. */
static void learn_uuids(struct session *session)
{
	static const struct reader_ops ops = { .event = on_vgpu_info, .enough = all_uuids_known };
	struct reader *reader = open_reader(session);

	reader_run(reader, &ops, session);
	reader_close(reader);
}

static void session_open(struct session *session, const struct workloads_options *options)
{
	struct model_listener listener = { .ctx = session };

	*session = (struct session) {
		.options = options,
		.model = model_new(),
		.columns = options->pieces ? piece_columns : workload_columns,
		.form = &forms[options->common.format],
	};
	if (options->pieces)
		listener.piece = on_piece;
	else
		listener.ended = on_ended;
	if (!all_uuids_known(session))
		learn_uuids(session);
	model_listen(session->model, &listener);
}

static void session_finish(struct session *session)
{
	options_check_window(session->window, session->trace);
	model_finish(session->model);
	if (session->form->end)
		session->form->end(session);
	options_check_known(&session->options->common, session->model);
}

/* what was lost or missing must not be silent, and has no place in a list */
static void print_warnings(const struct session *session)
{
	const struct trace_info *trace = session->trace;

	if (trace->lost_gaps)
		warn("%s: events were lost in %" PRIu64 " gaps; workloads alive in one have tainted = 1",
		     trace->path, trace->lost_gaps);
	for (enum event_id id = EVENT_WORKLOAD_QUEUE; id <= EVENT_WORKLOAD_CANCEL; id++)
		if (event_missing(trace, id))
			warn("%s: %s: %s; what follows from it is unknown", trace->path,
			     event_name(id), event_missing(trace, id));
}

int workloads_run(void *arg)
{
	struct session session;
	struct reader *reader;

	if (isatty(STDOUT_FILENO))
		progress_silent();
	session_open(&session, arg);
	reader = open_reader(&session);
	session.trace = reader_info(reader);
	session.window = options_window(&session.options->common, session.trace);
	if (session.form->begin)
		session.form->begin(&session);
	reader_run(reader, &session_ops, &session);
	progress_done();
	session_finish(&session);
	print_warnings(&session);
	model_free(session.model);
	reader_close(reader);
	return EXIT_SUCCESS;
}
