// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "idle-time-private.h"

/* before an engine's first event there was no work for it, unless events were lost */
static struct engine_time *new_engine(struct idle *idle)
{
	struct engine_time *engine = g_new0(struct engine_time, 1);

	engine->now.reason = IDLE_EMPTY;
	engine->picked_ns = UNKNOWN;
	engine->broken_ns = UNKNOWN;
	engine->last.from_ns = MAX(idle->follow->trace->start_ns, idle->follow->window.from_ns);
	engine->last.to_ns = engine->last.from_ns;
	engine->now.from_ns = idle->follow->trace->start_ns;
	if (known(idle->lost_ns)) {
		idle_close(idle, engine, idle->lost_ns);
		engine->now.reason = IDLE_UNKNOWN;
		idle_doubt(idle, engine);
	}
	return engine;
}

__attribute__((cold)) void idle_add_engines(struct idle *idle, unsigned int index)
{
	while (idle->engines->len <= index)
		g_ptr_array_add(idle->engines, new_engine(idle));
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

/* Adjacent segments of the same reason are merged. */
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

static void account_final(const struct idle *idle, struct engine_time *engine,
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
	if (idle_is_wait(segment->reason))
		get_parts(idle, engine, segment->queue)->time_ns[segment->reason][segment->turn] +=
			to_ns - from_ns;
	join(&engine->last, segment, from_ns, to_ns);
	if (is_longest(&engine->row, &engine->last))
		note_longest(&engine->row, &engine->last);
}

/* the first @count recent segments */
static void account_first(const struct idle *idle, struct engine_time *engine, unsigned int count)
{
	for (unsigned int nr = 0; nr < count; nr++)
		account_final(idle, engine, &engine->recent[nr]);
	engine->nr_recent -= count;
	memmove(engine->recent, &engine->recent[count], engine->nr_recent * sizeof(*engine->recent));
}

void idle_account_recent(const struct idle *idle, struct engine_time *engine)
{
	account_first(idle, engine, engine->nr_recent);
}

static void account_certain(const struct idle *idle, struct engine_time *engine,
			    const struct segment *segment)
{
	struct segment *last = engine->nr_recent ? &engine->recent[engine->nr_recent - 1] : NULL;

	/* the host began after it */
	if (segment->reason == IDLE_BUSY) {
		idle_account_recent(idle, engine);
		account_final(idle, engine, segment);
		return;
	}
	if (segment->reason == IDLE_HOST && last && last->reason == IDLE_HOST &&
	    last->to_ns == segment->from_ns) {
		last->to_ns = segment->to_ns;
		return;
	}
	if (engine->nr_recent == RECENT_MAX)
		account_first(idle, engine, 1);
	engine->recent[engine->nr_recent++] = *segment;
}

/* Hidden work, or work that left unseen, does not affect these reasons. */
static bool is_beyond_doubt(const struct segment *segment)
{
	return segment->reason == IDLE_BUSY || segment->reason == IDLE_HOST ||
	       segment->reason == IDLE_I915 ||
	       (segment->reason == IDLE_COMPLETION && segment->alone);
}

/* maximum number of doubtful segments */
#define DOUBTFUL_MAX	4096

static void account_doubtful(const struct idle *idle, struct engine_time *engine, bool right)
{
	for (unsigned int nr = 0; nr < engine->doubtful->len; nr++) {
		struct segment *segment = &g_array_index(engine->doubtful, struct segment, nr);

		if (!right && !is_beyond_doubt(segment)) {
			segment->reason = IDLE_UNKNOWN;
			segment->queue = NULL;
		}
		account_certain(idle, engine, segment);
	}
	g_array_set_size(engine->doubtful, 0);
}

static void account(const struct idle *idle, struct engine_time *engine,
		    const struct segment *segment)
{
	if (!engine->doubtful) {
		account_certain(idle, engine, segment);
		return;
	}
	if (engine->doubtful->len == DOUBTFUL_MAX)
		account_doubtful(idle, engine, false);
	g_array_append_val(engine->doubtful, *segment);
}

void idle_doubt(struct idle *idle, struct engine_time *engine)
{
	idle_settle(idle, engine);
	if (engine->doubtful)
		return;
	engine->doubtful = g_array_new(FALSE, FALSE, sizeof(struct segment));
	idle->doubted++;
}

void idle_trust(struct idle *idle, struct engine_time *engine, bool right)
{
	if (!engine->doubtful)
		return;
	if (!right)
		idle_settle(idle, engine);
	account_doubtful(idle, engine, right);
	g_array_free(engine->doubtful, TRUE);
	engine->doubtful = NULL;
	idle->doubted--;
}

void idle_unpark(struct engine_time *engine)
{
	for (unsigned int nr = engine->nr_pending; engine->parked && nr-- > 0; ) {
		struct segment *segment = &engine->pending[nr];

		if (segment->from_ns < engine->parked_ns)
			return;
		if (segment->reason == IDLE_I915 && segment->off)
			segment->reason = IDLE_UNKNOWN;
	}
}

void idle_mislead(struct idle *idle, struct engine_time *engine, int64_t ts_ns)
{
	if (!engine->doubtful)
		return;
	idle_close(idle, engine, MAX(ts_ns, engine->now.from_ns));
	idle_unpark(engine);
	idle_settle(idle, engine);
	account_doubtful(idle, engine, false);
}

void idle_settle(const struct idle *idle, struct engine_time *engine)
{
	for (unsigned int nr = 0; nr < engine->nr_pending; nr++)
		account(idle, engine, &engine->pending[nr]);
	engine->nr_pending = 0;
	engine->nr_proved = 0;
}

/* the first @count pending segments */
static void settle_first(const struct idle *idle, struct engine_time *engine, unsigned int count)
{
	for (unsigned int nr = 0; nr < count; nr++)
		account(idle, engine, &engine->pending[nr]);
	engine->nr_pending -= count;
	engine->nr_proved -= MIN(engine->nr_proved, count);
	memmove(engine->pending, &engine->pending[count],
		engine->nr_pending * sizeof(*engine->pending));
}

/* longer preemptions are assumed to end with a resume; leaves room for unproven segments */
#define PROVED_MAX	(PENDING_MAX - 64)

void idle_prove_parked(const struct idle *idle, struct engine_time *engine)
{
	unsigned int before = 0;

	if (engine->nr_pending > PROVED_MAX) {
		engine->parked = false;
		idle_settle(idle, engine);
		return;
	}
	while (before < engine->nr_pending && engine->pending[before].to_ns <= engine->parked_ns)
		before++;
	if (before)
		settle_first(idle, engine, before);
	engine->nr_proved = engine->nr_pending;
}

/* @nr: its index; if there is no room, the oldest segment is accounted as it is */
static void insert_pending(const struct idle *idle, struct engine_time *engine, unsigned int nr,
			   const struct segment *segment)
{
	if (engine->nr_pending == PENDING_MAX && !nr) {
		account(idle, engine, segment);
		return;
	}
	if (engine->nr_pending == PENDING_MAX) {
		settle_first(idle, engine, 1);
		nr--;
	}
	/* usually the last one */
	if (nr < engine->nr_pending)
		memmove(&engine->pending[nr + 1], &engine->pending[nr],
			(engine->nr_pending - nr) * sizeof(*segment));
	engine->pending[nr] = *segment;
	engine->nr_pending++;
}

/* These reasons never change later. */
#define CERTAIN		(REASON_BIT(IDLE_BUSY) | REASON_BIT(IDLE_HOST) | REASON_BIT(IDLE_I915) | \
			 REASON_BIT(IDLE_COMPLETION) | REASON_BIT(IDLE_EMPTY))

void idle_close(struct idle *idle, struct engine_time *engine, int64_t ts_ns)
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

void idle_convert(const struct idle *idle, struct engine_time *engine, int64_t from_ns,
		  unsigned int reasons, enum idle_reason to)
{
	for (unsigned int nr = engine->nr_pending; nr-- > engine->nr_proved; ) {
		struct segment *segment = &engine->pending[nr];
		struct segment before = *segment;

		if (segment->to_ns <= from_ns)
			return;
		if (!(reasons & REASON_BIT(segment->reason)) ||
		    (segment->reason == IDLE_UNKNOWN && !segment->queue))
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

/* Returns whether a part of it, which becomes @before, precedes @from_ns. */
static bool give(struct segment *segment, int64_t from_ns, struct segment *before)
{
	if (segment->reason == IDLE_BUSY || segment->to_ns <= from_ns)
		return false;
	*before = *segment;
	before->to_ns = segment->from_ns = MAX(segment->from_ns, from_ns);
	segment->reason = IDLE_HOST;
	segment->queue = NULL;
	return before->to_ns > before->from_ns;
}

void idle_give_to_host(struct idle *idle, struct engine_time *engine, int64_t from_ns, int64_t to_ns)
{
	struct segment before;

	idle_close(idle, engine, MAX(to_ns, engine->now.from_ns));
	for (unsigned int nr = 0; nr < engine->nr_recent; nr++) {
		if (give(&engine->recent[nr], from_ns, &before))
			account_final(idle, engine, &before);
		account_final(idle, engine, &engine->recent[nr]);
	}
	engine->nr_recent = 0;
	for (unsigned int nr = engine->doubtful ? engine->doubtful->len : 0; nr-- > 0; )
		if (give(&g_array_index(engine->doubtful, struct segment, nr), from_ns, &before))
			g_array_insert_val(engine->doubtful, nr, before);
	for (unsigned int nr = engine->nr_pending; nr-- > 0; )
		if (give(&engine->pending[nr], from_ns, &before)) {
			insert_pending(idle, engine, nr, &before);
			return;
		}
}

/* The first segment begins at the stop; an earlier one is another workload's. */
void idle_complete(struct engine_time *engine, int64_t from_ns)
{
	for (unsigned int nr = engine->nr_pending; nr-- > 0; ) {
		struct segment *segment = &engine->pending[nr];

		if (segment->from_ns < from_ns)
			return;
		if (segment->reason == IDLE_I915 && !segment->several)
			segment->reason = IDLE_COMPLETION;
	}
}

static void forget_parts(struct idle_parts *parts, enum idle_reason reason)
{
	memset(parts->time_ns[reason], 0, sizeof(parts->time_ns[reason]));
}

static void forget(struct idle *idle, const struct gpu_engine *engine, enum idle_reason reason)
{
	struct engine_time *time = idle_engine(idle, engine->index);

	forget_parts(&time->unclear, reason);
	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		forget_parts(get_parts(idle, time, engine->queues->pdata[nr]), reason);
	time->row.time_ns[reason] = 0;
	time->row.longest_ns[reason] = 0;
	time->row.longest_vgpu[reason] = NULL;
}

/* segments with preempted work may still prove wrong */
static void rewrite_pending(struct engine_time *engine, unsigned int reasons, enum idle_reason to)
{
	for (unsigned int nr = 0; nr < engine->nr_pending; nr++) {
		struct segment *segment = &engine->pending[nr];

		if (!(reasons & REASON_BIT(segment->reason)))
			continue;
		segment->reason = to;
		segment->several = true;
		segment->queue = NULL;
	}
}

void idle_rewrite(struct idle *idle, const struct gpu_engine *of, unsigned int reasons,
		  enum idle_reason to, int64_t ts_ns, const struct vgpu *vgpu)
{
	struct engine_time *engine = idle_engine(idle, of->index);
	int64_t sum = 0;

	idle_close(idle, engine, ts_ns);
	idle_prove(idle, engine);
	if (engine->doubtful)
		account_doubtful(idle, engine, false);
	idle_account_recent(idle, engine);
	rewrite_pending(engine, reasons, to);
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

const struct idle_row *idle_of(struct idle *idle, const struct gpu_engine *engine)
{
	return &idle_engine(idle, engine->index)->row;
}

int64_t idle_in_turn(struct idle *idle, const struct gpu_engine *engine,
		     enum idle_reason reason, enum idle_turn turn)
{
	struct engine_time *time = idle_engine(idle, engine->index);
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
	struct engine_time *engine = idle_engine(idle, queue->engine->index);

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
