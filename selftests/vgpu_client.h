/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays a guest of a GVT-g vGPU without a vCPU.
 *
 * The vGPU is opened through VFIO and KVM as a virtual machine monitor would;
 * then this library does what the guest's i915 would do: it builds page
 * tables, contexts, rings and batches in "guest" memory and submits workloads
 * through the vGPU's trapped registers.  Nothing here depends on more than
 * libc and the kernel's uapi headers.  Not thread-safe per vGPU.
 *
 * Functions that return int return 0 (or as said) on success and -errno on
 * failure, with vgpu_error() naming the call that failed.
 */
#ifndef VGPU_CLIENT_H
#define VGPU_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "vgpu_commands.h"

enum vgpu_engine { VGPU_RCS0, VGPU_BCS0, VGPU_VCS0, VGPU_VECS0, VGPU_ENGINES };

#define VGPU_MAX_CONTEXTS 32
#define VGPU_MAX_SLOTS 16

struct vgpu_client;
struct vgpu_context;

/* One entry of an engine's context status buffer. */
struct vgpu_csb {
	unsigned int index;	/* 0 to 5 */
	uint32_t status;	/* GEN8_CTX_STATUS_* */
	uint32_t context;	/* upper word of the context descriptor */
};

/**
 * vgpu_engine_find - look an engine up by name ("rcs0", "bcs0", "vcs0", "vecs0")
 *
 * Returns: the engine, or -1.
 */
int vgpu_engine_find(const char *name);

/* vgpu_engine_name - the reverse; static */
const char *vgpu_engine_name(enum vgpu_engine engine);

/**
 * vgpu_new - allocate a vGPU that is not open yet
 *
 * Returns: to be given to vgpu_free(), or NULL when memory is short.
 */
struct vgpu_client *vgpu_new(void);

/**
 * vgpu_open - open a vGPU and get it to where a guest's driver starts probing
 * @uuid: the mdev's UUID
 *
 * Call once.  On error only vgpu_error() and vgpu_free() may follow.
 */
int vgpu_open(struct vgpu_client *v, const char *uuid);

/**
 * vgpu_set_addresses - where contexts that are made from now on have their batches
 * @base: in their own address space; a multiple of 2 MB, at most 256 GB
 *
 * All vGPUs have them at the same place otherwise.
 */
void vgpu_set_addresses(struct vgpu_client *v, uint64_t base);

/* vgpu_free - shut the guest down: release its contexts, close the vGPU; NULL is fine */
void vgpu_free(struct vgpu_client *v);

/* vgpu_kill - close the vGPU as it is, as when its VM is killed; NULL is fine */
void vgpu_kill(struct vgpu_client *v);

/* vgpu_error - which call failed last and why; owned by @v, "" if none did */
const char *vgpu_error(const struct vgpu_client *v);

/* vgpu_irq_fd - becomes readable when the vGPU raises its interrupt; owned by @v */
int vgpu_irq_fd(const struct vgpu_client *v);

/* vgpu_read32, vgpu_write32 - access a register as the guest's CPU would */
int vgpu_read32(struct vgpu_client *v, uint32_t offset, uint32_t *value);
int vgpu_write32(struct vgpu_client *v, uint32_t offset, uint32_t value);

/**
 * vgpu_poke - access a register or the configuration space in any way
 * @config: the configuration space, instead of the registers and the GTT behind them
 * @data: what is written, or read; @size bytes
 *
 * Returns: 0, or -errno where the kernel refuses it; vgpu_error() is not touched.
 */
int vgpu_poke(struct vgpu_client *v, bool config, uint32_t offset, void *data,
	      unsigned int size, bool write);

/**
 * vgpu_start_engine - status page, execlist mode and interrupts of an engine
 *
 * GVT starts to schedule a vGPU when the first engine is started: an idle
 * guest has started all of them.
 */
int vgpu_start_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_context_new - make a context with a ring and @slots prepared batches
 * @engine: an engine that has been started
 * @work: what each workload of this context does; walkers need rcs0
 * @slots: workloads in flight at most, 1 to VGPU_MAX_SLOTS
 *
 * Returns: the context, owned by @v, or NULL on error (-E2BIG: the batches
 * exceed 2 MB; -ENOSPC: VGPU_MAX_CONTEXTS or the vGPU's memory is used up).
 */
struct vgpu_context *vgpu_context_new(struct vgpu_client *v, enum vgpu_engine engine,
				      const struct vgpu_work *work, unsigned int slots);

/**
 * vgpu_submit - submit the next workload of a context
 *
 * The caller keeps to the number of slots: -EBUSY if all are in flight.
 * Workloads of a context complete in the order of submission; the first has
 * sequence number 1.
 */
int vgpu_submit(struct vgpu_context *c);

/* vgpu_submit_hang - the same with a workload that never ends nor yields */
int vgpu_submit_hang(struct vgpu_context *c);

/*
 * vgpu_submit_endless - the same with a workload that stores what it should, and then
 * goes in a circle, where it can be preempted, until vgpu_end()
 */
int vgpu_submit_endless(struct vgpu_context *c);

/* vgpu_end - let an endless workload in flight end: a write to the guest's memory */
void vgpu_end(struct vgpu_context *c, uint32_t seqno);

/*
 * vgpu_submit_bad - the same with a command that GVT refuses. It ignores the vGPU from
 * then on: nothing that was submitted and has not completed yet is sure to do so.
 */
int vgpu_submit_bad(struct vgpu_context *c);

/*
 * vgpu_submit_garbage - the same with a tail that is not behind any command. What the engine
 * executes then, if GVT lets it, and what becomes of later workloads, is unknown.
 */
int vgpu_submit_garbage(struct vgpu_context *c, uint32_t tail);

/* vgpu_submit_again - write to the engine's submit port once more, without new commands */
int vgpu_submit_again(struct vgpu_context *c);

/*
 * vgpu_renew_tables - destroy a context's page tables and make them again, as some drivers do
 * after a hang
 */
int vgpu_renew_tables(const struct vgpu_context *c);

/* vgpu_descriptor - what an engine's submit port takes for a context; changes when it is reset */
uint64_t vgpu_descriptor(const struct vgpu_context *c);

/* vgpu_write_port - any two descriptors to an engine's submit port at once; 0: none */
int vgpu_write_port(struct vgpu_client *v, enum vgpu_engine engine, uint64_t first,
		    uint64_t second);

/* vgpu_submitted, vgpu_completed - sequence number of the last such workload */
uint32_t vgpu_submitted(const struct vgpu_context *c);
uint32_t vgpu_completed(const struct vgpu_context *c);

/**
 * vgpu_result_ok - did a completed workload store what it should?
 * @seqno: one of the last @slots completed ones
 */
bool vgpu_result_ok(const struct vgpu_context *c, uint32_t seqno);

/* vgpu_ack_irq - acknowledge the interrupt; call when vgpu_irq_fd() is readable */
int vgpu_ack_irq(struct vgpu_client *v);

/**
 * vgpu_next_csb - take the next unread entry of an engine's status buffer
 *
 * Returns: 1 with @entry filled, or 0 if there is none.  GVT, like the
 * hardware, overwrites entries that were not read in time.
 */
int vgpu_next_csb(struct vgpu_client *v, enum vgpu_engine engine, struct vgpu_csb *entry);

/**
 * vgpu_reset_engine - reset one engine as a guest does after a hang (GDRST)
 *
 * All workloads in flight on the engine are lost and count as completed with a
 * wrong result; its contexts are empty and usable afterwards.  While the host
 * still executes a workload of this vGPU the call blocks, so give the host the
 * time to find the hang (heartbeat and preemption timeout: up to 10 s).
 */
int vgpu_reset_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_stop_engine - the same, but leave the engine as the reset does
 *
 * GVT does not schedule the vGPU until one of its engines is started again, which
 * vgpu_restart_engine() does.
 */
int vgpu_stop_engine(struct vgpu_client *v, enum vgpu_engine engine);
int vgpu_restart_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_acthd - what the guest reads of where its engine executes (RING_ACTHD)
 */
int vgpu_acthd(struct vgpu_client *v, enum vgpu_engine engine, uint64_t *address);

/**
 * vgpu_reset - reset the whole vGPU (VFIO_DEVICE_RESET) and set it up again
 *
 * Engines that were started are started again, contexts are empty and usable.
 */
int vgpu_reset(struct vgpu_client *v);

#endif
