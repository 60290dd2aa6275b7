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
	fprintf(stderr, "\rgvt-stat: %.1f million events, %.1f s of the trace\033[K",
		trace->records / 1e6,
		(double)(trace->end_ns - trace->start_ns) / NSEC_PER_SEC);
	shown = true;
}

void progress_alive(const struct trace_info *trace)
{
	gint64 now_us = g_get_monotonic_time();

	if (silent)
		return;
	if (!next_us) {
		silent = !can_draw(STDERR_FILENO);
		next_us = now_us + G_USEC_PER_SEC;
	}
	if (now_us < next_us || silent)
		return;
	next_us = now_us + INTERVAL_US;
	show(trace);
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
