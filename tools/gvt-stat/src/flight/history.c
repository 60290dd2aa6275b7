// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "history.h"

struct page {
	int cpu;
	uint8_t data[];
};

struct reading {
	int64_t end_ns;
	GQueue pages;			/* struct page */
	int64_t *events;		/* of each CPU, at its end */
};

struct history {
	int cpus;
	size_t page_size;
	uint64_t bytes, most_bytes;
	GQueue readings;		/* struct reading, oldest first; the last one is the present one */
	int64_t since_ns;
	int64_t *forgotten;		/* events of each CPU */
	bool full;
};

static void begin_reading(struct history *history)
{
	struct reading *reading = g_new0(struct reading, 1);

	g_queue_init(&reading->pages);
	reading->events = g_new0(int64_t, history->cpus);
	g_queue_push_tail(&history->readings, reading);
}

static void free_reading(void *data)
{
	struct reading *reading = data;

	g_queue_clear_full(&reading->pages, g_free);
	g_free(reading->events);
	g_free(reading);
}

struct history *history_new(int cpus, size_t page_size, uint64_t most_bytes)
{
	struct history *history = g_new0(struct history, 1);

	history->cpus = cpus;
	history->page_size = page_size;
	history->most_bytes = most_bytes;
	history->forgotten = g_new0(int64_t, cpus);
	g_queue_init(&history->readings);
	begin_reading(history);
	return history;
}

void history_free(struct history *history)
{
	g_queue_clear_full(&history->readings, free_reading);
	g_free(history->forgotten);
	g_free(history);
}

static void note_events(struct history *history, int64_t *to, const int64_t *events)
{
	memcpy(to, events, sizeof(*to) * history->cpus);
}

void history_clear(struct history *history, int64_t now_ns, const int64_t *events)
{
	g_queue_clear_full(&history->readings, free_reading);
	history->bytes = 0;
	history->since_ns = now_ns;
	history->full = false;
	note_events(history, history->forgotten, events);
	begin_reading(history);
}

void history_add(struct history *history, int cpu, const void *data)
{
	struct reading *reading = g_queue_peek_tail(&history->readings);
	struct page *page = g_malloc(sizeof(*page) + history->page_size);

	page->cpu = cpu;
	memcpy(page->data, data, history->page_size);
	g_queue_push_tail(&reading->pages, page);
	history->bytes += history->page_size;
}

static void forget_oldest(struct history *history)
{
	struct reading *reading = g_queue_pop_head(&history->readings);

	history->since_ns = reading->end_ns;
	history->bytes -= reading->pages.length * history->page_size;
	note_events(history, history->forgotten, reading->events);
	free_reading(reading);
}

void history_end(struct history *history, int64_t now_ns, const int64_t *events)
{
	struct reading *reading = g_queue_peek_tail(&history->readings);

	reading->end_ns = now_ns;
	note_events(history, reading->events, events);
	while (history->bytes > history->most_bytes && history->readings.length > 1) {
		forget_oldest(history);
		history->full = true;
	}
	begin_reading(history);
}

void history_drop(struct history *history, int64_t before_ns)
{
	while (history->readings.length > 1 &&
	       ((struct reading *)history->readings.head->data)->end_ns < before_ns)
		forget_oldest(history);
}

int64_t history_since(const struct history *history)
{
	return history->since_ns;
}

int64_t history_events(const struct history *history, int cpu)
{
	const struct reading *last = history->readings.tail->prev ? history->readings.tail->prev->data : NULL;

	return last ? last->events[cpu] - history->forgotten[cpu] : 0;
}

uint64_t history_bytes(const struct history *history)
{
	return history->bytes;
}

bool history_full(const struct history *history)
{
	return history->full;
}

bool history_write(const struct history *history, int cpu, FILE *stream)
{
	for (const GList *link = history->readings.head; link; link = link->next) {
		const struct reading *reading = link->data;

		for (const GList *item = reading->pages.head; item; item = item->next) {
			const struct page *page = item->data;

			if (page->cpu == cpu)
				fwrite(page->data, history->page_size, 1, stream);
		}
	}
	return !fflush(stream) && !ferror(stream);
}
