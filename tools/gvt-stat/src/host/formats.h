/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats of kvmgt's documented events, for traces that were not recorded by a kernel.
 */
#ifndef GVT_STAT_FORMATS_H
#define GVT_STAT_FORMATS_H

#include <glib.h>

/**
 * formats_read - the content of a file in tracefs
 * @file: "events/SYSTEM/EVENT/format", "events/header_page" or "events/header_event"
 *
 * Returns NULL if formats.h does not have the file; the caller frees with g_free().
 */
char *formats_read(const char *file);

/**
 * formats_events - all events with a built-in format
 *
 * Returns an owning array of struct preset_event.
 */
GPtrArray *formats_events(void);

#endif
