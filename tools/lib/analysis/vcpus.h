/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of vCPU threads as sched_switch, sched_wakeup, kvm_entry and
 * kvm_exit move them, and who preempted them (Belkhiri and Dagenais 2024, 5.3).
 */
#ifndef GVTTRACE_VCPUS_H
#define GVTTRACE_VCPUS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "blocks.h"

#define COMM_LEN	16		/* of the kernel, with its zero byte */

/* what a vCPU thread does */
enum vcpu_state {
	VCPU_GUEST,			/* between kvm_entry and kvm_exit */
	VCPU_VMM,			/* on a CPU, but not in the guest */
	VCPU_PREEMPTED,			/* could have gone on, another thread runs */
	VCPU_RUNNABLE,			/* woken up, waits for a CPU */
	VCPU_BLOCKED,			/* waits for something else */
	VCPU_UNKNOWN,			/* not told, or events were lost */
	VCPU_STATES
};

/* a vCPU thread */
struct vcpu {
	int64_t pid;			/* of the thread */
	int64_t vcpu_id;		/* KVM's number in the VM; or UNKNOWN */
	int64_t dev;			/* of the vGPU that it queued work for, or UNKNOWN */
	int64_t vgpu_id;
	char comm[COMM_LEN];		/* "" when not told */
	int64_t time_ns[VCPU_STATES];	/* in the window; sum to its length */
	int64_t preemptions;
	int64_t exits;			/* from the guest */
	int64_t doubt_ns;		/* of the unknown time, what lost events made so */
	bool missed;			/* events were lost in the window: there may be more of what */
					/* is counted */
	bool tainted;			/* or some of its time in the window is in doubt */
	unsigned int line;		/* of its time on a CPU, in the blocks */
	unsigned int doubt_line;	/* of the time in doubt */
	GPtrArray *preemptors;		/* of struct preemptor */
	enum vcpu_state state;
	int64_t since_ns;
	bool seen;			/* an event of it was; until then only the next one tells */
	struct preemptor *preemptor;	/* while preempted */
	int64_t preempted_by;		/* the last time: thread, */
	bool counted;			/* and whether in the window */
};

/* who took the CPU away from a vCPU */
struct preemptor {
	int64_t pid;			/* of a vCPU thread; UNKNOWN: of another kind */
	char comm[COMM_LEN];
	int64_t count;
	int64_t time_ns;		/* until the victim was on a CPU again */
	int64_t worst_ns;		/* the longest of these, in the window; 0: none */
	int64_t worst_at_ns;		/* when that began */
};

struct vcpus;

/**
 * vcpus_new, vcpus_free - find the vCPU threads of a trace
 * @follow: the trace, open; it is read once for this. NULL: they are found as they come, and
 *          nothing is known of the time before
 *
 * A vCPU thread is one that enters or leaves a guest.
 */
struct vcpus *vcpus_new(const struct follow *follow);
void vcpus_free(struct vcpus *vcpus);

/**
 * vcpus_analysis - to be added to the followers of the trace
 * @blocks: gets a line per vCPU
 */
struct analysis vcpus_analysis(struct vcpus *vcpus, const struct follow *follow,
			       struct blocks *blocks);

/**
 * vcpus_finish - the window's end is known: account for what lasts until then
 */
void vcpus_finish(struct vcpus *vcpus, struct window window);

/**
 * vcpus_list - all threads, of struct vcpu, in the order of their ids
 */
const GPtrArray *vcpus_list(const struct vcpus *vcpus);

/**
 * vcpus_find - a thread by its id; NULL if it is no vCPU
 */
const struct vcpu *vcpus_find(const struct vcpus *vcpus, int64_t pid);

#endif
