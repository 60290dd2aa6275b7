/* SPDX-License-Identifier: GPL-2.0-only */
/* What no order of the workloads can do better */

#ifndef GVT_SCHED_BOUND_H
#define GVT_SCHED_BOUND_H

#include <linux/types.h>

/**
 * bound_share - the part of the time that a vGPU has if its workloads take so long
 * @exec: execution time of a workload
 * @mean: the mean latency, from queue to end
 * @pause: from there to the next one, on average, or at most
 * @depth: how many are between these at any time
 *
 * Little's law. All times are in the same unit.
 *
 * Return: the part of the time; at least that if @pause is an upper bound.
 */
double bound_share(double exec, double mean, double pause, u32 depth);

/**
 * bound_worst - how long the worst 1 % take if the others take no longer than this
 * @mean: the mean latency of all
 * @p99: the longest of the others
 *
 * Return: the mean of the worst 1 % at least, in the same unit.
 */
double bound_worst(double mean, double p99);

#endif
