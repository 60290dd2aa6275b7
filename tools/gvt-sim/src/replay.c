// SPDX-License-Identifier: GPL-2.0-only

#include <string.h>

#include "decisions.h"
#include "die.h"
#include "emit.h"
#include "heap.h"
#include "i915.h"
#include "line.h"
#include "replay.h"
#include "state.h"
#include "lane_values.h"
#include "world.h"

/**
 * struct trace - state of a replay
 * @name: of the file
 * @last_ns: time of the last event
 * @follows: the scheduler's state is known and followed
 * @tick: a tick has occurred that has not led to a decision yet
 * @executed_ns: execution of each vGPU that is not charged yet, by id
 * @finished: the vGPU whose workload is about to leave the queue
 * @steps: number of inputs to the scheduler
 * @states: number of states that were set or compared
 * @missed: number of inputs that the replay cannot follow
 * @same: all states matched
 */
static struct trace {
	const char *name;
	u64 last_ns;
	bool follows;
	bool tick;
	s64 executed_ns[GVT_MAX_VGPU];
	struct intel_vgpu *finished;
	u64 steps;
	u64 states;
	u64 missed;
	bool same;
} trace;

/* One workload per engine and vGPU represents all of those in flight: nothing else matters */
static struct intel_vgpu_workload works[I915_NUM_ENGINES][GVT_MAX_VGPU];

/* --- what a lane sees of its engines ---------------------------------------------------- */

static bool has_bit(const struct line *line, const char *field, const struct intel_vgpu *vgpu)
{
	return line_number(line, field) & BIT(vgpu->id);
}

static struct intel_vgpu_workload *work_of(const struct gvt_sched_lane *lane,
					   const struct intel_vgpu *vgpu)
{
	return &works[gvt_lane_index(lane)][vgpu->id];
}

static void make_works(void)
{
	struct intel_vgpu_workload *work;
	struct intel_engine_cs *engine;
	enum intel_engine_id i;
	int id;

	memset(works, 0, sizeof(works));
	for (id = 1; id < GVT_MAX_VGPU; id++) {
		if (!sim_world.vgpu[id].gvt)
			continue;
		for_each_engine(engine, sim_world.gvt.gt, i) {
			work = &works[i][id];
			work->vgpu = &sim_world.vgpu[id];
			work->engine = engine;
			work->dispatched = true;
			work->shared = true;
			work->req = i915_request_create(work->vgpu->submission.shadow[i]);
			work->req->workload = work;
			INIT_LIST_HEAD(&work->list);
		}
	}
}

/* Sets the execution clock of a vGPU to the charged time plus its new execution */
static void set_executed(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, bool executes)
{
	int engine = gvt_lane_index(lane);
	struct intel_gvt_exec_clock *clock = &vgpu->gvt->exec.clock[vgpu->id];
	u64 ns = gvt_lane_member(lane, vgpu)->charged_ns + trace.executed_ns[vgpu->id];

	clock->engine[engine].exec_ns = ns;
	clock->any_ns = ns;
	vgpu->gvt->exec.slot[engine][vgpu->id].rq = executes ? work_of(lane, vgpu)->req : NULL;
	trace.executed_ns[vgpu->id] = 0;
}

static void set_queue(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, bool busy)
{
	struct intel_vgpu_workload *work = work_of(lane, vgpu);

	list_del_init(&work->list);
	if (busy)
		list_add_tail(&work->list, workload_q_head(vgpu, work->engine));
}

static void set_in_flight(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu,
			  struct intel_vgpu_workload *work)
{
	dispatch->workload[vgpu->id] = work;
	vgpu->gvt->scheduler.total.of_vgpu[vgpu->id] = !!work;
}

static void set_look_of(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu,
			const struct line *line)
{
	struct intel_gvt_dispatch *dispatch =
		&vgpu->gvt->scheduler.dispatch[gvt_lane_index(lane)];
	struct intel_vgpu_workload *work = work_of(lane, vgpu);
	bool in_flight = has_bit(line, "in_flight", vgpu);

	set_in_flight(dispatch, vgpu, in_flight ? work : NULL);
	dispatch->in_flight += in_flight;
	if (in_flight && !line_number(line, "executing"))
		__set_bit(vgpu->id, dispatch->parked);
	i915_request_clear_hold(work->req);
	work->req->fence.signaled = !has_bit(line, "offered", vgpu);
	vgpu->sched_data->preempt = has_bit(line, "preemptible", vgpu);
	set_executed(lane, vgpu, has_bit(line, "executes", vgpu));
}

/* "strangers" counts workloads in flight of vGPUs outside of the lane */
static void set_look(struct gvt_sched_lane *lane, const struct line *line)
{
	struct intel_gvt_dispatch *dispatch =
		&sim_world.gvt.scheduler.dispatch[gvt_lane_index(lane)];
	struct gvt_sched_entity *e;

	dispatch->in_flight = 0;
	*dispatch->parked = 0;
	list_for_each_entry(e, &lane->rq.entities, link)
		set_look_of(lane, entity_to_vgpu(e), line);
	dispatch->in_flight += line_number(line, "strangers");
	sim_world.gvt.scheduler.total.in_flight = dispatch->in_flight;
}

/*
 * Between updates, a lane uses its last view of the engines. The recorded state does not include
 * this view, so the last update input of each lane is kept.
 */
static struct line looks[GVT_SCHED_LANES];

static bool is_look(const struct line *line)
{
	return !strcmp(line->event, "lane_input") && line_number(line, "input") == GVT_INPUT_UPDATE;
}

static bool is_of_lane(const struct line *a, const struct line *b)
{
	return line_number(a, "class") == line_number(b, "class") &&
	       line_number(a, "instance") == line_number(b, "instance");
}

/* Return: true if the caller must not reuse the line's text */
static bool keep_look(const struct line *line)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(looks); i++) {
		if (looks[i].text && !is_of_lane(&looks[i], line))
			continue;
		free(looks[i].text);
		looks[i] = *line;
		return true;
	}

	return false;
}

static void forget_looks(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(looks); i++) {
		free(looks[i].text);
		looks[i] = (struct line) {};
	}
}

static void look_again(struct gvt_sched_lane *lane, const struct line *look)
{
	struct gvt_sched_entity *e;

	lane->state.strangers = line_number(look, "strangers");
	lane->rq.executing = line_number(look, "executing");
	list_for_each_entry(e, &lane->rq.entities, link) {
		e->in_flight = has_bit(look, "in_flight", entity_to_vgpu(e));
		e->offered = has_bit(look, "offered", entity_to_vgpu(e));
		e->executes = has_bit(look, "executes", entity_to_vgpu(e));
		e->preemptible = has_bit(look, "preemptible", entity_to_vgpu(e));
	}
}

static void set_last_looks(void)
{
	struct gvt_sched_lane *lane;
	int i;

	for (i = 0; i < ARRAY_SIZE(looks) && looks[i].text; i++) {
		lane = state_lane(&looks[i]);
		if (lane)
			look_again(lane, &looks[i]);
	}
}

/* --- inputs of the scheduler ------------------------------------------------------------- */

/* Enqueues vGPUs that became busy; @queued: only a tick will decide about them */
static void enqueue(struct gvt_sched_lane *lane, const struct line *line, bool queued)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &lane->rq.entities, link) {
		if (e->busy || !has_bit(line, "busy", entity_to_vgpu(e)))
			continue;
		set_queue(lane, entity_to_vgpu(e), true);
		lane->data->pace->catch_up(lane->data, ktime_get_ns());
		gvt_sched_enqueue(&lane->rq, e, ktime_get_ns());
		if (queued)
			lane->data->pace->queued(lane, true, ktime_get_ns());
	}
}

static void tell_tick(struct gvt_sched_lane *lane, const struct line *line)
{
	trace.tick = true;
}

static void tell_queued(struct gvt_sched_lane *lane, const struct line *line)
{
	enqueue(lane, line, true);
}

static void tell_executed(struct gvt_sched_lane *lane, const struct line *line)
{
	struct intel_vgpu *vgpu = state_vgpu(line, "vgpu_id");

	if (vgpu)
		trace.executed_ns[vgpu->id] = line_number(line, "ns");
}

static void tell_finished(struct gvt_sched_lane *lane, const struct line *line)
{
	tell_executed(lane, line);
	trace.finished = state_vgpu(line, "vgpu_id");
}

static void tell_host(struct gvt_sched_lane *lane, const struct line *line)
{
	struct intel_gvt_exec *exec = &sim_world.gvt.exec;
	u64 ns = line_number(line, "ns");

	exec->clock[GVT_EXEC_HOST].engine[gvt_lane_index(lane)].exec_ns += ns;
	exec->host_alone_ns += ns;
}

static void tell_unqueued(struct gvt_sched_lane *lane, const struct line *line)
{
	struct intel_vgpu *vgpu = state_vgpu(line, "vgpu_id");

	if (!vgpu)
		return;
	set_queue(lane, vgpu, has_bit(line, "busy", vgpu));
	if (trace.finished == vgpu) {
		set_in_flight(&vgpu->gvt->scheduler.dispatch[gvt_lane_index(lane)], vgpu, NULL);
		set_executed(lane, vgpu, false);
		intel_gvt_lane_complete(lane, vgpu, ktime_get_ns());
	} else {
		intel_gvt_lane_unqueue(lane, vgpu, ktime_get_ns());
	}
	trace.finished = NULL;
}

static void make_barrier(struct intel_gvt_dispatch *dispatch)
{
	dispatch->barrier = i915_request_create(dispatch->barrier_ce);
	sim_world.gvt.scheduler.total.hand_overs++;
}

/* The vGPU may no longer exist */
static void end_hand_over(struct gvt_sched_lane *lane, const struct line *line, bool ended)
{
	struct intel_gvt_dispatch *dispatch =
		&sim_world.gvt.scheduler.dispatch[gvt_lane_index(lane)];
	struct intel_vgpu *vgpu = state_vgpu(line, "vgpu_id");

	if (!dispatch->barrier)
		make_barrier(dispatch);
	dispatch->barrier->fence.signaled = true;
	dispatch->barrier_since = ktime_get_ns() - line_number(line, "ns");
	dispatch->from_id = line_number(line, "vgpu_id");
	if (vgpu) {
		work_of(lane, vgpu)->req->fence.signaled = ended;
		dispatch->workload[vgpu->id] = work_of(lane, vgpu);
	}
	intel_gvt_lanes_end_hand_overs(lane->data, ktime_get_ns());
}

static void tell_preempted(struct gvt_sched_lane *lane, const struct line *line)
{
	end_hand_over(lane, line, false);
}

static void tell_ended(struct gvt_sched_lane *lane, const struct line *line)
{
	end_hand_over(lane, line, true);
}

static void tell_update(struct gvt_sched_lane *lane, const struct line *line)
{
	enqueue(lane, line, false);
	set_look(lane, line);
	if (gvt_sched_on_ticks(&lane->rq))
		lane->data->pace->decide(lane->data, trace.tick, ktime_get_ns());
	else
		intel_gvt_lane_update(lane, ktime_get_ns());
	trace.tick = false;
}

/* Stops following until the next recorded state */
static void lose(void)
{
	decisions_end();
	trace.follows = false;
	trace.missed++;
}

/* For changes of vGPUs and refusals of i915, the trace does not have the details */
static void lose_lane(struct gvt_sched_lane *lane, const struct line *line)
{
	lose();
}

static void (*const tell[])(struct gvt_sched_lane *lane, const struct line *line) = {
	[GVT_INPUT_TICK] = tell_tick,
	[GVT_INPUT_QUEUED] = tell_queued,
	[GVT_INPUT_EXECUTED] = tell_executed,
	[GVT_INPUT_FINISHED] = tell_finished,
	[GVT_INPUT_UNQUEUED] = tell_unqueued,
	[GVT_INPUT_PREEMPTED] = tell_preempted,
	[GVT_INPUT_ENDED] = tell_ended,
	[GVT_INPUT_UPDATE] = tell_update,
	[GVT_INPUT_MEMBERS] = lose_lane,
	[GVT_INPUT_KEPT] = lose_lane,
	[GVT_INPUT_HOST] = tell_host,
};

/* --- events ------------------------------------------------------------------------------ */

static void follow_input(const struct line *line)
{
	u64 input = line_number(line, "input");
	struct gvt_sched_lane *lane;

	if (!trace.follows)
		return;
	lane = state_lane(line);
	if (!lane || input >= ARRAY_SIZE(tell))
		die("%s: an input that cannot be, at %llu", trace.name, line->ns);
	decisions_step();
	sim_set_clock(line_number(line, "now_ns"));
	tell[input](lane, line);
	trace.steps++;
}

/* Starts to follow from a recorded state; earlier inputs are void */
static void begin(const struct line *info)
{
	memset(trace.executed_ns, 0, sizeof(trace.executed_ns));
	trace.tick = false;
	trace.finished = NULL;
	state_set(info, trace.name);
	make_works();
	set_last_looks();
	trace.follows = true;
}

static void follow_setting(const struct line *line)
{
	if (trace.follows)
		lose();
}

static void follow_info(const struct line *line)
{
	if (!state_told()) {
		state_forget();
		return;
	}
	if (trace.follows)
		trace.same &= !state_differs(trace.name);
	else
		begin(line);
	trace.states++;
	state_forget();
}

static void record(const struct line *line)
{
	if (trace.follows)
		decisions_recorded(line);
}

/* Converts the event to text and back, so that it compares like a recorded one */
static void made(u64 now, const char *event)
{
	static char text[4096];
	struct line line;

	snprintf(text, sizeof(text), "%llu 0 %s", now, event);
	if (line_parse(&line, text))
		decisions_made(&line);
}

static const struct {
	const char *event;
	void (*follow)(const struct line *line);
} follows[] = {
	{ "lane_input", follow_input },
	{ "sched_switch", record },
	{ "sched_balance", record },
	{ "sched_hold", record },
	{ "sched_setting", follow_setting },
	{ "sched_info", follow_info },
};

static void follow(const struct line *line)
{
	int i;

	if (line->ns < trace.last_ns)
		die("%s: events are not in the order of time at %llu", trace.name, line->ns);
	trace.last_ns = line->ns;
	for (i = 0; i < ARRAY_SIZE(follows); i++) {
		if (!strcmp(follows[i].event, line->event))
			follows[i].follow(line);
	}
}

/* Return: true if the caller must not reuse the line's text */
static bool keep(const struct line *line)
{
	if (is_look(line))
		return keep_look(line);
	if (strcmp(line->event, "vgpu_info") && strcmp(line->event, "lane_value"))
		return false;
	state_tell(line);
	return true;
}

static void follow_all(FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	struct line line;

	while (getline(&text, &size, file) >= 0) {
		if (!line_parse(&line, text))
			continue;
		follow(&line);
		if (!keep(&line))
			continue;
		text = NULL;
		size = 0;
	}
	free(text);
	forget_looks();
	decisions_end();
}

bool replay(FILE *file, const char *name)
{
	trace = (struct trace) { .name = name, .same = true };
	i915_follow();
	emit_from(0);
	emit_only("gvt_sched_switch,gvt_sched_balance,gvt_sched_hold");
	emit_to(made);
	follow_all(file);
	if (!trace.states || !trace.steps)
		die("%s: no %s: record gvt_lane, gvt:gvt_sched_* and gvt:gvt_vgpu_info", name,
		    trace.states ? "gvt_lane_input" : "gvt_lane_value and gvt_sched_info");
	printf("%s: %llu inputs, %llu states, %llu changes that are not followed\n", name, trace.steps,
	       trace.states, trace.missed);
	return decisions_print(name) && trace.same;
}
