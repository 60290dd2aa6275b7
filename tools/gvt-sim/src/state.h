/* SPDX-License-Identifier: GPL-2.0-only */
/* The scheduler's state, as recorded in a trace at one moment */
#ifndef GVT_SIM_STATE_H
#define GVT_SIM_STATE_H

#include "gvt.h"
#include "line.h"

/**
 * state_tell - collect a line of the state: gvt_vgpu_info, gvt_lane_value
 */
void state_tell(const struct line *line);

/**
 * state_told - is the collected state complete?
 */
bool state_told(void);

/**
 * state_forget - drop the collected lines
 */
void state_forget(void);

/**
 * state_set - create a GPU with the collected state
 * @info: gvt_sched_info, the last line of a state
 * @trace: name of the trace, for messages; an impossible state ends the program
 */
void state_set(const struct line *info, const char *trace);

/**
 * state_differs - compare the collected state with the GPU's
 * @trace: name of the trace, for messages
 *
 * Prints the differences.
 *
 * Return: true if there are any.
 */
bool state_differs(const char *trace);

/**
 * state_lane - the lane of a line, NULL if there is no such lane
 */
struct gvt_sched_lane *state_lane(const struct line *line);

/**
 * state_vgpu - the vGPU of a line, NULL if there is no such vGPU
 */
struct intel_vgpu *state_vgpu(const struct line *line, const char *field);

#endif
