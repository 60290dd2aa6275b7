// SPDX-License-Identifier: GPL-2.0-or-later
/* Durations as people write them: a number and its unit. */
#include "duration.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t ns;
};

static const struct unit units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
};

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

static int whole_ns(const char *digits, size_t n, uint64_t unit_ns, uint64_t *ns)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++) {
		value = value * 10 + (uint64_t)(digits[i] - '0');
		if (value > DURATION_MAX_NS / unit_ns)
			return -ERANGE;
	}
	*ns = value * unit_ns;
	return 0;
}

static int fraction_ns(const char *digits, size_t n, uint64_t unit_ns, uint64_t *ns)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t digit = (uint64_t)(digits[i] - '0');

		unit_ns /= 10;
		if (digit && !unit_ns)
			return -ERANGE;
		value += digit * unit_ns;
	}
	*ns = value;
	return 0;
}

int duration_parse(const char *text, uint64_t *ns)
{
	size_t whole = strspn(text, "0123456789"), fraction = 0;
	const char *rest = text + whole;
	const struct unit *unit;
	uint64_t a, b;

	if (*rest == '.') {
		fraction = strspn(rest + 1, "0123456789");
		if (!fraction)
			return -EINVAL;
		rest += 1 + fraction;
	}
	unit = find_unit(rest);
	if (!whole || !unit)
		return -EINVAL;
	if (whole_ns(text, whole, unit->ns, &a) ||
	    fraction_ns(rest - fraction, fraction, unit->ns, &b) ||
	    a + b > DURATION_MAX_NS)
		return -ERANGE;
	*ns = a + b;
	return 0;
}
