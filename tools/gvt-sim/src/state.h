/* SPDX-License-Identifier: GPL-2.0-only */
/* The state that decisions are made by, as a trace tells it at one moment */
#ifndef GVT_SIM_STATE_H
#define GVT_SIM_STATE_H

#include "gvt.h"
#include "line.h"

/**
 * state_tell - remember a line that tells of it: gvt_vgpu_info, gvt_lane_value
 */
void state_tell(const struct line *line);

/**
 * state_told - whether all that is needed was told
 */
bool state_told(void);

/**
 * state_forget - forget what was told
 */
void state_forget(void);

/**
 * state_set - make a GPU with that state
 * @info: gvt_sched_info, which was told last
 * @trace: name of the trace, for messages; the program ends with one if that cannot be
 */
void state_set(const struct line *info, const char *trace);

/**
 * state_differs - compare that state with the GPU's
 * @trace: name of the trace, for messages
 *
 * Prints what is not the same.
 *
 * Return: whether there is any.
 */
bool state_differs(const char *trace);

/**
 * state_lane - the lane that a line is about, NULL if there is none
 */
struct gvt_sched_lane *state_lane(const struct line *line);

/**
 * state_vgpu - the vGPU of a line, NULL if there is none
 */
struct intel_vgpu *state_vgpu(const struct line *line, const char *field);

#endif
