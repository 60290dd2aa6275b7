// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "energy-sample.h"
#include "util.h"

/* far beyond any counter and any scheduling delay; a trace may contain anything */
#define MOST_UNIT_NJ	1e9
#define LEAST_UNIT_NJ	1e-6
#define MOST_DELAY_NS	(10 * NSEC_PER_SEC)
/* A step that would take more than this was none: the counter began anew, after suspend or reset. */
#define MOST_WATTS	1000

void energy_sample_fixed(char *fixed, const struct energy_counter *counter)
{
	char unit[G_ASCII_DTOSTR_BUF_SIZE];

	snprintf(fixed, ENERGY_FIXED_LEN, ENERGY_PREFIX "source=%s unit_nj=%s range=%" PRIu64, counter->source,
		 g_ascii_dtostr(unit, sizeof(unit), counter->unit_nj), counter->range);
}

/* returns the end; with printf() it would take longer to write a sample than to take it */
static char *put_word(char *to, const char *key, uint64_t value)
{
	char digits[20];
	unsigned int len = 0;

	to = stpcpy(to, key);
	do {
		digits[len++] = '0' + value % 10;
		value /= 10;
	} while (value);
	while (len)
		*to++ = digits[--len];
	return to;
}

void energy_sample_text(char *text, const char *fixed, const struct energy_sample *sample)
{
	const struct energy_gpu *gpu = &sample->gpu;
	char *end = stpcpy(text, fixed);

	end = put_word(end, " counter=", sample->count);
	end = put_word(end, " age_ns=", MAX(sample->age_ns, 0));
	end = put_word(end, " edge_ns=", MAX(sample->edge_ns, 0));
	if (known(gpu->rc6_ns))
		end = put_word(end, " rc6_ns=", gpu->rc6_ns);
	if (known(gpu->awake_ns))
		end = put_word(end, " awake_ns=", gpu->awake_ns);
	if (known(gpu->mhz_s))
		end = put_word(end, " mhz_s=", gpu->mhz_s);
	*end = '\0';
}

static bool parse_count(const char *value, void *to)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(value, 10, 0, UINT64_MAX, &number, NULL))
		return false;
	*(uint64_t *)to = number;
	return true;
}

static bool parse_signed(const char *value, int64_t most, void *to)
{
	gint64 number;

	if (!g_ascii_string_to_signed(value, 10, 0, most, &number, NULL))
		return false;
	*(int64_t *)to = number;
	return true;
}

static bool parse_delay(const char *value, void *to)
{
	return parse_signed(value, MOST_DELAY_NS, to);
}

static bool parse_sum(const char *value, void *to)
{
	return parse_signed(value, INT64_MAX, to);
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
	{ "rc6_ns=", parse_sum, offsetof(struct energy_sample, gpu.rc6_ns), false },
	{ "awake_ns=", parse_sum, offsetof(struct energy_sample, gpu.awake_ns), false },
	{ "mhz_s=", parse_sum, offsetof(struct energy_sample, gpu.mhz_s), false },
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

	*sample = (struct energy_sample) { .gpu = { UNKNOWN, UNKNOWN, UNKNOWN } };
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

bool energy_same_counter(const struct energy_counter *a, const struct energy_counter *b)
{
	return a->unit_nj == b->unit_nj && a->range == b->range && !strcmp(a->source, b->source);
}

bool energy_step(const struct energy_counter *counter, uint64_t before, uint64_t now, int64_t past_ns,
		 uint64_t *counts)
{
	*counts = now - before + (now < before ? counter->range : 0);
	/* 1 W is 1 nJ per ns */
	return (now >= before || counter->range) && *counts * counter->unit_nj <= (double)MOST_WATTS * past_ns;
}
