/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GVT_STAT_WORKLOADS_H
#define GVT_STAT_WORKLOADS_H

#include "options.h"

struct workloads_options {
	struct options common;
	bool pieces;			/* execution pieces instead of workloads */
};

/**
 * workloads_run - the command: one line per workload, or execution piece
 * @arg: a struct workloads_options
 *
 * Lines come as workloads end, those still alive at the end last.
 * Returns the exit status.
 */
int workloads_run(void *arg);

#endif
