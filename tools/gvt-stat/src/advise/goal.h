/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The goal that the user has for a GPU's settings, and scores for how near a simulation comes.
 */
#ifndef GVT_STAT_GOAL_H
#define GVT_STAT_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "whatif/measure.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

enum goal_kind {
	GOAL_LATENCY,			/* a latency of a vGPU stays within a limit */
	GOAL_FAIR,			/* each vGPU gets its fair share */
	GOAL_THROUGHPUT,		/* the engines are as busy as possible */
	GOAL_ENERGY,			/* a finished workload takes as few joules as possible */
};

struct goal {
	enum goal_kind kind;
	/* GOAL_LATENCY only */
	enum measure_id measure;
	int64_t vgpu_id;
	double limit_ns;
};

/* higher is better */
enum score_rank {
	SCORE_HARMFUL,			/* a vGPU that must not pay may be worse off than now */
	SCORE_SHORT,			/* misses the goal */
	SCORE_POSSIBLE,			/* meets the goal in the most likely case only */
	SCORE_MET,			/* meets the goal in every case */
};

/* how near a simulation comes to a goal */
struct score {
	/*
	 * Latency: in ns. Fair: the smallest ratio of execution to fair share, in per cent, of any
	 * vGPU on any engine. Throughput: busy time of all engines in per cent. Energy: joules of a
	 * finished workload; its range is relative to the current settings, see struct energy_each.
	 */
	double value;			/* in the most likely case */
	double least, most;		/* of any window in any case */
	double worst;			/* decides the rank */
	enum score_rank rank;
	/*
	 * The largest increase of a mean latency in the worst case, as a multiple of the latency
	 * under the current settings, of all vGPUs but the goal's; NAN: unknown, INFINITY: a vGPU
	 * no longer completes anything
	 */
	double cost;
	double own_cost;		/* the same for the vGPU of a latency goal */
	double watts;			/* mean power of all, for an energy goal; else NAN */
};

struct coef;
struct judge;

/**
 * goal_parse - parse "p99:2=20ms", "fair", "throughput" or "energy"
 *
 * Returns NULL, or an error message.
 */
const char *goal_parse(const char *text, struct goal *goal);

/**
 * goal_text - a goal in words; the caller frees with g_free()
 */
char *goal_text(const struct goal *goal);

/**
 * goal_value_text - a score's value in words; the caller frees with g_free()
 */
char *goal_value_text(const struct goal *goal, double value);

/**
 * judge_new - create a judge, which scores simulations
 * @goal, @mix: must outlive the judge
 * @simulator: path of gvt-sim; a fair goal needs a simulation of each vGPU alone
 * @told: facts about vGPUs from the user, and the number of windows to simulate
 * @coef: of the GPU's energy, for an energy goal, must outlive the judge; the mix was read with
 *	  energy_use_observer; else NULL
 * @others_percent: how much the mean latency of other vGPUs may increase
 *
 * judge_free() frees.
 */
struct judge *judge_new(const struct goal *goal, const struct mix *mix, const char *simulator,
			const struct whatif *told, const struct coef *coef, double others_percent);
void judge_free(struct judge *judge);

/**
 * judge_base - set the simulation of the current settings, with which others are compared
 *
 * Call before judge_score().
 */
void judge_base(struct judge *judge, const struct whatif_result *result);

/**
 * judge_score - score a simulation against the goal
 */
struct score judge_score(const struct judge *judge, const struct whatif_result *result);

/**
 * judge_recorded - the goal's value in the recording; NAN: unknown
 *
 * Of energy, call it after judge_base().
 */
double judge_recorded(const struct judge *judge);

/**
 * goal_has_limit - can the goal be met? Else there is only a best
 */
bool goal_has_limit(const struct goal *goal);

/**
 * goal_nearer - is @one nearer to the goal than @other in the worst case, by enough to justify a
 * change?
 */
bool goal_nearer(const struct goal *goal, const struct score *one, const struct score *other);

/**
 * goal_likely_nearer - goal_nearer() for the most likely case
 */
bool goal_likely_nearer(const struct goal *goal, const struct score *one, const struct score *other);

/**
 * goal_prefers - is @one better than @other by enough to justify a change?
 */
bool goal_prefers(const struct goal *goal, const struct score *one, const struct score *other);

#endif
