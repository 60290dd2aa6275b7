// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/reader.h"
#include "trace/util.h"
#include "blocks-private.h"
#include "inside.h"

/* more are damage; limits memory */
#define MAX_VCPUS	65536

/* further ones are merged: any process may preempt a vCPU */
#define MAX_PREEMPTORS	256
#define OTHERS		"others"

/*
 * prev_state of sched_switch: the low bits are TASK_REPORT states, 0 is running
 * (R), and a higher bit marks a preemption (R+): include/trace/events/sched.h
 */
#define STATE_MASK	0xff

/* a power of two */
#define MAX_RECENT	256

/* cached lookups of threads: most scheduler events are of a few threads */
struct recent {
	int64_t pid;
	struct vcpu *vcpu;		/* NULL: no vCPU */
};

struct vcpus {
	GHashTable *by_pid;		/* struct vcpu, owned by the list */
	GPtrArray *list;
	struct recent *recent;		/* MAX_RECENT, by the lowest bits of the thread's id */
	struct blocks *blocks;
	struct window window;
	int64_t start_ns;		/* of the trace */
	bool learns;			/* adds threads when they enter a guest */
	int gaps;			/* number of open gaps */
	int64_t gap_ns;			/* start of the open gaps */
	bool had_gap;
	bool missed;			/* a gap overlaps the window */
	/* NULL: no listener */
	void (*spent)(void *ctx, const struct vcpu *vcpu, int64_t from_ns, int64_t to_ns);
	void *ctx;
};

static void free_vcpu(void *data)
{
	struct vcpu *vcpu = data;

	g_ptr_array_free(vcpu->preemptors, TRUE);
	g_free(vcpu);
}

static struct recent *recent_of(const struct vcpus *vcpus, int64_t pid)
{
	return &vcpus->recent[pid & (MAX_RECENT - 1)];
}

static struct vcpu *find(const struct vcpus *vcpus, int64_t pid)
{
	struct recent *recent = recent_of(vcpus, pid);

	if (recent->pid != pid)
		*recent = (struct recent) { pid, g_hash_table_lookup(vcpus->by_pid, &pid) };
	return recent->vcpu;
}

static void add_vcpu(struct vcpus *vcpus, int64_t pid)
{
	struct vcpu *vcpu;

	if (!known(pid) || pid <= 0 || find(vcpus, pid))
		return;
	if (vcpus->list->len == MAX_VCPUS)
		fatal("the trace names more than %d vCPU threads: it is corrupted; record it again",
		      MAX_VCPUS);
	vcpu = g_new0(struct vcpu, 1);
	*vcpu = (struct vcpu) {
		.pid = pid, .vcpu_id = UNKNOWN, .dev = UNKNOWN, .vgpu_id = UNKNOWN,
		.state = VCPU_UNKNOWN, .preemptors = g_ptr_array_new_with_free_func(g_free),
	};
	g_ptr_array_add(vcpus->list, vcpu);
	g_hash_table_insert(vcpus->by_pid, &vcpu->pid, vcpu);
	*recent_of(vcpus, pid) = (struct recent) { pid, vcpu };
}

static void scan(void *ctx, int buffer, const struct event *event)
{
	(void)buffer;
	add_vcpu(ctx, event->pid);
}

static gint compare_vcpus(gconstpointer a, gconstpointer b)
{
	const struct vcpu *one = *(struct vcpu *const *)a, *two = *(struct vcpu *const *)b;

	return (one->pid > two->pid) - (one->pid < two->pid);
}

static void find_all(struct vcpus *vcpus, const struct follow *follow)
{
	const struct reader_options options = {
		.events = EVENT_BIT(EVENT_KVM_ENTRY) | EVENT_BIT(EVENT_KVM_EXIT),
		.any_events = true,
		.alive = follow->selection->alive,
	};
	struct reader *reader = reader_again(follow->reader, &options);

	reader_scan(reader, scan, vcpus);
	reader_close(reader);
	g_ptr_array_sort(vcpus->list, compare_vcpus);
}

struct vcpus *vcpus_new(const struct follow *follow)
{
	struct vcpus *vcpus = g_new0(struct vcpus, 1);

	vcpus->by_pid = g_hash_table_new(g_int64_hash, g_int64_equal);
	vcpus->list = g_ptr_array_new_with_free_func(free_vcpu);
	vcpus->recent = g_new0(struct recent, MAX_RECENT);
	vcpus->learns = !follow;
	if (follow)
		find_all(vcpus, follow);
	return vcpus;
}

void vcpus_free(struct vcpus *vcpus)
{
	g_hash_table_destroy(vcpus->by_pid);
	g_ptr_array_free(vcpus->list, TRUE);
	g_free(vcpus->recent);
	g_free(vcpus);
}

static bool in_window(const struct vcpus *vcpus, int64_t ts_ns)
{
	return ts_ns >= vcpus->window.from_ns && ts_ns <= vcpus->window.to_ns;
}

static void add_preemption(struct preemptor *by, int64_t from_ns, int64_t to_ns)
{
	by->time_ns += to_ns - from_ns;
	if (to_ns - from_ns <= by->worst_ns)
		return;
	by->worst_ns = to_ns - from_ns;
	by->worst_at_ns = from_ns;
}

/* the time since the last change belongs to the present state */
static void account(struct vcpus *vcpus, struct vcpu *vcpu, int64_t ts_ns)
{
	int64_t from_ns = MAX(vcpu->since_ns, vcpus->window.from_ns);
	int64_t to_ns = MIN(ts_ns, vcpus->window.to_ns);

	vcpu->since_ns = MAX(vcpu->since_ns, ts_ns);
	if (to_ns <= from_ns)
		return;
	if (vcpus->spent)
		vcpus->spent(vcpus->ctx, vcpu, from_ns, to_ns);
	vcpu->time_ns[vcpu->state] += to_ns - from_ns;
	if (vcpu->state == VCPU_UNKNOWN && vcpus->had_gap) {
		vcpu->doubt_ns += to_ns - from_ns;
		blocks_add(vcpus->blocks, vcpu->doubt_line, from_ns, to_ns);
	}
	if (vcpu->state == VCPU_GUEST || vcpu->state == VCPU_VMM)
		blocks_add(vcpus->blocks, vcpu->line, from_ns, to_ns);
	if (vcpu->state == VCPU_PREEMPTED && vcpu->preemptor)
		add_preemption(vcpu->preemptor, from_ns, to_ns);
}

/*
 * enter - the thread changes its state
 * @before: the state that it must have been in, if it had no event
 *          since the trace began
 */
static void enter(struct vcpus *vcpus, struct vcpu *vcpu, int64_t ts_ns, enum vcpu_state state,
		  enum vcpu_state before)
{
	if (!vcpu->seen && !vcpus->had_gap)
		vcpu->state = before;
	vcpu->seen = true;
	account(vcpus, vcpu, ts_ns);
	/* while some CPU's events are lost, it may be in any state a moment later */
	vcpu->state = vcpus->gaps ? VCPU_UNKNOWN : state;
	vcpu->preemptor = NULL;
}

static void set_comm(char *comm, const char *text)
{
	if (!text || !*text)
		return;
	g_strlcpy(comm, text, COMM_LEN);
	make_printable(comm);
}

/* @pid: of a vCPU, or UNKNOWN */
static struct preemptor *get_preemptor(struct vcpu *victim, int64_t pid, const char *text)
{
	struct preemptor *preemptor;
	char comm[COMM_LEN] = "";

	set_comm(comm, text);
	if (victim->preemptors->len >= MAX_PREEMPTORS) {
		pid = UNKNOWN;
		set_comm(comm, OTHERS);
	}
	for (unsigned int nr = 0; nr < victim->preemptors->len; nr++) {
		preemptor = victim->preemptors->pdata[nr];
		if (preemptor->pid == pid && (known(pid) || !strcmp(preemptor->comm, comm)))
			return preemptor;
	}
	preemptor = g_new0(struct preemptor, 1);
	preemptor->pid = pid;
	set_comm(preemptor->comm, comm);
	g_ptr_array_add(victim->preemptors, preemptor);
	return preemptor;
}

/* A newly found vCPU thread may be among earlier preemptors: name it there, too. */
static void name_preemptors(const struct vcpus *vcpus, const struct vcpu *found)
{
	for (unsigned int nr = 0; nr < vcpus->list->len; nr++) {
		struct vcpu *vcpu = vcpus->list->pdata[nr];
		struct preemptor *by = vcpu->preemptor;

		if (!by || vcpu->preempted_by != found->pid)
			continue;
		vcpu->preemptor = get_preemptor(vcpu, found->pid, by->comm);
		vcpu->preemptor->count += vcpu->counted;
		by->count -= vcpu->counted;
	}
}

static void add_lines(const struct vcpus *vcpus, struct vcpu *vcpu)
{
	vcpu->line = blocks_add_line(vcpus->blocks);
	vcpu->doubt_line = blocks_add_line(vcpus->blocks);
}

static struct vcpu *find_or_learn(struct vcpus *vcpus, int64_t pid)
{
	struct vcpu *vcpu = find(vcpus, pid);

	if (vcpu || !vcpus->learns)
		return vcpu;
	add_vcpu(vcpus, pid);
	vcpu = find(vcpus, pid);
	if (!vcpu)
		return NULL;
	vcpu->seen = true;
	vcpu->since_ns = vcpus->start_ns;
	add_lines(vcpus, vcpu);
	name_preemptors(vcpus, vcpu);
	return vcpu;
}

static void on_entry(struct vcpus *vcpus, const struct event *event)
{
	struct vcpu *vcpu = find_or_learn(vcpus, event->pid);

	if (!vcpu)
		return;
	enter(vcpus, vcpu, event->ts_ns, VCPU_GUEST, VCPU_VMM);
	vcpu->vcpu_id = known(event->kvm.vcpu_id) ? event->kvm.vcpu_id : vcpu->vcpu_id;
}

/* Before an exit without a traced entry it was in the guest. */
static void on_exit_guest(struct vcpus *vcpus, const struct event *event)
{
	struct vcpu *vcpu = find_or_learn(vcpus, event->pid);

	if (!vcpu)
		return;
	enter(vcpus, vcpu, event->ts_ns, VCPU_VMM, VCPU_GUEST);
	vcpu->vcpu_id = known(event->kvm.vcpu_id) ? event->kvm.vcpu_id : vcpu->vcpu_id;
	vcpu->exits += in_window(vcpus, event->ts_ns);
}

static void preempt(struct vcpus *vcpus, struct vcpu *vcpu, const struct event *event)
{
	const struct task_switch_event *task = &event->task_switch;
	bool is_vcpu = find(vcpus, task->next_pid);

	enter(vcpus, vcpu, event->ts_ns, VCPU_PREEMPTED, VCPU_VMM);
	vcpu->preempted_by = task->next_pid;
	vcpu->counted = in_window(vcpus, event->ts_ns);
	vcpu->preemptor = get_preemptor(vcpu, is_vcpu ? task->next_pid : UNKNOWN, task->next_comm);
	vcpu->preemptor->count += vcpu->counted;
	vcpu->preemptions += vcpu->counted;
}

static void on_task_switch(struct vcpus *vcpus, const struct event *event)
{
	const struct task_switch_event *task = &event->task_switch;
	struct vcpu *prev = find(vcpus, task->prev_pid);
	struct vcpu *next = find(vcpus, task->next_pid);

	if (prev) {
		set_comm(prev->comm, task->prev_comm);
		if (task->prev_state & STATE_MASK)
			enter(vcpus, prev, event->ts_ns, VCPU_BLOCKED, VCPU_VMM);
		else
			preempt(vcpus, prev, event);
	}
	if (next) {
		set_comm(next->comm, task->next_comm);
		/* it may have been preempted, or woken up, before the trace began */
		enter(vcpus, next, event->ts_ns, VCPU_VMM, VCPU_UNKNOWN);
	}
}

/*
 * A wake-up of a thread that is not asleep changes nothing: after lost events it
 * does not show whether the thread waits for a CPU, or has one.
 */
static void on_wakeup(struct vcpus *vcpus, const struct event *event)
{
	struct vcpu *vcpu = find(vcpus, event->wakeup.pid);

	if (!vcpu)
		return;
	set_comm(vcpu->comm, event->wakeup.comm);
	if (vcpu->state == VCPU_BLOCKED || (!vcpu->seen && !vcpus->had_gap))
		enter(vcpus, vcpu, event->ts_ns, VCPU_RUNNABLE, VCPU_BLOCKED);
}

static void on_queue(struct vcpus *vcpus, const struct event *event)
{
	struct vcpu *vcpu = find(vcpus, event->pid);

	if (!vcpu)
		return;
	vcpu->dev = event->workload.dev;
	vcpu->vgpu_id = event->workload.vgpu_id;
}

static void on_event(void *ctx, const struct event *event)
{
	static void (*const handlers[EVENT_COUNT])(struct vcpus *, const struct event *) = {
		[EVENT_WORKLOAD_QUEUE] = on_queue,
		[EVENT_TASK_SWITCH] = on_task_switch,
		[EVENT_TASK_WAKEUP] = on_wakeup,
		[EVENT_KVM_ENTRY] = on_entry,
		[EVENT_KVM_EXIT] = on_exit_guest,
	};

	handlers[event->id](ctx, event);
}

static void on_lost(void *ctx, int64_t ts_ns)
{
	struct vcpus *vcpus = ctx;

	/* set first, as events before a thread's first one may have been lost, too */
	vcpus->had_gap = true;
	for (unsigned int nr = 0; nr < vcpus->list->len; nr++) {
		struct vcpu *vcpu = vcpus->list->pdata[nr];

		account(vcpus, vcpu, ts_ns);
		vcpu->state = VCPU_UNKNOWN;
		vcpu->preemptor = NULL;
	}
	if (!vcpus->gaps++)
		vcpus->gap_ns = ts_ns;
}

static void end_gap(struct vcpus *vcpus, int64_t ts_ns)
{
	vcpus->missed |= vcpus->gap_ns <= vcpus->window.to_ns && ts_ns >= vcpus->window.from_ns;
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct vcpus *vcpus = ctx;

	if (!--vcpus->gaps)
		end_gap(vcpus, ts_ns);
}

void vcpus_follow(struct vcpus *vcpus, struct follow *follow, struct blocks *blocks)
{
	vcpus->window = follow->window;
	vcpus->start_ns = follow->trace->start_ns;
	vcpus->blocks = blocks;
	for (unsigned int nr = 0; nr < vcpus->list->len; nr++) {
		struct vcpu *vcpu = vcpus->list->pdata[nr];

		vcpu->since_ns = vcpus->start_ns;
		add_lines(vcpus, vcpu);
	}
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_TASK_SWITCH) |
			  EVENT_BIT(EVENT_TASK_WAKEUP) | EVENT_BIT(EVENT_KVM_ENTRY) |
			  EVENT_BIT(EVENT_KVM_EXIT),
		.event = on_event, .lost = on_lost, .found = on_found, .ctx = vcpus,
	});
}

void vcpus_listen(struct vcpus *vcpus,
		  void (*spent)(void *ctx, const struct vcpu *vcpu, int64_t from_ns, int64_t to_ns),
		  void *ctx)
{
	vcpus->spent = spent;
	vcpus->ctx = ctx;
}

void vcpus_finish(struct vcpus *vcpus, struct window window)
{
	vcpus->window = window;
	g_ptr_array_sort(vcpus->list, compare_vcpus);
	if (vcpus->gaps)
		end_gap(vcpus, window.to_ns);
	for (unsigned int nr = 0; nr < vcpus->list->len; nr++) {
		struct vcpu *vcpu = vcpus->list->pdata[nr];

		account(vcpus, vcpu, window.to_ns);
		vcpu->missed = vcpus->missed;
		vcpu->tainted = vcpu->missed || vcpu->doubt_ns;
	}
}

const GPtrArray *vcpus_list(const struct vcpus *vcpus)
{
	return vcpus->list;
}

const struct vcpu *vcpus_find(const struct vcpus *vcpus, int64_t pid)
{
	return find(vcpus, pid);
}

bool vcpus_lost(const struct vcpus *vcpus)
{
	return vcpus->had_gap;
}

bool vcpus_missed(const struct vcpus *vcpus)
{
	return vcpus->missed;
}
