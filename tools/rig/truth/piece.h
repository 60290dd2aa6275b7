/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretches of execution on the device and in the trace. */
#ifndef RIG_TRUTH_PIECE_H
#define RIG_TRUTH_PIECE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A time outside the trace, which began or ended within the piece. */
#define UNKNOWN_NS (-1)

/* Bits of a context descriptor's low word that identify the context */
#define LRCA_MASK 0xfffff000u

/* A context's stay on an engine, from the device's truth log */
struct truth_piece {
	char engine[8];
	uint32_t lrca;		/* bits 31:12 */
	int64_t start_ns, stop_ns;
	int64_t busy_ns;	/* the part spent on commands that do more than wait */
	bool complete;		/* finished, else preempted or reset */
	bool reset;
	bool in_wait;		/* finished, but preempted in the busy-wait behind its end */
	uint32_t head, tail;	/* of the ring at the start; the last tail given */
	uint32_t end;		/* the ring's head at the stop */
	uint64_t own_nj, fair_nj;	/* drawn by it alone; with its part of what is shared */
	uint32_t vgpu_id;	/* 0: belongs to no vGPU */
	int match;		/* index of the traced piece, -1: none */
	bool resumed;		/* the traced piece began with the previous stay */
};

/* The same from the trace (gvt-stat list workloads --pieces) */
struct traced_piece {
	char engine[8];
	uint64_t workload_id;
	uint32_t vgpu_id;
	uint32_t lrca;		/* bits 31:12 */
	int64_t start_ns, stop_ns;	/* or UNKNOWN_NS */
	bool complete;
	int match;		/* index of the (first) truth piece, -1: none */
	int last;		/* index of the last one: @match unless it was resumed */
	int64_t away_ns;	/* between @match and @last, not on the engine */
};

/* A workload from the trace (gvt-stat list workloads) */
struct traced_workload {
	int64_t queue_ns, start_ns;	/* or UNKNOWN_NS */
};

/* The time that the trace covers: from the first to the last event of a workload */
struct covered {
	int64_t begin_ns, end_ns;
};

static inline bool piece_is_whole(const struct traced_piece *p)
{
	return p->start_ns != UNKNOWN_NS && p->stop_ns != UNKNOWN_NS;
}

#endif
