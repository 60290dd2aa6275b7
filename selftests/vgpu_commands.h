/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command streamer dwords of a Gen8/Gen9 workload whose length is modelled.
 *
 * A workload executes for a given time, stores its sequence number and ends.
 * MI_NOOP with the identification write enabled carries the time: an emulated
 * GPU takes the 22-bit identification number as microseconds.  Real hardware
 * executes the same batch in no time at all.
 */
#ifndef VGPU_COMMANDS_H
#define VGPU_COMMANDS_H

#include <stddef.h>
#include <stdint.h>

#define MI_COMMAND(opcode, flags) ((uint32_t)(opcode) << 23 | (flags))
#define MI_NOOP_ID(us) MI_COMMAND(0x00, 1u << 22 | (us))
#define MI_NOOP_ID_MAX_US 0x3fffffu	/* 4.19 s */
#define MI_USER_INTERRUPT MI_COMMAND(0x02, 0)
#define MI_ARB_CHECK MI_COMMAND(0x05, 0)
#define MI_ARB_OFF MI_COMMAND(0x08, 0)
#define MI_BATCH_BUFFER_END MI_COMMAND(0x0a, 0)
#define MI_STORE_DWORD_PPGTT MI_COMMAND(0x20, 2)
#define MI_STORE_DWORD_GGTT MI_COMMAND(0x20, 1u << 22 | 2)
#define MI_BATCH_BUFFER_START_PPGTT MI_COMMAND(0x31, 1u << 8 | 1)
#define MI_LOAD_REGISTER_IMM(n) MI_COMMAND(0x22, 2 * (n) - 1)
#define MI_LRI_FORCE_POSTED (1u << 12)

/* What one workload consists of. */
struct vgpu_work {
	uint64_t exec_ns;	/* rounded to microseconds */
	unsigned int pieces;	/* commands of equal length, at least 1 us each */
};

static inline uint64_t vgpu_work_us(const struct vgpu_work *w)
{
	return (w->exec_ns + 500) / 1000;
}

/* An upper bound of what vgpu_emit_batch() writes. */
static inline size_t vgpu_batch_max_dwords(const struct vgpu_work *w)
{
	return vgpu_work_us(w) / MI_NOOP_ID_MAX_US + 2 * (size_t)w->pieces + 5;
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

/* One piece; what the identification field cannot hold takes several commands. */
static inline size_t vgpu_emit_busy(uint32_t *b, uint64_t us)
{
	size_t n = 0;

	for (; us > MI_NOOP_ID_MAX_US; us -= MI_NOOP_ID_MAX_US)
		b[n++] = MI_NOOP_ID(MI_NOOP_ID_MAX_US);
	b[n++] = MI_NOOP_ID((uint32_t)us);
	return n;
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

		n += vgpu_emit_busy(b + n, after - before);
		if (i < w->pieces)
			b[n++] = MI_ARB_CHECK;
		before = after;
	}
	return n;
}

/*
 * A whole batch: execute, store @value at @result (PPGTT), end.
 * Returns its length; @value stands 2 dwords before the end.
 */
static inline size_t vgpu_emit_batch(uint32_t *b, const struct vgpu_work *w, uint64_t result,
				     uint32_t value)
{
	size_t n = vgpu_emit_pieces(b, w);

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

#endif
