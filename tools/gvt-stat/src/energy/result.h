/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of 'gvt-stat energy', for all forms of output.
 */
#ifndef GVT_STAT_ENERGY_RESULT_H
#define GVT_STAT_ENERGY_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "output/column.h"
#include "timeline/portions.h"
#include "timeline/timeline.h"
#include "fit.h"
#include "share.h"
#include "spread.h"

/* energy of workloads; unknown reals are NAN, integers UNKNOWN */
struct work_costs {
	int64_t completed;		/* with status 0, between samples */
	int64_t priced;			/* of them, those whose energy is known: see works_dearest() */
	double mean_joules;		/* of these, as the next three */
	double p50_joules;
	double p95_joules;
	double p99_joules;
	double joules_per_workload;	/* all energy of the vGPU, by @completed */
	double turnaround_mean_ns;
	double energy_delay;		/* the product of the two above, in J s */
};

/* energy of somebody; unknown reals are NAN */
struct energy_row {
	const char *kind;		/* "vgpu", "host", "idle", "unknown" or "total" */
	int64_t dev;
	int64_t vgpu_id;		/* 0: the host; UNKNOWN: nobody */
	const char *vm;
	const char *who;		/* "1 (name of its VM)", "host", or the kind */
	const char *engine;		/* NULL: several, or none */
	int64_t exec_ns;		/* summed over engines; UNKNOWN: nobody */
	double joules;
	double bound_joules;		/* off by no more, with 95 % confidence */
	double bound_percent;		/* of @joules */
	double watts;			/* mean of the covered time */
	double percent;			/* of the counter's joules */
	double running_watts;		/* mean while executing */
	struct work_costs costs;	/* of a vGPU; unknown for others */
};

/*
 * for rows with an engine, and for sums over engines: tables show them as two, of what energy went to,
 * and of what workloads cost
 */
enum energy_table { ENERGY_SHARES = 1, ENERGY_COSTS };

extern const struct column energy_columns[];
extern const struct column energy_sum_columns[];

struct energy_result {
	const struct timeline *timeline;
	struct portions *portions;
	struct fit *fit;
	struct shares *shares;
	double *equal;			/* by consumer: see shares_new() */
	struct spread *spread;		/* NULL: of energy_result_of() */
	GArray *engines;		/* struct energy_row: a consumer each, idle, unknown, total */
	GArray *sums;			/* the same, summed over engines */
	GPtrArray *same;		/* of char *: those that are indistinguishable, in words */
	bool powers_known;		/* were powers fitted? */
};

/**
 * energy_result_new - share the energy of a timeline; energy_result_free() frees
 * @timeline: complete; must outlive the result
 * @length_ns: of the intervals of the window that the result's spread has; 0: none
 *
 * Rows are those of the selection, sums of vGPUs and of the host as far as they are selected.
 */
struct energy_result *energy_result_new(const struct timeline *timeline, enum static_rule rule, int64_t length_ns);

/**
 * energy_result_of - the same from shares that are known otherwise, without what single workloads drew
 * @portions, @fit, @shares: freed with the result
 */
struct energy_result *energy_result_of(const struct timeline *timeline, struct portions *portions, struct fit *fit,
				       struct shares *shares);
void energy_result_free(struct energy_result *result);

/**
 * energy_intervals - number of intervals in the window
 */
int64_t energy_intervals(const struct timeline *timeline, int64_t length_ns);

/* --- bounds.c ------------------------------------------------------------------------------------ */

static inline const struct consumer *energy_consumer(const struct energy_result *result, unsigned int who)
{
	return &g_array_index(result->timeline->consumers, struct consumer, who);
}

/* the quantity whose power a share is of; idle time has one, too */
static inline unsigned int energy_quantity(const struct energy_result *result, unsigned int whose)
{
	return whose == SHARE_IDLE(result->portions) ? PORTION_IDLE : portion_busy(result->portions, whose);
}

/**
 * energy_busy_ns - how long a consumer executed between samples
 */
double energy_busy_ns(const struct energy_result *result, unsigned int who);

/**
 * energy_is_selected - do rows show a consumer's energy?
 */
bool energy_is_selected(const struct energy_result *result, unsigned int who);

/**
 * energy_row_owns - whose energy a row has, by whose as in struct shares; the caller frees
 */
bool *energy_row_owns(const struct energy_result *result, const struct energy_row *row);

/**
 * energy_is_known - is the energy of some consumers together?
 * @of: which; @count: their number
 *
 * It is not if none has a power, as they executed only while events were lost.
 */
bool energy_is_known(const struct energy_result *result, const unsigned int *of, unsigned int count);

/* the half of a normal distribution's interval of 95 %, in standard errors */
#define ENERGY_SIGMAS	1.96

/**
 * energy_bound_nj - how far off the energy of some consumers together may be, with 95 % confidence
 * @of: which; @count: their number
 */
double energy_bound_nj(const struct energy_result *result, const unsigned int *of, unsigned int count);

/**
 * energy_powers_bound_nj - of that, what is due to the powers, and so is in proportion to their energy
 */
double energy_powers_bound_nj(const struct energy_result *result, const unsigned int *of, unsigned int count);

/* --- works.c ------------------------------------------------------------------------------------- */

/* a workload and its energy */
struct dear_work {
	int64_t dev;
	int64_t workload_id;
	int64_t vgpu_id;
	const char *vm;
	const char *who;		/* "1 (name of its VM)" */
	const char *engine;
	int64_t queue_ns;		/* UNKNOWN: not seen, as for the next two */
	int64_t exec_ns;
	int64_t turnaround_ns;
	double joules;
	double bound_joules;		/* off by no more, with 95 % confidence; NAN: unknown */
	double bound_percent;		/* of @joules */
};

extern const struct column dear_work_columns[];

/**
 * works_costs - what the workloads of a row's vGPU cost
 * @row: its energy is set
 */
struct work_costs works_costs(const struct energy_result *result, const struct energy_row *row);

/**
 * works_dearest - up to @most completed workloads of the selection that cost the most
 *
 * Those whose energy is known: all of their execution is between samples, and they are off by a fifth
 * at most. Within an interval whose power is not as fitted, as the GPU changed its frequency, it is not
 * known who drew less.
 *
 * Returns an array of struct dear_work, the dearest first; the caller frees.
 */
GArray *works_dearest(const struct energy_result *result, unsigned int most);

/* --- over-time.c --------------------------------------------------------------------------------- */

/* energy of somebody in an interval; unknown reals are NAN */
struct energy_interval {
	int64_t from_ns, to_ns;
	const char *kind;		/* this and the next four: as in struct energy_row */
	int64_t dev;
	int64_t vgpu_id;
	const char *vm;
	const char *who;
	double joules;
	double watts;
};

extern const struct column energy_interval_columns[];

/**
 * over_time_rows - a row for each interval of the result's spread, and each row of its sums
 *
 * Those of an interval sum up to what was counted in it. Returns an array of struct energy_interval, by time; the
 * caller frees.
 */
GArray *over_time_rows(const struct energy_result *result);

#endif
