/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of compare --fail-if on metrics.
 *
 *   METRIC < LIMIT, METRIC > LIMIT
 *
 * A limit with a sign applies to the difference, such as +10% of A or +2ms; one without applies to
 * B.
 */
#ifndef GVT_STAT_CONDITION_H
#define GVT_STAT_CONDITION_H

#include <stdbool.h>

/* unit of a metric's numbers */
enum condition_unit {
	UNIT_NUMBER,
	UNIT_TIME,			/* ns */
};

struct condition {
	const char *text;		/* as the user gave it */
	bool above;
	bool is_change;			/* limit applies to the difference B - A */
	bool is_percent;		/* limit is in per cent of A */
	double limit;			/* in per cent, or in the unit of the metric */
};

/* the values of one metric */
struct condition_values {
	double a, b, difference;
	double low, high;		/* interval of the difference; NAN: too little data */
};

enum condition_result {
	CONDITION_NO,
	CONDITION_UNCLEAR,		/* may hold only by chance, or unknown */
	CONDITION_HOLDS,
};

/**
 * condition_metric_len - length of the metric's name at the start of @text
 *
 * Returns 0 if no comparison follows a name.
 */
int condition_metric_len(const char *text);

/**
 * condition_parse - parse the part after the metric's name
 * @text: must outlive @condition
 *
 * Returns NULL, or an error message.
 */
const char *condition_parse(struct condition *condition, const char *text,
			    enum condition_unit unit);

enum condition_result condition_test(const struct condition *condition,
				     const struct condition_values *values);

#endif
