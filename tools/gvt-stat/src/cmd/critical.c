// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/path.h"
#include "analysis/waits.h"
#include "follow/follow.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"
#include "command.h"

enum critical_key {
	KEY_WORKLOAD = 0x800,
	KEY_THREAD,
	KEY_SEGMENTS,
};

static struct {
	int64_t workload;
	int64_t thread;
	bool segments;
} arguments = { UNKNOWN, UNKNOWN, false };

/* a stretch of the path, or the sum of those that are alike */
struct row {
	int64_t from_ns;		/* UNKNOWN in a sum, as is @to_ns */
	int64_t to_ns;
	int64_t ns;
	double percent;			/* of the whole path */
	const char *worker;		/* command of a thread, or engine */
	int64_t tid;			/* UNKNOWN: an engine */
	const char *what;		/* label in JSON */
	const char *text;		/* the same for people */
	int64_t vgpu_id;		/* that executes, or whose turn it is */
	const char *who;		/* "1" or "1 (name of its VM)" */
	const char *vm;
	int64_t workload_id;		/* of an execution; UNKNOWN in a sum */
	int64_t dev;			/* whose engine or vGPU it is; UNKNOWN */
	int nr;				/* of the worker */
	enum path_label label;
};

struct critical {
	const struct form *form;
	struct follow follow;
	struct waits *waits;
	int worker;
	int64_t from_ns, to_ns;
	GArray *path;			/* of struct path_segment */
	GArray *rows;			/* of struct row: the path */
	GArray *sums;			/* of struct row: those that are alike */
};

static int64_t parse_number(const char *arg, const char *option, struct argp_state *state)
{
	gint64 number;

	if (!g_ascii_string_to_signed(arg, 10, 0, INT64_MAX, &number, NULL))
		argp_error(state, "%s %s: give a number", option, arg);
	return number;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_WORKLOAD:
		arguments.workload = parse_number(arg, "--workload", state);
		break;
	case KEY_THREAD:
		arguments.thread = parse_number(arg, "--thread", state);
		break;
	case KEY_SEGMENTS:
		arguments.segments = true;
		break;
	case ARGP_KEY_END:
		if (known(arguments.workload) == known(arguments.thread))
			argp_error(state, "give either --workload ID or --thread TID");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Without these, every wait would look as if nobody had ended it. */
static void check_trace(const struct trace_info *trace)
{
	static const enum event_id needed[] = {
		EVENT_TASK_SWITCH, EVENT_TASK_WAKEUP, EVENT_IRQ_ENTRY, EVENT_SOFTIRQ_ENTRY,
		EVENT_HRTIMER_ENTRY,
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(needed); nr++)
		if (!trace->recorded[needed[nr]])
			fatal("%s: critical path unavailable: event %s is %s; record with 'gvt-stat record full'",
			      trace->path, event_name(needed[nr]),
			      trace->described[needed[nr]] ? "not recorded" : "not in the file");
}

static void choose_workload(struct critical *critical)
{
	const struct wait_workload *workload = waits_workload(critical->waits);
	const char *path = critical->follow.trace->path;

	if (known(workload->other_dev))
		fatal("%s: GPU %" PRId64 " and GPU %" PRId64 " both have a workload %" PRId64 ": choose one with --gpu",
		      path, workload->dev, workload->other_dev, workload->id);
	if (!known(workload->queue_ns))
		fatal("%s: workload %" PRId64 " was not queued in the trace; 'gvt-stat workloads' lists those that were",
		      path, workload->id);
	if (!known(workload->end_ns))
		fatal("%s: workload %" PRId64 " did not end in the trace: its path is not known",
		      path, workload->id);
	critical->worker = waits_thread(critical->waits, workload->tid);
	if (critical->worker == PATH_NOBODY)
		fatal("%s: workload %" PRId64 " was ended by no thread: its path is not known",
		      path, workload->id);
	critical->from_ns = workload->queue_ns;
	critical->to_ns = workload->end_ns;
}

static void choose_thread(struct critical *critical)
{
	critical->worker = waits_thread(critical->waits, arguments.thread);
	if (critical->worker == PATH_NOBODY)
		fatal("%s: thread %" PRId64 " is not in the trace; 'gvt-stat vcpu' lists those of vCPUs",
		      critical->follow.trace->path, arguments.thread);
	critical->from_ns = critical->follow.window.from_ns;
	critical->to_ns = critical->follow.window.to_ns;
}

/* what a segment is, for programs and for people */
static const struct { const char *name, *text; } labels[PATH_LABELS] = {
	[PATH_UNKNOWN] = { "unknown", "unknown" },
	[PATH_RUNS] = { "runs", "runs" },
	[PATH_GUEST] = { "guest", "runs in the guest" },
	[PATH_PREEMPTED] = { "preempted", "preempted, waits for a CPU" },
	[PATH_RUNNABLE] = { "runnable", "woken up, waits for a CPU" },
	[PATH_BLOCKED] = { "unexplained", "blocked, unexplained" },
	[PATH_TIMER] = { "timer", "waits for a timer" },
	[PATH_INTERRUPT] = { "interrupt", "waits for an interrupt" },
	[PATH_EXECUTES] = { "executes", "executes" },
	[PATH_IDLE] = { "idle", "does not execute yet, or no more" },
};

static struct row make_row(const struct critical *critical, const struct path_segment *segment)
{
	const struct wait_worker *worker = waits_worker(critical->waits, segment->worker);
	bool executes = segment->label == PATH_EXECUTES;
	bool turn = segment->label == PATH_TIMER && segment->detail;
	int64_t ns = segment->to_ns - segment->from_ns;
	const struct workload_key key = { worker->dev, segment->detail };
	int64_t vgpu_id = executes ? waits_vgpu_of(critical->waits, &key) :
			  turn ? segment->detail : UNKNOWN;
	const struct vgpu *vgpu = model_vgpu(critical->follow.model, worker->dev, vgpu_id);

	return (struct row) {
		.from_ns = segment->from_ns, .to_ns = segment->to_ns, .ns = ns,
		.percent = 100.0 * ns / (critical->to_ns - critical->from_ns),
		.worker = *worker->name ? worker->name : NULL, .tid = worker->tid,
		.what = turn ? "turn" : labels[segment->label].name,
		.text = turn ? "waits for the end of a turn" : labels[segment->label].text,
		.vgpu_id = vgpu_id, .who = vgpu ? vgpu_name(vgpu) : NULL,
		.vm = vgpu ? vgpu->vm : NULL,
		.workload_id = executes ? segment->detail : UNKNOWN,
		.dev = known(worker->tid) && !turn ? UNKNOWN : worker->dev,
		.nr = segment->worker, .label = segment->label,
	};
}

static GArray *make_rows(const struct critical *critical)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	for (unsigned int nr = 0; nr < critical->path->len; nr++) {
		struct row row = make_row(critical, &g_array_index(critical->path,
								   struct path_segment, nr));

		g_array_append_val(rows, row);
	}
	return rows;
}

static struct row *find_alike(GArray *sums, const struct row *row)
{
	for (unsigned int nr = 0; nr < sums->len; nr++) {
		struct row *sum = &g_array_index(sums, struct row, nr);

		if (sum->nr == row->nr && sum->label == row->label &&
		    sum->vgpu_id == row->vgpu_id)
			return sum;
	}
	return NULL;
}

static gint compare_sums(gconstpointer a, gconstpointer b)
{
	const struct row *one = a, *two = b;

	return (one->ns < two->ns) - (one->ns > two->ns);
}

/* the longest first */
static GArray *make_sums(const GArray *rows)
{
	GArray *sums = g_array_new(FALSE, FALSE, sizeof(struct row));

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		struct row row = g_array_index(rows, struct row, nr);
		struct row *sum = find_alike(sums, &row);

		row.from_ns = row.to_ns = row.workload_id = UNKNOWN;
		if (sum) {
			sum->ns += row.ns;
			sum->percent += row.percent;
		} else {
			g_array_append_val(sums, row);
		}
	}
	g_array_sort(sums, compare_sums);
	return sums;
}

/* blocked without a known reason, or nothing known at all */
static int64_t unexplained_ns(const GArray *rows)
{
	int64_t sum_ns = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct row *row = &g_array_index(rows, struct row, nr);

		if (row->label == PATH_BLOCKED || row->label == PATH_UNKNOWN)
			sum_ns += row->ns;
	}
	return sum_ns;
}

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct row, member), ##__VA_ARGS__ }
#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct row, member), title, ##__VA_ARGS__ }

static struct column segment_columns[] = {
	COLUMN(INTEGER, from_ns, "FROM-s", UNIT_S),
	COLUMN(INTEGER, to_ns),
	CELL("ms", INTEGER, ns, UNIT_MS),
	COLUMN(TEXT, worker, "WORKER"),
	COLUMN(INTEGER, tid, "THREAD"),
	COLUMN(TEXT, what),
	CELL("WHAT", TEXT, text),
	COLUMN(INTEGER, vgpu_id),
	CELL("VGPU", TEXT, who),
	COLUMN(INTEGER, workload_id, "WORKLOAD"),
	COLUMN(TEXT, vm),
	COLUMN(INTEGER, dev),
	{ 0 }
};

static struct column sum_columns[] = {
	COLUMN(TEXT, worker, "WORKER"),
	COLUMN(INTEGER, tid, "THREAD"),
	COLUMN(TEXT, what),
	CELL("WHAT", TEXT, text),
	COLUMN(INTEGER, vgpu_id),
	CELL("VGPU", TEXT, who),
	COLUMN(INTEGER, ns, "ms", UNIT_MS),
	COLUMN(REAL, percent, "%"),
	COLUMN(TEXT, vm),
	COLUMN(INTEGER, dev),
	{ 0 }
};

static void print_table(const struct column *columns, const GArray *rows,
			const char *heading)
{
	struct table *table = table_new(columns);

	for (unsigned int nr = 0; nr < rows->len; nr++)
		table_line(table, &g_array_index(rows, struct row, nr));
	table_print(table, heading, stdout);
}

static bool several_gpus(const struct critical *critical)
{
	return model_gpus(critical->follow.model)->len > 1;
}

static void print_heading(const struct critical *critical)
{
	const struct wait_workload *workload = waits_workload(critical->waits);
	const struct vgpu *vgpu = model_vgpu(critical->follow.model, workload->dev,
					     workload->vgpu_id);
	int64_t whole_ns = critical->to_ns - critical->from_ns;
	int64_t unknown_ns = unexplained_ns(critical->rows);

	if (known(workload->id) && several_gpus(critical))
		printf("\nWorkload %" PRId64 " of %s of GPU %" PRId64 ": %.3f ms from queueing to completion\n",
		       workload->id, vgpu->label, workload->dev, (double)whole_ns / NSEC_PER_MSEC);
	else if (known(workload->id))
		printf("\nWorkload %" PRId64 " of %s: %.3f ms from queueing to completion\n",
		       workload->id, vgpu->label, (double)whole_ns / NSEC_PER_MSEC);
	else
		printf("\nThread %" PRId64 ": %.3f ms\n", arguments.thread,
		       (double)whole_ns / NSEC_PER_MSEC);
	printf("Unexplained: %.3f ms, %.2f %%\n", (double)unknown_ns / NSEC_PER_MSEC,
	       whole_ns ? 100.0 * unknown_ns / whole_ns : 0);
}

static void print_tables(const void *result)
{
	const struct critical *critical = result;

	columns_title(sum_columns, "dev", several_gpus(critical) ? "GPU" : NULL);
	columns_title(segment_columns, "dev", several_gpus(critical) ? "GPU" : NULL);
	notes_head(&critical->follow, stdout);
	print_heading(critical);
	print_table(sum_columns, critical->sums, "What it waited for");
	if (arguments.segments)
		print_table(segment_columns, critical->rows, "The critical path");
	notes_tail(&critical->follow, stdout);
}

static json_t *rows_json(const GArray *rows, const struct column *columns)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < rows->len; nr++)
		json_array_append_new(array, columns_to_json(columns,
			&g_array_index(rows, struct row, nr)));
	return array;
}

static void print_json(const void *result)
{
	const struct critical *critical = result;
	json_t *document = document_new(&critical->follow, critical->form->command);
	const struct wait_workload *workload = waits_workload(critical->waits);
	const struct wait_worker *worker = waits_worker(critical->waits, critical->worker);

	document_add_window(document, critical->follow.window);
	json_object_set_new(document, "workload_id", known(workload->id) ?
			    json_integer(workload->id) : json_null());
	json_object_set_new(document, "dev", json_number(workload->dev));
	json_object_set_new(document, "tid", json_integer(worker->tid));
	json_object_set_new(document, "from_ns", json_integer(critical->from_ns));
	json_object_set_new(document, "to_ns", json_integer(critical->to_ns));
	json_object_set_new(document, "unexplained_ns", json_integer(unexplained_ns(critical->rows)));
	json_object_set_new(document, "summary", rows_json(critical->sums, sum_columns));
	json_object_set_new(document, "path", rows_json(critical->rows, form_columns(critical->form,
										   segment_columns)));
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct critical *critical = result;
	struct sheet *sheet = sheet_begin(critical->form, segment_columns);

	for (unsigned int nr = 0; nr < critical->rows->len; nr++)
		sheet_line(sheet, &g_array_index(critical->rows, struct row, nr));
	sheet_end(sheet);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct critical critical = { .worker = PATH_NOBODY };
	struct analysis analysis;

	critical.form = &options->form;
	follow_open(&critical.follow, &options->selection);
	critical.waits = waits_new(&critical.follow, arguments.workload);
	analysis = waits_analysis(critical.waits);
	follow_add(&critical.follow, &analysis);
	follow_run(&critical.follow);
	check_trace(critical.follow.trace);
	model_finish(critical.follow.model);
	waits_finish(critical.waits, critical.follow.trace->end_ns);
	if (known(arguments.workload))
		choose_workload(&critical);
	else
		choose_thread(&critical);
	critical.path = path_find(waits_rows(critical.waits), critical.worker, critical.from_ns,
				  critical.to_ns);
	critical.rows = make_rows(&critical);
	critical.sums = make_sums(critical.rows);
	form_print(&options->form, &printers, &critical);
	g_array_free(critical.sums, TRUE);
	g_array_free(critical.rows, TRUE);
	g_array_free(critical.path, TRUE);
	waits_free(critical.waits);
	follow_close(&critical.follow);
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "workload", KEY_WORKLOAD, "ID", 0,
	  "The path from this workload's queueing to its completion", 0 },
	{ "thread", KEY_THREAD, "TID", 0, "The path of this thread through the window", 0 },
	{ "segments", KEY_SEGMENTS, NULL, 0, "Print the path itself, too", 0 },
	{ 0 }
};

static const struct argp critical_argp = {
	option_table, parse_option, NULL, NULL, NULL, NULL, NULL
};

static const struct column *const tables[] = { segment_columns, NULL };

const struct command critical_command = {
	.name = "critical",
	.help = "what a workload or a thread waited for, through all who were involved",
	.doc = "Find the critical path of a workload or a thread across vCPU threads, threads of kvmgt and engines.",
	.quantities = QUANTITY_BIT(QUANTITY_PATH) | QUANTITY_BIT(QUANTITY_WAKERS) |
		      QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_EXECUTION),
	.columns = tables,
	.argp = &critical_argp,
	.run = run,
};
