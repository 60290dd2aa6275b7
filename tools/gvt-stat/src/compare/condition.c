// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include <glib.h>

#include "trace/timespan.h"
#include "condition.h"

int condition_metric_len(const char *text)
{
	size_t len = strcspn(text, "<>");

	return text[len] ? len : 0;
}

static const char *parse_unit(struct condition *condition, const char *word,
			      enum condition_unit unit)
{
	condition->is_percent = !strcmp(word, "%");
	if (condition->is_percent)
		return condition->is_change ? NULL : "a limit in % of A takes a sign, such as +10%";
	if (unit == UNIT_NUMBER)
		return *word ? "the number of this metric has no unit" : NULL;
	if (!timespan_unit(word))
		return "give the limit in ns, us, ms, s or m, such as 20ms, or with a sign in %";
	condition->limit *= timespan_unit(word);
	return NULL;
}

const char *condition_parse(struct condition *condition, const char *text,
			    enum condition_unit unit)
{
	const char *limit = text + condition_metric_len(text) + 1;
	char *end;

	*condition = (struct condition) {
		.text = text, .above = limit[-1] == '>',
		.is_change = *limit == '+' || *limit == '-',
	};
	condition->limit = g_ascii_strtod(limit, &end);
	if (end == limit || !isfinite(condition->limit))
		return "there is no number behind < or >, such as 20ms";
	return parse_unit(condition, end, unit);
}

static double tested_value(const struct condition *condition,
			   const struct condition_values *values)
{
	if (!condition->is_change)
		return values->b;
	if (!condition->is_percent)
		return values->difference;
	/* any change from 0 is infinite in per cent */
	if (values->a == 0 && values->difference != 0)
		return copysign(INFINITY, values->difference);
	return values->a == 0 ? 0 : 100 * values->difference / values->a;
}

/* is the sign of the difference certain, not by chance? */
static bool is_real(const struct condition *condition, const struct condition_values *values)
{
	if (isnan(values->low) || isnan(values->high))
		return false;
	if (!condition->is_change)
		return true;
	return values->difference > 0 ? values->low > 0 : values->high < 0;
}

enum condition_result condition_test(const struct condition *condition,
				     const struct condition_values *values)
{
	double value = tested_value(condition, values);

	if (isnan(value))
		return CONDITION_UNCLEAR;
	/* an unknown interval is unclear, unless the values are exactly equal */
	if (condition->is_change && values->difference != 0 &&
	    (isnan(values->low) || isnan(values->high)))
		return CONDITION_UNCLEAR;
	if (condition->above ? value <= condition->limit : value >= condition->limit)
		return CONDITION_NO;
	return is_real(condition, values) || values->difference == 0 ? CONDITION_HOLDS :
								       CONDITION_UNCLEAR;
}
