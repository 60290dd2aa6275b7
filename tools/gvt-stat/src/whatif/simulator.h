/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs gvt-sim, which simulates vGPUs with the driver's own scheduler. gvt-sim is a separate
 * program because the scheduler is GPL-2.0-only, while gvt-stat links the GNU Scientific Library,
 * which is GPL-3.0-or-later.
 */
#ifndef GVT_STAT_SIMULATOR_H
#define GVT_STAT_SIMULATOR_H

#include <stddef.h>

/* message where gvt-sim is missing */
#define SIMULATOR_MISSING \
	"there is no gvt-sim, which belongs to gvt-stat: install it, or say where it is in GVT_SIM"

/**
 * simulator_path - find gvt-sim: $GVT_SIM, as installed, or as built beside this program
 *
 * Returns NULL if gvt-sim is missing; the caller frees with g_free().
 */
char *simulator_path(void);

/**
 * simulator_run - simulate a model
 * @path: of gvt-sim
 * @model: text, see gvt-sim's README
 * @line: called with each line of gvt-sim's output; may modify the line
 *
 * Ends the program with a message if gvt-sim cannot be run, refuses the model or crashes.
 */
void simulator_run(const char *path, const char *model, size_t len,
		   void (*line)(void *ctx, char *line), void *ctx);

#endif
