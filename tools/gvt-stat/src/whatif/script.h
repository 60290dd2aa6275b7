/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the input of gvt-sim, see its README. Refuses values that a trace can contain and gvt-sim
 * cannot simulate, with messages in terms of the trace.
 */
#ifndef GVT_STAT_SCRIPT_H
#define GVT_STAT_SCRIPT_H

#include <glib.h>

#include "whatif.h"

/**
 * script_of - the input for gvt-sim; the caller frees
 * @problem: where NULL is returned, the reason and a remedy; the caller frees
 */
GString *script_of(const struct whatif *whatif, const struct mixture *mixture, char **problem);

#endif
