// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of a vGPU's batches, so that each half of an address identifies the vGPU. */
#include "address.h"

#include <stdbool.h>

/*
 * Both halves of an address contain the vGPU's number. Rings are in the 4 GB of graphics memory:
 * their upper half is 0, and the first bits of the lower half could be those of any vGPU. But
 * i915 puts rings at the upper end of each vGPU's share, a multiple of 128 MB, and batches are at
 * the lower end of their range.
 */
#define LOW_SHIFT 28
#define LOW_SIZE (16u << 20)

/* The vGPU whose batch would have this lower half */
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
