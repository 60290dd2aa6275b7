// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "model/inside.h"
#include "trace/inside.h"
#include "trace/util.h"
#include "follow-private.h"

/* The kernel reports queued work once per second, and for the first time much sooner. */
#define TOLD_AFTER_NS	(3 * NSEC_PER_SEC / 2)
/* limit of clock skew: the first workload's submission may precede its queueing */
#define IDS_AFTER_NS	(2 * NSEC_PER_MSEC)

/* the kernel reads its own clock and the trace's one after the other */
#define EXEC_SLACK_NS	2000
/* nor is the age of queued work exact to the nanosecond */
#define AGE_SLACK_NS	2000

/* damaged traces may contain any number */
#define OLDER_MAX	65536

struct older {
	struct event first;		/* first event of the workload */
	int64_t queue_ns;		/* or UNKNOWN */
	int64_t exec_ns;		/* execution before @first, or UNKNOWN */
	int64_t since_ns;		/* running since then; UNKNOWN: not running */
	int64_t ran_ns;			/* traced execution before that */
};

struct first_id {
	int64_t dev;
	int64_t id;			/* UNKNOWN: none was queued */
	bool told;			/* all its queued work was reported */
	struct event info;		/* gvt_sched_info, owns its strings */
};

/* damaged traces may contain any engines */
#define HOSTS_MAX	256

struct prologue {
	GArray *hosts;			/* struct event: the first gvt_host_* of each engine */
	GArray *older;			/* struct older */
	GHashTable *index;		/* struct workload_key -> place in @older + 1 */
	GArray *ids;			/* struct first_id */
	const struct reader *opened;	/* the trace */
	struct reader *reader;		/* its reader, at the position reached; or NULL */
	const struct trace_info *trace;	/* of @reader */
	int64_t until_ns;		/* queue events are read up to here; INT64_MAX: all */
	int64_t workload_ns;		/* of the first event of any workload */
	int64_t told_ns;		/* last completion of a GPU's report; UNKNOWN */
	bool told;			/* the kernel reports queued work */
	bool lost;			/* events may have been lost */
	bool all;
};

static struct first_id *get_id(struct prologue *prologue, int64_t dev)
{
	struct first_id first = { .dev = dev, .id = UNKNOWN };

	for (unsigned int nr = 0; nr < prologue->ids->len; nr++)
		if (g_array_index(prologue->ids, struct first_id, nr).dev == dev)
			return &g_array_index(prologue->ids, struct first_id, nr);
	g_array_append_val(prologue->ids, first);
	return &g_array_index(prologue->ids, struct first_id, prologue->ids->len - 1);
}

static void note_queue(struct prologue *prologue, const struct event *event)
{
	struct first_id *first = get_id(prologue, event->workload.dev);

	if (!known(first->id) || event->workload.workload_id < first->id)
		first->id = event->workload.workload_id;
}

static struct older *get_older(struct prologue *prologue, const struct event *event)
{
	struct workload_key key = { event->workload.dev, event->workload.workload_id };
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(prologue->index, &key));
	struct older older = { *event, UNKNOWN, UNKNOWN, UNKNOWN, 0 };

	if (!place) {
		g_array_append_val(prologue->older, older);
		place = prologue->older->len;
		g_hash_table_insert(prologue->index, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(place));
	}
	return &g_array_index(prologue->older, struct older, place - 1);
}

static void note_on_engine(struct older *older, const struct event *event)
{
	if (event->id != EVENT_WORKLOAD_START && event->id != EVENT_WORKLOAD_STOP)
		return;
	if (known(older->since_ns))
		older->ran_ns += event->ts_ns - older->since_ns;
	older->since_ns = event->id == EVENT_WORKLOAD_START ? event->ts_ns : UNKNOWN;
}

static int64_t seen_on_engine(const struct older *older, int64_t ts_ns)
{
	return older->ran_ns + (known(older->since_ns) ? ts_ns - older->since_ns : 0);
}

static void note_workload(struct prologue *prologue, const struct event *event)
{
	const struct first_id *first = get_id(prologue, event->workload.dev);
	bool older = !known(first->id) || event->workload.workload_id < first->id;
	struct older *found;

	if (!older || prologue->older->len == OLDER_MAX)
		return;
	/* its queue event may be lost */
	if (prologue->lost && event->id != EVENT_WORKLOAD_STATE)
		return;
	found = get_older(prologue, event);
	note_on_engine(found, event);
	if (event->id != EVENT_WORKLOAD_STATE || !known(event->workload.age_ns))
		return;
	found->queue_ns = event->ts_ns - event->workload.age_ns;
	if (found->first.id == EVENT_WORKLOAD_START)
		found->exec_ns = event->workload.exec_ns - seen_on_engine(found, event->ts_ns);
}

static void note_info(struct prologue *prologue, const struct event *event)
{
	struct first_id *first = get_id(prologue, event->sched_info.dev);

	if (first->told)
		return;
	first->told = true;
	prologue->told_ns = event->ts_ns;
	first->info = *event;
	first->info.sched_info.policy = g_strdup(event->sched_info.policy);
	first->info.sched_info.dispatch = g_strdup(event->sched_info.dispatch);
}

static void free_info(void *data)
{
	struct first_id *first = data;

	g_free((char *)first->info.sched_info.policy);
	g_free((char *)first->info.sched_info.dispatch);
}

static void note_host(struct prologue *prologue, const struct event *event)
{
	const struct host_event *told = &event->host;

	if (prologue->lost || prologue->hosts->len == HOSTS_MAX)
		return;
	for (unsigned int nr = 0; nr < prologue->hosts->len; nr++) {
		const struct host_event *first = &g_array_index(prologue->hosts, struct event, nr).host;

		if (first->class == told->class && first->instance == told->instance &&
		    first->dev == told->dev)
			return;
	}
	g_array_append_val(prologue->hosts, *event);
}

static void on_event(void *ctx, const struct event *event)
{
	struct prologue *prologue = ctx;

	if (event->id == EVENT_SCHED_INFO) {
		note_info(prologue, event);
		return;
	}
	if (EVENT_BIT(event->id) & HOST_EVENTS) {
		note_host(prologue, event);
		return;
	}
	if (!known(prologue->workload_ns))
		prologue->workload_ns = event->ts_ns;
	if (event->id == EVENT_WORKLOAD_QUEUE)
		note_queue(prologue, event);
	else
		note_workload(prologue, event);
}

static void on_gap(void *ctx, int64_t ts_ns, event_set events)
{
	struct prologue *prologue = ctx;

	(void)ts_ns;
	prologue->lost |= events & EVENT_BIT(EVENT_WORKLOAD_QUEUE);
}

static bool all_told(const struct prologue *prologue)
{
	for (unsigned int nr = 0; nr < prologue->ids->len; nr++)
		if (!g_array_index(prologue->ids, struct first_id, nr).told)
			return false;
	return prologue->ids->len;
}

static bool enough(void *ctx)
{
	const struct prologue *prologue = ctx;
	int64_t now_ns = prologue->trace->end_ns;
	/* reports of another, still unseen GPU come at nearly the same time */
	int64_t from_ns = MAX(prologue->workload_ns, prologue->told_ns);

	if (prologue->told && !all_told(prologue))
		return now_ns - prologue->trace->start_ns > TOLD_AFTER_NS;
	if (prologue->all && !prologue->told)
		return false;
	return now_ns - (known(from_ns) ? from_ns : prologue->trace->start_ns) > IDS_AFTER_NS;
}

/* Opened on demand, as its buffers are expensive. */
static void open_reader(struct prologue *prologue, event_set events)
{
	const struct reader_options look = { .events = events, .any_events = true };

	prologue->reader = reader_again(prologue->opened, &look);
	prologue->trace = reader_info(prologue->reader);
}

static void close_reader(struct prologue *prologue)
{
	prologue->trace = NULL;
	g_clear_pointer(&prologue->reader, reader_close);
}

struct prologue *prologue_new(const struct reader *opened, bool all)
{
	static const struct reader_ops ops = {
		.event = on_event, .gap_begin = on_gap, .enough = enough,
	};
	struct prologue *prologue = g_new0(struct prologue, 1);

	*prologue = (struct prologue) {
		.hosts = g_array_new(FALSE, FALSE, sizeof(struct event)),
		.older = g_array_new(FALSE, FALSE, sizeof(struct older)),
		.index = g_hash_table_new_full(workload_key_hash, workload_key_equal, g_free, NULL),
		.ids = g_array_new(FALSE, FALSE, sizeof(struct first_id)),
		.opened = opened, .workload_ns = UNKNOWN, .told_ns = UNKNOWN, .all = all,
		.told = reader_info(opened)->described[EVENT_WORKLOAD_STATE],
	};
	g_array_set_clear_func(prologue->ids, free_info);
	open_reader(prologue, EVENT_BIT(EVENT_WORKLOAD_STATE) | EVENT_BIT(EVENT_SCHED_INFO) |
			      HOST_EVENTS | (EVENT_BIT(EVENT_WORKLOAD_CANCEL + 1) - 1));
	reader_run(prologue->reader, &ops, prologue);
	prologue->until_ns = enough(prologue) && prologue->trace->described[EVENT_WORKLOAD_QUEUE] ?
			     prologue->trace->end_ns : INT64_MAX;
	close_reader(prologue);
	return prologue;
}

static void on_late_queue(void *ctx, const struct event *event)
{
	note_queue(ctx, event);
}

static bool late_enough(void *ctx)
{
	const struct prologue *prologue = ctx;

	return prologue->trace->end_ns > prologue->until_ns;
}

int64_t prologue_first_id(struct prologue *prologue, int64_t dev, int64_t ts_ns)
{
	static const struct reader_ops ops = { .event = on_late_queue, .enough = late_enough };
	int64_t until_ns = MIN(ts_ns, INT64_MAX - IDS_AFTER_NS) + IDS_AFTER_NS;

	if (!known(get_id(prologue, dev)->id) && until_ns > prologue->until_ns) {
		prologue->until_ns = until_ns;
		if (!prologue->reader)
			open_reader(prologue, EVENT_BIT(EVENT_WORKLOAD_QUEUE));
		reader_run(prologue->reader, &ops, prologue);
	}
	return get_id(prologue, dev)->id;
}

void prologue_free(struct prologue *prologue)
{
	if (prologue->reader)
		close_reader(prologue);
	g_array_free(prologue->hosts, TRUE);
	g_array_free(prologue->ids, TRUE);
	g_array_free(prologue->older, TRUE);
	g_hash_table_destroy(prologue->index);
	g_free(prologue);
}

void prologue_ids(const struct prologue *prologue, struct model *model)
{
	for (unsigned int nr = 0; nr < prologue->ids->len; nr++) {
		const struct first_id *first = &g_array_index(prologue->ids, struct first_id, nr);

		if (known(first->id))
			model_first_id(model, first->dev, first->id);
	}
}

static gint compare_older(gconstpointer a, gconstpointer b)
{
	const struct older *oa = a, *ob = b;
	int64_t ia = oa->first.workload.workload_id, ib = ob->first.workload.workload_id;

	return (ia > ib) - (ia < ib);
}

/* Workloads with a higher id were queued in the trace: their queue event is lost or late. */
static bool is_older(struct prologue *prologue, const struct older *older)
{
	int64_t id = prologue_first_id(prologue, older->first.workload.dev, older->first.ts_ns);

	return !known(id) || older->first.workload.workload_id < id;
}

/* Its age shows that its queue event was lost. */
static bool came_later(const struct prologue *prologue, const struct older *older,
		       int64_t start_ns)
{
	return prologue->lost && known(older->queue_ns) && older->queue_ns > start_ns + AGE_SLACK_NS;
}

/* Assume the first reported policy and dispatch mode from the start. */
static void tell_infos(const struct prologue *prologue, struct model *model, int64_t start_ns)
{
	for (unsigned int nr = 0; nr < prologue->ids->len; nr++) {
		struct event info = g_array_index(prologue->ids, struct first_id, nr).info;

		info.ts_ns = start_ns;
		if (info.id == EVENT_SCHED_INFO)
			model_event(model, &info);
	}
}

/* Later reports show whether a workload that starts had run before. */
static struct event at_start(const struct older *older)
{
	struct event event = older->first;

	if (!known(older->exec_ns))
		return event;
	event.id = EVENT_WORKLOAD_STATE;
	event.workload.state = 1;
	event.workload.exec_ns = older->exec_ns > EXEC_SLACK_NS ? older->exec_ns : 0;
	return event;
}

/* Did the host's own work run when the trace began? Its start event is missing then. */
static bool was_on(const struct event *first, int64_t start_ns)
{
	const struct host_event *told = &first->host;

	if (first->id == EVENT_HOST_STOP)
		return !known(told->exec_ns) || told->exec_ns > first->ts_ns - start_ns - EXEC_SLACK_NS;
	return first->id == EVENT_HOST_STATE && told->running;
}

static void tell_hosts(const struct prologue *prologue, struct model *model, int64_t start_ns)
{
	for (unsigned int nr = 0; nr < prologue->hosts->len; nr++) {
		const struct event *first = &g_array_index(prologue->hosts, struct event, nr);
		struct event event = *first;

		event.id = EVENT_HOST_STATE;
		event.ts_ns = start_ns;
		event.host.running = was_on(first, start_ns);
		model_event(model, &event);
	}
}

void prologue_older(struct prologue *prologue, struct model *model, int64_t start_ns)
{
	tell_hosts(prologue, model, start_ns);
	if (!prologue->told && !prologue->all)
		return;
	tell_infos(prologue, model, start_ns);
	g_array_sort(prologue->older, compare_older);
	for (unsigned int nr = 0; nr < prologue->older->len; nr++) {
		const struct older *older = &g_array_index(prologue->older, struct older, nr);

		struct event event = at_start(older);

		if (is_older(prologue, older) && !came_later(prologue, older, start_ns))
			model_older(model, &event, older->queue_ns, start_ns);
	}
}
