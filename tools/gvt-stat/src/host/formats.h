/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats of kvmgt's documented events, for traces that no kernel recorded.
 */
#ifndef GVT_STAT_FORMATS_H
#define GVT_STAT_FORMATS_H

#include <glib.h>

/**
 * formats_read - what tracefs has in a file
 * @file: "events/SYSTEM/EVENT/format", "events/header_page" or "events/header_event"
 *
 * Returns NULL if there is none here; the caller frees with g_free().
 */
char *formats_read(const char *file);

/**
 * formats_events - all events that have a format here
 *
 * Returns an array of struct preset_event that frees them.
 */
GPtrArray *formats_events(void);

#endif
