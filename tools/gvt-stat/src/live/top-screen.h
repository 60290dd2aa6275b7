/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal interface of 'gvt-stat top'.
 */
#ifndef GVT_STAT_TOP_SCREEN_H
#define GVT_STAT_TOP_SCREEN_H

#include <stdbool.h>

#include "top-rows.h"

#define TOP_FILTER_LEN	64

/* of a line of the screen */
enum top_mark {
	TOP_MARK_NONE = ' ',
	TOP_MARK_TITLES = 't',		/* the titles of the columns */
	TOP_MARK_ILL = 'i',		/* of a VM that has done something wrong */
	TOP_MARK_WAITS = 'w',		/* of a VM that waits for long */
};

struct top_screen {
	struct top_view view;
	char filter[TOP_FILTER_LEN];	/* text for view.vm, if there is a filter */
	bool typing;			/* the user is typing a filter */
	bool chosen;			/* the user has chosen to show or hide engines */
	bool helping;			/* the keys are shown */
	int first;			/* first visible row, after scrolling */
};

/**
 * top_screen_open - take over the terminal until top_screen_close() or exit
 */
void top_screen_open(void);
void top_screen_close(void);

/**
 * top_screen_show - draw the screen
 * @text: lines that end with newlines
 * @marks: an enum top_mark for each line; colours are used if the terminal has them, and not NO_COLOR
 * @fixed: number of lines, the last with titles, that do not scroll
 */
void top_screen_show(struct top_screen *screen, const char *text, const char *marks, int fixed);

/**
 * top_screen_width - the columns of the screen
 */
int top_screen_width(void);

/**
 * top_screen_holds - is there room for this many lines and the status?
 */
bool top_screen_holds(int lines);

/**
 * top_screen_wait - handle keys until a time
 * @until_us: of g_get_monotonic_time()
 * @quit: set when the user quits
 *
 * Returns true if the view changed before that time.
 */
bool top_screen_wait(struct top_screen *screen, int64_t until_us, bool *quit);

#endif
