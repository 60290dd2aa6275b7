/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of vCPU threads, from sched_switch, sched_wakeup, kvm_entry and
 * kvm_exit, and which threads preempted them (Belkhiri and Dagenais 2024, 5.3).
 */
#ifndef GVTTRACE_VCPUS_H
#define GVTTRACE_VCPUS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "blocks.h"

#define COMM_LEN	16		/* TASK_COMM_LEN of the kernel */

/* states of a vCPU thread */
enum vcpu_state {
	VCPU_GUEST,			/* between kvm_entry and kvm_exit */
	VCPU_VMM,			/* on a CPU, but not in the guest */
	VCPU_PREEMPTED,			/* runnable, but preempted by another thread */
	VCPU_RUNNABLE,			/* woken up, waits for a CPU */
	VCPU_BLOCKED,			/* sleeps */
	VCPU_UNKNOWN,			/* no event yet, or events were lost */
	VCPU_STATES
};

/* a vCPU thread */
struct vcpu {
	int64_t pid;			/* of the thread */
	int64_t vcpu_id;		/* KVM's vCPU id in the VM; or UNKNOWN */
	int64_t dev;			/* GPU of the vGPU it queued work for, or UNKNOWN */
	int64_t vgpu_id;
	char comm[COMM_LEN];		/* "" if unknown */
	int64_t time_ns[VCPU_STATES];	/* in the window; sum to its length */
	int64_t preemptions;
	int64_t exits;			/* from the guest */
	int64_t doubt_ns;		/* part of the unknown time due to lost events */
	bool missed;			/* events were lost in the window: counts are lower */
					/* bounds */
	bool tainted;			/* @missed, or @doubt_ns is not 0 */
	unsigned int line;		/* line in the blocks: time on a CPU */
	unsigned int doubt_line;	/* the same: time in doubt */
	GPtrArray *preemptors;		/* of struct preemptor */
	enum vcpu_state state;
	int64_t since_ns;
	bool seen;			/* had an event; else its next one implies the state */
	struct preemptor *preemptor;	/* while preempted */
	int64_t preempted_by;		/* thread of the last preemption, */
	bool counted;			/* and whether it was in the window */
};

/* a preemptor of a vCPU thread */
struct preemptor {
	int64_t pid;			/* of a vCPU thread; UNKNOWN: other threads */
	char comm[COMM_LEN];
	int64_t count;
	int64_t time_ns;		/* until the vCPU thread ran again */
	int64_t worst_ns;		/* longest of these, in the window; 0: none */
	int64_t worst_at_ns;		/* when the longest began */
};

struct vcpus;

/**
 * vcpus_new, vcpus_free - find the vCPU threads of a trace
 * @follow: the trace, open; it is read once for this. NULL: threads are found at their first
 *          kvm event, and their time before is unknown
 *
 * A vCPU thread is a thread that enters or leaves a guest.
 */
struct vcpus *vcpus_new(const struct follow *follow);
void vcpus_free(struct vcpus *vcpus);

/**
 * vcpus_follow - account states while @follow runs
 * @blocks: gets a line per vCPU
 */
void vcpus_follow(struct vcpus *vcpus, struct follow *follow, struct blocks *blocks);

/**
 * vcpus_finish - the window's end is known: account the states that last until then
 */
void vcpus_finish(struct vcpus *vcpus, struct window window);

/**
 * vcpus_list - all struct vcpu, in the order of their thread ids
 */
const GPtrArray *vcpus_list(const struct vcpus *vcpus);

/**
 * vcpus_find - find a thread by its id; NULL if it is no vCPU
 */
const struct vcpu *vcpus_find(const struct vcpus *vcpus, int64_t pid);

#endif
