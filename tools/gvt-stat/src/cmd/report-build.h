/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what the analyses have measured to the contents of the report, with
 * everything unknown that the trace cannot tell.
 */
#ifndef GVT_STAT_REPORT_BUILD_H
#define GVT_STAT_REPORT_BUILD_H

#include "analysis/memory.h"
#include "analysis/metrics.h"
#include "analysis/slices.h"
#include "follow/follow.h"
#include "report.h"

struct report_source {
	const struct follow *follow;	/* whose trace has been read to its end */
	struct metrics *metrics;
	struct slices *slices;
	struct memory *memory;
};

/**
 * report_build_vgpus - those that the options ask for, by number
 *
 * Returns an array of struct report_vgpu; they use texts of the source's model.
 */
GPtrArray *report_build_vgpus(const struct report_source *source);

/**
 * report_build_gpus - all GPUs that have vGPUs
 *
 * Returns an array of struct report_gpu; they use texts of the source's model.
 */
GPtrArray *report_build_gpus(const struct report_source *source);

#endif
