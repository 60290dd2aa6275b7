// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "evidence.h"
#include "util.h"

/* clocks of CPUs that differ by more are broken: the model has the same limit */
#define LATE_NS		NSEC_PER_MSEC

/* damaged traces may have any number that never end */
#define LIVES_MAX	65536

/* so many of the last queue events are kept, for how early a missing one can have been */
#define QUEUED_KEPT	64

#define STEPS		(EVENT_WORKLOAD_CANCEL + 1)

struct life {
	int64_t dev, id;
	int64_t seen_ns[STEPS];		/* of a stop the last one, of others the first; or UNKNOWN */
	int64_t status;
	int64_t overtaken_ns;		/* when first one that came later was with i915; or UNKNOWN */
	bool finished;			/* its last stop was its end */
	bool told;			/* by gvt_workload_state */
	bool excused;			/* a marked loss explains what is missing */
	bool judged;
	unsigned int uses;		/* in how many lists it is */
};

/* what a vGPU has queued on an engine, which is served in order */
struct line {
	int64_t dev, vgpu_id, class, instance;
	GQueue lives;			/* struct life, in the order in which they were seen first */
};

/* more are not looked at: damaged traces may name any number */
#define LINES_MAX	256

/* a GPU */
struct device {
	int64_t dev;
	int64_t first_id;		/* of those seen queued; or UNKNOWN */
	unsigned int submitted;		/* before any was seen queued */
	bool tells;			/* there is gvt_workload_state */
	int64_t told_ns;		/* when first all that is queued had been told; or UNKNOWN */
};

/* an event that is not in the trace was between these */
struct missing {
	enum event_id step;
	int64_t from_ns, to_ns;
};

/* more say no more */
#define MISSING_MAX	4096

/* so few may be missing by chance */
#define CHANCE_MAX	2

/* so many may be submitted before the first one is queued, of those that were before the trace */
#define BACKLOG_MAX	8

struct evidence {
	GHashTable *lives;		/* struct life; not yet judged */
	GPtrArray *lines;		/* struct line */
	GQueue ended;			/* of @lives, in the order of their ends */
	GArray *devices;		/* struct device */
	struct { int64_t dev, id, ts_ns; } queued[QUEUED_KEPT];
	unsigned int nr_queued;
	event_set kinds;		/* that are in the trace */
	GArray *missing;		/* struct missing */
	unsigned int gaps;		/* marked losses that are open */
	bool had_gap;
	int64_t start_ns;		/* of the trace, as far as it is looked at */
};

static guint life_hash(gconstpointer data)
{
	const struct life *life = data;

	return (guint)life->id ^ (guint)life->dev << 24;
}

static gboolean life_equal(gconstpointer a, gconstpointer b)
{
	const struct life *la = a, *lb = b;

	return la->id == lb->id && la->dev == lb->dev;
}

static void free_line(void *data)
{
	struct line *line = data;

	g_queue_clear(&line->lives);
	g_free(line);
}

struct evidence *evidence_new(void)
{
	struct evidence *evidence = g_new0(struct evidence, 1);

	evidence->lives = g_hash_table_new(life_hash, life_equal);
	evidence->lines = g_ptr_array_new_with_free_func(free_line);
	evidence->devices = g_array_new(FALSE, FALSE, sizeof(struct device));
	evidence->missing = g_array_new(FALSE, FALSE, sizeof(struct missing));
	evidence->start_ns = UNKNOWN;
	return evidence;
}

static void put_back(struct life *life)
{
	if (!--life->uses)
		g_free(life);
}

static void drop_all(GQueue *lives)
{
	struct life *life;

	while ((life = g_queue_pop_head(lives)))
		put_back(life);
}

void evidence_free(struct evidence *evidence)
{
	GHashTableIter iter;
	void *life;

	drop_all(&evidence->ended);
	for (unsigned int nr = 0; nr < evidence->lines->len; nr++)
		drop_all(&((struct line *)evidence->lines->pdata[nr])->lives);
	g_hash_table_iter_init(&iter, evidence->lives);
	while (g_hash_table_iter_next(&iter, &life, NULL))
		put_back(life);
	g_hash_table_destroy(evidence->lives);
	g_ptr_array_unref(evidence->lines);
	g_array_free(evidence->devices, TRUE);
	g_array_free(evidence->missing, TRUE);
	g_free(evidence);
}

static struct device *get_device(struct evidence *evidence, int64_t dev)
{
	struct device device = { .dev = dev, .first_id = UNKNOWN, .told_ns = UNKNOWN };

	for (unsigned int nr = 0; nr < evidence->devices->len; nr++)
		if (g_array_index(evidence->devices, struct device, nr).dev == dev)
			return &g_array_index(evidence->devices, struct device, nr);
	g_array_append_val(evidence->devices, device);
	return &g_array_index(evidence->devices, struct device, evidence->devices->len - 1);
}

static struct line *get_line(struct evidence *evidence, const struct workload_event *told)
{
	struct line *line;

	for (unsigned int nr = 0; nr < evidence->lines->len; nr++) {
		line = evidence->lines->pdata[nr];
		if (line->dev == told->dev && line->vgpu_id == told->vgpu_id &&
		    line->class == told->class && line->instance == told->instance)
			return line;
	}
	if (evidence->lines->len == LINES_MAX)
		return NULL;
	line = g_new0(struct line, 1);
	line->dev = told->dev;
	line->vgpu_id = told->vgpu_id;
	line->class = told->class;
	line->instance = told->instance;
	g_ptr_array_add(evidence->lines, line);
	return line;
}

/* After a marked loss, what is not seen to be queued may have been in it. */
static struct life *new_life(struct evidence *evidence, const struct event *event)
{
	struct line *line = get_line(evidence, &event->workload);
	struct life *life = g_new(struct life, 1);

	*life = (struct life) {
		.dev = event->workload.dev, .id = event->workload.workload_id, .status = UNKNOWN,
		.overtaken_ns = UNKNOWN,
		.excused = evidence->gaps || (evidence->had_gap && event->id != EVENT_WORKLOAD_QUEUE),
		.uses = 1,
	};
	for (int step = 0; step < STEPS; step++)
		life->seen_ns[step] = UNKNOWN;
	g_hash_table_add(evidence->lives, life);
	if (line) {
		life->uses++;
		g_queue_push_tail(&line->lives, life);
	}
	return life;
}

static struct life *get_life(struct evidence *evidence, const struct event *event)
{
	struct life key = { .dev = event->workload.dev, .id = event->workload.workload_id };
	struct life *life = g_hash_table_lookup(evidence->lives, &key);

	if (life || g_hash_table_size(evidence->lives) == LIVES_MAX)
		return life;
	return new_life(evidence, event);
}

static void miss(struct evidence *evidence, enum event_id step, int64_t from_ns, int64_t to_ns)
{
	struct missing missing = { step, MAX(from_ns, evidence->start_ns), to_ns };

	if (evidence->missing->len < MISSING_MAX)
		g_array_append_val(evidence->missing, missing);
}

static int64_t first_seen(const struct life *life)
{
	int64_t first_ns = INT64_MAX;

	for (int step = 0; step < STEPS; step++)
		if (known(life->seen_ns[step]))
			first_ns = MIN(first_ns, life->seen_ns[step]);
	return first_ns;
}

static int64_t last_seen(const struct life *life)
{
	int64_t last_ns = UNKNOWN;

	for (int step = 0; step < STEPS; step++)
		last_ns = MAX(last_ns, life->seen_ns[step]);
	return last_ns;
}

/* Ids grow in the order of queueing. */
static int64_t queued_after(const struct evidence *evidence, const struct life *life)
{
	int64_t ts_ns = INT64_MIN;
	unsigned int count = MIN(evidence->nr_queued, QUEUED_KEPT);

	for (unsigned int nr = 0; nr < count; nr++)
		if (evidence->queued[nr].dev == life->dev && evidence->queued[nr].id < life->id)
			ts_ns = MAX(ts_ns, evidence->queued[nr].ts_ns);
	return ts_ns;
}

/* Those below the first one that was seen were queued before the trace, but for what was told then. */
static void judge_queueing(struct evidence *evidence, const struct life *life)
{
	const struct device *device = get_device(evidence, life->dev);
	int64_t first_ns = first_seen(life);

	if (first_ns == INT64_MAX)
		return;
	if (known(device->first_id) && life->id > device->first_id)
		miss(evidence, EVENT_WORKLOAD_QUEUE, queued_after(evidence, life), first_ns);
	else if (device->tells && known(device->told_ns) && !life->told &&
		 first_ns - device->told_ns > LATE_NS)
		miss(evidence, EVENT_WORKLOAD_QUEUE, device->told_ns, first_ns);
}

/* @step is missing where one before it, or that it is from the trace, and a later one are known */
static void judge_step(struct evidence *evidence, const struct life *life, enum event_id step)
{
	int64_t from_ns = UNKNOWN, to_ns = INT64_MAX;

	for (int before = EVENT_WORKLOAD_QUEUE; before < (int)step; before++)
		from_ns = MAX(from_ns, life->seen_ns[before]);
	for (int after = step + 1; after <= EVENT_WORKLOAD_COMPLETE; after++)
		if (known(life->seen_ns[after]))
			to_ns = MIN(to_ns, life->seen_ns[after]);
	if (known(from_ns) && to_ns != INT64_MAX)
		miss(evidence, step, MIN(from_ns, to_ns), MAX(from_ns, to_ns));
}

/* What fails may do so at any step. */
static bool needs(const struct life *life, enum event_id step)
{
	bool ran = known(life->seen_ns[EVENT_WORKLOAD_START]) ||
		   known(life->seen_ns[EVENT_WORKLOAD_STOP]);

	if (known(life->seen_ns[EVENT_WORKLOAD_COMPLETE]) && !life->status)
		return true;
	if (step == EVENT_WORKLOAD_SUBMIT)
		return ran;
	return step == EVENT_WORKLOAD_START && known(life->seen_ns[EVENT_WORKLOAD_STOP]);
}

static void judge_steps(struct evidence *evidence, const struct life *life)
{
	if (!known(life->seen_ns[EVENT_WORKLOAD_QUEUE]))
		judge_queueing(evidence, life);
	for (enum event_id step = EVENT_WORKLOAD_SUBMIT; step <= EVENT_WORKLOAD_STOP; step++)
		if (!known(life->seen_ns[step]) && needs(life, step))
			judge_step(evidence, life, step);
}

static void judge(struct evidence *evidence, struct life *life)
{
	if (life->judged)
		return;
	life->judged = true;
	g_hash_table_remove(evidence->lives, life);
	life->uses--;
	if (!life->excused)
		judge_steps(evidence, life);
}

static void judge_ended(struct evidence *evidence, int64_t now_ns)
{
	struct life *life;

	while ((life = g_queue_peek_head(&evidence->ended)) && difference(now_ns, last_seen(life)) > LATE_NS) {
		g_queue_pop_head(&evidence->ended);
		judge(evidence, life);
		put_back(life);
	}
}

static bool is_over(const struct life *life)
{
	return known(life->seen_ns[EVENT_WORKLOAD_COMPLETE]) ||
	       known(life->seen_ns[EVENT_WORKLOAD_CANCEL]);
}

/*
 * A queue is served in order, one at a time: who is with i915 shows that those before are over,
 * if nothing more is seen of them.
 */
static void overtake(struct line *line, const struct event *by)
{
	struct life *life;

	while ((life = g_queue_peek_head(&line->lives)) && life->id < by->workload.workload_id) {
		if (!life->judged && !is_over(life) && difference(by->ts_ns, last_seen(life)) <= LATE_NS)
			return;
		g_queue_pop_head(&line->lives);
		life->overtaken_ns = by->ts_ns;
		put_back(life);
	}
}

static void note_queue(struct evidence *evidence, const struct event *event)
{
	struct device *device = get_device(evidence, event->workload.dev);
	unsigned int place = evidence->nr_queued++ % QUEUED_KEPT;

	for (; device->submitted > BACKLOG_MAX; device->submitted--)
		miss(evidence, EVENT_WORKLOAD_QUEUE, evidence->start_ns, event->ts_ns);
	device->submitted = 0;
	if (!known(device->first_id) || event->workload.workload_id < device->first_id)
		device->first_id = event->workload.workload_id;
	evidence->queued[place].dev = event->workload.dev;
	evidence->queued[place].id = event->workload.workload_id;
	evidence->queued[place].ts_ns = event->ts_ns;
}

static void note_step(struct evidence *evidence, const struct event *event)
{
	struct life *life = get_life(evidence, event);
	struct line *line;
	bool over;

	if (!life)
		return;
	over = is_over(life);
	if (event->id == EVENT_WORKLOAD_STOP || !known(life->seen_ns[event->id]))
		life->seen_ns[event->id] = event->ts_ns;
	if (event->id == EVENT_WORKLOAD_STOP)
		life->finished = event->workload.completed;
	if (event->id == EVENT_WORKLOAD_COMPLETE)
		life->status = event->workload.status;
	if (!over && is_over(life)) {
		life->uses++;
		g_queue_push_tail(&evidence->ended, life);
	}
	if (event->id < EVENT_WORKLOAD_SUBMIT || event->id > EVENT_WORKLOAD_STOP)
		return;
	if (event->id == EVENT_WORKLOAD_SUBMIT) {
		struct device *device = get_device(evidence, event->workload.dev);

		device->submitted += !known(device->first_id);
	}
	line = get_line(evidence, &event->workload);
	if (line)
		overtake(line, event);
}

static void note_told(struct evidence *evidence, const struct event *event)
{
	struct life *life = get_life(evidence, event);

	get_device(evidence, event->workload.dev)->tells = true;
	if (life)
		life->told = true;
}

void evidence_event(struct evidence *evidence, const struct event *event)
{
	if (!known(evidence->start_ns))
		evidence->start_ns = event->ts_ns;
	judge_ended(evidence, event->ts_ns);
	evidence->kinds |= EVENT_BIT(event->id);
	if (event->id == EVENT_WORKLOAD_STATE) {
		note_told(evidence, event);
	} else if (event->id == EVENT_SCHED_INFO) {
		struct device *device = get_device(evidence, event->sched_info.dev);

		if (device->tells && !known(device->told_ns))
			device->told_ns = event->ts_ns;
	} else if (event->id <= EVENT_WORKLOAD_CANCEL) {
		if (event->id == EVENT_WORKLOAD_QUEUE)
			note_queue(evidence, event);
		note_step(evidence, event);
	}
}

void evidence_lost(struct evidence *evidence, bool begins)
{
	GHashTableIter iter;
	struct life *life;

	g_hash_table_iter_init(&iter, evidence->lives);
	while (g_hash_table_iter_next(&iter, (void **)&life, NULL))
		life->excused = true;
	evidence->gaps += begins ? 1 : -1;
	evidence->had_gap = true;
}

/* no thread of the host is as slow as this, if it is to be told */
#define COMPLETE_NS	(5 * NSEC_PER_MSEC)

void evidence_end(struct evidence *evidence, int64_t end_ns)
{
	GHashTableIter iter;
	struct life *life;

	g_hash_table_iter_init(&iter, evidence->lives);
	while (g_hash_table_iter_next(&iter, (void **)&life, NULL)) {
		int64_t stop_ns = life->seen_ns[EVENT_WORKLOAD_STOP];

		if (life->excused || difference(end_ns, last_seen(life)) <= LATE_NS)
			continue;
		judge_steps(evidence, life);
		if (is_over(life))
			continue;
		if (known(life->overtaken_ns) && last_seen(life) < life->overtaken_ns)
			miss(evidence, EVENT_WORKLOAD_COMPLETE, last_seen(life), life->overtaken_ns);
		else if (life->finished && end_ns - stop_ns > COMPLETE_NS)
			miss(evidence, EVENT_WORKLOAD_COMPLETE, stop_ns, end_ns);
	}
}

/* It was rather there than elsewhere. */
static bool is_rather_in(const struct missing *missing, int64_t from_ns, int64_t to_ns)
{
	int64_t part_ns = MIN(to_ns, missing->to_ns) - MAX(from_ns, missing->from_ns);

	return part_ns >= 0 && part_ns >= (missing->to_ns - missing->from_ns) / 2;
}

bool evidence_missed(const struct evidence *evidence, int64_t from_ns, int64_t to_ns)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < evidence->missing->len; nr++) {
		const struct missing *missing = &g_array_index(evidence->missing, struct missing, nr);

		count += evidence->kinds & EVENT_BIT(missing->step) &&
			 is_rather_in(missing, from_ns, to_ns);
	}
	return count > CHANCE_MAX;
}
