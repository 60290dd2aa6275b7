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

/* a workload, and when something of it was told too late or too early; id UNKNOWN: none */
struct late {
	int64_t id;
	int64_t ns;
};

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
	/*
	 * Clocks of CPUs differ: what one tells may come after what follows it on another one.
	 * Of a thread: it is on so many CPUs by what they have told, and on which it came last.
	 */
	int nr_cpus;
	int cpu;
	enum path_label left;		/* one of several: as what; PATH_UNKNOWN: none yet */
	int64_t left_ns;
	int64_t unwoken_ns;		/* slept and ran before its waking was told; or UNKNOWN */
	int64_t woken_ns;		/* told while it did not sleep; or UNKNOWN */
	bool woken;			/* sleeps, and that may be of this sleep */
	struct workload_key ended;	/* before it was submitted, perhaps */
	/* of an engine: workloads of which the stop is to come, and of which it came too early */
	struct late late;
	struct late early;
};

/* who is on a CPU, and how deep it is in handlers */
struct cpu {
	struct worker *worker;		/* NULL: nobody, or not known */
	enum path_label label;		/* PATH_RUNS or PATH_GUEST */
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
	int nr_cpus;			/* of which there are events */
	uint64_t intervals;		/* in rows */
	int gaps;
	bool lossy;			/* there was one */
	bool wakings;			/* sched_waking is recorded */
	bool skewed;			/* the clocks of CPUs differ */
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
		.submitted.id = UNKNOWN, .engine = PATH_NOBODY, .ended.id = UNKNOWN,
		.unwoken_ns = UNKNOWN, .woken_ns = UNKNOWN, .left = PATH_UNKNOWN,
		.late.id = UNKNOWN, .early.id = UNKNOWN,
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

static void forget_until(struct waits *waits, int64_t ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		GArray *row = ((struct worker *)waits->workers->pdata[nr])->row;
		unsigned int old = path_first_after(row, ns);

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
	/* of what a thread waited for before its first event nothing is told */
	forget_until(waits, worker ? waits->told_ns : ts_ns);
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

/* May it be of an event that was told at @other_ns in another order? */
static bool is_near(int64_t ts_ns, int64_t other_ns)
{
	return known(other_ns) && ts_ns - other_ns <= SKEW_MAX_NS;
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
	change(waits, worker, ts_ns, label, 0);
}

/* It is still on another CPU, or has come there already. */
static void go_on_elsewhere(struct waits *waits, struct worker *worker, int64_t ts_ns)
{
	for (int cpu = 0; cpu < waits->nr_cpus; cpu++)
		if (waits->cpus[cpu].worker == worker) {
			worker->cpu = cpu;
			change(waits, worker, ts_ns, waits->cpus[cpu].label, 0);
			return;
		}
}

/* Of two CPUs that it left at about the same time the order is not certain. */
static enum path_label label_after(const struct worker *worker, enum path_label label,
				   int64_t ts_ns)
{
	bool sure = worker->left == PATH_UNKNOWN || worker->left == label ||
		    !is_near(ts_ns, worker->left_ns);

	return sure ? label : PATH_UNKNOWN;
}

/* Does it show that clocks differ? */
static bool is_skewed(const struct waits *waits)
{
	return waits->skewed || model_skew(waits->follow->model)->events;
}

/* It is off this CPU; if it is on another one, by what was told, it goes on there. */
static void leave(struct waits *waits, struct worker *worker, int cpu, enum path_label label,
		  int64_t ts_ns)
{
	struct worker **on_cpu = &waits->cpus[cpu].worker;

	if (*on_cpu == worker) {
		*on_cpu = NULL;
		worker->nr_cpus--;
	}
	if (!worker->nr_cpus) {
		change(waits, worker, ts_ns, label_after(worker, label, ts_ns), 0);
		worker->woken = is_skewed(waits) && is_near(ts_ns, worker->woken_ns);
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

/* It runs, and its waking has not been told: that may come while it sleeps again. */
static void note_unwoken(struct waits *waits, struct worker *worker, int64_t ts_ns)
{
	if (worker->label != PATH_BLOCKED || !waits->wakings)
		return;
	worker->unwoken_ns = ts_ns;
	waits->skewed = true;
}

static void on_task_switch(struct waits *waits, const struct event *event)
{
	const struct task_switch_event *task = &event->task_switch;
	struct worker *prev = get_thread(waits, task->prev_pid);
	struct worker *next = get_thread(waits, task->next_pid);
	struct cpu *cpu = &waits->cpus[event->cpu];

	note_switch(waits, event->cpu);
	set_name(prev, task->prev_comm);
	set_name(next, task->next_comm);
	if (prev)
		leave(waits, prev, event->cpu,
		      task->prev_state & STATE_MASK ? PATH_BLOCKED : PATH_PREEMPTED, event->ts_ns);
	/* that it left was lost */
	if (cpu->worker)
		cpu->worker->nr_cpus--;
	cpu->worker = NULL;
	if (!next)
		return;
	note_unwoken(waits, next, event->ts_ns);
	come(waits, next, event->cpu, PATH_RUNS, event->ts_ns);
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

/* Those who were woken up just before the first sched_waking, by whom is known only now. */
static void doubt_wakeups(struct waits *waits, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		const struct worker *worker = waits->workers->pdata[nr];
		struct path_interval *last;

		if (!worker->row->len)
			continue;
		last = &g_array_index(worker->row, struct path_interval, worker->row->len - 1);
		if (worker->label == PATH_RUNNABLE && is_near(ts_ns, last->to_ns)) {
			last->label = PATH_UNKNOWN;
			last->waker = PATH_NOBODY;
		}
	}
}

/* Was this end of a sleep perhaps told of another one? */
static bool is_doubtful(struct worker *worker, int64_t ts_ns)
{
	bool doubtful = worker->woken || is_near(ts_ns, worker->unwoken_ns);

	worker->unwoken_ns = UNKNOWN;
	return doubtful;
}

/* sched_waking comes first, in the waker's context; sched_wakeup may be elsewhere */
static void on_wakeup(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->wakeup.pid);

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
		change(waits, worker, event->ts_ns, PATH_UNKNOWN, 0);
	} else if (worker->label == PATH_BLOCKED) {
		note_waker(waits, worker, event);
		change(waits, worker, event->ts_ns, PATH_RUNNABLE, 0);
	} else {
		worker->woken_ns = event->ts_ns;
	}
}

/* What is told of a CPU that it has left is told too late, and of one to come to too early. */
static void on_vcpu(struct waits *waits, const struct event *event, enum path_label label)
{
	struct worker *worker = get_thread(waits, event->pid);
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
		change(waits, worker, event->ts_ns, label, 0);
}

static void on_entry(struct waits *waits, const struct event *event)
{
	on_vcpu(waits, event, PATH_GUEST);
}

static void on_exit_guest(struct waits *waits, const struct event *event)
{
	on_vcpu(waits, event, PATH_RUNS);
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
	if (!worker || is_this(&worker->ended, event))
		return;
	worker->submitted = key_of(event);
	worker->engine = engine->nr;
}

/* Is it about this workload, and told in another order than it was? Then it is taken. */
static bool take_late(struct late *late, const struct event *event)
{
	bool is = known(late->id) && late->id == event->workload.workload_id &&
		  is_near(event->ts_ns, late->ns);

	if (is)
		late->id = UNKNOWN;
	return is;
}

static void on_start(struct waits *waits, const struct event *event)
{
	struct worker *engine = get_engine(waits, &event->workload);

	if (take_late(&engine->early, event))
		return;
	if (engine->label == PATH_EXECUTES)
		engine->late = (struct late) { engine->detail, event->ts_ns };
	change(waits, engine, event->ts_ns, PATH_EXECUTES, event->workload.workload_id);
	engine->vgpu_id = event->workload.vgpu_id;
}

/* Another one may be on the engine: its start, or the stop of this one, was told too late. */
static enum path_label label_stopped(const struct worker *engine, int64_t ts_ns)
{
	return known(engine->late.id) && is_near(ts_ns, engine->late.ns) ? PATH_UNKNOWN : PATH_IDLE;
}

/* A late stop of a workload must not end the next one's execution. */
static void on_stop(struct waits *waits, const struct event *event)
{
	struct worker *engine = get_engine(waits, &event->workload);
	bool late = take_late(&engine->late, event);
	bool executes = engine->label == PATH_EXECUTES;

	if (late && executes)
		return;
	if (!late && engine->label != PATH_UNKNOWN &&
	    !(executes && engine->detail == event->workload.workload_id))
		engine->early = (struct late) { event->workload.workload_id, event->ts_ns };
	else
		change(waits, engine, event->ts_ns, label_stopped(engine, event->ts_ns), 0);
}

static void on_end(struct waits *waits, const struct event *event)
{
	struct worker *worker = get_thread(waits, event->pid);
	const struct workload_key wanted = { waits->workload.dev, waits->workload.id };

	if (worker)
		worker->ended = key_of(event);
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
	struct waits *waits = ctx;
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

	if (event->cpu < 0 || event->cpu >= MAX_CPUS)
		return;
	waits->nr_cpus = MAX(waits->nr_cpus, event->cpu + 1);
	handlers[event->id](waits, event);
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
