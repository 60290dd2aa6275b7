// SPDX-License-Identifier: GPL-2.0-only

#include "decisions.h"
#include "die.h"
#include "emit.h"
#include "heap.h"
#include "i915.h"
#include "line.h"
#include "replay.h"
#include "thread.h"
#include "world.h"

/* A trace is held whole */
#define BYTES (256 << 20)
#define LINES (2 << 20)
#define WORKLOADS (1 << 16)

/* Who traces that a workload was queued or is complete takes the time so much later */
#define AFTER_NS 1000
/* A decision of the service thread is traced so much later: at first slices */
#define TO_EVENT_NS 600
/* and is looked for so long after the thread was asked for it */
#define SEARCH_NS 150000
/* So many balances are looked at to see when there are ticks */
#define GRID_BALANCES 64
/* The least that it takes, when it decided nothing that is seen */
#define SERVICE_NS 5000

/**
 * struct trace - what is replayed
 * @name: of its file
 * @line: its events
 * @n: how many
 * @at: which one is next
 * @ahead: where the next decision is searched
 * @workload: those that are alive, by id
 * @used: engines that there is work for
 * @strange: events that could not be followed
 * @unchosen: workloads that the scheduler would not have submitted then
 */
struct trace {
	const char *name;
	struct line *line;
	size_t n;
	size_t at;
	size_t ahead;
	struct intel_vgpu_workload *workload[WORKLOADS];
	intel_engine_mask_t used;
	u64 strange;
	u64 unchosen;
};

static struct trace trace;

/* --- reading ------------------------------------------------------------------- */

static void add_line(const struct line *line)
{
	if (trace.n == LINES)
		die("%s: more than %d events", trace.name, LINES);
	if (trace.n && line->ns < trace.line[trace.n - 1].ns)
		die("%s: events are not in the order of time at %llu", trace.name, line->ns);
	trace.line[trace.n++] = *line;
}

static void read_trace(FILE *file)
{
	char *text = NULL;
	size_t size = 0, bytes = 0;
	ssize_t len;
	struct line line;

	trace.line = calloc(LINES, sizeof(*trace.line));
	if (!trace.line)
		die("out of memory");
	while ((len = getline(&text, &size, file)) >= 0) {
		bytes += len;
		if (bytes > BYTES)
			die("%s: more than %d bytes", trace.name, BYTES);
		if (!line_parse(&line, text))
			continue;
		add_line(&line);
		text = NULL;
		size = 0;
	}
	free(text);
}

static bool is_decision(const struct line *line)
{
	return !strcmp(line->event, "sched_switch") || !strcmp(line->event, "sched_balance") ||
	       !strcmp(line->event, "sched_hold");
}

static const struct gvt_sched_rq *ticking_rq(void)
{
	const struct gvt_sched_data *sched_data = sim_world.gvt.scheduler.sched_data;
	const struct gvt_sched_rq *rq = &sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE].rq;

	return gvt_sched_on_ticks(rq) ? rq : NULL;
}

/* Whether @a is @b, but for what nobody could tell apart */
static bool about(u64 a, u64 b)
{
	return abs_diff(a, b) < SERVICE_NS;
}

/* When slices were handed out next, after @line; U64_MAX for never */
static u64 next_balance(const struct line *line)
{
	const struct line *later = line;

	while (++later < trace.line + trace.n) {
		if (!strcmp(later->event, "sched_balance") &&
		    later->ns > line->ns + GVT_SCHED_TICK_NS)
			return later->ns;
	}

	return U64_MAX;
}

/*
 * A tick that comes a tick after the end of a period, give or take a few ns, is in time or
 * not; by that the next period ends now or a tick later
 */
static u64 by_delay(const struct gvt_sched_rq *rq, const struct line *line, u64 at)
{
	u64 late = rq->period_end + GVT_SCHED_TICK_NS;

	if (!about(at, late))
		return at;
	if (next_balance(line) < at + rq->mode.period_ns - GVT_SCHED_TICK_NS / 2)
		return max(at, late);
	return min(at, late - 1);
}

/* At a tick a period ended or did not, by as little as a few ns */
static u64 by_period(const struct line *line, u64 at, u64 now)
{
	const struct gvt_sched_rq *rq = ticking_rq();
	bool balanced = line && !strcmp(line->event, "sched_balance");

	if (!rq)
		return at;
	if (balanced)
		at = by_delay(rq, line, at);
	if (!about(at, rq->period_end))
		return at;
	return balanced ? max(at, rq->period_end) : max(min(at, rq->period_end - 1), now);
}

/* When the service thread decided, by what it did, or the soonest that it can have */
static u64 service_at(u64 now)
{
	const struct line *line;

	while (trace.ahead < trace.n && (trace.line[trace.ahead].ns <= now ||
					 !is_decision(&trace.line[trace.ahead])))
		trace.ahead++;
	line = &trace.line[trace.ahead];
	if (trace.ahead < trace.n && line->ns < now + SEARCH_NS)
		return by_period(line, max(line->ns - TO_EVENT_NS, now), now);
	return by_period(NULL, now + SERVICE_NS, now);
}

/* Decisions about an engine that nobody has work for decide nothing, and may be made at any time */
static bool is_about_work(const struct line *line)
{
	const struct intel_engine_cs *engine =
		i915_engine_of_class((s16)line_number(line, "class"),
				     (s16)line_number(line, "instance"));

	return !engine || trace.used & BIT(i915_engine_id(engine));
}

static void record(const struct line *line)
{
	if (is_about_work(line))
		decisions_recorded(line);
}

/* --- workloads ------------------------------------------------------------------- */

static struct intel_vgpu_workload **slot_of(const struct line *line)
{
	return &trace.workload[(u64)line_number(line, "workload_id") % WORKLOADS];
}

static struct intel_vgpu_workload *find(const struct line *line)
{
	struct intel_vgpu_workload *workload = *slot_of(line);

	return workload && workload->id == (u64)line_number(line, "workload_id") ? workload : NULL;
}

static struct intel_vgpu_workload *new_workload(const struct line *line)
{
	struct intel_engine_cs *engine =
		i915_engine_of_class(line_number(line, "class"), line_number(line, "instance"));
	s64 id = line_number(line, "vgpu_id");
	struct intel_vgpu_workload *workload;

	if (id <= 0 || id >= GVT_MAX_VGPU || !sim_world.vgpu[id].gvt || !engine || *slot_of(line)) {
		trace.strange++;
		return NULL;
	}
	workload = calloc(1, sizeof(*workload));
	if (!workload)
		die("out of memory");
	workload->id = line_number(line, "workload_id");
	workload->vgpu = &sim_world.vgpu[id];
	workload->engine = engine;
	workload->queued_ns = line->ns;
	*slot_of(line) = workload;
	list_add_tail(&workload->list, workload_q_head(workload->vgpu, engine));
	return workload;
}

static void queue(const struct line *line)
{
	struct intel_vgpu_workload *workload = new_workload(line);

	if (!workload)
		return;
	sim_advance(line->ns + AFTER_NS);
	sim_sched_enqueue(workload);
	wake_up(&sim_world.gvt.scheduler.waitq[workload->engine->id]);
}

static void submit(const struct line *line)
{
	struct intel_vgpu_workload *workload = find(line);

	if (!workload || workload->dispatched) {
		trace.strange++;
		return;
	}
	trace.unchosen += !thread_submit(workload);
}

static void start(const struct line *line)
{
	struct intel_vgpu_workload *workload = find(line);

	trace.strange += !workload || !workload->req || !i915_start(workload->req);
}

static void stop(const struct line *line)
{
	struct intel_vgpu_workload *workload = find(line);
	bool completed = line_number(line, "completed");

	if (!workload || !workload->req) {
		trace.strange++;
		return;
	}
	/* It made way for a barrier, which was about to be made */
	if (!completed && !i915_has_barrier(workload->engine))
		sim_serve_now();
	trace.strange += !i915_stop(workload->req, completed);
}

static void complete(const struct line *line)
{
	struct intel_vgpu_workload *workload = find(line);

	if (!workload || !workload->req || !workload->req->fence.signaled) {
		trace.strange++;
		return;
	}
	*slot_of(line) = NULL;
	sim_advance(line->ns + AFTER_NS);
	thread_complete(workload);
}

/* --- the state at the beginning ----------------------------------------------------- */

/* Which events tell it; gvt_sched_info is the last one */
static size_t end_of_state(void)
{
	size_t i;
	bool told = false;

	for (i = 0; i < trace.n; i++) {
		told |= !strcmp(trace.line[i].event, "sched_state");
		if (told && !strcmp(trace.line[i].event, "sched_info"))
			return i;
	}
	die("%s: no gvt_sched_state and gvt_sched_info: record all of gvt:gvt_sched_* and gvt_vgpu_info",
	    trace.name);
}

static void each(size_t end, const char *event, void (*act)(const struct line *line))
{
	size_t i;

	for (i = 0; i < end; i++) {
		if (!strcmp(trace.line[i].event, event))
			act(&trace.line[i]);
	}
}

static void take_settings(const struct line *line)
{
	struct gvt_sched_settings *set = &sim_world.set;
	int i;

	for (i = 0; i < GVT_SCHED_POLICIES; i++) {
		if (line_is(line, "policy", gvt_sched_policy_name(i)))
			set->policy = i;
	}
	for (i = 0; i < GVT_DISPATCHES; i++) {
		if (line_is(line, "dispatch", gvt_sched_dispatch_name(i)))
			set->dispatch = i;
	}
	set->carry_over = line_number(line, "carry_over");
	set->leftover_max_ms = line_number(line, "leftover_max_ns") / NSEC_PER_MSEC;
	set->period_ms = line_number(line, "period_ns") / NSEC_PER_MSEC;
	set->boost_ms = line_number(line, "boost_ns") / NSEC_PER_MSEC;
	set->max_wait_ms = line_number(line, "max_wait_ns") / NSEC_PER_MSEC;
	set->anticipation_ms = line_number(line, "anticipation_ns") / NSEC_PER_MSEC;
}

static void make_vgpu(const struct line *line)
{
	s64 id = line_number(line, "vgpu_id"), weight = line_number(line, "weight");

	if (id <= 0 || id >= GVT_MAX_VGPU || weight < 1 || weight > 16)
		die("%s: a vGPU that cannot be at %llu", trace.name, line->ns);
	if (sim_world.vgpu[id].gvt)
		return;
	sim_sched_start(sim_world_vgpu(id, weight,
				       clamp(line_number(line, "nice"), GVT_SCHED_NICE_MIN,
					     GVT_SCHED_NICE_MAX),
				       clamp(line_number(line, "cap"), 0, 100)));
}

static void make_workload(const struct line *line)
{
	struct intel_vgpu_workload *workload = new_workload(line);
	s64 state = line_number(line, "state");

	if (!workload)
		return;
	workload->queued_ns = line->ns - line_number(line, "age_ns");
	if (!state)
		return;
	trace.unchosen += !thread_submit(workload);
	if (state == 2) {
		trace.strange += !i915_start(workload->req);
		sim_world.gvt.exec.slot[workload->engine->id][workload->vgpu->id].exec_ns =
			line_number(line, "exec_ns");
	}
}

static struct gvt_sched_lane *lane_of(const struct line *line)
{
	struct gvt_sched_data *sched_data = sim_world.gvt.scheduler.sched_data;
	const struct intel_engine_cs *engine =
		i915_engine_of_class((s16)line_number(line, "class"),
				     (s16)line_number(line, "instance"));

	return &sched_data->lane[engine ? engine->id : GVT_SCHED_EXCLUSIVE_LANE];
}

static void learned(struct gvt_sched_mean *mean, u64 ns)
{
	if (ns)
		gvt_sched_learn(mean, ns);
}

static void set_entity(const struct line *line)
{
	struct gvt_sched_lane *lane = lane_of(line);
	s64 id = line_number(line, "vgpu_id"), boost_ns = line_number(line, "boost_left_ns");
	struct gvt_sched_entity *e;

	if (id <= 0 || id >= GVT_MAX_VGPU || !sim_world.vgpu[id].gvt)
		die("%s: the state of a vGPU that is not there at %llu", trace.name, line->ns);
	e = &gvt_lane_member(lane, &sim_world.vgpu[id])->entity;
	if (line_number(line, "busy"))
		gvt_sched_enqueue(&lane->rq, e, line->ns);
	/* Lines come in the order of turns */
	list_move_tail(&e->link, &lane->rq.entities);
	e->left_ns = line_number(line, "left_ns");
	e->cap_left_ns = line_number(line, "cap_left_ns");
	e->vruntime = line_number(line, "vruntime");
	e->lag_ns = line_number(line, "lag_ns");
	e->boosted = boost_ns;
	e->boost_until = line->ns + boost_ns;
	learned(&e->service, line_number(line, "service_ns"));
	learned(&e->think, line_number(line, "think_ns"));
	learned(&e->way, line_number(line, "way_ns"));
	sim_world.vgpu[id].sched_data->preempt = line_number(line, "preempt");
}

/* When something last happened that charges the vGPU whose turn it is */
static u64 last_charged(const struct line *until)
{
	const struct line *line = until;

	while (line-- > trace.line) {
		if (is_decision(line) || !strcmp(line->event, "workload_complete"))
			return line->ns;
	}

	return until->ns;
}

static bool same_place(const struct line *a, const struct line *b)
{
	return line_number(a, "class") == line_number(b, "class") &&
	       line_number(a, "instance") == line_number(b, "instance") &&
	       line_number(a, "vgpu_id") == line_number(b, "vgpu_id");
}

/* Nobody asked since a period ended: when that was, follows from when a later one does */
static u64 ended_period(const struct line *line, u64 period_ns)
{
	const struct line *later;
	u64 periods = 0, never = line->ns + 3600 * NSEC_PER_SEC;

	for (later = line + 1; later < trace.line + trace.n; later++) {
		if (!same_place(line, later))
			continue;
		periods += !strcmp(later->event, "sched_balance");
		if (!strcmp(later->event, "sched_state") && line_number(later, "period_left_ns"))
			return later->ns + line_number(later, "period_left_ns") -
			       periods * period_ns;
	}

	return periods ? line->ns : never;
}

static void set_lane(const struct line *line)
{
	struct gvt_sched_lane *lane = lane_of(line);
	s64 current = line_number(line, "current_vgpu_id");
	s64 period_ns = line_number(line, "period_left_ns");

	lane->rq.stage = line_number(line, "stage");
	lane->rq.min_vruntime = line_number(line, "min_vruntime");
	lane->rq.period_end = period_ns ? line->ns + period_ns :
		ended_period(line, lane->rq.mode.period_ns);
	if (current <= 0 || current >= GVT_MAX_VGPU || !sim_world.vgpu[current].gvt)
		return;
	lane->state.turn = &gvt_lane_member(lane, &sim_world.vgpu[current])->entity;
	lane->state.state = GVT_LANE_RUNNING;
	lane->rq.current_entity = lane->state.turn;
	lane->rq.turn_since = last_charged(line);
	lane->rq.charged_until = lane->rq.turn_since;
}

/* How many balances there are at about the same time between two ticks as this one */
static size_t in_phase(const struct line *balance)
{
	size_t i, n = 0;

	for (i = 0; i < trace.n; i++) {
		const struct line *line = &trace.line[i];

		n += !strcmp(line->event, "sched_balance") &&
		     about(line->ns % GVT_SCHED_TICK_NS, balance->ns % GVT_SCHED_TICK_NS);
	}

	return n;
}

/*
 * Ticks are where most slices are handed out: those of periods that ended while nobody had work
 * are when work comes. So much is told of it in the first balances.
 */
static u64 grid_of(u64 now)
{
	size_t i, most = 0, seen = 0;
	u64 grid_ns = now;

	for (i = 0; i < trace.n && seen < GRID_BALANCES; i++) {
		const struct line *line = &trace.line[i];
		size_t n;

		if (strcmp(line->event, "sched_balance"))
			continue;
		seen++;
		n = in_phase(line);
		if (n <= most)
			continue;
		most = n;
		grid_ns = line->ns - SERVICE_NS - TO_EVENT_NS;
	}

	return grid_ns;
}

static void need_engine(const struct line *line)
{
	const struct intel_engine_cs *engine =
		i915_engine_of_class((s16)line_number(line, "class"),
				     (s16)line_number(line, "instance"));

	if (engine)
		i915_needs(engine);
}

static void use_engine(const struct line *line)
{
	const struct intel_engine_cs *engine =
		i915_engine_of_class(line_number(line, "class"), line_number(line, "instance"));

	if (engine)
		trace.used |= BIT(i915_engine_id(engine));
}

static bool any_busy(struct gvt_sched_data *sched_data)
{
	const struct gvt_sched_lane *lane;

	for_each_lane(sched_data, lane) {
		if (lane->rq.busy)
			return true;
	}

	return false;
}

static void begin(size_t end)
{
	struct gvt_sched_data *sched_data;
	const struct line *last = &trace.line[end];
	u64 grid_ns = grid_of(last->ns);

	take_settings(last);
	each(trace.n, "sched_state", need_engine);
	each(trace.n, "workload_queue", need_engine);
	each(trace.n, "workload_queue", use_engine);
	each(trace.n, "workload_state", use_engine);
	sim_advance(last->ns);
	sim_world_begin();
	i915_follow();
	thread_follow();
	sim_latency.barrier = 2000;
	sim_service_at = service_at;
	each(end, "vgpu_info", make_vgpu);
	each(end, "workload_state", make_workload);
	each(end, "sched_state", set_entity);
	each(end, "sched_state", set_lane);
	sched_data = sim_world.gvt.scheduler.sched_data;
	sched_data->grid_ns = grid_ns % GVT_SCHED_TICK_NS;
	if (any_busy(sched_data))
		intel_gvt_request_service(&sim_world.gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/* --- the trace ----------------------------------------------------------------------- */

static void made(u64 now, const char *event)
{
	static char text[4096];
	struct line line;

	snprintf(text, sizeof(text), "%llu 0 %s", now, event);
	if (line_parse(&line, text) && is_about_work(&line))
		decisions_made(&line);
}

static const struct {
	const char *event;
	void (*follow)(const struct line *line);
} follows[] = {
	{ "workload_queue", queue },
	{ "workload_submit", submit },
	{ "workload_start", start },
	{ "workload_stop", stop },
	{ "workload_complete", complete },
	{ "sched_switch", record },
	{ "sched_balance", record },
	{ "sched_hold", record },
};

static void follow(const struct line *line)
{
	int i;

	sim_advance(line->ns);
	for (i = 0; i < ARRAY_SIZE(follows); i++) {
		if (!strcmp(follows[i].event, line->event))
			follows[i].follow(line);
	}
}

static bool is_stop(const struct line *line)
{
	return !strcmp(line->event, "sched_switch") &&
	       line_number(line, "reason") == GVT_SWITCH_STOP;
}

/* Then the vGPUs are stopped, which is not replayed */
static size_t end_of_work(void)
{
	size_t i, end = 0;

	for (i = 0; i < trace.n && !is_stop(&trace.line[i]); i++) {
		if (!strncmp(trace.line[i].event, "workload_", 9))
			end = i + 1;
	}

	return end;
}

bool replay(FILE *file, const char *name)
{
	size_t i, end, work;
	bool same;

	trace.name = name;
	read_trace(file);
	end = end_of_state();
	work = end_of_work();
	begin(end);
	emit_from(0);
	emit_only("gvt_sched_switch,gvt_sched_balance,gvt_sched_hold");
	emit_to(made);
	for (i = end + 1; i < work; i++)
		follow(&trace.line[i]);

	same = decisions_compare(name, 0);
	printf("%s: %llu workloads were submitted out of order, %llu events could not be followed\n",
	       name, trace.unchosen, trace.strange);
	return same;
}
