/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clocks of CPUs that differ by microseconds: an event may come before the one that it
 * follows in its workload's life. Ids are not used twice, so that the order in a life is
 * certain, and what comes too early can be kept until the other one is there.
 *
 * Private to this room.
 */
#ifndef GVT_MODEL_SKEW_H
#define GVT_MODEL_SKEW_H

#include "model.h"

/**
 * skew_init, skew_clear - of what the model keeps
 */
void skew_init(struct skew *skew);
void skew_clear(struct skew *skew);

/**
 * skew_keep - an event comes too early, or its workload is not known at all
 *
 * It is copied.
 */
void skew_keep(struct skew *skew, const struct event *event);

/**
 * skew_take - take back the first event that was kept of a workload
 *
 * Returns false if there is none.
 */
bool skew_take(struct skew *skew, const struct workload_key *key, struct event *event);

/**
 * skew_has - was an event of this kind kept of a workload?
 */
bool skew_has(const struct skew *skew, enum event_id id, const struct workload_key *key);

/**
 * skew_bound - clocks do not differ by more, as far as the trace tells
 *
 * It is a multiple of the largest difference that shows, and between 0.1 and 1 ms.
 */
int64_t skew_bound(const struct skew *skew);

/**
 * skew_expired - an event that has been kept for longer than clocks can differ
 * @ts_ns: now; UNKNOWN at the end of the trace, for all
 *
 * Returns false if there is none.
 */
bool skew_expired(struct skew *skew, int64_t ts_ns, struct event *event);

/**
 * skew_note - an event at @ts_ns follows one at @after_ns in a life, but came before it
 */
void skew_note(struct skew *skew, int64_t ts_ns, int64_t after_ns);

#endif
