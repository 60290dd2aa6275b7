// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "lanes-private.h"

const char *counter_name(enum counter_kind kind)
{
	static const char *const names[COUNTER_KINDS] = {
		[COUNTER_QUEUE] = "queue length", [COUNTER_LEFT] = "slice left",
		[COUNTER_BUSY] = "utilisation", [COUNTER_POWER] = "power",
		[COUNTER_FREQUENCY] = "frequency", [COUNTER_RC6] = "RC6",
	};

	return names[kind];
}

const char *counter_unit(enum counter_kind kind)
{
	static const char *const units[COUNTER_KINDS] = {
		[COUNTER_QUEUE] = "workloads", [COUNTER_LEFT] = "ns", [COUNTER_BUSY] = "%",
		[COUNTER_POWER] = "W", [COUNTER_FREQUENCY] = "MHz", [COUNTER_RC6] = "%",
	};

	return units[kind];
}

struct lane_counter *counters_new(struct lanes *lanes, enum counter_kind kind, const struct gpu *gpu,
				  const struct gpu_engine *engine, const struct vgpu *vgpu)
{
	struct lane_counter *counter = g_new(struct lane_counter, 1);

	*counter = (struct lane_counter) {
		.kind = kind, .index = lanes->counters->len, .gpu = gpu, .engine = engine,
		.vgpu = vgpu,
	};
	g_ptr_array_add(lanes->counters, counter);
	if (lanes->ops->counter)
		lanes->ops->counter(lanes->ctx, counter);
	return counter;
}

void counters_sample(struct lanes *lanes, const struct lane_counter *counter, int64_t at_ns, double value)
{
	if (at_ns >= lanes->follow->window.from_ns && at_ns <= lanes->follow->window.to_ns)
		lanes->ops->sample(lanes->ctx, counter, at_ns, value);
}

/* Maximum number of delayed changes per queue, as damaged traces may have thousands of queues. */
#define HELD_MAX	512

struct held {
	int64_t at_ns;
	int64_t value;
};

/* @waited: the preempted workload did wait; if not, drop the first change, which was its own */
static void tell_held(struct lanes *lanes, struct length *length, bool waited)
{
	unsigned int less = waited ? 0 : 1;

	length->off = NULL;
	for (unsigned int nr = less; nr < length->held->len; nr++) {
		const struct held *held = &g_array_index(length->held, struct held, nr);

		counters_sample(lanes, length->counter, held->at_ns, held->value - less);
	}
	g_array_set_size(length->held, 0);
}

/* A preempted workload waits to resume, or has ended there: this shows only later. */
static void hold(struct length *length, const struct workload *w)
{
	if (!length->held)
		length->held = g_array_new(FALSE, FALSE, sizeof(struct held));
	length->off = w;
}

static void change(struct lanes *lanes, struct length *length, int64_t ts_ns)
{
	const struct held held = { ts_ns, length->value };

	if (length->off && length->held->len == HELD_MAX)
		tell_held(lanes, length, true);
	if (length->off)
		g_array_append_val(length->held, held);
	else
		counters_sample(lanes, length->counter, ts_ns, length->value);
}

static struct length *get_length(struct lanes *lanes, const struct vgpu_engine *queue)
{
	if (queue->index >= lanes->lengths->len)
		g_array_set_size(lanes->lengths, queue->index + 1);
	return &g_array_index(lanes->lengths, struct length, queue->index);
}

/* Work that waited before the window is the first value. */
static void begin_length(struct lanes *lanes, struct length *length,
			 const struct vgpu_engine *queue)
{
	length->counter = counters_new(lanes, COUNTER_QUEUE, queue->vgpu->gpu, queue->engine,
				      queue->vgpu);
	counters_sample(lanes, length->counter, lanes->follow->window.from_ns, length->value);
}

void counters_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct lanes *lanes = ctx;
	bool ends_off, goes_off = delta > 0 && w->phase == PHASE_PREEMPTED && !lanes->ops->at_once;
	struct length *length;

	if (!selection_queue(lanes->follow->selection, w->queue))
		return;
	length = get_length(lanes, w->queue);
	if (known(ts_ns) && ts_ns >= lanes->follow->window.from_ns && !length->counter)
		begin_length(lanes, length, w->queue);
	ends_off = length->off == w && w->never_back;
	if (length->off == w)
		tell_held(lanes, length, !ends_off);
	length->value += delta;
	if (goes_off && length->counter && !length->off)
		hold(length, w);
	if (length->counter && known(ts_ns) && !ends_off)
		change(lanes, length, ts_ns);
}

static int64_t begin_of(const struct lanes *lanes, int64_t nr)
{
	int64_t from_ns = lanes->follow->window.from_ns;

	return nr > (INT64_MAX - MAX(from_ns, 0)) / LANES_BUSY_NS ? INT64_MAX :
								    from_ns + nr * LANES_BUSY_NS;
}

static void tell_busy(struct lanes *lanes, struct busy *busy)
{
	int64_t from_ns = begin_of(lanes, busy->nr);
	int64_t length_ns = MIN(LANES_BUSY_NS, lanes->follow->window.to_ns - from_ns);
	double percent = length_ns > 0 ? 100.0 * busy->sum_ns / length_ns : 0;

	if (length_ns > 0 && !(percent == busy->told))
		counters_sample(lanes, busy->counter, from_ns, percent);
	busy->told = percent;
	busy->sum_ns = 0;
}

/* The time in between was idle: report it once. */
static void move_on(struct lanes *lanes, struct busy *busy, int64_t nr)
{
	if (busy->nr == nr)
		return;
	tell_busy(lanes, busy);
	if (++busy->nr < nr)
		tell_busy(lanes, busy);
	busy->nr = nr;
}

/* Report following samples that are equally full together: there may be years of them. */
static int64_t skip_full(struct lanes *lanes, struct busy *busy, int64_t from_ns, int64_t to_ns)
{
	int64_t full = (to_ns - from_ns) / LANES_BUSY_NS;

	if (busy->sum_ns < LANES_BUSY_NS || full < 2)
		return from_ns;
	tell_busy(lanes, busy);
	busy->nr += full;
	busy->sum_ns = LANES_BUSY_NS;
	return from_ns + full * LANES_BUSY_NS;
}

static void add_busy(struct lanes *lanes, struct busy *busy, int64_t from_ns, int64_t to_ns)
{
	while (from_ns < to_ns) {
		int64_t nr = (from_ns - lanes->follow->window.from_ns) / LANES_BUSY_NS;
		int64_t end_ns = MIN(to_ns, begin_of(lanes, nr + 1));

		move_on(lanes, busy, nr);
		busy->sum_ns += end_ns - from_ns;
		from_ns = skip_full(lanes, busy, end_ns, to_ns);
	}
}

static struct busy *get_busy(struct lanes *lanes, GArray *array, unsigned int index,
			     const struct gpu_engine *engine, const struct vgpu *vgpu)
{
	struct busy *busy;

	if (index >= array->len)
		g_array_set_size(array, index + 1);
	busy = &g_array_index(array, struct busy, index);
	if (!busy->counter) {
		busy->counter = counters_new(lanes, COUNTER_BUSY, engine->gpu, engine, vgpu);
		busy->told = NAN;
	}
	return busy;
}

void counters_ran(struct lanes *lanes, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	const struct window *window = &lanes->follow->window;
	const struct vgpu_engine *queue = w->queue;

	if (!counters_wanted(lanes, COUNTER_BUSY))
		return;
	from_ns = MAX(from_ns, window->from_ns);	/* UNKNOWN is less than any */
	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	add_busy(lanes, get_busy(lanes, lanes->busy_engines, queue->engine->index, queue->engine,
				 NULL), from_ns, to_ns);
	add_busy(lanes, get_busy(lanes, lanes->busy_queues, queue->index, queue->engine,
				 queue->vgpu), from_ns, to_ns);
}

static struct lane_counter *get_left(struct lanes *lanes, const struct vgpu *vgpu,
				     const struct gpu_engine *engine)
{
	struct lane_counter *counter;

	for (unsigned int nr = 0; nr < lanes->left->len; nr++) {
		counter = lanes->left->pdata[nr];
		if (counter->vgpu == vgpu && counter->engine == engine)
			return counter;
	}
	counter = counters_new(lanes, COUNTER_LEFT, vgpu->gpu, engine, vgpu);
	g_ptr_array_add(lanes->left, counter);
	return counter;
}

static void left(struct lanes *lanes, int64_t dev, int64_t vgpu_id, int64_t class,
		 int64_t instance, int64_t at_ns, int64_t left_ns)
{
	const struct model *model = lanes->follow->model;
	const struct vgpu *vgpu = model_vgpu(model, dev, vgpu_id);

	if (!known(left_ns) || !vgpu || !selection_vgpu(lanes->follow->selection, vgpu))
		return;
	counters_sample(lanes, get_left(lanes, vgpu, model_engine(model, dev, class, instance)), at_ns,
	       left_ns);
}

void counters_left(struct lanes *lanes, const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;
	const struct balance_event *balance = &event->balance;

	if (!counters_wanted(lanes, COUNTER_LEFT))
		return;
	if (event->id == EVENT_SCHED_BALANCE) {
		left(lanes, balance->dev, balance->vgpu_id, balance->class, balance->instance,
		     event->ts_ns, balance->left_ns);
		return;
	}
	left(lanes, change->dev, change->prev_vgpu_id, change->class, change->instance,
	     event->ts_ns, change->prev_left_ns);
	left(lanes, change->dev, change->next_vgpu_id, change->class, change->instance,
	     event->ts_ns, change->next_left_ns);
}

static void finish_busy(struct lanes *lanes, GArray *array)
{
	for (unsigned int nr = 0; nr < array->len; nr++) {
		struct busy *busy = &g_array_index(array, struct busy, nr);

		if (!busy->counter)
			continue;
		tell_busy(lanes, busy);
		busy->nr++;
		tell_busy(lanes, busy);
	}
}

static void free_length(void *data)
{
	struct length *length = data;

	if (length->held)
		g_array_free(length->held, TRUE);
}

GArray *counters_new_lengths(void)
{
	GArray *lengths = g_array_new(FALSE, TRUE, sizeof(struct length));

	g_array_set_clear_func(lengths, free_length);
	return lengths;
}

/* Its length may have been constant. */
static void finish_length(struct lanes *lanes, const struct vgpu_engine *queue)
{
	struct length *length = get_length(lanes, queue);

	if (length->off)
		tell_held(lanes, length, true);
	if (!length->counter && length->value)
		begin_length(lanes, length, queue);
}

void counters_finish(struct lanes *lanes)
{
	const GPtrArray *queues = model_vgpu_engines(lanes->follow->model);

	for (unsigned int nr = 0; counters_wanted(lanes, COUNTER_QUEUE) && nr < queues->len; nr++)
		finish_length(lanes, queues->pdata[nr]);
	finish_busy(lanes, lanes->busy_engines);
	finish_busy(lanes, lanes->busy_queues);
}
