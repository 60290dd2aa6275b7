// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "quantities.h"
#include "report-build.h"
#include "util.h"

static bool can_tell(const struct report_source *source, enum quantity quantity)
{
	return quantity_known(source->follow->trace, quantity);
}

/* integers and reals that are known only if the quantity is */
static int64_t if_known(const struct report_source *source, enum quantity quantity, int64_t value)
{
	return can_tell(source, quantity) ? value : UNKNOWN;
}

static double percent(double part, double whole)
{
	return whole > 0 ? part / whole * 100 : NAN;
}

static double mean(int64_t sum, int64_t count)
{
	return count ? (double)sum / count : NAN;
}

static struct summary no_summary(void)
{
	struct series *empty = series_new();
	struct summary summary = series_summary(empty);

	series_free(empty);
	summary.count = UNKNOWN;
	return summary;
}

static void fill_execution(const struct report_source *source, struct report_engine *to,
			   const struct metrics_row *row)
{
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;
	bool told = can_tell(source, QUANTITY_EXECUTION);

	to->utilization_percent = told ? percent(row->exec_ns, length) : NAN;
	to->exec_ns = told ? row->exec_ns : UNKNOWN;
	to->exec = told ? series_summary(row->exec) : no_summary();
}

static void fill_wait(const struct report_source *source, struct report_engine *to,
		      const struct metrics_row *row)
{
	bool told = can_tell(source, QUANTITY_WAIT);

	to->queue_len_mean = told ? depth_mean(&row->depth, &source->follow->window) : NAN;
	to->queue_len_max = told ? depth_max(&row->depth) : UNKNOWN;
	to->wait = told ? series_summary(row->wait) : no_summary();
	to->latency = told ? series_summary(row->latency) : no_summary();
	to->turnaround = told ? series_summary(row->turnaround) : no_summary();
}

static void fill_split(const struct report_source *source, struct report_engine *to,
		       const struct metrics_row *row)
{
	to->split_count = if_known(source, QUANTITY_SPLIT, row->split_count);
	to->split_total_ns = if_known(source, QUANTITY_SPLIT, row->split_total_ns);
	for (int part = 0; part < PARTS; part++)
		to->split_ns[part] = if_known(source, QUANTITY_SPLIT, row->split_ns[part]);
}

static void fill_counts(const struct report_source *source, struct report_engine *to,
			const struct metrics_row *row)
{
	to->queued = if_known(source, QUANTITY_ARRIVALS, row->queued);
	to->completed = if_known(source, QUANTITY_COMPLETIONS, row->completed);
	to->failed = if_known(source, QUANTITY_COMPLETIONS, row->failed);
	to->open = if_known(source, QUANTITY_COMPLETIONS, row->open);
	to->cancelled = if_known(source, QUANTITY_CANCELLED, row->cancelled);
	to->partial = row->partial;
	to->tainted = row->tainted;
}

static struct report_engine *new_engine(const struct report_source *source,
					const struct gpu_engine *engine,
					const struct metrics_row *row)
{
	struct report_engine *to = g_new0(struct report_engine, 1);

	to->engine = engine_name(to->name, engine->class, engine->instance);
	to->class = engine->class;
	to->instance = engine->instance;
	fill_execution(source, to, row);
	fill_wait(source, to, row);
	fill_counts(source, to, row);
	fill_split(source, to, row);
	return to;
}

static int compare_engines(const void *a, const void *b)
{
	const struct report_engine *ea = *(struct report_engine *const *)a;
	const struct report_engine *eb = *(struct report_engine *const *)b;

	if (ea->class != eb->class)
		return ea->class < eb->class ? -1 : 1;
	return (ea->instance > eb->instance) - (ea->instance < eb->instance);
}

static GPtrArray *vgpu_engines(const struct report_source *source, const struct vgpu *vgpu)
{
	const GPtrArray *queues = model_vgpu_engines(source->follow->model);
	GPtrArray *engines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == vgpu && options_want_engine(source->follow->options, queue->engine))
			g_ptr_array_add(engines,
					new_engine(source, queue->engine,
						   metrics_of_vgpu_engine(source->metrics, nr)));
	}
	g_ptr_array_sort(engines, compare_engines);
	return engines;
}

/* sum of what the vGPUs of a GPU have; UNKNOWN if that of one is unknown */
static int64_t sum_of_weights(const struct model *model, int64_t dev)
{
	const GPtrArray *vgpus = model_vgpus(model);
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		if (vgpu->dev != dev)
			continue;
		if (!known(vgpu->weight))
			return UNKNOWN;
		sum += vgpu->weight;
	}
	return sum;
}

/* execution on all engines of a GPU: of one vGPU, or with NULL of all */
static int64_t sum_of_execution(const struct report_source *source, int64_t dev,
				const struct vgpu *vgpu)
{
	const GPtrArray *queues = model_vgpu_engines(source->follow->model);
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu->dev == dev && (!vgpu || queue->vgpu == vgpu))
			sum += metrics_of_vgpu_engine(source->metrics, nr)->exec_ns;
	}
	return sum;
}

static void fill_shares(const struct report_source *source, struct report_vgpu *to,
			const struct vgpu *vgpu)
{
	int64_t weights = sum_of_weights(source->follow->model, vgpu->dev);
	int64_t exec_ns = sum_of_execution(source, vgpu->dev, vgpu);
	bool told = can_tell(source, QUANTITY_EXECUTION);

	to->exec_ns = told ? exec_ns : UNKNOWN;
	to->exec_share_percent =
		told ? percent(exec_ns, sum_of_execution(source, vgpu->dev, NULL)) : NAN;
	to->weight_share_percent = known(weights) ? percent(vgpu->weight, weights) : NAN;
}

static void forget_slices(struct report_vgpu *to)
{
	to->slices = UNKNOWN;
	to->scheduled_ns = UNKNOWN;
	to->left_min_ns = UNKNOWN;
	to->slice_mean_ns = NAN;
	to->scheduled_percent = NAN;
	to->drain_mean_ns = NAN;
	for (int reason = 0; reason < SWITCH_REASONS; reason++)
		to->ended[reason] = UNKNOWN;
}

/* without any switch, whose turn it was is not in the switches */
static bool can_tell_turns(const struct report_source *source)
{
	return can_tell(source, QUANTITY_SLICES) &&
	       source->follow->trace->recorded[EVENT_SCHED_SWITCH];
}

static void fill_slices(const struct report_source *source, struct report_vgpu *to,
			const struct vgpu *vgpu)
{
	static const struct slices_row none = { .left_min_ns = UNKNOWN };
	const struct slices_row *row = slices_of(source->slices, vgpu->dev, vgpu->id);
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;

	if (!can_tell_turns(source)) {
		forget_slices(to);
		return;
	}
	row = row ? row : &none;
	to->slices = row->turns;
	to->slice_mean_ns = mean(row->whole_turns_ns, row->whole_turns);
	to->scheduled_ns = row->scheduled_ns;
	to->scheduled_percent = percent(row->scheduled_ns, length);
	to->drain_mean_ns = mean(row->drain_ns, row->drains);
	to->left_min_ns = row->left_min_ns;
	for (int reason = 0; reason < SWITCH_REASONS; reason++)
		to->ended[reason] = row->reasons[reason];
}

static bool several_gpus(const struct report_source *source)
{
	const GPtrArray *vgpus = model_vgpus(source->follow->model);

	for (unsigned int nr = 1; nr < vgpus->len; nr++)
		if (((struct vgpu *)vgpus->pdata[nr])->dev != ((struct vgpu *)vgpus->pdata[0])->dev)
			return true;
	return false;
}

/* spt_* events name no GPU: with several, ids of vGPUs are not unique */
static void fill_spt(const struct report_source *source, struct report_vgpu *to)
{
	static const struct memory_use none;
	const struct memory_use *use = memory_of_vgpu(source->memory, to->vgpu_id);
	bool told = can_tell(source, QUANTITY_SPT) && !several_gpus(source);

	use = use ? use : &none;
	to->spt_allocated = told ? use->created : UNKNOWN;
	to->spt_freed = told ? use->destroyed : UNKNOWN;
	to->spt_bytes_min = told ? memory_alive_bytes(use) : UNKNOWN;
	to->spt_peak_bytes_min = told ? use->peak_bytes : UNKNOWN;
}

static struct report_vgpu *new_vgpu(const struct report_source *source, const struct vgpu *vgpu)
{
	struct report_vgpu *to = g_new0(struct report_vgpu, 1);

	to->dev = vgpu->dev;
	to->vgpu_id = vgpu->id;
	to->uuid = vgpu->uuid;
	to->type = vgpu->type;
	to->vm = vgpu->vm;
	to->weight = vgpu->weight;
	to->nice = vgpu->nice;
	to->cap = vgpu->cap;
	to->fences = vgpu->fences;
	to->owner_pid = vgpu->owner_pid;
	to->id_reused = vgpu->reused;
	to->aperture_bytes = vgpu->aperture_bytes;
	to->hidden_bytes = vgpu->hidden_bytes;
	fill_shares(source, to, vgpu);
	fill_slices(source, to, vgpu);
	fill_spt(source, to);
	to->engines = vgpu_engines(source, vgpu);
	return to;
}

static int compare_vgpus(const void *a, const void *b)
{
	const struct report_vgpu *va = *(struct report_vgpu *const *)a;
	const struct report_vgpu *vb = *(struct report_vgpu *const *)b;

	if (va->dev != vb->dev)
		return va->dev < vb->dev ? -1 : 1;
	return (va->vgpu_id > vb->vgpu_id) - (va->vgpu_id < vb->vgpu_id);
}

static void free_vgpu(void *data)
{
	struct report_vgpu *vgpu = data;

	g_ptr_array_free(vgpu->engines, TRUE);
	g_free(vgpu);
}

GPtrArray *report_build_vgpus(const struct report_source *source)
{
	const GPtrArray *vgpus = model_vgpus(source->follow->model);
	GPtrArray *list = g_ptr_array_new_with_free_func(free_vgpu);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (options_want_vgpu(source->follow->options, vgpus->pdata[nr]))
			g_ptr_array_add(list, new_vgpu(source, vgpus->pdata[nr]));
	g_ptr_array_sort(list, compare_vgpus);
	return list;
}

static void fill_settings(const struct report_source *source, struct report_gpu *to)
{
	static const struct sched_info none = {
		.tick_ns = UNKNOWN, .period_ns = UNKNOWN, .stages = UNKNOWN, .boost_ns = UNKNOWN,
		.carry_over = UNKNOWN, .leftover_max_ns = UNKNOWN, .max_wait_ns = UNKNOWN,
		.anticipation_ns = UNKNOWN,
	};
	const GPtrArray *infos = model_sched_infos(source->follow->model);
	const struct sched_info *info = &none;

	for (unsigned int nr = 0; nr < infos->len; nr++)
		if (((struct sched_info *)infos->pdata[nr])->dev == to->dev)
			info = infos->pdata[nr];
	to->policy = info->policy;
	to->tick_ns = info->tick_ns;
	to->period_ns = info->period_ns;
	to->stages = info->stages;
	to->boost_ns = info->boost_ns;
	to->carry_over = info->carry_over;
	to->leftover_max_ns = info->leftover_max_ns;
	to->max_wait_ns = info->max_wait_ns;
	to->anticipation_ns = info->anticipation_ns;
	to->dispatch = info->dispatch;
}

static void fill_gem(const struct report_source *source, struct report_gpu *to)
{
	const struct memory_use *gem = memory_of_gem(source->memory);

	to->gem_created = if_known(source, QUANTITY_GEM, gem->created);
	to->gem_created_bytes = if_known(source, QUANTITY_GEM, gem->created_bytes);
	to->gem_destroyed = if_known(source, QUANTITY_GEM, gem->destroyed);
	to->gem_bytes_min = if_known(source, QUANTITY_GEM, memory_alive_bytes(gem));
	to->gem_peak_bytes_min = if_known(source, QUANTITY_GEM, gem->peak_bytes);
}

static GPtrArray *gpu_engines(const struct report_source *source, int64_t dev)
{
	const GPtrArray *all = model_engines(source->follow->model);
	GPtrArray *engines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int nr = 0; nr < all->len; nr++) {
		const struct gpu_engine *engine = all->pdata[nr];

		if (engine->dev == dev && options_want_engine(source->follow->options, engine))
			g_ptr_array_add(engines,
					new_engine(source, engine,
						   metrics_of_engine(source->metrics, nr)));
	}
	g_ptr_array_sort(engines, compare_engines);
	return engines;
}

static struct report_gpu *new_gpu(const struct report_source *source, int64_t dev)
{
	struct report_gpu *to = g_new0(struct report_gpu, 1);
	const struct slices_row *idle = slices_of(source->slices, dev, 0);

	to->dev = dev;
	to->idle_ns = !can_tell_turns(source) ? UNKNOWN : idle ? idle->scheduled_ns : 0;
	fill_settings(source, to);
	fill_gem(source, to);
	to->engines = gpu_engines(source, dev);
	return to;
}

static void free_gpu(void *data)
{
	struct report_gpu *gpu = data;

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

/* a GPU is known by its vGPUs; one without any has nothing to report */
GPtrArray *report_build_gpus(const struct report_source *source)
{
	const GPtrArray *vgpus = model_vgpus(source->follow->model);
	GPtrArray *gpus = g_ptr_array_new_with_free_func(free_gpu);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		if (!has_gpu(gpus, vgpu->dev))
			g_ptr_array_add(gpus, new_gpu(source, vgpu->dev));
	}
	return gpus;
}
