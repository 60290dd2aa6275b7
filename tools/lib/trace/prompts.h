/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds submissions without a cause, or out of the vGPU's turn: the event that should precede
 * them is missing in the trace.
 *
 * A workload is submitted when it is queued, when the one before it has completed, or when its
 * vGPU gets its turn.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_PROMPTS_H
#define GVTTRACE_PROMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "events.h"
#include "util.h"

/* the events used */
#define PROMPT_EVENTS	(EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_SUBMIT) | \
			 EVENT_BIT(EVENT_WORKLOAD_COMPLETE) | EVENT_BIT(EVENT_SCHED_SWITCH) | \
			 EVENT_BIT(EVENT_SCHED_BALANCE) | EVENT_BIT(EVENT_SCHED_HOLD) | \
			 EVENT_BIT(EVENT_SCHED_INFO))

/* larger clock differences are damage: same limit as the model's */
#define LATE_NS		NSEC_PER_MSEC

struct prompts;
struct silence;
struct silences;

/**
 * prompts_new - no events yet; prompts_free() frees
 * @silences: look only for events missing in doubtful ones
 */
struct prompts *prompts_new(const struct silences *silences);
void prompts_free(struct prompts *prompts);

/**
 * prompts_event - process one of PROMPT_EVENTS, in chronological order
 * @queue_ns: when its workload was queued, UNKNOWN if not a workload event or not traced
 */
void prompts_event(struct prompts *prompts, const struct event *event, int64_t queue_ns);

/**
 * prompts_lost - a marked loss begins or ends: it explains missing events
 */
void prompts_lost(struct prompts *prompts);

/**
 * prompts_missed - number of missing events that were more likely in the silence than elsewhere
 */
unsigned int prompts_missed(const struct prompts *prompts, const struct silence *silence);

#endif
