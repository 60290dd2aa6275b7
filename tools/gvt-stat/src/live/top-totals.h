/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What 'gvt-stat top' and 'status' say beside the table: totals for each GPU, which are engines with
 * the work of all vGPUs, and the frequency; and which VMs have done something wrong.
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
	char *pci;			/* address; NULL: unknown */
	int64_t frequency_mhz;		/* UNKNOWN: not reported; 0: asleep */
	int64_t frequency_max_mhz;
	char *policy, *dispatch;	/* of the scheduler; NULL: not reported */
	GPtrArray *engines;		/* struct top_engine, by name */
};

struct top_engine {
	char *name;
	double exec_percent;		/* NAN: unknown, as for the next one */
	double done_per_second;
	double host_percent;		/* of the host's own work; NAN: unknown */
};

/**
 * top_totals - totals over all vGPUs, whether shown or not
 * @sysfs: of the second sample
 * @live: NULL: no tracing
 *
 * Returns an owning array of struct top_gpu.
 */
GPtrArray *top_totals(const struct sysfs *sysfs, const GPtrArray *old, const GPtrArray *now,
		      const struct live *live);

/* prints a line per GPU and engine; returns the number of lines */
int top_totals_print(const GPtrArray *gpus, FILE *out);

json_t *top_totals_json(const GPtrArray *gpus);

/**
 * top_is_ill - is the vGPU in failsafe mode, or has its guest caused errors?
 * @errors, @failsafe: as in struct vgpu_counters
 */
bool top_is_ill(int64_t errors, const char *failsafe);

/**
 * top_ill_print - name those in failsafe mode in one line, and others with errors in another one
 * @vgpus: struct vgpu_counters
 * @wanted: a --vgpu list; NULL: all
 * @width: longer lines are wrapped; 0: none is
 *
 * Prints nothing if all are well.
 */
void top_ill_print(const GPtrArray *vgpus, char *const *wanted, int width, FILE *out);

#endif
