// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "output/column.h"
#include "output/document.h"
#include "trace/util.h"
#include "host-options.h"
#include "top-rows.h"

static struct top_row make_row(const struct vgpu_counters *vgpu, const char *engine,
			       const struct rate *rate)
{
	return (struct top_row) {
		.vgpu_id = vgpu->id, .uuid = vgpu->uuid, .type = vgpu->type, .vm = vgpu->vm,
		.gpu = vgpu->gpu,
		.engine = engine, .weight = UNKNOWN, .errors = UNKNOWN,
		.queued = UNKNOWN, .left_ns = UNKNOWN,
		.exec_percent = rate->exec_percent, .done_per_second = rate->done_per_second,
		.wait_mean_ns = rate->wait_mean_ns, .failed = rate->failed,
		.cancelled = rate->cancelled, .interval_ns = rate->interval_ns,
		.wait_percent = NAN, .watts = NAN,
	};
}

/* adds values that have no kernel counters, from tracing */
static void add_live(struct top_row *row, const struct live *live, const char *engine)
{
	row->live = live_row_of(live, row->uuid, row->vgpu_id, engine);
	if (isnan(row->exec_percent))
		row->exec_percent = row->live.exec_percent;
	if (isnan(row->done_per_second))
		row->done_per_second = row->live.done_per_second;
}

static bool wants_engine(const struct top_view *view, const char *engine)
{
	return !view->engines || g_strv_contains((const char *const *)view->engines, engine);
}

static bool is_idle(const struct top_row *row)
{
	return row->exec_percent == 0 && row->done_per_second == 0 &&
	       (!known(row->queued) || !row->queued);
}

static void add_row(GArray *rows, const struct top_row *row, const struct top_view *view)
{
	if (!view->no_idle || !is_idle(row))
		g_array_append_val(rows, *row);
}

static void add_vgpu(GArray *rows, const struct vgpu_counters *old,
		     const struct vgpu_counters *now, const struct top_view *view)
{
	struct rate rate = rate_of_vgpu(old, now);
	struct top_row row = make_row(now, TOP_ALL, &rate);

	row.weight = now->weight;
	row.queued = now->queued;
	row.left_ns = now->left_ns;
	row.errors = now->errors;
	row.failsafe = now->failsafe;
	row.wait_percent = rate_wait_percent(old, now);
	if (view->watts)
		row.watts = top_watts_of(view->watts, now->uuid);
	add_live(&row, view->live, NULL);
	if (!view->engines || view->headings)
		add_row(rows, &row, view);
	for (unsigned int nr = 0; !view->no_engines && nr < now->engines->len; nr++) {
		const struct engine_counters *engine = now->engines->pdata[nr];

		if (!wants_engine(view, engine->name))
			continue;
		rate = rate_of_engine(old, now, engine);
		row = make_row(now, engine->name, &rate);
		add_live(&row, view->live, engine->name);
		add_row(rows, &row, view);
	}
}

struct order {
	const struct vgpu_counters *old, *now;
	double key;			/* largest first */
};

static double sort_key(const struct order *order, const struct top_view *view)
{
	struct rate rate = rate_of_vgpu(order->old, order->now);
	struct live_row live = live_row_of(view->live, order->now->uuid, order->now->id, NULL);
	const double keys[TOP_SORTS] = {
		[TOP_BY_EXEC] = isnan(rate.exec_percent) ? live.exec_percent : rate.exec_percent,
		[TOP_BY_WAIT] = rate.wait_mean_ns, [TOP_BY_DONE] = rate.done_per_second,
		[TOP_BY_QUEUE] = live.queue_mean, [TOP_BY_LATENCY] = live.latency_mean_ns,
	};
	double key = keys[view->sort];

	return isnan(key) ? -1 : key;
}

/* Equal keys keep the order of counters_read(), which is by id. */
static gint compare_orders(gconstpointer a, gconstpointer b)
{
	const struct order *one = a, *two = b;

	if (one->key != two->key)
		return one->key > two->key ? -1 : 1;
	return (one->now->id > two->now->id) - (one->now->id < two->now->id);
}

GArray *top_rows(const GPtrArray *old, const GPtrArray *now, const struct top_view *view)
{
	GArray *orders = g_array_new(FALSE, FALSE, sizeof(struct order));
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct top_row));

	for (unsigned int nr = 0; nr < now->len; nr++) {
		struct order order = { .now = now->pdata[nr] };

		if (!counters_wanted(order.now, view->vgpus) ||
		    (view->vm && (!order.now->vm || !strstr(order.now->vm, view->vm))))
			continue;
		order.old = counters_find(old, order.now->uuid);
		order.key = sort_key(&order, view);
		g_array_append_val(orders, order);
	}
	g_array_sort(orders, compare_orders);
	for (unsigned int nr = 0; nr < orders->len; nr++) {
		const struct order *order = &g_array_index(orders, struct order, nr);

		add_vgpu(rows, order->old, order->now, view);
	}
	g_array_free(orders, TRUE);
	return rows;
}

/* columns by which rows can be sorted: key and title */
static const struct { const char *key, *title; } sorts[TOP_SORTS] = {
	[TOP_BY_VGPU] = { "vgpu_id", "VGPU" },
	[TOP_BY_EXEC] = { "exec_percent", "UTIL%" },
	[TOP_BY_WAIT] = { "wait_mean_ns", "WAIT-ms" },
	[TOP_BY_DONE] = { "workloads_per_second", "DONE/s" },
	[TOP_BY_QUEUE] = { "queue_len_mean", "QUEUE" },
	[TOP_BY_LATENCY] = { "latency_mean_ns", "LATENCY-ms" },
};

const char *top_sort_name(enum top_sort sort)
{
	return sorts[sort].title;
}

bool top_sort_parse(const char *key, enum top_sort *sort)
{
	for (*sort = 0; *sort < TOP_SORTS; (*sort)++)
		if (!strcmp(sorts[*sort].key, key))
			return true;
	return false;
}

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct top_row, member) }
#define LIVE_COLUMN(type, key, member) \
	{ key, COLUMN_##type, offsetof(struct top_row, live.member) }

/* columns that vGPUs and their engines have in common */
#define RATE_COLUMNS							\
	COLUMN(REAL, exec_percent),					\
	{ "workloads_per_second", COLUMN_REAL, offsetof(struct top_row, done_per_second) }, \
	COLUMN(REAL, wait_mean_ns),					\
	COLUMN(INTEGER, failed),					\
	COLUMN(INTEGER, cancelled),					\
	LIVE_COLUMN(REAL, "queue_len_mean", queue_mean),		\
	LIVE_COLUMN(INTEGER, "queue_len_max", queue_max),		\
	LIVE_COLUMN(REAL, "latency_mean_ns", latency_mean_ns),		\
	LIVE_COLUMN(INTEGER, "latency_max_ns", latency_max_ns),		\
	LIVE_COLUMN(TEXT, "mostly", mostly)

#define VGPU_COLUMNS							\
	COLUMN(INTEGER, weight),					\
	COLUMN(INTEGER, queued),					\
	COLUMN(INTEGER, left_ns),					\
	COLUMN(INTEGER, errors),					\
	COLUMN(TEXT, failsafe),						\
	COLUMN(REAL, watts),						\
	COLUMN(INTEGER, interval_ns)

const struct column top_columns[] = {
	COLUMN(INTEGER, time_ns),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, uuid),
	COLUMN(TEXT, type),
	COLUMN(TEXT, vm),
	COLUMN(TEXT, engine),
	VGPU_COLUMNS,
	RATE_COLUMNS,
	COLUMN(TEXT, gpu),
	{ 0 }
};

/* in JSON, engines are nested in their vGPU */
static const struct column vgpu_columns[] = {
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, uuid),
	COLUMN(TEXT, type),
	COLUMN(TEXT, vm),
	VGPU_COLUMNS,
	RATE_COLUMNS,
	COLUMN(TEXT, gpu),
	{ 0 }
};

static const struct column engine_columns[] = {
	COLUMN(TEXT, engine),
	RATE_COLUMNS,
	{ 0 }
};

static json_t *row_json(const struct top_row *row, const struct column *all,
			char *const *columns)
{
	const struct column *chosen = columns_choose(all, columns);
	json_t *object = columns_to_json(chosen ? chosen : all, row);

	g_free((void *)chosen);
	return object;
}

json_t *top_json(const GPtrArray *old, const GPtrArray *now, const struct top_view *view,
		 char *const *columns, int64_t wall_ns)
{
	const struct top_view all = {
		.vgpus = view->vgpus, .engines = view->engines, .live = view->live, .watts = view->watts,
		.headings = true,
	};
	GArray *rows = top_rows(old, now, &all);
	json_t *document = document_of_host("top");
	json_t *array = json_array(), *engines = NULL;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct top_row *row = &g_array_index(rows, struct top_row, nr);
		json_t *object;

		if (!strcmp(row->engine, TOP_ALL)) {
			object = row_json(row, vgpu_columns, columns);
			engines = json_array();
			json_object_set_new(object, "engines", engines);
			json_array_append_new(array, object);
		} else {
			json_array_append_new(engines, row_json(row, engine_columns, columns));
		}
	}
	g_array_free(rows, TRUE);
	json_object_set_new(document, "time_ns", json_integer(wall_ns));
	json_object_set_new(document, "traced", json_boolean(view->live));
	json_object_set_new(document, "lost_events", view->live ?
			    json_integer(live_lost(view->live)) : json_null());
	json_object_set_new(document, "vgpus", array);
	return document;
}
