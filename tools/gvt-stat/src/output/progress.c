// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "progress.h"

#define INTERVAL_US	(G_USEC_PER_SEC / 2)

static bool silent;
static bool shown;
static gint64 next_us;			/* 0: not started */

static void show(const struct trace_info *trace)
{
	fprintf(stderr, "\r%s: %.1f million events, %.1f s of the trace\033[K", message_program,
		trace->records / 1e6,
		(double)(trace->end_ns - trace->start_ns) / NSEC_PER_SEC);
	shown = true;
}

static bool is_due(void)
{
	gint64 now_us = g_get_monotonic_time();

	if (silent)
		return false;
	if (!next_us) {
		silent = !can_draw(STDERR_FILENO);
		next_us = now_us + G_USEC_PER_SEC;
	}
	if (now_us < next_us || silent)
		return false;
	next_us = now_us + INTERVAL_US;
	return true;
}

void progress_alive(const struct trace_info *trace)
{
	if (is_due())
		show(trace);
}

void progress_count(const char *what, unsigned int count)
{
	if (!is_due())
		return;
	fprintf(stderr, "\r%s: %u %s\033[K", message_program, count, what);
	shown = true;
}

void progress_done(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

void progress_silent(void)
{
	silent = true;
}
