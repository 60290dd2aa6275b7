// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "blocks-private.h"
#include "gpu-time.h"

struct gpu_time {
	const struct follow *follow;
	struct blocks *blocks;
	GArray *queues;			/* by index: number of the line + 1; 0: none yet */
	GArray *engines;		/* the same, for uncertain time per engine */
	unsigned int lost_line;		/* uncertain time of all engines */
};

static unsigned int line_of(const struct gpu_time *time, GArray *lines, unsigned int index)
{
	unsigned int *line;

	if (index >= lines->len)
		g_array_set_size(lines, index + 1);
	line = &g_array_index(lines, unsigned int, index);
	if (!*line)
		*line = blocks_add_line(time->blocks) + 1;
	return *line - 1;
}

/* UNKNOWN: the trace's ends */
static void add(const struct gpu_time *time, unsigned int line, int64_t from_ns, int64_t to_ns)
{
	const struct window *window = &time->follow->window;

	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	blocks_add(time->blocks, line, MAX(from_ns, window->from_ns), to_ns);
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct gpu_time *time = ctx;

	add(time, line_of(time, time->queues, w->queue->index), from_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct gpu_time *time = ctx;

	add(time, engine ? line_of(time, time->engines, engine->index) : time->lost_line,
	    from_ns, to_ns);
}

struct gpu_time *gpu_time_new(const struct follow *follow, struct blocks *blocks)
{
	struct gpu_time *time = g_new0(struct gpu_time, 1);
	const struct model_listener listener = {
		.ran = on_ran, .unsure = on_unsure, .ctx = time,
	};

	time->follow = follow;
	time->blocks = blocks;
	time->queues = g_array_new(FALSE, TRUE, sizeof(unsigned int));
	time->engines = g_array_new(FALSE, TRUE, sizeof(unsigned int));
	time->lost_line = blocks_add_line(blocks);
	model_listen(follow->model, &listener);
	return time;
}

void gpu_time_free(struct gpu_time *time)
{
	g_array_free(time->queues, TRUE);
	g_array_free(time->engines, TRUE);
	g_free(time);
}

static int64_t sum_ns(const struct gpu_time *time, const GArray *lines, unsigned int index,
		      int64_t block)
{
	unsigned int line = index < lines->len ? g_array_index(lines, unsigned int, index) : 0;

	return line ? blocks_sum_ns(time->blocks, line - 1, block) : 0;
}

static bool has_gpu(const GPtrArray *vgpus, const struct gpu *gpu)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (((const struct vgpu *)vgpus->pdata[nr])->gpu == gpu)
			return true;
	return false;
}

static int64_t exec_ns(const struct gpu_time *time, const GPtrArray *vgpus,
		       const struct gpu_engine *engine, int64_t block)
{
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (g_ptr_array_find((GPtrArray *)vgpus, queue->vgpu, NULL))
			sum += sum_ns(time, time->queues, queue->index, block);
	}
	return sum;
}

struct bounds gpu_time_bounds(const struct gpu_time *time, const GPtrArray *vgpus, int64_t block,
			      int64_t length_ns)
{
	const GPtrArray *engines = model_engines(time->follow->model);
	int64_t lost_ns = blocks_sum_ns(time->blocks, time->lost_line, block);
	struct bounds sum = { 0 };
	bool any = false;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		int64_t ran_ns, unsure_ns;

		if (!has_gpu(vgpus, engine->gpu))
			continue;
		any = true;
		ran_ns = exec_ns(time, vgpus, engine, block);
		unsure_ns = lost_ns + sum_ns(time, time->engines, engine->index, block);
		sum.min += ran_ns;
		sum.max += MAX(MIN(ran_ns + unsure_ns, length_ns), ran_ns);
	}
	/* all events of its engines were lost */
	if (!any && lost_ns)
		sum.max = NAN;
	return sum;
}
