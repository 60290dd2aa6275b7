// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>

#include "trace/events.h"
#include "trace/util.h"
#include "compare.h"

/* default block length, reduced for short traces to get at least 10 blocks */
#define DEFAULT_BLOCK_NS	NSEC_PER_SEC
#define ENOUGH_BLOCKS		10

#define PER_TIME	((size_t)-1)	/* x is the length of the block in ns */
#define BLOCK(member)	offsetof(struct sample_block, member)

const struct compare_metric compare_metrics[] = {
	{ "utilization_percent", "UTIL%", QUANTITY_EXECUTION, BLOCK(exec_ns), PER_TIME,
	  100, 1, 0,
	  "utilization", BLOCK(done), UNIT_NUMBER },
	{ "completed_per_second", "completed /s", QUANTITY_COMPLETIONS, BLOCK(done), PER_TIME,
	  NSEC_PER_SEC, 1, 0,
	  "completed", BLOCK(done), UNIT_NUMBER },
	{ "failed_per_second", "failed /s", QUANTITY_COMPLETIONS, BLOCK(failed),
	  PER_TIME, NSEC_PER_SEC, 1, 0,
	  "failed", BLOCK(failed), UNIT_NUMBER },
	{ "exec_mean_ns", "exec, mean ms", QUANTITY_EXECUTION, BLOCK(exec_sum_ns),
	  BLOCK(execs), 1, 1e-6, 0,
	  "exec", BLOCK(execs), UNIT_TIME },
	{ "wait_mean_ns", "wait, mean ms", QUANTITY_WAIT, BLOCK(wait_ns), BLOCK(waits), 1, 1e-6,
	  0,
	  "wait", BLOCK(waits), UNIT_TIME },
	{ "latency_mean_ns", "latency, mean ms", QUANTITY_WAIT, BLOCK(latency_ns),
	  BLOCK(latencies), 1, 1e-6, 0,
	  "latency", BLOCK(latencies), UNIT_TIME },
	{ "latency_p50_ns", "latency, p50 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.5,
	  "p50", BLOCK(latencies), UNIT_TIME },
	{ "latency_p95_ns", "latency, p95 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.95,
	  "p95", BLOCK(latencies), UNIT_TIME },
	{ "latency_p99_ns", "latency, p99 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.99,
	  "p99", BLOCK(latencies), UNIT_TIME },
	{ "watts", "watts", QUANTITY_EXECUTION, BLOCK(nj), BLOCK(counted_ns), 1, 1, 0,
	  "power", BLOCK(done), UNIT_NUMBER, .energy = true },
	{ "joules_per_workload", "energy, mJ /done", QUANTITY_COMPLETIONS, BLOCK(nj), BLOCK(counted_done), 1e-9, 1e3, 0,
	  "energy", BLOCK(counted_done), UNIT_NUMBER, .energy = true },
	{ 0 }
};

/* A queue that only the other trace contains was idle in all blocks of this trace. */
static unsigned int count_blocks(const struct sample *sample, const struct sample_row *row)
{
	return row ? row->blocks->len : sample->blocks;
}

static struct estimate estimate_metric(const struct sample *sample, const struct sample_row *row,
				       const struct compare_metric *metric)
{
	unsigned int blocks = count_blocks(sample, row);
	double *y = g_new0(double, blocks), *x = g_new0(double, blocks);
	struct estimate estimate;

	for (unsigned int nr = 0; nr < blocks; nr++) {
		const char *block = row ? (const char *)&g_array_index(row->blocks,
					  struct sample_block, nr) : NULL;

		y[nr] = block ? metric->scale * *(const double *)(block + metric->y) : 0;
		x[nr] = metric->x == PER_TIME ? sample->block_ns :
			block ? *(const double *)(block + metric->x) : 0;
	}
	estimate = estimate_ratio(y, x, blocks);
	if (metric->energy && row)
		estimate.variance += pow(estimate.value * row->energy_error, 2);
	g_free(x);
	g_free(y);
	return estimate;
}

static struct contrast contrast_metric(struct sample *const samples[2],
				       const struct sample_row *const rows[2], struct compare_line *line)
{
	const struct compare_metric *metric = line->metric;
	GArray *none = g_array_new(FALSE, FALSE, sizeof(struct block_value));
	struct quantile quantiles[2];
	struct estimate estimates[2];

	for (int nr = 0; nr < 2; nr++) {
		if (metric->quantile > 0)
			quantiles[nr] = estimate_quantile(rows[nr] ? rows[nr]->latencies : none,
							  count_blocks(samples[nr], rows[nr]), metric->quantile);
		else
			estimates[nr] = estimate_metric(samples[nr], rows[nr], metric);
	}
	g_array_free(none, TRUE);
	line->a = metric->quantile > 0 ? quantiles[0].value : estimates[0].value;
	line->b = metric->quantile > 0 ? quantiles[1].value : estimates[1].value;
	return metric->quantile > 0 ? contrast_quantile(&quantiles[0], &quantiles[1]) :
				      contrast_welch(&estimates[0], &estimates[1]);
}

static int64_t count_workloads(const struct sample_row *row, const struct compare_metric *metric)
{
	double count = 0;

	for (unsigned int nr = 0; row && nr < row->blocks->len; nr++)
		count += *(const double *)((const char *)&g_array_index(row->blocks,
			 struct sample_block, nr) + metric->n);
	return count;
}

/*
 * An interval that contains 0 shows no difference; "same" also needs an interval within the margin.
 * Without an interval, the result is unclear.
 */
static const char *verdict_of(const struct contrast *contrast, double a, double margin_percent)
{
	double margin = fabs(a) * margin_percent / 100;

	if (isnan(contrast->difference))
		return NULL;
	if (isnan(contrast->low) || isnan(contrast->high))
		return "unclear";
	if (contrast->low > 0)
		return "higher";
	if (contrast->high < 0)
		return "lower";
	return contrast->low >= -margin && contrast->high <= margin ? "same" : "unclear";
}

static void forget(struct compare_line *line)
{
	line->a = line->b = line->difference = line->low = line->high = NAN;
	line->change_percent = NAN;
	line->n_a = line->n_b = UNKNOWN;
	line->verdict = NULL;
}

static bool have_several_gpus(struct sample *const samples[2])
{
	return model_gpus(samples[0]->follow.model)->len > 1 ||
	       model_gpus(samples[1]->follow.model)->len > 1;
}

static bool is_host(const struct sample_row *row)
{
	return !row->vgpu_id;
}

/* does the metric also exist for the host's own work? */
static bool is_hosts(const struct compare_metric *metric)
{
	return !(metric->quantile > 0) && (metric->y == BLOCK(exec_ns) || metric->y == BLOCK(wait_ns));
}

static struct compare_line make_line(const struct compare *comparison,
				     const struct sample_row *row,
				     const struct compare_metric *metric)
{
	struct sample *const *samples = comparison->samples;
	const struct sample_row *rows[2] = {
		sample_find(samples[0], row), sample_find(samples[1], row)
	};
	struct compare_line line = {
		.metric = metric, .dev = row->dev, .vgpu_id = row->vgpu_id, .uuid = row->uuid,
		.vm = row->vm, .several_gpus = have_several_gpus(samples),
		.name = metric->name, .engine = row->engine->name,
	};
	struct contrast contrast = contrast_metric(samples, rows, &line);

	line.difference = contrast.difference;
	line.low = contrast.low;
	line.high = contrast.high;
	line.change_percent = line.a > 0 ? 100 * contrast.difference / line.a : NAN;
	line.verdict = verdict_of(&contrast, line.a, comparison->margin_percent);
	line.n_a = count_workloads(rows[0], metric);
	line.n_b = count_workloads(rows[1], metric);
	for (int nr = 0; nr < 2; nr++)
		if (!quantity_known(samples[nr]->follow.trace, is_host(row) ? QUANTITY_HOST : metric->quantity))
			forget(&line);
	return line;
}

static bool wanted(const struct sample *sample, const struct sample_row *row)
{
	struct gpu *gpu = (struct gpu *)model_gpu(sample->follow.model, row->dev);
	struct vgpu vgpu = { .gpu = gpu, .id = row->vgpu_id, .uuid = row->uuid };

	return selection_engine(&sample->selection, row->engine) &&
	       (!known(row->vgpu_id) || selection_vgpu(&sample->selection, &vgpu));
}

static bool is_little(const struct sample *sample, const struct sample_row *row)
{
	return !(estimate_metric(sample, row, compare_metrics).value >= 100.0 / HOST_LEAST_PART);
}

static void add_row(GArray *lines, const struct compare *comparison,
		    const struct sample_row *row)
{
	struct sample *const *samples = comparison->samples;

	if (is_host(row) && is_little(samples[0], sample_find(samples[0], row)) &&
	    is_little(samples[1], sample_find(samples[1], row)))
		return;
	for (const struct compare_metric *metric = compare_metrics; metric->name; metric++) {
		struct compare_line line;

		if ((is_host(row) && !is_hosts(metric)) ||
		    (metric->energy && !(samples[0]->has_energy && samples[1]->has_energy)))
			continue;
		line = make_line(comparison, row, metric);
		g_array_append_val(lines, line);
	}
}

/* the rows of the first trace, then those of the second one only */
static GArray *make_lines(const struct compare *comparison)
{
	struct sample *const *samples = comparison->samples;
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct compare_line));

	for (int nr = 0; nr < 2; nr++) {
		const GPtrArray *rows = samples[nr]->rows;

		for (unsigned int pos = 0; pos < rows->len; pos++)
			if (wanted(samples[nr], rows->pdata[pos]) &&
			    (!nr || !sample_find(samples[0], rows->pdata[pos])))
				add_row(lines, comparison, rows->pdata[pos]);
	}
	return lines;
}

static char *setting_text(const struct sched_info *info, const struct told_desc *desc)
{
	const void *member = (const char *)info + desc->offset;
	int64_t number;

	if (desc->is_text)
		return g_strdup(*(char *const *)member);
	number = *(const int64_t *)member;
	return known(number) ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
}

static void add_settings(GArray *lines, const struct sched_info *a, const struct sched_info *b)
{
	for (const struct told_desc *desc = sched_info_members; desc->name; desc++) {
		struct compare_setting line = {
			.dev = a->dev, .setting = desc->name,
			.a = setting_text(a, desc), .b = setting_text(b, desc),
		};

		if (g_strcmp0(line.a, line.b)) {
			g_array_append_val(lines, line);
			continue;
		}
		g_free(line.a);
		g_free(line.b);
	}
}

static void clear_setting(void *data)
{
	struct compare_setting *line = data;

	g_free(line->a);
	g_free(line->b);
}

/* settings that differ at the ends of the traces */
static GArray *make_settings(struct sample *const samples[2])
{
	const GPtrArray *infos = model_sched_infos(samples[0]->follow.model);
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct compare_setting));

	g_array_set_clear_func(lines, clear_setting);
	for (unsigned int nr = 0; nr < infos->len; nr++) {
		const struct sched_info *a = infos->pdata[nr];
		const struct sched_info *b = model_sched_info(samples[1]->follow.model, a->dev);

		if (known(b->dev) &&
		    selection_gpu(&samples[0]->selection, model_gpu(samples[0]->follow.model, a->dev)))
			add_settings(lines, a, b);
	}
	return lines;
}

/* Divides the recording evenly, so that the blocks of unequally long recordings differ slightly. */
static int64_t choose_block(const struct selection *selection, const char *path)
{
	int64_t length_ns = sample_length(selection, path);
	int64_t count = MAX(length_ns / DEFAULT_BLOCK_NS, ENOUGH_BLOCKS);

	return MAX(length_ns / count, 1);
}

void compare_read(struct compare *comparison, const struct selection *selection,
		  const char *const paths[2], int64_t block_ns)
{
	for (int nr = 0; nr < 2; nr++) {
		int64_t length_ns = block_ns ? block_ns : choose_block(selection, paths[nr]);

		comparison->block_ns = MAX(comparison->block_ns, length_ns);
		comparison->samples[nr] = sample_read(selection, paths[nr], length_ns);
	}
	comparison->lines = make_lines(comparison);
	comparison->settings = make_settings(comparison->samples);
}

void compare_free(struct compare *comparison)
{
	g_array_free(comparison->settings, TRUE);
	g_array_free(comparison->lines, TRUE);
	for (int nr = 0; nr < 2; nr++)
		sample_free(comparison->samples[nr]);
}

const char *compare_label(const struct compare_line *line, char label[COMPARE_LABEL_LEN])
{
	char gpu[24] = "";

	if (line->several_gpus)
		g_snprintf(gpu, sizeof(gpu), "%" G_GINT64_FORMAT "/", line->dev);
	if (!known(line->vgpu_id))
		g_snprintf(label, COMPARE_LABEL_LEN, "%sall", gpu);
	else if (!line->vgpu_id)
		g_snprintf(label, COMPARE_LABEL_LEN, "%shost", gpu);
	else if (line->vm)
		g_snprintf(label, COMPARE_LABEL_LEN, "%s%" G_GINT64_FORMAT " (%s)", gpu, vgpu_number(line->vgpu_id),
			   line->vm);
	else
		g_snprintf(label, COMPARE_LABEL_LEN, "%s%" G_GINT64_FORMAT, gpu, vgpu_number(line->vgpu_id));
	return label;
}
