// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/util.h"
#include "host-spans.h"
#include "model-private.h"

/*
 * Far more than any host has. Damaged traces may contain any number, and the short
 * arrays of these objects are searched linearly.
 */
#define MAX_VGPUS	1024
#define MAX_ENGINES	256
#define MAX_VGPU_ENGINES 4096

static void free_gpu(void *data)
{
	struct gpu *gpu = data;

	g_ptr_array_free(gpu->engines, TRUE);
	g_ptr_array_free(gpu->queues, TRUE);
	g_free(gpu->address);
	g_free(gpu->hidden);
	g_free(gpu);
}

static void free_vgpu(void *data)
{
	struct vgpu *vgpu = data;

	g_array_free(vgpu->slices, TRUE);
	g_free(vgpu->type);
	g_free(vgpu->uuid);
	g_free(vgpu->vm);
	g_free(vgpu->label);
	g_free(vgpu);
}

static void free_engine(void *data)
{
	struct gpu_engine *engine = data;

	g_ptr_array_free(engine->queues, TRUE);
	host_free(engine->host);
	g_queue_clear(&engine->unfinished);
	g_free(engine);
}

static void free_vgpu_engine(void *data)
{
	struct vgpu_engine *queue = data;

	g_array_free(queue->unproven, TRUE);
	g_array_free(queue->undecided, TRUE);
	g_free(queue);
}

static struct hidden *hidden_new(const struct model *model)
{
	struct hidden *hidden = g_new0(struct hidden, 1);

	hidden->any = hidden->more_vgpus = model->had_gap;
	hidden->ids_from = UNKNOWN;
	hidden->nr_told = NOT_TOLD;
	for (size_t nr = 0; nr < G_N_ELEMENTS(hidden->ended); nr++)
		hidden->ended[nr].id = UNKNOWN;
	return hidden;
}

void model_objects_init(struct model *model)
{
	model->gpus = g_ptr_array_new_with_free_func(free_gpu);
	model->vgpus = g_ptr_array_new_with_free_func(free_vgpu);
	model->engines = g_ptr_array_new_with_free_func(free_engine);
	model->vgpu_engines = g_ptr_array_new_with_free_func(free_vgpu_engine);
}

const struct gpu *model_gpu(const struct model *model, int64_t dev)
{
	for (unsigned int nr = 0; nr < model->gpus->len; nr++) {
		const struct gpu *gpu = model->gpus->pdata[nr];

		if (gpu->dev == dev)
			return gpu;
	}
	return NULL;
}

/* the limits on vGPUs and engines also limit GPUs */
struct gpu *model_get_gpu(struct model *model, int64_t dev)
{
	struct gpu *gpu = (struct gpu *)model_gpu(model, dev);

	if (gpu)
		return gpu;
	gpu = g_new0(struct gpu, 1);
	gpu->dev = dev;
	gpu->first_id = UNKNOWN;
	gpu->last_id = UNKNOWN;		/* less than any */
	gpu->hidden = hidden_new(model);
	gpu->policy_lost = model->had_gap;
	gpu->engines = g_ptr_array_new();
	gpu->queues = g_ptr_array_new();
	g_ptr_array_add(model->gpus, gpu);
	return gpu;
}

/*
 * A host has a handful of vGPUs and engines: walking a short array beats
 * hashing a key of three numbers.
 */
const struct vgpu *model_vgpu(const struct model *model, int64_t dev, int64_t id)
{
	for (unsigned int nr = 0; nr < model->vgpus->len; nr++) {
		const struct vgpu *vgpu = model->vgpus->pdata[nr];

		if (vgpu->id == id && vgpu->dev == dev)
			return vgpu;
	}
	return NULL;
}

const char *vgpu_name(const struct vgpu *vgpu)
{
	return vgpu->label + strlen("vGPU ");
}

#define NUMBER_UNKNOWN(member)	.member = UNKNOWN,

static const struct slice unknown_slice = { NULL, UNKNOWN, UNKNOWN, UNKNOWN };

struct vgpu *model_get_vgpu(struct model *model, int64_t dev, int64_t id)
{
	struct vgpu *vgpu = (struct vgpu *)model_vgpu(model, dev, id);

	if (vgpu)
		return vgpu;
	if (model->vgpus->len == MAX_VGPUS)
		fatal("the trace names more than %d vGPUs: it is corrupted; record it again",
		      MAX_VGPUS);
	vgpu = g_new0(struct vgpu, 1);
	*vgpu = (struct vgpu) {
		.gpu = model_get_gpu(model, dev),
		.dev = dev, .id = id, VGPU_NUMBERS(NUMBER_UNKNOWN)
		.since_ns = model->last_ns,
		.set = vgpu_settings_unknown,
		.slices = g_array_new(FALSE, FALSE, sizeof(struct slice)),
		.label = g_strdup_printf("vGPU %" PRId64, vgpu_number(id)),
	};
	g_array_append_val(vgpu->slices, unknown_slice);
	vgpu->gpu->hidden->nr_vgpus++;
	g_ptr_array_add(model->vgpus, vgpu);
	return vgpu;
}

const struct slice *vgpu_slice(const struct vgpu *vgpu, const struct gpu_engine *engine)
{
	const struct slice *slices = (const struct slice *)vgpu->slices->data;

	for (unsigned int nr = 1; nr < vgpu->slices->len; nr++)
		if (slices[nr].engine == engine)
			return &slices[nr];
	return &slices[0];
}

struct gpu_engine *model_find_engine(const struct model *model, int64_t dev, int64_t class,
				     int64_t instance)
{
	for (unsigned int nr = 0; nr < model->engines->len; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];

		if (engine->class == class && engine->instance == instance && engine->dev == dev)
			return engine;
	}
	return NULL;
}

/* Workloads of damaged traces may use the numbers that mean all engines. */
const struct gpu_engine *model_engine(const struct model *model, int64_t dev, int64_t class,
				      int64_t instance)
{
	return is_one_engine(class, instance) ? model_find_engine(model, dev, class, instance) : NULL;
}

const struct gpu_engine *model_engine_of(const struct model *model, const struct event *event)
{
	const struct workload_event *told = &event->workload;

	return event->id > EVENT_WORKLOAD_CANCEL ? NULL :
	       model_find_engine(model, told->dev, told->class, told->instance);
}

/* An engine first seen during an exclusive turn has that turn. */
struct gpu_engine *model_get_engine(struct model *model, int64_t dev, int64_t class,
				    int64_t instance)
{
	struct gpu_engine *engine = model_find_engine(model, dev, class, instance);

	if (engine)
		return engine;
	if (model->engines->len == MAX_ENGINES)
		fatal("the trace names more than %d engines: it is corrupted; record it again",
		      MAX_ENGINES);
	engine = g_new0(struct gpu_engine, 1);
	engine->gpu = model_get_gpu(model, dev);
	engine->host = host_new(model, engine->gpu);
	engine->turn = engine->gpu->turn;
	engine->queues = g_ptr_array_new();
	engine->dev = dev;
	engine->class = class;
	engine->instance = instance;
	engine_name(engine->name, class, instance);
	engine->index = model->engines->len;
	/* it may have been used while events were lost */
	engine->doubtful = model->had_gap;
	engine->ran_ns = UNKNOWN;
	engine->overlap_ns = UNKNOWN;
	g_ptr_array_add(engine->gpu->engines, engine);
	g_ptr_array_add(model->engines, engine);
	return engine;
}

static struct vgpu_engine *new_vgpu_engine(struct model *model,
					   const struct workload_event *event)
{
	struct vgpu_engine *queue;

	if (model->vgpu_engines->len == MAX_VGPU_ENGINES)
		fatal("the trace names more than %d engines of vGPUs: it is corrupted; record it again",
		      MAX_VGPU_ENGINES);
	queue = g_new0(struct vgpu_engine, 1);
	queue->vgpu = model_get_vgpu(model, event->dev, event->vgpu_id);
	queue->engine = model_get_engine(model, event->dev, event->class, event->instance);
	queue->index = model->vgpu_engines->len;
	queue->free_ns = UNKNOWN;
	queue->parts_ns = UNKNOWN;
	queue->certain_ns = UNKNOWN;
	queue->unproven = g_array_new(FALSE, FALSE, sizeof(struct stretch));
	queue->undecided = g_array_new(FALSE, FALSE, sizeof(struct undecided));
	g_ptr_array_add(queue->engine->queues, queue);
	g_ptr_array_add(queue->vgpu->gpu->queues, queue);
	g_ptr_array_add(model->vgpu_engines, queue);
	return queue;
}

struct vgpu_engine *model_get_queue(struct model *model, const struct workload_event *event)
{
	for (unsigned int nr = 0; nr < model->vgpu_engines->len; nr++) {
		struct vgpu_engine *queue = model->vgpu_engines->pdata[nr];

		if (queue->vgpu->id == event->vgpu_id && queue->vgpu->dev == event->dev &&
		    queue->engine->class == event->class &&
		    queue->engine->instance == event->instance)
			return queue;
	}
	return new_vgpu_engine(model, event);
}

const GPtrArray *model_gpus(const struct model *model)
{
	return model->gpus;
}

const GPtrArray *model_vgpus(const struct model *model)
{
	return model->vgpus;
}

const GPtrArray *model_engines(const struct model *model)
{
	return model->engines;
}

const GPtrArray *model_vgpu_engines(const struct model *model)
{
	return model->vgpu_engines;
}
