/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What somebody wants of a GPU's settings, and how near to it a simulation comes.
 */
#ifndef GVT_STAT_GOAL_H
#define GVT_STAT_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "whatif/measure.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

enum goal_kind {
	GOAL_LATENCY,			/* a latency of a vGPU is no longer than a limit */
	GOAL_FAIR,			/* each vGPU has what is due to it */
	GOAL_THROUGHPUT,		/* the engines execute for as much of the time as possible */
};

struct goal {
	enum goal_kind kind;
	/* of a latency */
	enum measure_id measure;
	int64_t vgpu_id;
	double limit_ns;
};

/* the higher, the better */
enum score_rank {
	SCORE_HARMFUL,			/* it may be worse than now for who is not to pay */
	SCORE_SHORT,			/* the goal is not reached */
	SCORE_POSSIBLE,			/* it is in the likeliest case, and not in each */
	SCORE_MET,			/* it is in each case */
};

/* how near a simulation comes to a goal */
struct score {
	/*
	 * Latency: in ns. Fair: the least part, in per cent, of what is due on an engine that any
	 * vGPU has of it. Throughput: per cent of the time of all engines.
	 */
	double value;			/* in the likeliest case */
	double least, most;		/* of any window in any case */
	double worst;			/* by which it is judged */
	enum score_rank rank;
	/*
	 * By how many times the mean latency of the vGPU that pays most, other than the goal's, is
	 * longer than with the settings as they are, in the worst case; NAN: unknown, INFINITY: it
	 * has nothing any more
	 */
	double cost;
	double own_cost;		/* the same of the vGPU that a latency is of */
};

struct judge;

/**
 * goal_parse - "p99:2=20ms", "fair" or "throughput"
 *
 * Returns NULL, or what is wrong with the text.
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
 * judge_new - one who scores simulations
 * @goal, @mix: must outlive it
 * @simulator: path of gvt-sim, by which it learns what each vGPU wants
 * @told: what is said of vGPUs, and windows to simulate for that
 * @others_percent: by so much the mean latency of others may get longer
 *
 * judge_free() frees.
 */
struct judge *judge_new(const struct goal *goal, const struct mix *mix, const char *simulator,
			const struct whatif *told, double others_percent);
void judge_free(struct judge *judge);

/**
 * judge_base - with the settings as they are it is this
 *
 * Before anything is scored.
 */
void judge_base(struct judge *judge, const struct whatif_result *result);

/**
 * judge_score - how near this comes to the goal
 */
struct score judge_score(const struct judge *judge, const struct whatif_result *result);

/**
 * judge_recorded - the value of what was recorded; NAN if it cannot be told
 */
double judge_recorded(const struct judge *judge);

/**
 * goal_nearer - does @one come nearer to the goal than @other in the worst case, and by so much
 * that it is worth a change?
 */
bool goal_nearer(const struct goal *goal, const struct score *one, const struct score *other);

/**
 * goal_likely_nearer - the same of the likeliest case
 */
bool goal_likely_nearer(const struct goal *goal, const struct score *one, const struct score *other);

/**
 * goal_prefers - is @one so much better than @other that it is worth a change?
 */
bool goal_prefers(const struct goal *goal, const struct score *one, const struct score *other);

#endif
