/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows a trace in the user's browser.
 */
#ifndef GVT_STAT_BROWSE_H
#define GVT_STAT_BROWSE_H

#include <stdbool.h>

/**
 * browse_page - open a page with xdg-open, as the user who called sudo, if any
 *
 * Reports the result on stderr; without a display, reports the page's path instead.
 */
void browse_page(const char *page);

/**
 * browse_trace - create a trace's page (gvt-stat export) beside the trace, and open it
 * @path: of the trace; the page has the same name with another ending
 *
 * Returns false if the page cannot be created, after a message on stderr.
 */
bool browse_trace(const char *path);

#endif
