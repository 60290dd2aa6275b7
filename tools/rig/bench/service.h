/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the GPU each vGPU got: from the device's truth log. */
#ifndef RIG_BENCH_SERVICE_H
#define RIG_BENCH_SERVICE_H

#include <stdbool.h>

#include "intervals.h"
#include "scenario.h"

/*
 * The service of one vGPU. An engine that idles until a vGPU's workload begins is had by that vGPU,
 * whoever had the engine before: submitting the workload took that long. If vGPUs pause, this
 * contains time that nobody wanted, so it says something only of vGPUs that always have work.
 */
struct service {
	const struct scenario_vgpu *vgpu;
	GArray *exec;			/* merged: at least one of its engines executes */
	GArray *had;			/* merged: the same, or an engine idles until it executes */
	GHashTable *engines;		/* engine's name to merged intervals */
};

/* The window in which the service of all vGPUs differs most */
struct worst_window {
	double least_to_most;		/* NAN: no service at all */
	int64_t begin_ns;
};

/**
 * services_new - sort the pieces of a truth log by vGPU
 * @truth: struct truth_piece, of which owners_find() has told the owners
 * @s: stays in use
 *
 * Return: an array of struct service, one for each vGPU of the scenario, for
 * services_free().
 */
GArray *services_new(const GArray *truth, const struct scenario *s);

void services_free(GArray *services);

/**
 * services_nobodys - execution on the engines for no vGPU
 * @truth: struct truth_piece, of which owners_find() has told the owners
 *
 * Return: engine's name to merged intervals, for g_hash_table_destroy().
 */
GHashTable *services_nobodys(const GArray *truth);

/**
 * services_least_to_most - smallest over largest service per weight in @window
 * @with_gaps: of what vGPUs had, else of their execution, which is FairGV's measure of fairness
 *
 * 1 is best; vGPUs without a stream do not count.
 * Return: 0 to 1, or NAN without any service.
 */
double services_least_to_most(const GArray *services, const struct interval *window,
			      bool with_gaps);

/**
 * services_worst_window - the worst of all windows of @length_ns within @whole
 * @step_ns: distance of the windows that are tried
 */
struct worst_window services_worst_window(const GArray *services, const struct interval *whole,
					  int64_t length_ns, int64_t step_ns);

/**
 * services_bound - the best that services_worst_window() could be without preemption
 *
 * The vGPU with the longest workload, of l ns, and the share f of the weights is
 * served at best once in every l / f. A window of W ns that begins at the end of
 * such a workload contains floor(W f / l) of them and the beginning of the next;
 * the others divide the rest. Derived here; needs all vGPUs to have work always.
 */
double services_bound(const struct scenario *s, int64_t length_ns);

#endif
