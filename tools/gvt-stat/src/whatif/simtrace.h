/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a simulation of gvt-sim as a trace.dat, as 'gvt-stat record' would.
 */
#ifndef GVT_STAT_SIMTRACE_H
#define GVT_STAT_SIMTRACE_H

#include <stdint.h>

#include "model/model.h"

struct simtrace;

/**
 * simtrace_new - begin a trace
 * @output: its path
 * @origin: path of the simulated trace, which the new trace names
 * @dev: number of the GPU
 *
 * simtrace_end() writes and frees the trace. Ends the program if the trace cannot be written.
 */
struct simtrace *simtrace_new(const char *output, const char *origin, int64_t dev);

/**
 * simtrace_vgpu - set the vGPU that has this id in the simulation
 * @vgpu: must outlive the trace
 * @preempt: its setting, which no event contains; UNKNOWN
 *
 * Call before the first event.
 */
void simtrace_vgpu(struct simtrace *trace, int64_t id, const struct vgpu *vgpu, int64_t preempt);

/**
 * simtrace_line - add an event
 * @trace: a struct simtrace
 * @line: TIME CPU EVENT FIELD=VALUE... of gvt-sim; other lines are ignored
 */
void simtrace_line(void *trace, const char *line);

/**
 * simtrace_end - write the trace, which ends at @end_ns
 *
 * Ends the program if the trace cannot be written, and leaves no file then.
 */
void simtrace_end(struct simtrace *trace, int64_t end_ns);

#endif
