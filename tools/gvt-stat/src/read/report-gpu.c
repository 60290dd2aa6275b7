// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The row of a GPU: its columns and their values.
 */
#include "report-build.h"

#define GPU_COLUMN(type, member) \
	{ #member, COLUMN_##type, offsetof(struct report_gpu, member) }
#define COLUMN_NUMBER	COLUMN_INTEGER
#define SCHED_COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct report_gpu, sched.member) },

/* without the GPU's number, which CSV already has in the vGPU columns */
const struct column report_gpu_columns[] = {
	SCHED_SETTINGS(SCHED_COLUMN)
	SCHED_COLUMN(NUMBER, tick_ns)
	SCHED_COLUMN(NUMBER, stages)
	GPU_COLUMN(INTEGER, idle_ns),
	{ "idle_ns_min", COLUMN_REAL, offsetof(struct report_gpu, idle.min) },
	{ "idle_ns_max", COLUMN_REAL, offsetof(struct report_gpu, idle.max) },
	GPU_COLUMN(INTEGER, gem_created),
	GPU_COLUMN(INTEGER, gem_created_bytes),
	GPU_COLUMN(INTEGER, gem_destroyed),
	GPU_COLUMN(INTEGER, gem_bytes_min),
	GPU_COLUMN(INTEGER, gem_peak_bytes_min),
	{ 0 }
};

static void fill_gem(const struct report_source *source, struct report_gpu *to)
{
	const struct memory_use *gem = memory_of_gem(source->memory);

	to->gem_created = report_if_known(source, QUANTITY_GEM, gem->created);
	to->gem_created_bytes = report_if_known(source, QUANTITY_GEM, gem->created_bytes);
	to->gem_destroyed = report_if_known(source, QUANTITY_GEM, gem->destroyed);
	to->gem_bytes_min = report_if_known(source, QUANTITY_GEM, memory_alive_bytes(gem));
	to->gem_peak_bytes_min = report_if_known(source, QUANTITY_GEM, gem->peak_bytes);
}

struct bounds report_scheduled(const struct report_source *source, int64_t dev, int64_t ns)
{
	const GPtrArray *engines = model_engines(source->follow->model);

	return (struct bounds) { ns, (double)ns + slices_unknown_ns(source->slices, dev, engines) };
}

static void fill_idle(const struct report_source *source, struct report_gpu *to)
{
	static const struct bounds unknown = { NAN, NAN };
	const struct slices_row *idle = slices_of(source->slices, to->dev, 0);

	to->idle = report_turns_told(source) ?
		   report_scheduled(source, to->dev, idle ? idle->scheduled_ns : 0) : unknown;
	to->idle_ns = to->idle.min == to->idle.max ? (int64_t)to->idle.min : UNKNOWN;
}

static GPtrArray *gpu_engines(const struct report_source *source, int64_t dev)
{
	const GPtrArray *all = model_engines(source->follow->model);
	GPtrArray *engines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int nr = 0; nr < all->len; nr++) {
		const struct gpu_engine *engine = all->pdata[nr];

		if (engine->dev == dev && selection_engine(source->follow->selection, engine))
			g_ptr_array_add(engines,
					report_build_engine(source, engine,
						   metrics_of_engine(source->metrics, nr)));
	}
	g_ptr_array_sort(engines, report_compare_engines);
	return engines;
}

static GPtrArray *host_engines(const struct report_source *source, int64_t dev)
{
	const GPtrArray *all = model_engines(source->follow->model);
	GPtrArray *engines = g_ptr_array_new_with_free_func(g_free);
	bool told = report_can_tell(source, QUANTITY_HOST);

	for (unsigned int nr = 0; nr < all->len; nr++) {
		const struct gpu_engine *engine = all->pdata[nr];
		const struct metrics_host *host = metrics_host(source->metrics, engine);

		if (host && told && engine->dev == dev &&
		    selection_engine(source->follow->selection, engine))
			g_ptr_array_add(engines, report_build_host(source, engine, host));
	}
	g_ptr_array_sort(engines, report_compare_engines);
	return engines;
}

static struct report_gpu *new_gpu(const struct report_source *source, int64_t dev)
{
	struct report_gpu *to = g_new0(struct report_gpu, 1);

	to->dev = dev;
	fill_idle(source, to);
	to->sched = *model_sched_info(source->follow->model, dev);
	fill_gem(source, to);
	to->engines = gpu_engines(source, dev);
	to->host = host_engines(source, dev);
	return to;
}

static void free_gpu(void *data)
{
	struct report_gpu *gpu = data;

	g_ptr_array_free(gpu->host, TRUE);
	g_ptr_array_free(gpu->engines, TRUE);
	g_free(gpu);
}

static bool has_gpu(const GPtrArray *gpus, int64_t dev)
{
	for (unsigned int nr = 0; nr < gpus->len; nr++)
		if (((struct report_gpu *)gpus->pdata[nr])->dev == dev)
			return true;
	return false;
}

static void add_gpu(const struct report_source *source, const struct gpu *gpu, GPtrArray *gpus)
{
	if (selection_gpu(source->follow->selection, gpu) && !has_gpu(gpus, gpu->dev))
		g_ptr_array_add(gpus, new_gpu(source, gpu->dev));
}

/* includes GPUs with vGPUs or with host work in the trace */
GPtrArray *report_build_gpus(const struct report_source *source)
{
	const GPtrArray *vgpus = model_vgpus(source->follow->model);
	const GPtrArray *engines = model_engines(source->follow->model);
	GPtrArray *gpus = g_ptr_array_new_with_free_func(free_gpu);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		add_gpu(source, vgpu->gpu, gpus);
	}
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		const struct metrics_host *host = metrics_host(source->metrics, engine);

		if (host && host->exec_ns + host->unsure_ns > 0)
			add_gpu(source, engine->gpu, gpus);
	}
	return gpus;
}
