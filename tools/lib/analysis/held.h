/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings in the window: those in force longest, and all changes. The first reported
 * value is assumed to hold from the beginning.
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
 * held_new - begin to track the settings; adds an analysis to @follow, which must outlive it
 */
struct held *held_new(struct follow *follow);

/**
 * held_free - free the held settings
 */
void held_free(struct held *held);

/**
 * held_finish - complete the data, after reading the trace and with a final window
 */
void held_finish(struct held *held);

/**
 * held_settings - a GPU's settings that were in force longest; NULL if unknown
 */
const struct sched_info *held_settings(const struct held *held, int64_t dev);

/**
 * held_vgpu_settings - the same of a vGPU
 */
const struct vgpu_settings *held_vgpu_settings(const struct held *held, const struct vgpu *vgpu);

/**
 * held_changes - struct setting_change in chronological order
 */
const GArray *held_changes(const struct held *held);

#endif
