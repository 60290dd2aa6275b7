/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions on metrics that were compared: compare --fail-if.
 *
 *   METRIC < LIMIT, METRIC > LIMIT
 *
 * A limit with a sign is about the difference, +10% of A or +2ms; one without is about B.
 */
#ifndef GVT_STAT_CONDITION_H
#define GVT_STAT_CONDITION_H

#include <stdbool.h>

/* of which unit the numbers of a metric are */
enum condition_unit {
	UNIT_NUMBER,
	UNIT_TIME,			/* ns */
};

struct condition {
	const char *text;		/* as it was given */
	bool above;
	bool is_change;			/* of B against A */
	bool is_percent;		/* of A */
	double limit;			/* in per cent, or in the unit of the metric */
};

/* what is known of one metric */
struct condition_values {
	double a, b, difference;
	double low, high;		/* of the difference; NAN: too little to tell */
};

enum condition_result {
	CONDITION_NO,
	CONDITION_UNCLEAR,		/* it looks like it, but that may be chance; or unknown */
	CONDITION_HOLDS,
};

/**
 * condition_metric_len - how long the name of the metric is at the begin of @text
 *
 * Returns 0 if no comparison follows a name.
 */
int condition_metric_len(const char *text);

/**
 * condition_parse - all behind the name of the metric
 * @text: must live as long
 *
 * Returns NULL, or what is wrong with it.
 */
const char *condition_parse(struct condition *condition, const char *text,
			    enum condition_unit unit);

enum condition_result condition_test(const struct condition *condition,
				     const struct condition_values *values);

#endif
