// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <kbuffer.h>
#include <tracefs.h>

#include "host/counters.h"
#include "host/datwrite.h"
#include "host/preset.h"
#include "model/model.h"
#include "trace/util.h"
#include "tracing.h"
#include "live.h"

#define BUFFER_KB	4096
#define CLOCK		"mono"
#define FORMATS		"tracefs"	/* origin of event formats, for messages */

/* one queue, or all of one vGPU */
struct account {
	int depth;			/* workloads that wait now */
	int depth_max;
	int64_t depth_since_ns;
	double depth_ns;		/* depth integrated over time */
	int running;			/* number of engines that execute now */
	int64_t running_since_ns;
	int64_t exec_ns;
	int64_t done;
	int64_t completed;		/* part of @done with known latency */
	int64_t latency_ns;
	int64_t latency_max_ns;
	int64_t parts_ns[PARTS];
	struct live_row row;		/* of the last interval */
};

/* an event that waits until earlier ones have been read */
struct waiting_event {
	struct event event;
	uint64_t order;
	bool after_gap;			/* events were lost before it */
};

struct live {
	struct tracing *tracing;
	struct tep_handle *tep;
	struct event_map *map;
	struct model *model;
	struct kbuffer *kbuf;
	uint8_t *page;
	size_t page_size;
	GArray *events;			/* struct waiting_event */
	uint64_t order;
	uint64_t lost;
	bool gap;			/* events were lost in this interval */
	int64_t from_ns;		/* begin of the interval */
	GHashTable *queues;		/* struct vgpu_engine -> struct account */
	GHashTable *vgpus;		/* struct vgpu -> struct account */
};

static struct account *get_account(const struct live *live, GHashTable *table, const void *key)
{
	struct account *account = g_hash_table_lookup(table, key);

	if (account)
		return account;
	account = g_new0(struct account, 1);
	account->depth_since_ns = live->from_ns;
	account->row = live_row_of(NULL, NULL, 0, NULL);
	g_hash_table_insert(table, (void *)key, account);
	return account;
}

/* the accounts of a workload: of its queue, and of its vGPU */
struct pair {
	struct account *account[2];
};

static struct pair accounts_of(const struct live *live, const struct vgpu_engine *queue)
{
	return (struct pair) { {
		get_account(live, live->queues, queue),
		get_account(live, live->vgpus, queue->vgpu),
	} };
}

static void change_depth(struct account *account, int64_t ts_ns, int delta)
{
	account->depth_ns += (double)account->depth * MAX(ts_ns - account->depth_since_ns, 0);
	account->depth_since_ns = MAX(account->depth_since_ns, ts_ns);
	account->depth = MAX(account->depth + delta, 0);
	account->depth_max = MAX(account->depth_max, account->depth);
}

static void on_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct pair pair = accounts_of(ctx, w->queue);

	for (int nr = 0; nr < 2; nr++)
		change_depth(pair.account[nr], known(ts_ns) ? ts_ns : 0, delta);
}

static void change_running(struct account *account, int64_t ts_ns, int delta)
{
	if (account->running)
		account->exec_ns += MAX(ts_ns - account->running_since_ns, 0);
	account->running_since_ns = ts_ns;
	account->running = MAX(account->running + delta, 0);
}

/* The model reports pieces at their end; executions in progress need the start. */
static void on_started(struct live *live, const struct event *event)
{
	const struct workload_event *told = &event->workload;
	const GPtrArray *queues = model_vgpu_engines(live->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct pair pair;

		if (queue->vgpu->id != told->vgpu_id || queue->vgpu->dev != told->dev ||
		    queue->engine->class != told->class ||
		    queue->engine->instance != told->instance)
			continue;
		pair = accounts_of(live, queue);
		for (int side = 0; side < 2; side++)
			change_running(pair.account[side], event->ts_ns, 1);
	}
}

/* a piece that began before tracing executed at least since then */
static void on_piece(void *ctx, const struct piece *piece)
{
	struct live *live = ctx;
	struct pair pair = accounts_of(live, piece->workload->queue);

	for (int nr = 0; known(piece->stop_ns) && nr < 2; nr++) {
		struct account *account = pair.account[nr];

		if (!known(piece->start_ns) && piece->from_before && !account->running)
			account->exec_ns += MAX(piece->stop_ns - live->from_ns, 0);
		change_running(account, piece->stop_ns, -1);
	}
}

static void add_latency(struct account *account, const struct workload *w)
{
	int64_t latency_ns = workload_turnaround(w), parts[PARTS];

	account->done++;
	if (!known(latency_ns) || w->tainted)
		return;
	account->completed++;
	account->latency_ns += latency_ns;
	account->latency_max_ns = MAX(account->latency_max_ns, latency_ns);
	if (!workload_split(w, parts))
		return;
	for (int part = 0; part < PARTS; part++)
		account->parts_ns[part] += parts[part];
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct pair pair = accounts_of(ctx, w->queue);

	for (int nr = 0; nr < 2 && (w->completed || w->cancelled); nr++)
		add_latency(pair.account[nr], w);
}

static void begin(struct live *live)
{
	const struct model_listener listener = {
		.waiting = on_waiting, .piece = on_piece, .ended = on_ended, .ctx = live,
	};

	live->model = model_new();
	model_listen(live->model, &listener);
	live->queues = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	live->vgpus = g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

static void end(struct live *live)
{
	g_hash_table_destroy(live->vgpus);
	g_hash_table_destroy(live->queues);
	model_free(live->model);
}

static struct event_map *open_formats(struct live *live, const char *directory)
{
	static const char *const systems[] = { "gvt", NULL };

	live->tep = tracefs_local_events_system(directory, systems);
	if (!live->tep)
		fatal("%s: cannot read the formats of the gvt events", directory);
	return event_map_new(live->tep, FORMATS, MODEL_EVENTS);
}

/* excludes the preset's events about page tables and driver objects, which are not shown */
static GPtrArray *choose_events(const char *directory)
{
	GPtrArray *events = preset_events(directory, PRESET_DEFAULT, NULL);

	for (unsigned int nr = events->len; nr-- > 0; ) {
		const struct preset_event *event = events->pdata[nr];

		if (!g_str_has_prefix(event->event, "gvt_"))
			g_ptr_array_remove_index(events, nr);
	}
	return events;
}

struct live *live_open(const char *sysroot)
{
	struct live *live = g_new0(struct live, 1);
	char *directory = tracing_directory(sysroot);
	GPtrArray *events = choose_events(directory);

	live->map = open_formats(live, directory);
	begin(live);
	live->page_size = datwrite_page_size(directory);
	live->page = g_malloc(live->page_size);
	live->kbuf = kbuffer_alloc(sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				   tep_is_local_bigendian(live->tep) ? KBUFFER_ENDIAN_BIG :
				   KBUFFER_ENDIAN_LITTLE);
	live->events = g_array_new(FALSE, FALSE, sizeof(struct waiting_event));
	live->tracing = tracing_open(directory, events, CLOCK, BUFFER_KB);
	live->from_ns = clock_ns(CLOCK_MONOTONIC);
	tracing_on(live->tracing, true);
	g_ptr_array_free(events, TRUE);
	g_free(directory);
	return live;
}

void live_close(struct live *live)
{
	tracing_close(live->tracing);
	end(live);
	g_array_free(live->events, TRUE);
	kbuffer_free(live->kbuf);
	event_map_free(live->map);
	tep_free(live->tep);
	g_free(live->page);
	g_free(live);
}

/* Copies texts, as the page is reused before the event is delivered; few events have texts. */
static void keep_texts(struct event *event)
{
	if (event->id == EVENT_VGPU_INFO) {
		event->vgpu_info.type = g_intern_string(event->vgpu_info.type);
		event->vgpu_info.uuid = g_intern_string(event->vgpu_info.uuid);
	} else if (event->id == EVENT_SCHED_INFO) {
		event->sched_info.policy = g_intern_string(event->sched_info.policy);
		event->sched_info.dispatch = g_intern_string(event->sched_info.dispatch);
	} else if (event->id == EVENT_SCHED_SETTING) {
		event->setting.setting = g_intern_string(event->setting.setting);
		event->setting.old_value = g_intern_string(event->setting.old_value);
		event->setting.new_value = g_intern_string(event->setting.new_value);
	}
}

static void take_record(struct live *live, int cpu, void *data, unsigned long long ts, int lost)
{
	struct tep_record record = {
		.data = data, .size = kbuffer_event_size(live->kbuf), .cpu = cpu, .ts = ts,
	};
	struct waiting_event waiting = { .order = live->order++, .after_gap = lost };
	const struct event *event;

	if (lost)
		live->lost += lost > 0 ? lost : 1;
	event = event_map_decode(live->map, &record);
	if (!event)
		return;
	waiting.event = *event;
	waiting.event.ts_ns = ts;
	keep_texts(&waiting.event);
	g_array_append_val(live->events, waiting);
}

static void take_page(struct live *live, int cpu)
{
	unsigned long long ts;
	void *data;
	int lost;

	kbuffer_load_subbuffer(live->kbuf, live->page);
	lost = kbuffer_missed_events(live->kbuf);
	for (data = kbuffer_read_event(live->kbuf, &ts); data;
	     data = kbuffer_next_event(live->kbuf, &ts)) {
		take_record(live, cpu, data, ts, lost);
		lost = 0;
	}
}

static void read_buffers(struct live *live)
{
	int cpus;
	const int *buffers = tracing_buffers(live->tracing, &cpus);

	for (int cpu = 0; cpu < cpus; cpu++)
		while (buffers[cpu] >= 0 &&
		       read(buffers[cpu], live->page, live->page_size) > 0)
			take_page(live, cpu);
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
	const struct waiting_event *one = a, *two = b;

	if (one->event.ts_ns != two->event.ts_ns)
		return one->event.ts_ns < two->event.ts_ns ? -1 : 1;
	return (one->order > two->order) - (one->order < two->order);
}

/*
 * Restarts the model after a gap: workloads whose end was lost would otherwise accumulate without
 * limit.
 */
static void deliver(struct live *live, const struct waiting_event *waiting)
{
	if (waiting->after_gap) {
		live->gap = true;
		end(live);
		begin(live);
	}
	model_event(live->model, &waiting->event);
	if (waiting->event.id == EVENT_WORKLOAD_START)
		on_started(live, &waiting->event);
}

/* Keeps events after @to_ns: earlier events of other CPUs may not have been read yet. */
static void deliver_until(struct live *live, int64_t to_ns)
{
	unsigned int nr;

	g_array_sort(live->events, compare_events);
	for (nr = 0; nr < live->events->len; nr++) {
		const struct waiting_event *waiting =
			&g_array_index(live->events, struct waiting_event, nr);

		if (waiting->event.ts_ns > to_ns)
			break;
		deliver(live, waiting);
	}
	g_array_remove_range(live->events, 0, nr);
}

static const char *largest_part(const struct account *account)
{
	int largest = 0;

	for (int part = 1; part < PARTS; part++)
		if (account->parts_ns[part] > account->parts_ns[largest])
			largest = part;
	return account->parts_ns[largest] ? latency_part_name(largest) : NULL;
}

/* splits waits and executions in progress at the end of the interval */
static void close_interval(const struct live *live, struct account *account, int64_t to_ns)
{
	double length = to_ns - live->from_ns;

	change_depth(account, to_ns, 0);
	change_running(account, to_ns, 0);
	account->row = (struct live_row) {
		.exec_percent = 100 * account->exec_ns / length,
		.done_per_second = account->done * NSEC_PER_SEC / length,
		.queue_mean = account->depth_ns / length,
		.queue_max = account->depth_max,
		.latency_mean_ns = account->completed ?
				   (double)account->latency_ns / account->completed : NAN,
		.latency_max_ns = account->completed ? account->latency_max_ns : UNKNOWN,
		.mostly = largest_part(account),
	};
	*account = (struct account) {
		.depth = account->depth, .depth_max = account->depth, .depth_since_ns = to_ns,
		.running = account->running, .running_since_ns = to_ns,
		.row = live->gap ? live_row_of(NULL, NULL, 0, NULL) : account->row,
	};
}

static void close_intervals(const struct live *live, GHashTable *table, int64_t to_ns)
{
	GHashTableIter iter;
	void *account;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, NULL, &account))
		close_interval(live, account, to_ns);
}

void live_read(struct live *live)
{
	int64_t to_ns = clock_ns(CLOCK_MONOTONIC);

	live->gap = false;
	read_buffers(live);
	deliver_until(live, to_ns);
	close_intervals(live, live->queues, to_ns);
	close_intervals(live, live->vgpus, to_ns);
	live->from_ns = to_ns;
}

/* A vGPU's UUID may be missing at first, as UUIDs are traced only once per second. */
static bool may_be(const struct vgpu *vgpu, const char *uuid, int64_t id)
{
	return vgpu->id == id &&
	       (!uuid || !vgpu->uuid || !g_ascii_strcasecmp(uuid, vgpu->uuid));
}

/* the vGPU with this id; NULL: none; @certain: false if there are several */
static const struct vgpu *find_vgpu(const struct live *live, const char *uuid, int64_t id,
				    bool *certain)
{
	const GPtrArray *vgpus = model_vgpus(live->model);
	const struct vgpu *found = NULL;

	*certain = true;
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		if (!may_be(vgpu, uuid, id))
			continue;
		if (found)
			*certain = false;
		found = vgpu;
	}
	return found;
}

static const struct account *find_account(const struct live *live, const struct vgpu *vgpu,
					  const char *engine)
{
	const GPtrArray *queues = vgpu->gpu->queues;

	if (!engine)
		return g_hash_table_lookup(live->vgpus, vgpu);
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == vgpu && !strcmp(queue->engine->name, engine))
			return g_hash_table_lookup(live->queues, queue);
	}
	return NULL;
}

/* A vGPU or engine without work since tracing began is idle. */
struct live_row live_row_of(const struct live *live, const char *uuid, int64_t vgpu_id,
			    const char *engine)
{
	static const struct live_row unknown = {
		NAN, NAN, NAN, UNKNOWN, NAN, UNKNOWN, NULL
	};
	static const struct live_row idle = { .latency_mean_ns = NAN, .latency_max_ns = UNKNOWN };
	const struct account *account;
	const struct vgpu *vgpu;
	bool certain;

	if (!live)
		return unknown;
	vgpu = find_vgpu(live, uuid, vgpu_id, &certain);
	if (!certain)
		return unknown;
	account = vgpu ? find_account(live, vgpu, engine) : NULL;
	if (!account)
		return live->gap ? unknown : idle;
	return account->row;
}

uint64_t live_lost(const struct live *live)
{
	return live->lost;
}
