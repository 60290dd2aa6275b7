/* SPDX-License-Identifier: GPL-2.0-only */
/* Workloads that guests submit: streams */
#ifndef GVT_SIM_GUEST_H
#define GVT_SIM_GUEST_H

#include "gvt.h"

/* Limit over all streams: the part of 256 MB that MODEL_WORK leaves */
#define GUEST_UNDER_WAY 200000

/**
 * struct sim_work - one workload of a stream
 * @exec_ns: execution time, not 0
 * @at_ns: open stream: arrival, from the beginning of a round; closed loop: delay after the
 *   event that the workload depends on
 * @lag: closed loop: the workload depends on the completion of the workload @lag before; 0: on
 *   the queueing of the previous one
 */
struct sim_work {
	u64 exec_ns;
	u64 at_ns;
	u32 lag;
};

/**
 * struct sim_beside - a point of a sensitivity curve
 * @mbps: the others' memory demand
 * @ppm: execution time under this demand, in millionths of that alone
 */
struct sim_beside {
	u64 mbps;
	u64 ppm;
};

/**
 * struct sim_stream - the repeated workloads of one context of a vGPU on one engine
 * @vgpu: the vGPU; NULL: the host's own work, which is an open stream
 * @engine: the engine
 * @open: open arrivals: workloads arrive independently of earlier ones
 * @depth: open stream: maximum number of workloads that the guest has queued
 * @piece_ns: distance of the preemption points; 0: not preemptible
 * @always: i915 preempts the stream for the host's work under any dispatch mode
 * @span_ns: length of a round of an open stream
 * @shift_ns: maximum delay by which a phase shift delays the stream
 * @vary_ppm: maximum part, in millionths, by which the pauses of a closed loop change
 * @origin_ns: when a round of an open stream begins
 * @mbps: memory demand of the workloads while they execute; 0: none
 * @beside: sensitivity curve, by @mbps
 * @points: number of points in @beside; 0: others do not slow the stream down
 * @work: one round
 * @n: number of workloads in a round
 * @nr: number of the stream, from 1
 * @planned: number of workloads whose time is known
 * @queued: number of workloads that were queued
 * @done: number of workloads that have completed
 * @held: number of workloads that wait for room in the full queue
 * @let_in: number of those that have room, and that the guest is about to queue
 * @last_at: time at which the last planned workload is queued
 * @longest_ns: longest pause of a closed loop
 * @late_ns: delay to add to the next long pause of a closed loop
 * @varied_ppm: by how much its pauses are longer or shorter now
 */
struct sim_stream {
	struct intel_vgpu *vgpu;
	struct intel_engine_cs *engine;
	bool open;
	u32 depth;
	u64 piece_ns;
	bool always;
	u64 span_ns;
	u64 shift_ns;
	u32 vary_ppm;
	u64 origin_ns;
	u64 mbps;
	struct sim_beside *beside;
	u32 points;
	struct sim_work *work;
	u64 n;

	u32 nr;
	u64 planned;
	u64 queued;
	u64 done;
	u64 held;
	u64 let_in;
	u64 last_at;
	u64 longest_ns;
	u64 late_ns;
	s32 varied_ppm;
};

/**
 * guest_begin - begin a stream now
 */
void guest_begin(struct sim_stream *s);

/**
 * guest_shift - shift the phase of a stream
 * @phase: number of the phase, from 1
 *
 * Open streams: delays all further arrivals by a fraction of @shift_ns, which is the same for those of
 * a vGPU, as it has one clock. Closed loops: delays the loop once, by a fraction of @shift_ns that
 * differs between loops, after the next workload whose pause is at least half the longest one, and
 * changes the loop's pauses by a part between -@vary_ppm and @vary_ppm.
 */
void guest_shift(struct sim_stream *s, u32 phase);

/**
 * guest_done - a workload of the stream, or a piece of the host's work, has ended
 */
void guest_done(struct sim_stream *s);

/**
 * guest_completed - a workload has completed; frees it
 */
void guest_completed(struct intel_vgpu_workload *workload);

#endif
