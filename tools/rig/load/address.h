/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a vGPU's batches are, so that each half of an address tells whose it is. */
#ifndef RIG_ADDRESS_H
#define RIG_ADDRESS_H

#include <stdint.h>

/* As many vGPUs as a GPU can have (GVT_MAX_VGPU) */
#define ADDRESS_MAX 8

/* ADDRESS_NOBODY: of a ring, or of nothing at all */
enum address_owner { ADDRESS_NOBODY, ADDRESS_OWN, ADDRESS_FOREIGN };

/* address_of - where the batches of vGPU @number, 1 to ADDRESS_MAX, are; a multiple of 256 MB */
uint64_t address_of(unsigned int number);

/**
 * address_owner - whose an address is that vGPU @number has read
 *
 * The halves are read one after the other: if one is another vGPU's, the address is
 * foreign whatever the other half is. One half of the own batch beside half an address
 * of a ring is nobody's.
 */
enum address_owner address_owner(uint64_t address, unsigned int number);

#endif
