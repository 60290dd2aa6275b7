// SPDX-License-Identifier: GPL-2.0-only

#include "die.h"
#include "guest.h"
#include "heap.h"
#include "host.h"
#include "sequence.h"
#include "workload_trace.h"
#include "world.h"

#define MILLION 1000000

/* What is varied between phases */
enum sequence {
	SEQUENCE_CLOCK,
	SEQUENCE_LATE,
	SEQUENCE_PAUSE,
	SEQUENCES
};

/* Number of workloads that are planned, or queued and not completed */
static u64 under_way;

static void one_more(void)
{
	if (under_way++ == GUEST_UNDER_WAY)
		give_up("gave up with %d workloads under way: the model has guests queue faster than anything completes",
			GUEST_UNDER_WAY);
}

static void queue_workload(struct sim_stream *s, const struct sim_work *work)
{
	static u64 ids;
	struct intel_vgpu_workload *workload = calloc(1, sizeof(*workload));

	if (!workload)
		die("out of memory");
	*workload = (struct intel_vgpu_workload) {
		.id = ++ids,
		.vgpu = s->vgpu,
		.engine = s->engine,
		.ctx_desc.lrca = s->nr,
		.stream = s,
		.exec_ns = work->exec_ns,
		.piece_ns = s->piece_ns,
	};
	trace_gvt_workload_queue(workload);
	list_add_tail(&workload->list, workload_q_head(s->vgpu, s->engine));
	sim_sched_enqueue(workload);
	wake_up(&s->vgpu->gvt->scheduler.waitq[s->engine->id]);
}

static void queue(struct sim_stream *s)
{
	const struct sim_work *work = &s->work[s->queued % s->n];

	s->queued++;
	if (s->vgpu)
		queue_workload(s, work);
	else
		host_submit(s, work->exec_ns);
}

/* --- closed loops -------------------------------------------------------------- */

static void plan(struct sim_stream *s);

static void queue_planned(void *subject, u64 token)
{
	queue(subject);
	plan(subject);
}

static bool is_due(const struct sim_stream *s, u32 lag)
{
	return lag ? s->planned < s->done + lag : s->planned <= s->queued;
}

/* Applies a phase shift after a long pause, so that bursts stay together */
static u64 take_late_ns(struct sim_stream *s, const struct sim_work *work)
{
	u64 late_ns = s->late_ns;

	if (work->at_ns < s->longest_ns - work->at_ns)
		return 0;
	s->late_ns = 0;
	return late_ns;
}

static u64 pause_ns(const struct sim_stream *s, const struct sim_work *work)
{
	return mul_u64_u64_div_u64(work->at_ns, MILLION + s->varied_ppm, MILLION);
}

/* Plans all workloads whose dependencies are met */
static void plan(struct sim_stream *s)
{
	const struct sim_work *work = &s->work[s->planned % s->n];

	while (is_due(s, work->lag)) {
		s->last_at = max(s->last_at, ktime_get_ns() + pause_ns(s, work)) + take_late_ns(s, work);
		s->planned++;
		one_more();
		sim_at(s->last_at, queue_planned, s, 0);
		work = &s->work[s->planned % s->n];
	}
}

/* --- open arrivals --------------------------------------------------------------- */

/* Room in the guest's queue; what it is about to queue has its place already */
static bool has_room(const struct sim_stream *s)
{
	return s->queued - s->done + s->let_in < s->depth;
}

static void queue_arrived(struct sim_stream *s)
{
	one_more();
	queue(s);
}

static void queue_let_in(void *subject, u64 token)
{
	struct sim_stream *s = subject;

	s->let_in--;
	queue_arrived(s);
}

static void come(void *subject, u64 token);

static void plan_arrival(struct sim_stream *s)
{
	u64 round = s->planned / s->n;

	sim_at(s->origin_ns + round * s->span_ns + s->work[s->planned % s->n].at_ns, come, s, 0);
	s->planned++;
}

static void come(void *subject, u64 token)
{
	struct sim_stream *s = subject;

	if (has_room(s) && !s->held)
		queue_arrived(s);
	else
		s->held++;
	plan_arrival(s);
}

static void let_in(struct sim_stream *s)
{
	if (!s->held)
		return;
	s->held--;
	s->let_in++;
	sim_after(s->vgpu ? sim_latency.guest : 0, queue_let_in, s, 0);
}

/* Skips the part of the round that is already over */
static void begin_open(struct sim_stream *s)
{
	u64 now = ktime_get_ns(), rounds;

	if (s->origin_ns > now) {
		rounds = (s->origin_ns - now + s->span_ns - 1) / s->span_ns;
		s->origin_ns -= min(rounds * s->span_ns, s->origin_ns);
	}
	while (s->planned < s->n && s->origin_ns + s->work[s->planned].at_ns < now)
		s->planned++;
	/* The skipped workloads are not in flight */
	s->queued = s->planned;
	s->done = s->planned;
	plan_arrival(s);
}

static void begin_closed(struct sim_stream *s)
{
	u64 i;

	for (i = 0; i < s->n; i++)
		s->longest_ns = max(s->longest_ns, s->work[i].at_ns);
	plan(s);
}

void guest_begin(struct sim_stream *s)
{
	if (s->open)
		begin_open(s);
	else
		begin_closed(s);
}

/* --- phases ------------------------------------------------------------------------ */

/* Part of @most in @phase, by a sequence of its own for each @of and @what */
static u64 part_of(u64 most, u32 phase, enum sequence what, u32 of)
{
	return (most * sequence_at(phase, of * SEQUENCES + what)) >> 32;
}

/* Those of a vGPU keep their phases, as it has one clock; so does the host, which has no vGPU */
static u32 clock_of(const struct sim_stream *s)
{
	return s->vgpu ? s->vgpu->id : 0;
}

void guest_shift(struct sim_stream *s, u32 phase)
{
	if (s->open) {
		s->origin_ns += part_of(s->shift_ns, phase, SEQUENCE_CLOCK, clock_of(s));
		return;
	}
	s->late_ns = part_of(s->shift_ns, phase, SEQUENCE_LATE, s->nr);
	s->varied_ppm = (s32)part_of(2 * s->vary_ppm, phase, SEQUENCE_PAUSE, s->nr) - (s32)s->vary_ppm;
}

void guest_done(struct sim_stream *s)
{
	under_way--;
	s->done++;
	if (s->open)
		let_in(s);
	else
		plan(s);
}

void guest_completed(struct intel_vgpu_workload *workload)
{
	struct sim_stream *s = workload->stream;

	free(workload);
	/* A replayed workload has no stream */
	if (s)
		guest_done(s);
}
