// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "follow/inside.h"
#include "model/inside.h"
#include "trace/util.h"
#include "idle-private.h"

#define REASON_BIT(reason)	(1u << (reason))

/* what a drained engine waited with, as long as the coming switch was not known */
#define BEFORE_SWITCH	(REASON_BIT(IDLE_DISPATCH) | REASON_BIT(IDLE_STRANDED))
/* and what it seemed to wait for, while the GPU was kept idle */
#define BEFORE_HOLD	(BEFORE_SWITCH | REASON_BIT(IDLE_SWITCHING) | \
			 REASON_BIT(IDLE_THROTTLED) | REASON_BIT(IDLE_CAPPED) | \
			 REASON_BIT(IDLE_UNKNOWN) | REASON_BIT(IDLE_I915))

/*
 * So many are kept until a submission or a switch proves their reasons. Between
 * two of these there are hardly more than a few.
 */
#define PENDING_MAX	256

/* a stretch of idle time */
struct segment {
	int64_t from_ns;
	int64_t to_ns;
	enum idle_reason reason;
	enum idle_turn turn;
	const struct vgpu_engine *queue;	/* that waited at its beginning, or NULL */
};

/* the time in which one queue waited, by reason and turn */
struct idle_parts {
	int64_t time_ns[IDLE_REASONS][IDLE_TURNS];
};

/* one engine */
struct engine_time {
	struct idle_row row;
	struct idle_parts unclear;	/* something waited, it is not known what */
	struct segment last;		/* accounted, with all like it before */
	struct segment pending[PENDING_MAX];	/* the reason may yet change */
	unsigned int nr_pending;
	struct segment now;		/* goes on; its end is not known */
	bool parked;			/* the scheduler may keep i915 from what it has */
	int64_t picked_ns;		/* since when the vGPU just picked could have run */
	int64_t broken_ns;		/* where the accounted time first has a hole; UNKNOWN */
};

struct idle {
	struct follow *follow;
	GPtrArray *engines;		/* struct engine_time, by gpu_engine.index */
	GPtrArray *queues;		/* struct idle_parts, by vgpu_engine.index */
	const struct gpu_engine *recent;	/* of the last event of a workload; NULL */
	unsigned int nr_picked;		/* engines whose picked_ns is known */
};

const char *idle_reason_name(enum idle_reason reason)
{
	static const char *const names[IDLE_REASONS] = {
		[IDLE_BUSY] = "busy", [IDLE_I915] = "i915", [IDLE_COMPLETION] = "completion",
		[IDLE_DISPATCH] = "dispatch", [IDLE_SWITCHING] = "switching",
		[IDLE_HELD] = "held", [IDLE_STRANDED] = "stranded",
		[IDLE_THROTTLED] = "throttled", [IDLE_CAPPED] = "capped", [IDLE_EMPTY] = "empty",
		[IDLE_UNKNOWN] = "unknown",
	};

	return names[reason];
}

bool idle_reason_needs_turns(enum idle_reason reason)
{
	return reason >= IDLE_DISPATCH && reason <= IDLE_CAPPED;
}

/* before an engine's first event there was no work for it */
static struct engine_time *new_engine(const struct idle *idle)
{
	struct engine_time *engine = g_new0(struct engine_time, 1);

	engine->now.reason = IDLE_EMPTY;
	engine->picked_ns = UNKNOWN;
	engine->broken_ns = UNKNOWN;
	engine->last.from_ns = MAX(idle->follow->trace->start_ns, idle->follow->window.from_ns);
	engine->last.to_ns = engine->last.from_ns;
	engine->now.from_ns = idle->follow->trace->start_ns;
	return engine;
}

static __attribute__((cold)) void add_engines(struct idle *idle, unsigned int index)
{
	while (idle->engines->len <= index)
		g_ptr_array_add(idle->engines, new_engine(idle));
}

static inline struct engine_time *get_engine(struct idle *idle, unsigned int index)
{
	if (index >= idle->engines->len)
		add_engines(idle, index);
	return idle->engines->pdata[index];
}

static struct idle_parts *get_parts(const struct idle *idle, struct engine_time *engine,
				    const struct vgpu_engine *queue)
{
	if (!queue)
		return &engine->unclear;
	while (idle->queues->len <= queue->index)
		g_ptr_array_add(idle->queues, g_new0(struct idle_parts, 1));
	return idle->queues->pdata[queue->index];
}

/* Neighbours of the same reason are one stretch. */
static void join(struct segment *last, const struct segment *segment, int64_t from_ns,
		 int64_t to_ns)
{
	if (segment->reason != last->reason || from_ns != last->to_ns) {
		last->reason = segment->reason;
		last->from_ns = from_ns;
		last->queue = NULL;
	}
	last->to_ns = to_ns;
	if (!last->queue)
		last->queue = segment->queue;
}

static bool is_longest(const struct idle_row *row, const struct segment *segment)
{
	return segment->to_ns - segment->from_ns > row->longest_ns[segment->reason];
}

static void note_longest(struct idle_row *row, const struct segment *segment)
{
	enum idle_reason reason = segment->reason;

	row->longest_ns[reason] = segment->to_ns - segment->from_ns;
	row->longest_at_ns[reason] = segment->from_ns;
	row->longest_vgpu[reason] = segment->queue ? segment->queue->vgpu : NULL;
}

static bool is_wait(enum idle_reason reason)
{
	return reason != IDLE_BUSY && reason != IDLE_EMPTY;
}

static void account(const struct idle *idle, struct engine_time *engine,
		    const struct segment *segment)
{
	const struct window *window = &idle->follow->window;
	int64_t from_ns = MAX(segment->from_ns, window->from_ns);
	int64_t to_ns = MIN(segment->to_ns, window->to_ns);

	if (to_ns <= from_ns)
		return;
	if (from_ns != engine->last.to_ns && !known(engine->broken_ns))
		engine->broken_ns = from_ns;
	engine->row.time_ns[segment->reason] += to_ns - from_ns;
	if (is_wait(segment->reason))
		get_parts(idle, engine, segment->queue)->time_ns[segment->reason][segment->turn] +=
			to_ns - from_ns;
	join(&engine->last, segment, from_ns, to_ns);
	if (is_longest(&engine->row, &engine->last))
		note_longest(&engine->row, &engine->last);
}

static void settle(const struct idle *idle, struct engine_time *engine)
{
	for (unsigned int nr = 0; nr < engine->nr_pending; nr++)
		account(idle, engine, &engine->pending[nr]);
	engine->nr_pending = 0;
}

static void remove_pending(struct engine_time *engine, unsigned int nr)
{
	engine->nr_pending--;
	memmove(&engine->pending[nr], &engine->pending[nr + 1],
		(engine->nr_pending - nr) * sizeof(*engine->pending));
}

/* @nr: its place; one more than there is room for is taken for what it is */
static void insert_pending(const struct idle *idle, struct engine_time *engine, unsigned int nr,
			   const struct segment *segment)
{
	if (engine->nr_pending == PENDING_MAX && !nr) {
		account(idle, engine, segment);
		return;
	}
	if (engine->nr_pending == PENDING_MAX) {
		account(idle, engine, &engine->pending[0]);
		remove_pending(engine, 0);
		nr--;
	}
	/* mostly it is the last one */
	if (nr < engine->nr_pending)
		memmove(&engine->pending[nr + 1], &engine->pending[nr],
			(engine->nr_pending - nr) * sizeof(*segment));
	engine->pending[nr] = *segment;
	engine->nr_pending++;
}

/* These stay as they are whatever comes. */
#define CERTAIN		(REASON_BIT(IDLE_BUSY) | REASON_BIT(IDLE_I915) | \
			 REASON_BIT(IDLE_COMPLETION) | REASON_BIT(IDLE_EMPTY))

/* what has gone on since the last change is over */
static void close_open(struct idle *idle, struct engine_time *engine, int64_t ts_ns)
{
	struct segment *now = &engine->now;

	now->to_ns = ts_ns;
	if (ts_ns > now->from_ns && !engine->nr_pending && !engine->parked &&
	    CERTAIN & REASON_BIT(now->reason))
		account(idle, engine, now);
	else if (ts_ns > now->from_ns)
		insert_pending(idle, engine, engine->nr_pending, now);
	now->from_ns = ts_ns;
}

/* of the time from @from_ns on, that with one of @reasons had another one */
static void convert(const struct idle *idle, struct engine_time *engine, int64_t from_ns,
		    unsigned int reasons, enum idle_reason to)
{
	for (unsigned int nr = engine->nr_pending; nr-- > 0; ) {
		struct segment *segment = &engine->pending[nr];
		struct segment before = *segment;

		if (segment->to_ns <= from_ns)
			return;
		if (!(reasons & REASON_BIT(segment->reason)))
			continue;
		segment->reason = to;
		if (before.from_ns >= from_ns)
			continue;
		segment->from_ns = from_ns;
		before.to_ns = from_ns;
		insert_pending(idle, engine, nr, &before);
		return;
	}
}

/* what keeps the work in one vGPU's queue from an engine that has nothing to do */
static enum idle_reason reason_of_queue(const struct vgpu_engine *queue)
{
	static const enum idle_reason reasons[WAIT_CLASSES] = {
		[WAIT_NONE] = IDLE_EMPTY, [WAIT_UNKNOWN] = IDLE_UNKNOWN,
		[WAIT_THROTTLED] = IDLE_THROTTLED, [WAIT_CAPPED] = IDLE_CAPPED,
		[WAIT_SWITCHING] = IDLE_SWITCHING, [WAIT_HELD] = IDLE_HELD,
		[WAIT_PREEMPTED] = IDLE_SWITCHING, [WAIT_CURRENT] = IDLE_DISPATCH,
	};
	int64_t left_ns;

	if (queue->class != WAIT_OTHER)
		return reasons[queue->class];
	if (queue->vgpu->gpu->lends)
		return IDLE_STRANDED;
	left_ns = vgpu_slice(queue->vgpu, queue->engine)->left_ns;
	if (!known(left_ns))
		return IDLE_UNKNOWN;
	return left_ns > 0 ? IDLE_STRANDED : IDLE_THROTTLED;
}

/* reasons in the order of the enumeration: the least one counts */
static enum idle_reason least(enum idle_reason a, enum idle_reason b)
{
	if (a == IDLE_UNKNOWN && b > IDLE_STRANDED)
		return a;
	if (b == IDLE_UNKNOWN && a > IDLE_STRANDED)
		return b;
	return MIN(a, b);
}

/* What was taken off it unfinished makes way for submitted work of the vGPU whose turn it is. */
static bool is_handed_over(const struct gpu_engine *engine)
{
	const struct turn *turn = &engine->turn;

	if (!turn->known || !turn->current || engine->submitted == engine->preempted)
		return false;
	for (unsigned int nr = 0; engine->preempted && nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->preempted && queue->vgpu != turn->current)
			return true;
	}
	return false;
}

/* Work of vGPUs that have turns of this engine may be with i915 while it is nobody's. */
static bool is_kept_out(const struct gpu_engine *engine)
{
	if (!engine->turn.known || engine->turn.current)
		return false;
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if ((queue->ahead || queue->preempted) &&
		    (queue->class == WAIT_THROTTLED || queue->class == WAIT_CAPPED))
			return true;
	}
	return false;
}

static enum idle_reason reason_of(const struct gpu_engine *engine)
{
	enum idle_reason reason = IDLE_EMPTY;

	if (engine->doubtful)
		return IDLE_UNKNOWN;
	if (engine->running)
		return IDLE_BUSY;
	if (is_handed_over(engine))
		return IDLE_SWITCHING;
	if (engine->submitted && !is_kept_out(engine))
		return IDLE_I915;
	if (engine->finishing)
		return IDLE_COMPLETION;
	/* nothing counts before the CPU's having to submit work */
	for (unsigned int nr = 0; reason != IDLE_DISPATCH && nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->class != WAIT_NONE)
			reason = least(reason, reason_of_queue(queue));
	}
	return reason;
}

/* the first one of those with work that is not on the engine, and did not finish on it */
static const struct vgpu_engine *queue_of(const struct gpu_engine *engine,
					  enum idle_reason reason)
{
	bool submitted = reason == IDLE_I915 || reason == IDLE_COMPLETION;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (submitted ? queue->in_flight : queue->class != WAIT_NONE &&
		    reason_of_queue(queue) == reason)
			return queue;
	}
	return NULL;
}

/* With exclusive dispatch, nobody else's work can be on the other engines. */
static bool is_at_work(const struct vgpu *vgpu, const struct gpu_engine *but)
{
	const struct gpu *gpu = but->gpu;

	for (unsigned int nr = 0; nr < gpu->engines->len; nr++) {
		const struct gpu_engine *engine = gpu->engines->pdata[nr];

		if (engine != but && (engine->running || engine->submitted || engine->finishing))
			return true;
	}
	return vgpu->pending;
}

/* whose turn it is while @queue, or NULL: perhaps one, waits for its idle engine */
static enum idle_turn turn_of(const struct gpu_engine *engine, const struct vgpu_engine *queue)
{
	const struct turn *turn = &engine->turn;

	if (!turn->known || !turn->current)
		return IDLE_TURN_NONE;
	if (queue && turn->current == queue->vgpu)
		return IDLE_TURN_OWN;
	return !engine->gpu->per_engine && is_at_work(turn->current, engine) ?
	       IDLE_TURN_AT_WORK : IDLE_TURN_VACANT;
}

static void begin(struct engine_time *time, const struct gpu_engine *engine,
		  enum idle_reason reason)
{
	struct segment *now = &time->now;

	now->reason = reason;
	now->queue = NULL;
	now->turn = IDLE_TURN_NONE;
	time->parked = false;
	if (!is_wait(reason))
		return;
	now->queue = queue_of(engine, reason);
	now->turn = turn_of(engine, now->queue);
	/* Work that was taken off the engine does not go on while another vGPU is expected. */
	time->parked = reason == IDLE_I915 && engine->preempted == engine->submitted;
}

/* Work for one engine changes what the others are idle for: a turn that is used, or not. */
static void update_turns(struct idle *idle, const struct gpu_engine *but, int64_t ts_ns)
{
	const GPtrArray *engines = but->gpu->engines;

	for (unsigned int nr = 0; !but->gpu->per_engine && nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		struct engine_time *time;
		enum idle_turn turn;

		if (engine == but)
			continue;
		time = get_engine(idle, engine->index);
		if (!time->now.queue)
			continue;
		turn = turn_of(engine, time->now.queue);
		if (turn == time->now.turn)
			continue;
		close_open(idle, time, ts_ns);
		time->now.turn = turn;
	}
}

static void update(struct idle *idle, const struct gpu_engine *engine, int64_t ts_ns)
{
	struct engine_time *time = get_engine(idle, engine->index);
	enum idle_reason reason = reason_of(engine);

	if (reason == time->now.reason)
		return;
	close_open(idle, time, ts_ns);
	begin(time, engine, reason);
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
		return get_engine(idle, engine->index)->picked_ns;
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *other = engines->pdata[nr];
		int64_t picked_ns = get_engine(idle, other->index)->picked_ns;

		if (known(picked_ns) && (!known(first_ns) || picked_ns < first_ns))
			first_ns = picked_ns;
	}
	return first_ns;
}

static void after_switch(struct idle *idle, const struct gpu_engine *engine,
			 const struct event *event)
{
	struct engine_time *time = get_engine(idle, engine->index);
	const struct switch_event *change = &event->sched_switch;
	enum idle_reason reason = reason_of(engine);
	int64_t picked_ns = first_picked(idle, engine);

	/* whose turn it is makes no difference to an engine that nothing waits for */
	if (reason == time->now.reason && !is_wait(reason) && !time->nr_pending)
		return;
	close_open(idle, time, event->ts_ns);
	if (known(change->drain_ns))
		convert(idle, time, event->ts_ns - change->drain_ns, BEFORE_SWITCH, IDLE_SWITCHING);
	if (known(picked_ns))
		convert(idle, time, picked_ns, REASON_BIT(IDLE_THROTTLED), IDLE_SWITCHING);
	settle(idle, time);
	begin(time, engine, reason);
}

static void forget_picked(struct idle *idle, const struct gpu_engine *engine,
			  const struct event *event)
{
	struct engine_time *time = get_engine(idle, engine->index);

	(void)event;
	idle->nr_picked -= known(time->picked_ns);
	time->picked_ns = UNKNOWN;
}

static void after_hold(struct idle *idle, const struct gpu_engine *engine,
		       const struct event *event)
{
	struct engine_time *time = get_engine(idle, engine->index);

	close_open(idle, time, event->ts_ns);
	convert(idle, time, event->ts_ns - event->hold.held_ns, BEFORE_HOLD, IDLE_HELD);
	begin(time, engine, reason_of(engine));
}

static void after_others(struct idle *idle, const struct gpu_engine *engine,
			 const struct event *event)
{
	update(idle, engine, event->ts_ns);
}

/* No engine was being drained before: its vGPU would not have been let in. */
static void before_submit(struct idle *idle, const struct gpu_engine *engine,
			  const struct event *event)
{
	(void)event;
	settle(idle, get_engine(idle, engine->index));
}

/* Otherwise it was submitted ahead, or a clock was ahead of that of the switch. */
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

static void on_workload(struct idle *idle, const struct event *event)
{
	const struct gpu_engine *engine = idle->recent;

	if (!engine || !is_of(engine, &event->workload))
		engine = idle->recent = model_engine_of(idle->follow->model, event);
	if (!engine)
		return;
	update(idle, engine, event->ts_ns);
	if (event->id == EVENT_WORKLOAD_SUBMIT && is_its_turn(engine, &event->workload))
		each_engine(idle, engine->dev, engine->gpu->per_engine ? engine : NULL, event,
			    before_submit);
	update_turns(idle, engine, event->ts_ns);
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
	}
}

/* with hindsight, why a queue's work waited, and so the engine */
static void correct(struct idle *idle, struct engine_time *engine,
		    const struct stretch *stretch, enum idle_reason from, enum idle_reason to)
{
	if (stretch->to_ns > engine->now.from_ns)
		close_open(idle, engine, stretch->to_ns);
	convert(idle, engine, stretch->from_ns, REASON_BIT(from), to);
}

/*
 * The wait of a vGPU ends that could have run all the time: perhaps it was picked.
 * Only its length tells whether it was its cap that it waited for.
 */
static void on_stretch(void *ctx, const struct stretch *stretch)
{
	struct idle *idle = ctx;
	struct engine_time *engine;

	if (stretch->class != WAIT_UNKNOWN && stretch->class != WAIT_SWITCHING)
		return;
	engine = get_engine(idle, stretch->queue->engine->index);
	if (stretch->class == WAIT_UNKNOWN)
		correct(idle, engine, stretch, IDLE_SWITCHING, IDLE_UNKNOWN);
	if (stretch->class != WAIT_SWITCHING)
		return;
	correct(idle, engine, stretch, IDLE_CAPPED, IDLE_SWITCHING);
	idle->nr_picked += !known(engine->picked_ns);
	if (!known(engine->picked_ns) || stretch->from_ns < engine->picked_ns)
		engine->picked_ns = stretch->from_ns;
}

static void on_gap(void *ctx, int64_t ts_ns)
{
	struct idle *idle = ctx;
	const GPtrArray *engines = model_engines(idle->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++)
		update(idle, engines->pdata[nr], ts_ns);
}

static void forget_parts(struct idle_parts *parts, enum idle_reason reason)
{
	memset(parts->time_ns[reason], 0, sizeof(parts->time_ns[reason]));
}

static void forget(struct idle *idle, const struct gpu_engine *engine, enum idle_reason reason)
{
	struct engine_time *time = get_engine(idle, engine->index);

	forget_parts(&time->unclear, reason);
	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		forget_parts(get_parts(idle, time, engine->queues->pdata[nr]), reason);
	time->row.time_ns[reason] = 0;
	time->row.longest_ns[reason] = 0;
	time->row.longest_vgpu[reason] = NULL;
}

/* Everything that was idle since the trace began had another reason after all. */
static void rewrite(struct idle *idle, const struct gpu_engine *of, unsigned int reasons,
		    enum idle_reason to, int64_t ts_ns, const struct vgpu *vgpu)
{
	struct engine_time *engine = get_engine(idle, of->index);
	int64_t sum = 0;

	close_open(idle, engine, ts_ns);
	settle(idle, engine);
	for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
		if (!(reasons & REASON_BIT(reason)))
			continue;
		sum += engine->row.time_ns[reason];
		forget(idle, of, reason);
	}
	engine->row.time_ns[to] = sum;
	engine->row.longest_ns[to] = sum;
	engine->row.longest_at_ns[to] = MAX(idle->follow->trace->start_ns,
					    idle->follow->window.from_ns);
	engine->row.longest_vgpu[to] = vgpu;
	if (reasons & REASON_BIT(engine->last.reason)) {
		engine->last.reason = to;
		engine->last.from_ns = engine->row.longest_at_ns[to];
	}
}

/* Work from before the trace has been there all the time. */
static void on_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns)
{
	struct idle *idle = ctx;
	const struct gpu_engine *engine = w->queue->engine;
	const struct vgpu *vgpu = w->queue->vgpu;
	unsigned int all = REASON_BIT(IDLE_REASONS) - 1;

	if (phase == PHASE_RUNNING)
		rewrite(idle, engine, all, IDLE_BUSY, ts_ns, NULL);
	else if (phase == PHASE_SUBMITTED)
		rewrite(idle, engine, all & ~REASON_BIT(IDLE_BUSY), IDLE_I915, ts_ns, vgpu);
	else if (phase == PHASE_FINISHING)
		rewrite(idle, engine, all & ~REASON_BIT(IDLE_BUSY), IDLE_COMPLETION, ts_ns, vgpu);
	else
		rewrite(idle, engine, REASON_BIT(IDLE_EMPTY) | REASON_BIT(IDLE_UNKNOWN),
			IDLE_UNKNOWN, ts_ns, vgpu);
	update(idle, engine, ts_ns);
}

struct idle *idle_new(struct follow *follow)
{
	struct idle *idle = g_new0(struct idle, 1);
	struct model_listener listener = {
		.stretch = on_stretch,
		.older = on_older,
		.ctx = idle,
	};
	struct analysis analysis = {
		.events = MODEL_EVENTS,
		.event = on_event,
		.lost = on_gap,
		.found = on_gap,
		.ctx = idle,
	};

	idle->follow = follow;
	idle->engines = g_ptr_array_new_with_free_func(g_free);
	idle->queues = g_ptr_array_new_with_free_func(g_free);
	model_listen(follow->model, &listener);
	follow_add(follow, &analysis);
	return idle;
}

/* Every moment of the window went to one reason. */
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

		close_open(idle, engine, idle->follow->trace->end_ns);
		settle(idle, engine);
		check_sum(idle, engine, nr);
	}
}

const struct idle_row *idle_of(struct idle *idle, const struct gpu_engine *engine)
{
	return &get_engine(idle, engine->index)->row;
}

int64_t idle_in_turn(struct idle *idle, const struct gpu_engine *engine,
		     enum idle_reason reason, enum idle_turn turn)
{
	struct engine_time *time = get_engine(idle, engine->index);
	int64_t sum = time->unclear.time_ns[reason][turn];

	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		sum += get_parts(idle, time, engine->queues->pdata[nr])->time_ns[reason][turn];
	return sum;
}

static int64_t time_of(const struct idle_parts *parts, unsigned int reasons, unsigned int turns)
{
	int64_t sum = 0;

	for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++)
		for (enum idle_turn turn = 0; turn < IDLE_TURNS; turn++)
			if (reasons & 1u << reason && turns & 1u << turn)
				sum += parts->time_ns[reason][turn];
	return sum;
}

int64_t idle_for(struct idle *idle, const struct vgpu_engine *queue, unsigned int reasons,
		 unsigned int turns)
{
	struct engine_time *engine = get_engine(idle, queue->engine->index);

	return time_of(get_parts(idle, engine, queue), reasons, turns);
}

const struct vgpu *idle_whose(struct idle *idle, const struct gpu_engine *engine,
			      unsigned int reasons, unsigned int turns)
{
	const struct vgpu *most = NULL;
	int64_t most_ns = 0;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];
		int64_t time_ns = idle_for(idle, queue, reasons, turns);

		if (time_ns > most_ns) {
			most_ns = time_ns;
			most = queue->vgpu;
		}
	}
	return most;
}

void idle_free(struct idle *idle)
{
	g_ptr_array_free(idle->queues, TRUE);
	g_ptr_array_free(idle->engines, TRUE);
	g_free(idle);
}
