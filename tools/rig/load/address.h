/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of a vGPU's batches, so that each half of an address identifies the vGPU. */
#ifndef RIG_ADDRESS_H
#define RIG_ADDRESS_H

#include <stdint.h>

/* As many vGPUs as a GPU can have (GVT_MAX_VGPU) */
#define ADDRESS_MAX 8

/* ADDRESS_NOBODY: the address of a ring, or none */
enum address_owner { ADDRESS_NOBODY, ADDRESS_OWN, ADDRESS_FOREIGN };

/* address_of - address of the batches of vGPU @number, 1 to ADDRESS_MAX; a multiple of 256 MB */
uint64_t address_of(unsigned int number);

/**
 * address_owner - the vGPU that owns an address read by vGPU @number
 *
 * The halves are read one after the other: if one half is another vGPU's, the address is
 * foreign whatever the other half is. Half an address of an own batch beside half an
 * address of a ring belongs to no vGPU.
 */
enum address_owner address_owner(uint64_t address, unsigned int number);

#endif
