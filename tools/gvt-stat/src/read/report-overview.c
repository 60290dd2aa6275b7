// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first screen of the report, which shows whether to read on.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/remedy.h"
#include "output/bar.h"
#include "output/screen.h"
#include "output/table.h"
#include "trace/util.h"
#include "report.h"

#define BAR		20
#define INDENT		2

struct engine_line {
	const char *engine;
	struct bounds utilization;
	const char *bar;		/* lower bound */
	struct bounds host;		/* utilisation by the host's own work */
	struct bounds queue_len;
	double wait_ns;
	double latency_ns;
	double done_per_second;
};

/* a vGPU over all engines */
struct vgpu_line {
	char label[REPORT_LABEL_LEN];
	const char *vgpu;		/* points to @label */
	struct bounds utilization;
	double slowdown;		/* NAN: unknown */
	double wait_ns;			/* for other vGPUs, mean of all workloads */
	double p99_ns;			/* latency on the worst engine */
	const char *engine;		/* the worst engine */
	const char *mostly;		/* largest part of the wait */
};

#define ENGINE_CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct engine_line, member), title, ##__VA_ARGS__ }
#define VGPU_CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct vgpu_line, member), title, ##__VA_ARGS__ }

static struct column engine_table[] = {
	ENGINE_CELL("ENGINE", TEXT, engine),
	ENGINE_CELL("UTIL%", BOUNDS, utilization),
	ENGINE_CELL("", TEXT, bar),
	{ "host", COLUMN_BOUNDS, offsetof(struct engine_line, host), "HOST%" },
	ENGINE_CELL("QUEUE", BOUNDS, queue_len),
	ENGINE_CELL("WAIT-ms", REAL, wait_ns, UNIT_MS),
	ENGINE_CELL("LATENCY-ms", REAL, latency_ns, UNIT_MS),
	ENGINE_CELL("DONE/s", REAL, done_per_second),
	{ 0 }
};

static const struct column vgpu_table[] = {
	VGPU_CELL("VGPU", TEXT, vgpu),
	VGPU_CELL("UTIL%", BOUNDS, utilization),
	VGPU_CELL("SLOWDOWN", REAL, slowdown),
	VGPU_CELL("FOR-OTHERS-ms", REAL, wait_ns, UNIT_MS),
	VGPU_CELL("MOSTLY", TEXT, mostly),
	VGPU_CELL("P99-ms", REAL, p99_ns, UNIT_MS),
	VGPU_CELL("ON", TEXT, engine),
	{ 0 }
};

static double seconds(const struct report *report)
{
	return (double)(report->follow->window.to_ns - report->follow->window.from_ns) /
	       NSEC_PER_SEC;
}

static struct bounds host_on(const struct report_gpu *gpu, const struct report_engine *engine)
{
	for (unsigned int nr = 0; nr < gpu->host->len; nr++) {
		const struct report_engine *host = gpu->host->pdata[nr];

		if (host->class == engine->class && host->instance == engine->instance)
			return host->utilization;
	}
	return (struct bounds) { NAN, NAN };
}

static void add_engine(struct table *table, const struct report *report,
		       const struct report_gpu *gpu, const struct report_engine *engine)
{
	char text[BAR_LEN], name[REPORT_LABEL_LEN];
	struct engine_line line = {
		.engine = name,
		.utilization = engine->utilization,
		.bar = bar(text, engine->utilization.min / 100, BAR),
		.host = host_on(gpu, engine),
		.queue_len = engine->queue_len,
		.wait_ns = engine->wait.mean_ns,
		.latency_ns = engine->latency.mean_ns,
		.done_per_second = known(engine->completed) ?
				   engine->completed / seconds(report) : NAN,
	};

	if (report->gpus->len > 1)
		snprintf(name, sizeof(name), "%" PRId64 "/%s", gpu->dev, engine->engine);
	else
		g_strlcpy(name, engine->engine, sizeof(name));
	table_line(table, &line);
}

static void print_engines(const struct report *report, FILE *out)
{
	struct table *table;

	if (!report_knows_host(report))
		columns_title(engine_table, "host", NULL);
	table = table_new(engine_table);
	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];

		for (unsigned int engine = 0; engine < gpu->engines->len; engine++)
			add_engine(table, report, gpu, gpu->engines->pdata[engine]);
	}
	table_print(table, "Engines", out);
}

static void fill_slowdown(struct vgpu_line *line, const struct report *report,
			  const struct report_vgpu *vgpu)
{
	const struct vgpu *of = model_vgpu(report->follow->model, vgpu->dev, vgpu->vgpu_id);
	struct slowdown slowdown = check_slowdown(report->check, of);

	line->slowdown = slowdown.times;
	line->wait_ns = slowdown.others_ns;
	line->mostly = slowdown.mostly == PARTS ? NULL : latency_part_name(slowdown.mostly);
}

static void fill_worst_engine(struct vgpu_line *line, const struct report_vgpu *vgpu)
{
	line->p99_ns = NAN;
	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct report_engine *engine = vgpu->engines->pdata[nr];

		if (isnan(engine->latency.p99_ns) || engine->latency.p99_ns <= line->p99_ns)
			continue;
		line->p99_ns = engine->latency.p99_ns;
		line->engine = engine->engine;
	}
}

static struct vgpu_line make_line(const struct report *report, const struct report_vgpu *vgpu)
{
	double ns = seconds(report) * NSEC_PER_SEC;
	/* nothing of the vGPU was seen: missing events may hide its execution */
	bool unseen = vgpu->exec.min == 0 && !vgpu->engines->len;
	struct vgpu_line line = {
		.utilization = unseen && vgpu->exec.max > 0 ? (struct bounds) { NAN, NAN } :
			(struct bounds) { 100 * vgpu->exec.min / ns, 100 * vgpu->exec.max / ns },
	};

	report_label(line.label, report->gpus->len > 1, vgpu->dev, vgpu->vgpu_id, vgpu->vm);
	fill_slowdown(&line, report, vgpu);
	fill_worst_engine(&line, vgpu);
	return line;
}

static int compare(double a, double b)
{
	a = isnan(a) ? 0 : a;
	b = isnan(b) ? 0 : b;
	return (a < b) - (a > b);
}

/* slowest first; idle or unknown vGPUs last */
static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const struct vgpu_line *one = a, *two = b;
	int order = compare(one->slowdown, two->slowdown);

	return order ? order : compare(one->p99_ns, two->p99_ns);
}

static void print_worst(const struct report *report, FILE *out)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct vgpu_line));
	struct table *table = table_new(vgpu_table);

	for (unsigned int nr = 0; nr < report->vgpus->len; nr++) {
		struct vgpu_line line = make_line(report, report->vgpus->pdata[nr]);

		g_array_append_val(lines, line);
	}
	g_array_sort(lines, compare_lines);
	for (unsigned int nr = 0; nr < lines->len; nr++) {
		struct vgpu_line *line = &g_array_index(lines, struct vgpu_line, nr);

		line->vgpu = line->label;
		table_line(table, line);
	}
	table_print(table, "VMs, slowest first (SLOWDOWN 2.5 = takes 2.5 times as long as alone)", out);
	g_array_free(lines, TRUE);
}

static bool has_setting(const struct finding *finding)
{
	for (unsigned int nr = 0; nr < finding->remedies->len; nr++)
		if (g_array_index(finding->remedies, struct remedy, nr).count)
			return true;
	return false;
}

static void print_first(const struct check *check, FILE *out)
{
	const struct finding *finding = check->findings->pdata[0];
	char *remedy = remedies_text(finding->remedies);
	/* only a simulation shows whether a setting helps */
	char *text = has_setting(finding) ?
		     g_strdup("Remedy: 'gvt-stat check' tries what helps in a simulation") :
		     g_strdup_printf("Remedy: %s", remedy);
	int told = screen_width(out), width = told ? told : SCREEN_WIDTH;

	fprintf(out, "\nFirst of %u finding%s of 'gvt-stat check' (%s)\n", check->findings->len,
		check->findings->len > 1 ? "s" : "", finding->rule->name);
	screen_fill(finding->problem, INDENT, width, out);
	screen_fill(text, INDENT, width, out);
	g_free(text);
	g_free(remedy);
}

/* commands that work as they are printed */
static void print_more(const struct report *report, FILE *out)
{
	struct selection usual;
	char *input = make_printable(g_strdup(report->follow->selection->input));
	struct slowdown slowest;

	selection_init(&usual);
	if (!strcmp(input, usual.input))
		*input = '\0';
	fputc('\n', out);
	if (check_slowest(report->check, &slowest))
		screen_print(INDENT, out, "'gvt-stat why%s%s' explains the slowest VM", *input ? " " : "", input);
	screen_print(INDENT, out, "'gvt-stat report -v%s%s' has the details", *input ? " " : "", input);
	selection_clear(&usual);
	g_free(input);
}

void report_overview(const struct report *report, FILE *out)
{
	print_engines(report, out);
	print_worst(report, out);
	if (report->check->findings->len)
		print_first(report->check, out);
	else
		fputs("\n'gvt-stat check' finds nothing wrong\n", out);
	if (report->brief)
		print_more(report, out);
}
