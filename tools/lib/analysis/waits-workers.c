// SPDX-License-Identifier: GPL-2.0-or-later
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

void waits_workers_init(struct waits *waits)
{
	waits->workers = g_ptr_array_new_with_free_func(free_worker);
	waits->rows = g_ptr_array_new();
	waits->threads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	waits->engines = g_hash_table_new_full(hash_engine, is_same_engine, g_free, NULL);
}

void waits_workers_clear(struct waits *waits)
{
	g_hash_table_destroy(waits->engines);
	g_hash_table_destroy(waits->threads);
	g_ptr_array_free(waits->rows, TRUE);
	g_ptr_array_free(waits->workers, TRUE);
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
