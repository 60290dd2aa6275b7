// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdint.h>

#include "hints.h"
#include "quantities.h"
#include "util.h"

struct quantity_desc {
	const char *name;
	event_set needs;
	event_set reasons;		/* of @needs, those that only reasons require */
	bool of_all_work;		/* also unknown if workloads were left out */
};

#define WORKLOAD_LIFE	(EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_SUBMIT) | \
			 EVENT_BIT(EVENT_WORKLOAD_START) | EVENT_BIT(EVENT_WORKLOAD_STOP) | \
			 EVENT_BIT(EVENT_WORKLOAD_COMPLETE))
/* turns, and remaining slices */
#define TURNS		(EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_SCHED_BALANCE))

static const struct quantity_desc quantities[QUANTITY_COUNT] = {
	[QUANTITY_EXECUTION] = { "utilisation, execution",
		EVENT_BIT(EVENT_WORKLOAD_START) | EVENT_BIT(EVENT_WORKLOAD_STOP) },
	[QUANTITY_WAIT] = { "queue length, wait, latency",
		EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_START) |
		EVENT_BIT(EVENT_WORKLOAD_STOP) | EVENT_BIT(EVENT_WORKLOAD_COMPLETE) },
	[QUANTITY_ARRIVALS] = { "queued workloads", EVENT_BIT(EVENT_WORKLOAD_QUEUE) },
	[QUANTITY_COMPLETIONS] = { "completed, failed and open workloads",
		EVENT_BIT(EVENT_WORKLOAD_COMPLETE) },
	[QUANTITY_CANCELLED] = { "cancelled workloads", EVENT_BIT(EVENT_WORKLOAD_CANCEL) },
	[QUANTITY_SLICES] = { "slices, time scheduled", EVENT_BIT(EVENT_SCHED_SWITCH) },
	[QUANTITY_SPLIT] = { "what the latency is made of", WORKLOAD_LIFE | TURNS },
	[QUANTITY_IDLE] = { "why engines were idle", WORKLOAD_LIFE | TURNS, TURNS,
		.of_all_work = true },
	[QUANTITY_BLAME] = { "who made whom wait",
		EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_SUBMIT) | TURNS, TURNS },
	[QUANTITY_HOST] = { "what the host itself executed, which may be in idle time and waits",
		EVENT_BIT(EVENT_HOST_START) | EVENT_BIT(EVENT_HOST_STOP) | EVENT_BIT(EVENT_HOST_STATE) },
	[QUANTITY_VGPUS] = { "weight, type, UUID and graphics memory of vGPUs",
		EVENT_BIT(EVENT_VGPU_INFO) },
	[QUANTITY_SETTINGS] = { "settings of the scheduler", EVENT_BIT(EVENT_SCHED_INFO) },
	[QUANTITY_SPT] = { "shadow page tables",
		EVENT_BIT(EVENT_SPT_ALLOC) | EVENT_BIT(EVENT_SPT_FREE) },
	[QUANTITY_GEM] = { "GEM objects", EVENT_BIT(EVENT_GEM_CREATE) | EVENT_BIT(EVENT_GEM_DESTROY) },
	[QUANTITY_GUEST] = { "time in the guest and in the VMM",
		EVENT_BIT(EVENT_KVM_ENTRY) | EVENT_BIT(EVENT_KVM_EXIT) },
	[QUANTITY_PREEMPTION] = { "preemptions, preempted time", EVENT_BIT(EVENT_TASK_SWITCH) },
	[QUANTITY_RUNNABLE] = { "runnable and blocked time",
		EVENT_BIT(EVENT_TASK_SWITCH) | EVENT_BIT(EVENT_TASK_WAKEUP) },
	[QUANTITY_PATH] = { "the critical path",
		EVENT_BIT(EVENT_TASK_SWITCH) | EVENT_BIT(EVENT_TASK_WAKEUP) |
		EVENT_BIT(EVENT_IRQ_ENTRY) | EVENT_BIT(EVENT_IRQ_EXIT) |
		EVENT_BIT(EVENT_SOFTIRQ_ENTRY) | EVENT_BIT(EVENT_SOFTIRQ_EXIT) |
		EVENT_BIT(EVENT_HRTIMER_ENTRY) | EVENT_BIT(EVENT_HRTIMER_EXIT) },
	[QUANTITY_WAKERS] = { "wakers that were on other CPUs", EVENT_BIT(EVENT_TASK_WAKING) },
	[QUANTITY_THREADS] = { "when threads were made", EVENT_BIT(EVENT_TASK_WAKEUP_NEW) },
	[QUANTITY_VMS] = { "the VM of a vCPU thread",
		EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_VGPU_INFO) },
	[QUANTITY_ENERGY] = { "energy of the GPU, as read by others", EVENT_BIT(EVENT_READ_MSR) },
};

/*
 * An event whose format is in the file may still have been disabled. It was if any
 * of these was recorded, as they imply it; a short trace may end between the two,
 * so one alone proves nothing.
 */
static const event_set proofs[EVENT_COUNT] = {
	[EVENT_WORKLOAD_QUEUE] = EVENT_BIT(EVENT_WORKLOAD_SUBMIT) | EVENT_BIT(EVENT_WORKLOAD_COMPLETE),
	[EVENT_WORKLOAD_SUBMIT] = EVENT_BIT(EVENT_WORKLOAD_START) | EVENT_BIT(EVENT_WORKLOAD_STOP),
	[EVENT_WORKLOAD_START] = EVENT_BIT(EVENT_WORKLOAD_STOP),
	[EVENT_WORKLOAD_STOP] = EVENT_BIT(EVENT_WORKLOAD_START),
	[EVENT_WORKLOAD_COMPLETE] = EVENT_BIT(EVENT_WORKLOAD_STOP),
	[EVENT_HOST_START] = EVENT_BIT(EVENT_HOST_STOP),
	[EVENT_HOST_STOP] = EVENT_BIT(EVENT_HOST_START),
	[EVENT_TASK_SWITCH] = EVENT_BIT(EVENT_TASK_WAKEUP) | EVENT_BIT(EVENT_KVM_EXIT),
	[EVENT_TASK_WAKEUP] = EVENT_BIT(EVENT_TASK_SWITCH),
	[EVENT_TASK_WAKING] = EVENT_BIT(EVENT_TASK_WAKEUP),
	[EVENT_KVM_ENTRY] = EVENT_BIT(EVENT_KVM_EXIT),
	[EVENT_KVM_EXIT] = EVENT_BIT(EVENT_KVM_ENTRY),
};

#define PROOF_MIN	2

/* workloads that had left their engines before the trace, one of each, complete without these */
#define EXECUTED_MIN	5

/* events emitted periodically while enabled and there is a vGPU */
#define REGULAR		(EVENT_BIT(EVENT_VGPU_INFO) | EVENT_BIT(EVENT_SCHED_INFO) | \
			 EVENT_BIT(EVENT_HOST_STATE))

/* policies with slices distribute them more often than this while there is a vGPU */
#define BALANCE_MAX_NS	(2 * NSEC_PER_SEC)

static bool proven_off(const struct trace_info *info, enum event_id id)
{
	if (REGULAR & EVENT_BIT(id))
		return true;
	/* a single vGPU may always have the turn, if the scheduler was traced at all */
	if (id == EVENT_SCHED_SWITCH)
		return info->hints->switched || !info->recorded[EVENT_SCHED_INFO];
	if (id == EVENT_WORKLOAD_START || id == EVENT_WORKLOAD_STOP) {
		if (info->hints->executed >= EXECUTED_MIN || info->hints->executed_whole >= PROOF_MIN)
			return true;
	}
	if (id == EVENT_HOST_START && info->hints->host_ran)
		return true;
	if (id == EVENT_SCHED_BALANCE)
		return info->hints->sliced && info->recorded[EVENT_SCHED_SWITCH] >= PROOF_MIN &&
		       info->end_ns - info->start_ns > BALANCE_MAX_NS;
	for (enum event_id other = 0; other < EVENT_COUNT; other++)
		if ((proofs[id] & EVENT_BIT(other)) && info->recorded[other] >= PROOF_MIN)
			return true;
	return false;
}

event_set quantities_need(quantity_set set)
{
	event_set needs = 0;

	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++)
		if (set & QUANTITY_BIT(quantity))
			needs |= quantities[quantity].needs;
	return needs;
}

const char *event_missing(const struct trace_info *info, enum event_id id)
{
	if (!info->described[id])
		return "not in the file";
	if (!info->recorded[id] && proven_off(info, id))
		return "none recorded";
	return NULL;
}

bool quantity_needs(enum quantity quantity, enum event_id id)
{
	return quantities[quantity].needs & EVENT_BIT(id);
}

static bool any_missing(const struct trace_info *info, event_set needs)
{
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (needs & EVENT_BIT(id) && event_missing(info, id))
			return true;
	return false;
}

/* At both ends of a trace, CPUs may not start and stop at once. */
#define LEFT_OUT_PART	20
#define LEFT_OUT_LEAST	8

/* ids of damaged traces are arbitrary; never more than INT64_MAX */
static uint64_t add_span(uint64_t span, const struct queued *queued)
{
	uint64_t more = (uint64_t)queued->last - (uint64_t)queued->first;

	return more < INT64_MAX - span ? span + more + 1 : INT64_MAX;
}

uint64_t workloads_left_out(const struct trace_info *info)
{
	uint64_t count = 0, span = 0;

	if (info->lost_gaps)
		return 0;
	for (int nr = 0; nr < info->hints->nr_queued; nr++) {
		const struct queued *queued = &info->hints->queued[nr];

		count += queued->count;
		span = add_span(span, queued);
	}
	return span > count + LEFT_OUT_LEAST && span - count > span / LEFT_OUT_PART ?
	       span - count : 0;
}

static bool lacks_work(const struct trace_info *info, enum quantity quantity)
{
	return quantities[quantity].of_all_work && workloads_left_out(info);
}

bool quantity_known(const struct trace_info *info, enum quantity quantity)
{
	return !any_missing(info, quantities[quantity].needs) && !lacks_work(info, quantity);
}

bool quantity_partly_known(const struct trace_info *info, enum quantity quantity)
{
	return !any_missing(info, quantities[quantity].needs & ~quantities[quantity].reasons) &&
	       !lacks_work(info, quantity);
}

const char *quantity_name(enum quantity quantity)
{
	return quantities[quantity].name;
}
