/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What 'gvt-stat top' says of whole GPUs: engines with the work of all vGPUs, and the
 * frequency.
 */
#ifndef GVT_STAT_TOP_TOTALS_H
#define GVT_STAT_TOP_TOTALS_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>
#include <jansson.h>

#include "host/sysfs.h"
#include "top-rows.h"

struct top_gpu {
	char *pci;			/* address; NULL: not known */
	int64_t frequency_mhz;		/* UNKNOWN: not told; 0: asleep */
	int64_t frequency_max_mhz;
	char *policy, *dispatch;	/* of the scheduler; NULL: not told */
	GPtrArray *engines;		/* struct top_engine, by name */
};

struct top_engine {
	char *name;
	double exec_percent;		/* NAN: unknown, as is the next one */
	double done_per_second;
	double host_percent;		/* of the host's own work; NAN: unknown */
};

/**
 * top_totals - of all vGPUs, whatever of them is shown
 * @sysfs: of the second look
 * @live: NULL: not traced
 *
 * Returns an array of struct top_gpu that frees them.
 */
GPtrArray *top_totals(const struct sysfs *sysfs, const GPtrArray *old, const GPtrArray *now,
		      const struct live *live);

/* print a line per GPU and engine; how many lines that are is returned */
int top_totals_print(const GPtrArray *gpus, FILE *out);

json_t *top_totals_json(const GPtrArray *gpus);

#endif
