/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Submissions that nothing prompted, or of whose vGPU it was not the turn: the event that ought to
 * be before them is not in the trace.
 *
 * A workload is submitted when it is queued, when the one before it has completed, or when its
 * vGPU has its turn.
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

/* the events that are looked at */
#define PROMPT_EVENTS	(EVENT_BIT(EVENT_WORKLOAD_QUEUE) | EVENT_BIT(EVENT_WORKLOAD_SUBMIT) | \
			 EVENT_BIT(EVENT_WORKLOAD_COMPLETE) | EVENT_BIT(EVENT_SCHED_SWITCH) | \
			 EVENT_BIT(EVENT_SCHED_BALANCE) | EVENT_BIT(EVENT_SCHED_HOLD) | \
			 EVENT_BIT(EVENT_SCHED_INFO))

/* clocks of CPUs that differ by more are broken: the model has the same limit */
#define LATE_NS		NSEC_PER_MSEC

struct prompts;
struct silence;
struct silences;

/**
 * prompts_new - nothing seen yet; prompts_free() frees
 * @silences: only what is missing in doubtful ones is looked for
 */
struct prompts *prompts_new(const struct silences *silences);
void prompts_free(struct prompts *prompts);

/**
 * prompts_event - one of PROMPT_EVENTS, in the order of time
 * @queue_ns: when its workload was queued, UNKNOWN if it is of none or that was not seen
 */
void prompts_event(struct prompts *prompts, const struct event *event, int64_t queue_ns);

/**
 * prompts_lost - a marked loss begins or ends: it explains what is missing
 */
void prompts_lost(struct prompts *prompts);

/**
 * prompts_missed - how many events are missing that were rather in the silence than elsewhere
 */
unsigned int prompts_missed(const struct prompts *prompts, const struct silence *silence);

#endif
