// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "hints.h"
#include "trace-private.h"
#include "util.h"

/* the last submitter where turns are taken: of a GPU, or of one of its engines */
static struct submitter *get_submitter(struct hints *hints, const struct event *event)
{
	const struct workload_event *told = &event->workload;
	int64_t class = hints->exclusive ? UNKNOWN : told->class;
	int64_t instance = hints->exclusive ? UNKNOWN : told->instance;
	struct submitter *place = hints->submitters;

	for (; place < hints->submitters + hints->nr_submitters; place++)
		if (place->dev == told->dev && place->class == class &&
		    place->instance == instance)
			return place;
	if (hints->nr_submitters == SUBMITTERS)
		return NULL;
	hints->nr_submitters++;
	*place = (struct submitter) { told->dev, class, instance, told->vgpu_id };
	return place;
}

static void note_info(struct hints *hints, const struct sched_info *told)
{
	hints->sliced |= told->policy && sched_policy_sliced(told->policy);
	hints->exclusive = !told->dispatch || !*told->dispatch ||
			  !strcmp(told->dispatch, "exclusive");
}

static void keep_submitted(struct hints *hints, const struct workload_event *told)
{
	unsigned int place = (uint64_t)told->workload_id % SUBMITTED;

	hints->submitted[place].dev = told->dev;
	hints->submitted[place].id = told->workload_id;
}

static void note_executed(struct hints *hints, const struct workload_event *told)
{
	unsigned int place = (uint64_t)told->workload_id % SUBMITTED;

	if (hints->started || told->status)
		return;
	hints->executed++;
	/* the kernel's ids begin with 1 */
	hints->executed_whole += told->workload_id && hints->submitted[place].id == told->workload_id &&
				 hints->submitted[place].dev == told->dev;
}

static void note_submit(struct hints *hints, const struct event *event)
{
	struct submitter *submitter = get_submitter(hints, event);

	if (!hints->started)
		keep_submitted(hints, &event->workload);
	if (!submitter)
		return;
	hints->switched |= submitter->vgpu_id != event->workload.vgpu_id;
	submitter->vgpu_id = event->workload.vgpu_id;
}

static struct queued *get_queued(struct hints *hints, const struct workload_event *told)
{
	struct queued *place = hints->queued;

	for (; place < hints->queued + hints->nr_queued; place++)
		if (place->dev == told->dev)
			return place;
	if (hints->nr_queued == QUEUED_GPUS)
		return NULL;
	hints->nr_queued++;
	*place = (struct queued) { told->dev, told->workload_id, told->workload_id, 0 };
	return place;
}

static void note_queue(struct hints *hints, const struct workload_event *told)
{
	struct queued *queued = get_queued(hints, told);

	if (!queued)
		return;
	queued->first = MIN(queued->first, told->workload_id);
	queued->last = MAX(queued->last, told->workload_id);
	queued->count++;
}

static struct host_told *get_host(struct hints *hints, const struct host_event *told)
{
	struct host_told *place = hints->hosts;

	for (; place < hints->hosts + hints->nr_hosts; place++)
		if (place->dev == told->dev && place->class == told->class &&
		    place->instance == told->instance)
			return place;
	if (hints->nr_hosts == HOST_ENGINES)
		return NULL;
	hints->nr_hosts++;
	*place = (struct host_told) { told->dev, told->class, told->instance, told->exec_ns };
	return place;
}

static void note_host(struct hints *hints, const struct host_event *told)
{
	const struct host_told *first = get_host(hints, told);

	hints->host_ran |= first && known(first->exec_ns) && told->exec_ns > first->exec_ns;
}

void hints_note(struct hints *hints, const struct event *event)
{
	if (event->id == EVENT_WORKLOAD_SUBMIT)
		note_submit(hints, event);
	else if (event->id == EVENT_WORKLOAD_QUEUE)
		note_queue(hints, &event->workload);
	else if (event->id == EVENT_WORKLOAD_COMPLETE)
		note_executed(hints, &event->workload);
	else if (event->id == EVENT_WORKLOAD_START)
		hints->started = true;
	else if (event->id == EVENT_SCHED_INFO)
		note_info(hints, &event->sched_info);
	else if (event->id == EVENT_HOST_STATE)
		note_host(hints, &event->host);
}
