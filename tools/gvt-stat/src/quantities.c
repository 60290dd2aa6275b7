// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdint.h>

#include "quantities.h"

#define BIT(id)		(1u << (id))

struct quantity_desc {
	const char *name;
	uint32_t needs;
};

static const struct quantity_desc quantities[QUANTITY_COUNT] = {
	[QUANTITY_EXECUTION] = { "utilisation, execution",
		BIT(EVENT_WORKLOAD_START) | BIT(EVENT_WORKLOAD_STOP) },
	[QUANTITY_WAIT] = { "queue length, wait, latency",
		BIT(EVENT_WORKLOAD_QUEUE) | BIT(EVENT_WORKLOAD_START) |
		BIT(EVENT_WORKLOAD_STOP) | BIT(EVENT_WORKLOAD_COMPLETE) },
	[QUANTITY_ARRIVALS] = { "queued workloads", BIT(EVENT_WORKLOAD_QUEUE) },
	[QUANTITY_COMPLETIONS] = { "completed, failed and open workloads",
		BIT(EVENT_WORKLOAD_COMPLETE) },
	[QUANTITY_CANCELLED] = { "cancelled workloads", BIT(EVENT_WORKLOAD_CANCEL) },
	[QUANTITY_SLICES] = { "slices, time scheduled", BIT(EVENT_SCHED_SWITCH) },
	[QUANTITY_VGPUS] = { "weight, type, UUID and graphics memory of vGPUs",
		BIT(EVENT_VGPU_INFO) },
	[QUANTITY_SETTINGS] = { "settings of the scheduler", BIT(EVENT_SCHED_INFO) },
	[QUANTITY_SPT] = { "shadow page tables", BIT(EVENT_SPT_ALLOC) | BIT(EVENT_SPT_FREE) },
	[QUANTITY_GEM] = { "GEM objects", BIT(EVENT_GEM_CREATE) | BIT(EVENT_GEM_DESTROY) },
};

/*
 * An event whose format is in the file may have been off all the same. It was
 * if any of these was recorded, as they do not come without it; a short trace
 * may end between the two, so one alone proves nothing.
 */
static const uint32_t proofs[EVENT_COUNT] = {
	[EVENT_WORKLOAD_QUEUE] = BIT(EVENT_WORKLOAD_SUBMIT) | BIT(EVENT_WORKLOAD_COMPLETE),
	[EVENT_WORKLOAD_SUBMIT] = BIT(EVENT_WORKLOAD_START) | BIT(EVENT_WORKLOAD_STOP),
	[EVENT_WORKLOAD_START] = BIT(EVENT_WORKLOAD_STOP),
	[EVENT_WORKLOAD_STOP] = BIT(EVENT_WORKLOAD_START),
	[EVENT_WORKLOAD_COMPLETE] = BIT(EVENT_WORKLOAD_STOP),
};

#define PROOF_MIN	2

/* what is emitted all the time while it is enabled and there is a vGPU */
#define REGULAR		(BIT(EVENT_VGPU_INFO) | BIT(EVENT_SCHED_INFO) | BIT(EVENT_SCHED_SWITCH))

static bool proven_off(const struct trace_info *info, enum event_id id)
{
	if (REGULAR & BIT(id))
		return true;
	for (enum event_id other = 0; other < EVENT_COUNT; other++)
		if ((proofs[id] & BIT(other)) && info->recorded[other] >= PROOF_MIN)
			return true;
	return false;
}

static bool is_needed(enum event_id id)
{
	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++)
		if (quantity_needs(quantity, id))
			return true;
	return false;
}

const char *event_missing(const struct trace_info *info, enum event_id id)
{
	if (!is_needed(id))
		return NULL;
	if (!info->described[id])
		return "not in the file";
	if (!info->recorded[id] && proven_off(info, id))
		return "none recorded";
	return NULL;
}

bool quantity_needs(enum quantity quantity, enum event_id id)
{
	return quantities[quantity].needs & BIT(id);
}

bool quantity_known(const struct trace_info *info, enum quantity quantity)
{
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (quantity_needs(quantity, id) && event_missing(info, id))
			return false;
	return true;
}

const char *quantity_name(enum quantity quantity)
{
	return quantities[quantity].name;
}
