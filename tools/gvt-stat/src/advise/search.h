/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that are tried in the simulator, to find those that come nearest to a goal.
 */
#ifndef GVT_STAT_SEARCH_H
#define GVT_STAT_SEARCH_H

#include <glib.h>

#include "whatif/mix.h"
#include "whatif/whatif.h"
#include "goal.h"

/* settings, and how near they come */
struct attempt {
	struct whatif whatif;		/* what is different */
	char *text;			/* the same, "policy=fair dispatch=preemptive" */
	unsigned int changes;		/* so many settings are different */
	struct score score;
};

struct search {
	GPtrArray *attempts;		/* struct attempt, as tried; the first: as it is */
	const struct attempt *best;
};

/**
 * search_run - try settings
 * @told: what is said of vGPUs, and windows to simulate of each
 * @simulator: path of gvt-sim
 *
 * At first each policy with each dispatch mode, then one other setting at a time around the two
 * best of these, and at last the nice value of the vGPU that a latency is about. If the goal is
 * met as it is, nothing is tried. search_free() frees.
 */
struct search *search_run(const struct goal *goal, const struct mix *mix, struct judge *judge,
			  const char *simulator, const struct whatif *told);
void search_free(struct search *search);

/**
 * search_as_it_is - the first attempt
 */
const struct attempt *search_as_it_is(const struct search *search);

/**
 * search_likely - what comes nearest in the likeliest case, though it may do harm
 *
 * Returns NULL if nothing comes nearer than the settings as they are.
 */
const struct attempt *search_likely(const struct search *search, const struct goal *goal);

#endif
