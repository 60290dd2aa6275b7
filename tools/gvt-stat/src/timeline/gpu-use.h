/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the GPU was powered meanwhile, by i915's counters.
 */
#ifndef GVT_STAT_TIMELINE_GPU_USE_H
#define GVT_STAT_TIMELINE_GPU_USE_H

#include <glib.h>

/* NAN: not known */
struct gpu_use {
	double rc6_percent;		/* of the time between samples */
	double awake_percent;		/* the same: i915 kept it awake */
	double mhz;			/* mean frequency while it was */
};

/**
 * gpu_use - sum up
 * @levels: struct gpu_level in ascending order
 *
 * What is not possible, as where a counter began anew, is left out.
 */
struct gpu_use gpu_use(const GArray *levels);

#endif
