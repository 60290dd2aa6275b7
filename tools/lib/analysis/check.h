/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules that find a problem, and show the evidence and the remedy.
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
/* the analyses that rules use */
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

/* a problem found; owns its strings and remedies */
struct finding {
	const struct rule *rule;
	int64_t dev;			/* UNKNOWN: not specific to a GPU */
	int64_t vgpu_id;		/* UNKNOWN: not specific to a vGPU */
	const struct gpu_engine *engine;	/* or NULL */
	double value;			/* in the unit of the rule; above its threshold */
	double impact;			/* per cent of the affected time; worst first */
	int64_t at_ns;			/* start of its worst moment */
	int64_t for_ns;			/* and its length; 0: it concerns all of the window */
	char *problem;			/* sentences without the last full stop */
	char *evidence;
	GArray *remedies;		/* struct remedy, in the order to try them */
};

/* the data that rules use, of a trace that was read to its end */
struct check {
	struct follow *follow;
	quantity_set quantities;	/* quantities that rules need */
	struct metrics *metrics;
	struct slices *slices;
	struct idle *idle;
	struct blame *blame;
	struct demand *demand;
	struct holds *holds;
	struct health *health;
	struct held *held;		/* settings in force */
	struct facts *facts;		/* computed from these after reading the trace */
	struct vcpus *vcpus;		/* NULL: the trace has no vCPU events */
	struct blocks *blocks;		/* of @vcpus */
	struct window gap;		/* first gap inside the window; empty: none */
	GPtrArray *findings;		/* struct finding */
};

/* the value of a finding that a simulation can recompute */
enum rule_figure {
	FIGURE_NONE,
	FIGURE_IDLE,			/* the engine's idle time with work waiting */
	FIGURE_SHARE,			/* the vGPU's share of the engine */
	FIGURE_MEAN,			/* the mean latency of the vGPU */
	FIGURE_WORST,			/* the vGPU's longest latency */
	FIGURE_HOST,			/* the host's longest wait for the engine */
	FIGURES
};

/* a rule: its threshold, and how it is checked */
struct rule {
	const char *name;
	const char *what;		/* for --rules */
	const char *unit;		/* of the threshold: "%", "ms", "x" (times), "" */
	double threshold;
	quantity_set needs;		/* quantities without which it is not checked */
	void (*find)(struct check *check, const struct rule *rule);
	enum rule_figure figure;	/* value to judge a remedy by */
};

/* all rules, in the order of output; ends with a rule without name */
extern const struct rule rules[];

/**
 * check_begin - start the analyses that rules need, before reading the trace
 * @check: filled; free with check_clear()
 * @follow: open, not yet run; must outlive @check
 * @quantities: that the rules need; @follow was opened with these
 */
void check_begin(struct check *check, struct follow *follow, quantity_set quantities);

/**
 * check_end - after reading the trace: apply all rules
 *
 * Keeps only findings about the selection, worst first.
 */
void check_end(struct check *check);

/**
 * check_clear - free the content of @check
 */
void check_clear(struct check *check);

/* a vGPU's slowdown compared with running alone, and its cause */
struct slowdown {
	const struct vgpu *vgpu;
	double times;			/* mean turnaround / that alone; NAN: unknown; INFINITY: starved */
	double others_ns;		/* mean wait for other vGPUs per workload; NAN: unknown */
	enum latency_part mostly;	/* largest part of @others_ns; PARTS: none */
};

/**
 * check_slowdown - the slowdown of a vGPU, over the selected engines
 * @check: after check_end()
 */
struct slowdown check_slowdown(const struct check *check, const struct vgpu *vgpu);

/**
 * check_slowest - the selected vGPU with the largest slowdown: first in every list of victims
 *
 * Returns false if no selected vGPU is slower than alone.
 */
bool check_slowest(const struct check *check, struct slowdown *slowest);

/* a change of a setting at @at_ns */
struct setting_change {
	int64_t at_ns;
	int64_t dev;
	const struct vgpu *vgpu;	/* NULL: a setting of the GPU */
	const char *setting;		/* name of its file */
	char *old_value;		/* as in the file */
	char *new_value;
};

/**
 * check_changes - struct setting_change in chronological order; owned by @check
 * @check: after check_end()
 */
const GArray *check_changes(const struct check *check);

/**
 * check_can - does the trace have what a rule needs?
 * @check: after check_end()
 */
bool check_can(const struct check *check, const struct rule *rule);

/**
 * check_set_threshold - replace a rule's threshold for the rest of the process
 * @value: in the unit of the rule
 */
void check_set_threshold(const struct rule *rule, double value);

/**
 * check_threshold - a rule's threshold, including check_set_threshold()
 */
double check_threshold(const struct rule *rule);

#endif
