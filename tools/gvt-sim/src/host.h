/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's own work: streams without vGPU, whose pieces go directly to i915. GVT-g sees only that
 * the host's request is with the engine, and when the request executes.
 */
#ifndef GVT_SIM_HOST_H
#define GVT_SIM_HOST_H

#include "guest.h"

/**
 * host_submit - submit a piece of the host's work to i915
 * @s: a stream without vGPU
 * @exec_ns: execution time; the piece cannot be preempted
 */
void host_submit(struct sim_stream *s, u64 exec_ns);

/**
 * host_left - a request of the host has finished and left the engine; frees it
 */
void host_left(struct i915_request *rq);

#endif
