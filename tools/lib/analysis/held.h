/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which settings held in the window: those that were in force longest, and what was changed
 * when. What is first told holds from the beginning.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HELD_H
#define GVTTRACE_HELD_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"

struct held;

/**
 * held_new - begin to look at the settings; adds itself to @follow, which must outlive it
 */
struct held *held_new(struct follow *follow);

/**
 * held_free - free it
 */
void held_free(struct held *held);

/**
 * held_finish - the trace was read to its end, and its window is known
 */
void held_finish(struct held *held);

/**
 * held_settings - of a GPU, those that were in force longest; NULL if they were not told
 */
const struct sched_info *held_settings(const struct held *held, int64_t dev);

/**
 * held_vgpu_settings - of a vGPU
 */
const struct vgpu_settings *held_vgpu_settings(const struct held *held, const struct vgpu *vgpu);

/**
 * held_changes - of struct setting_change, by time
 */
const GArray *held_changes(const struct held *held);

#endif
