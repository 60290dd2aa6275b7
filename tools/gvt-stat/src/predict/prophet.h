/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prophet's model of an accelerator without a scheduler of its own, on which tasks execute in the
 * order in which they come: Q. Chen et al., Prophet: Precise QoS Prediction on Non-Preemptive
 * Accelerators to Improve Utilization in Warehouse-Scale Computers, ASPLOS 2017. Numbers of
 * equations are the paper's; equation 10 is degradation() in prediction.h.
 *
 * An engine of a GPU that executes one context at a time is a device of one processing element:
 * there, what is left of the model is equation 1, and for the copy engine equation 9.
 */
#ifndef GVT_STAT_PROPHET_H
#define GVT_STAT_PROPHET_H

/* times are in ns, bandwidths in any one unit */
struct prophet_device {
	unsigned int elements;		/* N_p: that process */
	double warps;			/* N_mw: that one of them holds at most */
	double bandwidth;		/* GB: of the memory, effectively */
};

enum prophet_kind {
	PROPHET_COMPUTE,
	PROPHET_EXCLUSIVE,		/* a transfer that has the bus for itself: BE */
	PROPHET_SHARING,		/* one that shares it: BS */
};

struct prophet_task {
	enum prophet_kind kind;
	double run_ns;			/* t: of a solo run */
	/* of PROPHET_COMPUTE */
	double warps;			/* N_w */
	double occupancy;		/* Occu: part of the warps that an element holds */
	double bandwidth;		/* bw: that it takes per element */
};

struct prophet;

/**
 * prophet_new - a device with nothing to do; prophet_free() frees
 */
struct prophet *prophet_new(const struct prophet_device *device);
void prophet_free(struct prophet *prophet);

/**
 * prophet_submit - predict when a task completes
 * @submit_ns: when it comes, not before the task before
 *
 * Returns that time; later tasks may delay it, see prophet_completion(), unless the device has one
 * element and no transfer shares the bus.
 */
double prophet_submit(struct prophet *prophet, const struct prophet_task *task, double submit_ns);

/**
 * prophet_completion - when a task completes for all that is known by now
 * @nr: which one of those that were submitted, from 0 on, and had not completed when the last one was
 */
double prophet_completion(const struct prophet *prophet, unsigned int nr);

#endif
