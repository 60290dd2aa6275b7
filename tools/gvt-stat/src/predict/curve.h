/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sensitivity curves: how much an application's workloads slow down beside others, as a function of
 * the others' memory demand. The curves are measured beside a known load at a few points (Mars et
 * al., Bubble-Up, MICRO 2011) and need no model of the memory.
 */
#ifndef GVT_STAT_CURVE_H
#define GVT_STAT_CURVE_H

#include <glib.h>

#include "profile-file.h"

/**
 * curve_of - interpolate the measured points, from no slowdown at 0 MB/s
 * @beside: struct profile_beside, by mbps
 *
 * Uses Steffen's monotone interpolation (M. Steffen, A simple method for
 * monotonic interpolation in one dimension, Astronomy and Astrophysics 239, 1990): it does not
 * overshoot where slowdown begins.
 *
 * Returns struct whatif_point, as many as gvt-sim accepts, with nearly straight lines between them;
 * none without measurements. The caller frees with g_array_unref().
 */
GArray *curve_of(const GArray *beside);

#endif
