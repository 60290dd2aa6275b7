// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "waits-private.h"

static struct workload_key key_of(const struct event *event)
{
	return (struct workload_key) { event->workload.dev, event->workload.workload_id };
}

static bool is_this(const struct workload_key *key, const struct event *event)
{
	struct workload_key other = key_of(event);

	return workload_key_equal(key, &other);
}

/*
 * From now on the thread waits for the engine: while that runs other vGPUs'
 * work, the thread waits for that work.
 */
void waits_on_submit(struct waits *waits, const struct event *event)
{
	struct worker *worker = waits_get_thread(waits, event->pid);
	struct worker *engine = waits_get_engine(waits, &event->workload);

	if (engine->label == PATH_UNKNOWN)
		waits_change(waits, engine, event->ts_ns, PATH_IDLE, 0);
	if (!worker || is_this(&worker->ended, event))
		return;
	worker->submitted = key_of(event);
	worker->engine = engine->nr;
}

/* Is the event the one of this workload that came in the wrong order? If so, clear @late. */
static bool take_late(struct late *late, const struct event *event)
{
	bool is = known(late->id) && late->id == event->workload.workload_id &&
		  waits_is_near(event->ts_ns, late->ns);

	if (is)
		late->id = UNKNOWN;
	return is;
}

void waits_on_start(struct waits *waits, const struct event *event)
{
	struct worker *engine = waits_get_engine(waits, &event->workload);

	if (take_late(&engine->early, event))
		return;
	if (engine->label == PATH_EXECUTES)
		engine->late = (struct late) { engine->detail, event->ts_ns };
	waits_change(waits, engine, event->ts_ns, PATH_EXECUTES, event->workload.workload_id);
	engine->vgpu_id = event->workload.vgpu_id;
}

/* Another workload may be running: its start, or this one's stop, came too late. */
static enum path_label label_stopped(const struct worker *engine, int64_t ts_ns)
{
	return known(engine->late.id) && waits_is_near(ts_ns, engine->late.ns) ? PATH_UNKNOWN : PATH_IDLE;
}

/* A late stop of a workload must not end the next one's execution. */
void waits_on_stop(struct waits *waits, const struct event *event)
{
	struct worker *engine = waits_get_engine(waits, &event->workload);
	bool late = take_late(&engine->late, event);
	bool executes = engine->label == PATH_EXECUTES;

	if (late && executes)
		return;
	if (!late && engine->label != PATH_UNKNOWN &&
	    !(executes && engine->detail == event->workload.workload_id))
		engine->early = (struct late) { event->workload.workload_id, event->ts_ns };
	else
		waits_change(waits, engine, event->ts_ns, label_stopped(engine, event->ts_ns), 0);
}

void waits_on_end(struct waits *waits, const struct event *event)
{
	struct worker *worker = waits_get_thread(waits, event->pid);
	const struct workload_key wanted = { waits->workload.dev, waits->workload.id };

	if (worker)
		worker->ended = key_of(event);
	if (worker && is_this(&worker->submitted, event))
		worker->submitted.id = UNKNOWN;
	if (!is_this(&wanted, event) || !known(waits->workload.queue_ns) ||
	    known(waits->workload.end_ns))
		return;
	waits->workload.end_ns = event->ts_ns;
	waits->workload.tid = event->pid;
}
