/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the changes that command lines ask for. Errors end the program.
 */
#ifndef GVT_STAT_CHANGE_H
#define GVT_STAT_CHANGE_H

#include <argp.h>
#include <stdint.h>

#include "whatif.h"

/**
 * change_set - "NAME=VALUE" of --set: change a setting of the scheduler
 */
void change_set(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_vgpu - "ID:NAME=VALUE,..." of --vgpu: change a vGPU
 */
void change_vgpu(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_tell - as change_vgpu(), only for facts: open, closed, depth, period, pieces_us
 */
void change_tell(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_id - parse the id of a vGPU
 * @option, @arg: for the error message
 * @text: the id
 */
int64_t change_id(const char *option, const char *arg, const char *text,
		  struct argp_state *state);

/**
 * change_without - "ID" of --without; ids of a trace may exceed those that can be simulated
 */
void change_without(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_speed - parse a speed: 2 is twice as fast
 */
double change_speed(const char *option, const char *text, struct argp_state *state);

#endif
