/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be different, as command lines say it; what is wrong there ends the program.
 */
#ifndef GVT_STAT_CHANGE_H
#define GVT_STAT_CHANGE_H

#include <argp.h>
#include <stdint.h>

#include "whatif.h"

/**
 * change_set - "NAME=VALUE" of --set: another setting of the scheduler
 */
void change_set(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_vgpu - "ID:NAME=VALUE,..." of --vgpu: what is different of a vGPU
 */
void change_vgpu(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_tell - the same with what is known of a vGPU alone: open, closed, depth, period, pieces_us
 */
void change_tell(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_id - an id of a vGPU
 * @option, @arg: to be told where it is none
 * @text: that is one
 */
int64_t change_id(const char *option, const char *arg, const char *text,
		  struct argp_state *state);

/**
 * change_without - "ID" of --without; a trace may have vGPUs with ids that no simulated one has
 */
void change_without(struct whatif *whatif, const char *arg, struct argp_state *state);

/**
 * change_speed - how many times as fast
 */
double change_speed(const char *option, const char *text, struct argp_state *state);

#endif
