/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the contents of the report from the results of the analyses, and sets values that the
 * trace cannot give to unknown.
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
	const struct follow *follow;	/* read to its end */
	struct metrics *metrics;
	struct slices *slices;
	struct memory *memory;
};

/**
 * report_can_tell - does the trace have the events for a quantity?
 */
static inline bool report_can_tell(const struct report_source *source, enum quantity quantity)
{
	return quantity_known(source->follow->trace, quantity);
}

/**
 * report_if_known - @value, or UNKNOWN if the trace lacks events for the quantity
 */
static inline int64_t report_if_known(const struct report_source *source, enum quantity quantity,
				      int64_t value)
{
	return report_can_tell(source, quantity) ? value : UNKNOWN;
}

/**
 * report_percent - part of the whole in per cent; NAN if the whole is 0
 */
static inline double report_percent(double part, double whole)
{
	return whole > 0 ? part / whole * 100 : NAN;
}

/**
 * report_several_gpus - are there vGPUs of several GPUs?
 */
bool report_several_gpus(const struct model *model);

/**
 * report_turns_told - are turns known? Without any switch event, turns are unknown
 */
static inline bool report_turns_told(const struct report_source *source)
{
	return report_can_tell(source, QUANTITY_SLICES) &&
	       source->follow->trace->recorded[EVENT_SCHED_SWITCH];
}

/**
 * report_scheduled - bounds in ns for how long a vGPU, or none, was current, given that @ns is
 * known
 */
struct bounds report_scheduled(const struct report_source *source, int64_t dev, int64_t ns);

/**
 * report_engine_holds - does the trace show at most one workload at a time on the engine?
 */
bool report_engine_holds(const struct report_source *source, const struct gpu_engine *engine);

/**
 * report_exec - bounds for the execution of a vGPU, or of the GPU, on an engine
 *
 * Execution that the trace is known to lack may belong to any vGPU.
 */
struct bounds report_exec(const struct report_source *source, const struct metrics_row *row,
			  const struct gpu_engine *engine);

/**
 * report_build_engine - the row of a vGPU, or of the GPU, for an engine; freed by g_free()
 */
struct report_engine *report_build_engine(const struct report_source *source,
					  const struct gpu_engine *engine,
					  const struct metrics_row *row);

/**
 * report_build_host - the row of the host's own work for an engine
 */
struct report_engine *report_build_host(const struct report_source *source,
					const struct gpu_engine *engine,
					const struct metrics_host *host);

/**
 * report_compare_engines - compares elements of arrays of struct report_engine *: by class and
 * instance
 */
int report_compare_engines(const void *a, const void *b);

/**
 * report_build_vgpus - the selected vGPUs, by number
 *
 * Returns an array of struct report_vgpu, which refer to texts of the source's model.
 */
GPtrArray *report_build_vgpus(const struct report_source *source);

/**
 * report_build_gpus - all GPUs with vGPUs
 *
 * Returns an array of struct report_gpu, which refer to texts of the source's model.
 */
GPtrArray *report_build_gpus(const struct report_source *source);

#endif
