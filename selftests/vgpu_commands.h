/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command streamer dwords of a Gen8/Gen9 workload whose length is modelled.
 *
 * A workload executes for a given time, stores its sequence number and ends.
 * MI_NOOP with the identification write enabled carries the time: an emulated
 * GPU executes for the identification number in microseconds, without preemption
 * point.  A number with bit 21 set is not a time: an emulated GPU whose engines share
 * the memory takes it for the memory bandwidth that the following commands demand.
 * A GPGPU_WALKER carries the time as thread groups of 100 ns each, with preemption
 * points in between.  Real hardware executes the MI_NOOP in no time, and the walker
 * only with the state of a kernel.
 */
#ifndef VGPU_COMMANDS_H
#define VGPU_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MI_COMMAND(opcode, flags) ((uint32_t)(opcode) << 23 | (flags))
#define MI_NOOP MI_COMMAND(0x00, 0)
#define MI_NOOP_ID(us) MI_COMMAND(0x00, 1u << 22 | (us))
#define MI_NOOP_ID_MAX_US 0x1fffffu	/* 2.10 s */
#define MI_NOOP_DEMAND(mbps, twentieths) MI_NOOP_ID(1u << 21 | (twentieths) << 16 | (mbps))
#define VGPU_MAX_MBPS 65535
#define MI_USER_INTERRUPT MI_COMMAND(0x02, 0)
#define MI_UNKNOWN MI_COMMAND(0x3e, 0)	/* unknown to all GPUs */
#define MI_ARB_CHECK MI_COMMAND(0x05, 0)
#define MI_ARB_OFF MI_COMMAND(0x08, 0)
#define MI_ARB_ON MI_COMMAND(0x08, 1)
#define MI_BATCH_BUFFER_END MI_COMMAND(0x0a, 0)
#define MI_STORE_DWORD_PPGTT MI_COMMAND(0x20, 2)
#define MI_STORE_DWORD_GGTT MI_COMMAND(0x20, 1u << 22 | 2)
#define MI_BATCH_BUFFER_START_PPGTT MI_COMMAND(0x31, 1u << 8 | 1)
#define MI_LOAD_REGISTER_IMM(n) MI_COMMAND(0x22, 2 * (n) - 1)
#define MI_LRI_FORCE_POSTED (1u << 12)
#define GPGPU_WALKER 0x7105000du
#define GPGPU_WALKER_DWORDS 15
#define GPGPU_GROUPS_PER_US 10
/* Masked: GPGPU preemption between thread groups, in the rcs's CS_CHICKEN1 */
#define CS_CHICKEN1 0x2580
#define PREEMPT_THREAD_GROUP (6u << 16 | 2u)

/* The contents of a workload. */
struct vgpu_work {
	uint64_t exec_ns;	/* rounded to microseconds */
	unsigned int pieces;	/* commands of equal length, at least 1 us each */
	bool walker;		/* pieces are GPGPU_WALKERs; rcs0 only */
	bool arbitration_off;	/* while the batch executes, as Linux does in a vGPU */
	unsigned int mbps;	/* memory bandwidth when alone; up to VGPU_MAX_MBPS, 0: none set */
	unsigned int bound_percent;	/* part of the time that waits for memory, in steps of 5 */
};

static inline uint64_t vgpu_work_us(const struct vgpu_work *w)
{
	return (w->exec_ns + 500) / 1000;
}

/* Upper bound of the length of vgpu_emit_batch(). */
static inline size_t vgpu_batch_max_dwords(const struct vgpu_work *w)
{
	size_t each = w->walker ? GPGPU_WALKER_DWORDS + 1 : 2;

	return vgpu_work_us(w) / MI_NOOP_ID_MAX_US * each + each * w->pieces + 10;
}

static inline size_t vgpu_emit_store(uint32_t *b, uint32_t command, uint64_t address,
				     uint32_t value)
{
	b[0] = command;
	b[1] = (uint32_t)address;
	b[2] = (uint32_t)(address >> 32);
	b[3] = value;
	return 4;
}

static inline size_t vgpu_emit_jump(uint32_t *b, uint64_t address)
{
	b[0] = MI_BATCH_BUFFER_START_PPGTT;
	b[1] = (uint32_t)address;
	b[2] = (uint32_t)(address >> 32);
	return 3;
}

/* One piece: several commands if the identification field cannot hold the time. */
static inline size_t vgpu_emit_busy(uint32_t *b, uint64_t us)
{
	size_t n = 0;

	for (; us > MI_NOOP_ID_MAX_US; us -= MI_NOOP_ID_MAX_US)
		b[n++] = MI_NOOP_ID(MI_NOOP_ID_MAX_US);
	b[n++] = MI_NOOP_ID((uint32_t)us);
	return n;
}

/* @us: up to 429 s */
static inline size_t vgpu_emit_walker(uint32_t *b, uint64_t us)
{
	for (size_t i = 0; i < GPGPU_WALKER_DWORDS; i++)
		b[i] = 0;
	b[0] = GPGPU_WALKER;
	b[7] = (uint32_t)us * GPGPU_GROUPS_PER_US;	/* in x; one in y and z */
	b[10] = 1;
	b[12] = 1;
	return GPGPU_WALKER_DWORDS;
}

static inline size_t vgpu_emit_piece(uint32_t *b, const struct vgpu_work *w, uint64_t us)
{
	return w->walker ? vgpu_emit_walker(b, us) : vgpu_emit_busy(b, us);
}

/* As compute libraries do, which may write this register. */
static inline size_t vgpu_emit_preemption_level(uint32_t *b)
{
	b[0] = MI_LOAD_REGISTER_IMM(1);
	b[1] = CS_CHICKEN1;
	b[2] = PREEMPT_THREAD_GROUP;
	return 3;
}

/*
 * All pieces, with a preemption point between each two.  Piece lengths differ
 * by at most 1 us and add up to the whole.
 */
static inline size_t vgpu_emit_pieces(uint32_t *b, const struct vgpu_work *w)
{
	uint64_t total = vgpu_work_us(w), before = 0;
	size_t n = 0;

	for (unsigned int i = 1; i <= w->pieces; i++) {
		uint64_t after = total * i / w->pieces;

		n += vgpu_emit_piece(b + n, w, after - before);
		if (i < w->pieces)
			b[n++] = MI_ARB_CHECK;
		before = after;
	}
	return n;
}

/* The demand for memory holds until the next such command. */
static inline size_t vgpu_emit_demand(uint32_t *b, unsigned int mbps, unsigned int bound_percent)
{
	b[0] = MI_NOOP_DEMAND(mbps, bound_percent / 5);
	return 1;
}

/*
 * A whole batch: execute, store @value at @result (PPGTT), end.
 * Returns its length; @value stands 2 dwords before the end.
 */
static inline size_t vgpu_emit_batch(uint32_t *b, const struct vgpu_work *w, uint64_t result,
				     uint32_t value)
{
	size_t n = w->walker ? vgpu_emit_preemption_level(b) : 0;

	if (w->mbps)
		n += vgpu_emit_demand(b + n, w->mbps, w->bound_percent);
	n += vgpu_emit_pieces(b + n, w);
	if (w->mbps)
		n += vgpu_emit_demand(b + n, 0, 0);
	n += vgpu_emit_store(b + n, MI_STORE_DWORD_PPGTT, result, value);
	b[n++] = MI_BATCH_BUFFER_END;
	return n;
}

#define VGPU_BATCH_VALUE_FROM_END 2

/* A batch at @address (PPGTT) that never ends and cannot be preempted. */
#define VGPU_HANG_DWORDS 4
static inline size_t vgpu_emit_hang(uint32_t *b, uint64_t address)
{
	b[0] = MI_ARB_OFF;
	return 1 + vgpu_emit_jump(b + 1, address);
}

/*
 * A batch at @address (PPGTT) that stores @value at @result, and then loops over a preemption
 * point until a MI_BATCH_BUFFER_END overwrites the loop.
 */
#define VGPU_ENDLESS_DWORDS 8
#define VGPU_ENDLESS_VALUE 3	/* dwords from the start */
#define VGPU_ENDLESS_CHECK 4
static inline size_t vgpu_emit_endless(uint32_t *b, uint64_t address, uint64_t result,
				       uint32_t value)
{
	size_t n = vgpu_emit_store(b, MI_STORE_DWORD_PPGTT, result, value);

	b[n++] = MI_ARB_CHECK;
	return n + vgpu_emit_jump(b + n, address + 4 * VGPU_ENDLESS_CHECK);
}

/*
 * The ring's part of a workload: run the batch, store @seqno at @breadcrumb
 * (GGTT), interrupt.  Its size divides the ring's, so that it never wraps.
 */
#define VGPU_REQUEST_DWORDS 8
static inline size_t vgpu_emit_request(uint32_t *b, uint64_t batch, uint64_t breadcrumb,
				       uint32_t seqno)
{
	size_t n = vgpu_emit_jump(b, batch);

	n += vgpu_emit_store(b + n, MI_STORE_DWORD_GGTT, breadcrumb, seqno);
	b[n++] = MI_USER_INTERRUPT;
	return n;
}

/* As vgpu_emit_request(), with arbitration off until the batch has ended. */
#define VGPU_REQUEST_NOARB_DWORDS 16
static inline size_t vgpu_emit_request_noarb(uint32_t *b, uint64_t batch, uint64_t breadcrumb,
					     uint32_t seqno)
{
	size_t n = 0;

	b[n++] = MI_ARB_OFF;
	n += vgpu_emit_request(b + n, batch, breadcrumb, seqno);
	b[n++] = MI_ARB_ON;
	while (n < VGPU_REQUEST_NOARB_DWORDS)
		b[n++] = MI_NOOP;
	return n;
}

#endif
