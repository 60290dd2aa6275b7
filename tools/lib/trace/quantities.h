/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events each quantity is made of, and so what is unknown when a trace lacks some.
 */
#ifndef GVTTRACE_QUANTITIES_H
#define GVTTRACE_QUANTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "info.h"

/* what can be told of a trace */
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
	QUANTITY_COUNT
};

/* a set of quantities, of QUANTITY_BIT()s */
typedef uint64_t quantity_set;

/* the set of one quantity */
#define QUANTITY_BIT(quantity)	((quantity_set)1 << (quantity))

/**
 * quantity_known - can the trace tell this quantity?
 * @info: of a trace that was read to its end
 */
bool quantity_known(const struct trace_info *info, enum quantity quantity);

/**
 * quantity_partly_known - can it at least tell the quantity with unknown reasons?
 */
bool quantity_partly_known(const struct trace_info *info, enum quantity quantity);

/**
 * workloads_left_out - how many were queued meanwhile and are not in the trace; INT64_MAX at most
 * @info: of a trace that was read to its end
 *
 * A filter leaves them out, or they came while tracing was off. Returns 0 if there are no more
 * than may be so at both ends, or if events were lost.
 */
uint64_t workloads_left_out(const struct trace_info *info);

/**
 * quantity_name - in the words of the report
 */
const char *quantity_name(enum quantity quantity);

/**
 * quantity_needs - is the event one of those that make up the quantity?
 */
bool quantity_needs(enum quantity quantity, enum event_id id);

/**
 * quantities_need - all events that these quantities are made of
 */
event_set quantities_need(quantity_set quantities);

/**
 * event_missing - why an event that should be there is not
 *
 * Returns "not in the file" if the trace does not describe the event, "none
 * recorded" if there is none though others show that there should be, and NULL
 * if nothing is missing. Can be told only of events that were read.
 */
const char *event_missing(const struct trace_info *info, enum event_id id);

#endif
