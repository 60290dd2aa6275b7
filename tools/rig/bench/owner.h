/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which vGPU a context of the truth log belongs to, without a trace. */
#ifndef RIG_BENCH_OWNER_H
#define RIG_BENCH_OWNER_H

#include "loadlog.h"
#include "scenario.h"

/**
 * owners_find - find the vGPU of each piece of the truth log
 * @truth: struct truth_piece; @vgpu_id becomes the vGPU's place in the
 *	scenario, counted from 1, or 0 for none
 *
 * GVT-g has one context for each vGPU and engine. A kernel without our patches
 * does not report which, but the device and rig-load both count workloads completed
 * inside the window: the vGPU is the one with the same engine, the same length of
 * workloads and the same count, or if there is none, as with a guest's driver that
 * executes other work as well, the one that executed for as long. vGPUs that agree
 * in all of this may be swapped, which changes no figure.
 *
 * Return: true; false with @error set if a vGPU finds no such context.
 */
gboolean owners_find(GArray *truth, const struct scenario *s, const struct load_log *log,
		     GError **error);

#endif
