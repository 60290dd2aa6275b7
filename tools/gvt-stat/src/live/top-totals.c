// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/setting.h"
#include "output/bar.h"
#include "output/column.h"
#include "output/screen.h"
#include "trace/util.h"
#include "top-totals.h"

/* makes a line with the host's work 80 columns wide */
#define BAR	36
/* of continuation lines about ill VMs */
#define ILL_INDENT	2

static void free_engine(void *data)
{
	struct top_engine *engine = data;

	g_free(engine->name);
	g_free(engine);
}

static void free_gpu(void *data)
{
	struct top_gpu *gpu = data;

	g_free(gpu->pci);
	g_free(gpu->policy);
	g_free(gpu->dispatch);
	g_ptr_array_free(gpu->engines, TRUE);
	g_free(gpu);
}

static struct top_gpu *get_gpu(GPtrArray *gpus, const char *pci)
{
	struct top_gpu *gpu;

	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		gpu = gpus->pdata[nr];
		if (!g_strcmp0(gpu->pci, pci))
			return gpu;
	}
	gpu = g_new(struct top_gpu, 1);
	*gpu = (struct top_gpu) {
		.pci = g_strdup(pci), .frequency_mhz = UNKNOWN, .frequency_max_mhz = UNKNOWN,
		.engines = g_ptr_array_new_with_free_func(free_engine),
	};
	g_ptr_array_add(gpus, gpu);
	return gpu;
}

static struct top_engine *get_engine(struct top_gpu *gpu, const char *name)
{
	struct top_engine *engine;

	for (unsigned int nr = 0; nr < gpu->engines->len; nr++) {
		engine = gpu->engines->pdata[nr];
		if (!strcmp(engine->name, name))
			return engine;
	}
	engine = g_new(struct top_engine, 1);
	*engine = (struct top_engine) { g_strdup(name), NAN, NAN, NAN };
	g_ptr_array_add(gpu->engines, engine);
	return engine;
}

/* the sum is unknown only if all values are */
static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

static void add_row(GPtrArray *gpus, const struct top_row *row)
{
	struct top_engine *engine;

	if (!strcmp(row->engine, TOP_ALL))
		return;
	engine = get_engine(get_gpu(gpus, row->gpu), row->engine);
	if (!row->vgpu_id) {
		add(&engine->host_percent, row->exec_percent);
		return;
	}
	add(&engine->exec_percent, row->exec_percent);
	add(&engine->done_per_second, row->done_per_second);
}

static gint compare_engines(gconstpointer a, gconstpointer b)
{
	return strcmp((*(struct top_engine *const *)a)->name,
		      (*(struct top_engine *const *)b)->name);
}

static char *value_of(const GPtrArray *settings, const char *name)
{
	const struct setting *setting = setting_find(settings, name);

	return setting ? g_strdup(setting->value) : NULL;
}

static void add_settings(struct top_gpu *gpu, const char *dir)
{
	GPtrArray *settings;

	if (!dir)
		return;
	settings = settings_of_gpu(dir);
	gpu->policy = value_of(settings, "policy");
	gpu->dispatch = value_of(settings, "dispatch");
	g_ptr_array_free(settings, TRUE);
}

GPtrArray *top_totals(const struct sysfs *sysfs, const GPtrArray *old, const GPtrArray *now,
		      const struct live *live)
{
	const struct top_view all = { .live = live };
	GPtrArray *gpus = g_ptr_array_new_with_free_func(free_gpu);
	GArray *rows = top_rows(old, now, &all);

	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *from = sysfs->gpus->pdata[nr];
		struct top_gpu *gpu = get_gpu(gpus, from->address);

		gpu->frequency_mhz = sysfs_frequency(from, "gt_act_freq_mhz");
		gpu->frequency_max_mhz = sysfs_frequency(from, "gt_max_freq_mhz");
		add_settings(gpu, from->settings);
		/* without a maximum, the frequency is unknown; its 0 does not mean asleep */
		if (!gpu->frequency_max_mhz)
			gpu->frequency_mhz = gpu->frequency_max_mhz = UNKNOWN;
	}
	for (unsigned int nr = 0; nr < rows->len; nr++)
		add_row(gpus, &g_array_index(rows, struct top_row, nr));
	for (unsigned int nr = 0; nr < gpus->len; nr++)
		g_ptr_array_sort(((struct top_gpu *)gpus->pdata[nr])->engines, compare_engines);
	g_array_free(rows, TRUE);
	return gpus;
}

static void print_gpu(const struct top_gpu *gpu, FILE *out)
{
	fprintf(out, "GPU %s", gpu->pci ? gpu->pci : "unknown");
	if (known(gpu->frequency_mhz))
		fprintf(out, "  %" PRId64 " MHz", gpu->frequency_mhz);
	if (known(gpu->frequency_mhz) && known(gpu->frequency_max_mhz))
		fprintf(out, " of %" PRId64, gpu->frequency_max_mhz);
	if (gpu->policy)
		fprintf(out, "  policy %s", gpu->policy);
	if (gpu->dispatch)
		fprintf(out, ", dispatch %s", gpu->dispatch);
	fputc('\n', out);
}

static void print_engine(const struct top_engine *engine, FILE *out)
{
	char text[BAR_LEN], percent[16] = "-";

	if (isfinite(engine->exec_percent))
		g_snprintf(percent, sizeof(percent), "%.1f", engine->exec_percent);
	fprintf(out, "%-6s %6s %% |%s|", engine->name, percent,
		bar(text, engine->exec_percent / 100, BAR));
	if (isfinite(engine->done_per_second))
		fprintf(out, " %9.1f/s", engine->done_per_second);
	if (isfinite(engine->host_percent))
		fprintf(out, "  host %5.1f %%", engine->host_percent);
	fputc('\n', out);
}

int top_totals_print(const GPtrArray *gpus, FILE *out)
{
	int lines = 0;

	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct top_gpu *gpu = gpus->pdata[nr];

		print_gpu(gpu, out);
		for (unsigned int engine = 0; engine < gpu->engines->len; engine++)
			print_engine(gpu->engines->pdata[engine], out);
		lines += 1 + gpu->engines->len;
	}
	return lines;
}

static const struct column gpu_columns[] = {
	{ "pci", COLUMN_TEXT, offsetof(struct top_gpu, pci) },
	{ "frequency_mhz", COLUMN_INTEGER, offsetof(struct top_gpu, frequency_mhz) },
	{ "frequency_max_mhz", COLUMN_INTEGER, offsetof(struct top_gpu, frequency_max_mhz) },
	{ "policy", COLUMN_TEXT, offsetof(struct top_gpu, policy) },
	{ "dispatch", COLUMN_TEXT, offsetof(struct top_gpu, dispatch) },
	{ 0 }
};

static const struct column engine_columns[] = {
	{ "engine", COLUMN_TEXT, offsetof(struct top_engine, name) },
	{ "exec_percent", COLUMN_REAL, offsetof(struct top_engine, exec_percent) },
	{ "workloads_per_second", COLUMN_REAL, offsetof(struct top_engine, done_per_second) },
	{ "host_percent", COLUMN_REAL, offsetof(struct top_engine, host_percent) },
	{ 0 }
};

json_t *top_totals_json(const GPtrArray *gpus)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct top_gpu *gpu = gpus->pdata[nr];
		json_t *object = columns_to_json(gpu_columns, gpu), *engines = json_array();

		for (unsigned int engine = 0; engine < gpu->engines->len; engine++)
			json_array_append_new(engines,
					      columns_to_json(engine_columns,
							      gpu->engines->pdata[engine]));
		json_object_set_new(object, "engines", engines);
		json_array_append_new(array, object);
	}
	return array;
}

/* --- VMs that have done something wrong ---------------------------------------------- */

static bool is_failsafe(const char *failsafe)
{
	return failsafe && strcmp(failsafe, "no");
}

static bool has_errors(int64_t errors)
{
	return known(errors) && errors;
}

bool top_is_ill(int64_t errors, const char *failsafe)
{
	return has_errors(errors) || is_failsafe(failsafe);
}

/* appends the VM's name, else the vGPU's number */
static void add_name(GString *names, const struct vgpu_counters *vgpu)
{
	if (names->len)
		g_string_append(names, ", ");
	if (vgpu->vm)
		g_string_append(names, vgpu->vm);
	else
		g_string_append_printf(names, "vGPU %" PRId64, vgpu->id);
}

static void print_names(const char *what, GString *names, const char *remedy, int width, FILE *out)
{
	char *line = g_strdup_printf("%s: %s: %s", what, names->str, remedy);

	if (names->len)
		screen_fill(line, ILL_INDENT, width, out);
	g_free(line);
	g_string_free(names, TRUE);
}

void top_ill_print(const GPtrArray *vgpus, char *const *wanted, int width, FILE *out)
{
	GString *failsafe = g_string_new(NULL), *errors = g_string_new(NULL);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];

		if (!counters_wanted(vgpu, wanted))
			continue;
		if (is_failsafe(vgpu->failsafe)) {
			add_name(failsafe, vgpu);
			g_string_append_printf(failsafe, " (%s)", vgpu->failsafe);
		} else if (has_errors(vgpu->errors)) {
			add_name(errors, vgpu);
			g_string_append_printf(errors, " (%" PRId64 ")", vgpu->errors);
		}
	}
	print_names("Failsafe", failsafe, "restart the VM; dmesg says why", width, out);
	print_names("Errors", errors, "dmesg and intel_vgpu/health say which", width, out);
}
