/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submits workloads through i915's own uAPI, natively or inside a guest. */
#ifndef RIG_I915_CLIENT_H
#define RIG_I915_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "vgpu_commands.h"

#define I915_MAX_SLOTS 16

/* A slot for one workload in flight, whose objects are prepared once. */
struct i915_slot {
	uint32_t handle;
	uint8_t *memory;
	int fence;		/* of the workload in flight, else -1 */
};

struct i915_client {
	char error[160];	/* which call failed last, and why */
	int fd;
	uint32_t context;
	uint64_t engine_flag;
	uint64_t slot_bytes;	/* results page, batch, batch that hangs */
	uint32_t batch_bytes, value_offset;
	unsigned int n_slots;
	struct i915_slot slots[I915_MAX_SLOTS];
	uint32_t submitted, completed;
};

/**
 * i915_open - open a device and prepare a stream of workloads
 * @device: a render node or card
 * @engine: rcs0, bcs0, vcs0 or vecs0
 * @work: the work of each workload
 * @n_slots: maximum number of workloads in flight, 1 to I915_MAX_SLOTS
 *
 * Returns: 0, or -errno with @c->error set; i915_close() in both cases.
 */
int i915_open(struct i915_client *c, const char *device, const char *engine,
	      const struct vgpu_work *work, unsigned int n_slots);

/**
 * i915_submit - submit the next workload
 * @hang: the workload never ends, until i915 resets the engine
 *
 * A context that i915 has banned for its hangs is replaced, as Mesa does.
 *
 * Returns: 0 or -errno (-EBUSY: no free slot).
 */
int i915_submit(struct i915_client *c, bool hang);

/* i915_fence - becomes readable when the oldest workload is done; -1 if there is none */
int i915_fence(const struct i915_client *c);

/**
 * i915_complete - retire the oldest workload, whose fence is readable
 *
 * Returns: whether the workload stored the right value.
 */
bool i915_complete(struct i915_client *c);

void i915_close(struct i915_client *c);

#endif
