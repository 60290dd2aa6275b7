// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <string.h>

#include "inside.h"
#include "util.h"

#define NS_DIGITS	9
/* more whole seconds than this would overflow a nanosecond count */
#define MAX_SECONDS	(INT64_MAX / NSEC_PER_SEC - 1)

/* Parses digits, as the double of strtod() cannot hold a long uptime in nanoseconds. */
static bool parse_seconds(const char *text, const char *end, int64_t *ns)
{
	int64_t seconds = 0, fraction = 0;
	int digits = 0;

	if (text == end || !isdigit((unsigned char)*text))
		return false;
	for (; text < end && isdigit((unsigned char)*text); text++) {
		seconds = seconds * 10 + (*text - '0');
		if (seconds > MAX_SECONDS)
			return false;
	}
	if (text < end && *text == '.')
		for (text++; digits < NS_DIGITS && text < end && isdigit((unsigned char)*text);
		     text++, digits++)
			fraction = fraction * 10 + (*text - '0');
	if (text != end)
		return false;
	for (; digits < NS_DIGITS; digits++)
		fraction *= 10;
	*ns = seconds * NSEC_PER_SEC + fraction;
	return true;
}

static bool parse_point(const char *text, const char *end, struct time_point *point)
{
	*point = (struct time_point) { .ns = UNKNOWN };
	if (text == end)
		return true;
	point->relative = *text == '+';
	return parse_seconds(text + point->relative, end, &point->ns);
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
	static const struct { const char *unit; int64_t seconds, divisor; } units[] = {
		{ "", 1, 1 }, { "s", 1, 1 }, { "m", 60, 1 }, { "ms", 1, 1000 },
		{ "us", 1, 1000000 },
	};
	const char *unit = text + strspn(text, "0123456789.");

	for (size_t nr = 0; nr < sizeof(units) / sizeof(units[0]); nr++) {
		if (strcmp(unit, units[nr].unit) || !parse_seconds(text, unit, ns) ||
		    *ns > INT64_MAX / units[nr].seconds)
			continue;
		*ns = *ns * units[nr].seconds / units[nr].divisor;
		return *ns > 0;
	}
	return false;
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
