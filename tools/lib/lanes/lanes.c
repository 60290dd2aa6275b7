// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "analysis/inside.h"
#include "trace/util.h"
#include "lanes-private.h"

const char *lane_kind_name(enum lane_kind kind)
{
	static const char *const names[LANE_KINDS] = {
		[LANE_TURNS] = "turns", [LANE_ENGINE] = "engine", [LANE_WAITS] = "waits",
		[LANE_LIVES] = "workloads", [LANE_VCPU] = "vcpu", [LANE_LOST] = "lost",
	};

	return names[kind];
}

const char *lane_state_name(enum lane_state state)
{
	static const char *const names[LANE_STATES] = {
		[LANE_TURN] = "turn", [LANE_RUNS] = "runs", [LANE_WAITING] = "waits",
		[LANE_EXECUTES] = "executes", [LANE_PREEMPTED] = "preempted",
		[LANE_COMPLETES] = "completes", [LANE_UNSEEN] = "unseen",
		[LANE_UNSURE] = "events lost", [LANE_GUEST] = "guest", [LANE_VMM] = "VMM",
		[LANE_OFF_CPU] = "preempted", [LANE_RUNNABLE] = "runnable",
		[LANE_BLOCKED] = "blocked",
	};

	return names[state];
}

const char *lane_mark_name(enum lane_mark_kind kind)
{
	static const char *const names[MARK_KINDS] = {
		[MARK_QUEUES] = "queues a workload", [MARK_WOKEN] = "woken: a workload is complete",
	};

	return names[kind];
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct lanes *lanes = ctx;
	/* later pieces are no steps of the path */
	bool way = !w->pieces && !w->exec_unknown && known(w->queue_ns);

	if (!selection_engine(lanes->follow->selection, w->queue->engine))
		return;
	if (way && known(w->piece_ns))
		lives_start(lanes, w);
	counters_ran(lanes, w, from_ns, to_ns);
	lanes_put(lanes, lanes_track_of_engine(lanes, LANE_ENGINE, w->queue->engine), NULL,
		  &(struct lane_interval) {
		.state = LANE_RUNS, .from_ns = from_ns, .to_ns = to_ns, .workload = w,
		.vgpu = w->queue->vgpu,
		.edge = way ? EDGE_STEP : EDGE_NONE,
	});
}

/* a vGPU that represents the host in views */
static const struct vgpu *host_of(struct lanes *lanes, struct gpu *gpu)
{
	/* vgpu_name() skips the first five characters of a label */
	static char label[] = "host\0host";
	struct vgpu *host;

	for (unsigned int nr = 0; nr < lanes->hosts->len; nr++)
		if (((const struct vgpu *)lanes->hosts->pdata[nr])->gpu == gpu)
			return lanes->hosts->pdata[nr];
	host = g_new0(struct vgpu, 1);
	host->gpu = gpu;
	host->dev = gpu->dev;
	host->label = label;
	g_ptr_array_add(lanes->hosts, host);
	return host;
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct lanes *lanes = ctx;

	(void)holder;
	if (what == HOST_RAN && selection_engine(lanes->follow->selection, engine))
		lanes_put(lanes, lanes_track_of_engine(lanes, LANE_ENGINE, engine), NULL,
			  &(struct lane_interval) {
			.state = LANE_RUNS, .from_ns = from_ns, .to_ns = to_ns,
			.vgpu = host_of(lanes, engine->gpu),
		});
}

static void on_stretch(void *ctx, const struct stretch *stretch)
{
	struct lanes *lanes = ctx;
	const struct vgpu_engine *queue = stretch->queue;

	if (selection_queue(lanes->follow->selection, queue))
		lanes_put(lanes, lanes_track_of_queue(lanes, LANE_WAITS, queue), NULL,
			  &(struct lane_interval) {
			.state = LANE_WAITING, .from_ns = stretch->from_ns,
			.to_ns = stretch->to_ns, .vgpu = queue->vgpu, .class = stretch->class,
			.culprit = stretch->culprit,
		});
}

static void tell_lost(struct lanes *lanes, struct track *track)
{
	if (track->from_ns < track->to_ns)
		lanes_put(lanes, track, NULL, &(struct lane_interval) {
			.state = LANE_UNSURE, .from_ns = track->from_ns, .to_ns = track->to_ns,
			.vgpu = track->owner.vgpu,
		});
	track->to_ns = INT64_MIN;
}

/* Merge doubts about many workloads into one about the queue. */
static void add_lost(struct lanes *lanes, struct track *track, int64_t from_ns, int64_t to_ns)
{
	const struct window *window = &lanes->follow->window;

	from_ns = MAX(from_ns, window->from_ns);	/* UNKNOWN is less than any */
	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	if (from_ns > track->to_ns || to_ns < track->from_ns) {
		tell_lost(lanes, track);
		track->from_ns = from_ns;
		track->to_ns = to_ns;
	}
	track->from_ns = MIN(track->from_ns, from_ns);
	track->to_ns = MAX(track->to_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	static const struct lane all = { .kind = LANE_LOST };
	struct lanes *lanes = ctx;

	if (!engine)
		add_lost(lanes, lanes_track(lanes, &all), from_ns, to_ns);
	else if (selection_engine(lanes->follow->selection, engine))
		add_lost(lanes, lanes_track_of_engine(lanes, LANE_LOST, engine), from_ns, to_ns);
}

static void on_unsure_wait(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			   int64_t from_ns, int64_t to_ns)
{
	struct lanes *lanes = ctx;

	(void)doubt;
	if (selection_queue(lanes->follow->selection, queue))
		add_lost(lanes, lanes_track_of_queue(lanes, LANE_LOST, queue), from_ns, to_ns);
}

static void on_vcpu(void *ctx, const struct vcpu *vcpu, int64_t from_ns, int64_t to_ns)
{
	struct lanes *lanes = ctx;

	lanes_put(lanes, lanes_track_of_vcpu(lanes, vcpu), NULL, &(struct lane_interval) {
		.state = vcpu->state == VCPU_UNKNOWN ? LANE_UNSEEN : LANE_GUEST + vcpu->state,
		.from_ns = from_ns, .to_ns = to_ns,
		.vgpu = model_vgpu(lanes->follow->model, vcpu->dev, vcpu->vgpu_id),
	});
}

static void on_turn(void *ctx, const struct slices_turn *turn)
{
	struct lanes *lanes = ctx;
	const struct model *model = lanes->follow->model;
	struct lane owner = { .kind = LANE_TURNS, .gpu = model_gpu(model, turn->dev) };

	if (!turn->vgpu_id || !owner.gpu)
		return;
	if (turn->class >= 0)
		owner.engine = model_engine(model, turn->dev, turn->class, turn->instance);
	if (owner.engine ? !selection_engine(lanes->follow->selection, owner.engine) :
			   !selection_gpu(lanes->follow->selection, owner.gpu))
		return;
	lanes_put(lanes, lanes_track(lanes, &owner), NULL, &(struct lane_interval) {
		.state = LANE_TURN, .from_ns = turn->from_ns, .to_ns = turn->to_ns,
		.begin = turn->begun ? LIMIT_SEEN : turn->resumed ? LIMIT_LOST : LIMIT_CUT,
		.end = turn->lost ? LIMIT_LOST : turn->open ? LIMIT_CUT : LIMIT_SEEN,
		.vgpu = model_vgpu(model, turn->dev, turn->vgpu_id),
	});
}

static void on_event(void *ctx, const struct event *event)
{
	if (event->id == EVENT_WORKLOAD_QUEUE)
		marks_queued(ctx, event);
	else if (event->id == EVENT_TASK_WAKING || event->id == EVENT_TASK_WAKEUP)
		marks_wakes(ctx, event);
	else if (event->id == EVENT_MARK)
		power_mark(ctx, event);
	else
		counters_left(ctx, event);
}

static void listen(struct lanes *lanes, struct slices *slices, struct vcpus *vcpus)
{
	const struct model_listener listener = {
		.arrived = lives_arrived, .older = lives_older, .piece = lives_piece,
		.ended = lives_ended, .ran = on_ran,
		.waiting = counters_wanted(lanes, COUNTER_QUEUE) ? counters_waiting : NULL,
		.stretch = on_stretch, .host = on_host, .unsure = on_unsure, .unsure_wait = on_unsure_wait,
		.ctx = lanes,
	};
	const struct analysis analysis = {
		.events = EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_SCHED_BALANCE) |
			  (lanes->ops->mark ? EVENT_BIT(EVENT_WORKLOAD_QUEUE) : 0) |
			  (counters_wanted(lanes, COUNTER_POWER) ? EVENT_BIT(EVENT_MARK) : 0) |
			  EVENT_BIT(EVENT_TASK_WAKING) | EVENT_BIT(EVENT_TASK_WAKEUP),
		.event = on_event, .ctx = lanes,
	};

	model_listen(lanes->follow->model, &listener);
	follow_add(lanes->follow, analysis);
	slices_listen(slices, on_turn, lanes);
	if (vcpus)
		vcpus_listen(vcpus, on_vcpu, lanes);
}

struct lanes *lanes_new(struct follow *follow, struct slices *slices, struct vcpus *vcpus,
			const struct lanes_ops *ops, void *ctx)
{
	struct lanes *lanes = g_new0(struct lanes, 1);

	*lanes = (struct lanes) {
		.follow = follow, .ops = ops, .ctx = ctx, .vcpus = vcpus, .wakes = marks_new_wakes(),
		.power.gpu_ns = UNKNOWN,
	};
	lanes->tracks = lanes_new_tracks();
	for (int kind = 0; kind < LANE_KINDS; kind++) {
		lanes->by_queue[kind] = g_ptr_array_new();
		lanes->by_engine[kind] = g_ptr_array_new();
	}
	lanes->by_line = g_ptr_array_new();
	lanes->lives = lives_new();
	lanes->hosts = g_ptr_array_new_with_free_func(g_free);
	lanes->counters = g_ptr_array_new_with_free_func(g_free);
	lanes->left = g_ptr_array_new();
	lanes->busy_engines = g_array_new(FALSE, TRUE, sizeof(struct busy));
	lanes->busy_queues = g_array_new(FALSE, TRUE, sizeof(struct busy));
	lanes->lengths = counters_new_lengths();
	listen(lanes, slices, vcpus);
	return lanes;
}

void lanes_free(struct lanes *lanes)
{
	g_array_free(lanes->wakes, TRUE);
	g_array_free(lanes->lengths, TRUE);
	g_array_free(lanes->busy_queues, TRUE);
	g_array_free(lanes->busy_engines, TRUE);
	g_ptr_array_free(lanes->left, TRUE);
	g_ptr_array_free(lanes->counters, TRUE);
	g_ptr_array_free(lanes->hosts, TRUE);
	g_array_free(lanes->lives, TRUE);
	g_ptr_array_free(lanes->by_line, TRUE);
	for (int kind = 0; kind < LANE_KINDS; kind++) {
		g_ptr_array_free(lanes->by_queue[kind], TRUE);
		g_ptr_array_free(lanes->by_engine[kind], TRUE);
	}
	g_ptr_array_free(lanes->tracks, TRUE);
	g_free(lanes);
}

void lanes_finish(struct lanes *lanes)
{
	counters_finish(lanes);
	for (unsigned int nr = 0; nr < lanes->tracks->len; nr++)
		tell_lost(lanes, lanes->tracks->pdata[nr]);
}

uint64_t lanes_dropped(const struct lanes *lanes)
{
	return lanes->dropped;
}
