// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "trace/util.h"
#include "inside.h"

static bool is_same(const struct contradiction *a, const struct contradiction *b)
{
	return a->sum == b->sum && a->engine == b->engine && a->vgpu == b->vgpu;
}

static const struct contradiction *find(const GArray *list, const struct contradiction *like)
{
	for (unsigned int nr = 0; nr < list->len; nr++) {
		const struct contradiction *one = &g_array_index(list, struct contradiction, nr);

		if (is_same(one, like))
			return one;
	}
	return NULL;
}

void contradiction_add(struct follow *follow, const struct contradiction *contradiction)
{
	if (!find(follow->contradictions, contradiction))
		g_array_append_val(follow->contradictions, *contradiction);
}

static void add_known(GArray *list, enum sum sum, const struct gpu_engine *engine,
		      const struct vgpu *vgpu, int64_t at_ns)
{
	const struct contradiction contradiction = { sum, engine, vgpu, at_ns };

	if (known(at_ns))
		g_array_append_val(list, contradiction);
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const struct contradiction *ca = a, *cb = b;

	return (ca->at_ns > cb->at_ns) - (ca->at_ns < cb->at_ns);
}

/* After lost events, work may have left its queue unseen. */
static bool is_certain(const struct follow *follow, enum sum sum)
{
	return sum != SUM_WAITS || !follow->trace->lost_gaps;
}

/* Adds those recorded by the model in its objects. */
GArray *contradictions_all(const struct follow *follow)
{
	const GPtrArray *engines = model_engines(follow->model);
	const GPtrArray *queues = model_vgpu_engines(follow->model);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct contradiction));

	for (unsigned int nr = 0; nr < follow->contradictions->len; nr++) {
		const struct contradiction *one = &g_array_index(follow->contradictions,
								 struct contradiction, nr);

		if (is_certain(follow, one->sum))
			g_array_append_val(list, *one);
	}
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		add_known(list, SUM_EXECUTION, engine, NULL, engine->overlap_ns);
	}
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		add_known(list, SUM_PARTS, queue->engine, queue->vgpu, queue->parts_ns);
	}
	g_array_sort(list, compare_times);
	return list;
}

int64_t contradiction_at(const struct follow *follow, enum sum sum,
			 const struct gpu_engine *engine, const struct vgpu *vgpu)
{
	const struct contradiction like = { sum, engine, vgpu, UNKNOWN };
	const struct contradiction *found = find(follow->contradictions, &like);

	if (!is_certain(follow, sum))
		return UNKNOWN;
	return sum == SUM_EXECUTION ? engine->overlap_ns : found ? found->at_ns : UNKNOWN;
}

const char *contradiction_name(enum sum sum)
{
	static const char *const names[SUMS] = {
		[SUM_EXECUTION] = "execution", [SUM_ENGINE] = "engine", [SUM_WAITS] = "waits",
		[SUM_PARTS] = "parts",
	};

	return names[sum];
}

char *contradiction_text(const struct contradiction *contradiction)
{
	static const char *const texts[SUMS] = {
		[SUM_EXECUTION] = "executes two workloads at once",
		[SUM_ENGINE] = "is busy and idle for another time than the window is long",
		[SUM_WAITS] = "waits for longer than it has work in the queue",
		[SUM_PARTS] = "has a workload whose parts of time do not sum to the whole",
	};
	const struct gpu_engine *engine = contradiction->engine;
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "at " SECONDS " s ", SECONDS_OF(contradiction->at_ns));
	if (contradiction->vgpu)
		g_string_append_printf(text, "%s on ", contradiction->vgpu->label);
	g_string_append_printf(text, "%s of GPU %" PRId64 " %s", engine->name, engine->dev,
			       texts[contradiction->sum]);
	return g_string_free(text, FALSE);
}
