/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace.dat of what gvt-sim simulated, as 'gvt-stat record' would have written it.
 */
#ifndef GVT_STAT_SIMTRACE_H
#define GVT_STAT_SIMTRACE_H

#include <stdint.h>

#include "model/model.h"

struct simtrace;

/**
 * simtrace_new - begin a trace
 * @output: its path
 * @origin: trace whose vGPUs are simulated, to be told
 * @dev: number of the GPU
 *
 * simtrace_end() writes and frees it. Ends the program if it cannot be written.
 */
struct simtrace *simtrace_new(const char *output, const char *origin, int64_t dev);

/**
 * simtrace_vgpu - which vGPU it is that is simulated with an id
 * @vgpu: lives as long as the trace is made
 * @preempt: its setting, which its events do not tell; UNKNOWN
 *
 * Before the first event.
 */
void simtrace_vgpu(struct simtrace *trace, int64_t id, const struct vgpu *vgpu, int64_t preempt);

/**
 * simtrace_line - add an event
 * @trace: a struct simtrace
 * @line: TIME CPU EVENT FIELD=VALUE..., of gvt-sim; others are passed over
 */
void simtrace_line(void *trace, const char *line);

/**
 * simtrace_end - nothing is simulated after this time: write the trace
 *
 * Ends the program if it cannot be written; nothing is left of it then.
 */
void simtrace_end(struct simtrace *trace, int64_t end_ns);

#endif
