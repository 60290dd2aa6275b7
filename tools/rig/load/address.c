// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a vGPU's batches are, so that each half of an address tells whose it is. */
#include "address.h"

#include <stdbool.h>

#include "canary.h"

/*
 * The number is in both halves. Rings are in the 4 GB of graphics memory, where i915 puts
 * them at the upper end: their upper half is 0, and 12 or more is where the number would be
 * in the lower one.
 */
#define LOW_SHIFT 28

static bool is_foreign(uint64_t owner, unsigned int number)
{
	return owner >= 1 && owner <= CANARY_MAX && owner != number;
}

uint64_t address_of(unsigned int number)
{
	return (uint64_t)number << 32 | (uint64_t)number << LOW_SHIFT;
}

enum address_owner address_owner(uint64_t address, unsigned int number)
{
	uint64_t high = address >> 32, low = (address & UINT32_MAX) >> LOW_SHIFT;

	if (is_foreign(high, number) || is_foreign(low, number))
		return ADDRESS_FOREIGN;
	return high == number && low == number ? ADDRESS_OWN : ADDRESS_NOBODY;
}
