/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that were recorded in several buffers.
 *
 * When an event is enabled in more than one tracing instance, every occurrence
 * is in each of their buffers, some hundred nanoseconds apart. It must count
 * once. Two records are the same occurrence if they are of the same event and
 * CPU, from different buffers, with equal contents, and in the same order among
 * those of their buffer. Instances that only share out the events (by filters,
 * say) are not affected.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEDUP_H
#define GVTTRACE_DEDUP_H

#include <stdbool.h>

#include "events.h"

struct dedup;

/**
 * dedup_new - forget nothing yet
 * @cpus, @buffers: how many there are
 */
struct dedup *dedup_new(int cpus, int buffers);
void dedup_free(struct dedup *dedup);

/**
 * dedup_is_repeated - was this occurrence seen in another buffer already?
 * @buffer: number of the buffer, from 0
 * @event: as decoded, for records hold garbage between their fields
 */
bool dedup_is_repeated(struct dedup *dedup, int buffer, const struct event *event);

#endif
