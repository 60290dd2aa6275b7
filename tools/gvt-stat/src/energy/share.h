/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the counted energy among those who executed, so that the shares sum up to it.
 */
#ifndef GVT_STAT_ENERGY_SHARE_H
#define GVT_STAT_ENERGY_SHARE_H

#include <stdbool.h>

#include <glib.h>

#include "fit.h"
#include "timeline/portions.h"

/* whose is what the GPU draws in any case */
enum static_rule {
	STATIC_BUSY,			/* of those who execute, in equal parts at each moment; */
					/* while nobody does, of nobody */
	STATIC_NONE,			/* of nobody, at any time */
	STATIC_EQUAL,			/* of all vGPUs, in equal parts, at any time */
	STATIC_RULES
};

/**
 * static_rule_name - "busy"; @rule below STATIC_RULES
 */
const char *static_rule_name(enum static_rule rule);

/* whose energy: consumers by number, then */
#define SHARE_IDLE(portions)	((portions)->consumers)		/* of nobody */
#define SHARE_UNKNOWN(portions)	((portions)->consumers + 1)	/* of whom is not known */
#define SHARES(portions)	((portions)->consumers + 2)

/* an energy that is off by no more than this part of it is known well enough to be printed */
#define ENERGY_CERTAIN	0.2

struct shares {
	double *nj;			/* by whose */
	double *spread;			/* by whose, in nJ^2: of what the powers do not explain, which is */
					/* shared in proportion, but may be of anybody in the interval */
	double *kept;			/* by consumer: the part of its energy that is left to it beside */
					/* what is static, 1 with STATIC_BUSY */
	double *without[FIT_GROUPS];	/* with the powers fitted without a group */
	double *bound_nj;		/* by whose: of predicted energy, which has no groups; else NULL */
	unsigned int groups;
	double total_nj;		/* the counter's; the sum over @nj but for rounding */
	double length_ns;		/* of all intervals */
};

/**
 * shares_new - share the energy of all intervals; shares_free() frees
 * @equal: for STATIC_EQUAL: which part of the static energy each consumer gets; at most 1 in all
 *
 * An interval's energy is what the powers of @fit make of its portions; what they do not explain is
 * of those who executed, in proportion, and of idle time: see correct(). What two need less together
 * than alone is halved between them: the Shapley value of a game whose terms are of one or of two players
 * (Shapley, A Value for n-Person Games, 1953). In intervals with lost events, what the powers do
 * not explain is unknown; so is all energy if nothing could be fitted.
 */
struct shares *shares_new(const struct portions *portions, const struct fit *fit,
			  enum static_rule rule, const double *equal);
void shares_free(struct shares *shares);

/**
 * shares_split - share the energy of one interval as shares_new() does with STATIC_BUSY
 * @part: set, by whose; sums up to the interval's, in nJ
 *
 * Returns what the powers do not explain of it, in nJ; below 0 if it is less than they make of it.
 */
double shares_split(const struct portions *portions, const struct fit *fit, const struct stint *stint, double *part);

/**
 * shares_bound - how far off the sum of some shares may be, in nJ, with 95 % confidence
 * @of: whose; @count: their number
 *
 * From the jackknife over groups of intervals (Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, chapter 11), and the spread, with Student's t. NAN: unknown.
 */
double shares_bound(const struct shares *shares, const unsigned int *of, unsigned int count);

#endif
