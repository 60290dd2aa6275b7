/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU clocks differ by microseconds, so an event may precede an earlier step of its
 * workload's life. Ids are not reused, so the order of steps is certain, and events that come
 * too early can be kept until their predecessor arrives.
 *
 * Private to this room.
 */
#ifndef GVT_MODEL_SKEW_H
#define GVT_MODEL_SKEW_H

#include "model.h"

/**
 * skew_init, skew_clear - initialize, free a struct skew
 */
void skew_init(struct skew *skew);
void skew_clear(struct skew *skew);

/**
 * skew_keep - keep a copy of an event that is too early or whose workload is unknown
 */
void skew_keep(struct skew *skew, const struct event *event);

/**
 * skew_take - remove and return the first kept event of a workload
 *
 * Returns false if there is none.
 */
bool skew_take(struct skew *skew, const struct workload_key *key, struct event *event);

/**
 * skew_has - is an event with this id kept for a workload?
 */
bool skew_has(const struct skew *skew, enum event_id id, const struct workload_key *key);

/**
 * skew_bound - the largest clock difference to expect, in ns
 *
 * A multiple of the largest observed difference, between 0.1 and 1 ms.
 */
int64_t skew_bound(const struct skew *skew);

/**
 * skew_expired - remove and return an event kept for longer than clocks can differ
 * @ts_ns: now; UNKNOWN at the end of the trace: every kept event has expired
 *
 * Returns false if there is none.
 */
bool skew_expired(struct skew *skew, int64_t ts_ns, struct event *event);

/**
 * skew_note - record that an event at @ts_ns came before its predecessor at @after_ns
 */
void skew_note(struct skew *skew, int64_t ts_ns, int64_t after_ns);

#endif
