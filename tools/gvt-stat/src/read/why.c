// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat why: all that explains why one VM is slow, on one screen.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blame.h"
#include "analysis/check.h"
#include "analysis/idle.h"
#include "analysis/metrics.h"
#include "analysis/remedy.h"
#include "cmd/command.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "output/table.h"
#include "threads/critical.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "contents.h"

/* findings that are printed, and what takes less of the time than this part is left out for people */
#define MOST_FINDINGS	3
#define LEAST_PERCENT	1

/* of the time of its workloads, of its waits or of an engine: how much went to what */
struct line {
	const char *table;		/* "time", "waits", "idle" */
	char name[ENGINE_NAME_LEN];
	const char *engine;		/* NULL: all of its engines */
	const char *reason;		/* for programs */
	const char *text;		/* for people */
	int64_t culprit_vgpu_id;
	const char *culprit_vm;
	double ns;			/* "time": mean of a workload */
	double percent;			/* "time": of that, else of the window */
	int64_t count;
	int64_t worst_ns;
	int64_t worst_at_ns;
};

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct line, member), ##__VA_ARGS__ }
#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct line, member), title, ##__VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(TEXT, table),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, reason),
	COLUMN(INTEGER, culprit_vgpu_id),
	COLUMN(TEXT, culprit_vm),
	COLUMN(REAL, ns),
	COLUMN(REAL, percent),
	COLUMN(INTEGER, count),
	COLUMN(INTEGER, worst_ns),
	COLUMN(INTEGER, worst_at_ns),
	{ 0 }
};

static const struct column time_table[] = {
	CELL("MEAN-ms", REAL, ns, UNIT_MS),
	CELL("%", REAL, percent),
	CELL("A WORKLOAD", TEXT, text),
	{ 0 }
};

static const struct column wait_table[] = {
	CELL("ENGINE", TEXT, engine),
	CELL("WAITED-ms", REAL, ns, UNIT_MS),
	CELL("% OF TIME", REAL, percent),
	CELL("WORST-ms", INTEGER, worst_ns, UNIT_MS),
	CELL("AT-s", INTEGER, worst_at_ns, UNIT_S),
	CELL("FOR", TEXT, text),
	{ 0 }
};

static const struct column idle_table[] = {
	CELL("ENGINE", TEXT, engine),
	CELL("IDLE-ms", REAL, ns, UNIT_MS),
	CELL("% OF TIME", REAL, percent),
	CELL("LONGEST-ms", INTEGER, worst_ns, UNIT_MS),
	CELL("AT-s", INTEGER, worst_at_ns, UNIT_S),
	CELL("BECAUSE", TEXT, text),
	{ 0 }
};

static const char *const part_texts[PARTS] = {
	[PART_OTHER] = "waits for another vGPU, whose turn it is",
	[PART_THROTTLED] = "waits for a slice: its vGPU has used up its own",
	[PART_CAPPED] = "waits because its vGPU's cap is reached",
	[PART_HELD] = "waits while the GPU is kept idle for another vGPU",
	[PART_HOST] = "waits for the host's own work",
	[PART_SWITCHING] = "waits for the scheduler to switch",
	[PART_OWN] = "waits for other work of its own vGPU",
	[PART_DISPATCH] = "waits for the CPU to submit it",
	[PART_I915] = "waits in i915, submitted",
	[PART_EXEC] = "executes",
	[PART_PREEMPTED] = "is preempted by work of others",
	[PART_COMPLETION] = "waits for the CPU to notice its end",
	[PART_UNKNOWN] = "waits for a reason that is not in the trace",
};

static const char *const wait_texts[WAIT_CLASSES] = {
	[WAIT_UNKNOWN] = "a reason that is not in the trace", [WAIT_THROTTLED] = "a slice of its own",
	[WAIT_CAPPED] = "its cap", [WAIT_SWITCHING] = "a switch of the scheduler",
	[WAIT_HELD] = "an idle GPU, kept for ", [WAIT_HOST] = "the host's own work",
	[WAIT_OTHER] = "the turn of ", [WAIT_PREEMPTED] = "who preempted it: ",
	[WAIT_CURRENT] = "other work of its own, or the CPU",
};

/* what keeps an engine idle although there is work for it */
static const char *const idle_texts[IDLE_REASONS] = {
	[IDLE_I915] = "submitted work was not yet on it", [IDLE_COMPLETION] = "the CPU had to notice an end",
	[IDLE_DISPATCH] = "the CPU had to submit work", [IDLE_SWITCHING] = "the scheduler had to switch",
	[IDLE_HELD] = "it was kept for an expected vGPU",
	[IDLE_STRANDED] = "it was the turn of a vGPU without work for it",
	[IDLE_THROTTLED] = "who had work had no slice left", [IDLE_CAPPED] = "caps were reached",
};

struct result {
	const struct options *options;
	const struct form *form;
	const struct check *check;
	const struct vgpu *vgpu;	/* NULL: none is slower than alone */
	struct slowdown slowdown;
	struct summary worst;		/* latency, of the worst engine */
};

static double percent_of_window(const struct result *result, double ns)
{
	const struct window *window = &result->check->follow->window;

	return window->to_ns > window->from_ns ? 100 * ns / (window->to_ns - window->from_ns) : NAN;
}

static bool is_wanted(const struct result *result, const struct vgpu_engine *queue)
{
	return queue->vgpu == result->vgpu && selection_queue(result->check->follow->selection, queue);
}

static void each_time(const struct result *result, record_fn call, void *to)
{
	const struct trace_info *trace = result->check->follow->trace;
	const GPtrArray *queues = result->vgpu->gpu->queues;
	int64_t sums_ns[PARTS] = { 0 }, total_ns = 0, count = 0;

	if (!quantity_known(trace, QUANTITY_SPLIT))
		return;
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct metrics_row *row = metrics_of_vgpu_engine(result->check->metrics, queue->index);

		if (!is_wanted(result, queue))
			continue;
		count += row->split_count;
		total_ns += row->split_total_ns;
		for (enum latency_part part = 0; part < PARTS; part++)
			sums_ns[part] += row->split_ns[part];
	}
	for (enum latency_part part = 0; count && part < PARTS; part++) {
		bool unknown = part == PART_HOST && !quantity_known(trace, QUANTITY_HOST);
		double ns = unknown ? NAN : sums_ns[part];

		call(to, &(struct line) {
			.table = "time", .reason = latency_part_name(part), .text = part_texts[part],
			.culprit_vgpu_id = UNKNOWN, .ns = ns / count, .count = count,
			.percent = total_ns ? 100 * ns / total_ns : NAN,
			.worst_ns = UNKNOWN, .worst_at_ns = UNKNOWN,
		});
	}
}

static void add_wait(const struct result *result, const struct blame_row *row, record_fn call, void *to)
{
	const struct gpu_engine *engine = row->queue->engine;
	char *text = g_strconcat(wait_texts[row->class], row->culprit ? row->culprit->label : "", NULL);
	struct line line = {
		.table = "waits", .reason = wait_class_name(row->class), .text = text,
		.culprit_vgpu_id = row->culprit ? row->culprit->id : UNKNOWN,
		.culprit_vm = row->culprit ? row->culprit->vm : NULL,
		.ns = row->wait_ns, .percent = percent_of_window(result, row->wait_ns),
		.count = row->count, .worst_ns = row->worst_ns, .worst_at_ns = row->worst_at_ns,
	};

	line.engine = engine_name(line.name, engine->class, engine->instance);
	call(to, &line);
	g_free(text);
}

static gint compare_waits(gconstpointer a, gconstpointer b)
{
	const struct blame_row *one = *(const struct blame_row *const *)a;
	const struct blame_row *two = *(const struct blame_row *const *)b;

	return (one->wait_ns < two->wait_ns) - (one->wait_ns > two->wait_ns);
}

/* the longest first */
static void each_wait(const struct result *result, record_fn call, void *to)
{
	const struct follow *follow = result->check->follow;
	const GPtrArray *rows = blame_rows(result->check->blame);
	GPtrArray *sorted = g_ptr_array_new();

	for (unsigned int nr = 0; quantity_partly_known(follow->trace, QUANTITY_BLAME) && nr < rows->len; nr++) {
		struct blame_row *row = rows->pdata[nr];

		if (is_wanted(result, row->queue) &&
		    !known(contradiction_at(follow, SUM_WAITS, row->queue->engine, row->queue->vgpu)))
			g_ptr_array_add(sorted, row);
	}
	g_ptr_array_sort(sorted, compare_waits);
	for (unsigned int nr = 0; nr < sorted->len; nr++)
		add_wait(result, sorted->pdata[nr], call, to);
	g_ptr_array_free(sorted, TRUE);
}

static void add_idle(const struct result *result, const struct gpu_engine *engine, record_fn call, void *to)
{
	const struct idle_row *row = idle_of(result->check->idle, engine);

	for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
		struct line line = {
			.table = "idle", .reason = idle_reason_name(reason), .text = idle_texts[reason],
			.culprit_vgpu_id = UNKNOWN, .ns = row->time_ns[reason],
			.percent = percent_of_window(result, row->time_ns[reason]), .count = UNKNOWN,
			.worst_ns = row->longest_ns[reason], .worst_at_ns = row->longest_at_ns[reason],
		};

		if (!idle_texts[reason] || !row->time_ns[reason])
			continue;
		line.engine = engine_name(line.name, engine->class, engine->instance);
		call(to, &line);
	}
}

static void each_idle(const struct result *result, record_fn call, void *to)
{
	const struct follow *follow = result->check->follow;
	const GPtrArray *queues = result->vgpu->gpu->queues;

	for (unsigned int nr = 0; quantity_known(follow->trace, QUANTITY_IDLE) && nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (is_wanted(result, queue) && !known(contradiction_at(follow, SUM_ENGINE, queue->engine, NULL)))
			add_idle(result, queue->engine, call, to);
	}
}

static bool concerns(const struct result *result, const struct finding *finding)
{
	return finding->dev == result->vgpu->dev &&
	       (!known(finding->vgpu_id) || finding->vgpu_id == result->vgpu->id);
}

static void find_worst(struct result *result)
{
	const GPtrArray *queues = result->vgpu->gpu->queues;

	result->worst.max_ns = result->worst.max_workload_id = UNKNOWN;
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct summary latency;

		if (!is_wanted(result, queue))
			continue;
		latency = series_summary(metrics_of_vgpu_engine(result->check->metrics, queue->index)->latency);
		if (known(latency.max_ns) && (!known(result->worst.max_ns) || latency.max_ns > result->worst.max_ns))
			result->worst = latency;
	}
}

/* The path needs the trace once more, whose workloads are numbered by GPU. */
static struct selection of_its_gpu(const struct result *result, char *gpus[2], char number[24])
{
	struct selection selection = result->options->selection;

	g_snprintf(number, 24, "%" PRId64, result->vgpu->dev);
	gpus[0] = number;
	gpus[1] = NULL;
	selection.gpus = gpus;
	selection.vgpus = NULL;
	selection.engines = NULL;
	return selection;
}

static void add_line(void *table, const void *record)
{
	const struct line *line = record;

	if (line->percent >= LEAST_PERCENT)
		table_line(table, line);
}

static void print_table(const struct result *result, const struct column *cells, const char *heading,
			void (*each)(const struct result *result, record_fn call, void *to))
{
	struct table *table = table_new(cells);

	each(result, add_line, table);
	table_print(table, heading, stdout);
}

static void print_worst(const struct result *result)
{
	char number[24], *gpus[2];
	struct selection selection = of_its_gpu(result, gpus, number);

	if (!known(result->worst.max_workload_id))
		return;
	printf("\nIts worst workload is %" PRId64 ": %.3f ms, from " SECONDS " s on\n",
	       result->worst.max_workload_id, (double)result->worst.max_ns / NSEC_PER_MSEC,
	       SECONDS_OF(result->worst.max_at_ns));
	critical_print(&selection, result->worst.max_workload_id, stdout);
}

static void print_findings(const struct result *result)
{
	const GPtrArray *findings = result->check->findings;
	int count = 0;

	for (guint nr = 0; nr < findings->len && count < MOST_FINDINGS; nr++) {
		const struct finding *finding = findings->pdata[nr];

		if (!concerns(result, finding))
			continue;
		if (!count++)
			puts("\nWhat 'gvt-stat check' finds of it, and has remedies for");
		screen_print(2, stdout, "- %s (%s)", finding->problem, finding->rule->name);
	}
	if (!count)
		puts("\n'gvt-stat check' finds nothing wrong with it");
}

static void print_text(const void *data)
{
	const struct result *result = data;
	const struct slowdown *slowdown = &result->slowdown;

	notes_head(result->check->follow, stdout);
	if (!result->vgpu) {
		puts("\nNo VM is slower than alone: name one to see where its time goes");
	} else {
		putchar('\n');
		if (isnan(slowdown->times))
			screen_print(2, stdout, "%s: how much slower than alone is not known", result->vgpu->label);
		else if (slowdown->mostly == PARTS)
			screen_print(2, stdout, "%s waits for nobody", result->vgpu->label);
		else
			screen_print(2, stdout, "%s takes %.2f times as long as alone: a workload waits %.3f ms for others on average; mostly, it %s",
				     result->vgpu->label, slowdown->times, slowdown->others_ns / NSEC_PER_MSEC,
				     part_texts[slowdown->mostly]);
		print_table(result, time_table, "Where the time of its workloads goes, from queueing to completion", each_time);
		print_table(result, wait_table, "What its work waited for", each_wait);
		print_table(result, idle_table, "Why its engines were idle with work waiting", each_idle);
		print_worst(result);
		print_findings(result);
	}
	notes_tail(result->check->follow, stdout);
}

static json_t *lines_json(const struct result *result,
			  void (*each)(const struct result *result, record_fn call, void *to))
{
	struct json_lines lines = { form_columns(result->form, columns), json_array() };

	each(result, json_lines_add, &lines);
	return lines.lines;
}

static json_t *worst_json(const struct result *result)
{
	char number[24], *gpus[2];
	struct selection selection = of_its_gpu(result, gpus, number);
	json_t *json = json_pack("{s:o, s:o, s:o}", "workload_id", json_number(result->worst.max_workload_id),
				 "latency_ns", json_number(result->worst.max_ns),
				 "at_ns", json_number(result->worst.max_at_ns));

	json_object_set_new(json, "path", known(result->worst.max_workload_id) ?
			    critical_json(&selection, result->worst.max_workload_id) : json_null());
	return json;
}

static json_t *findings_json(const struct result *result)
{
	json_t *json = json_array();

	for (guint nr = 0; nr < result->check->findings->len; nr++) {
		const struct finding *finding = result->check->findings->pdata[nr];

		if (concerns(result, finding))
			json_array_append_new(json, json_pack("{s:s, s:s}", "rule", finding->rule->name,
							      "problem", finding->problem));
	}
	return json;
}

static void print_json(const void *data)
{
	const struct result *result = data;
	json_t *document = document_new(result->check->follow, result->form->command);

	document_add_window(document, result->check->follow->window);
	json_object_set_new(document, "dev", result->vgpu ? json_number(result->vgpu->dev) : json_null());
	json_object_set_new(document, "vgpu_id", result->vgpu ? json_number(result->vgpu->id) : json_null());
	json_object_set_new(document, "vm", json_text(result->vgpu ? result->vgpu->vm : NULL));
	json_object_set_new(document, "slowdown", json_decimal(result->vgpu ? result->slowdown.times : NAN));
	json_object_set_new(document, "time", result->vgpu ? lines_json(result, each_time) : json_array());
	json_object_set_new(document, "waits", result->vgpu ? lines_json(result, each_wait) : json_array());
	json_object_set_new(document, "idle", result->vgpu ? lines_json(result, each_idle) : json_array());
	json_object_set_new(document, "worst", result->vgpu ? worst_json(result) : json_null());
	json_object_set_new(document, "findings", result->vgpu ? findings_json(result) : json_array());
	document_print(document, stdout);
}

static void add_to_sheet(void *sheet, const void *line)
{
	sheet_line(sheet, line);
}

static void print_lines(const void *data)
{
	const struct result *result = data;
	struct sheet *sheet = sheet_begin(result->form, columns);

	if (result->vgpu) {
		each_time(result, add_to_sheet, sheet);
		each_wait(result, add_to_sheet, sheet);
		each_idle(result, add_to_sheet, sheet);
	}
	sheet_end(sheet);
	notes_warn(result->check->follow);
}

/* Who is asked for is explained even if nothing is wrong with it. */
static void choose_vgpu(struct result *result)
{
	const struct selection *selection = result->check->follow->selection;
	const GPtrArray *vgpus = model_vgpus(result->check->follow->model);

	if (check_slowest(result->check, &result->slowdown)) {
		result->vgpu = result->slowdown.vgpu;
		return;
	}
	for (unsigned int nr = 0; selection->vgpus && nr < vgpus->len && !result->vgpu; nr++)
		if (selection_vgpu(selection, vgpus->pdata[nr]))
			result->vgpu = vgpus->pdata[nr];
	if (result->vgpu)
		result->slowdown = check_slowdown(result->check, result->vgpu);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_text };
	struct follow follow;
	struct check check;
	struct result result = { .options = options, .form = &options->form, .check = &check };

	follow_open(&follow, &options->selection);
	check_begin(&check, &follow, CHECK_QUANTITIES);
	follow_run(&follow);
	check_end(&check);
	choose_vgpu(&result);
	if (result.vgpu)
		find_worst(&result);
	form_print(&options->form, &printers, &result);
	check_clear(&check);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	/* a trace may be named without -i everywhere */
	if (g_file_test(arg, G_FILE_TEST_IS_REGULAR))
		options_input(state->input, arg, state);
	else
		options_vgpu(state->input, arg, state);
	return 0;
}

static const struct argp argp = { .parser = parse_option, .args_doc = "[VM] [TRACE]" };

static const struct column *const tables[] = { columns, NULL };

const struct command why_command = {
	.name = "why",
	.doc = "Explain why a VM is slow: where the time of its workloads goes, what they wait for, and the worst of them; without VM, of the slowest one.",
	.quantities = CHECK_QUANTITIES | QUANTITY_BIT(QUANTITY_SPLIT),
	.columns = tables,
	.argp = &argp,
	.run = run,
};
