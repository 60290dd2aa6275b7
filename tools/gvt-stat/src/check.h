/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that name a problem, show the evidence and the remedy.
 *
 * To add one: write a function in rules.c (or a file of its own) and give it a row
 * in the table there.
 */
#ifndef GVT_STAT_CHECK_H
#define GVT_STAT_CHECK_H

#include <stdint.h>

#include <glib.h>

#include "blame.h"
#include "follow.h"
#include "idle.h"
#include "metrics.h"
#include "quantities.h"
#include "slices.h"
#include "vcpus.h"

struct rule;

/* what is wrong; the texts are freed with it */
struct finding {
	const struct rule *rule;
	int64_t dev;			/* UNKNOWN: it is not about a GPU */
	int64_t vgpu_id;		/* UNKNOWN: it is not about one vGPU */
	const struct gpu_engine *engine;	/* or NULL */
	double value;			/* in the unit of the rule; above its threshold */
	double impact;			/* per cent of the time that it is about: worst first */
	char *problem;			/* sentences without a full stop at the end */
	char *evidence;
	char *remedy;
};

/* everything that rules look at, of a trace that was read to its end */
struct check {
	const struct follow *follow;
	struct metrics *metrics;
	struct slices *slices;
	struct idle *idle;
	struct blame *blame;
	struct vcpus *vcpus;		/* NULL: the trace cannot have events of any */
	struct blocks *blocks;		/* of these */
	GPtrArray *findings;		/* struct finding */
};

struct rule {
	const char *name;
	const char *what;		/* for --rules */
	const char *unit;		/* of the threshold: "%", "ms", "x" (times), "" */
	double threshold;
	quantity_set needs;		/* the rule is not checked without these */
	void (*find)(struct check *check, const struct rule *rule);
};

extern const struct rule rules[];	/* ends with one without name */

/* what spoils the trace, or the guests' work, comes before what is slow */
#define IMPACT_TRACE	300
#define IMPACT_FAILURE	200

/**
 * check_threshold - of a rule, as the user wants it
 */
double check_threshold(const struct rule *rule);

/**
 * check_add - add what a rule found
 * @finding: copied; the texts belong to the check from now on
 */
void check_add(struct check *check, const struct finding *finding);

#endif
