/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register values that identify their vGPU to the emulated GPU. */
#ifndef RIG_CANARY_H
#define RIG_CANARY_H

#include "vgpu_client.h"

#define CANARY_MAX 11

/**
 * canary_write - write a vGPU's own values to the registers that GVT-g switches
 * @v: the vGPU, with all engines started
 * @number: 1 to CANARY_MAX, a different one for each vGPU
 *
 * All registers that GVT-g saves and restores by MMIO when an engine goes from
 * one vGPU to another on Gen9 (gvt/mmio_context.c, entries that are not in the
 * context image): the emulated GPU notes in its truth log when one of them
 * changes while a context executes, which shows only if the values differ.
 * The values are written as a guest's driver would, and read back.  They have no
 * effect on the emulated GPU; on hardware some of them would.
 *
 * Returns: 0 or -errno with vgpu_error() set, or with a line on stderr (-EIO: a
 * register does not keep its value).
 */
int canary_write(struct vgpu_client *v, unsigned int number);

#endif
