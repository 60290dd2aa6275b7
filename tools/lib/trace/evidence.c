// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "evidence.h"
#include "prompts.h"
#include "silence.h"
#include "util.h"

/* damaged traces may have any number of unfinished workloads */
#define LIVES_MAX	65536

/* number of recent queue events kept, to estimate when a missing one occurred */
#define QUEUED_KEPT	64

#define STEPS		(EVENT_WORKLOAD_CANCEL + 1)

struct life {
	int64_t dev, id;
	int64_t seen_ns[STEPS];		/* last stop, first of other events; or UNKNOWN */
	int64_t status;
	int64_t overtaken_ns;		/* a later one of its queue was with i915; or UNKNOWN */
	int64_t free_ns;		/* last event of the previous one; or UNKNOWN */
	bool finished;			/* its last stop was its end */
	bool told;			/* reported by gvt_workload_state */
	bool excused;			/* a marked loss explains missing events */
	bool judged;
	unsigned int uses;		/* number of lists with this life */
};

/* a vGPU's queue on an engine, which is served in order */
struct line {
	int64_t dev, vgpu_id, class, instance;
	GQueue lives;			/* struct life, in the order of their first events */
	int64_t busy_id, busy_ns;	/* workload and time of last i915 step; or UNKNOWN */
	int64_t free_ns;		/* last i915 step of another workload; or UNKNOWN */
};

/* more are ignored: damaged traces may contain any number */
#define LINES_MAX	256

/* a GPU */
struct device {
	int64_t dev;
	int64_t first_id, last_id;	/* of traced queue events; or UNKNOWN */
	int64_t last_ns;		/* when @last_id was queued */
	unsigned int last_gaps;		/* number of marked losses at @last_ns */
	unsigned int submitted;		/* submissions before the first queue event */
	bool tells;			/* has gvt_workload_state events */
	int64_t told_ns;		/* end of the first report of queued work; or UNKNOWN */
};

/* a missing event, and the times that it was between */
struct missing {
	enum event_id step;
	int64_t from_ns, to_ns;
};

/* more would add nothing */
#define MISSING_MAX	4096

/* a workload without a queue event, though a later one was queued */
struct skipped {
	int64_t dev, id;
	int64_t from_ns, to_ns;
};

/* this many numbers missing outside of silences show a filter */
#define FILTERED_MIN	8

/* at most this many may be missing by chance */
#define CHANCE_MAX	2

/* maximum number of submissions, before the first queue event, of work from before the trace */
#define BACKLOG_MAX	8

struct evidence {
	GHashTable *lives;		/* struct life; not yet judged */
	GPtrArray *lines;		/* struct line */
	GQueue ended;			/* those of @lives that ended, in the order of their ends */
	GArray *devices;		/* struct device */
	struct { int64_t dev, id, ts_ns; } queued[QUEUED_KEPT];
	unsigned int nr_queued;
	event_set kinds;		/* events that are in the trace */
	const struct silences *silences;
	GArray *missing;		/* struct missing, in doubtful silences */
	GArray *skipped;		/* struct skipped, in doubtful silences */
	uint64_t skipped_elsewhere;
	struct prompts *prompts;
	unsigned int gaps, all_gaps;	/* marked losses: open ones; all so far */
	bool had_gap;
	int64_t start_ns;		/* of the examined part of the trace */
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

struct evidence *evidence_new(const struct silences *silences)
{
	struct evidence *evidence = g_new0(struct evidence, 1);

	evidence->silences = silences;
	evidence->prompts = prompts_new(silences);
	evidence->lives = g_hash_table_new(life_hash, life_equal);
	evidence->lines = g_ptr_array_new_with_free_func(free_line);
	evidence->devices = g_array_new(FALSE, FALSE, sizeof(struct device));
	evidence->missing = g_array_new(FALSE, FALSE, sizeof(struct missing));
	evidence->skipped = g_array_new(FALSE, FALSE, sizeof(struct skipped));
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
	g_array_free(evidence->skipped, TRUE);
	prompts_free(evidence->prompts);
	g_free(evidence);
}

static struct device *get_device(struct evidence *evidence, int64_t dev)
{
	struct device device = {
		.dev = dev, .first_id = UNKNOWN, .last_id = UNKNOWN, .told_ns = UNKNOWN,
	};

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
	line->busy_id = line->busy_ns = line->free_ns = UNKNOWN;
	g_ptr_array_add(evidence->lines, line);
	return line;
}

/* After a marked loss, a workload without queue event may have been queued in it. */
static struct life *new_life(struct evidence *evidence, const struct event *event)
{
	struct line *line = get_line(evidence, &event->workload);
	struct life *life = g_new(struct life, 1);

	*life = (struct life) {
		.dev = event->workload.dev, .id = event->workload.workload_id, .status = UNKNOWN,
		.overtaken_ns = UNKNOWN, .free_ns = UNKNOWN,
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

	if (evidence->missing->len < MISSING_MAX &&
	    silences_doubt(evidence->silences, missing.from_ns, missing.to_ns))
		g_array_append_val(evidence->missing, missing);
}

/* index of an id in @skipped; its length if not found */
static unsigned int find_skipped(const struct evidence *evidence, int64_t dev, int64_t id)
{
	const GArray *skipped = evidence->skipped;
	unsigned int nr = skipped->len;

	while (nr-- > 0) {
		const struct skipped *one = &g_array_index(skipped, struct skipped, nr);

		if (one->dev == dev && one->id == id)
			return nr;
	}
	return skipped->len;
}

/* The kernel assigns consecutive numbers. */
static void note_skipped(struct evidence *evidence, const struct device *device,
			 const struct event *event)
{
	uint64_t count = (uint64_t)event->workload.workload_id - (uint64_t)device->last_id - 1;
	struct skipped skipped = { device->dev, device->last_id, device->last_ns, event->ts_ns };

	if (device->last_gaps != evidence->all_gaps || evidence->gaps)
		return;
	/* a CPU without any event does not distinguish a filter from a loss */
	if (!silences_any(evidence->silences->ends, skipped.from_ns, skipped.to_ns)) {
		evidence->skipped_elsewhere += count;
		return;
	}
	for (; count-- && evidence->skipped->len < MISSING_MAX; ) {
		skipped.id++;
		g_array_append_val(evidence->skipped, skipped);
	}
}

/* Due to clock skew, it comes after a workload that was queued later. */
static void note_behind(struct evidence *evidence, int64_t dev, int64_t id)
{
	unsigned int nr = find_skipped(evidence, dev, id);

	if (nr < evidence->skipped->len)
		g_array_remove_index(evidence->skipped, nr);
	else if (evidence->skipped_elsewhere)
		evidence->skipped_elsewhere--;
}

static void note_number(struct evidence *evidence, struct device *device,
			const struct event *event)
{
	int64_t id = event->workload.workload_id;

	if (known(device->last_id) && id <= device->last_id) {
		note_behind(evidence, device->dev, id);
		return;
	}
	if (known(device->last_id))
		note_skipped(evidence, device, event);
	device->last_id = id;
	device->last_ns = event->ts_ns;
	device->last_gaps = evidence->all_gaps;
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

/* the last traced queueing of a lower id: ids grow in the order of queueing */
static int64_t queued_after(const struct evidence *evidence, const struct life *life)
{
	int64_t ts_ns = INT64_MIN;
	unsigned int count = MIN(evidence->nr_queued, QUEUED_KEPT);

	for (unsigned int nr = 0; nr < count; nr++)
		if (evidence->queued[nr].dev == life->dev && evidence->queued[nr].id < life->id)
			ts_ns = MAX(ts_ns, evidence->queued[nr].ts_ns);
	return ts_ns;
}

/*
 * Ids below the first traced one were queued before the trace, but work not in the kernel's first
 * report was queued after it.
 */
static void judge_queueing(struct evidence *evidence, const struct life *life)
{
	const struct device *device = get_device(evidence, life->dev);
	int64_t first_ns = first_seen(life);

	if (first_ns == INT64_MAX)
		return;
	/* being skipped is already counted, and gives the time more exactly */
	if (find_skipped(evidence, life->dev, life->id) < evidence->skipped->len)
		return;
	if (known(device->first_id) && life->id > device->first_id)
		miss(evidence, EVENT_WORKLOAD_QUEUE, queued_after(evidence, life), first_ns);
	else if (device->tells && known(device->told_ns) && !life->told &&
		 first_ns - device->told_ns > LATE_NS)
		miss(evidence, EVENT_WORKLOAD_QUEUE, device->told_ns, first_ns);
}

/* @step is missing if an earlier one, or its queueing in the trace, and a later one are known */
static void judge_step(struct evidence *evidence, const struct life *life, enum event_id step)
{
	int64_t from_ns = step == EVENT_WORKLOAD_SUBMIT ? life->free_ns : UNKNOWN;
	int64_t to_ns = INT64_MAX;

	for (int before = EVENT_WORKLOAD_QUEUE; before < (int)step; before++)
		from_ns = MAX(from_ns, life->seen_ns[before]);
	for (int after = step + 1; after <= EVENT_WORKLOAD_COMPLETE; after++)
		if (known(life->seen_ns[after]))
			to_ns = MIN(to_ns, life->seen_ns[after]);
	if (known(from_ns) && to_ns != INT64_MAX)
		miss(evidence, step, MIN(from_ns, to_ns), MAX(from_ns, to_ns));
}

/* Failures may occur at any step. */
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
 * A queue is served in order, one at a time: the workload that is with i915 shows that earlier
 * ones are over, if no more events of these follow.
 */
static void overtake(struct line *line, const struct event *by)
{
	struct life *life;

	while ((life = g_queue_peek_head(&line->lives)) && life->id < by->workload.workload_id) {
		/* its end may come from a CPU whose clock is behind */
		if (!life->judged && !is_over(life) && difference(by->ts_ns, last_seen(life)) <= LATE_NS) {
			life->overtaken_ns = by->ts_ns;
			return;
		}
		g_queue_pop_head(&line->lives);
		life->overtaken_ns = by->ts_ns;
		put_back(life);
	}
}

/* A vGPU has at most one workload per engine with i915. */
static void take_engine(struct line *line, struct life *life, const struct event *event)
{
	if (line->busy_id != life->id)
		line->free_ns = line->busy_ns;
	line->busy_id = life->id;
	line->busy_ns = event->ts_ns;
	if (event->id != EVENT_WORKLOAD_COMPLETE && !known(life->free_ns))
		life->free_ns = line->free_ns;
}

static void note_queue(struct evidence *evidence, const struct event *event)
{
	struct device *device = get_device(evidence, event->workload.dev);
	unsigned int place = evidence->nr_queued++ % QUEUED_KEPT;

	for (; device->submitted > BACKLOG_MAX; device->submitted--)
		miss(evidence, EVENT_WORKLOAD_QUEUE, evidence->start_ns, event->ts_ns);
	device->submitted = 0;
	note_number(evidence, device, event);
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
	if (event->id < EVENT_WORKLOAD_SUBMIT || event->id > EVENT_WORKLOAD_COMPLETE)
		return;
	if (event->id == EVENT_WORKLOAD_SUBMIT) {
		struct device *device = get_device(evidence, event->workload.dev);

		device->submitted += !known(device->first_id);
	}
	line = get_line(evidence, &event->workload);
	if (!line)
		return;
	take_engine(line, life, event);
	if (event->id != EVENT_WORKLOAD_COMPLETE)
		overtake(line, event);
}

static void note_told(struct evidence *evidence, const struct event *event)
{
	struct life *life = get_life(evidence, event);

	get_device(evidence, event->workload.dev)->tells = true;
	if (life)
		life->told = true;
}

static int64_t queue_time(const struct evidence *evidence, const struct event *event)
{
	struct life key = { .dev = event->workload.dev, .id = event->workload.workload_id };
	const struct life *life;

	if (event->id != EVENT_WORKLOAD_SUBMIT)
		return UNKNOWN;
	life = g_hash_table_lookup(evidence->lives, &key);
	return life ? life->seen_ns[EVENT_WORKLOAD_QUEUE] : UNKNOWN;
}

void evidence_event(struct evidence *evidence, const struct event *event)
{
	if (PROMPT_EVENTS & EVENT_BIT(event->id))
		prompts_event(evidence->prompts, event, queue_time(evidence, event));
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
	prompts_lost(evidence->prompts);
	evidence->gaps += begins ? 1 : -1;
	evidence->all_gaps += begins;
	evidence->had_gap = true;
}

/* a host thread traces a completion at most this late */
#define COMPLETE_NS	(5 * NSEC_PER_MSEC)

/* Skipped ids that never had any event. */
static void judge_skipped(struct evidence *evidence)
{
	if (evidence->skipped_elsewhere > FILTERED_MIN)
		return;
	for (unsigned int nr = 0; nr < evidence->skipped->len; nr++) {
		const struct skipped *skipped = &g_array_index(evidence->skipped, struct skipped, nr);

		miss(evidence, EVENT_WORKLOAD_QUEUE, skipped->from_ns, skipped->to_ns);
	}
}

/* the next step whose event is recorded */
static enum event_id next_step(const struct evidence *evidence, const struct life *life)
{
	enum event_id step = EVENT_WORKLOAD_COMPLETE;

	while (step > EVENT_WORKLOAD_QUEUE && !known(life->seen_ns[step - 1]))
		step--;
	while (step < EVENT_WORKLOAD_COMPLETE && !(evidence->kinds & EVENT_BIT(step)))
		step++;
	return step;
}

/* Its end is missing if its successor has reached i915, or COMPLETE_NS have passed. */
static void judge_end(struct evidence *evidence, const struct life *life, int64_t end_ns)
{
	int64_t stop_ns = life->seen_ns[EVENT_WORKLOAD_STOP];

	if (known(life->overtaken_ns) && last_seen(life) < life->overtaken_ns)
		miss(evidence, next_step(evidence, life), last_seen(life), life->overtaken_ns);
	else if (life->finished && end_ns - stop_ns > COMPLETE_NS)
		miss(evidence, EVENT_WORKLOAD_COMPLETE, stop_ns, end_ns);
}

void evidence_end(struct evidence *evidence, int64_t end_ns, bool goes_on)
{
	GHashTableIter iter;
	struct life *life;

	g_hash_table_iter_init(&iter, evidence->lives);
	while (g_hash_table_iter_next(&iter, (void **)&life, NULL)) {
		/* missing events may still come from a CPU whose clock is ahead */
		if (life->excused || (goes_on && difference(end_ns, last_seen(life)) <= LATE_NS))
			continue;
		judge_steps(evidence, life);
		if (!is_over(life))
			judge_end(evidence, life, end_ns);
	}
	judge_skipped(evidence);
}

bool evidence_missed(const struct evidence *evidence, const struct silence *silence)
{
	unsigned int count = prompts_missed(evidence->prompts, silence);

	for (unsigned int nr = 0; nr < evidence->missing->len; nr++) {
		const struct missing *missing = &g_array_index(evidence->missing, struct missing, nr);

		count += evidence->kinds & EVENT_BIT(missing->step) &&
			 silence_holds(silence, missing->from_ns, missing->to_ns);
	}
	return count > CHANCE_MAX;
}
