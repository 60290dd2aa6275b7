/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that name a problem, show the evidence and the remedy.
 *
 * To add one: a function in one of rules-*.c, and a row in the table in rules.c.
 */
#ifndef GVTTRACE_CHECK_H
#define GVTTRACE_CHECK_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "trace/quantities.h"

struct rule;
/* what is measured for the rules */
struct metrics;
struct slices;
struct idle;
struct blame;
struct demand;
struct holds;
struct health;
struct held;
struct facts;
struct vcpus;
struct blocks;

/* what is wrong; texts and remedies are freed with it */
struct finding {
	const struct rule *rule;
	int64_t dev;			/* UNKNOWN: it is not about a GPU */
	int64_t vgpu_id;		/* UNKNOWN: it is not about one vGPU */
	const struct gpu_engine *engine;	/* or NULL */
	double value;			/* in the unit of the rule; above its threshold */
	double impact;			/* per cent of the time that it is about: worst first */
	int64_t at_ns;			/* its worst moment, */
	int64_t for_ns;			/* of this length; 0: it is about all of the window */
	char *problem;			/* sentences without a full stop at the end */
	char *evidence;
	GArray *remedies;		/* struct remedy, the first one to try first */
};

/* everything that rules look at, of a trace that was read to its end */
struct check {
	struct follow *follow;
	quantity_set quantities;	/* that rules are made of */
	struct metrics *metrics;
	struct slices *slices;
	struct idle *idle;
	struct blame *blame;
	struct demand *demand;
	struct holds *holds;
	struct health *health;
	struct held *held;		/* which settings did */
	struct facts *facts;		/* made of these when the trace was read */
	struct vcpus *vcpus;		/* NULL: the trace cannot have events of any */
	struct blocks *blocks;		/* of these */
	struct window gap;		/* the first one inside the window; empty: there is none */
	GPtrArray *findings;		/* struct finding */
};

/* what a simulation can tell of a finding's headline */
enum rule_figure {
	FIGURE_NONE,
	FIGURE_IDLE,			/* the engine's idle time with work waiting */
	FIGURE_SHARE,			/* what the vGPU has of the engine */
	FIGURE_MEAN,			/* the mean latency of the vGPU */
	FIGURE_WORST,			/* the longest one */
	FIGURE_HOST,			/* the longest wait of the host's own work for the engine */
	FIGURES
};

/* a rule: when it speaks, and how it finds that */
struct rule {
	const char *name;
	const char *what;		/* for --rules */
	const char *unit;		/* of the threshold: "%", "ms", "x" (times), "" */
	double threshold;
	quantity_set needs;		/* the rule is not checked without these */
	void (*find)(struct check *check, const struct rule *rule);
	enum rule_figure figure;	/* by which a remedy is judged */
};

/* all rules, in the order in which they are told; ends with one without name */
extern const struct rule rules[];

/**
 * check_begin - look at what rules need, of a trace that is about to be read
 * @check: filled; to be cleared with check_clear()
 * @follow: open, not yet run; must outlive @check
 * @quantities: that the rules are made of; @follow was opened with these
 */
void check_begin(struct check *check, struct follow *follow, quantity_set quantities);

/**
 * check_end - the trace was read: apply all rules
 *
 * The findings are those about what the selection asks for, worst first.
 */
void check_end(struct check *check);

/**
 * check_clear - free what it holds
 */
void check_clear(struct check *check);

/* how much slower than alone a vGPU is, and why */
struct slowdown {
	const struct vgpu *vgpu;
	double times;			/* turnaround / that alone; NAN: unknown; INFINITY: starved */
	double others_ns;		/* waited for others, mean of a workload; NAN: not known */
	enum latency_part mostly;	/* the largest part of that; PARTS: it did not wait for others */
};

/**
 * check_slowdown - of a vGPU, over the engines that are asked for
 * @check: of a trace that was read
 */
struct slowdown check_slowdown(const struct check *check, const struct vgpu *vgpu);

/**
 * check_slowest - whom everything that tells of a victim names first: the largest slowdown
 *
 * Returns false if none of those that are asked for is slower than alone.
 */
bool check_slowest(const struct check *check, struct slowdown *slowest);

/* a setting had another value from @at_ns on */
struct setting_change {
	int64_t at_ns;
	int64_t dev;
	const struct vgpu *vgpu;	/* NULL: it is the GPU's */
	const char *setting;		/* the name of its file */
	char *old_value;		/* as in the file */
	char *new_value;
};

/**
 * check_changes - of settings, of struct setting_change by time; the check's
 * @check: of a trace that was read
 */
const GArray *check_changes(const struct check *check);

/**
 * check_can - has the trace what a rule needs?
 * @check: of a trace that was read
 */
bool check_can(const struct check *check, const struct rule *rule);

/**
 * check_set_threshold - from where on a rule speaks, instead of its own threshold
 * @value: in the unit of the rule; for the rest of the process
 */
void check_set_threshold(const struct rule *rule, double value);

/**
 * check_threshold - of a rule, as the user wants it
 */
double check_threshold(const struct rule *rule);

#endif
