/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual machines: which vCPU threads and vGPUs belong together, and each VM's
 * phases over time.
 */
#ifndef GVTTRACE_VMS_H
#define GVTTRACE_VMS_H

#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "blocks.h"
#include "gpu-time.h"
#include "vcpus.h"

/* phase of a VM in a block of time; and over all of the time */
enum vm_phase {
	VM_IDLE,
	VM_CPU,				/* much more on CPUs than on the GPU */
	VM_GPU,				/* much more on the GPU than on CPUs */
	VM_BOTH,			/* over all of the time: alternates */
	VM_UNKNOWN,			/* lost events allow several phases */
	VM_PHASES
};

/* a VM: its threads, its vGPUs and its phases */
struct vm {
	int64_t pid;			/* of the VM's process; UNKNOWN */
	char *name;			/* name of VM if recorded; else of process or vGPU */
	GPtrArray *vcpus;		/* of struct vcpu, not owned */
	GPtrArray *vgpus;		/* of struct vgpu, not owned */
	int64_t nr_vcpus;		/* UNKNOWN: it may have more */
	struct bounds cpu_percent;	/* of one CPU, summed over its vCPUs; NAN: no vCPU known */
	struct bounds gpu_percent;	/* summed over engines; NAN: no vGPU known */
	double phase_percent[VM_PHASES];	/* of the time; NAN: unknown */
	int class;			/* enum vm_phase, or -1: unknown */
	int64_t preemptions;		/* UNKNOWN: events may be lost */
	GArray *phases;			/* of struct vm_stretch, in order, without gaps */
};

/* consecutive blocks with the same phase */
struct vm_stretch {
	int64_t from_ns;
	int64_t to_ns;
	enum vm_phase phase;
	struct bounds cpu_percent;
	struct bounds gpu_percent;
};

/* the data to build VMs from */
struct vm_source {
	const struct vcpus *vcpus;
	const struct model *model;
	struct blocks *blocks;
	const struct recorded *recorded;
	const struct gpu_time *gpu_time;
	struct window window;
};

/**
 * vms_build - the VMs of a trace that was read to its end
 *
 * A thread belongs to the VM of the vGPU that it queued work for; the vGPUs of one
 * process to one VM. Other vCPU threads are in no VM, as the trace lacks their
 * process. If events were lost, the link of such a thread may be among them: it may
 * belong to any VM. Returns an array of struct vm that frees its elements.
 */
GPtrArray *vms_build(const struct vm_source *source);

/**
 * vms_of_vcpu - the VM of a vCPU thread, NULL if unknown
 */
const struct vm *vms_of_vcpu(const GPtrArray *vms, const struct vcpu *vcpu);

/**
 * vm_phase_name - the name of a phase, for columns; NULL for VM_UNKNOWN
 */
const char *vm_phase_name(enum vm_phase phase);

/**
 * vm_class_name - the name of a class; NULL for -1
 */
const char *vm_class_name(int class);	/* NULL for -1 */

#endif
