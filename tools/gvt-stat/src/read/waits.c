// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat why waits: shows which vGPU caused which wait, and the longest waits.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blame.h"
#include "cmd/command.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"
#include "contents.h"

#define LABEL_LEN	64

/* a cell of the matrix, or one wait */
struct line {
	int64_t dev;
	int64_t vgpu_id;
	const char *engine;
	const char *reason;
	int64_t culprit_vgpu_id;
	const char *who;		/* "1" or "1 (name of its VM)" */
	const char *vm;
	const char *culprit_vm;
	char label[LABEL_LEN];
	const char *whom;		/* points to @label */
	int64_t wait_ns;
	int64_t count;
	int64_t worst_ns;
	int64_t worst_at_ns;
	int64_t at_ns;
};

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct line, member), ##__VA_ARGS__ }
#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct line, member), title, ##__VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, reason),
	COLUMN(INTEGER, culprit_vgpu_id),
	COLUMN(INTEGER, wait_ns),
	COLUMN(INTEGER, count),
	COLUMN(INTEGER, worst_ns),
	COLUMN(INTEGER, worst_at_ns),
	COLUMN(TEXT, vm),
	COLUMN(TEXT, culprit_vm),
	{ 0 }
};

/* columns for people: waiting vGPU, duration, time, culprit */
static struct column moment_columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	CELL("VGPU", TEXT, who),
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(TEXT, reason),
	COLUMN(INTEGER, culprit_vgpu_id),
	CELL("WAITED-ms", INTEGER, wait_ns, UNIT_MS),
	COLUMN(INTEGER, at_ns, "AT-s", UNIT_S),
	COLUMN(INTEGER, wait_ns),
	COLUMN(TEXT, vm),
	COLUMN(TEXT, culprit_vm),
	CELL("FOR", TEXT, whom),
	{ 0 }
};

struct session {
	const struct form *form;
	const struct follow *follow;
	struct blame *blame;
};

/* "vGPU 2", "no slice" */
static const char *label(char *text, enum wait_class class, const struct vgpu *culprit)
{
	static const char *const names[WAIT_CLASSES] = {
		[WAIT_UNKNOWN] = "unknown", [WAIT_OTHER] = "another", [WAIT_THROTTLED] = "a slice",
		[WAIT_CAPPED] = "its cap", [WAIT_SWITCHING] = "a switch", [WAIT_HELD] = "held for",
		[WAIT_HOST] = "host",
		[WAIT_PREEMPTED] = "preempted by", [WAIT_CURRENT] = "itself",
	};

	if (culprit && class == WAIT_OTHER)
		g_strlcpy(text, culprit->label, LABEL_LEN);
	else if (culprit)
		g_snprintf(text, LABEL_LEN, "%s %" PRId64, names[class], culprit->id);
	else if (class == WAIT_PREEMPTED)
		g_strlcpy(text, "preempted", LABEL_LEN);
	else
		g_strlcpy(text, names[class], LABEL_LEN);
	return text;
}

static void fill_line(struct line *line, const struct vgpu_engine *queue, enum wait_class class,
		      const struct vgpu *culprit)
{
	line->dev = queue->vgpu->dev;
	line->vgpu_id = queue->vgpu->id;
	line->engine = queue->engine->name;
	line->reason = wait_class_name(class);
	line->culprit_vgpu_id = culprit ? culprit->id : UNKNOWN;
	line->who = vgpu_name(queue->vgpu);
	line->vm = queue->vgpu->vm;
	line->culprit_vm = culprit ? culprit->vm : NULL;
	line->whom = label(line->label, class, culprit);
}

/* are the waits of the queue consistent with its content? */
static bool holds(const struct session *session, const struct vgpu_engine *queue)
{
	return !known(contradiction_at(session->follow, SUM_WAITS, queue->engine, queue->vgpu));
}

static void fill_row(const struct session *session, struct line *line,
		     const struct blame_row *row)
{
	fill_line(line, row->queue, row->class, row->culprit);
	if (!holds(session, row->queue)) {
		line->wait_ns = line->count = line->worst_ns = line->worst_at_ns = UNKNOWN;
		return;
	}
	line->wait_ns = row->wait_ns;
	line->count = row->count;
	line->worst_ns = row->worst_ns;
	line->worst_at_ns = row->worst_at_ns;
}

static void fill_moment(struct line *line, const struct blame_moment *moment)
{
	fill_line(line, moment->queue, moment->class, moment->culprit);
	line->wait_ns = moment->length_ns;
	line->at_ns = moment->from_ns;
}

static bool told(const struct session *session)
{
	return quantity_partly_known(session->follow->trace, QUANTITY_BLAME);
}

/*
 * The matrix: a line per queue, a column per culprit, in the order of the reasons' enum.
 */
struct matrix {
	GPtrArray *keys;		/* the first struct blame_row of each column */
	struct column *cells;
	char (*titles)[LABEL_LEN];
};

/* values of a line of the matrix */
struct matrix_line {
	const char *vgpu;
	const char *engine;
	double percent;			/* waiting time in per cent of the window */
	int64_t total_ns;
	int64_t wait_ns[];
};

static int compare_keys(const void *a, const void *b)
{
	const struct blame_row *ra = *(struct blame_row *const *)a;
	const struct blame_row *rb = *(struct blame_row *const *)b;
	static const int order[WAIT_CLASSES] = {
		[WAIT_OTHER] = 0, [WAIT_PREEMPTED] = 1, [WAIT_HELD] = 2, [WAIT_THROTTLED] = 3,
		[WAIT_CAPPED] = 4, [WAIT_SWITCHING] = 5, [WAIT_HOST] = 6, [WAIT_CURRENT] = 7,
		[WAIT_UNKNOWN] = 8,
	};
	int64_t ia = ra->culprit ? ra->culprit->id : 0, ib = rb->culprit ? rb->culprit->id : 0;

	if (ra->class != rb->class)
		return order[ra->class] - order[rb->class];
	return (ia > ib) - (ia < ib);
}

static int find_key(const GPtrArray *keys, const struct blame_row *row)
{
	for (unsigned int nr = 0; nr < keys->len; nr++) {
		const struct blame_row *key = keys->pdata[nr];

		if (key->class == row->class && key->culprit == row->culprit)
			return nr;
	}
	return -1;
}

static GPtrArray *matrix_keys(const GPtrArray *rows, int64_t dev)
{
	GPtrArray *keys = g_ptr_array_new();

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		struct blame_row *row = rows->pdata[nr];

		if (row->queue->vgpu->dev == dev && find_key(keys, row) < 0)
			g_ptr_array_add(keys, row);
	}
	g_ptr_array_sort(keys, compare_keys);
	return keys;
}

#define FIXED_CELLS	4

static void matrix_init(struct matrix *matrix, const GPtrArray *rows, int64_t dev)
{
	static const struct column fixed[FIXED_CELLS] = {
		{ NULL, COLUMN_TEXT, offsetof(struct matrix_line, vgpu), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct matrix_line, engine), "ENGINE" },
		{ NULL, COLUMN_REAL, offsetof(struct matrix_line, percent), "WAITED%" },
		{ "wait_ns", COLUMN_INTEGER, offsetof(struct matrix_line, total_ns), "WAITED-ms",
		  UNIT_MS },
	};
	unsigned int count;

	matrix->keys = matrix_keys(rows, dev);
	count = matrix->keys->len;
	matrix->cells = g_new0(struct column, FIXED_CELLS + count + 1);
	matrix->titles = g_malloc0((count + 1) * sizeof(*matrix->titles));
	for (int nr = 0; nr < FIXED_CELLS; nr++)
		matrix->cells[nr] = fixed[nr];
	for (unsigned int nr = 0; nr < count; nr++) {
		const struct blame_row *key = matrix->keys->pdata[nr];

		matrix->cells[FIXED_CELLS + nr] = (struct column) {
			.title = label(matrix->titles[nr], key->class, key->culprit),
			.type = COLUMN_INTEGER, .unit = UNIT_MS,
			.offset = offsetof(struct matrix_line, wait_ns) + nr * sizeof(int64_t),
		};
	}
}

static void matrix_clear(struct matrix *matrix)
{
	g_ptr_array_free(matrix->keys, TRUE);
	g_free(matrix->cells);
	g_free(matrix->titles);
}

static void add_matrix_line(const struct session *session, const struct matrix *matrix,
			    const struct vgpu_engine *queue, const GPtrArray *rows,
			    struct table *table)
{
	const struct window *window = &session->follow->window;
	struct matrix_line *line = g_malloc0(sizeof(*line) + matrix->keys->len * sizeof(int64_t));

	line->vgpu = vgpu_name(queue->vgpu);
	line->engine = queue->engine->name;
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue != queue)
			continue;
		line->wait_ns[find_key(matrix->keys, row)] = row->wait_ns;
		line->total_ns += row->wait_ns;
	}
	for (unsigned int nr = 0; !holds(session, queue) && nr < matrix->keys->len; nr++)
		line->wait_ns[nr] = line->total_ns = UNKNOWN;
	line->percent = known(line->total_ns) && window->to_ns > window->from_ns ?
			100.0 * line->total_ns / (window->to_ns - window->from_ns) : NAN;
	table_line(table, line);
	g_free(line);
}

/* rows are sorted by queue: each change of the queue begins a line */
static void print_matrix(const struct session *session, const GPtrArray *rows, int64_t dev)
{
	const struct vgpu_engine *last = NULL;
	struct matrix matrix;
	struct table *table;
	char heading[128];

	matrix_init(&matrix, rows, dev);
	table = table_new(matrix.cells);
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct vgpu_engine *queue = ((struct blame_row *)rows->pdata[nr])->queue;

		if (queue == last || queue->vgpu->dev != dev ||
		    !selection_queue(session->follow->selection, queue))
			continue;
		add_matrix_line(session, &matrix, queue, rows, table);
		last = queue;
	}
	g_snprintf(heading, sizeof(heading),
		   "GPU %" PRId64 ": for whom or what each vGPU's work waited (ms in which some did)",
		   dev);
	table_print(table, heading, stdout);
	matrix_clear(&matrix);
}

static void print_worst(const struct session *session)
{
	const struct blame_moment *moment = blame_worst(session->blame);
	bool several_gpus = model_gpus(session->follow->model)->len > 1;
	struct table *table;
	struct line line;

	columns_title(moment_columns, "dev", several_gpus ? "GPU" : NULL);
	table = table_new(moment_columns);

	for (; moment->queue; moment++) {
		if (!holds(session, moment->queue))
			continue;
		fill_moment(&line, moment);
		table_line(table, &line);
	}
	table_print(table, "Worst moments", stdout);
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	const GPtrArray *rows = blame_rows(session->blame);
	int64_t dev = UNKNOWN;

	notes_head(session->follow, stdout);
	for (unsigned int nr = 0; told(session) && nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue->vgpu->dev == dev)
			continue;
		dev = row->queue->vgpu->dev;
		print_matrix(session, rows, dev);
	}
	if (told(session))
		print_worst(session);
	notes_tail(session->follow, stdout);
}

static json_t *rows_json(const struct session *session)
{
	const GPtrArray *rows = blame_rows(session->blame);
	const struct column *chosen = form_columns(session->form, columns);
	json_t *array = json_array();
	struct line line;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (!selection_queue(session->follow->selection, row->queue))
			continue;
		fill_row(session, &line, row);
		json_array_append_new(array, columns_to_json(chosen, &line));
	}
	return array;
}

static json_t *worst_json(const struct session *session)
{
	json_t *array = json_array();
	struct line line;

	for (const struct blame_moment *moment = blame_worst(session->blame); moment->queue;
	     moment++) {
		if (!holds(session, moment->queue))
			continue;
		fill_moment(&line, moment);
		json_array_append_new(array, columns_to_json(moment_columns, &line));
	}
	return array;
}

static void add_json(json_t *document, const struct session *session)
{
	json_object_set_new(document, "blame", told(session) ? rows_json(session) : json_array());
	json_object_set_new(document, "worst", told(session) ? worst_json(session) : json_array());
}

void blame_add_json(json_t *document, const struct form *form, const struct follow *follow,
		    struct blame *blame)
{
	add_json(document, &(struct session) { form, follow, blame });
}

static void print_json(const void *result)
{
	const struct session *session = result;
	json_t *document = document_new(session->follow, session->form->command);

	document_add_window(document, session->follow->window);
	add_json(document, session);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	const GPtrArray *rows = blame_rows(session->blame);
	struct sheet *sheet = sheet_begin(session->form, columns);
	struct line line;

	for (unsigned int nr = 0; told(session) && nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (!selection_queue(session->follow->selection, row->queue))
			continue;
		fill_row(session, &line, row);
		sheet_line(sheet, &line);
	}
	sheet_end(sheet);
	notes_warn(session->follow);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };
	struct follow follow;

	follow_open(&follow, &options->selection);
	session.follow = &follow;
	session.blame = blame_new(&follow);
	follow_run(&follow);
	model_finish(follow.model);
	selection_check_known(&options->selection, follow.model);
	form_print(&options->form, &printers, &session);
	blame_free(session.blame);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

const struct command waits_command = {
	.name = "why waits",
	.doc = "Show which vGPU made which one wait, for how long, and the worst moments.",
	.quantities = QUANTITY_BIT(QUANTITY_BLAME) | QUANTITY_BIT(QUANTITY_HOST),
	.columns = TABLES(columns),
	.run = run,
};
