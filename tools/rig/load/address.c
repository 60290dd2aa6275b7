// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a vGPU's batches are, so that each half of an address tells whose it is. */
#include "address.h"

#include <stdbool.h>

/*
 * The number is in both halves. Rings are in the 4 GB of graphics memory: their upper half is
 * 0, and the first bits of their lower one are any vGPU's, by how many of them there are. But
 * i915 puts rings at the upper end of what each vGPU has, multiples of 128 MB, and batches are
 * at the lower end of where they may be.
 */
#define LOW_SHIFT 28
#define LOW_SIZE (16u << 20)

/* Whose batch would have it as its lower half */
static uint64_t low_owner(uint64_t address)
{
	uint64_t low = address & UINT32_MAX, place = low & ((1u << LOW_SHIFT) - 1);

	return place < LOW_SIZE ? low >> LOW_SHIFT : 0;
}

static bool is_foreign(uint64_t owner, unsigned int number)
{
	return owner >= 1 && owner <= ADDRESS_MAX && owner != number;
}

uint64_t address_of(unsigned int number)
{
	return (uint64_t)number << 32 | (uint64_t)number << LOW_SHIFT;
}

enum address_owner address_owner(uint64_t address, unsigned int number)
{
	uint64_t high = address >> 32, low = low_owner(address);

	if (is_foreign(high, number) || is_foreign(low, number))
		return ADDRESS_FOREIGN;
	return high == number && low == number ? ADDRESS_OWN : ADDRESS_NOBODY;
}
