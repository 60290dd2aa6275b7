/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which steps in the lives of workloads are not in a trace although later ones are, where no
 * loss is marked: what a CPU has not recorded shows by that.
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

/* the events that are looked at */
#define EVIDENCE_EVENTS	((EVENT_BIT(EVENT_WORKLOAD_CANCEL + 1) - 1) | \
			 EVENT_BIT(EVENT_WORKLOAD_STATE) | PROMPT_EVENTS)

struct evidence;
struct silence;
struct silences;

/**
 * evidence_new - nothing seen yet; evidence_free() frees
 * @silences: only what is missing in doubtful ones is looked for
 */
struct evidence *evidence_new(const struct silences *silences);
void evidence_free(struct evidence *evidence);

/**
 * evidence_event - one of EVIDENCE_EVENTS, in the order of time
 */
void evidence_event(struct evidence *evidence, const struct event *event);

/**
 * evidence_lost - a marked loss begins or ends: it explains what is missing of all that is alive
 */
void evidence_lost(struct evidence *evidence, bool begins);

/**
 * evidence_end - nothing comes any more
 * @goes_on: the trace does, and is not looked at any further
 */
void evidence_end(struct evidence *evidence, int64_t end_ns, bool goes_on);

/**
 * evidence_missed - were there more missing events in the silence than by chance?
 *
 * Only of kinds of which there are some in the trace.
 */
bool evidence_missed(const struct evidence *evidence, const struct silence *silence);

#endif
