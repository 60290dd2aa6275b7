// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "follow/inside.h"
#include "trace/util.h"
#include "blame-host.h"

struct group;

/* a wait for the host's own work */
struct host_wait {
	const struct vgpu *behind;	/* it was the turn of this vGPU; NULL: of the waiting one, or none */
	int64_t from_ns, to_ns;
};

/* maximum number of waits for the host kept per queue: 1.5 MB */
#define HOST_WAITS_MAX	65536

/* how long a queue had work, and the total of its reported waits */
struct presence {
	int64_t count;			/* current number of workloads */
	int64_t since_ns;		/* since when it has work */
	int64_t present_ns;		/* in the past */
	int64_t waited_ns;
	int64_t until_ns;		/* end of reported waits */
	int64_t apart_ns;		/* sum over workloads of time without a reported wait */
	bool late;			/* some first appeared late: reason of wait unknown */
	GArray *host_waits;		/* struct host_wait, chronological; NULL: none */
	int64_t host_min_ns;		/* shorter ones are not kept */
};

struct blame {
	struct follow *follow;
	GPtrArray *rows;		/* struct blame_row */
	GHashTable *groups;		/* struct group: the same, by reason and culprit */
	struct group *last;		/* last group added to */
	GArray *presences;		/* struct presence, by vgpu_engine.index */
	bool sorted;
	void (*tell)(void *ctx, const struct blame_moment *moment);	/* or NULL */
	void *tell_ctx;
	struct blame_moment worst[BLAME_MOMENTS + 1];
};

const char *wait_class_name(enum wait_class class)
{
	static const char *const names[WAIT_CLASSES] = {
		[WAIT_NONE] = "none", [WAIT_UNKNOWN] = "unknown", [WAIT_OTHER] = "other",
		[WAIT_THROTTLED] = "throttled", [WAIT_CAPPED] = "capped",
		[WAIT_SWITCHING] = "switching", [WAIT_HELD] = "held",
		[WAIT_HOST] = "host",
		[WAIT_PREEMPTED] = "preempted", [WAIT_CURRENT] = "own",
	};

	return names[class];
}

/* all rows with one reason and culprit: a switch ends such waits of many queues */
struct group {
	enum wait_class class;
	const struct vgpu *culprit;
	GPtrArray *rows;		/* struct blame_row, by vgpu_engine.index; NULL: none */
};

static guint hash_group(gconstpointer key)
{
	const struct group *group = key;

	return g_direct_hash(group->culprit) + group->class;
}

static gboolean same_group(gconstpointer a, gconstpointer b)
{
	const struct group *ga = a, *gb = b;

	return ga->class == gb->class && ga->culprit == gb->culprit;
}

static void free_group(void *data)
{
	struct group *group = data;

	g_ptr_array_free(group->rows, TRUE);
	g_free(group);
}

static struct group *get_group(struct blame *blame, const struct stretch *stretch)
{
	const struct group like = { stretch->class, stretch->culprit, NULL };
	struct group *group = g_hash_table_lookup(blame->groups, &like);

	if (group)
		return group;
	group = g_new(struct group, 1);
	*group = like;
	group->rows = g_ptr_array_new();
	g_hash_table_add(blame->groups, group);
	return group;
}

static struct blame_row *new_row(struct blame *blame, const struct stretch *stretch)
{
	struct blame_row *row = g_new0(struct blame_row, 1);

	row->queue = stretch->queue;
	row->class = stretch->class;
	row->culprit = stretch->culprit;
	row->worst_at_ns = UNKNOWN;
	g_ptr_array_add(blame->rows, row);
	blame->sorted = false;
	return row;
}

static struct blame_row *get_row(struct blame *blame, const struct stretch *stretch)
{
	struct group *group = blame->last;
	unsigned int index = stretch->queue->index;

	if (!group || group->class != stretch->class || group->culprit != stretch->culprit)
		group = blame->last = get_group(blame, stretch);
	if (index >= group->rows->len)
		g_ptr_array_set_size(group->rows, index + 1);
	if (!group->rows->pdata[index])
		group->rows->pdata[index] = new_row(blame, stretch);
	return group->rows->pdata[index];
}

static struct presence *get_presence(struct blame *blame, const struct vgpu_engine *queue)
{
	if (queue->index >= blame->presences->len)
		g_array_set_size(blame->presences, queue->index + 1);
	return &g_array_index(blame->presences, struct presence, queue->index);
}

static void contradict(struct blame *blame, const struct vgpu_engine *queue, int64_t at_ns)
{
	contradiction_add(blame->follow, &(struct contradiction) {
		.sum = SUM_WAITS, .engine = queue->engine, .vgpu = queue->vgpu, .at_ns = at_ns,
	});
}

/* Queued, unsubmitted work always waits for something, if only for the CPU. */
static void check_told(struct blame *blame, const struct vgpu_engine *queue, int64_t ts_ns)
{
	const struct presence *presence = get_presence(blame, queue);

	if (!presence->late &&
	    presence->present_ns - presence->waited_ns > presence->apart_ns)
		contradict(blame, queue, ts_ns);
}

/*
 * How long a workload that leaves the queue was in it without a reported wait: with
 * i915, or after a preemption that was its end.
 */
static int64_t time_apart(const struct workload *w, int64_t ts_ns)
{
	if (w->phase == PHASE_SUBMITTED)
		return w->phases_ns[PHASE_SUBMITTED] + ts_ns - w->phase_ns;
	if (w->phase == PHASE_PREEMPTED && (w->completed || w->cancelled))
		return ts_ns - w->phase_ns;
	return 0;
}

/* Work found to be from before the trace was in the queue all the time. */
static void on_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct blame *blame = ctx;
	struct presence *presence = get_presence(blame, w->queue);
	int64_t start_ns = blame->follow->trace->start_ns;

	if (!known(ts_ns)) {
		presence->present_ns = 0;
		presence->since_ns = start_ns;
	} else if (!presence->count) {
		check_told(blame, w->queue, ts_ns);
		presence->since_ns = MAX(presence->since_ns, ts_ns);
	}
	if (delta < 0)
		presence->apart_ns += time_apart(w, ts_ns);
	presence->count += delta;
	if (!presence->count && known(ts_ns) && ts_ns > presence->since_ns) {
		presence->present_ns += ts_ns - presence->since_ns;
		presence->since_ns = ts_ns;
	}
}

static void on_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns)
{
	struct blame *blame = ctx;

	(void)phase;
	(void)ts_ns;
	if (!known(w->phase_ns))
		get_presence(blame, w->queue)->late = true;
}

/*
 * Only queued work waits: waits cannot exceed the time with work. Waits uncertain
 * at first are reported late.
 */
static void check_wait(struct blame *blame, const struct stretch *stretch)
{
	struct presence *presence = get_presence(blame, stretch->queue);
	int64_t present_ns = presence->present_ns;

	presence->until_ns = MAX(presence->until_ns, stretch->to_ns);
	presence->waited_ns += stretch->to_ns - stretch->from_ns;
	if (presence->count)
		present_ns += MAX(presence->until_ns - presence->since_ns, 0);
	if (presence->waited_ns > present_ns)
		contradict(blame, stretch->queue, stretch->from_ns);
}

/* the first wait in the array that ends after @from_ns: they end in order */
static unsigned int first_after(const GArray *waits, int64_t from_ns)
{
	unsigned int low = 0, high = waits->len;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (g_array_index(waits, struct host_wait, middle).to_ns <= from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* From now on, only waits of twice the length are kept. */
static void drop_short(struct presence *presence)
{
	GArray *waits = presence->host_waits;
	unsigned int kept = 0;

	presence->host_min_ns = MAX(2 * presence->host_min_ns, NSEC_PER_MSEC / 64);
	for (unsigned int nr = 0; nr < waits->len; nr++) {
		const struct host_wait wait = g_array_index(waits, struct host_wait, nr);

		if (wait.to_ns - wait.from_ns >= presence->host_min_ns)
			g_array_index(waits, struct host_wait, kept++) = wait;
	}
	g_array_set_size(waits, kept);
}

static void keep_host_wait(struct presence *presence, const struct stretch *stretch,
			   const struct blame_moment *moment)
{
	const struct host_wait wait = {
		stretch->behind, moment->from_ns, moment->from_ns + moment->length_ns
	};

	if (moment->length_ns < presence->host_min_ns)
		return;
	if (!presence->host_waits)
		presence->host_waits = g_array_new(FALSE, FALSE, sizeof(wait));
	while (presence->host_waits->len == HOST_WAITS_MAX)
		drop_short(presence);
	/* usually at the end; waits that were uncertain at first are reported late */
	g_array_insert_val(presence->host_waits, first_after(presence->host_waits, wait.from_ns), wait);
}

/* Of equals, the earlier stays first. */
static void note_moment(struct blame *blame, const struct blame_moment *moment)
{
	unsigned int place = BLAME_MOMENTS;

	while (place && blame->worst[place - 1].length_ns < moment->length_ns)
		place--;
	if (place == BLAME_MOMENTS)
		return;
	memmove(&blame->worst[place + 1], &blame->worst[place],
		(BLAME_MOMENTS - 1 - place) * sizeof(*moment));
	blame->worst[place] = *moment;
}

static void on_stretch(void *ctx, const struct stretch *stretch)
{
	struct blame *blame = ctx;
	const struct window *window = &blame->follow->window;
	struct blame_moment moment = {
		.queue = stretch->queue,
		.class = stretch->class,
		.culprit = stretch->culprit,
		.from_ns = MAX(stretch->from_ns, window->from_ns),
	};
	struct blame_row *row;

	check_wait(blame, stretch);
	moment.length_ns = MIN(stretch->to_ns, window->to_ns) - moment.from_ns;
	if (moment.length_ns <= 0)
		return;
	if (blame->tell)
		blame->tell(blame->tell_ctx, &moment);
	row = get_row(blame, stretch);
	row->wait_ns += moment.length_ns;
	row->count++;
	if (moment.length_ns > row->worst_ns) {
		row->worst_ns = moment.length_ns;
		row->worst_at_ns = moment.from_ns;
	}
	if (stretch->class == WAIT_HOST)
		keep_host_wait(get_presence(blame, stretch->queue), stretch, &moment);
	/* usually it is shorter than all that are kept */
	if (moment.length_ns > blame->worst[BLAME_MOMENTS - 1].length_ns &&
	    stretch->class != WAIT_CURRENT && selection_queue(blame->follow->selection, stretch->queue))
		note_moment(blame, &moment);
}

static void clear_presence(void *data)
{
	struct presence *presence = data;

	if (presence->host_waits)
		g_array_free(presence->host_waits, TRUE);
}

struct blame *blame_new(struct follow *follow)
{
	struct blame *blame = g_new0(struct blame, 1);
	struct model_listener listener = {
		.stretch = on_stretch, .waiting = on_waiting, .older = on_older, .ctx = blame,
	};

	blame->follow = follow;
	blame->rows = g_ptr_array_new_with_free_func(g_free);
	blame->presences = g_array_new(FALSE, TRUE, sizeof(struct presence));
	g_array_set_clear_func(blame->presences, clear_presence);
	blame->groups = g_hash_table_new_full(hash_group, same_group, free_group, NULL);
	model_listen(follow->model, &listener);
	return blame;
}

void blame_free(struct blame *blame)
{
	g_hash_table_destroy(blame->groups);
	g_array_free(blame->presences, TRUE);
	g_ptr_array_free(blame->rows, TRUE);
	g_free(blame);
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct blame_row *ra = *(struct blame_row *const *)a;
	const struct blame_row *rb = *(struct blame_row *const *)b;
	const int64_t keys[][2] = {
		{ ra->queue->vgpu->dev, rb->queue->vgpu->dev },
		{ ra->queue->vgpu->id, rb->queue->vgpu->id },
		{ ra->queue->engine->class, rb->queue->engine->class },
		{ ra->queue->engine->instance, rb->queue->engine->instance },
		{ ra->class, rb->class },
		{ ra->culprit ? ra->culprit->id : 0, rb->culprit ? rb->culprit->id : 0 },
	};
	int order = 0;

	for (size_t nr = 0; nr < sizeof(keys) / sizeof(keys[0]) && !order; nr++)
		order = compare(keys[nr][0], keys[nr][1]);
	return order;
}

void blame_tell(struct blame *blame, void (*tell)(void *ctx, const struct blame_moment *moment),
		void *ctx)
{
	blame->tell = tell;
	blame->tell_ctx = ctx;
}

const GPtrArray *blame_rows(struct blame *blame)
{
	if (!blame->sorted)
		g_ptr_array_sort(blame->rows, compare_rows);
	blame->sorted = true;
	return blame->rows;
}

static const GArray *host_waits(const struct blame *blame, const struct vgpu_engine *queue)
{
	if (queue->index >= blame->presences->len)
		return NULL;
	return g_array_index(blame->presences, struct presence, queue->index).host_waits;
}

int64_t blame_host_ns(const struct blame *blame, const struct vgpu_engine *queue, int64_t from_ns,
		      int64_t to_ns)
{
	const GArray *waits = host_waits(blame, queue);
	int64_t sum_ns = 0;

	for (unsigned int nr = waits ? first_after(waits, from_ns) : 0; waits && nr < waits->len; nr++) {
		const struct host_wait *wait = &g_array_index(waits, struct host_wait, nr);

		if (wait->from_ns >= to_ns)
			break;
		if (!wait->behind)
			sum_ns += MIN(wait->to_ns, to_ns) - MAX(wait->from_ns, from_ns);
	}
	return sum_ns;
}

/* the most that any queue of the vGPU waited for the host in the time */
static int64_t most_host_ns(const struct blame *blame, const struct vgpu *vgpu, int64_t from_ns,
			    int64_t to_ns)
{
	const GPtrArray *engines = model_engines(blame->follow->model);
	int64_t most_ns = 0;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		for (unsigned int i = 0; i < engine->queues->len; i++) {
			const struct vgpu_engine *queue = engine->queues->pdata[i];

			if (queue->vgpu == vgpu)
				most_ns = MAX(most_ns, blame_host_ns(blame, queue, from_ns, to_ns));
		}
	}
	return most_ns;
}

int64_t blame_aside_ns(const struct blame *blame, const struct vgpu_engine *queue)
{
	const GArray *waits = host_waits(blame, queue);
	int64_t sum_ns = 0;

	for (unsigned int nr = 0; waits && nr < waits->len; nr++) {
		const struct host_wait *wait = &g_array_index(waits, struct host_wait, nr);

		if (wait->behind)
			sum_ns += wait->to_ns - wait->from_ns -
				  most_host_ns(blame, wait->behind, wait->from_ns, wait->to_ns);
	}
	return sum_ns;
}

const struct blame_moment *blame_worst(const struct blame *blame)
{
	return blame->worst;
}
