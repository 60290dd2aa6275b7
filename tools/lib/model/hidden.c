// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work that was queued while events were lost, and has not been seen since.
 *
 * The kernel numbers the workloads of a GPU consecutively. So once all numbers up to the last one
 * were seen, by their queue events or, if those are missing, by their ends, no work is hidden. Nor
 * is any in a queue once work queued later has left that queue. And once per second the kernel
 * reports all queued work.
 */
#include "trace/util.h"
#include "model-private.h"
#include "skew.h"

/* the kernel reports at most this many per queue */
#define TOLD_MAX	64

void hidden_gap_end(struct model *model)
{
	for (unsigned int nr = 0; nr < model->gpus->len; nr++) {
		struct gpu *gpu = model->gpus->pdata[nr];

		gpu->hidden->any = true;
		gpu->hidden->queued = false;
		gpu->hidden->nr_told = NOT_TOLD;
	}
}

/* Numbers assigned in a gap are lower than those of work queued after it. */
static void count(struct gpu *gpu)
{
	struct hidden *hidden = gpu->hidden;

	hidden->ids_seen++;
	/* ids of damaged traces are arbitrary */
	if (hidden->queued &&
	    (uint64_t)gpu->last_id - (uint64_t)hidden->ids_from + 1 == hidden->ids_seen)
		hidden->any = false;
}

void hidden_queued(const struct model *model, struct gpu *gpu, int64_t id)
{
	struct hidden *hidden = gpu->hidden;

	if (!model->had_gap) {
		/* clock skew may swap the order */
		if (id < hidden->ids_from || !known(hidden->ids_from))
			hidden->ids_from = id;
		hidden->ids_seen++;
		return;
	}
	if (!known(hidden->ids_from))
		hidden->ids_from = 1;
	hidden->queued = !model->gaps;
	if (id >= hidden->ids_from)
		count(gpu);
}

static void note_ended(struct hidden *hidden, int64_t id, int64_t end_ns)
{
	unsigned int place = hidden->nr_ended++ % G_N_ELEMENTS(hidden->ended);

	hidden->ended[place] = (struct ended) { .id = id, .end_ns = end_ns, .start_ns = UNKNOWN };
}

void hidden_ended(const struct model *model, const struct workload *w)
{
	struct gpu *gpu = w->queue->vgpu->gpu;
	int64_t from = gpu->hidden->ids_from;

	note_ended(gpu->hidden, w->id, model->last_ns);
	if (model->had_gap && !known(w->queue_ns) && !w->from_before && known(from) && w->id >= from)
		count(gpu);
}

struct ended *hidden_late(struct model *model, const struct gpu *gpu, const struct event *event)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(gpu->hidden->ended); nr++) {
		struct ended *ended = &gpu->hidden->ended[nr];

		if (ended->id != event->workload.workload_id)
			continue;
		skew_note(&model->skew, ended->end_ns, event->ts_ns);
		return ended;
	}
	return NULL;
}

void hidden_found(const struct model *model, const struct workload *w)
{
	if (!model->gaps && w->queue->vgpu->gpu->hidden->any)
		TELL(model, misled, w->queue->engine, model->last_ns);
}

void hidden_gone(const struct model *model, const struct vgpu_engine *queue)
{
	if (queue->vgpu->gpu->hidden->any)
		TELL(model, misled, queue->engine, model->last_ns);
}

static void note_told(const struct model *model, struct gpu *gpu, const struct event *event)
{
	struct workload_key key = workload_key_of(&event->workload);

	if (gpu->hidden->nr_told != NOT_TOLD)
		gpu->hidden->nr_told++;
	/* the model does not know this workload: it is still hidden */
	if (!g_hash_table_contains(model->workloads, &key))
		gpu->hidden->nr_told = NOT_TOLD;
}

static void end_told(struct gpu *gpu, int64_t vgpus)
{
	if (known(vgpus) && vgpus <= gpu->hidden->nr_vgpus)
		gpu->hidden->more_vgpus = false;
	if (gpu->hidden->nr_told != NOT_TOLD && gpu->hidden->nr_told < TOLD_MAX) {
		gpu->hidden->any = false;
		gpu->hidden->ids_from = (int64_t)((uint64_t)gpu->last_id + 1);
		gpu->hidden->ids_seen = 0;
	}
	gpu->hidden->nr_told = NOT_TOLD;
}

void hidden_told(struct model *model, const struct event *event)
{
	if (event->id == EVENT_WORKLOAD_STATE) {
		model->states = true;
		note_told(model, model_get_gpu(model, event->workload.dev), event);
	} else if (event->id == EVENT_VGPU_INFO) {
		struct gpu *gpu = model_get_gpu(model, event->vgpu_info.dev);

		/* without any such event, they may not be recorded */
		if (!model->gaps && model->states && gpu->hidden->nr_told == NOT_TOLD)
			gpu->hidden->nr_told = 0;
	} else if (event->id == EVENT_SCHED_INFO) {
		end_told(model_get_gpu(model, event->sched_info.dev), event->sched_info.vgpus);
	}
}

bool model_knows_first(const struct model *model, const struct vgpu_engine *queue)
{
	return !model->gaps && !queue->doubted &&
	       (queue->evident || !queue->vgpu->gpu->hidden->any);
}

/* Every vGPU has a queue for the engine, and none hides work. */
static bool are_evident(const struct gpu_engine *engine)
{
	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		if (!((const struct vgpu_engine *)engine->queues->pdata[nr])->evident)
			return false;
	return engine->queues->len == engine->gpu->hidden->nr_vgpus && !engine->gpu->hidden->more_vgpus;
}

bool model_may_hide(const struct gpu_engine *engine)
{
	if (engine->gpu->hidden->any && !are_evident(engine))
		return true;
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->doubted || (queue->astray && engine->gpu->per_engine))
			return true;
	}
	return false;
}
