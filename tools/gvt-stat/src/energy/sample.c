// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "trace/util.h"
#include "sample.h"

/* far beyond any counter and any scheduling delay; a trace may contain anything */
#define MOST_UNIT_NJ	1e9
#define LEAST_UNIT_NJ	1e-6
#define MOST_DELAY_NS	(10 * NSEC_PER_SEC)

void energy_sample_text(char *text, const struct energy_sample *sample)
{
	char unit[G_ASCII_DTOSTR_BUF_SIZE];

	snprintf(text, ENERGY_TEXT_LEN,
		 ENERGY_PREFIX "counter=%" PRIu64 " unit_nj=%s range=%" PRIu64
		 " source=%s age_ns=%" PRId64 " edge_ns=%" PRId64,
		 sample->count, g_ascii_dtostr(unit, sizeof(unit), sample->counter.unit_nj),
		 sample->counter.range, sample->counter.source, sample->age_ns, sample->edge_ns);
}

static bool parse_count(const char *value, void *to)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(value, 10, 0, UINT64_MAX, &number, NULL))
		return false;
	*(uint64_t *)to = number;
	return true;
}

static bool parse_delay(const char *value, void *to)
{
	gint64 number;

	if (!g_ascii_string_to_signed(value, 10, 0, MOST_DELAY_NS, &number, NULL))
		return false;
	*(int64_t *)to = number;
	return true;
}

static bool parse_unit(const char *value, void *to)
{
	char *end;
	double unit = g_ascii_strtod(value, &end);

	*(double *)to = unit;
	return end != value && !*end && isfinite(unit) && unit >= LEAST_UNIT_NJ && unit <= MOST_UNIT_NJ;
}

static bool parse_source(const char *value, void *to)
{
	for (const char *letter = value; *letter; letter++)
		if (!g_ascii_isalnum(*letter))
			return false;
	return *value && g_strlcpy(to, value, ENERGY_SOURCE_LEN) < ENERGY_SOURCE_LEN;
}

static const struct {
	const char *key;
	bool (*parse)(const char *value, void *to);
	size_t offset;
	bool required;
} words[] = {
	{ "counter=", parse_count, offsetof(struct energy_sample, count), true },
	{ "unit_nj=", parse_unit, offsetof(struct energy_sample, counter.unit_nj), true },
	{ "source=", parse_source, offsetof(struct energy_sample, counter.source), true },
	{ "range=", parse_count, offsetof(struct energy_sample, counter.range), false },
	{ "age_ns=", parse_delay, offsetof(struct energy_sample, age_ns), false },
	{ "edge_ns=", parse_delay, offsetof(struct energy_sample, edge_ns), false },
};

/* Returns false if the word is known, but its value is not possible. */
static bool parse_word(const char *text, struct energy_sample *sample, unsigned int *seen)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(words); nr++) {
		size_t len = strlen(words[nr].key);

		if (strncmp(text, words[nr].key, len))
			continue;
		*seen |= 1U << nr;
		return words[nr].parse(text + len, (char *)sample + words[nr].offset);
	}
	return true;
}

static bool has_required(unsigned int seen)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(words); nr++)
		if (words[nr].required && !(seen & 1U << nr))
			return false;
	return true;
}

bool energy_sample_parse(const char *text, struct energy_sample *sample)
{
	unsigned int seen = 0;
	bool good = true;
	char *line, **parts;

	*sample = (struct energy_sample) { 0 };
	if (!g_str_has_prefix(text, ENERGY_PREFIX))
		return false;
	text += strlen(ENERGY_PREFIX);
	line = g_strndup(text, strcspn(text, "\n"));
	parts = g_strsplit(line, " ", -1);
	for (char **part = parts; good && *part; part++)
		good = parse_word(*part, sample, &seen);
	g_strfreev(parts);
	g_free(line);
	return good && has_required(seen) &&
	       (!sample->counter.range || sample->count < sample->counter.range);
}
