/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of never-worse: what is compared in them, and what was found in the runs. */
#ifndef RIG_NEVER_H
#define RIG_NEVER_H

#include <glib.h>

#include "spread.h"

enum never_mode { NEVER_EXCLUSIVE, NEVER_PER_ENGINE, NEVER_PREEMPTIVE, NEVER_MODES };

extern const char *const never_modes[NEVER_MODES];

/* What a run tells. */
enum never_figure { NEVER_FAIRNESS, NEVER_MEAN, NEVER_P99, NEVER_FIGURES };

/* One line of the table of rows; see never-worse.rows. */
struct never_row {
	char *name, *scenario;
	double fairness;	/* least / most service over weight that is promised; 0: none */
	char **full;		/* vGPUs that always want more, whose service is compared */
	char **shorts;		/* those whose latency is */
	char *alone;		/* row of the same client alone, or NULL */
	double allowed_ms;	/* then: how much longer than alone p99 may be */
};

/**
 * never_rows_read - the table of rows
 *
 * Returns: rows (struct never_row *), or NULL with @error set.
 */
GPtrArray *never_rows_read(const char *path, GError **error);

/* Values of one figure, one of each run; NAN: the run does not tell it. */
struct never_values {
	double *v[NEVER_MODES][NEVER_FIGURES];
	size_t n;
};

/**
 * never_values_read - what the runs of a row in one setting have come to
 * @dir: has SETTING/MODE/SCENARIO/NUMBER.json as rig-service prints them
 * @n: numbers are 1 to n; those that are not there are unknown
 *
 * Returns: the values, for never_values_free(), or NULL with @error set.
 */
struct never_values *never_values_read(const struct never_row *row, const char *dir,
				       const char *setting, size_t n, GError **error);

void never_values_free(struct never_values *values);

#endif
