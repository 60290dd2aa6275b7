/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tries settings in the simulator to find those nearest to a goal.
 */
#ifndef GVT_STAT_SEARCH_H
#define GVT_STAT_SEARCH_H

#include <glib.h>

#include "whatif/mix.h"
#include "whatif/whatif.h"
#include "goal.h"

/* settings that were tried, with their score */
struct attempt {
	struct whatif whatif;		/* the changes */
	char *text;			/* the changes, "policy=fair dispatch=preemptive" */
	unsigned int changes;		/* number of changed settings */
	struct score score;
};

struct search {
	GPtrArray *attempts;		/* struct attempt, as tried; the first: current settings */
	const struct attempt *best;
};

/**
 * search_run - try settings
 * @told: facts about vGPUs from the user, and the number of windows for each simulation
 * @simulator: path of gvt-sim
 *
 * Tries each policy with each dispatch mode, then changes one other setting at a time around the
 * two best results, and finally changes the nice value of the vGPU of a latency goal. Tries nothing
 * if the current settings meet the goal. search_free() frees.
 */
struct search *search_run(const struct goal *goal, const struct mix *mix, struct judge *judge,
			  const char *simulator, const struct whatif *told);
void search_free(struct search *search);

/**
 * search_as_it_is - the attempt with the current settings
 */
const struct attempt *search_as_it_is(const struct search *search);

/**
 * search_likely - the attempt nearest to the goal in the most likely case
 * @harmful: even if somebody may pay too much
 *
 * Returns NULL if no attempt is nearer than the current settings.
 */
const struct attempt *search_likely(const struct search *search, const struct goal *goal, bool harmful);

#endif
