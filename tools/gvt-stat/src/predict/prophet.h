/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prophet's model of an accelerator without a scheduler, which executes tasks in order of
 * arrival: Q. Chen et al., Prophet: Precise QoS Prediction on Non-Preemptive
 * Accelerators to Improve Utilization in Warehouse-Scale Computers, ASPLOS 2017. Numbers of
 * equations are the paper's; equation 10 is degradation() in prediction.h.
 *
 * An engine of a GPU that executes one context at a time is a device with one processing element:
 * the model then reduces to equation 1, and to equation 9 for the copy engine.
 */
#ifndef GVT_STAT_PROPHET_H
#define GVT_STAT_PROPHET_H

/* times are in ns, bandwidths in any common unit */
struct prophet_device {
	unsigned int elements;		/* N_p: processing elements */
	double warps;			/* N_mw: that one element holds at most */
	double bandwidth;		/* GB: effective bandwidth of the memory */
};

enum prophet_kind {
	PROPHET_COMPUTE,
	PROPHET_EXCLUSIVE,		/* a transfer with exclusive use of the bus: BE */
	PROPHET_SHARING,		/* a transfer that shares the bus: BS */
};

struct prophet_task {
	enum prophet_kind kind;
	double run_ns;			/* t: of a solo run */
	/* PROPHET_COMPUTE only */
	double warps;			/* N_w */
	double occupancy;		/* Occu: part of an element's warps that the task can use */
	double bandwidth;		/* bw: per element */
};

struct prophet;

/**
 * prophet_new - create an idle device; prophet_free() frees
 */
struct prophet *prophet_new(const struct prophet_device *device);
void prophet_free(struct prophet *prophet);

/**
 * prophet_submit - predict when a task completes
 * @submit_ns: arrival of the task, not before that of the previous task
 *
 * Returns the completion time. Later tasks may delay it, see prophet_completion(), unless the
 * device has one element and no transfer shares the bus.
 */
double prophet_submit(struct prophet *prophet, const struct prophet_task *task, double submit_ns);

/**
 * prophet_completion - completion time of a task, given all tasks so far
 * @nr: number of the task in order of submission, from 0; the task must not have completed before
 *      the last submission
 */
double prophet_completion(const struct prophet *prophet, unsigned int nr);

#endif
