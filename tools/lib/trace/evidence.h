/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds steps that are missing in workloads' lives, although later ones are traced and no
 * loss is marked: evidence of a CPU that was not recorded.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_EVIDENCE_H
#define GVTTRACE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "events.h"
#include "prompts.h"

/* the events used */
#define EVIDENCE_EVENTS	((EVENT_BIT(EVENT_WORKLOAD_CANCEL + 1) - 1) | \
			 EVENT_BIT(EVENT_WORKLOAD_STATE) | PROMPT_EVENTS)

struct evidence;
struct silence;
struct silences;

/**
 * evidence_new - no events yet; evidence_free() frees
 * @silences: look only for events missing in doubtful ones
 */
struct evidence *evidence_new(const struct silences *silences);
void evidence_free(struct evidence *evidence);

/**
 * evidence_event - process one of EVIDENCE_EVENTS, in chronological order
 */
void evidence_event(struct evidence *evidence, const struct event *event);

/**
 * evidence_lost - a marked loss begins or ends: it explains missing events of all live workloads
 */
void evidence_lost(struct evidence *evidence, bool begins);

/**
 * evidence_end - end of the events
 * @goes_on: the trace continues, but is not examined further
 */
void evidence_end(struct evidence *evidence, int64_t end_ns, bool goes_on);

/**
 * evidence_missed - does the silence lack more events than chance explains?
 *
 * Counts only kinds of events that the trace contains.
 */
bool evidence_missed(const struct evidence *evidence, const struct silence *silence);

#endif
