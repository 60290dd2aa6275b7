// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat why: explains why a VM is slow.
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
#include "threads/path.h"
#include "trace/util.h"
#include "contents.h"

/* maximum number of findings; parts below this percentage are omitted for people */
#define MOST_FINDINGS	3
#define LEAST_PERCENT	1

/* of a VM's name, so that lines fit on a terminal */
#define NAME_COLUMNS	16

static char *vm_asked_for;		/* NULL: none, or by --vgpu */

/* of the time of its workloads, of its waits or of an engine: how much went to what */
struct line {
	int64_t dev;
	int64_t vgpu_id;		/* whom the answer is about */
	const char *vm;
	const char *table;		/* "time", "waits", "idle" */
	const char *engine;		/* NULL: all engines */
	const char *reason;		/* for programs */
	const char *text;		/* for people */
	int64_t culprit_vgpu_id;
	const char *culprit_vm;
	double ns;			/* "time": mean per workload */
	double percent;			/* "time": of the mean, otherwise of the window */
	int64_t count;
	int64_t worst_ns;
	int64_t worst_at_ns;
};

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct line, member), ##__VA_ARGS__ }
#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct line, member), title, ##__VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
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
	CELL("%", REAL, percent),
	CELL("WORST-ms", INTEGER, worst_ns, UNIT_MS),
	CELL("AT-s", INTEGER, worst_at_ns, UNIT_S),
	CELL("BECAUSE OF", TEXT, text),
	{ 0 }
};

static const struct column idle_table[] = {
	CELL("ENGINE", TEXT, engine),
	CELL("IDLE-ms", REAL, ns, UNIT_MS),
	CELL("%", REAL, percent),
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

/* of a vGPU, its label follows */
static const char *const wait_texts[WAIT_CLASSES] = {
	[WAIT_UNKNOWN] = "unknown", [WAIT_THROTTLED] = "its slice, which was used up",
	[WAIT_CAPPED] = "its cap", [WAIT_SWITCHING] = "the scheduler, yet to switch",
	[WAIT_HELD] = "an engine kept idle for ", [WAIT_HOST] = "the host's own work",
	[WAIT_OTHER] = "the turn of ", [WAIT_PREEMPTED] = "preemption by ",
	[WAIT_CURRENT] = "its own work, or the CPU",
};

/* why an engine is idle although work for it is in flight */
static const char *const idle_texts[IDLE_REASONS] = {
	[IDLE_I915] = "submitted work was not on it yet", [IDLE_COMPLETION] = "the CPU had to notice an end",
	[IDLE_DISPATCH] = "the CPU had to submit work", [IDLE_SWITCHING] = "the scheduler had to switch",
	[IDLE_HELD] = "it was kept for an expected vGPU",
	[IDLE_STRANDED] = "the turn's vGPU had no work here",
	[IDLE_THROTTLED] = "vGPUs with work had no slice left", [IDLE_CAPPED] = "vGPUs with work had met their cap",
};

struct result {
	const struct options *options;
	const struct check *check;
	const struct vgpu *vgpu;	/* NULL: none is slower than alone */
	struct slowdown slowdown;
	struct summary worst;		/* latency on the worst engine */
};

static double percent_of_window(const struct result *result, double ns)
{
	const struct window *window = &result->check->follow->window;

	return window->to_ns > window->from_ns ? 100 * ns / (window->to_ns - window->from_ns) : NAN;
}

static int64_t number_of(const struct vgpu *vgpu)
{
	return vgpu ? vgpu_number(vgpu->id) : UNKNOWN;
}

static void tell(const struct result *result, struct line *line, record_fn call, void *to)
{
	line->dev = result->vgpu->dev;
	line->vgpu_id = number_of(result->vgpu);
	line->vm = result->vgpu->vm;
	call(to, line);
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

		tell(result, &(struct line) {
			.table = "time", .reason = latency_part_name(part), .text = part_texts[part],
			.culprit_vgpu_id = UNKNOWN, .ns = ns / count, .count = count,
			.percent = total_ns ? 100 * ns / total_ns : NAN,
			.worst_ns = UNKNOWN, .worst_at_ns = UNKNOWN,
		}, call, to);
	}
}

static char *wait_text(const struct blame_row *row)
{
	const struct vgpu *culprit = row->culprit;
	const char *name = culprit && culprit->vm ? culprit->vm : NULL;
	bool long_name = name && g_utf8_validate(name, -1, NULL) && g_utf8_strlen(name, -1) > NAME_COLUMNS;
	char *cut = long_name ? g_utf8_substring(name, 0, NAME_COLUMNS - 3) : NULL;
	char *text;

	if (name)
		text = g_strdup_printf("%svGPU %" PRId64 " (%s%s)", wait_texts[row->class], number_of(culprit),
				       cut ? cut : name, cut ? "..." : "");
	else if (culprit)
		text = g_strdup_printf("%svGPU %" PRId64, wait_texts[row->class], number_of(culprit));
	else
		text = g_strdup(row->class == WAIT_PREEMPTED ? "preemption" :
				row->class == WAIT_OTHER ? "the turn of another vGPU" :
				row->class == WAIT_HELD ? "an engine kept idle" : wait_texts[row->class]);
	g_free(cut);
	return text;
}

static void add_wait(const struct result *result, const struct blame_row *row, record_fn call, void *to)
{
	const struct gpu_engine *engine = row->queue->engine;
	char *text = wait_text(row);
	struct line line = {
		.table = "waits", .reason = wait_class_name(row->class), .text = text,
		.culprit_vgpu_id = number_of(row->culprit),
		.culprit_vm = row->culprit ? row->culprit->vm : NULL,
		.ns = row->wait_ns, .percent = percent_of_window(result, row->wait_ns),
		.count = row->count, .worst_ns = row->worst_ns, .worst_at_ns = row->worst_at_ns,
	};

	line.engine = engine->name;
	tell(result, &line, call, to);
	g_free(text);
}

static gint compare_waits(gconstpointer a, gconstpointer b)
{
	const struct blame_row *one = *(const struct blame_row *const *)a;
	const struct blame_row *two = *(const struct blame_row *const *)b;

	return (one->wait_ns < two->wait_ns) - (one->wait_ns > two->wait_ns);
}

/* longest wait first */
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
		line.engine = engine->name;
		tell(result, &line, call, to);
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

static bool uses(const struct result *result, const struct gpu_engine *engine)
{
	const GPtrArray *queues = result->vgpu->gpu->queues;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->engine == engine && is_wanted(result, queue))
			return true;
	}
	return false;
}

/* of this vGPU, of an engine or a GPU that it uses, or of the whole trace */
static bool concerns(const struct result *result, const struct finding *finding)
{
	if (known(finding->vgpu_id) && (finding->vgpu_id != result->vgpu->id || finding->dev != result->vgpu->dev))
		return false;
	if (known(finding->dev) && finding->dev != result->vgpu->dev)
		return false;
	return !finding->engine || uses(result, finding->engine);
}

static void find_worst(struct result *result)
{
	const GPtrArray *queues = result->vgpu->gpu->queues;

	result->worst.max_ns = result->worst.max_at_ns = result->worst.max_workload_id = UNKNOWN;
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

/* Finding the path reads the trace again; ids of workloads are unique only per GPU. */
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

/* the lines to print: those of at least LEAST_PERCENT */
struct shown {
	const struct column *cells;
	struct table *table;		/* NULL: there are none */
};

static void add_line(void *to, const void *record)
{
	const struct line *line = record;
	struct shown *shown = to;

	if (!(line->percent >= LEAST_PERCENT))
		return;
	if (!shown->table)
		shown->table = table_new(shown->cells);
	table_line(shown->table, line);
}

static void print_table(const struct result *result, const struct column *cells, const char *heading,
			void (*each)(const struct result *result, record_fn call, void *to), bool is_known)
{
	struct shown shown = { cells, NULL };

	each(result, add_line, &shown);
	if (shown.table)
		table_print(shown.table, heading, stdout);
	else
		screen_print(2, stdout, "\n%s: %s", heading, is_known ? "nothing above 1 %" : "not known");
}

/* Workloads that failed, or did not end, have no latency. */
static void print_unfinished(const struct result *result)
{
	const GPtrArray *queues = result->vgpu->gpu->queues;
	int64_t open = 0, failed = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct metrics_row *row = metrics_of_vgpu_engine(result->check->metrics, queue->index);

		if (!is_wanted(result, queue))
			continue;
		open += row->open;
		failed += row->failed;
		if (row->failed_for_ns)
			printf("\nA workload failed at " SECONDS " s, after %.3f ms\n", SECONDS_OF(row->failed_at_ns),
			       (double)row->failed_for_ns / NSEC_PER_MSEC);
	}
	if (open || failed)
		screen_print(2, stdout, "\nNot in these times: %" PRId64 " failed, %" PRId64 " unfinished at the end ('gvt-stat list -s total_ns')",
			     failed, open);
}

static void print_worst(const struct result *result)
{
	char number[24], *gpus[2];
	struct selection selection = of_its_gpu(result, gpus, number);

	if (!known(result->worst.max_workload_id))
		return;
	printf("\nThe worst completed workload is number %" PRId64 ": %.3f ms, from " SECONDS " s on\n",
	       result->worst.max_workload_id, (double)result->worst.max_ns / NSEC_PER_MSEC,
	       SECONDS_OF(result->worst.max_at_ns));
	path_print(&selection, result->worst.max_workload_id, stdout);
}

static unsigned int count_unchecked(const struct check *check)
{
	unsigned int count = 0;

	for (const struct rule *rule = rules; rule->name; rule++)
		count += !check_can(check, rule);
	return count;
}

static unsigned int print_those(const struct result *result, bool of_trace, unsigned int count)
{
	const GPtrArray *findings = result->check->findings;

	for (guint nr = 0; nr < findings->len; nr++) {
		const struct finding *finding = findings->pdata[nr];

		if (!concerns(result, finding) || known(finding->dev) == of_trace)
			continue;
		if (!count)
			puts("\nWhat 'gvt-stat check' finds, and has remedies for");
		if (count++ < MOST_FINDINGS)
			screen_print(2, stdout, "- %s (%s)", finding->problem, finding->rule->name);
	}
	return count;
}

/* first the findings on the vGPU and its engines, then the trace's */
static void print_findings(const struct result *result)
{
	unsigned int count = print_those(result, true, print_those(result, false, 0));
	unsigned int unchecked = count_unchecked(result->check);

	if (count > MOST_FINDINGS)
		printf("(%u more)\n", count - MOST_FINDINGS);
	if (!count && result->check->findings->len)
		printf("\nWhat 'gvt-stat check' finds is about others: %u finding%s\n", result->check->findings->len,
		       result->check->findings->len > 1 ? "s" : "");
	else if (!count)
		puts("\nNo rule of 'gvt-stat check' finds anything");
	if (unchecked)
		printf("(%u rule%s not checked, as events are missing)\n", unchecked, unchecked > 1 ? "s" : "");
}

static void print_who(const struct result *result)
{
	const struct slowdown *slowdown = &result->slowdown;
	bool several = model_gpus(result->check->follow->model)->len > 1;
	char *who = several ? g_strdup_printf("%s of GPU %" PRId64, result->vgpu->label, result->vgpu->dev) :
			      g_strdup(result->vgpu->label);

	putchar('\n');
	if (isnan(slowdown->times))
		screen_print(2, stdout, "%s: how much slower it is than alone is not known, as no workload was seen from queueing to completion",
			     who);
	else if (isinf(slowdown->times))
		screen_print(2, stdout, "%s completed nothing: mostly, its work %s", who, part_texts[slowdown->mostly]);
	else if (slowdown->mostly == PARTS)
		screen_print(2, stdout, "%s did not wait for others", who);
	else
		screen_print(2, stdout, "%s takes %.2f times as long as alone: a workload waits %.3f ms for others on average; mostly, it %s",
			     who, slowdown->times, slowdown->others_ns / NSEC_PER_MSEC,
			     part_texts[slowdown->mostly]);
	g_free(who);
}

/* Is it known of any of those that are asked for? */
static bool any_known(const struct check *check)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (selection_vgpu(check->follow->selection, vgpus->pdata[nr]) &&
		    !isnan(check_slowdown(check, vgpus->pdata[nr]).times))
			return true;
	return false;
}

static void print_text(const void *data)
{
	const struct result *result = data;
	const struct trace_info *trace = result->check->follow->trace;

	notes_head(result->check->follow, stdout);
	if (result->vgpu) {
		print_who(result);
		print_table(result, time_table, "Where the time of its workloads goes, from queueing to completion",
			    each_time, quantity_known(trace, QUANTITY_SPLIT));
		print_table(result, wait_table, "How long its work waited", each_wait,
			    quantity_partly_known(trace, QUANTITY_BLAME));
		print_table(result, idle_table, "How long its engines were idle with work waiting", each_idle,
			    quantity_known(trace, QUANTITY_IDLE));
		print_worst(result);
		print_unfinished(result);
		print_findings(result);
	} else if (any_known(result->check)) {
		puts("\nNo VM is slower than alone: name one to see where its time goes");
	} else {
		puts("\nHow slow the VMs are is not known: name one to see what is");
	}
	notes_tail(result->check->follow, stdout);
}

static json_t *lines_json(const struct result *result,
			  void (*each)(const struct result *result, record_fn call, void *to))
{
	struct json_lines lines = { form_columns(&result->options->form, columns), json_array() };

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
			    path_json(&selection, result->worst.max_workload_id) : json_null());
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
	json_t *document = document_new(result->check->follow, result->options->form.command);

	document_add_window(document, result->check->follow->window);
	json_object_set_new(document, "dev", json_number(result->vgpu ? result->vgpu->dev : UNKNOWN));
	json_object_set_new(document, "vgpu_id", json_number(number_of(result->vgpu)));
	json_object_set_new(document, "vm", json_text(result->vgpu ? result->vgpu->vm : NULL));
	json_object_set_new(document, "slowdown", json_decimal(result->vgpu ? result->slowdown.times : NAN));
	json_object_set_new(document, "time", result->vgpu ? lines_json(result, each_time) : json_array());
	json_object_set_new(document, "waits", result->vgpu ? lines_json(result, each_wait) : json_array());
	json_object_set_new(document, "idle", result->vgpu ? lines_json(result, each_idle) : json_array());
	json_object_set_new(document, "worst", result->vgpu ? worst_json(result) : json_null());
	json_object_set_new(document, "findings", result->vgpu ? findings_json(result) : json_array());
	document_print(document, stdout);
}

static void print_lines(const void *data)
{
	const struct result *result = data;
	struct sheet *sheet = sheet_begin(&result->options->form, columns);

	if (result->vgpu) {
		each_time(result, sheet_line, sheet);
		each_wait(result, sheet_line, sheet);
		each_idle(result, sheet_line, sheet);
	}
	sheet_end(sheet);
	notes_warn(result->check->follow);
}

static const struct vgpu *first_selected(const struct follow *follow)
{
	const GPtrArray *vgpus = model_vgpus(follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (selection_vgpu(follow->selection, vgpus->pdata[nr]))
			return vgpus->pdata[nr];
	return NULL;
}

/* A vGPU named by the user is explained even if it has no problem. */
static void choose_vgpu(struct result *result)
{
	if (check_slowest(result->check, &result->slowdown)) {
		result->vgpu = result->slowdown.vgpu;
		return;
	}
	if (result->check->follow->selection->vgpus)
		result->vgpu = first_selected(result->check->follow);
	if (result->vgpu)
		result->slowdown = check_slowdown(result->check, result->vgpu);
}

static void check_vm(const struct check *check)
{
	if (!first_selected(check->follow))
		fatal("'%s' is neither a file nor a VM in %s: 'gvt-stat report' lists the VMs, 'gvt-stat why --help' the details",
		      make_printable(vm_asked_for), check->follow->trace->path);
}

static int explain(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_text };
	struct follow follow;
	struct check check;
	struct result result = { .options = options, .check = &check };

	follow_open(&follow, &options->selection);
	check_begin(&check, &follow, CHECK_QUANTITIES);
	follow_run(&follow);
	if (vm_asked_for)
		check_vm(&check);
	check_end(&check);
	choose_vgpu(&result);
	if (result.vgpu)
		find_worst(&result);
	form_print(&options->form, &printers, &result);
	check_clear(&check);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	char *vgpus[] = { vm_asked_for, NULL };
	struct options of_vm = *options;

	if (vm_asked_for)
		of_vm.selection.vgpus = vgpus;
	return explain(&of_vm);
}

static bool is_trace(const struct options *options, const char *arg)
{
	if (options->has_input)
		return false;
	return !strcmp(arg, "-") || strchr(arg, '/') || g_str_has_suffix(arg, ".dat") ||
	       g_file_test(arg, G_FILE_TEST_EXISTS);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == ARGP_KEY_INIT)
		vm_asked_for = NULL;
	if (key == ARGP_KEY_END && vm_asked_for && options->selection.vgpus)
		argp_error(state, "'%s' and --vgpu: name one VM", make_printable(vm_asked_for));
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	/* a trace may be named without -i everywhere */
	if (is_trace(options, arg))
		options_input(options, arg, state);
	else if (vm_asked_for)
		argp_error(state, "'%s' is a second VM: name one", make_printable(arg));
	else
		vm_asked_for = arg;
	return 0;
}

const struct command why_command = {
	.name = "why",
	.doc = "Explain why a VM is slow: where the time of its workloads goes, what they wait for, and the worst of them; without VM, of the slowest one.",
	.quantities = CHECK_QUANTITIES | QUANTITY_BIT(QUANTITY_SPLIT),
	.columns = TABLES(columns),
	.argp = &(const struct argp) { .parser = parse_option, .args_doc = "[VM] [TRACE]" },
	.run = run,
};
