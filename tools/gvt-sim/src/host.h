/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's own work: streams of no vGPU, whose pieces go to i915 directly. GVT-g sees no more of
 * it than that it is with the engine, and when it executes.
 */
#ifndef GVT_SIM_HOST_H
#define GVT_SIM_HOST_H

#include "guest.h"

/**
 * host_submit - give a piece of the host's work to i915
 * @s: a stream without vGPU
 * @exec_ns: how long it executes; it cannot be preempted
 */
void host_submit(struct sim_stream *s, u64 exec_ns);

/**
 * host_left - a request of the host's has left the engine, finished; frees it
 */
void host_left(struct i915_request *rq);

#endif
