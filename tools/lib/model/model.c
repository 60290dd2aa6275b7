// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "trace/util.h"
#include "model-private.h"
#include "skew.h"
#include "turns.h"

struct model *model_new(void)
{
	struct model *model = g_new0(struct model, 1);

	model->workloads = g_hash_table_new_full(workload_key_hash, workload_key_equal, NULL, alive_free);
	model_objects_init(model);
	told_init(model);
	model->most_spare = MOST_SPARE;
	model->unused = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	model->gap_end_ns = UNKNOWN;
	skew_init(&model->skew);
	return model;
}

void model_free(struct model *model)
{
	skew_clear(&model->skew);
	g_hash_table_destroy(model->workloads);
	while (model->nr_spare)
		alive_free(model->spare[--model->nr_spare]);
	g_array_free(model->unused, TRUE);
	g_ptr_array_free(model->vgpu_engines, TRUE);
	g_ptr_array_free(model->engines, TRUE);
	g_ptr_array_free(model->vgpus, TRUE);
	g_ptr_array_free(model->gpus, TRUE);
	g_ptr_array_free(model->sched_infos, TRUE);
	g_free(model);
}

static void append(const struct model_listener **list, const struct model_listener *listener)
{
	while (*list)
		list++;
	*list = listener;
}

void model_listen(struct model *model, const struct model_listener *listener)
{
	struct model_listener *kept;

	g_assert(model->nr_listeners < MAX_LISTENERS);
	kept = &model->listeners[model->nr_listeners++];
	*kept = *listener;
	for (size_t call = 0; call < NR_CALLS; call++)
		if (((void *const *)kept)[call])
			append(model->heard[call], kept);
}

void model_event(struct model *model, const struct event *event)
{
	if (model->skew.kept->len)
		early_drop(model, event->ts_ns);
	model->last_ns = event->ts_ns;
	told_event(model, event);
	if (event->id >= EVENT_WORKLOAD_STATE && event->id <= EVENT_SCHED_INFO)
		hidden_told(model, event);
	if (event->id == EVENT_WORKLOAD_QUEUE)
		life_queue(model, event);
	else if (event->id <= EVENT_WORKLOAD_CANCEL)
		early_move(model, event);
	if (model->skew.kept->len)
		early_retry(model, event);
}

static int compare_keys(const void *a, const void *b)
{
	const struct workload *wa = *(struct workload *const *)a;
	const struct workload *wb = *(struct workload *const *)b;

	if (wa->dev != wb->dev)
		return wa->dev < wb->dev ? -1 : 1;
	return (wa->id > wb->id) - (wa->id < wb->id);
}

void model_reach(struct model *model, int64_t ts_ns)
{
	model->last_ns = MAX(model->last_ns, ts_ns);
}

void model_finish(struct model *model)
{
	guint count;
	struct workload **alive;

	early_drop(model, UNKNOWN);
	TELL(model, over, model->until_ns);
	alive = (struct workload **)g_hash_table_get_keys_as_array(model->workloads, &count);
	for (guint nr = 0; nr < count; nr++)
		alive[nr] = g_hash_table_lookup(model->workloads, alive[nr]);
	qsort(alive, count, sizeof(*alive), compare_keys);
	if (model->gaps)
		TELL(model, unsure, NULL, model->gap_begin_ns, UNKNOWN)
	else
		gaps_tell_certain(model, UNKNOWN);
	host_finish(model);
	for (guint nr = 0; nr < count; nr++)
		life_finish(model, alive[nr]);
	for (unsigned int nr = 0; nr < model->gpus->len; nr++)
		turns_finish(model, model->gpus->pdata[nr], model->last_ns);
	g_free(alive);
	g_hash_table_remove_all(model->workloads);
}

uint64_t model_tainted(const struct model *model)
{
	return model->tainted;
}

uint64_t model_strays(const struct model *model)
{
	return model->strays;
}

const struct skew *model_skew(const struct model *model)
{
	return &model->skew;
}
