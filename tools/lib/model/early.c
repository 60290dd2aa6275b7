// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "model-private.h"
#include "skew.h"

/* Is an earlier step of the workload being kept? */
static bool follows_kept(const struct model *model, const struct event *event)
{
	struct workload_key key = workload_key_of(&event->workload);

	for (enum event_id id = EVENT_WORKLOAD_SUBMIT; id <= EVENT_WORKLOAD_START; id++)
		if (event->id > id && skew_has(&model->skew, id, &key))
			return true;
	return false;
}

void early_move(struct model *model, const struct event *event)
{
	if (model->skew.kept->len && follows_kept(model, event))
		skew_keep(&model->skew, event);
	else
		life_move(model, event);
}

/* Its predecessor has not come: apply it as it is, after all earlier events. */
static void drop_kept(struct model *model, struct event *event)
{
	struct workload_key key = workload_key_of(&event->workload);
	struct workload *w = g_hash_table_lookup(model->workloads, &key);

	event->ts_ns = MAX(event->ts_ns, model->last_ns);
	/* an earlier kept event has started it */
	if (w && event->id == EVENT_WORKLOAD_SUBMIT && (w->running || w->pieces))
		w->submit_ns = w->start_ns;
	else if (w && event->id == EVENT_WORKLOAD_SUBMIT)
		life_submit(model, w, event);
	else if (w && event->id == EVENT_WORKLOAD_START)
		life_start(model, w, event);
	else if (w && event->id == EVENT_WORKLOAD_STOP)
		life_stop(model, w, event);
	else if (w && event->id == EVENT_WORKLOAD_COMPLETE && w->phase == PHASE_PENDING)
		life_complete(model, w, event);
	else if (w)
		life_move(model, event);
	else
		model->strays++;
}

void early_drop(struct model *model, int64_t ts_ns)
{
	struct event event;

	while (skew_expired(&model->skew, ts_ns, &event))
		drop_kept(model, &event);
}

/* Retry an event that came too early, at time @ts_ns; it may be kept again. */
static void retry(struct model *model, struct event *event, int64_t ts_ns)
{
	unsigned int kept = model->skew.kept->len;
	int64_t own_ns = event->ts_ns;

	event->ts_ns = MAX(own_ns, ts_ns);
	early_move(model, event);
	if (model->skew.kept->len == kept)
		skew_note(&model->skew, own_ns, ts_ns);
	else
		g_array_index(model->skew.kept, struct event, kept).ts_ns = own_ns;
}

/* apply the kept events of one workload, as long as any is possible */
static void move_kept_of(struct model *model, struct workload_key key, int64_t ts_ns)
{
	unsigned int before;
	struct event early;

	do {
		before = model->skew.kept->len;
		for (unsigned int nr = 0; nr < before; nr++) {
			if (!skew_take(&model->skew, &key, &early))
				return;
			retry(model, &early, ts_ns);
		}
	} while (model->skew.kept->len < before);
}

/* Submissions and failures require the vGPU's turn. */
static bool needs_turn(enum event_id id)
{
	return id == EVENT_WORKLOAD_SUBMIT || id == EVENT_WORKLOAD_COMPLETE;
}

/* A vGPU got its turn: apply its kept events, on any engine. */
static void move_in_turn(struct model *model, const struct switch_event *told, int64_t ts_ns)
{
	GArray *keys = g_array_new(FALSE, FALSE, sizeof(struct workload_key));

	for (unsigned int nr = 0; nr < model->skew.kept->len; nr++) {
		const struct event *early = &g_array_index(model->skew.kept, struct event, nr);
		struct workload_key key = workload_key_of(&early->workload);

		if (needs_turn(early->id) && early->workload.dev == told->dev &&
		    early->workload.vgpu_id == told->next_vgpu_id)
			g_array_append_val(keys, key);
	}
	for (unsigned int nr = 0; nr < keys->len; nr++)
		move_kept_of(model, g_array_index(keys, struct workload_key, nr), ts_ns);
	g_array_free(keys, TRUE);
}

void early_retry(struct model *model, const struct event *event)
{
	if (event->id <= EVENT_WORKLOAD_START)
		move_kept_of(model, workload_key_of(&event->workload), event->ts_ns);
	if (event->id == EVENT_SCHED_SWITCH)
		move_in_turn(model, &event->sched_switch, event->ts_ns);
}
