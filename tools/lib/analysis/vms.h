/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual machines: which vCPU threads and vGPUs belong together, and what each
 * machine is busy with over time.
 */
#ifndef GVTTRACE_VMS_H
#define GVTTRACE_VMS_H

#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "blocks.h"
#include "gpu-time.h"
#include "vcpus.h"

/* what a VM did in a block of time, and over all of it */
enum vm_phase {
	VM_IDLE,
	VM_CPU,				/* much more on CPUs than on the GPU */
	VM_GPU,				/* the other way round */
	VM_BOTH,			/* over all of the time: alternating */
	VM_UNKNOWN,			/* lost events may have made it another one */
	VM_PHASES
};

/* a VM: its threads, its vGPUs and its phases */
struct vm {
	int64_t pid;			/* of the VM's process; UNKNOWN */
	char *name;			/* the VM's if it was recorded; else of process or vGPU */
	GPtrArray *vcpus;		/* of struct vcpu, not owned */
	GPtrArray *vgpus;		/* of struct vgpu, not owned */
	int64_t nr_vcpus;		/* UNKNOWN: others may be its, too */
	struct bounds cpu_percent;	/* of one CPU, summed over its vCPUs; NAN: no vCPU known */
	struct bounds gpu_percent;	/* summed over engines; NAN: no vGPU known */
	double phase_percent[VM_PHASES];	/* of the time; NAN: unknown */
	int class;			/* enum vm_phase, or -1: unknown */
	int64_t preemptions;		/* UNKNOWN: some may have been lost */
	GArray *phases;			/* of struct vm_stretch, in order, without gaps */
};

/* blocks with the same phase one after the other */
struct vm_stretch {
	int64_t from_ns;
	int64_t to_ns;
	enum vm_phase phase;
	struct bounds cpu_percent;
	struct bounds gpu_percent;
};

/* what VMs are made of */
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
 * A thread belongs to the VM of the vGPU that it queued work for; vGPUs of one
 * process to one VM. Other vCPU threads are in no VM: their process is not in
 * the trace. If events were lost, those that tell this of such a thread may be
 * among them: it may belong to any VM. Returns an array of struct vm that frees them.
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
