// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat list turns: shows a line per turn of a vGPU, as perf sched timehist shows tasks.
 */
#include <stdlib.h>

#include "cmd/command.h"
#include "follow/follow.h"
#include "output/list.h"
#include "trace/util.h"

/* --idle: also show turns of no vGPU */
static bool show_idle;

/* a turn on one GPU, or on one engine where engines have their own turns */
struct span {
	int64_t start_ns;		/* UNKNOWN: before the trace, or lost */
	int64_t earliest_ns;		/* lower bound of the start; or UNKNOWN */
	int64_t end_ns;			/* UNKNOWN: after the trace */
	int64_t dev;
	const struct gpu_engine *scope;	/* NULL: all engines of the GPU */
	const char *engine;		/* "all", or the name */
	int64_t vgpu_id;		/* 0: none */
	int64_t wait_ns;		/* age of its oldest work at the start; UNKNOWN: none */
	int64_t run_ns;
	int64_t exec_ns;		/* on the engine, or on all engines */
	int64_t workloads;		/* completed, any status */
	int64_t drain_ns;		/* part of @run_ns after the decision to switch away */
	int64_t left_ns;		/* rest of the slice at the end */
	int64_t slice_ns;
	const char *reason;		/* of the end */
	const char *vm;
};

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct span, member), ##__VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(INTEGER, start_ns, "START-s", UNIT_S),
	COLUMN(INTEGER, end_ns, "END-s", UNIT_S),
	COLUMN(INTEGER, dev, "GPU"),
	COLUMN(INTEGER, vgpu_id, "VGPU"),
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(INTEGER, wait_ns, "WAIT-ms", UNIT_MS),
	COLUMN(INTEGER, run_ns, "RUN-ms", UNIT_MS),
	COLUMN(INTEGER, exec_ns, "EXEC-ms", UNIT_MS),
	COLUMN(INTEGER, workloads, "DONE"),
	COLUMN(INTEGER, drain_ns, "DRAIN-ms", UNIT_MS),
	COLUMN(INTEGER, left_ns, "LEFT-ms", UNIT_MS),
	COLUMN(INTEGER, slice_ns, "SLICE-ms", UNIT_MS),
	COLUMN(TEXT, reason, "REASON"),
	COLUMN(TEXT, vm, "VM"),
	{ 0 }
};

struct session {
	struct follow follow;
	struct list *list;
	GArray *turns;			/* struct span: current turns, one per GPU or engine */
	unsigned int gaps;		/* number of open gaps of lost events */
	int64_t lost_ns;		/* begin of the last gap */
};

static const char *reason_name(int64_t reason)
{
	static const char *const names[SWITCH_REASONS] = {
		[SWITCH_IDLE] = "idle", [SWITCH_TURN] = "turn", [SWITCH_SLICE] = "slice",
		[SWITCH_BOOST] = "boost", [SWITCH_STOP] = "stop", [SWITCH_OWED] = "owed",
		[SWITCH_BORROW] = "borrow", [SWITCH_OVERDUE] = "overdue",
	};

	return reason >= 0 && reason < SWITCH_REASONS ? names[reason] : NULL;
}

static struct span *find_turn(const struct session *session, int64_t dev,
			      const struct gpu_engine *scope)
{
	for (unsigned int nr = 0; nr < session->turns->len; nr++) {
		struct span *turn = &g_array_index(session->turns, struct span, nr);

		if (turn->dev == dev && turn->scope == scope)
			return turn;
	}
	return NULL;
}

static const struct gpu_engine *scope_of(const struct session *session,
					 const struct switch_event *change)
{
	return model_engine(session->follow.model, change->dev, change->class, change->instance);
}

/* The turn that a GPU's first switch ends began before the trace. */
static struct span *get_turn(struct session *session, const struct switch_event *change)
{
	struct span turn = {
		.dev = change->dev, .scope = scope_of(session, change),
		.vgpu_id = change->prev_vgpu_id, .start_ns = UNKNOWN, .earliest_ns = UNKNOWN,
		.wait_ns = UNKNOWN, .exec_ns = UNKNOWN, .workloads = UNKNOWN,
	};

	if (!find_turn(session, change->dev, turn.scope))
		g_array_append_val(session->turns, turn);
	return find_turn(session, change->dev, turn.scope);
}

static bool is_wanted(const struct session *session, const struct span *turn)
{
	const struct window *window = &session->follow.window;
	const struct gpu *gpu = model_gpu(session->follow.model, turn->dev);
	const struct vgpu *vgpu;

	if (gpu && !selection_gpu(session->follow.selection, gpu))
		return false;
	if ((known(turn->earliest_ns) && turn->earliest_ns > window->to_ns) ||
	    (known(turn->end_ns) && turn->end_ns < window->from_ns))
		return false;
	if (turn->scope && !selection_engine(session->follow.selection, turn->scope))
		return false;
	if (!turn->vgpu_id)
		return show_idle;
	vgpu = model_vgpu(session->follow.model, turn->dev, turn->vgpu_id);
	return !vgpu || selection_vgpu(session->follow.selection, vgpu);
}

static void print_turn(struct session *session, struct span *turn)
{
	const struct vgpu *vgpu;

	turn->run_ns = difference(turn->end_ns, turn->start_ns);
	turn->engine = turn->scope ? turn->scope->name : "all";
	vgpu = model_vgpu(session->follow.model, turn->dev, turn->vgpu_id);
	turn->vm = vgpu ? vgpu->vm : NULL;
	if (is_wanted(session, turn))
		list_line(session->list, turn);
}

/* Lost events may include switches. */
static void forget(struct span *turn)
{
	turn->start_ns = UNKNOWN;
	turn->wait_ns = UNKNOWN;
	turn->exec_ns = UNKNOWN;
	turn->workloads = UNKNOWN;
}

/* Adds the execution of a workload that is still on the engine at the end of the turn. */
static void add_running(const struct session *session, struct span *turn,
			const struct gpu_engine *engine)
{
	const struct vgpu *vgpu;
	int64_t since_ns;

	if (!model_on_engine(session->follow.model, engine, &vgpu, &since_ns))
		turn->exec_ns = UNKNOWN;
	else if (vgpu && vgpu->id == turn->vgpu_id && known(turn->exec_ns))
		turn->exec_ns += MAX(turn->end_ns - MAX(since_ns, turn->start_ns), 0);
}

static void count_running(const struct session *session, struct span *turn)
{
	const struct gpu *gpu = model_gpu(session->follow.model, turn->dev);

	for (unsigned int nr = 0; gpu && turn->vgpu_id && nr < gpu->engines->len; nr++)
		if (!turn->scope || turn->scope == gpu->engines->pdata[nr])
			add_running(session, turn, gpu->engines->pdata[nr]);
}

static void end_turn(struct session *session, struct span *turn, const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;

	/* switches in between were not recorded */
	if (turn->vgpu_id != change->prev_vgpu_id) {
		turn->vgpu_id = change->prev_vgpu_id;
		turn->earliest_ns = MAX(turn->earliest_ns, session->lost_ns);
		forget(turn);
	}
	turn->end_ns = event->ts_ns;
	count_running(session, turn);
	turn->drain_ns = change->drain_ns;
	turn->left_ns = turn->vgpu_id ? change->prev_left_ns : UNKNOWN;
	turn->slice_ns = turn->vgpu_id ? change->prev_slice_ns : UNKNOWN;
	turn->reason = reason_name(change->reason);
	print_turn(session, turn);
}

/* start of the oldest wait of a vGPU's work, on one engine or on all; UNKNOWN: none waits */
static int64_t waiting_since(const struct session *session, const struct switch_event *change)
{
	const struct vgpu *vgpu = model_vgpu(session->follow.model, change->dev,
					     change->next_vgpu_id);
	const struct gpu_engine *scope = scope_of(session, change);
	int64_t since_ns = INT64_MAX;

	for (unsigned int nr = 0; vgpu && nr < vgpu->gpu->queues->len; nr++) {
		const struct vgpu_engine *queue = vgpu->gpu->queues->pdata[nr];

		if (queue->vgpu != vgpu || (scope && queue->engine != scope))
			continue;
		if (!model_knows_first(session->follow.model, queue))
			return UNKNOWN;
		if (queue->first)
			since_ns = MIN(since_ns, queue->first->queue_ns);
	}
	return since_ns == INT64_MAX ? UNKNOWN : since_ns;
}

/* When turns change from per GPU to per engine or back, turns of the other kind end. */
static void end_other_scopes(struct session *session, const struct span *turn, int64_t ts_ns)
{
	for (unsigned int nr = session->turns->len; nr-- > 0; ) {
		struct span *other = &g_array_index(session->turns, struct span, nr);

		if (other->dev != turn->dev || !other->scope == !turn->scope)
			continue;
		other->end_ns = ts_ns;
		count_running(session, other);
		print_turn(session, other);
		g_array_remove_index(session->turns, nr);
	}
}

static void on_switch(void *ctx, const struct event *event)
{
	struct session *session = ctx;
	const struct switch_event *change = &event->sched_switch;
	struct span *turn = get_turn(session, change);
	struct span next = {
		.dev = change->dev, .scope = turn->scope, .vgpu_id = change->next_vgpu_id,
		.start_ns = event->ts_ns, .earliest_ns = event->ts_ns,
		.end_ns = UNKNOWN, .drain_ns = UNKNOWN,
		.left_ns = UNKNOWN, .slice_ns = UNKNOWN,
		.wait_ns = difference(event->ts_ns, waiting_since(session, change)),
	};

	if (session->gaps)
		forget(&next);
	end_turn(session, turn, event);
	*turn = next;
	end_other_scopes(session, &next, event->ts_ns);
}

static void forget_turns(struct session *session)
{
	for (unsigned int nr = 0; nr < session->turns->len; nr++)
		forget(&g_array_index(session->turns, struct span, nr));
}

static void on_lost(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	if (!session->gaps++)
		session->lost_ns = ts_ns;
	forget_turns(session);
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	(void)ts_ns;
	session->gaps--;
	forget_turns(session);
}

/* the current turn, if it belongs to the vGPU */
static struct span *turn_of(const struct session *session, int64_t dev, int64_t vgpu_id,
			    const struct gpu_engine *engine)
{
	struct span *turn = find_turn(session, dev, NULL);

	if (!turn)
		turn = find_turn(session, dev, engine);
	return turn && turn->vgpu_id == vgpu_id ? turn : NULL;
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	const struct vgpu *vgpu = w->queue->vgpu;
	struct span *turn = turn_of(ctx, vgpu->dev, vgpu->id, w->queue->engine);

	if (turn && known(turn->exec_ns) && known(to_ns))
		turn->exec_ns += MAX(to_ns - MAX(from_ns, turn->start_ns), 0);
}

static void on_complete(struct session *session, const struct workload_event *told)
{
	const struct gpu_engine *engine = model_engine(session->follow.model, told->dev, told->class,
						       told->instance);
	struct span *turn = turn_of(session, told->dev, told->vgpu_id, engine);

	if (turn && known(turn->workloads))
		turn->workloads++;
}

static void on_event(void *ctx, const struct event *event)
{
	if (event->id == EVENT_SCHED_SWITCH)
		on_switch(ctx, event);
	else
		on_complete(ctx, &event->workload);
}

/* prints turns that last beyond the end of the trace, with their values so far */
static void print_last(struct session *session)
{
	for (unsigned int nr = 0; nr < session->turns->len; nr++) {
		struct span *turn = &g_array_index(session->turns, struct span, nr);

		turn->end_ns = session->follow.trace->end_ns;
		count_running(session, turn);
		turn->end_ns = UNKNOWN;
		print_turn(session, turn);
	}
}

static int run(const struct options *options)
{
	struct session session = { .lost_ns = UNKNOWN };
	const struct model_listener listener = { .ran = on_ran, .ctx = &session };
	const struct analysis analysis = {
		.events = EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_WORKLOAD_COMPLETE),
		.event = on_event, .lost = on_lost, .found = on_found, .ctx = &session,
	};

	session.turns = g_array_new(FALSE, FALSE, sizeof(struct span));
	follow_open(&session.follow, &options->selection);
	session.list = list_begin(&options->form, "turns", columns);
	model_listen(session.follow.model, &listener);
	follow_add(&session.follow, analysis);
	follow_run(&session.follow);
	print_last(&session);
	list_end(session.list, &session.follow);
	selection_check_known(&options->selection, session.follow.model);
	follow_close(&session.follow);
	g_array_free(session.turns, TRUE);
	return EXIT_SUCCESS;
}

#define KEY_IDLE	0x200

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	if (key != KEY_IDLE)
		return ARGP_ERR_UNKNOWN;
	show_idle = true;
	return 0;
}

static const struct argp_option option_table[] = {
	{ "idle", KEY_IDLE, NULL, 0, "Also show when it was nobody's turn, as vGPU 0", 0 },
	{ 0 }
};

const struct command turns_command = {
	.name = "list turns",
	.doc = "List every turn of a vGPU: how long its work had waited, how long it ran, and why it ended.",
	.quantities = QUANTITY_BIT(QUANTITY_SLICES) | QUANTITY_BIT(QUANTITY_ARRIVALS) |
		      QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_COMPLETIONS),
	.columns = TABLES(columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
