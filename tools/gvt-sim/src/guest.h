/* SPDX-License-Identifier: GPL-2.0-only */
/* What guests submit: streams of workloads */
#ifndef GVT_SIM_GUEST_H
#define GVT_SIM_GUEST_H

#include "gvt.h"

/* Of all streams: what is left of 256 MB beside MODEL_WORK */
#define GUEST_UNDER_WAY 200000

/**
 * struct sim_work - one workload of a stream
 * @exec_ns: its execution time, not 0
 * @at_ns: in an open stream when it comes, from the beginning of a round; otherwise how long
 *   after what it depends on
 * @lag: it depends on the completion of the workload so many before it; if 0, on the queueing
 *   of the one before it
 */
struct sim_work {
	u64 exec_ns;
	u64 at_ns;
	u32 lag;
};

/**
 * struct sim_beside - a point of a sensitivity curve
 * @mbps: what others ask of the memory
 * @ppm: what a workload takes beside that, in millionths of what it takes alone
 */
struct sim_beside {
	u64 mbps;
	u64 ppm;
};

/**
 * struct sim_stream - what one context of a vGPU does on one engine, again and again
 * @vgpu: the vGPU; NULL: it is the host's own work, and open
 * @engine: the engine
 * @open: workloads come when they come, whatever became of those before
 * @depth: in an open stream, how many the guest has queued at most
 * @piece_ns: distance of the points at which workloads can be taken off; 0 for none
 * @always: i915 can do that for the host's work, too, whatever the way of dispatching is
 * @span_ns: length of a round of an open stream
 * @shift_ns: by up to so much later it goes on in another phase
 * @origin_ns: when a round of an open stream begins
 * @mbps: what its workloads ask of the memory while they execute; 0: nothing
 * @beside: its sensitivity curve, by @mbps
 * @points: of that; 0: others do not slow it down
 * @work: one round
 * @n: how many these are
 * @nr: number of the stream, from 1
 * @planned: workloads whose time is known
 * @queued: workloads that were queued
 * @done: workloads that have completed
 * @held: workloads that came to a full queue, and have not been queued yet
 * @last_at: when the last one of those planned is queued
 * @longest_ns: its longest pause, if it is not open
 * @late_ns: so much later it goes on after its next long pause
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
	u64 last_at;
	u64 longest_ns;
	u64 late_ns;
};

/**
 * guest_begin - begin a stream now
 */
void guest_begin(struct sim_stream *s);

/**
 * guest_shift - go on in another phase
 * @phase: its number, from 1 on
 *
 * An open stream comes later from now on, all of them by as much: how their clocks go beside each
 * other is known. Others wait longer once, each by another part of its @shift_ns, after the next
 * workload whose pause is at least half the longest one.
 */
void guest_shift(struct sim_stream *s, u32 phase);

/**
 * guest_done - a workload of the stream, or a piece of the host's, is done with
 */
void guest_done(struct sim_stream *s);

/**
 * guest_completed - a workload has completed; frees it
 */
void guest_completed(struct intel_vgpu_workload *workload);

#endif
