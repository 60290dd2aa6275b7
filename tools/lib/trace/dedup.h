/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds events that were recorded in several buffers.
 *
 * An event enabled in more than one tracing instance is recorded in each of
 * their buffers, some hundred nanoseconds apart, but must count once. Two
 * records are the same occurrence if they are of the same event and CPU, from
 * different buffers, with equal contents, and in the same order among those of
 * their buffer. Instances that divide the events among them (by filters, say)
 * are not affected.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEDUP_H
#define GVTTRACE_DEDUP_H

#include <stdbool.h>

#include "events.h"

struct dedup;

/**
 * dedup_new - an empty history; dedup_free() frees
 * @cpus, @buffers: how many there are
 */
struct dedup *dedup_new(int cpus, int buffers);
void dedup_free(struct dedup *dedup);

/**
 * dedup_is_repeated - was this occurrence already seen in another buffer?
 * @buffer: number of the buffer, from 0
 * @event: as decoded: raw records have garbage between their fields
 */
bool dedup_is_repeated(struct dedup *dedup, int buffer, const struct event *event);

#endif
