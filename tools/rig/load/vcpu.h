/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU of a virtual machine that does nothing but store.
 *
 * What a process writes to the memory of a virtual machine is not trapped, what a CPU of that
 * machine writes is. The CPU runs in 64-bit mode at CPL 0, with addresses of its own that are
 * those of the machine's memory.
 */
#ifndef VCPU_H
#define VCPU_H

#include <stddef.h>
#include <stdint.h>

/* One store: 1, 2, 4, 8 or 16 bytes of @value to @address. The CPU reads it as it is here. */
struct vcpu_store {
	uint64_t address;
	uint64_t bytes;
	uint64_t value[2];
};

/* What a CPU needs of the machine's memory; page aligned, below 1 GB */
#define VCPU_PAGES 5
#define VCPU_STORES 64	/* at once */

struct vcpu {
	int fd;
	void *run;
	size_t run_bytes;
	uint64_t pages;		/* guest physical */
	uint8_t *memory;	/* the same here */
};

/**
 * vcpu_open - add a CPU to a virtual machine
 * @kvm: /dev/kvm
 * @vm: the machine, whose memory begins with address 0
 * @id: of the CPU in the machine
 * @memory: where the machine's memory is in this process
 * @pages: guest physical address of VCPU_PAGES pages, for this CPU alone
 *
 * Returns: 0 or -errno. To be given to vcpu_close() in either case.
 */
int vcpu_open(struct vcpu *c, int kvm, int vm, unsigned int id, uint8_t *memory, uint64_t pages);

void vcpu_close(struct vcpu *c);

/**
 * vcpu_store - do stores, one after the other
 * @n: VCPU_STORES at most
 *
 * Returns: 0, or -errno if the CPU has stopped for another reason than their end.
 */
int vcpu_store(struct vcpu *c, const struct vcpu_store *stores, size_t n);

#endif
