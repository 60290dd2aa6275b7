// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/path.h"
#include "analysis/waits.h"
#include "cmd/command.h"
#include "follow/follow.h"
#include "output/column.h"
#include "output/document.h"
#include "output/list.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "output/stash.h"
#include "output/table.h"
#include "trace/util.h"
#include "path.h"

#define CRITICAL_QUANTITIES	(QUANTITY_BIT(QUANTITY_PATH) | QUANTITY_BIT(QUANTITY_WAKERS) | \
				 QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_EXECUTION))

/* of the path, further segments go to a file */
#define PATH_MEMORY	(256 << 10)

/* longer paths are not printed as a table, whose column widths need all rows in memory */
#define TABLE_ROWS	4096

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

/* a segment of the path, or the sum of similar segments */
struct row {
	int64_t from_ns;		/* UNKNOWN in a sum, as is @to_ns */
	int64_t to_ns;
	int64_t ns;
	double percent;			/* of the whole path */
	const char *worker;		/* command of a thread, or engine */
	int64_t tid;			/* UNKNOWN: an engine */
	const char *what;		/* label for programs */
	const char *text;		/* label for people */
	int64_t vgpu_id;		/* vGPU that executes or has the turn */
	const char *who;		/* "1" or "1 (name of its VM)" */
	const char *vm;
	int64_t workload_id;		/* of an execution; UNKNOWN in a sum */
	int64_t dev;			/* GPU of the engine or vGPU; UNKNOWN */
	int nr;				/* number of the worker */
	enum path_label label;
};

struct critical {
	const struct form *form;
	struct follow follow;
	struct waits *waits;
	int worker;
	int64_t from_ns, to_ns;
	struct path_segment last;	/* not yet in @path; @worker PATH_NOBODY: none */
	struct stash *stash;
	struct byte_stream *path;	/* struct path_segment, in @stash */
	GHashTable *index;		/* struct alike: lookup for @sums */
	GArray *sums;			/* of struct row: sums of similar segments, longest first */
};

/* all segments of the path that differ only in time */
struct alike {
	struct path_segment like;
	int64_t ns;
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

/* Without these events, waits would seem to have no cause. EVENT_COUNT: none is missing. */
static enum event_id missing_event(const struct trace_info *trace)
{
	static const enum event_id needed[] = {
		EVENT_TASK_SWITCH, EVENT_TASK_WAKEUP, EVENT_IRQ_ENTRY, EVENT_SOFTIRQ_ENTRY,
		EVENT_HRTIMER_ENTRY,
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(needed); nr++)
		if (!trace->recorded[needed[nr]])
			return needed[nr];
	return EVENT_COUNT;
}

/* returns NULL, or the reason why there can be no path; the caller frees */
static char *check_trace(const struct trace_info *trace)
{
	enum event_id missing = missing_event(trace);

	if (missing == EVENT_COUNT)
		return NULL;
	return g_strdup_printf("critical path unavailable: event %s is %s; record with 'gvt-stat record full'",
			       event_name(missing),
			       trace->described[missing] ? "not recorded" : "not in the file");
}

/* as check_trace() */
static char *choose_workload(struct critical *critical)
{
	const struct wait_workload *workload = waits_workload(critical->waits);

	if (known(workload->other_dev))
		return g_strdup_printf("GPU %" PRId64 " and GPU %" PRId64 " both have a workload %" PRId64 ": choose one with --gpu",
				       workload->dev, workload->other_dev, workload->id);
	if (!known(workload->queue_ns))
		return g_strdup_printf("workload %" PRId64 " was not queued in the trace; 'gvt-stat list' lists those that were",
				       workload->id);
	if (!known(workload->end_ns))
		return g_strdup_printf("workload %" PRId64 " did not end in the trace: its path is not known",
				       workload->id);
	critical->worker = waits_thread(critical->waits, workload->tid);
	if (critical->worker == PATH_NOBODY)
		return g_strdup_printf("workload %" PRId64 " was ended by no thread: its path is not known",
				       workload->id);
	critical->from_ns = workload->queue_ns;
	critical->to_ns = workload->end_ns;
	return NULL;
}

/* as check_trace() */
static char *choose_thread(struct critical *critical, int64_t thread)
{
	critical->worker = waits_thread(critical->waits, thread);
	if (critical->worker == PATH_NOBODY)
		return g_strdup_printf("thread %" PRId64 " is not in the trace; 'gvt-stat why vcpus' lists those of vCPUs",
				       thread);
	critical->from_ns = critical->follow.window.from_ns;
	critical->to_ns = critical->follow.window.to_ns;
	return NULL;
}

/* labels of segments, for programs and for people */
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

static double percent_of(const struct critical *critical, int64_t ns)
{
	return 100.0 * ns / (critical->to_ns - critical->from_ns);
}

static struct row make_row(const struct critical *critical, const struct path_segment *segment)
{
	const struct wait_worker *worker = waits_worker(critical->waits, segment->worker);
	bool executes = segment->label == PATH_EXECUTES;
	bool turn = segment->label == PATH_TIMER && segment->vgpu_id;
	int64_t ns = segment->to_ns - segment->from_ns;
	int64_t vgpu_id = executes || turn ? segment->vgpu_id : UNKNOWN;
	const struct vgpu *vgpu = model_vgpu(critical->follow.model, worker->dev, vgpu_id);

	return (struct row) {
		.from_ns = segment->from_ns, .to_ns = segment->to_ns, .ns = ns,
		.percent = percent_of(critical, ns),
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

static guint hash_alike(gconstpointer key)
{
	const struct alike *sum = key;

	return sum->like.worker * PATH_LABELS + sum->like.label + ((guint)sum->like.vgpu_id << 20);
}

static gboolean same_alike(gconstpointer a, gconstpointer b)
{
	const struct alike *one = a, *two = b;

	return one->like.worker == two->like.worker && one->like.label == two->like.label &&
	       one->like.vgpu_id == two->like.vgpu_id;
}

static void add_to_sum(struct critical *critical, const struct path_segment *segment)
{
	struct alike like = { *segment, 0 }, *sum = g_hash_table_lookup(critical->index, &like);

	if (!sum) {
		sum = g_memdup2(&like, sizeof(like));
		g_hash_table_add(critical->index, sum);
	}
	sum->ns += segment->to_ns - segment->from_ns;
}

static void end_segment(struct critical *critical)
{
	if (critical->last.worker == PATH_NOBODY)
		return;
	bytes_add(critical->path, &critical->last, sizeof(critical->last));
	add_to_sum(critical, &critical->last);
}

static void on_segment(void *ctx, const struct path_segment *segment)
{
	struct critical *critical = ctx;

	if (critical->last.worker != PATH_NOBODY && path_join(&critical->last, segment))
		return;
	end_segment(critical);
	critical->last = *segment;
}

/* longest first; equal sums keep their order of arrival */
static gint compare_sums(gconstpointer a, gconstpointer b)
{
	const struct row *one = a, *two = b;

	if (one->ns != two->ns)
		return one->ns < two->ns ? 1 : -1;
	return (one->from_ns > two->from_ns) - (one->from_ns < two->from_ns);
}

static GArray *make_sums(const struct critical *critical)
{
	GArray *sums = g_array_new(FALSE, FALSE, sizeof(struct row));
	GHashTableIter iter;
	void *key;

	g_hash_table_iter_init(&iter, critical->index);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const struct alike *sum = key;
		struct row row = make_row(critical, &sum->like);

		row.ns = sum->ns;
		row.percent = percent_of(critical, sum->ns);
		g_array_append_val(sums, row);
	}
	g_array_sort(sums, compare_sums);
	for (unsigned int nr = 0; nr < sums->len; nr++) {
		struct row *row = &g_array_index(sums, struct row, nr);

		row->from_ns = row->to_ns = row->workload_id = UNKNOWN;
	}
	return sums;
}

/* time blocked without a known reason, or without any data */
static int64_t unexplained_ns(const GArray *sums)
{
	int64_t sum_ns = 0;

	for (unsigned int nr = 0; nr < sums->len; nr++) {
		const struct row *row = &g_array_index(sums, struct row, nr);

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

static void each_line(const struct critical *critical, record_fn line, void *to)
{
	struct bytes_reader reader = { critical->path };
	struct path_segment segment;

	while (bytes_read(&reader, &segment, sizeof(segment))) {
		const struct row row = make_row(critical, &segment);

		line(to, &row);
	}
}

static void print_sums(const struct critical *critical, const char *heading, FILE *out)
{
	struct table *table = table_new(sum_columns);

	for (unsigned int nr = 0; nr < critical->sums->len; nr++)
		table_line(table, &g_array_index(critical->sums, struct row, nr));
	table_print(table, heading, out);
}

static void print_path(const struct critical *critical)
{
	static const char heading[] = "The critical path";
	struct table *table;
	struct list *list;

	if (bytes_size(critical->path) > TABLE_ROWS * sizeof(struct path_segment)) {
		printf("\n%s\n", heading);
		list = list_begin(critical->form, "path", segment_columns);
		each_line(critical, list_line, list);
		list_end(list, &critical->follow);
		return;
	}
	table = table_new(segment_columns);
	each_line(critical, table_line, table);
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
	int64_t unknown_ns = unexplained_ns(critical->sums);

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
	print_sums(critical, "What it waited for", stdout);
	if (arguments.segments)
		print_path(critical);
	notes_tail(&critical->follow, stdout);
}

static json_t *sums_json(const struct critical *critical)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < critical->sums->len; nr++)
		json_array_append_new(array, columns_to_json(sum_columns,
			&g_array_index(critical->sums, struct row, nr)));
	return array;
}

/* lines of the path in a JSON document */
struct path_lines {
	struct document_list *list;
	const struct column *columns;
};

static void to_json(void *ctx, const void *row)
{
	const struct path_lines *lines = ctx;

	document_line(lines->list, columns_to_json(lines->columns, row));
}

static void print_json(const void *result)
{
	const struct critical *critical = result;
	json_t *document = document_new(&critical->follow, critical->form->command);
	const struct wait_workload *workload = waits_workload(critical->waits);
	const struct wait_worker *worker = waits_worker(critical->waits, critical->worker);
	struct document_list *list;

	document_add_window(document, critical->follow.window);
	json_object_set_new(document, "workload_id", known(workload->id) ?
			    json_integer(workload->id) : json_null());
	json_object_set_new(document, "dev", json_number(workload->dev));
	json_object_set_new(document, "tid", json_integer(worker->tid));
	json_object_set_new(document, "from_ns", json_integer(critical->from_ns));
	json_object_set_new(document, "to_ns", json_integer(critical->to_ns));
	json_object_set_new(document, "unexplained_ns", json_integer(unexplained_ns(critical->sums)));
	json_object_set_new(document, "summary", sums_json(critical));
	list = document_begin(document, "path", stdout);
	each_line(critical, to_json, &(struct path_lines) {
		list, form_columns(critical->form, segment_columns),
	});
	document_end(list);
}

static void print_lines(const void *result)
{
	const struct critical *critical = result;
	struct sheet *sheet = sheet_begin(critical->form, segment_columns);

	each_line(critical, sheet_line, sheet);
	sheet_end(sheet);
}

/* the path of a workload; the path of a thread was found while reading */
static void find_path(struct critical *critical)
{
	GArray *path = path_find(waits_rows(critical->waits), critical->worker,
				 critical->from_ns, critical->to_ns);

	for (unsigned int nr = 0; nr < path->len; nr++)
		on_segment(critical, &g_array_index(path, struct path_segment, nr));
	g_array_free(path, TRUE);
}

/* returns NULL, or the reason why there is no path; the caller frees */
static char *look_for_path(struct critical *critical, int64_t workload, int64_t thread)
{
	char *problem = check_trace(critical->follow.trace);

	if (!problem && known(workload))
		problem = choose_workload(critical);
	else if (!problem)
		problem = choose_thread(critical, thread);
	if (problem)
		return problem;
	if (known(workload))
		find_path(critical);
	end_segment(critical);
	critical->sums = make_sums(critical);
	return NULL;
}

/* returns as look_for_path(); the caller must call critical_clear() in any case */
static char *critical_read(struct critical *critical, const struct selection *selection,
			   int64_t workload, int64_t thread)
{
	critical->worker = critical->last.worker = PATH_NOBODY;
	critical->stash = stash_new(PATH_MEMORY, "cannot keep lines in a temporary file: %s; there must be room for them in /tmp");
	critical->path = bytes_new(critical->stash);
	critical->index = g_hash_table_new_full(hash_alike, same_alike, g_free, NULL);
	follow_open(&critical->follow, selection);
	critical->waits = waits_new(&critical->follow, workload);
	if (known(thread))
		waits_tell(critical->waits, thread, on_segment, critical);
	follow_run(&critical->follow);
	model_finish(critical->follow.model);
	waits_finish(critical->waits, critical->follow.trace->end_ns);
	return look_for_path(critical, workload, thread);
}

static void critical_clear(struct critical *critical)
{
	if (critical->sums)
		g_array_free(critical->sums, TRUE);
	g_hash_table_destroy(critical->index);
	bytes_free(critical->path);
	stash_free(critical->stash);
	waits_free(critical->waits);
	follow_close(&critical->follow);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct critical critical = { .form = &options->form };
	char *problem = critical_read(&critical, &options->selection, arguments.workload,
				      arguments.thread);

	if (problem)
		fatal("%s: %s", critical.follow.trace->path, problem);
	form_print(&options->form, &printers, &critical);
	critical_clear(&critical);
	return EXIT_SUCCESS;
}

void path_print(const struct selection *selection, int64_t workload, FILE *out)
{
	struct critical critical = { .form = NULL };
	struct selection all = *selection;
	char *problem;

	all.quantities = CRITICAL_QUANTITIES;
	problem = critical_read(&critical, &all, workload, UNKNOWN);
	if (problem)
		screen_print(1, out, "(%s)", problem);
	else
		print_sums(&critical, "What it waited for, on its critical path", out);
	g_free(problem);
	critical_clear(&critical);
}

json_t *path_json(const struct selection *selection, int64_t workload)
{
	struct critical critical = { .form = NULL };
	struct selection all = *selection;
	char *problem;
	json_t *sums;

	all.quantities = CRITICAL_QUANTITIES;
	problem = critical_read(&critical, &all, workload, UNKNOWN);
	sums = problem ? json_null() : sums_json(&critical);
	g_free(problem);
	critical_clear(&critical);
	return sums;
}

static const struct argp_option option_table[] = {
	{ "workload", KEY_WORKLOAD, "ID", 0,
	  "The path from this workload's queueing to its completion", 0 },
	{ "thread", KEY_THREAD, "TID", 0, "The path of this thread through the window", 0 },
	{ "segments", KEY_SEGMENTS, NULL, 0, "Also print the path itself", 0 },
	{ 0 }
};

const struct command path_command = {
	.name = "why path",
	.doc = "Find the critical path of a workload or a thread across vCPU threads, threads of kvmgt and engines.",
	.quantities = CRITICAL_QUANTITIES,
	.columns = TABLES(segment_columns),
	.argp = &(const struct argp) { option_table, parse_option },
	.run = run,
};
