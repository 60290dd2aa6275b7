/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a recording.
 */
#ifndef GVT_STAT_PRESET_H
#define GVT_STAT_PRESET_H

#include <glib.h>

#define PRESET_DEFAULT	"gvt"
#define PRESET_NAMES	"gvt, gpu, simulate, full or none"

/* "system" and "event"; the creator of the list owns the strings */
struct preset_event {
	char *system;
	char *event;
};

/**
 * preset_new - an empty, owning array of struct preset_event
 */
GPtrArray *preset_new(void);

/**
 * preset_add - add an event unless the array has it
 */
void preset_add(GPtrArray *events, const char *system, const char *name);

/**
 * preset_events - the events of a preset that this kernel has, plus those of @more
 * @tracing: the tracefs directory
 * @preset: one of PRESET_NAMES
 * @more: "SYSTEM:EVENT" or "SYSTEM", ends with NULL; NULL: none
 *
 * Ends the program with a message if the preset is unknown, or if a required event of the preset or
 * an event of @more is missing. Reports other missing events on stderr. Returns an owning array of
 * struct preset_event without duplicates.
 */
GPtrArray *preset_events(const char *tracing, const char *preset, char *const *more);

#endif
