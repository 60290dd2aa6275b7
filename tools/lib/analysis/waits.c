// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "waits-private.h"

void waits_free(struct waits *waits)
{
	waits_workers_clear(waits);
	g_free(waits);
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

struct waits *waits_new(struct follow *follow, int64_t workload_id)
{
	struct waits *waits = g_new0(struct waits, 1);

	waits->follow = follow;
	waits->workload = (struct wait_workload) {
		workload_id, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
	};
	waits_workers_init(waits);
	waits->tid = UNKNOWN;
	waits->enough = MAX_INTERVALS;
	follow_add(follow, (struct analysis) {
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
		.event = on_event, .lost = on_lost, .found = on_found, .ctx = waits,
	});
	return waits;
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
