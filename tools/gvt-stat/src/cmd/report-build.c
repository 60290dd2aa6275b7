// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/quantities.h"
#include "trace/util.h"
#include "report-build.h"

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

static double if_certain(struct bounds bounds)
{
	return bounds.min == bounds.max ? bounds.min : NAN;
}

/* one workload at a time is on an engine */
static bool holds(const struct report_source *source, const struct gpu_engine *engine)
{
	return !known(contradiction_at(source->follow, SUM_EXECUTION, engine, NULL));
}

static bool all_hold(const struct report_source *source, const struct gpu *gpu)
{
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		if (!holds(source, gpu->engines->pdata[nr]))
			return false;
	return true;
}

static void fill_execution(const struct report_source *source, struct report_engine *to,
			   const struct metrics_row *row, const struct gpu_engine *engine)
{
	static const struct bounds unknown = { NAN, NAN };
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;
	bool told = can_tell(source, QUANTITY_EXECUTION) && holds(source, engine);
	struct bounds exec = told ? metrics_exec(source->metrics, row, engine) : unknown;

	to->exec_bounds = exec;
	to->utilization = (struct bounds) { percent(exec.min, length), percent(exec.max, length) };
	to->utilization_percent = if_certain(to->utilization);
	to->exec_ns = exec.min == exec.max ? row->exec_ns : UNKNOWN;
	to->exec = told ? series_summary(row->exec) : no_summary();
}

static struct bounds queue_len(const struct report_source *source, const struct metrics_row *row)
{
	const struct trace_info *trace = source->follow->trace;
	int64_t lost = trace->lost_uncounted ? -1 : (int64_t)trace->lost_events;

	return metrics_depth(source->metrics, row, lost);
}

static void fill_wait(const struct report_source *source, struct report_engine *to,
		      const struct metrics_row *row)
{
	static const struct bounds unknown = { NAN, NAN };
	bool told = can_tell(source, QUANTITY_WAIT);

	to->queue_len = told ? queue_len(source, row) : unknown;
	to->queue_len_mean = if_certain(to->queue_len);
	to->queue_len_max = isnan(to->queue_len_mean) ? UNKNOWN : depth_max(&row->depth);
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
	to->row = row;
	fill_execution(source, to, row, engine);
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

		if (queue->vgpu == vgpu && selection_engine(source->follow->selection, queue->engine))
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

/* execution on all engines of its GPU: of the vGPU, or of all others */
static struct bounds sum_of_execution(const struct report_source *source, const struct vgpu *vgpu,
				      bool others)
{
	const GPtrArray *queues = vgpu->gpu->queues;
	struct bounds sum = { 0, 0 };

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct bounds exec;

		if ((queue->vgpu != vgpu) != others)
			continue;
		exec = metrics_exec(source->metrics,
				    metrics_of_vgpu_engine(source->metrics, queue->index),
				    queue->engine);
		sum.min += exec.min;
		sum.max += exec.max;
	}
	return sum;
}

/* What is uncertain may be all its own, or all the others'. */
static struct bounds share(struct bounds own, struct bounds others)
{
	return (struct bounds) {
		percent(own.min, own.min + others.max), percent(own.max, own.max + others.min)
	};
}

static void fill_shares(const struct report_source *source, struct report_vgpu *to,
			const struct vgpu *vgpu)
{
	static const struct bounds unknown = { NAN, NAN };
	int64_t weights = sum_of_weights(source->follow->model, vgpu->dev);
	struct bounds own = sum_of_execution(source, vgpu, false);
	bool told = can_tell(source, QUANTITY_EXECUTION) && all_hold(source, vgpu->gpu);

	to->exec_ns = told && own.min == own.max ? (int64_t)own.min : UNKNOWN;
	to->exec_share = told ? share(own, sum_of_execution(source, vgpu, true)) : unknown;
	to->exec_share_percent = if_certain(to->exec_share);
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
	to->set = vgpu->set;
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
		if (selection_vgpu(source->follow->selection, vgpus->pdata[nr]))
			g_ptr_array_add(list, new_vgpu(source, vgpus->pdata[nr]));
	g_ptr_array_sort(list, compare_vgpus);
	return list;
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

		if (engine->dev == dev && selection_engine(source->follow->selection, engine))
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
	to->sched = *model_sched_info(source->follow->model, dev);
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

		if (selection_gpu(source->follow->selection, vgpu->gpu) &&
		    !has_gpu(gpus, vgpu->dev))
			g_ptr_array_add(gpus, new_gpu(source, vgpu->dev));
	}
	return gpus;
}
