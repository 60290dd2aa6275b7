/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events each quantity requires, and so which are unknown if a trace lacks some.
 */
#ifndef GVTTRACE_QUANTITIES_H
#define GVTTRACE_QUANTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "info.h"

/* quantities that traces may provide */
enum quantity {
	QUANTITY_EXECUTION,
	QUANTITY_WAIT,
	QUANTITY_ARRIVALS,
	QUANTITY_COMPLETIONS,
	QUANTITY_CANCELLED,
	QUANTITY_SLICES,
	QUANTITY_SPLIT,
	QUANTITY_IDLE,
	QUANTITY_BLAME,
	QUANTITY_HOST,
	QUANTITY_VGPUS,
	QUANTITY_SETTINGS,
	QUANTITY_SPT,
	QUANTITY_GEM,
	QUANTITY_GUEST,
	QUANTITY_PREEMPTION,
	QUANTITY_RUNNABLE,
	QUANTITY_VMS,
	QUANTITY_PATH,
	QUANTITY_WAKERS,
	QUANTITY_THREADS,
	QUANTITY_ENERGY,
	QUANTITY_COUNT
};

/* a set of quantities, of QUANTITY_BIT()s */
typedef uint64_t quantity_set;

/* the set of one quantity */
#define QUANTITY_BIT(quantity)	((quantity_set)1 << (quantity))

/**
 * quantity_known - does the trace have the events for this quantity?
 * @info: of a trace that was read to its end
 */
bool quantity_known(const struct trace_info *info, enum quantity quantity);

/**
 * quantity_partly_known - does it at least have those for the quantity with unknown reasons?
 */
bool quantity_partly_known(const struct trace_info *info, enum quantity quantity);

/**
 * workloads_left_out - number of workloads queued during, but missing in the trace, <= INT64_MAX
 * @info: of a trace that was read to its end
 *
 * A filter left them out, or tracing was off when they were queued. Returns 0 if the number is
 * explained by the ends of the trace, or if events were lost.
 */
uint64_t workloads_left_out(const struct trace_info *info);

/**
 * quantity_name - its name in reports
 */
const char *quantity_name(enum quantity quantity);

/**
 * quantity_needs - does the quantity require this event?
 */
bool quantity_needs(enum quantity quantity, enum event_id id);

/**
 * quantities_need - all events that these quantities require
 */
event_set quantities_need(quantity_set quantities);

/**
 * event_missing - why an expected event is missing
 *
 * Returns "not in the file" if the trace does not describe the event, "none
 * recorded" if there is none although others imply it, and NULL if nothing is
 * missing. Valid only for events that were read.
 */
const char *event_missing(const struct trace_info *info, enum event_id id);

#endif
