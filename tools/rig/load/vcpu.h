/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU of a virtual machine that only stores.
 *
 * KVM traps the stores of a machine's CPU, but not those of a process to the machine's memory. The
 * CPU runs in 64-bit mode at CPL 0, with virtual addresses equal to physical ones.
 */
#ifndef VCPU_H
#define VCPU_H

#include <stddef.h>
#include <stdint.h>

/* A store of 1, 2, 4, 8 or 16 bytes of @value to @address, in the layout that the CPU reads */
struct vcpu_store {
	uint64_t address;
	uint64_t bytes;
	uint64_t value[2];
};

/* Memory that a CPU needs; page aligned, below 1 GB */
#define VCPU_PAGES 5
#define VCPU_STORES 64	/* at once */

struct vcpu {
	int fd;
	void *run;
	size_t run_bytes;
	uint64_t pages;		/* guest physical */
	uint8_t *memory;	/* the same in this process */
};

/**
 * vcpu_open - add a CPU to a virtual machine
 * @kvm: /dev/kvm
 * @vm: the machine, whose memory begins with address 0
 * @id: id of the CPU in the machine
 * @memory: address of the machine's memory in this process
 * @pages: guest physical address of VCPU_PAGES pages, for this CPU alone
 *
 * Returns: 0 or -errno. Call vcpu_close() in either case.
 */
int vcpu_open(struct vcpu *c, int kvm, int vm, unsigned int id, uint8_t *memory, uint64_t pages);

void vcpu_close(struct vcpu *c);

/**
 * vcpu_store - do stores, one after the other
 * @n: number of stores, at most VCPU_STORES
 *
 * Returns: 0, or -errno if the CPU stopped before the last store.
 */
int vcpu_store(struct vcpu *c, const struct vcpu_store *stores, size_t n);

#endif
