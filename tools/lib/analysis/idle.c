// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "follow/inside.h"
#include "model/inside.h"
#include "trace/inside.h"
#include "trace/util.h"
#include "idle-time-private.h"

/* reasons of a drained engine while the coming switch was unknown */
#define BEFORE_SWITCH	(REASON_BIT(IDLE_DISPATCH) | REASON_BIT(IDLE_STRANDED))
/* apparent reasons while the GPU was held idle */
#define BEFORE_HOLD	(BEFORE_SWITCH | REASON_BIT(IDLE_SWITCHING) | \
			 REASON_BIT(IDLE_THROTTLED) | REASON_BIT(IDLE_CAPPED) | \
			 REASON_BIT(IDLE_UNKNOWN) | REASON_BIT(IDLE_I915))

/* reasons that count only if no other work waits for the engine that could have had it */
#define BEHIND_ALL	(REASON_BIT(IDLE_STRANDED) | REASON_BIT(IDLE_THROTTLED) | \
			 REASON_BIT(IDLE_CAPPED) | REASON_BIT(IDLE_EMPTY) | REASON_BIT(IDLE_UNKNOWN))

/* Work for one engine changes the other engines' reasons: a vGPU uses its turn, or not. */
static void update_turns(struct idle *idle, const struct gpu_engine *but, int64_t ts_ns)
{
	const GPtrArray *engines = but->gpu->engines;

	for (unsigned int nr = 0; !but->gpu->per_engine && nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		struct engine_time *time;
		enum idle_turn turn;

		if (engine == but)
			continue;
		time = idle_engine(idle, engine->index);
		if (!time->now.queue)
			continue;
		turn = idle_turn_of(engine, time->now.queue);
		if (turn == time->now.turn)
			continue;
		idle_close(idle, time, ts_ns);
		time->now.turn = turn;
	}
}

static void update(struct idle *idle, const struct gpu_engine *engine, int64_t ts_ns)
{
	struct engine_time *time = idle_engine(idle, engine->index);
	enum idle_reason reason = idle_reason_of(engine);

	if (reason == time->now.reason &&
	    (reason != IDLE_I915 || time->now.several == (engine->submitted > 1)))
		return;
	idle_close(idle, time, ts_ns);
	idle_begin(time, engine, reason);
}

typedef void (*engine_fn)(struct idle *idle, const struct gpu_engine *engine,
			  const struct event *event);

/* @scope: NULL for all engines of the GPU */
static void each_engine(struct idle *idle, int64_t dev, const struct gpu_engine *scope,
			const struct event *event, engine_fn call)
{
	const GPtrArray *engines = model_engines(idle->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		if (engine->dev == dev && (!scope || scope == engine))
			call(idle, engine, event);
	}
}

/* With exclusive dispatch, a vGPU is picked for all engines because of work for one. */
static int64_t first_picked(struct idle *idle, const struct gpu_engine *engine)
{
	const GPtrArray *engines = engine->gpu->engines;
	int64_t first_ns = UNKNOWN;

	if (!idle->nr_picked)
		return UNKNOWN;
	if (engine->gpu->per_engine)
		return idle_engine(idle, engine->index)->picked_ns;
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *other = engines->pdata[nr];
		int64_t picked_ns = idle_engine(idle, other->index)->picked_ns;

		if (known(picked_ns) && (!known(first_ns) || picked_ns < first_ns))
			first_ns = picked_ns;
	}
	return first_ns;
}

static void after_switch(struct idle *idle, const struct gpu_engine *engine,
			 const struct event *event)
{
	struct engine_time *time = idle_engine(idle, engine->index);
	const struct switch_event *change = &event->sched_switch;
	enum idle_reason reason = idle_reason_of(engine);
	int64_t picked_ns = first_picked(idle, engine);

	/* the turn does not matter to an engine without waiting work */
	if (reason == time->now.reason && !idle_is_wait(reason) && !time->nr_pending)
		return;
	idle_close(idle, time, event->ts_ns);
	if (known(change->drain_ns))
		idle_convert(idle, time, event->ts_ns - change->drain_ns, BEFORE_SWITCH, IDLE_SWITCHING);
	if (known(picked_ns))
		idle_convert(idle, time, picked_ns, REASON_BIT(IDLE_THROTTLED), IDLE_SWITCHING);
	idle_prove(idle, time);
	idle_begin(time, engine, reason);
}

static void forget_picked(struct idle *idle, const struct gpu_engine *engine,
			  const struct event *event)
{
	struct engine_time *time = idle_engine(idle, engine->index);

	(void)event;
	idle->nr_picked -= known(time->picked_ns);
	time->picked_ns = UNKNOWN;
}

static void after_hold(struct idle *idle, const struct gpu_engine *engine,
		       const struct event *event)
{
	struct engine_time *time = idle_engine(idle, engine->index);

	idle_close(idle, time, event->ts_ns);
	idle_convert(idle, time, event->ts_ns - event->hold.held_ns, BEFORE_HOLD, IDLE_HELD);
	idle_begin(time, engine, idle_reason_of(engine));
}

static void after_others(struct idle *idle, const struct gpu_engine *engine,
			 const struct event *event)
{
	update(idle, engine, event->ts_ns);
}

/* No engine was being drained before: its vGPU could not have submitted work. */
static void before_submit(struct idle *idle, const struct gpu_engine *engine,
			  const struct event *event)
{
	(void)event;
	idle_prove(idle, idle_engine(idle, engine->index));
}

/* If not, it was submitted ahead, or its clock was ahead of that of the switch. */
static bool is_its_turn(const struct gpu_engine *engine, const struct workload_event *told)
{
	const struct turn *turn = engine->gpu->per_engine ? &engine->turn : &engine->gpu->turn;

	return !turn->known || (turn->current && turn->current->id == told->vgpu_id);
}

static bool is_of(const struct gpu_engine *engine, const struct workload_event *told)
{
	return engine->class == told->class && engine->instance == told->instance &&
	       engine->dev == told->dev;
}

/* Enough events may have been seen since the last gap. */
static void trust(struct idle *idle, struct engine_time *time, const struct gpu_engine *engine)
{
	if (time->doubtful && !model_may_hide(engine))
		idle_trust(idle, time, true);
}

static void on_workload(struct idle *idle, const struct event *event)
{
	const struct gpu_engine *engine = idle->recent;

	if (!engine || !is_of(engine, &event->workload))
		engine = idle->recent = model_engine_of(idle->follow->model, event);
	if (!engine)
		return;
	if (idle->doubted)
		trust(idle, idle_engine(idle, engine->index), engine);
	update(idle, engine, event->ts_ns);
	if (event->id == EVENT_WORKLOAD_SUBMIT && is_its_turn(engine, &event->workload))
		each_engine(idle, engine->dev, engine->gpu->per_engine ? engine : NULL, event,
			    before_submit);
	update_turns(idle, engine, event->ts_ns);
}

static void on_host(struct idle *idle, const struct event *event)
{
	const struct host_event *told = &event->host;
	const struct gpu_engine *engine = model_engine(idle->follow->model, told->dev, told->class,
						       told->instance);

	if (engine && event->id == EVENT_HOST_STOP)
		update(idle, engine, MAX(host_told_ns(engine),
					 idle_engine(idle, engine->index)->now.from_ns));
	else if (engine)
		update(idle, engine, event->ts_ns);
}

static void on_event(void *ctx, const struct event *event)
{
	struct idle *idle = ctx;
	const struct model *model = idle->follow->model;
	const struct switch_event *change = &event->sched_switch;
	const struct hold_event *hold = &event->hold;
	const struct gpu_engine *engine;

	if (event->id <= EVENT_WORKLOAD_CANCEL) {
		on_workload(idle, event);
	} else if (event->id == EVENT_SCHED_SWITCH) {
		engine = model_engine(model, change->dev, change->class, change->instance);
		each_engine(idle, change->dev, engine, event, after_switch);
		if (idle->nr_picked)
			each_engine(idle, change->dev, engine, event, forget_picked);
	} else if (event->id == EVENT_SCHED_BALANCE) {
		each_engine(idle, event->balance.dev, NULL, event, after_others);
	} else if (event->id == EVENT_SCHED_SETTING) {
		each_engine(idle, event->setting.dev, NULL, event, after_others);
	} else if (event->id == EVENT_SCHED_HOLD) {
		engine = model_engine(model, hold->dev, hold->class, hold->instance);
		each_engine(idle, hold->dev, engine, event, after_hold);
	} else if (EVENT_BIT(event->id) & HOST_EVENTS) {
		on_host(idle, event);
	}
}

/* correct in hindsight why a queue's work waited, and so the engine */
static void correct(struct idle *idle, struct engine_time *engine,
		    const struct stretch *stretch, enum idle_reason from, enum idle_reason to)
{
	if (stretch->to_ns > engine->now.from_ns)
		idle_close(idle, engine, stretch->to_ns);
	idle_convert(idle, engine, stretch->from_ns, REASON_BIT(from), to);
}

/*
 * The wait of an eligible vGPU ends: perhaps it was picked. Only the length of the
 * wait shows whether its cap was the reason.
 */
static void on_stretch(void *ctx, const struct stretch *stretch)
{
	struct idle *idle = ctx;
	struct engine_time *engine;

	if (stretch->class != WAIT_UNKNOWN && stretch->class != WAIT_SWITCHING)
		return;
	engine = idle_engine(idle, stretch->queue->engine->index);
	if (stretch->class == WAIT_UNKNOWN)
		correct(idle, engine, stretch, IDLE_SWITCHING, IDLE_UNKNOWN);
	if (stretch->class != WAIT_SWITCHING)
		return;
	correct(idle, engine, stretch, IDLE_CAPPED, IDLE_SWITCHING);
	idle->nr_picked += !known(engine->picked_ns);
	if (!known(engine->picked_ns) || stretch->from_ns < engine->picked_ns)
		engine->picked_ns = stretch->from_ns;
}

/* Everything in a gap is unknown, and after it whatever hidden work may affect. */
static void on_gap(struct idle *idle, int64_t ts_ns, bool begins)
{
	const GPtrArray *engines = model_engines(idle->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		struct engine_time *time = idle_engine(idle, engine->index);

		trust(idle, time, engine);
		idle_close(idle, time, ts_ns);
		idle_unpark(time);
		update(idle, engine, ts_ns);
		if (begins)
			idle_trust(idle, time, false);
		else
			idle_doubt(idle, time);
	}
}

static void on_lost(void *ctx, int64_t ts_ns)
{
	struct idle *idle = ctx;

	if (!known(idle->lost_ns))
		idle->lost_ns = ts_ns;
	on_gap(idle, ts_ns, true);
}

static void on_found(void *ctx, int64_t ts_ns)
{
	on_gap(ctx, ts_ns, false);
}

/* Preempted work that never resumed has only waited for its completion. */
static void on_ended(void *ctx, const struct workload *w)
{
	struct idle *idle = ctx;
	struct engine_time *engine;

	if (!w->never_back)
		return;
	engine = idle_engine(idle, w->queue->engine->index);
	idle_close(idle, engine, w->end_ns);
	idle_complete(engine, w->stop_ns);
}

static void on_misled(void *ctx, const struct gpu_engine *engine, int64_t ts_ns)
{
	struct idle *idle = ctx;

	idle_mislead(idle, idle_engine(idle, engine->index), ts_ns);
}

/* Work from before the trace has existed all the time. */
static void on_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns)
{
	struct idle *idle = ctx;
	const struct gpu_engine *engine = w->queue->engine;
	const struct vgpu *vgpu = w->queue->vgpu;
	unsigned int all = (REASON_BIT(IDLE_REASONS) - 1) & ~REASON_BIT(IDLE_HOST);

	/* or it arrived in a gap */
	if (known(idle->lost_ns))
		phase = PHASE_PENDING;
	if (phase == PHASE_RUNNING)
		idle_rewrite(idle, engine, all, IDLE_BUSY, ts_ns, NULL);
	else if (phase == PHASE_SUBMITTED)
		idle_rewrite(idle, engine, all & ~REASON_BIT(IDLE_BUSY), IDLE_I915, ts_ns, vgpu);
	else if (phase == PHASE_FINISHING)
		idle_rewrite(idle, engine, all & ~REASON_BIT(IDLE_BUSY), IDLE_COMPLETION, ts_ns, vgpu);
	else
		idle_rewrite(idle, engine, BEHIND_ALL, IDLE_UNKNOWN, ts_ns, vgpu);
	update(idle, engine, ts_ns);
}

/* Its stop shows since when, perhaps since before the trace, without an event until now. */
static void on_host_ran(void *ctx, const struct gpu_engine *engine, enum host_time what,
			const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct idle *idle = ctx;

	(void)holder;
	if (what != HOST_RAN)
		return;
	if (!known(to_ns))
		to_ns = idle->follow->trace->end_ns;
	if (known(from_ns))
		idle_give_to_host(idle, idle_engine(idle, engine->index), from_ns, to_ns);
	else if (!known(idle->lost_ns))
		idle_rewrite(idle, engine, (REASON_BIT(IDLE_REASONS) - 1) & ~REASON_BIT(IDLE_BUSY),
			     IDLE_HOST, to_ns, NULL);
}

static void free_time(void *data)
{
	struct engine_time *engine = data;

	if (engine->doubtful)
		g_array_free(engine->doubtful, TRUE);
	g_free(engine);
}

struct idle *idle_new(struct follow *follow)
{
	struct idle *idle = g_new0(struct idle, 1);
	struct model_listener listener = {
		.stretch = on_stretch,
		.older = on_older,
		.ended = on_ended,
		.misled = on_misled,
		.host = on_host_ran,
		.ctx = idle,
	};

	idle->follow = follow;
	idle->lost_ns = UNKNOWN;
	idle->engines = g_ptr_array_new_with_free_func(free_time);
	idle->queues = g_ptr_array_new_with_free_func(g_free);
	model_listen(follow->model, &listener);
	follow_add(follow, (struct analysis) {
		.events = MODEL_EVENTS, .event = on_event, .lost = on_lost, .found = on_found,
		.ctx = idle,
	});
	return idle;
}

/* Every moment of the window must have one reason. */
static void check_sum(struct idle *idle, const struct engine_time *engine, unsigned int index)
{
	const struct window *window = &idle->follow->window;
	int64_t sum = 0;

	for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++)
		sum += engine->row.time_ns[reason];
	if (sum == window->to_ns - window->from_ns)
		return;
	contradiction_add(idle->follow, &(struct contradiction) {
		.sum = SUM_ENGINE, .engine = model_engines(idle->follow->model)->pdata[index],
		.at_ns = known(engine->broken_ns) ? engine->broken_ns : window->from_ns,
	});
}

void idle_finish(struct idle *idle)
{
	for (unsigned int nr = 0; nr < idle->engines->len; nr++) {
		struct engine_time *engine = idle->engines->pdata[nr];

		trust(idle, engine, model_engines(idle->follow->model)->pdata[nr]);
		idle_close(idle, engine, idle->follow->trace->end_ns);
		idle_settle(idle, engine);
		idle_trust(idle, engine, false);
		idle_account_recent(idle, engine);
		check_sum(idle, engine, nr);
	}
}

void idle_free(struct idle *idle)
{
	g_ptr_array_free(idle->queues, TRUE);
	g_ptr_array_free(idle->engines, TRUE);
	g_free(idle);
}
