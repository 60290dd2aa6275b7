// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "column.h"
#include "document.h"
#include "engine.h"
#include "follow.h"
#include "progress.h"
#include "quantities.h"
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
	struct follow follow;
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
	json_t *document = document_new("workloads", session->follow.trace);
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

/* an unknown end reaches to the end of the trace */
static bool overlaps(const struct window *window, int64_t from_ns, int64_t to_ns)
{
	if (known(from_ns) && from_ns > window->to_ns)
		return false;
	return !known(to_ns) || to_ns >= window->from_ns;
}

/* @from_ns, @to_ns: what must overlap the window */
static void print_line(struct session *session, const struct vgpu_engine *queue,
		       int64_t from_ns, int64_t to_ns, const struct line *line)
{
	if (!options_want(&session->options->common, queue) ||
	    !overlaps(&session->follow.window, from_ns, to_ns))
		return;
	session->form->line(session, line);
	session->begun = true;
}

/* @name: buffer for the engine's, must live as long as the line */
static struct line new_line(const struct workload *w, char *name)
{
	const struct gpu_engine *engine = w->queue->engine;

	return (struct line) {
		.workload_id = w->id,
		.vgpu_id = w->queue->vgpu->id,
		.engine = engine_name(name, engine->class, engine->instance),
		.ctx = w->ctx,
		.seqno = w->seqno,
		.lrca = w->lrca,
	};
}

static void on_ended(void *ctx, const struct workload *w)
{
	char name[ENGINE_NAME_LEN];
	struct line line = new_line(w, name);

	line.queue_ns = w->queue_ns;
	line.submit_ns = w->submit_ns;
	line.start_ns = w->start_ns;
	line.stop_ns = w->stop_ns;
	line.complete_ns = w->end_ns;
	line.exec_ns = workload_exec(w);
	line.wait_ns = workload_wait(w);
	line.latency_ns = workload_latency(w);
	line.pieces = w->pieces;
	line.status = w->status;
	line.state = workload_state_name(workload_state(w));
	line.tainted = w->tainted;
	print_line(ctx, w->queue, w->queue_ns, w->end_ns, &line);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	const struct workload *w = piece->workload;
	char name[ENGINE_NAME_LEN];
	struct line line = new_line(w, name);

	line.start_ns = piece->start_ns;
	line.stop_ns = piece->stop_ns;
	line.completed = piece->completed;
	print_line(ctx, w->queue, piece->start_ns, piece->stop_ns, &line);
}

static void session_init(struct session *session, const struct workloads_options *options)
{
	*session = (struct session) {
		.options = options,
		.columns = options->pieces ? piece_columns : workload_columns,
		.form = &forms[options->common.format],
	};
}

static void listen(struct session *session)
{
	struct model_listener listener = { .ctx = session };

	if (session->options->pieces)
		listener.piece = on_piece;
	else
		listener.ended = on_ended;
	model_listen(session->follow.model, &listener);
}

/* what was lost or missing must not be silent, and has no place in a list */
static void print_warnings(const struct trace_info *trace)
{
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

	if (isatty(STDOUT_FILENO))
		progress_silent();
	session_init(&session, arg);
	follow_open(&session.follow, &session.options->common);
	listen(&session);
	session.form->begin(&session);
	follow_run(&session.follow);
	model_finish(session.follow.model);
	if (session.form->end)
		session.form->end(&session);
	options_check_known(&session.options->common, session.follow.model);
	print_warnings(session.follow.trace);
	follow_close(&session.follow);
	return EXIT_SUCCESS;
}
