/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of never-worse: their comparisons, and the results of the runs. */
#ifndef RIG_NEVER_H
#define RIG_NEVER_H

#include <glib.h>
#include <stdbool.h>

#include "spread.h"

enum never_mode { NEVER_EXCLUSIVE, NEVER_PER_ENGINE, NEVER_PREEMPTIVE, NEVER_MODES };

extern const char *const never_modes[NEVER_MODES];

/* Figures of a run. */
enum never_figure { NEVER_FAIRNESS, NEVER_MEAN, NEVER_P99, NEVER_FIGURES };

/* One line of the table of rows; see never-worse.rows. */
struct never_row {
	char *name, *scenario;
	double fairness;	/* promised least / most service over weight; 0: none */
	char **full;		/* backlogged vGPUs, whose service is compared */
	bool with_gaps;		/* the gaps before their workloads are part of it */
	char **shorts;		/* vGPUs whose latency is compared */
	char *alone;		/* row of the same client alone, or NULL */
	double allowed_ms;	/* with @alone: how much longer than alone p99 may be */
};

/**
 * never_rows_read - the table of rows
 *
 * Returns: rows (struct never_row *), or NULL with @error set.
 */
GPtrArray *never_rows_read(const char *path, GError **error);

/* Values of one figure, one for each run; NAN: unknown. */
struct never_values {
	double *v[NEVER_MODES][NEVER_FIGURES];
	size_t n;
};

/**
 * never_values_read - read the results of a row's runs in one setting
 * @dir: has SETTING/MODE/SCENARIO/NUMBER.json from rig-service
 * @n: numbers are 1 to n; missing ones are unknown
 *
 * Returns: the values, for never_values_free(), or NULL with @error set.
 */
struct never_values *never_values_read(const struct never_row *row, const char *dir,
				       const char *setting, size_t n, GError **error);

void never_values_free(struct never_values *values);

#endif
