// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <string.h>

#include "inside.h"
#include "util.h"

#define NS_DIGITS	9

static const struct { const char *name; int64_t ns; } units[] = {
	{ "", NSEC_PER_SEC }, { "ns", 1 }, { "us", 1000 }, { "ms", NSEC_PER_MSEC },
	{ "s", NSEC_PER_SEC }, { "m", 60 * NSEC_PER_SEC },
};

static int64_t unit_of(const char *text, size_t len)
{
	for (size_t nr = 0; nr < sizeof(units) / sizeof(units[0]); nr++)
		if (strlen(units[nr].name) == len && !strncmp(units[nr].name, text, len))
			return units[nr].ns;
	return 0;
}

int64_t timespan_unit(const char *name)
{
	return *name ? unit_of(name, strlen(name)) : 0;
}

/* Parses digits, as the double of strtod() cannot hold a long uptime in nanoseconds. */
static const char *parse_digits(const char *text, const char *end, int64_t *whole, int64_t *fraction)
{
	int digits = 0;

	*whole = *fraction = 0;
	for (; text < end && isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, *text - '0', whole))
			return NULL;
	if (text < end && *text == '.')
		for (text++; digits < NS_DIGITS && text < end && isdigit((unsigned char)*text);
		     text++, digits++)
			*fraction = *fraction * 10 + (*text - '0');
	for (; digits < NS_DIGITS; digits++)
		*fraction *= 10;
	return text;
}

static bool parse_time(const char *text, const char *end, int64_t *ns)
{
	int64_t whole, fraction, unit_ns;
	const char *unit;

	if (text == end || !isdigit((unsigned char)*text))
		return false;
	unit = parse_digits(text, end, &whole, &fraction);
	unit_ns = unit ? unit_of(unit, end - unit) : 0;
	/* in two steps, or nanoseconds of a minute would overflow */
	return unit_ns && !__builtin_mul_overflow(whole, unit_ns, ns) &&
	       !__builtin_add_overflow(*ns, fraction / 1000 * unit_ns / (NSEC_PER_SEC / 1000) +
					    fraction % 1000 * unit_ns / NSEC_PER_SEC, ns);
}

static bool parse_point(const char *text, const char *end, struct time_point *point)
{
	*point = (struct time_point) { .ns = UNKNOWN };
	if (text == end)
		return true;
	point->relative = *text == '+';
	return parse_time(text + point->relative, end, &point->ns);
}

bool timespan_parse(const char *text, struct timespan *span)
{
	const char *comma = strchr(text, ',');

	if (!comma || strchr(comma + 1, ','))
		return false;
	return parse_point(text, comma, &span->from) &&
	       parse_point(comma + 1, comma + strlen(comma), &span->to);
}

bool timespan_length(const char *text, int64_t *ns)
{
	return parse_time(text, text + strlen(text), ns) && *ns > 0;
}

static int64_t resolve_point(const struct time_point *point, int64_t start, int64_t open)
{
	if (!known(point->ns))
		return open;
	return point->relative ? start + point->ns : point->ns;
}

struct window timespan_resolve(const struct timespan *span, struct window trace)
{
	int64_t from = resolve_point(&span->from, trace.from_ns, trace.from_ns);
	int64_t to = resolve_point(&span->to, trace.from_ns, trace.to_ns);

	return (struct window) {
		.from_ns = from > trace.from_ns ? from : trace.from_ns,
		.to_ns = to < trace.to_ns ? to : trace.to_ns,
	};
}
