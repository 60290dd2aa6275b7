/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sensitivity curves: how much longer an application's workloads execute beside others, by what
 * these ask of the memory. They are measured beside a known load at a few points (Mars et al.,
 * Bubble-Up, MICRO 2011), whatever law the memory has.
 */
#ifndef GVT_STAT_CURVE_H
#define GVT_STAT_CURVE_H

#include <glib.h>

#include "profile-file.h"

/**
 * curve_of - a curve through what was measured, from nothing at 0
 * @beside: struct profile_beside, by mbps
 *
 * Between the points it is Steffen's monotone interpolation (M. Steffen, A simple method for
 * monotonic interpolation in one dimension, Astronomy and Astrophysics 239, 1990): it does not
 * swing where slowdown begins.
 *
 * Returns struct whatif_point, as many as gvt-sim takes at most, between which it is nearly straight;
 * none where nothing was measured. The caller frees with g_array_unref().
 */
GArray *curve_of(const GArray *beside);

#endif
