/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 'gvt-stat top' on a terminal.
 */
#ifndef GVT_STAT_TOP_SCREEN_H
#define GVT_STAT_TOP_SCREEN_H

#include <stdbool.h>

#include "top-rows.h"

#define TOP_FILTER_LEN	64

struct top_screen {
	struct top_view view;
	char filter[TOP_FILTER_LEN];	/* text that view.vm points to when there is one */
	bool typing;			/* a filter is being typed */
};

/**
 * top_screen_open - take over the terminal; it is given back at exit, too
 */
void top_screen_open(void);
void top_screen_close(void);

/**
 * top_screen_show - draw
 * @text: what is shown, as printed on plain output, lines ended by newlines
 */
void top_screen_show(const struct top_screen *screen, const char *text);

/**
 * top_screen_wait - take keys until the time comes
 * @until_us: of g_get_monotonic_time()
 * @quit: set when the user wants to leave
 *
 * Returns true when the view changed, and before the time.
 */
bool top_screen_wait(struct top_screen *screen, int64_t until_us, bool *quit);

#endif
