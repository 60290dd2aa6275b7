// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "model/inside.h"
#include "trace/util.h"
#include "waits.h"

/* so many are held in memory, of 48 bytes each */
#define MAX_INTERVALS	(32 * 1024 * 1024)
/* and so many before it is worth the while to see whether a path needs them still */
#define MANY_INTERVALS	4096
#define MAX_WORKERS	(1024 * 1024)
#define MAX_CPUS	8192

#define STATE_MASK	0xff		/* of sched_switch's prev_state, see vcpus.c */

/* an engine or a thread, and its interval that has not ended yet */
struct worker {
	struct wait_worker told;
	GArray *row;
	int nr;
	int64_t since_ns;
	enum path_label label;
	int64_t detail;
	int64_t vgpu_id;
	int waker;			/* while runnable: of the blocked interval before */
	struct workload_key submitted;	/* the workload it waits for; id UNKNOWN: none */
	int engine;			/* that executes it */
	bool schedules;			/* vGPUs: it traced gvt_sched_switch */
};

/* how deep a CPU is in handlers */
struct cpu {
	int irqs;
	int softirqs;
	int timers;
	bool switched;			/* since events were lost: they are all */
};

struct waits {
	const struct follow *follow;
	struct wait_workload workload;
	GPtrArray *workers;		/* of struct worker */
	GPtrArray *rows;		/* of their GArray */
	GHashTable *threads;		/* tid -> struct worker */
	GHashTable *engines;		/* dev, class, instance in one -> struct worker */
	struct cpu cpus[MAX_CPUS];
	uint64_t intervals;		/* in rows */
	int gaps;
	bool lossy;			/* there was one */
	/* of whom the path is told as it goes, if it is wanted */
	int64_t tid;
	path_fn tell;
	void *ctx;
	int64_t told_ns;		/* up to here */
	uint64_t enough;		/* so many intervals are looked through again */
};

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
	waits->engines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
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

static int64_t *copy_key(int64_t key)
{
	int64_t *copy = g_new(int64_t, 1);

	*copy = key;
	return copy;
}

static struct worker *get_worker(struct waits *waits, GHashTable *table, int64_t key, int64_t tid)
{
	struct worker *worker = g_hash_table_lookup(table, &key);

	if (worker)
		return worker;
	if (waits->workers->len == MAX_WORKERS)
		fatal("the trace names more than %d threads: it is corrupted; record it again",
		      MAX_WORKERS);
	worker = g_new0(struct worker, 1);
	*worker = (struct worker) {
		.told = { .tid = tid, .dev = UNKNOWN }, .nr = waits->workers->len, .label = PATH_UNKNOWN,
		.since_ns = waits->follow->trace->start_ns, .waker = PATH_NOBODY,
		.submitted.id = UNKNOWN, .engine = PATH_NOBODY,
		.row = g_array_new(FALSE, FALSE, sizeof(struct path_interval)),
	};
	g_ptr_array_add(waits->workers, worker);
	g_ptr_array_add(waits->rows, worker->row);
	g_hash_table_insert(table, copy_key(key), worker);
	return worker;
}

/* The idle task is nobody: it does nothing and wakes nobody up. */
static struct worker *get_thread(struct waits *waits, int64_t tid)
{
	return known(tid) && tid > 0 ? get_worker(waits, waits->threads, tid, tid) : NULL;
}

static struct worker *get_engine(struct waits *waits, const struct workload_event *event)
{
	int64_t key = event->dev << 32 ^ event->class << 16 ^ event->instance;
	struct worker *engine = get_worker(waits, waits->engines, key, UNKNOWN);

	engine->told.dev = event->dev;
	if (!*engine->told.name)
		engine_name(engine->told.name, event->class, event->instance);
	return engine;
}

static void set_name(struct worker *worker, const char *comm)
{
	if (!worker || !comm || !*comm)
		return;
	g_strlcpy(worker->told.name, comm, sizeof(worker->told.name));
	make_printable(worker->told.name);
}

/* Rows are kept of the window, or of the workload's life if one is looked for. */
static bool is_kept(const struct waits *waits, int64_t from_ns, int64_t to_ns)
{
	const struct wait_workload *workload = &waits->workload;

	if (!known(workload->id))
		return to_ns > waits->follow->window.from_ns &&
		       from_ns < waits->follow->window.to_ns;
	return known(workload->queue_ns) && to_ns > workload->queue_ns &&
	       !(known(workload->end_ns) && from_ns >= workload->end_ns);
}

static struct path_interval open_interval(const struct worker *worker, int64_t ts_ns)
{
	return (struct path_interval) {
		.from_ns = worker->since_ns, .to_ns = ts_ns, .label = worker->label,
		.waker = worker->waker, .detail = worker->detail, .vgpu_id = worker->vgpu_id,
	};
}

/* What goes on is in rows while the path is looked for; who ends a wait is not known yet. */
static void show_open(struct waits *waits, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];
		struct path_interval interval = open_interval(worker, ts_ns);

		if (interval.label == PATH_BLOCKED)
			interval.waker = PATH_UNDECIDED;
		g_array_append_val(worker->row, interval);
	}
}

static void hide_open(struct waits *waits)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];

		g_array_set_size(worker->row, worker->row->len - 1);
	}
}

/* what ended before all that is yet to be told */
static void forget_told(struct waits *waits)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		GArray *row = ((struct worker *)waits->workers->pdata[nr])->row;
		unsigned int old = path_first_after(row, waits->told_ns);

		g_array_remove_range(row, 0, old);
		waits->intervals -= old;
	}
}

/* Returns false if what it was about is not decided yet. */
static bool tell_until(struct waits *waits, int worker, int64_t to_ns)
{
	GArray *path;

	to_ns = MIN(to_ns, waits->follow->window.to_ns);
	if (to_ns <= waits->told_ns)
		return true;
	path = path_find(waits->rows, worker, waits->told_ns, to_ns);
	if (!path)
		return false;
	for (unsigned int nr = 0; nr < path->len; nr++)
		waits->tell(waits->ctx, &g_array_index(path, struct path_segment, nr));
	waits->told_ns = to_ns;
	g_array_free(path, TRUE);
	return true;
}

/* The path is known up to where the thread waits for an end that is not seen yet. */
static void tell_path(struct waits *waits, int64_t ts_ns)
{
	const struct worker *worker = g_hash_table_lookup(waits->threads, &waits->tid);

	show_open(waits, ts_ns);
	for (unsigned int nr = 0; worker && nr < worker->row->len; nr++)
		if (!tell_until(waits, worker->nr,
				g_array_index(worker->row, struct path_interval, nr).to_ns))
			break;
	hide_open(waits);
	forget_told(waits);
	/* a long wait needs them all: look again when there are twice as many */
	waits->enough = MAX(MANY_INTERVALS, 2 * waits->intervals);
}

static void keep(struct waits *waits, struct worker *worker, const struct path_interval *interval)
{
	g_array_append_val(worker->row, *interval);
	if (++waits->intervals > MAX_INTERVALS)
		fatal("%s: too much happens in the window for a critical path: choose a shorter one with --time",
		      waits->follow->trace->path);
}

static void change(struct waits *waits, struct worker *worker, int64_t ts_ns,
		   enum path_label label, int64_t detail)
{
	struct path_interval interval = open_interval(worker, ts_ns);

	if (ts_ns > worker->since_ns && is_kept(waits, worker->since_ns, ts_ns))
		keep(waits, worker, &interval);
	worker->since_ns = MAX(worker->since_ns, ts_ns);
	worker->label = waits->gaps ? PATH_UNKNOWN : label;
	worker->detail = detail;
	worker->vgpu_id = 0;
	worker->waker = PATH_NOBODY;
	if (waits->intervals > waits->enough)
		tell_path(waits, ts_ns);
}

/* A thread does not call the scheduler from within a handler. */
static void note_switch(struct waits *waits, int cpu)
{
	waits->cpus[cpu].switched = !waits->gaps;
}

static void on_task_switch(struct waits *waits, const struct event *event)
{
	const struct task_switch_event *task = &event->task_switch;
	struct worker *prev = get_thread(waits, task->prev_pid);
	struct worker *next = get_thread(waits, task->next_pid);

	note_switch(waits, event->cpu);
	set_name(prev, task->prev_comm);
	set_name(next, task->next_comm);
	if (prev)
		change(waits, prev, event->ts_ns,
		       task->prev_state & STATE_MASK ? PATH_BLOCKED : PATH_PREEMPTED, 0);
	if (next)
		change(waits, next, event->ts_ns, PATH_RUNS, 0);
}

/* The vGPU whose turn it is; 0: nobody's, unknown, or engines have turns of their own. */
static int64_t turn_on(const struct waits *waits, int64_t dev)
{
	const struct gpu *gpu = model_gpu(waits->follow->model, dev);

	return gpu && !gpu->per_engine && gpu->turn.known && gpu->turn.current ?
	       gpu->turn.current->id : 0;
}

/* May it be in a handler whose beginning was lost? */
static bool is_unsure(const struct waits *waits, const struct cpu *cpu)
{
	return waits->lossy && !cpu->switched;
}

/* what ends a wait: sets label or waker of the interval that is about to end */
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
		waker = get_thread(waits, event->pid);
		worker->waker = waker && waker != worker ? waker->nr : PATH_NOBODY;
	}
}

/* sched_waking comes first, in the waker's context; sched_wakeup may be elsewhere */
static void on_wakeup(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->wakeup.pid);

	if (!worker)
		return;
	set_name(worker, event->wakeup.comm);
	if (worker->label != PATH_BLOCKED)
		return;
	note_waker(waits, worker, event);
	change(waits, worker, event->ts_ns, PATH_RUNNABLE, 0);
}

static void on_entry(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);

	if (worker)
		change(waits, worker, event->ts_ns, PATH_GUEST, 0);
}

static void on_exit_guest(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);

	if (worker)
		change(waits, worker, event->ts_ns, PATH_RUNS, 0);
}

static void on_turn(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);

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

static struct workload_key key_of(const struct event *event)
{
	return (struct workload_key) { event->workload.dev, event->workload.workload_id };
}

static bool is_this(const struct workload_key *key, const struct event *event)
{
	struct workload_key other = key_of(event);

	return workload_key_equal(key, &other);
}

/*
 * It is for the engine that the thread waits from now on: while that executes
 * others' work, it waits for those.
 */
static void on_submit(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);
	struct worker *engine = get_engine(waits, &event->workload);

	if (engine->label == PATH_UNKNOWN)
		change(waits, engine, event->ts_ns, PATH_IDLE, 0);
	if (!worker)
		return;
	worker->submitted = key_of(event);
	worker->engine = engine->nr;
}

static void on_start(struct waits *waits, const struct event *event)
{
	struct worker *engine = get_engine(waits, &event->workload);

	change(waits, engine, event->ts_ns, PATH_EXECUTES, event->workload.workload_id);
	engine->vgpu_id = event->workload.vgpu_id;
}

/* A late stop of a workload must not end the next one's execution. */
static void on_stop(struct waits *waits, const struct event *event)
{
	struct worker *engine = get_engine(waits, &event->workload);

	if (engine->label == PATH_EXECUTES && engine->detail != event->workload.workload_id)
		return;
	change(waits, engine, event->ts_ns, PATH_IDLE, 0);
}

static void on_end(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);
	const struct workload_key wanted = { waits->workload.dev, waits->workload.id };

	if (worker && is_this(&worker->submitted, event))
		worker->submitted.id = UNKNOWN;
	if (!is_this(&wanted, event) || !known(waits->workload.queue_ns) ||
	    known(waits->workload.end_ns))
		return;
	waits->workload.end_ns = event->ts_ns;
	waits->workload.tid = event->pid;
}

static void enter_handler(int *depth)
{
	(*depth)++;
}

/* the trace may begin inside of one */
static void leave_handler(int *depth)
{
	if (*depth > 0)
		(*depth)--;
}

static void on_handler(struct waits *waits, const struct event *event)
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

static void on_event(void *ctx, const struct event *event)
{
	static void (*const handlers[EVENT_COUNT])(struct waits *, const struct event *) = {
		[EVENT_WORKLOAD_QUEUE] = on_queue,
		[EVENT_WORKLOAD_SUBMIT] = on_submit,
		[EVENT_WORKLOAD_START] = on_start,
		[EVENT_WORKLOAD_STOP] = on_stop,
		[EVENT_WORKLOAD_COMPLETE] = on_end,
		[EVENT_WORKLOAD_CANCEL] = on_end,
		[EVENT_SCHED_SWITCH] = on_turn,
		[EVENT_TASK_SWITCH] = on_task_switch,
		[EVENT_TASK_WAKING] = on_wakeup,
		[EVENT_TASK_WAKEUP] = on_wakeup,
		[EVENT_KVM_ENTRY] = on_entry,
		[EVENT_KVM_EXIT] = on_exit_guest,
		[EVENT_IRQ_ENTRY] = on_handler,
		[EVENT_IRQ_EXIT] = on_handler,
		[EVENT_SOFTIRQ_ENTRY] = on_handler,
		[EVENT_SOFTIRQ_EXIT] = on_handler,
		[EVENT_HRTIMER_ENTRY] = on_handler,
		[EVENT_HRTIMER_EXIT] = on_handler,
	};

	if (event->cpu >= 0 && event->cpu < MAX_CPUS)
		handlers[event->id](ctx, event);
}

/* From here on nothing is certain: of no worker, and of no CPU. */
static void on_lost(void *ctx, int64_t ts_ns)
{
	struct waits *waits = ctx;

	waits->gaps++;
	waits->lossy = true;
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];

		change(waits, worker, ts_ns, PATH_UNKNOWN, 0);
		worker->submitted.id = UNKNOWN;
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
		change(waits, waits->workers->pdata[nr], to_ns, PATH_UNKNOWN, 0);
	if (worker != PATH_NOBODY)
		tell_until(waits, worker, to_ns);
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
