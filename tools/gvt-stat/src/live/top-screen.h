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
	bool chosen;			/* the user wants engines, or none */
	int first;			/* row that is on top: scrolled down so far */
};

/**
 * top_screen_open - take over the terminal; it is given back at exit, too
 */
void top_screen_open(void);
void top_screen_close(void);

/**
 * top_screen_show - draw
 * @text: what is shown, as printed on plain output, lines ended by newlines
 * @fixed: so many lines of it, the titles last, stay when the rest is scrolled
 */
void top_screen_show(struct top_screen *screen, const char *text, int fixed);

/**
 * top_screen_holds - is there room for so many lines, and the status?
 */
bool top_screen_holds(int lines);

/**
 * top_screen_wait - take keys until the time comes
 * @until_us: of g_get_monotonic_time()
 * @quit: set when the user wants to leave
 *
 * Returns true when the view changed, and before the time.
 */
bool top_screen_wait(struct top_screen *screen, int64_t until_us, bool *quit);

#endif
