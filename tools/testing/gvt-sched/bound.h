/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounds that no order of the workloads can beat */

#ifndef GVT_SCHED_BOUND_H
#define GVT_SCHED_BOUND_H

#include <linux/types.h>

/**
 * bound_share - the part of the time that a vGPU has, given the latency of its workloads
 * @exec: execution time of a workload
 * @mean: the mean latency, from queueing to completion
 * @pause: the mean or longest time from a completion to the next workload
 * @depth: number of workloads in flight or pausing at any time
 *
 * Little's law. All times are in the same unit.
 *
 * Return: the part of the time, a lower bound if @pause is an upper bound.
 */
double bound_share(double exec, double mean, double pause, u32 depth);

/**
 * bound_worst - how long the worst 1 % take, given a limit for the others
 * @mean: the mean latency of all
 * @p99: the longest latency of the others
 *
 * Return: the least possible mean of the worst 1 %, in the same unit.
 */
double bound_worst(double mean, double p99);

#endif
