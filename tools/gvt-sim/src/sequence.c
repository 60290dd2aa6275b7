// SPDX-License-Identifier: GPL-2.0-only
#include "sequence.h"

static u32 reversed(u32 bits)
{
	u32 result = 0;
	int i;

	for (i = 0; i < 32; i++)
		result |= (bits >> i & 1) << (31 - i);
	return result;
}

/* Neighbouring seeds give unrelated sequences: the finaliser of MurmurHash3 */
static u32 hashed(u32 seed)
{
	seed = (seed ^ seed >> 16) * 0x85ebca6b;
	seed = (seed ^ seed >> 13) * 0xc2b2ae35;
	return seed ^ seed >> 16;
}

/*
 * Van der Corput's sequence, whose numbers are those of their bits in reverse order, scrambled as
 * A. Owen does: each bit changes those below it only. B. Burley, Practical Hash-based Owen Scrambling,
 * JCGT 2020, with N. Vegdahl's hash.
 */
u32 sequence_at(u32 nr, u32 seed)
{
	u32 bits = nr;

	bits ^= bits * 0x3d20adea;
	bits += hashed(seed);
	bits *= (hashed(seed) >> 16) | 1;
	bits ^= bits * 0x05526c56;
	bits ^= bits * 0x53a22864;
	return reversed(bits);
}
