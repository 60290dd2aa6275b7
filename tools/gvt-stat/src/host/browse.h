/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Showing a trace in the user's browser.
 */
#ifndef GVT_STAT_BROWSE_H
#define GVT_STAT_BROWSE_H

#include <stdbool.h>

/**
 * browse_page - open a page by xdg-open, as the user who called sudo, if one did
 *
 * What it did is told on stderr, or, without a display, where the page is.
 */
void browse_page(const char *page);

/**
 * browse_trace - make the page of a trace (gvt-stat export) beside it, and open that
 * @path: of the trace; the page has its name, with another ending
 *
 * Returns false if the page cannot be made; that was told on stderr, then.
 */
bool browse_trace(const char *path);

#endif
