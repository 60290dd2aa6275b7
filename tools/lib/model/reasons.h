/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why work in a queue waits, by whose turn it is.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_REASONS_H
#define GVTTRACE_REASONS_H

#include "model.h"

/**
 * reason_by_turn - why the queue waits now, preemption aside
 */
enum wait_class reason_by_turn(const struct vgpu_engine *queue);

/**
 * reason_may_run - would work that waits for @class run, if the engine were free?
 *
 * Not without a slice, or over its cap; false if it is unknown whether it has these.
 */
bool reason_may_run(const struct vgpu *vgpu, enum wait_class class);

/**
 * reason_idle - why it waits while no vGPU has the turn
 * @left_ns: what is left of the vGPU's slice, or UNKNOWN
 */
enum wait_class reason_idle(const struct vgpu *vgpu, int64_t left_ns);

/**
 * reason_entitled - why eligible work waits, with a slice or without need of one
 */
enum wait_class reason_entitled(const struct vgpu *vgpu);

#endif
