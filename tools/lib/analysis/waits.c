// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "waits-private.h"

#define MAX_WORKERS	(1024 * 1024)

/* an engine of a GPU; limits the number of engines in damaged traces */
struct engine_key {
	int64_t dev;
	int64_t class;
	int64_t instance;
};

static guint hash_engine(gconstpointer data)
{
	const struct engine_key *key = data;

	return (g_int64_hash(&key->dev) * 31 + g_int64_hash(&key->class)) * 31 +
	       g_int64_hash(&key->instance);
}

static gboolean is_same_engine(gconstpointer a, gconstpointer b)
{
	const struct engine_key *one = a, *two = b;

	return one->dev == two->dev && one->class == two->class && one->instance == two->instance;
}

static void free_worker(void *data)
{
	struct worker *worker = data;

	g_array_free(worker->row, TRUE);
	g_free(worker);
}

struct waits *waits_new(const struct follow *follow, int64_t workload_id)
{
	struct waits *waits = g_new0(struct waits, 1);

	waits->follow = follow;
	waits->workload = (struct wait_workload) {
		workload_id, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
	};
	waits->workers = g_ptr_array_new_with_free_func(free_worker);
	waits->rows = g_ptr_array_new();
	waits->threads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	waits->engines = g_hash_table_new_full(hash_engine, is_same_engine, g_free, NULL);
	waits->tid = UNKNOWN;
	waits->enough = MAX_INTERVALS;
	return waits;
}

void waits_free(struct waits *waits)
{
	g_hash_table_destroy(waits->engines);
	g_hash_table_destroy(waits->threads);
	g_ptr_array_free(waits->rows, TRUE);
	g_ptr_array_free(waits->workers, TRUE);
	g_free(waits);
}

static struct worker *add_worker(struct waits *waits, int64_t tid)
{
	struct worker *worker;

	if (waits->workers->len == MAX_WORKERS)
		fatal("the trace names more than %d threads: it is corrupted; record it again",
		      MAX_WORKERS);
	worker = g_new0(struct worker, 1);
	*worker = (struct worker) {
		.told = { .tid = tid, .dev = UNKNOWN }, .nr = waits->workers->len, .label = PATH_UNKNOWN,
		.since_ns = waits->follow->trace->start_ns, .waker = PATH_NOBODY,
		.submitted.id = UNKNOWN, .engine = PATH_NOBODY, .ended.id = UNKNOWN,
		.unwoken_ns = UNKNOWN, .woken_ns = UNKNOWN, .left = PATH_UNKNOWN,
		.late.id = UNKNOWN, .early.id = UNKNOWN,
		.row = g_array_new(FALSE, FALSE, sizeof(struct path_interval)),
	};
	g_ptr_array_add(waits->workers, worker);
	g_ptr_array_add(waits->rows, worker->row);
	return worker;
}

struct worker *waits_get_thread(struct waits *waits, int64_t tid)
{
	struct worker *worker;

	if (!known(tid) || tid <= 0)
		return NULL;
	worker = g_hash_table_lookup(waits->threads, &tid);
	if (!worker) {
		worker = add_worker(waits, tid);
		g_hash_table_insert(waits->threads, g_memdup2(&tid, sizeof(tid)), worker);
	}
	return worker;
}

struct worker *waits_get_engine(struct waits *waits, const struct workload_event *event)
{
	const struct engine_key key = { event->dev, event->class, event->instance };
	struct worker *engine = g_hash_table_lookup(waits->engines, &key);

	if (engine)
		return engine;
	engine = add_worker(waits, UNKNOWN);
	engine->told.dev = event->dev;
	engine_name(engine->told.name, event->class, event->instance);
	g_hash_table_insert(waits->engines, g_memdup2(&key, sizeof(key)), engine);
	return engine;
}

static void on_turn(struct waits *waits, const struct event *event)
{
	struct worker *worker = waits_get_thread(waits, event->pid);

	if (!worker)
		return;
	worker->schedules = true;
	worker->told.dev = event->sched_switch.dev;
}

static void on_queue(struct waits *waits, const struct event *event)
{
	int64_t dev = event->workload.dev;

	if (event->workload.workload_id != waits->workload.id ||
	    !selection_gpu(waits->follow->selection, model_gpu(waits->follow->model, dev)))
		return;
	if (known(waits->workload.dev) && waits->workload.dev != dev) {
		waits->workload.other_dev = dev;
		return;
	}
	waits->workload.dev = dev;
	waits->workload.queue_ns = event->ts_ns;
	waits->workload.vgpu_id = event->workload.vgpu_id;
}

static void on_event(void *ctx, const struct event *event)
{
	struct waits *waits = ctx;
	static void (*const handlers[EVENT_COUNT])(struct waits *, const struct event *) = {
		[EVENT_WORKLOAD_QUEUE] = on_queue,
		[EVENT_WORKLOAD_SUBMIT] = waits_on_submit,
		[EVENT_WORKLOAD_START] = waits_on_start,
		[EVENT_WORKLOAD_STOP] = waits_on_stop,
		[EVENT_WORKLOAD_COMPLETE] = waits_on_end,
		[EVENT_WORKLOAD_CANCEL] = waits_on_end,
		[EVENT_SCHED_SWITCH] = on_turn,
		[EVENT_TASK_SWITCH] = waits_on_task_switch,
		[EVENT_TASK_WAKING] = waits_on_wakeup,
		[EVENT_TASK_WAKEUP] = waits_on_wakeup,
		[EVENT_KVM_ENTRY] = waits_on_entry,
		[EVENT_KVM_EXIT] = waits_on_exit,
		[EVENT_IRQ_ENTRY] = waits_on_handler,
		[EVENT_IRQ_EXIT] = waits_on_handler,
		[EVENT_SOFTIRQ_ENTRY] = waits_on_handler,
		[EVENT_SOFTIRQ_EXIT] = waits_on_handler,
		[EVENT_HRTIMER_ENTRY] = waits_on_handler,
		[EVENT_HRTIMER_EXIT] = waits_on_handler,
	};

	if (event->cpu < 0 || event->cpu >= MAX_CPUS)
		return;
	waits->nr_cpus = MAX(waits->nr_cpus, event->cpu + 1);
	handlers[event->id](waits, event);
}

/* From here on, the state of workers and CPUs is unknown. */
static void on_lost(void *ctx, int64_t ts_ns)
{
	struct waits *waits = ctx;

	waits->gaps++;
	waits->lossy = true;
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];

		waits_change(waits, worker, ts_ns, PATH_UNKNOWN, 0);
		worker->submitted.id = UNKNOWN;
		worker->late.id = worker->early.id = UNKNOWN;
		worker->unwoken_ns = worker->woken_ns = UNKNOWN;
		worker->left = PATH_UNKNOWN;
		worker->nr_cpus = 0;
	}
	memset(waits->cpus, 0, sizeof(waits->cpus));
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct waits *waits = ctx;

	(void)ts_ns;
	waits->gaps--;
}

struct analysis waits_analysis(struct waits *waits)
{
	return (struct analysis) {
		.events = EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_SUBMIT) |
			  EVENT_BIT(EVENT_WORKLOAD_START) | EVENT_BIT(EVENT_WORKLOAD_STOP) |
			  EVENT_BIT(EVENT_WORKLOAD_COMPLETE) |
			  EVENT_BIT(EVENT_WORKLOAD_CANCEL) |
			  EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_TASK_SWITCH) |
			  EVENT_BIT(EVENT_TASK_WAKING) | EVENT_BIT(EVENT_TASK_WAKEUP) |
			  EVENT_BIT(EVENT_KVM_ENTRY) | EVENT_BIT(EVENT_KVM_EXIT) |
			  EVENT_BIT(EVENT_IRQ_ENTRY) | EVENT_BIT(EVENT_IRQ_EXIT) |
			  EVENT_BIT(EVENT_SOFTIRQ_ENTRY) | EVENT_BIT(EVENT_SOFTIRQ_EXIT) |
			  EVENT_BIT(EVENT_HRTIMER_ENTRY) | EVENT_BIT(EVENT_HRTIMER_EXIT),
		.event = on_event,
		.lost = on_lost,
		.found = on_found,
		.ctx = waits,
	};
}

void waits_tell(struct waits *waits, int64_t tid, path_fn tell, void *ctx)
{
	waits->tid = tid;
	waits->tell = tell;
	waits->ctx = ctx;
	waits->told_ns = waits->follow->window.from_ns;
	waits->enough = MANY_INTERVALS;
}

void waits_finish(struct waits *waits, int64_t to_ns)
{
	int worker = waits_thread(waits, waits->tid);

	waits->enough = MAX_INTERVALS;
	for (unsigned int nr = 0; nr < waits->workers->len; nr++)
		waits_change(waits, waits->workers->pdata[nr], to_ns, PATH_UNKNOWN, 0);
	if (worker != PATH_NOBODY)
		waits_tell_until(waits, worker, to_ns);
}

const struct wait_workload *waits_workload(const struct waits *waits)
{
	return &waits->workload;
}

const GPtrArray *waits_rows(const struct waits *waits)
{
	return waits->rows;
}

const struct wait_worker *waits_worker(const struct waits *waits, int nr)
{
	const struct worker *worker = waits->workers->pdata[nr];

	return &worker->told;
}

int waits_thread(const struct waits *waits, int64_t tid)
{
	const struct worker *worker = g_hash_table_lookup(waits->threads, &tid);

	return worker ? worker->nr : PATH_NOBODY;
}
