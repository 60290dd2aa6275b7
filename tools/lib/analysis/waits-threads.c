// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "waits-private.h"

#define STATE_MASK	0xff		/* of sched_switch's prev_state, see vcpus.c */

static void set_name(struct worker *worker, const char *comm)
{
	if (!worker || !comm || !*comm)
		return;
	g_strlcpy(worker->told.name, comm, sizeof(worker->told.name));
	make_printable(worker->told.name);
}

/* A thread does not call the scheduler from within a handler. */
static void note_switch(struct waits *waits, int cpu)
{
	waits->cpus[cpu].switched = !waits->gaps;
}

static void come(struct waits *waits, struct worker *worker, int cpu, enum path_label label,
		 int64_t ts_ns)
{
	waits->cpus[cpu].worker = worker;
	waits->cpus[cpu].label = label;
	waits->skewed |= worker->nr_cpus > 0;
	worker->nr_cpus++;
	worker->cpu = cpu;
	worker->woken = false;
	waits_change(waits, worker, ts_ns, label, 0);
}

/* The worker is still on another CPU, or has already come there. */
static void go_on_elsewhere(struct waits *waits, struct worker *worker, int64_t ts_ns)
{
	for (int cpu = 0; cpu < waits->nr_cpus; cpu++)
		if (waits->cpus[cpu].worker == worker) {
			worker->cpu = cpu;
			waits_change(waits, worker, ts_ns, waits->cpus[cpu].label, 0);
			return;
		}
}

/* If it left two CPUs at about the same time, their order is uncertain. */
static enum path_label label_after(const struct worker *worker, enum path_label label,
				   int64_t ts_ns)
{
	bool sure = worker->left == PATH_UNKNOWN || worker->left == label ||
		    !waits_is_near(ts_ns, worker->left_ns);

	return sure ? label : PATH_UNKNOWN;
}

/* Has clock skew been observed? */
static bool is_skewed(const struct waits *waits)
{
	return waits->skewed || model_skew(waits->follow->model)->events;
}

/* The worker leaves this CPU; if it seems to be on another one, it continues there. */
static void leave(struct waits *waits, struct worker *worker, int cpu, enum path_label label,
		  int64_t ts_ns)
{
	struct worker **on_cpu = &waits->cpus[cpu].worker;

	if (*on_cpu == worker) {
		*on_cpu = NULL;
		worker->nr_cpus--;
	}
	if (!worker->nr_cpus) {
		waits_change(waits, worker, ts_ns, label_after(worker, label, ts_ns), 0);
		worker->woken = is_skewed(waits) && waits_is_near(ts_ns, worker->woken_ns);
		worker->left = PATH_UNKNOWN;
		return;
	}
	worker->left = label;
	worker->left_ns = ts_ns;
	if (label == PATH_BLOCKED)
		worker->unwoken_ns = ts_ns;
	if (worker->cpu == cpu)
		go_on_elsewhere(waits, worker, ts_ns);
}

/* It runs before its wake-up was traced: the wake-up may come while it sleeps again. */
static void note_unwoken(struct waits *waits, struct worker *worker, int64_t ts_ns)
{
	if (worker->label != PATH_BLOCKED || !waits->wakings)
		return;
	worker->unwoken_ns = ts_ns;
	waits->skewed = true;
}

void waits_on_task_switch(struct waits *waits, const struct event *event)
{
	const struct task_switch_event *task = &event->task_switch;
	struct worker *prev = waits_get_thread(waits, task->prev_pid);
	struct worker *next = waits_get_thread(waits, task->next_pid);
	struct cpu *cpu = &waits->cpus[event->cpu];

	note_switch(waits, event->cpu);
	set_name(prev, task->prev_comm);
	set_name(next, task->next_comm);
	if (prev)
		leave(waits, prev, event->cpu,
		      task->prev_state & STATE_MASK ? PATH_BLOCKED : PATH_PREEMPTED, event->ts_ns);
	/* its switch away was lost */
	if (cpu->worker)
		cpu->worker->nr_cpus--;
	cpu->worker = NULL;
	if (!next)
		return;
	note_unwoken(waits, next, event->ts_ns);
	come(waits, next, event->cpu, PATH_RUNS, event->ts_ns);
}

/* The vGPU with the turn; 0: none, unknown, or each engine has its own turn. */
static int64_t turn_on(const struct waits *waits, int64_t dev)
{
	const struct gpu *gpu = model_gpu(waits->follow->model, dev);

	return gpu && !gpu->per_engine && gpu->turn.known && gpu->turn.current ?
	       gpu->turn.current->id : 0;
}

/* May the CPU be in a handler whose beginning was lost? */
static bool is_unsure(const struct waits *waits, const struct cpu *cpu)
{
	return waits->lossy && !cpu->switched;
}

/* set the cause of a wait's end: label or waker of the interval that is about to end */
static void note_waker(struct waits *waits, struct worker *worker, const struct event *event)
{
	const struct cpu *cpu = &waits->cpus[event->cpu];
	const struct worker *waker;

	if (known(worker->submitted.id)) {
		worker->waker = worker->engine;
	} else if (cpu->timers) {
		worker->label = PATH_TIMER;
		worker->vgpu_id = worker->schedules ? turn_on(waits, worker->told.dev) : 0;
	} else if (cpu->irqs || cpu->softirqs || !event->pid) {
		worker->label = PATH_INTERRUPT;
	} else if (is_unsure(waits, cpu)) {
		worker->label = PATH_UNKNOWN;
	} else {
		waker = waits_get_thread(waits, event->pid);
		worker->waker = waker && waker != worker ? waker->nr : PATH_NOBODY;
	}
}

/* The wakers of threads woken up just before the first sched_waking are now in doubt. */
static void doubt_wakeups(struct waits *waits, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		const struct worker *worker = waits->workers->pdata[nr];
		struct path_interval *last;

		if (!worker->row->len)
			continue;
		last = &g_array_index(worker->row, struct path_interval, worker->row->len - 1);
		if (worker->label == PATH_RUNNABLE && waits_is_near(ts_ns, last->to_ns)) {
			last->label = PATH_UNKNOWN;
			last->waker = PATH_NOBODY;
		}
	}
}

/* May this end of a sleep belong to another sleep? */
static bool is_doubtful(struct worker *worker, int64_t ts_ns)
{
	bool doubtful = worker->woken || waits_is_near(ts_ns, worker->unwoken_ns);

	worker->unwoken_ns = UNKNOWN;
	return doubtful;
}

/* sched_waking comes first, in the waker's context; sched_wakeup may be on another CPU */
void waits_on_wakeup(struct waits *waits, const struct event *event)
{
	struct worker *worker = waits_get_thread(waits, event->wakeup.pid);

	if (!worker)
		return;
	set_name(worker, event->wakeup.comm);
	if (event->id == EVENT_TASK_WAKEUP && waits->wakings)
		return;
	if (event->id == EVENT_TASK_WAKING && !waits->wakings)
		doubt_wakeups(waits, event->ts_ns);
	waits->wakings |= event->id == EVENT_TASK_WAKING;
	if (is_doubtful(worker, event->ts_ns) && worker->label == PATH_BLOCKED) {
		worker->label = PATH_UNKNOWN;
		waits_change(waits, worker, event->ts_ns, PATH_UNKNOWN, 0);
	} else if (worker->label == PATH_BLOCKED) {
		note_waker(waits, worker, event);
		waits_change(waits, worker, event->ts_ns, PATH_RUNNABLE, 0);
	} else {
		worker->woken_ns = event->ts_ns;
	}
}

/* An event on a CPU that it has left came too late; on a CPU not yet reached, too early. */
static void on_vcpu(struct waits *waits, const struct event *event, enum path_label label)
{
	struct worker *worker = waits_get_thread(waits, event->pid);
	struct cpu *cpu = &waits->cpus[event->cpu];

	if (!worker)
		return;
	if (cpu->worker != worker && !cpu->worker && !worker->nr_cpus) {
		come(waits, worker, event->cpu, label, event->ts_ns);
		return;
	}
	if (cpu->worker != worker)
		return;
	cpu->label = label;
	if (worker->cpu == event->cpu)
		waits_change(waits, worker, event->ts_ns, label, 0);
}

void waits_on_entry(struct waits *waits, const struct event *event)
{
	on_vcpu(waits, event, PATH_GUEST);
}

void waits_on_exit(struct waits *waits, const struct event *event)
{
	on_vcpu(waits, event, PATH_RUNS);
}

static void enter_handler(int *depth)
{
	(*depth)++;
}

/* the trace may begin inside a handler */
static void leave_handler(int *depth)
{
	if (*depth > 0)
		(*depth)--;
}

void waits_on_handler(struct waits *waits, const struct event *event)
{
	struct cpu *cpu = &waits->cpus[event->cpu];

	switch (event->id) {
	case EVENT_IRQ_ENTRY:
		enter_handler(&cpu->irqs);
		break;
	case EVENT_IRQ_EXIT:
		leave_handler(&cpu->irqs);
		break;
	case EVENT_SOFTIRQ_ENTRY:
		enter_handler(&cpu->softirqs);
		break;
	case EVENT_SOFTIRQ_EXIT:
		leave_handler(&cpu->softirqs);
		break;
	case EVENT_HRTIMER_ENTRY:
		enter_handler(&cpu->timers);
		break;
	default:
		leave_handler(&cpu->timers);
	}
}
