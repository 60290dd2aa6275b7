/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is simulated, as text for gvt-sim; see its README. What a trace tells is not what
 * gvt-sim can do: that is said here, in words of the trace.
 */
#ifndef GVT_STAT_SCRIPT_H
#define GVT_STAT_SCRIPT_H

#include <glib.h>

#include "whatif.h"

/**
 * script_of - the text, which gvt-sim takes
 * @problem: why that cannot be, and what to do, where NULL is returned; the caller frees
 *
 * The caller frees.
 */
GString *script_of(const struct whatif *whatif, const struct mixture *mixture, char **problem);

#endif
