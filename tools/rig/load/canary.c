// SPDX-License-Identifier: GPL-2.0-or-later
/* Register values that identify their vGPU to the emulated GPU. */
#include "canary.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define FORCE_TO_NONPRIV 0x24d0

/* How a register holds its canary. */
enum kind {
	PLAIN,		/* in each byte, but not in the lowest nibble */
	MASKED,		/* in bits 7:4, with the mask in the upper half */
	MASKED_HIGH,	/* in bits 11:8: GVT-g refuses guests that set lower ones */
	NONPRIV,	/* the offset of a register that GVT-g lets guests write */
};

static const struct {
	uint32_t offset;
	unsigned int count;
	enum kind kind;
} registers[] = {
	{ 0x0229c, 1, MASKED },			/* RING_MODE of rcs0 */
	{ 0x02248, 1, PLAIN },			/* CTX_PREEMPT */
	{ 0x02098, 1, PLAIN },			/* HWSTAM */
	{ FORCE_TO_NONPRIV, 12, NONPRIV },
	{ 0x040e0, 2, PLAIN },			/* PRIVATE_PAT */
	{ 0x020ec, 1, MASKED },			/* CS_DEBUG_MODE1 */
	{ 0x0b118, 2, PLAIN },			/* L3SQCREG4, SCRATCH1 */
	{ 0x0b004, 2, PLAIN },			/* GARBCNTL, SCRATCH_LNCF1 */
	{ 0x0940c, 1, PLAIN },			/* UCGCTL4 */
	{ 0x04ab8, 1, PLAIN },			/* GAMT_CHKN_BIT_REG */
	{ 0x04ab0, 1, PLAIN },			/* GAMT_ECO_REG_RW_IA */
	{ 0x020d4, 1, MASKED_HIGH },		/* CSFE_CHICKEN1 */
	{ 0x020a0, 1, PLAIN },			/* FF_THREAD_MODE */
	{ 0x020e4, 1, MASKED },			/* FF_SLICE_CS_CHICKEN2 */
	{ 0x2229c, 1, MASKED },			/* RING_MODE of bcs0 */
	{ 0x2209c, 1, MASKED },			/* MI_MODE */
	{ 0x220c0, 1, MASKED },			/* INSTPM */
	{ 0x22098, 1, PLAIN },			/* HWSTAM */
	{ 0x22028, 1, MASKED },			/* EXCC */
	{ 0x0cc00, 64, PLAIN },			/* MOCS of bcs0 */
	{ 0x0c900, 64, PLAIN },			/* MOCS of vcs0 */
	{ 0x1a028, 1, MASKED },			/* EXCC of vecs0 */
	{ 0x0cb00, 64, PLAIN },			/* MOCS of vecs0 */
};

static uint32_t nonpriv(unsigned int slot, unsigned int number)
{
	static const uint32_t allowed[] = {
		0x2248, 0x2580, 0x7010, 0x7014, 0x7300, 0x7304, 0xb118, 0xe100, 0x2690, 0x2694,
		0x4de0, 0x4de4,
	};

	return allowed[(slot + number) % ARRAY_SIZE(allowed)];
}

static uint32_t canary(enum kind kind, unsigned int n, unsigned int number)
{
	switch (kind) {
	case MASKED:
		return 0xf0u << 16 | number << 4;
	case MASKED_HIGH:
		return 0xf00u << 16 | number << 8;
	case NONPRIV:
		return nonpriv(n, number);
	default:
		return number * 0x10101010u;
	}
}

static bool is_kept(enum kind kind, uint32_t value, uint32_t read)
{
	uint32_t bits = kind == MASKED || kind == MASKED_HIGH ? value >> 16 : UINT32_MAX;

	return (read & bits) == (value & bits);
}

static int write_one(struct vgpu_client *v, uint32_t offset, enum kind kind, uint32_t value)
{
	uint32_t read;
	int err = vgpu_write32(v, offset, value) ?: vgpu_read32(v, offset, &read);

	if (err || is_kept(kind, value, read))
		return err;
	fprintf(stderr, "rig-load: register 0x%x keeps 0x%x, not the canary 0x%x\n", offset, read,
		value);
	return -EIO;
}

int canary_write(struct vgpu_client *v, unsigned int number)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		for (unsigned int n = 0; n < registers[i].count && !err; n++)
			err = write_one(v, registers[i].offset + 4 * n, registers[i].kind,
					canary(registers[i].kind, n, number));
	return err;
}
