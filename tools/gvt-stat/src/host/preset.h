/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events a recording consists of.
 */
#ifndef GVT_STAT_PRESET_H
#define GVT_STAT_PRESET_H

#include <glib.h>

#define PRESET_DEFAULT	"gvt"
#define PRESET_NAMES	"gvt, gpu, simulate, full or none"

/* "system" and "event"; the strings are owned by whoever made the list */
struct preset_event {
	char *system;
	char *event;
};

/**
 * preset_new - no events yet: an array of struct preset_event that frees them
 */
GPtrArray *preset_new(void);

/**
 * preset_add - one more event, unless it is among them
 */
void preset_add(GPtrArray *events, const char *system, const char *name);

/**
 * preset_events - the events of a preset that this kernel has, and some more
 * @tracing: the tracefs directory
 * @preset: one of PRESET_NAMES
 * @more: "SYSTEM:EVENT" or "SYSTEM", ends with NULL; NULL: none
 *
 * Ends the program with the reason if the preset is unknown, an event without
 * which it means nothing is missing, or one of @more is. Tells on stderr which
 * others are missing. Returns an array of struct preset_event that frees them,
 * each event once.
 */
GPtrArray *preset_events(const char *tracing, const char *preset, char *const *more);

#endif
