/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays the guest of a GVT-g vGPU, without a vCPU.
 *
 * The vGPU is opened through VFIO and KVM as a virtual machine monitor would;
 * then this library does what the guest's i915 would do: it builds page
 * tables, contexts, rings and batches in "guest" memory and submits workloads
 * through the vGPU's trapped registers.  Nothing here depends on more than
 * libc and the kernel's uapi headers.  Not thread-safe per vGPU.
 *
 * Functions that return int return 0 (or as documented) on success and -errno on
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

/* vgpu_engine_name - name of an engine, a static string */
const char *vgpu_engine_name(enum vgpu_engine engine);

/**
 * vgpu_new - allocate a vGPU that is not open yet
 *
 * Returns: the vGPU, to be freed by vgpu_free(), or NULL if out of memory.
 */
struct vgpu_client *vgpu_new(void);

/**
 * vgpu_open - open a vGPU and set it up for a guest's driver to probe
 * @uuid: the mdev's UUID
 *
 * Call once.  On error only vgpu_error() and vgpu_free() may follow.
 */
int vgpu_open(struct vgpu_client *v, const char *uuid);

/**
 * vgpu_set_addresses - set the address of the batches of new contexts
 * @base: the address in their own address space; a multiple of 2 MB, at most 256 GB
 *
 * The default is the same for all vGPUs.
 */
void vgpu_set_addresses(struct vgpu_client *v, uint64_t base);

/* vgpu_free - shut the guest down: release its contexts, close the vGPU; accepts NULL */
void vgpu_free(struct vgpu_client *v);

/* vgpu_kill - close the vGPU at once, as when its VM is killed; accepts NULL */
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
 * @config: access the configuration space, not the registers and the GTT behind them
 * @data: @size bytes to write, or to receive the bytes read
 *
 * Returns: 0, or -errno if the kernel refuses the access; leaves vgpu_error() alone.
 */
int vgpu_poke(struct vgpu_client *v, bool config, uint32_t offset, void *data,
	      unsigned int size, bool write);

/**
 * vgpu_start_engine - set up the status page, execlist mode and interrupts of an engine
 *
 * GVT starts to schedule a vGPU when the first engine is started: an idle
 * guest has started all of them.
 */
int vgpu_start_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_context_new - create a context with a ring and @slots prepared batches
 * @engine: an engine that has been started
 * @work: the work of each workload of this context; walkers need rcs0
 * @slots: maximum number of workloads in flight, 1 to VGPU_MAX_SLOTS
 *
 * Returns: the context, owned by @v, or NULL on error (-E2BIG: the batches
 * exceed 2 MB; -ENOSPC: VGPU_MAX_CONTEXTS or the vGPU's memory is used up).
 */
struct vgpu_context *vgpu_context_new(struct vgpu_client *v, enum vgpu_engine engine,
				      const struct vgpu_work *work, unsigned int slots);

/**
 * vgpu_submit - submit the next workload of a context
 *
 * Fails with -EBUSY if workloads of all slots are in flight. Workloads of a
 * context complete in the order of submission; the first has sequence number 1.
 */
int vgpu_submit(struct vgpu_context *c);

/* vgpu_submit_hang - submit a workload that never ends and cannot be preempted */
int vgpu_submit_hang(struct vgpu_context *c);

/*
 * vgpu_submit_endless - submit a workload that stores its value, and then loops, where it
 * can be preempted, until vgpu_end()
 */
int vgpu_submit_endless(struct vgpu_context *c);

/* vgpu_end - end an endless workload in flight by a write to the guest's memory */
void vgpu_end(struct vgpu_context *c, uint32_t seqno);

/*
 * vgpu_submit_bad - submit a workload with a command that GVT refuses. GVT ignores the vGPU
 * from then on: workloads in flight may not complete.
 */
int vgpu_submit_bad(struct vgpu_context *c);

/*
 * vgpu_submit_garbage - submit a ring tail that is not at the end of a command. The results of
 * this submission and of later workloads are undefined.
 */
int vgpu_submit_garbage(struct vgpu_context *c, uint32_t tail);

/* vgpu_submit_again - write to the engine's submit port once more, without new commands */
int vgpu_submit_again(struct vgpu_context *c);

/*
 * vgpu_renew_tables - destroy and rebuild a context's page tables, as some drivers do after a
 * hang
 */
int vgpu_renew_tables(const struct vgpu_context *c);

/* vgpu_descriptor - a context's descriptor for an engine's submit port; a reset changes it */
uint64_t vgpu_descriptor(const struct vgpu_context *c);

/* vgpu_write_port - write any two descriptors to an engine's submit port at once; 0: none */
int vgpu_write_port(struct vgpu_client *v, enum vgpu_engine engine, uint64_t first,
		    uint64_t second);

/* vgpu_submitted, vgpu_completed - sequence number of the last submitted, completed workload */
uint32_t vgpu_submitted(const struct vgpu_context *c);
uint32_t vgpu_completed(const struct vgpu_context *c);

/**
 * vgpu_result_ok - did a completed workload store the right value?
 * @seqno: one of the last @slots completed workloads
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
 * wrong result; its contexts are empty and usable afterwards.  The call blocks
 * while the host still executes a workload of this vGPU, so give the host time
 * to detect the hang (heartbeat and preemption timeout: up to 10 s).
 */
int vgpu_reset_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_stop_engine - reset one engine and leave it stopped
 *
 * GVT does not schedule the vGPU until one of its engines is started again, which
 * vgpu_restart_engine() does.
 */
int vgpu_stop_engine(struct vgpu_client *v, enum vgpu_engine engine);
int vgpu_restart_engine(struct vgpu_client *v, enum vgpu_engine engine);

/**
 * vgpu_acthd - read the address at which the engine executes (RING_ACTHD)
 */
int vgpu_acthd(struct vgpu_client *v, enum vgpu_engine engine, uint64_t *address);

/**
 * vgpu_reset - reset the whole vGPU (VFIO_DEVICE_RESET) and set it up again
 *
 * Engines that were started are started again, contexts are empty and usable.
 */
int vgpu_reset(struct vgpu_client *v);

#endif
