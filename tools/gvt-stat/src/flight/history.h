/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last pages of events of all CPUs, in memory.
 *
 * They come by readings: each empties the buffers of all CPUs. A reading is forgotten as a whole, so
 * that what is left is complete for all CPUs since the end of the last one that was forgotten.
 */
#ifndef GVT_STAT_HISTORY_H
#define GVT_STAT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct history;

/**
 * history_new, history_free - an empty history
 * @most_bytes: of pages; beyond that, the oldest readings are forgotten, but the last one stays
 */
struct history *history_new(int cpus, size_t page_size, uint64_t most_bytes);
void history_free(struct history *history);

/**
 * history_add - add a page to the present reading
 * @page: of page_size, is copied
 */
void history_add(struct history *history, int cpu, const void *page);

/**
 * history_end - the present reading is over
 * @events: of each CPU, how many were read since any moment
 */
void history_end(struct history *history, int64_t now_ns, const int64_t *events);

/**
 * history_drop - forget readings that ended before @before_ns
 */
void history_drop(struct history *history, int64_t before_ns);

/**
 * history_clear - forget all; the next reading begins now
 * @events: as above
 */
void history_clear(struct history *history, int64_t now_ns, const int64_t *events);

/**
 * history_since - the moment since which events of all CPUs are complete
 */
int64_t history_since(const struct history *history);

/**
 * history_events - how many events of a CPU there are
 */
int64_t history_events(const struct history *history, int cpu);

uint64_t history_bytes(const struct history *history);

/**
 * history_full - was a reading forgotten for lack of memory, since history_clear()?
 */
bool history_full(const struct history *history);

/**
 * history_write - write the pages of a CPU, oldest first
 *
 * Returns false with errno set on write errors.
 */
bool history_write(const struct history *history, int cpu, FILE *stream);

#endif
