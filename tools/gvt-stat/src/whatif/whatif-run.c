// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs gvt-sim, and lets a model read what it writes.
 */
#include <inttypes.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/util.h"
#include "script.h"
#include "simulator.h"
#include "whatif.h"

struct taker {
	const struct whatif *whatif;
	struct whatif_result *result;
};

static void take_line(void *ctx, char *line)
{
	const struct taker *taker = ctx;
	struct model *model = taker->result->model;
	struct event event = { 0 };	/* gvt-sim does not write every field */

	if (*line == '#')
		return;
	if (taker->whatif->line)
		taker->whatif->line(taker->whatif->ctx, line);
	if (!event_from_text(line, &event))
		return;
	if (event.id == EVENT_WORKLOAD_STATE)
		model_older(model, &event, event.ts_ns - event.workload.age_ns, 0);
	else
		model_event(model, &event);
}

static void free_result(void *result)
{
	whatif_result_free(result);
}

static struct whatif_result *new_result(const struct whatif *whatif, int64_t window_ns)
{
	const struct window window = { 0, window_ns };
	struct whatif_result *result = g_new0(struct whatif_result, 1);

	result->model = model_new();
	result->windows = whatif->windows;
	result->window_ns = window_ns;
	result->gap_ns = whatif_gap_ns(whatif);
	result->others = g_ptr_array_new_with_free_func(free_result);
	result->tally = tally_new(result->model, window, whatif->windows, result->gap_ns);
	tally_note_idle(result->tally);
	result->observer = whatif->observer;
	if (result->observer)
		result->seen = result->observer->begin(result->model);
	return result;
}

struct whatif_result *whatif_run(const struct whatif *whatif, const char *simulator,
				 const struct mixture *mixture, char **problem)
{
	GString *script = script_of(whatif, mixture, problem);
	struct whatif_result *result;
	struct taker taker;

	if (!script)
		return NULL;
	result = new_result(whatif, mixture->window_ns);
	taker = (struct taker) { whatif, result };
	simulator_run(simulator, script->str, script->len, take_line, &taker);
	model_finish(result->model);
	g_string_free(script, TRUE);
	return result;
}

void whatif_result_free(struct whatif_result *result)
{
	g_ptr_array_free(result->others, TRUE);
	g_free(result->name);
	if (result->observer)
		result->observer->free(result->seen);
	tally_free(result->tally);
	model_free(result->model);
	g_free(result);
}

const struct vgpu_engine *whatif_queue(const struct whatif_result *result, int64_t id,
				       const struct gpu_engine *engine)
{
	const GPtrArray *queues = model_vgpu_engines(result->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu->id == id && queue->engine->class == engine->class &&
		    queue->engine->instance == engine->instance)
			return queue;
	}
	return NULL;
}
