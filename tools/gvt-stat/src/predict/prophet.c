// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>

#include <glib.h>

#include "prophet.h"

/* a task that has not completed */
struct active {
	enum prophet_kind kind;
	unsigned int nr;
	double run_ns;
	double start_ns;		/* of its last batch */
	double end_ns;
	unsigned int elements;		/* of its last batch */
	double bandwidth;		/* of these elements together */
};

struct prophet {
	struct prophet_device device;
	GArray *active;			/* struct active, in order of arrival */
	unsigned int submitted;
	double head_ns;			/* the next compute task starts no earlier */
};

struct prophet *prophet_new(const struct prophet_device *device)
{
	struct prophet *prophet = g_new0(struct prophet, 1);

	prophet->device = *device;
	prophet->active = g_array_new(FALSE, FALSE, sizeof(struct active));
	return prophet;
}

void prophet_free(struct prophet *prophet)
{
	g_array_free(prophet->active, TRUE);
	g_free(prophet);
}

static struct active *active_at(const struct prophet *prophet, unsigned int nr)
{
	return &g_array_index(prophet->active, struct active, nr);
}

/* drops completed tasks, which no longer affect others */
static void forget(struct prophet *prophet, double now_ns)
{
	for (unsigned int nr = prophet->active->len; nr--;)
		if (active_at(prophet, nr)->end_ns <= now_ns)
			g_array_remove_index(prophet->active, nr);
}

/* --- sequential execution --------------------------------------------------------------- */

/* remaining time of the running task plus all waiting ones; tasks of this kind take turns */
static double queue_ns(const struct prophet *prophet, enum prophet_kind kind, double now_ns)
{
	double left_ns = 0;

	for (unsigned int nr = 0; nr < prophet->active->len; nr++) {
		const struct active *active = active_at(prophet, nr);

		if (active->kind == kind)
			left_ns += active->start_ns > now_ns ? active->run_ns : active->end_ns - now_ns;
	}
	return left_ns;
}

/* Equation 1: T_comp = T_submit + t_run + sum(t_i) + t_remain */
static double sequential(const struct prophet *prophet, const struct prophet_task *task,
			 double submit_ns, struct active *active)
{
	active->start_ns = submit_ns + queue_ns(prophet, PROPHET_COMPUTE, submit_ns);
	return active->start_ns + task->run_ns;
}

/* --- concurrent execution --------------------------------------------------------------------- */

/* Equation 2: duration of a batch without contention */
static double batch_alone_ns(const struct prophet_device *device, const struct prophet_task *task)
{
	double batches = ceil(task->warps / (device->warps * task->occupancy * device->elements));

	return task->run_ns / batches *
	       fmin(1, device->bandwidth / (task->bandwidth * device->elements));
}

static double contention(const struct prophet_device *device, double bandwidth)
{
	return fmax(bandwidth / device->bandwidth, 1);
}

/* Equation 3: duration of a batch while other tasks use @others of the bandwidth */
static double batch_ns(const struct prophet_device *device, double alone_ns, double own,
		       double others)
{
	return alone_ns * contention(device, own + others);
}

static bool is_on(const struct active *active, double at_ns)
{
	return active->kind == PROPHET_COMPUTE && active->start_ns <= at_ns && active->end_ns > at_ns;
}

static unsigned int free_elements(const struct prophet *prophet, double at_ns)
{
	unsigned int taken = 0;

	for (unsigned int nr = 0; nr < prophet->active->len; nr++)
		if (is_on(active_at(prophet, nr), at_ns))
			taken += active_at(prophet, nr)->elements;
	return prophet->device.elements - MIN(taken, prophet->device.elements);
}

static double bandwidth_taken(const struct prophet *prophet, double at_ns)
{
	double taken = 0;

	for (unsigned int nr = 0; nr < prophet->active->len; nr++)
		if (is_on(active_at(prophet, nr), at_ns))
			taken += active_at(prophet, nr)->bandwidth;
	return taken;
}

static double next_end(const struct prophet *prophet, double at_ns)
{
	double next_ns = INFINITY;

	for (unsigned int nr = 0; nr < prophet->active->len; nr++)
		if (is_on(active_at(prophet, nr), at_ns))
			next_ns = fmin(next_ns, active_at(prophet, nr)->end_ns);
	return next_ns;
}

/*
 * Equation 5: a batch of the new task that executes for @length_ns delays the last batches of other
 * tasks by its share of the bandwidth
 */
static void delay_others(struct prophet *prophet, double at_ns, double length_ns, double own)
{
	double others = bandwidth_taken(prophet, at_ns);
	double factor = contention(&prophet->device, own + others) /
			contention(&prophet->device, others) - 1;

	for (unsigned int nr = 0; nr < prophet->active->len; nr++) {
		struct active *active = active_at(prophet, nr);

		if (is_on(active, at_ns))
			active->end_ns += fmin(length_ns, active->end_ns - at_ns) * factor;
	}
}

/*
 * Equation 4: T_comp = T_submit + t_queuing + t_waiting + sum(T_j). A task starts when a processing
 * element is free that earlier tasks do not need, and takes as many elements in each batch as it
 * has warps for. The next task may start with the last batch.
 */
static double concurrent(struct prophet *prophet, const struct prophet_task *task,
			 double submit_ns, struct active *active)
{
	const struct prophet_device *device = &prophet->device;
	double alone_ns = batch_alone_ns(device, task), warps = task->warps;
	double at_ns = fmax(submit_ns, prophet->head_ns), per_element = device->warps * task->occupancy;

	active->start_ns = at_ns;
	while (warps > 0) {
		unsigned int left = free_elements(prophet, at_ns);
		double length_ns;

		if (!left) {
			at_ns = next_end(prophet, at_ns);
			continue;
		}
		active->elements = fmin(left, ceil(warps / per_element));
		active->bandwidth = task->bandwidth * active->elements;
		active->start_ns = at_ns;
		length_ns = batch_ns(device, alone_ns, active->bandwidth,
				     bandwidth_taken(prophet, at_ns));
		delay_others(prophet, at_ns, length_ns, active->bandwidth);
		warps -= active->elements * per_element;
		at_ns += length_ns;
	}
	prophet->head_ns = active->start_ns;
	return at_ns;
}

/* --- transfers ---------------------------------------------------------------------------------- */

static gint compare_ends(gconstpointer a, gconstpointer b)
{
	const struct active *one = *(struct active *const *)a, *two = *(struct active *const *)b;

	return (one->end_ns > two->end_ns) - (one->end_ns < two->end_ns);
}

/* tasks that share the bus, by completion time */
static GPtrArray *sharing(const struct prophet *prophet)
{
	GPtrArray *all = g_ptr_array_new();

	for (unsigned int nr = 0; nr < prophet->active->len; nr++)
		if (active_at(prophet, nr)->kind == PROPHET_SHARING)
			g_ptr_array_add(all, active_at(prophet, nr));
	g_ptr_array_sort(all, compare_ends);
	return all;
}

/*
 * Equations 6 to 8: a new transfer joins those that share the bus. Between two expected
 * completions, n - i + 1 transfers shared the bus; the new one adds one more (6), which extends the
 * segment accordingly (7). Each transfer completes at the end of all its segments (8).
 */
static double share(struct prophet *prophet, double from_ns, double run_ns)
{
	GPtrArray *others = sharing(prophet);
	double before_ns = from_ns, at_ns = from_ns, end_ns = from_ns + run_ns, done_ns = NAN;

	for (unsigned int nr = 0; nr < others->len; nr++) {
		struct active *other = others->pdata[nr];
		double sharers = others->len - nr;
		double covered_ns = fmax(fmin(other->end_ns, end_ns) - before_ns, 0);

		if (isnan(done_ns) && end_ns <= other->end_ns)
			done_ns = at_ns + covered_ns * (sharers + 1) / sharers;
		at_ns += covered_ns * (sharers + 1) / sharers;
		at_ns += other->end_ns - before_ns - covered_ns;
		before_ns = other->end_ns;
		other->end_ns = at_ns;
	}
	g_ptr_array_free(others, TRUE);
	return isnan(done_ns) ? at_ns + end_ns - before_ns : done_ns;
}

/* Equation 9: T_start = T_submit + t_remain + sum(t_i), over the exclusive transfers */
static double bus_free(const struct prophet *prophet, double submit_ns)
{
	return submit_ns + queue_ns(prophet, PROPHET_EXCLUSIVE, submit_ns);
}

/* Exclusive transfers go first: transfers that share the bus wait for the whole transfer. */
static double transfer(struct prophet *prophet, const struct prophet_task *task, double submit_ns,
		       struct active *active)
{
	active->start_ns = bus_free(prophet, submit_ns);
	if (task->kind == PROPHET_SHARING)
		return share(prophet, active->start_ns, task->run_ns);
	for (unsigned int nr = 0; nr < prophet->active->len; nr++)
		if (active_at(prophet, nr)->kind == PROPHET_SHARING)
			active_at(prophet, nr)->end_ns += task->run_ns;
	return active->start_ns + task->run_ns;
}

/* --- interface -------------------------------------------------------------------------------- */

double prophet_submit(struct prophet *prophet, const struct prophet_task *task, double submit_ns)
{
	struct active active = {
		.kind = task->kind, .nr = prophet->submitted++, .run_ns = task->run_ns,
	};

	forget(prophet, submit_ns);
	if (task->kind != PROPHET_COMPUTE)
		active.end_ns = transfer(prophet, task, submit_ns, &active);
	else if (prophet->device.elements == 1)
		active.end_ns = sequential(prophet, task, submit_ns, &active);
	else
		active.end_ns = concurrent(prophet, task, submit_ns, &active);
	g_array_append_val(prophet->active, active);
	return active.end_ns;
}

double prophet_completion(const struct prophet *prophet, unsigned int nr)
{
	for (unsigned int pos = 0; pos < prophet->active->len; pos++)
		if (active_at(prophet, pos)->nr == nr)
			return active_at(prophet, pos)->end_ns;
	return NAN;
}
