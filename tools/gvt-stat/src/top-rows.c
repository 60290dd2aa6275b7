// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "column.h"
#include "host.h"
#include "top-rows.h"
#include "util.h"

static bool wanted(const struct vgpu_counters *vgpu, char *const *items)
{
	const struct sysfs_vgpu key = { .id = vgpu->id, .uuid = vgpu->uuid };

	return sysfs_wants_vgpu(&key, items);
}

static struct top_row make_row(const struct vgpu_counters *vgpu, const char *engine,
			       const struct rate *rate)
{
	return (struct top_row) {
		.vgpu_id = vgpu->id, .vm = vgpu->vm, .engine = engine, .weight = UNKNOWN,
		.queued = UNKNOWN, .left_ns = UNKNOWN,
		.borrowed_percent = rate->borrowed_percent, .held_percent = rate->held_percent,
		.exec_percent = rate->exec_percent, .done_per_second = rate->done_per_second,
		.wait_mean_ns = rate->wait_mean_ns, .failed = rate->failed,
		.cancelled = rate->cancelled,
	};
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
	struct top_row row = make_row(now, "all", &rate);

	row.weight = now->weight;
	row.queued = now->queued;
	row.left_ns = now->left_ns;
	add_row(rows, &row, view);
	for (unsigned int nr = 0; !view->no_engines && nr < now->engines->len; nr++) {
		const struct engine_counters *engine = now->engines->pdata[nr];

		rate = rate_of_engine(old, now, engine);
		row = make_row(now, engine->name, &rate);
		add_row(rows, &row, view);
	}
}

struct order {
	const struct vgpu_counters *old, *now;
	double key;			/* the largest first */
};

static double sort_key(const struct rate *rate, enum top_sort sort)
{
	double key = sort == TOP_BY_EXEC ? rate->exec_percent :
		     sort == TOP_BY_WAIT ? rate->wait_mean_ns :
		     sort == TOP_BY_DONE ? rate->done_per_second : 0;

	return isnan(key) ? -1 : key;
}

/* counters_read() gives them by id, and so they stay where the keys are equal */
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
		struct rate rate;

		if (!wanted(order.now, view->vgpus) ||
		    (view->vm && (!order.now->vm || !strstr(order.now->vm, view->vm))))
			continue;
		order.old = counters_find(old, order.now->uuid);
		rate = rate_of_vgpu(order.old, order.now);
		order.key = sort_key(&rate, view->sort);
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

const char *top_sort_name(enum top_sort sort)
{
	static const char *const names[] = {
		[TOP_BY_VGPU] = "VGPU", [TOP_BY_EXEC] = "EXEC%", [TOP_BY_WAIT] = "WAIT",
		[TOP_BY_DONE] = "DONE/s",
	};

	return names[sort];
}

static const struct column rate_columns[] = {
	{ "exec_percent", COLUMN_REAL, offsetof(struct rate, exec_percent) },
	{ "workloads_per_second", COLUMN_REAL, offsetof(struct rate, done_per_second) },
	{ "wait_mean_ns", COLUMN_REAL, offsetof(struct rate, wait_mean_ns) },
	{ "failed", COLUMN_INTEGER, offsetof(struct rate, failed) },
	{ "cancelled", COLUMN_INTEGER, offsetof(struct rate, cancelled) },
	{ 0 }
};

static const struct column vgpu_rate_columns[] = {
	{ "interval_ns", COLUMN_INTEGER, offsetof(struct rate, interval_ns) },
	{ "borrowed_percent", COLUMN_REAL, offsetof(struct rate, borrowed_percent) },
	{ "held_percent", COLUMN_REAL, offsetof(struct rate, held_percent) },
	{ 0 }
};

static const struct column vgpu_columns[] = {
	{ "vgpu_id", COLUMN_INTEGER, offsetof(struct vgpu_counters, id) },
	{ "uuid", COLUMN_TEXT, offsetof(struct vgpu_counters, uuid) },
	{ "type", COLUMN_TEXT, offsetof(struct vgpu_counters, type) },
	{ "vm", COLUMN_TEXT, offsetof(struct vgpu_counters, vm) },
	{ "weight", COLUMN_INTEGER, offsetof(struct vgpu_counters, weight) },
	{ "queued", COLUMN_INTEGER, offsetof(struct vgpu_counters, queued) },
	{ "left_ns", COLUMN_INTEGER, offsetof(struct vgpu_counters, left_ns) },
	{ 0 }
};

static json_t *engines_json(const struct vgpu_counters *old, const struct vgpu_counters *now)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < now->engines->len; nr++) {
		const struct engine_counters *engine = now->engines->pdata[nr];
		struct rate rate = rate_of_engine(old, now, engine);
		json_t *object = json_pack("{s:o}", "engine", json_text(engine->name));

		json_object_update_new(object, columns_to_json(rate_columns, &rate));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *vgpu_json(const struct vgpu_counters *old, const struct vgpu_counters *now)
{
	json_t *object = columns_to_json(vgpu_columns, now);
	struct rate rate = rate_of_vgpu(old, now);

	json_object_update_new(object, columns_to_json(vgpu_rate_columns, &rate));
	json_object_update_new(object, columns_to_json(rate_columns, &rate));
	json_object_set_new(object, "engines", engines_json(old, now));
	return object;
}

json_t *top_json(const GPtrArray *old, const GPtrArray *now, char *const *vgpus,
		 int64_t wall_ns)
{
	json_t *document = host_document("top");
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < now->len; nr++) {
		const struct vgpu_counters *vgpu = now->pdata[nr];

		if (wanted(vgpu, vgpus))
			json_array_append_new(array, vgpu_json(counters_find(old, vgpu->uuid),
							       vgpu));
	}
	json_object_set_new(document, "time_ns", json_integer(wall_ns));
	json_object_set_new(document, "vgpus", array);
	return document;
}
