/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what the analyses have measured to the contents of the report, with
 * everything unknown that the trace cannot tell.
 */
#ifndef GVT_STAT_REPORT_BUILD_H
#define GVT_STAT_REPORT_BUILD_H

#include <math.h>

#include "analysis/memory.h"
#include "analysis/metrics.h"
#include "analysis/slices.h"
#include "follow/follow.h"
#include "trace/quantities.h"
#include "trace/util.h"
#include "report.h"

struct report_source {
	const struct follow *follow;	/* whose trace has been read to its end */
	struct metrics *metrics;
	struct slices *slices;
	struct memory *memory;
};

/**
 * report_can_tell - has the trace what a quantity is made of?
 */
static inline bool report_can_tell(const struct report_source *source, enum quantity quantity)
{
	return quantity_known(source->follow->trace, quantity);
}

/**
 * report_if_known - the value, or UNKNOWN if the trace cannot tell the quantity
 */
static inline int64_t report_if_known(const struct report_source *source, enum quantity quantity,
				      int64_t value)
{
	return report_can_tell(source, quantity) ? value : UNKNOWN;
}

/**
 * report_percent - NAN if the whole is nothing
 */
static inline double report_percent(double part, double whole)
{
	return whole > 0 ? part / whole * 100 : NAN;
}

/**
 * report_turns_told - without any switch, whose turn it was is not in the switches
 */
static inline bool report_turns_told(const struct report_source *source)
{
	return report_can_tell(source, QUANTITY_SLICES) &&
	       source->follow->trace->recorded[EVENT_SCHED_SWITCH];
}

/**
 * report_scheduled - for how many ns a vGPU, or none, was current, if it was for @ns at least
 */
struct bounds report_scheduled(const struct report_source *source, int64_t dev, int64_t ns);

/**
 * report_engine_holds - is one workload at a time on the engine, as it must be?
 */
bool report_engine_holds(const struct report_source *source, const struct gpu_engine *engine);

/**
 * report_exec - what a vGPU, or the GPU, executed on an engine: the least and the most
 *
 * Where workloads are known not to be in the trace, they may be anybody's.
 */
struct bounds report_exec(const struct report_source *source, const struct metrics_row *row,
			  const struct gpu_engine *engine);

/**
 * report_build_engine - what a vGPU, or the GPU, has done on an engine; freed by g_free()
 */
struct report_engine *report_build_engine(const struct report_source *source,
					  const struct gpu_engine *engine,
					  const struct metrics_row *row);

/**
 * report_build_host - the same of the host's own work on an engine
 */
struct report_engine *report_build_host(const struct report_source *source,
					const struct gpu_engine *engine,
					const struct metrics_host *host);

/**
 * report_compare_engines - order of arrays of struct report_engine: by class and instance
 */
int report_compare_engines(const void *a, const void *b);

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
